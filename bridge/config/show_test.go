package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// odd has one of everything that a table may show.
func odd(t *testing.T) (host, *Config) {
	h := newHost(t)
	h.write(h.userFile(), `{"preset":"streak","streak":{"ignoreTools":["tödo","b\u0007sh"]},"turns":{"wran":1}}`)
	return h, Load(Sources{AgentDir: h.agent, Environ: []string{"LOOPBREAKER_LADDER_TERMINATE=on"}, Flags: Flags{Set: []string{"streak.block=2"}}})
}

func TestTable(t *testing.T) {
	h, c := odd(t)
	var out bytes.Buffer
	if err := c.Table(&out, false); err != nil {
		t.Fatal(err)
	}
	got := h.named(out.String())
	for _, line := range []string{
		"setting  value  from\n",
		"preset  streak  USER\n",
		"enabled  true  default\n",
		"window.block  0 (off)  preset streak\n",
		"streak.warn  0 (off)  contradiction\n",
		"streak.ignoreTools  \"tödo, b\\ash\"  USER\n",
		"measures.limits  none  preset streak\n",
		"measures.failLimit  null (off)  preset streak\n",
		"measures.hostAliases  open-data.canada.ca=open.canada.ca  preset streak\n  www.open-data.canada.ca=open.canada.ca\n",
		"ladder.refusals  3  preset streak\n",
		"ladder.terminate  true  LOOPBREAKER_LADDER_TERMINATE\n",
		"\nproblems\n" +
			"USER: turns.wran is not a setting.\n" +
			"flag: --set streak.block is 2 but must be above streak.warn, which is 3 (preset streak); the streak rule is off.\n",
	} {
		if !strings.Contains(regexp.MustCompile(" {2,}").ReplaceAllString(got, "  "), line) {
			t.Errorf("%q is not in\n%s", line, got)
		}
	}
	lines := strings.Split(got, "\n")
	at := strings.Index(lines[0], "from")
	for i, s := range c.Settings() {
		if _, table := s.Value.(map[string]any); table {
			break // whose rows are as long as they must be
		}
		if row := []rune(lines[i+1]); string(row[at-2:at]) != "  " || row[at] == ' ' {
			t.Errorf("%q is out of line", lines[i+1])
		}
	}
	more := 0
	for _, s := range c.Settings() {
		if table, ok := s.Value.(map[string]any); ok {
			more += max(0, len(table)-1)
		}
	}
	if len(lines) != 1+len(settings)+more+2+len(c.Problems)+1 {
		t.Errorf("%d lines", len(lines))
	}

	var colours bytes.Buffer
	if err := c.Table(&colours, true); err != nil {
		t.Fatal(err)
	}
	bare := strings.NewReplacer(bold, "", faint, "", yellow, "", normal, "").Replace(colours.String())
	if bare != out.String() {
		t.Errorf("with colours it says something else:\n%s", bare)
	}
	for _, painted := range []string{bold + "setting ", faint + "enabled ", "\npreset ", yellow + "streak.warn ", yellow + h.userFile() + ": "} {
		if !strings.Contains(colours.String(), painted) {
			t.Errorf("%q is not in\n%q", painted, colours.String())
		}
	}

	out.Reset()
	if err := Load(Sources{}).Table(&out, false); err != nil || strings.Contains(out.String(), "problems") || !strings.Contains(out.String(), " none ") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

func TestWriteJSON(t *testing.T) {
	h, c := odd(t)
	var out bytes.Buffer
	if err := c.WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Settings []struct {
			Path  string
			Value any
			From  string
		}
		Problems []map[string]string
	}
	dec := json.NewDecoder(&out)
	dec.UseNumber()
	if err := dec.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if len(got.Settings) != len(settings) {
		t.Errorf("%d settings", len(got.Settings))
	}
	for i, s := range c.Settings() {
		g := got.Settings[i]
		if g.Path != s.Path || g.From != s.From || fmt.Sprint(g.Value) != fmt.Sprint(s.Value) {
			t.Errorf("%+v is written as %+v", s, g)
		}
	}
	if want := []map[string]string{
		{"origin": h.userFile(), "path": "turns.wran", "reason": "is not a setting", "text": c.Problems[0].String()},
		{"origin": "flag", "path": "--set streak.block", "value": "2", "reason": c.Problems[1].Reason, "text": c.Problems[1].String()},
	}; !reflect.DeepEqual(got.Problems, want) {
		t.Errorf("%v", got.Problems)
	}

	out.Reset()
	if err := Load(Sources{}).WriteJSON(&out); err != nil || !strings.Contains(out.String(), `"problems": []`) {
		t.Errorf("%v\n%s", err, out.String())
	}
	out.Reset()
	if err := Load(Sources{Flags: Flags{Config: "no\xff"}}).WriteJSON(&out); err != nil || !json.Valid(out.Bytes()) {
		t.Errorf("a path that is not UTF-8: %v", err)
	}
}

// closed takes nothing.
type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestAWriteThatFailsIsTold(t *testing.T) {
	c := Load(Sources{})
	if err := c.Table(closed{}, true); !errors.Is(err, os.ErrClosed) {
		t.Errorf("table: %v", err)
	}
	if err := c.WriteJSON(closed{}); !errors.Is(err, os.ErrClosed) {
		t.Errorf("json: %v", err)
	}
}

func Example() {
	folder, err := os.MkdirTemp("", "loopbreaker-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "guard.json")
	if err := os.WriteFile(file, []byte(`{"preset": "streak", "streak": {"warn": 4, "blokc": 8}}`), 0o600); err != nil {
		panic(err)
	}

	c := Load(Sources{
		Environ: []string{"LOOPBREAKER_STREAK_BLOCK=7"},
		Flags:   Flags{Config: file},
	})
	fmt.Println(c.Preset, c.Policy.Streak.Warn, c.Policy.Streak.Block, c.Policy.Ladder.Refusals, c.Changed())
	for _, p := range c.Problems {
		fmt.Println(filepath.Base(p.Origin), p.Path, p.Reason)
	}
	// Output:
	// streak 4 7 3 false
	// guard.json streak.blokc is not a setting (did you mean streak.block?)
}
