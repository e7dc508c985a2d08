//go:build unix

package main

import (
	"log"
	"syscall"
	"time"
)

// worked is how long this process has had the processor: what other programs do at
// the same time is not in it.
func worked() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		log.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
