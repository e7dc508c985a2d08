package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// progress is a line at the bottom of a terminal that tells how far a replay has
// come. What is written to it goes above.
type progress struct {
	out         io.Writer
	done, total int64 // bytes
	mu          sync.Mutex
	drawn       time.Time
}

const (
	clearLine    = "\r\x1b[2K"
	drawnAtMost  = 100 * time.Millisecond
	bytesInAMega = 1 << 20
)

// add tells that so many bytes more are done with.
func (p *progress) add(bytes int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += bytes
	if time.Since(p.drawn) >= drawnAtMost {
		p.draw()
	}
}

// Write implements io.Writer.
func (p *progress) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	io.WriteString(p.out, clearLine)
	n, err := p.out.Write(text)
	p.draw()
	return n, err
}

// end takes the line away.
func (p *progress) end() { io.WriteString(p.out, clearLine) }

func (p *progress) draw() {
	p.drawn = time.Now()
	fmt.Fprintf(p.out, clearLine+"playing %.1f / %.1f MiB", float64(p.done)/bytesInAMega, float64(p.total)/bytesInAMega)
}
