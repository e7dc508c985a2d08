package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/loopbreaker/loopbreaker/canonical"
	"github.com/loopbreaker/loopbreaker/guard"
)

// reference plays a Pi session file as plainly as can be: all of it in memory,
// encoding/json, and a guard without a wire. What it decides, the lab must decide.
type reference struct {
	guard   *guard.Session
	calls   []*referenceCall // of the turn
	results []referenceResult
	pending map[string]bool
	over    bool
	said    []*referenceCall // all calls
}

type referenceEntry struct {
	Type     string
	ID       string
	ParentID string
	Message  struct {
		Role        string
		Content     json.RawMessage
		ToolCallID  string
		IsError     bool
		Details     map[string]json.RawMessage
		NestedCalls struct{ Calls []referenceNested }
	}
}

type referenceNested struct {
	ID, Name, Status, Error string
	Arguments               json.RawMessage
}

type referenceCall struct {
	ID, Name  string
	Arguments json.RawMessage
	fate      Fate
	said      []string
	ends      bool
	result    *referenceResult
}

type referenceResult struct {
	id                          string
	isError, withheld, rejected bool
	unknown                     bool
	text                        string
	blocks                      []canonical.Block
	nested                      []referenceNested
}

// playReference returns a line a call: its tool, what became of it, what was said.
func playReference(t *testing.T, text []byte, policy guard.Policy) (lines []string) {
	t.Helper()
	var entries []referenceEntry
	byID := map[string]referenceEntry{}
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var e referenceEntry
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		entries = append(entries, e)
		byID[e.ID] = e
	}
	var branch []referenceEntry
	last := len(entries) - 1
	for entries[last].ID == "" && last > 0 {
		last--
	}
	for e := entries[last]; e.ParentID != ""; e = byID[e.ParentID] {
		branch = append(branch, e)
	}
	slices.Reverse(branch)
	if len(branch) == 0 { // an old file, without a tree
		branch = entries
	}

	r := &reference{guard: guard.NewSession(policy), pending: map[string]bool{}}
	for _, e := range branch {
		switch m := e.Message; {
		case e.Type == "compaction":
			r.endTurn()
			r.guard.Compact()
		case e.Type != "message":
		case m.Role == "user":
			r.endTurn()
			r.guard.Prompt()
		case m.Role == "assistant":
			r.endTurn()
			r.guard.TurnStart()
			var parts []struct {
				Type, ID, Name string
				Arguments      json.RawMessage
			}
			_ = json.Unmarshal(m.Content, &parts) // plain text has no calls
			for _, p := range parts {
				if p.Type == "toolCall" {
					r.calls = append(r.calls, &referenceCall{ID: p.ID, Name: p.Name, Arguments: p.Arguments})
				}
			}
		case m.Role == "toolResult":
			result := referenceResult{id: m.ToolCallID, isError: m.IsError, withheld: m.Details["loopbreaker"] != nil, nested: m.NestedCalls.Calls}
			var blocks []struct{ Type, Text, Data, MimeType string }
			if err := json.Unmarshal(m.Content, &blocks); err != nil {
				t.Fatal(err)
			}
			for i, b := range blocks {
				if i == 0 {
					result.text = b.Text
				}
				switch b.Type {
				case "text":
					result.blocks = append(result.blocks, canonical.Block{Data: []byte(b.Text)})
				case "image":
					result.blocks = append(result.blocks, canonical.Block{MediaType: b.MimeType, Data: []byte(b.Data)})
				}
			}
			result.rejected = m.IsError && guard.RejectedByHost(result.text)
			r.results = append(r.results, result)
		}
	}
	r.endTurn()
	for i, c := range r.said {
		lines = append(lines, fmt.Sprintf("%d %s %s %q", i+1, c.Name, c.fate, c.said))
	}
	return lines
}

func (r *reference) endTurn() {
	calls, results := r.calls, r.results
	r.calls, r.results = nil, nil
	for _, c := range calls {
		for i := range results {
			if results[i].id == c.ID {
				c.result = &results[i]
			}
		}
		r.call(c)
	}
	ends := len(calls) > 0
	for _, c := range calls {
		ends = ends && c.ends
	}
	all := calls
	for i := range results {
		var parent *referenceCall
		for _, c := range calls {
			if c.ID == results[i].id {
				parent = c
			}
		}
		all = append(all, r.nested(parent, results[i].id, results[i].nested)...)
		r.result(parent, &results[i])
	}
	if len(all) == 0 || r.over {
		return
	}
	last := all[len(all)-1]
	d := r.guard.TurnEnd()
	if d.Steer != "" {
		last.said = append(last.said, d.Steer)
	}
	if d.Abort != nil {
		last.said = append(last.said, d.Abort.Told)
	}
	r.over = d.Abort != nil || ends
}

// nested plays those of the recorded calls that parent made, and theirs.
func (r *reference) nested(parent *referenceCall, id string, recorded []referenceNested) (all []*referenceCall) {
	for _, n := range recorded {
		if n.ID[:strings.LastIndex(n.ID, "/")] != id {
			continue
		}
		c := &referenceCall{ID: n.ID, Name: n.Name, Arguments: n.Arguments}
		c.result = &referenceResult{
			id: n.ID, isError: n.Status == "error", text: n.Error, blocks: []canonical.Block{{Data: []byte(n.Error)}},
			rejected: guard.RejectedByHost(n.Error), withheld: guard.RefusedByGuard(n.Error),
			unknown: n.Error == "" || len(utf16.Encode([]rune(n.Error))) >= 500,
		}
		if parent != nil && parent.fate != Ran {
			c.fate = Saved
			r.said = append(r.said, c)
		} else {
			r.call(c)
		}
		all = append(append(all, c), r.nested(c, n.ID, recorded)...)
		if n.Status != "unfinished" {
			r.result(c, c.result)
		}
	}
	return all
}

func (r *reference) call(c *referenceCall) {
	r.said = append(r.said, c)
	switch {
	case r.over:
		c.fate = Saved
		return
	case c.result != nil && c.result.rejected:
		c.fate = Rejected
		return
	}
	c.fate = Ran
	d, _ := r.guard.Call(guard.Call{ID: c.ID, Tool: c.Name, Input: c.Arguments, Uncountable: c.Arguments == nil})
	if d.Block {
		c.fate, c.ends, c.said = Refused, d.Terminate, []string{d.Reason}
		return
	}
	r.pending[c.ID] = true
}

func (r *reference) result(c *referenceCall, result *referenceResult) {
	var d guard.Decision
	switch ran := r.pending[result.id]; {
	case r.over:
		return
	case ran:
		delete(r.pending, result.id)
		if result.withheld {
			return
		}
		d = r.guard.Result(guard.Result{ID: result.id, IsError: result.isError, Content: result.blocks, Uncountable: result.unknown})
	case c != nil && c.fate == Rejected:
		d = r.guard.Rejected(guard.Rejection{Call: guard.Call{ID: c.ID, Tool: c.Name, Input: c.Arguments}, Text: result.text})
	default:
		return
	}
	if c != nil && d.Note != "" {
		c.said = append(c.said, d.Note)
	}
}

func TestTheLabDecidesAsAPlainReaderDoes(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(paths) == 0 {
		t.Fatal("no testdata", err)
	}
	refused := map[string]bool{}
	if folder := os.Getenv("LOOPBREAKER_SESSIONS"); folder != "" { // as scripts/bench has it
		more, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
		if err != nil || len(more) == 0 {
			t.Fatalf("no sessions in %s: %v", folder, err)
		}
		paths = append(paths, more...)
	}
	for _, path := range append(paths, recordedPiSessions(t)...) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, preset := range guard.Presets() {
			want := playReference(t, text, preset.Policy)
			var got []string
			l := Lab{Options: under(preset.Name), Watch: func(_ *Session, _ string, s Step) {
				got = append(got, fmt.Sprintf("%d %s %s %q", s.Number, s.Tool, s.Fate, s.Said))
				refused[preset.Name] = refused[preset.Name] || s.Fate == Refused
			}}
			l.Play(context.Background(), []File{InMemory(path, text)}, func(p Played) {
				if len(p.Faults) > 0 {
					t.Errorf("%s: %q", preset.Name, p.Faults)
				}
			})
			if !slices.Equal(got, want) {
				i := 0
				for i < min(len(got), len(want)) && got[i] == want[i] {
					i++
				}
				t.Errorf("%s under %s: %d calls, want %d; the first to differ is\n%.300s\nwant\n%.300s", path, preset.Name, len(got), len(want), strings.Join(got[i:], "\n"), strings.Join(want[i:], "\n"))
			}
		}
	}
	for _, preset := range guard.PresetNames() {
		if !refused[preset] {
			t.Errorf("under %s nothing was refused, and so little was compared", preset)
		}
	}
}

// recordedPiSessions unpacks the recordings of Pi, where they are at hand.
func recordedPiSessions(t *testing.T) (paths []string) {
	t.Helper()
	archive, err := filepath.Abs(filepath.Join(recordingsFolder(), "recordings.tar.xz"))
	if err != nil {
		t.Fatal(err)
	}
	unpacked := t.TempDir()
	if err := exec.Command("tar", "-xf", archive, "-C", unpacked, "pi-sessions").Run(); err != nil {
		t.Log("without recordings: ", err)
	}
	for _, pattern := range []string{filepath.Join(unpacked, "pi-sessions", "*.jsonl"), filepath.Join(recordingsFolder(), "pi-samples", "*.jsonl")} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, found...)
	}
	return paths
}
