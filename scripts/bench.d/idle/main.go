// Idle is what a Go program holds in memory that only reads its input.
package main

import "os"

func main() {
	buf := make([]byte, 64<<10)
	for {
		if _, err := os.Stdin.Read(buf); err != nil {
			return
		}
	}
}
