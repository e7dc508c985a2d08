package replay

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestNestedCallsComeWhereTheyWereMade(t *testing.T) {
	record := func(calls ...string) string { return `{"complete":false,"calls":[` + strings.Join(calls, ",") + `]}` }
	call := func(id, more string) string {
		return fmt.Sprintf(`{"id":%q,"name":"bash","arguments":{},"durationMs":1,%s}`, id, more)
	}
	ok := `"status":"ok"`
	for _, tt := range []struct {
		name, record string
		want         []string
	}{
		{"one after the other", record(call("p/1", ok), call("p/2", ok)), []string{"call p/1 of p", "lost p/1", "call p/2 of p", "lost p/2"}},
		{"within one another", record(call("p/1", ok), call("p/1/1", ok), call("p/1/1/1", ok), call("p/1/2", ok), call("p/2", ok)), []string{
			"call p/1 of p", "call p/1/1 of p/1", "call p/1/1/1 of p/1/1", "lost p/1/1/1", "lost p/1/1", "call p/1/2 of p/1", "lost p/1/2", "lost p/1", "call p/2 of p", "lost p/2"}},
		{"without an end", record(call("p/1", `"status":"unfinished"`), call("p/2", ok)), []string{"call p/1 of p", "call p/2 of p", "lost p/2"}},
		{"that failed", record(call("p/1", `"status":"error","error":"exit \"1\""`)), []string{"call p/1 of p", `result p/1 [{"type":"text","text":"exit \"1\""}]`}},
		{"with a long error", record(call("p/1", `"status":"error","error":"`+strings.Repeat("x", 500)+`"`)), []string{"call p/1 of p", "lost p/1"}},
		{"that the host rejected", record(call("p/1", `"status":"error","error":"Tool bash not found"`)), []string{"call p/1 of p", `rejected p/1 [{"type":"text","text":"Tool bash not found"}]`}},
		{"that was refused", record(call("p/1", `"status":"error","error":"Loopbreaker refused this call: why"`)), []string{"call p/1 of p", `withheld p/1 [{"type":"text","text":"Loopbreaker refused this call: why"}]`}},
		{"with a long input", record(`{"id":"p/1","name":"write","argumentsBytes":9000,"status":"ok"}`), []string{"lost call p/1 of p", "lost p/1"}},
		{"by an id of another kind", record(call("x", ok)), []string{"call x of p", "lost x"}},
		{"of a host to come", `{"calls":[7,{"new":[]}],"new":1}`, nil},
		{"cut off", `{"calls":[` + call("p/1", ok) + `,{"id":"p/2"`, []string{"call p/1 of p", "lost p/1", "not valid JSON"}},
	} {
		var got []string
		_, fault := nestedCalls([]byte(tt.record), "p", 1, func(e Event) bool {
			switch {
			case e.Kind == KindCall && e.Lost:
				got = append(got, "lost call "+e.ID+" of "+e.Parent)
			case e.Kind == KindCall:
				got = append(got, "call "+e.ID+" of "+e.Parent)
			case e.Lost:
				got = append(got, "lost "+e.ID)
			case e.Rejected:
				got = append(got, "rejected "+e.ID+" "+string(e.Content))
			case e.Withheld:
				got = append(got, "withheld "+e.ID+" "+string(e.Content))
			default:
				got = append(got, "result "+e.ID+" "+string(e.Content))
			}
			return true
		})
		if fault != "" {
			got = append(got, fault)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestACallWithinARefusedOneNeverComes(t *testing.T) {
	var lines []string
	for i := range 3 {
		id := fmt.Sprint("c", i)
		nested := fmt.Sprintf(`,"nestedCalls":{"calls":[{"id":"%s/1","name":"bash","arguments":{"command":"%d"},"status":"ok"}],"complete":true}`, id, i)
		lines = append(lines, entryOf(fmt.Sprint("a", i), fmt.Sprint("r", i-1), assistant(id, "codemode", `{}`)), entryOf(fmt.Sprint("r", i), fmt.Sprint("a", i), toolResult(id, "x", false, nested)))
	}
	var fates []string
	l := Lab{Options: under("window", "window.block=2"), Watch: func(_ *Session, _ string, s Step) { fates = append(fates, s.Tool+" "+string(s.Fate)) }}
	got, faults := lab(t, l, InMemory("s.jsonl", []byte(header+"\n"+strings.Join(lines, "\n"))))
	want := []string{"codemode ran", "bash ran", "codemode ran", "bash ran", "codemode refused", "bash saved"}
	if !slices.Equal(fates, want) || len(faults) > 0 || len(got) != 1 || got[0].Calls != 6 || got[0].Ran != 4 || got[0].Lost != 2 {
		t.Errorf("%q, %+v, %q", fates, got, faults)
	}
}

// BenchmarkPiSession plays a session of two thousand calls whose results are
// a page of text each.
func BenchmarkPiSession(b *testing.B) {
	var text strings.Builder
	text.WriteString(header + "\n")
	page := strings.Repeat("\tif err != nil { return fmt.Errorf(\"reading: %w\", err) }\n", 40)
	for i := range 2000 {
		call, parent := fmt.Sprint("call", i), fmt.Sprint("r", i-1)
		text.WriteString(entryOf(fmt.Sprint("a", i), parent, assistant(call, "bash", fmt.Sprintf(`{"command":"cat %d"}`, i))) + "\n")
		text.WriteString(entryOf(fmt.Sprint("r", i), fmt.Sprint("a", i), toolResult(call, page, false, "")) + "\n")
	}
	file := InMemory("s.jsonl", []byte(text.String()))
	l := Lab{Options: under("")}
	b.SetBytes(file.Size)
	for b.Loop() {
		l.Play(b.Context(), []File{file}, func(p Played) {
			if p.Outcome.Calls != 2000 || len(p.Faults) > 0 {
				b.Fatalf("%+v", p)
			}
		})
	}
}
