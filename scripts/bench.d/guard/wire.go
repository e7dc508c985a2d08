package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"

	"github.com/rs/zerolog"

	"github.com/loopbreaker/loopbreaker/bridge"
)

// wire is a call and a result of n bytes together, as a host writes them, read and
// answered by the guard behind its wire.
func wire(n int) func() {
	text := func(n int) string {
		quoted, err := json.Marshal(varied(n))
		if err != nil {
			log.Fatal(err)
		}
		return string(quoted)
	}
	said := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":%d}}
{"jsonrpc":"2.0","id":2,"method":"tool/call","params":{"toolCallId":"1","toolName":"apply","input":{"text":%s}}}
{"jsonrpc":"2.0","id":3,"method":"tool/result","params":{"toolCallId":"1","isError":false,"content":[{"type":"text","text":%s}]}}
`, bridge.Protocol, text(n/2), text(n/2))
	return func() {
		host := &host{said: *bytes.NewReader(said)}
		if err := bridge.Serve(context.Background(), host, bridge.Options{NoFiles: true, Log: zerolog.Nop()}); err != nil {
			log.Fatal(err)
		}
		if host.answers != 3 {
			log.Fatalf("%d answers, want 3", host.answers)
		}
	}
}

// host has said all it has to say, and counts the answers.
type host struct {
	said    bytes.Reader
	answers int
}

func (h *host) Read(p []byte) (int, error) { return h.said.Read(p) }

func (h *host) Write(p []byte) (int, error) {
	h.answers += bytes.Count(p, []byte{'\n'})
	return len(p), nil
}

func (h *host) Close() error { return nil }

var _ io.ReadWriteCloser = (*host)(nil)
