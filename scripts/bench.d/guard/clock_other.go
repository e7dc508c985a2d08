//go:build !unix

package main

import "time"

var started = time.Now()

// worked is how long this process has run, where the system does not say more.
func worked() time.Duration { return time.Since(started) }
