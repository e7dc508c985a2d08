// Package canonical decides when two things are the same.
//
// It turns a value into one spelling, so that equality of bytes is equality of
// meaning. It holds no thresholds, does no I/O and reads no clock: what is done
// about sameness is the guard's business.
package canonical
