package bridge

import (
	"fmt"
	"io"
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
	o := options
	o.Version = "0.1.0"
	o.Flags.Set = []string{"fetch.enabled=true", "measures.limits=net=2"} // so that there is something to fetch with, and to ask about
	// The page's agent folder is there, and nowhere near a real one.
	agent := filepath.ToSlash(t.TempDir())
	h := newHost(t, o)
	documented := map[string]bool{}
	said := ""
	for line := range strings.Lines(string(page)) {
		line = strings.TrimSuffix(line, "\n")
		if message, ok := strings.CutPrefix(line, "> "); ok {
			said = message
			fmt.Fprintln(h.conn, strings.ReplaceAll(said, `"/agent"`, `"`+agent+`"`))
		}
		if want, ok := strings.CutPrefix(line, "< "); ok {
			got, err := h.in.ReadString('\n')
			if err != nil {
				t.Fatalf("to   %s\n%v", said, err)
			}
			if got = strings.ReplaceAll(strings.TrimSuffix(got, "\n"), agent, "/agent"); got != want {
				t.Errorf("to   %s\ngot  %s\npage %s", said, got, want)
			}
		}
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			documented[heading] = true
		}
	}
	if rest, err := io.ReadAll(h.in); err != nil || len(rest) > 0 {
		t.Errorf("the page does not have %s (%v)", rest, err)
	}
	for name := range methods {
		if !documented[name] {
			t.Errorf("%s has no section", name)
		}
	}
}
