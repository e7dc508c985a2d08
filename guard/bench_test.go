package guard

import (
	"fmt"
	"testing"

	"github.com/loopbreaker/loopbreaker/canonical"
)

// A call as agents make it, and a result of a kilobyte.
var (
	benchCall = Call{ID: "1", Tool: "bash", Input: []byte(`{"command":"cd /work && grep -rn 'func Parse' --include='*.go' . | head -20","timeout":30,"description":"find the parser"}`)}
	benchText = func() (text []byte) {
		for i := range 20 {
			text = fmt.Appendf(text, "./internal/parser/file%d.go:%d:func ParseThing(s string) error {\n", i, i*17)
		}
		return text
	}()
)

// BenchmarkKey is what the other benchmarks are measured against.
func BenchmarkKey(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := canonical.CallKey(benchCall.Tool, benchCall.Input, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSession is a call and its result, with a full ledger: every call is
// another one, and has another result.
func BenchmarkSession(b *testing.B) {
	for _, p := range Presets() {
		for _, past := range []int{1_000, 100_000} {
			b.Run(fmt.Sprintf("%s/after%d", p.Name, past), func(b *testing.B) {
				s := NewSession(p.Policy)
				n := 0
				next := func() {
					n++
					if n%3 == 1 {
						s.TurnStart()
					}
					id := fmt.Sprint(n)
					s.Call(Call{ID: id, Tool: "bash", Input: fmt.Appendf(nil, `{"command":"cd /work && grep -rn 'func Parse%d' --include='*.go' . | head -20","timeout":30,"description":"find the parser"}`, n)})
					s.Result(Result{ID: id, Content: []canonical.Block{{Data: fmt.Appendf(nil, "%s%d", benchText, n)}}})
					if n%3 == 0 {
						s.TurnEnd()
					}
				}
				for range past {
					next()
				}
				b.ReportAllocs()
				for b.Loop() {
					next()
				}
			})
		}
	}
}

// BenchmarkTurn is a turn of one call and its result under default, of each kind of
// tool: every call is another one, and has another result.
func BenchmarkTurn(b *testing.B) {
	for _, kind := range []struct{ name, tool, input, result string }{
		{"shell", "bash", string(benchCall.Input[:len(benchCall.Input)-1]) + `,"n":%d}`, string(benchText) + "%d"},
		{"read", "read", `{"path":"internal/parser/file%d.go","offset":1,"limit":200}`, string(benchText) + "%d"},
		{"edit", "edit", `{"path":"internal/parser/file.go","oldText":"return nil // %d","newText":"return parse(s)"}`, "Applied 1 edit to internal/parser/file.go (%d)"},
		{"other", "jira_create", `{"title":"Fix the parser (%d)","project":"GO","labels":["bug","parser"]}`, `{"id":%d,"state":"open"}`},
	} {
		b.Run(kind.name, func(b *testing.B) {
			p, _ := FindPreset(DefaultPreset)
			s := NewSession(p.Policy)
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				s.TurnStart()
				s.Call(Call{ID: "1", Tool: kind.tool, Input: fmt.Appendf(nil, kind.input, n)})
				s.Result(Result{ID: "1", Content: []canonical.Block{{Data: fmt.Appendf(nil, kind.result, n)}}})
				s.TurnEnd()
			}
		})
	}
}
