package replay

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loopbreaker/loopbreaker/guard"
)

func TestWhatWasWrittenIsPlayed(t *testing.T) {
	degenerate := strings.Repeat("I will look at the file. ", 500)
	user := entryOf("u", "", `{"role":"user","content":"go"}`)
	file := func(content string) string {
		return strings.Join([]string{header, user, entryOf("a", "u", `{"role":"assistant","content":[`+content+`]}`)}, "\n")
	}
	stream := func(content string) string {
		return `{"type":"agent_start"}` + "\n" + `{"type":"turn_start"}` + "\n" + `{"type":"message_end","message":{"role":"assistant","content":[` + content + `]}}`
	}
	scenario := func(event string) string {
		return `{"id":"s","expect":"abort","by":null,"events":[{"ev":"user"},{"ev":"turn"},` + event + `]}`
	}
	for name, test := range map[string]struct {
		text string
		ends bool
	}{
		"a text of a session file":           {file(fmt.Sprintf(`{"type":"text","text":%q}`, degenerate)), true},
		"a thought of a session file":        {file(fmt.Sprintf(`{"type":"thinking","thinking":%q}`, degenerate)), true},
		"arguments of a session file":        {file(fmt.Sprintf(`{"type":"toolCall","id":"1","name":"bash","arguments":{"command":%q}}`, degenerate)), true},
		"a short text of a session file":     {file(`{"type":"text","text":"I will look at the file. I will look at the file."}`), false},
		"a signature of a session file":      {file(fmt.Sprintf(`{"type":"thinking","thinking":"hm","thinkingSignature":%q}`, degenerate)), false},
		"a text of a stream":                 {stream(fmt.Sprintf(`{"type":"text","text":%q}`, degenerate)), true},
		"a text that is no text":             {file(`{"type":"text","text":7},{"type":"thinking"},{"type":"toolCall","id":"1","name":"bash"}`), false},
		"a text of a scenario":               {scenario(fmt.Sprintf(`{"ev":"text","text":%q}`, degenerate)), true},
		"a thought of a scenario":            {scenario(fmt.Sprintf(`{"ev":"thinking","text":%q}`, degenerate)), true},
		"a text of a scenario, without text": {scenario(`{"ev":"text"}`), false},
	} {
		outcomes, faults := lab(t, Lab{Options: under("default")}, InMemory(name, []byte(test.text+"\n")))
		if len(faults) > 0 || len(outcomes) != 1 {
			t.Errorf("%s: %+v, %q", name, outcomes, faults)
			continue
		}
		if (outcomes[0].EndedAt != nil) != test.ends {
			t.Errorf("%s: %+v", name, outcomes[0])
		}
	}
}

// Every text, thought and argument of the recorded Pi sessions, under the text rule
// alone. Two responses are cut, of sessions that went well for all that: they repeat
// 259 bytes 209 times and 2,866 bytes 15 times, until the context overflows. The
// system `turns` cuts the same two.
func TestNothingButLoopsIsCutInTheRecordings(t *testing.T) {
	unpacked := recordings(t, "pi-sessions", "pi-json-streams")
	p, _ := guard.FindPreset("default")
	ours := []string{"text.guard=true"}
	for name, n := range map[string]int{
		"prose": p.Policy.Text.Prose, "lines": p.Policy.Text.Lines, "mixed": p.Policy.Text.Mixed, "data": p.Policy.Text.Data, "marks": p.Policy.Text.Marks,
		"counting": p.Policy.Text.Counting, "lists": p.Policy.Text.Lists, "arguments": p.Policy.Text.Arguments,
	} {
		ours = append(ours, fmt.Sprintf("text.%s=%d", name, n))
	}
	for name, set := range map[string][]string{
		"default": append(ours, "window.block=0"),
		"turns":   {"window.block=0", "text.guard=true", "text.minUnit=24", "text.minRepeats=8"},
	} {
		outcomes, faults := lab(t, Lab{Options: under("window", set...), Workers: 2}, Files(context.Background(), []string{filepath.Join(unpacked, "pi-sessions"), filepath.Join(unpacked, "pi-json-streams")}, nil)...)
		var cut []string
		for _, o := range outcomes {
			if o.EndedAt != nil {
				cut = append(cut, o.Name[strings.LastIndex(o.Name, "-")+1:])
			}
		}
		slices.Sort(cut)
		if len(outcomes) != 33 || len(faults) > 0 || !slices.Equal(cut, []string{"r4", "r5"}) {
			t.Errorf("%s: of %d sessions, %q are cut; %q", name, len(outcomes), cut, faults)
		}
	}
}

func TestTheScenariosOfText(t *testing.T) {
	path := filepath.Join(recordingsFolder(), "..", "scenarios", "scenarios.jsonl")
	if _, err := os.Stat(path); err != nil {
		t.Skip(err)
	}
	want := map[string]bool{"pi9104-sentence-loop": true, "omp12525-punctuation-run": true, "omp10569-short-word-loop": true, "omp11129-table-and-json-answer": false}
	for _, preset := range []string{"default", "turns"} {
		outcomes, _ := lab(t, Lab{Options: under(preset)}, Files(context.Background(), []string{path}, nil)...)
		seen := 0
		for _, o := range outcomes {
			if ends, ok := want[o.Name]; ok {
				seen++
				if (o.EndedAt != nil) != ends || ends && !o.meets() {
					t.Errorf("%s, %s: %+v", preset, o.Name, o)
				}
			}
		}
		if seen != len(want) {
			t.Errorf("%s: %d of the cases are there", preset, seen)
		}
	}
}
