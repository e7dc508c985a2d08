package bridge

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"testing"
)

// host talks with a guard step by step.
type host struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
	id   int
	done chan struct{} // closed when Serve has returned
}

func newHost(t *testing.T, o Options) *host {
	t.Helper()
	conn, end := net.Pipe()
	served, done := make(chan error, 1), make(chan struct{})
	go func() {
		served <- Serve(context.Background(), end, o)
		close(done)
	}()
	t.Cleanup(func() {
		conn.Close()
		if err := <-served; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return &host{t: t, conn: conn, in: bufio.NewReader(conn), done: done}
}

func (h *host) ask(method, params string, result any) {
	h.t.Helper()
	h.id++
	fmt.Fprintf(h.conn, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", h.id, method, params)
	line, err := h.in.ReadString('\n')
	if err != nil {
		h.t.Fatal(err)
	}
	if err := json.Unmarshal(read(h.t, line).Result, result); err != nil {
		h.t.Fatalf("%s: %s", method, line)
	}
}

func (h *host) open(params string) (r InitializeResult) {
	h.t.Helper()
	h.ask(MethodInitialize, params, &r)
	return r
}

// call makes the same call each time.
func (h *host) call() (d Decision) {
	h.t.Helper()
	h.ask(MethodToolCall, `{"toolCallId":"1","toolName":"bash","input":{"command":"ls"}}`, &d)
	return d
}
