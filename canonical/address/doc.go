// Package address says what an http or https address means and when two of
// them are the same.
//
// It is pure: it resolves no name, opens no connection and holds no threshold.
package address
