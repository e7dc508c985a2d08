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

// Results of many kinds, as far as noise is concerned.
var benchLines = []struct{ name, line string }{
	{"search", "./parser/file.go:127: func ParseThing(s string) error {\n"},
	{"log", "2026-01-02T03:04:05.678Z [4711] GET /index.html 200 in 12.5ms\n"},
	{"code", "\tif err := parse(tokens[i:], 42); err != nil { // \"quoted\"\n"},
	{"prose", "The parser reads one statement at a time, and the next one after it.\n"},
}

var benchSizes = []struct {
	name  string
	bytes int
}{{"1KB", 1 << 10}, {"64KB", 64 << 10}, {"1MB", 1 << 20}}

func BenchmarkQuiet(b *testing.B) {
	for _, kind := range benchLines {
		for _, size := range benchSizes {
			b.Run(kind.name+"/"+size.name, func(b *testing.B) {
				text := []byte(strings.Repeat(kind.line, 1+size.bytes/len(kind.line))[:size.bytes])
				var out []byte
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					out = AppendQuiet(out[:0], text)
				}
			})
		}
	}
}

func BenchmarkFingerprints(b *testing.B) {
	for _, size := range benchSizes {
		for _, kind := range benchLines[:2] {
			b.Run(kind.name+"/"+size.name, func(b *testing.B) {
				text := []byte(strings.Repeat(kind.line, 1+size.bytes/len(kind.line))[:size.bytes])
				blocks := []Block{{Data: text}}
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					exact, quiet := ResultFingerprints(Ran, false, blocks)
					if UnnumberedFingerprint(quiet, false, blocks) == exact {
						b.Fatal("the sums of different texts are the same")
					}
				}
			})
		}
	}
}
