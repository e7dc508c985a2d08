package bridge

import (
	"io"
	"strings"
	"testing"

	"github.com/sourcegraph/jsonrpc2"
)

// endless reads one line for ever.
type endless struct {
	line string
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.line[e.at:])
	if e.at += n; e.at == len(e.line) {
		e.at = 0
	}
	return n, nil
}

func (e *endless) Write(p []byte) (int, error) { return len(p), nil }
func (e *endless) Close() error                { return nil }

var _ io.ReadWriteCloser = (*endless)(nil)

// BenchmarkReadObject reads messages as hosts write them, and one that they do not.
func BenchmarkReadObject(b *testing.B) {
	for _, c := range []struct{ name, line string }{
		{"call", `{"jsonrpc":"2.0","id":7,"method":"tool/call","params":{"toolCallId":"call_1","toolName":"bash","input":{"command":"go test ./... 2>&1 | tail -30"}}}`},
		{"result", `{"jsonrpc":"2.0","id":7,"method":"tool/result","params":{"toolCallId":"call_1","isError":false,"content":[{"type":"text","text":"` + strings.Repeat(`src/a.go:12:\tfunc a() {\n`, 50) + `"}]}}`},
		{"delta", `{"jsonrpc":"2.0","method":"stream/delta","params":{"channel":"text","block":0,"text":"` + strings.Repeat("some words ", 100) + `"}}`},
		{"turn", `{"jsonrpc":"2.0","method":"turn/start","params":{}}`},
		{"call_1MB", `{"jsonrpc":"2.0","id":7,"method":"tool/call","params":{"toolCallId":"call_1","toolName":"bash","input":{"a":[` + strings.Repeat(`{"k":"v","n":12},`, 60_000) + `0]}}}`},
		{"odd", `{"jsonrpc":"2.0","id":7,"odd":true,"method":"tool/call","params":{"toolCallId":"call_1","toolName":"bash","input":{}}}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := newStream(&endless{line: c.line + "\n"}, nil, options.Log)
			b.SetBytes(int64(len(c.line)))
			b.ReportAllocs()
			for b.Loop() {
				var message jsonrpc2.Request
				if err := s.ReadObject(&message); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkAnswer reads calls and results and answers them, whole and with long texts
// taken out.
func BenchmarkAnswer(b *testing.B) {
	edge := strings.Repeat(`some \"words\", `, 16)
	elided := func(at string) string {
		return `"elided":[{"at":"` + at + `","sha256":"` + strings.Repeat("ab", 32) + `","length":100000,"head":"` + edge + `","tail":"` + edge + `"}],`
	}
	for _, c := range []struct{ name, call, result string }{
		{"whole", `"input":{"path":"a"}`, `"content":[{"type":"text","text":"` + strings.Repeat(`some \"words\", `, 32) + `"}]`},
		{"elided", elided("/content") + `"input":{"path":"a","content":null}`, elided("/0/text") + `"content":[{"type":"text","text":null}]`},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := newStream(&endless{line: `{"jsonrpc":"2.0","method":"prompt"}` + "\n" +
				`{"jsonrpc":"2.0","id":1,"method":"tool/call","params":{"toolCallId":"1","toolName":"write",` + c.call + `}}` + "\n" +
				`{"jsonrpc":"2.0","id":2,"method":"tool/result","params":{"toolCallId":"1","isError":false,` + c.result + `}}` + "\n"}, nil, options.Log)
			v := &server{Options: preset("default"), stream: s, problems: map[string]bool{}, runs: newRuns()}
			v.open(InitializeParams{})
			b.ReportAllocs()
			for b.Loop() {
				for range 3 {
					var message jsonrpc2.Request
					if err := s.ReadObject(&message); err != nil {
						b.Fatal(err)
					}
					if _, bad := v.answer(message.Method, s.params); bad != nil {
						b.Fatal(bad.message)
					}
				}
			}
		})
	}
}
