package replay

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Damaged files: what is sound in them is played, and what is not is told.

func TestDamagedPiSessions(t *testing.T) {
	sound := piSession(6) // 14 lines
	lines := strings.SplitAfter(sound, "\n")
	without := func(n int, instead string) string {
		changed := slices.Clone(lines)
		changed[n-1] = instead
		return strings.Join(changed, "")
	}
	for _, tt := range []struct {
		name, text string
		calls      string // of each session
		faults     []string
	}{
		{"a header without an end comes last", sound + header, "6 0", nil},
		{"no end of the last line", strings.TrimSuffix(sound, "\n"), "6", nil},
		{"a blank last line", sound + "\n", "6", nil},
		{"half a last line", sound + `{"type":"mess`, "6", []string{"s.jsonl: line 15: not valid JSON"}},
		{"a broken line between", without(7, "{\"type\":\"message\",\n"), "5", []string{"s.jsonl: line 7: not valid JSON"}},
		{"a broken first line", without(1, "{\"type\":\"sess\n"), "6", []string{"s.jsonl: line 1: not valid JSON"}},
		{"blanks in the header", strings.Replace(sound+sound, `{"type":"session"`, `{ "type" : "session" `, -1), "6 6", nil},
		{"broken JSON in an input", strings.Replace(sound, `{"command":"ls"}`, `{"command":tru}`, 1), "6", []string{"s.jsonl: line 3: params: not valid JSON"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, faults := lab(t, Lab{Options: under("window")}, InMemory("s.jsonl", []byte(tt.text)))
			var calls []string
			for _, o := range got {
				calls = append(calls, fmt.Sprint(o.Calls))
			}
			if strings.Join(calls, " ") != tt.calls || !slices.Equal(faults, tt.faults) {
				t.Errorf("calls %s, want %s; %q, want %q", calls, tt.calls, faults, tt.faults)
			}
		})
	}
}

func TestLinksAndPipesAreFollowed(t *testing.T) {
	folder, elsewhere := t.TempDir(), t.TempDir()
	target := filepath.Join(elsewhere, "target.jsonl")
	if err := os.WriteFile(target, []byte(recording(6)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, filepath.Join(folder, "link.jsonl")); err != nil {
		t.Skip(err)
	}
	got, faults := lab(t, Lab{Options: under("window")}, Files(context.Background(), []string{folder}, nil)...)
	if len(got) != 1 || got[0].Blocked != 1 || len(faults) > 0 {
		t.Errorf("%+v, %q", got, faults)
	}
}

func TestStdinThatNeverEndsIsGivenUp(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer out.Close()
	cancel()
	if _, faults := lab(t, Lab{Options: under("window")}, Files(ctx, []string{"-"}, in)...); len(faults) != 1 {
		t.Errorf("%q", faults)
	}
}

func TestLateResultsCount(t *testing.T) {
	var b strings.Builder
	for i := range 6 { // each result comes in the turn after its call's
		fmt.Fprintf(&b, `{"ev":"turn"}`+"\n"+`{"ev":"call","id":"%d","tool":"bash","input":{}}`+"\n", i)
		if i > 0 {
			fmt.Fprintf(&b, `{"ev":"result","id":"%d","isError":false,"text":"same"}`+"\n", i-1)
		}
	}
	got, faults := lab(t, Lab{Options: under("turns")}, InMemory("a.jsonl", []byte(b.String())))
	if len(faults) > 0 || got[0].FirstBlock == nil || *got[0].FirstBlock != 4 {
		t.Errorf("%+v, %q", got, faults)
	}
	changing := b.String()
	for i := range 6 {
		changing = strings.Replace(changing, `"text":"same"`, fmt.Sprintf(`"text":"%d"`, i), 1)
	}
	if got, _ := lab(t, Lab{Options: under("turns")}, InMemory("a.jsonl", []byte(changing))); got[0].Blocked > 0 {
		t.Errorf("results that change were not seen: %+v", got)
	}
}

func TestASessionThatIsCutShortDoesNotCount(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	l := Lab{Options: under("window"), Watch: func(_ *Session, _ string, s Step) {
		if s.Number == 3 {
			cancel()
		}
	}}
	var faults []string
	l.Play(ctx, []File{InMemory("a.jsonl", []byte(recording(100)))}, func(p Played) {
		if p.Outcome.Name != "" {
			t.Errorf("counted: %+v", p.Outcome)
		}
		faults = append(faults, p.Faults...)
	})
	if len(faults) != 1 || !strings.Contains(faults[0], "interrupted") {
		t.Errorf("%q", faults)
	}
}

func TestRecordedTextDoesNotSteerATerminal(t *testing.T) {
	hostile := "ba\x1b]0;pwn\x07\x1b[2J\u202e\n"
	var out, err bytes.Buffer
	r := Report{Out: &out, Err: &err, Table: true}
	r.Take(Played{Outcome: Outcome{Name: hostile, Calls: 2, Worst: Worst{hostile, 2}}, Faults: []string{hostile}})
	ExplainAll(&out, 0)(&Session{Name: hostile}, "", Step{Number: 1, Tool: hostile, Input: []byte(hostile), Said: []string{hostile}})
	for _, text := range []string{out.String(), err.String()} {
		if strings.ContainsAny(text, "\x1b\x07\u202e") {
			t.Errorf("%q", text)
		}
	}
}

func TestWhatIsNotKnownIsNotScored(t *testing.T) {
	var s Score
	at := 4
	s.Take(Outcome{Name: "a", Label: "stuck", Calls: 8, Blocked: 1, FirstBlock: &at})
	if s.LoopCalls != 0 || s.RanInLoops != 0 || s.Delay != 0 || s.StuckForced != 1 {
		t.Errorf("%+v", s)
	}
	if (&Score{}).Right() != 0 {
		t.Error("nothing to judge is not all right")
	}
	_, faults := lab(t, Lab{Options: under("window")}, InMemory("s.jsonl", []byte(`{"id":"a","expect":"terminat","events":[]}`)))
	if len(faults) != 1 || !strings.Contains(faults[0], `"terminat" is none of abort, block, warn, allow`) {
		t.Errorf("%q", faults)
	}
}
