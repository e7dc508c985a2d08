package bridge

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The examples of PROTOCOL.md, played as one session.
func TestTheExamplesOfTheProtocolPageAreTrue(t *testing.T) {
	page, err := os.ReadFile("PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	var host, want []string
	documented := map[string]bool{}
	for line := range strings.Lines(string(page)) {
		line = strings.TrimSuffix(line, "\n")
		if said, ok := strings.CutPrefix(line, "> "); ok {
			host = append(host, said)
		}
		if answered, ok := strings.CutPrefix(line, "< "); ok {
			want = append(want, answered)
		}
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			documented[heading] = true
		}
	}
	o := options
	o.Version = "0.1.0"
	o.Flags.Set = []string{"measures.limits=net=2"} // so that there is something to ask about
	// The page's agent folder is there, and nowhere near a real one.
	agent := filepath.ToSlash(t.TempDir())
	var got []string
	for _, answer := range serve(t, strings.NewReader(strings.ReplaceAll(strings.Join(host, "\n")+"\n", `"/agent"`, `"`+agent+`"`)), o) {
		got = append(got, strings.ReplaceAll(answer, agent, "/agent"))
	}
	if len(got) != len(want) {
		t.Fatalf("%d answers, the page has %d", len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("to   %s\ngot  %s\npage %s", host[i], got[i], want[i])
		}
	}
	for name := range methods {
		if !documented[name] {
			t.Errorf("%s has no section", name)
		}
	}
}
