package canonical

import (
	"fmt"
	"strings"
	"testing"
)

// Inputs as agents give them, small and large.
var benchInputs = []struct{ name, input string }{
	{"command", `{"command":"cd /src && grep -rn 'func Parse' --include='*.go' . | head -20","timeout":30,"description":"find the parser"}`},
	{"edit", `{"path":"main.go","oldText":"` + strings.Repeat(`if err != nil {\n\treturn err\n}\n`, 30) + `","newText":"` + strings.Repeat(`if err != nil {\n\treturn fmt.Errorf(\"reading: %w\", err)\n}\n`, 30) + `"}`},
	{"keys", benchKeys(40)},
	{"keys_1MB", benchKeys(16_000)},
	{"text_1MB", `{"path":"a","content":"` + strings.Repeat("a line of text, ", 1<<16) + `"}`},
}

// benchKeys is an object of so many small ones, none in order.
func benchKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"k%d":{"name":"item %d","id":%d,"done":%v,"size":%d.25}`, i*7919%99991, i, i*40503%65521, i%3 == 0, i)
	}
	return "{" + b.String()[1:] + "}"
}

func BenchmarkCallKey(b *testing.B) {
	for _, c := range benchInputs {
		b.Run(c.name, func(b *testing.B) {
			input := []byte(c.input)
			b.SetBytes(int64(len(input)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := CallKey("tool", input, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkPlainKey(b *testing.B) {
	var form Form
	for _, c := range benchInputs {
		b.Run(c.name, func(b *testing.B) {
			if err := form.Read("tool", []byte(c.input), nil); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(c.input)))
			b.ReportAllocs()
			for b.Loop() {
				form.PlainKey(ToolOther, nil)
			}
		})
	}
}

func BenchmarkFingerprints(b *testing.B) {
	for name, text := range map[string]string{
		"quiet": strings.Repeat("./parser/file.go: func ParseThing(s string) error {\n", 20),
		"noisy": strings.Repeat("2026-01-02T03:04:05.678Z [4711] GET / 200 in 12.5ms\n", 20),
	} {
		b.Run(name, func(b *testing.B) {
			blocks := []Block{{Data: []byte(text)}}
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				ResultFingerprints(Ran, false, blocks)
			}
		})
	}
}
