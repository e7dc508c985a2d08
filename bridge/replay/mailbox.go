package replay

import (
	"io"
	"sync"
)

// mailbox holds the guard's answers until the host reads them, so that the guard
// never waits for a host that is still talking. Answers are short, and a host
// reads those to one turn before it talks about the next.
type mailbox struct {
	mu     sync.Mutex
	filled sync.Cond
	text   []byte
	read   int // how much of text has been read
	closed bool
}

func newMailbox() *mailbox {
	m := &mailbox{}
	m.filled.L = &m.mu
	return m
}

// Write implements io.Writer.
func (m *mailbox) Write(p []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return 0, io.ErrClosedPipe
	}
	m.text = append(m.text, p...)
	m.filled.Signal()
	return len(p), nil
}

// Read implements io.Reader. It waits for something to read.
func (m *mailbox) Read(p []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for m.read == len(m.text) {
		if m.closed {
			return 0, io.EOF
		}
		m.text, m.read = m.text[:0], 0
		m.filled.Wait()
	}
	n := copy(p, m.text[m.read:])
	m.read += n
	return n, nil
}

// Close implements io.Closer. What has been written can still be read.
func (m *mailbox) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	m.filled.Broadcast()
	return nil
}
