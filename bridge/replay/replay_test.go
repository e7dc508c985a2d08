package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/loopbreaker/loopbreaker/bridge"
	"github.com/loopbreaker/loopbreaker/bridge/config"
)

var options = bridge.Options{Flags: config.Flags{Preset: "window"}, Version: "test", Log: zerolog.Nop()}

// play plays one file and returns what was printed.
func play(t *testing.T, path, text string) (ok bool, out, faults string) {
	t.Helper()
	return playWith(t, options, path, text)
}

func playWith(t *testing.T, o bridge.Options, path, text string) (ok bool, out, faults string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	lab := Lab{Options: o, Workers: 1}
	lab.Play(context.Background(), []File{InMemory(path, []byte(text))}, func(p Played) {
		for _, fault := range p.Faults {
			stderr.WriteString(fault + "\n")
		}
		if p.Outcome.Name == "" {
			return
		}
		if err := WriteJSON(&stdout, p.Outcome); err != nil {
			t.Fatal(err)
		}
	})
	return stderr.Len() == 0, stdout.String(), stderr.String()
}

// The table of the system `window`: calls, refused, first refused.
var sixFixtures = map[string]string{
	"accepted-contract":  `"calls":5,"blocked":0,"firstBlock":null,"entries":0}`,
	"accepted-magicmock": `"calls":22,"blocked":0,"firstBlock":null,"entries":0}`,
	"anchor-mismatch":    `"calls":60,"blocked":46,"firstBlock":14,"entries":46}`,
	"edit-schema-retry":  `"calls":5,"blocked":0,"firstBlock":null,"entries":0}`,
	"healthy":            `"calls":6,"blocked":0,"firstBlock":null,"entries":0}`,
	"runaway":            `"calls":6,"blocked":1,"firstBlock":6,"entries":1}`,
}

func TestOurFixtures(t *testing.T) {
	paths, _ := filepath.Glob("../../fixtures/*.json")
	if len(paths) != len(sixFixtures) {
		t.Errorf("%d fixtures, want %d", len(paths), len(sixFixtures))
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		want := `{"name":"` + name + `",` + sixFixtures[name] + "\n"
		if ok, out, faults := play(t, path, string(text)); !ok || out != want || faults != "" {
			t.Errorf("%s: ok %v, printed %q and %q, want %q", path, ok, out, faults, want)
		}
	}
}

// The recordings that our fixtures are shaped after, where they are at hand.
// Two of them are older than the rule that firstBlock must be stated.
func TestTheRecordedOriginals(t *testing.T) {
	folder := recordingsFolder()
	paths, _ := filepath.Glob(filepath.Join(folder, "window", "*.json"))
	if len(paths) == 0 {
		t.Skip("no recordings in ", folder, "; LOOPBREAKER_RECORDINGS can name another folder")
	}
	undeclared := 0
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		ok, out, faults := play(t, path, string(text))
		want := ""
		for name, rest := range sixFixtures {
			if strings.Contains(path, name) {
				want = rest
			}
		}
		if !strings.HasSuffix(out, ","+want+"\n") {
			t.Errorf("%s: printed %q, want %s", path, out, want)
		}
		switch {
		case !ok && strings.Count(faults, "\n") == 1 && strings.Contains(faults, "expected.firstBlock: missing"):
			undeclared++
		case !ok:
			t.Errorf("%s: %s", path, faults)
		}
	}
	if undeclared != 2 {
		t.Errorf("%d recordings do not state firstBlock, want 2", undeclared)
	}
}

func TestFixturesAreReadStrictly(t *testing.T) {
	const good = `{"name":"n","source":"s","expected":{"blocked":0,"entries":0,"firstBlock":null},"calls":[{"toolName":"t","input":{}}]}`
	if ok, _, faults := play(t, "good", good); !ok {
		t.Fatal(faults)
	}
	for _, tt := range []struct{ old, new, fault string }{
		{`"name":"n"`, `"name":null`, "name: missing"},
		{`"name":"n"`, `"name":""`, "name: missing or empty"},
		{`"name":"n"`, `"name":5`, "name: wrong type, cannot be a number"},
		{`"source":"s",`, ``, "source: missing"},
		{`"source"`, `"sauce"`, "sauce: unknown field"},
		{`"calls":[{"toolName":"t","input":{}}]`, `"calls":[]`, "calls: missing or empty"},
		{`"toolName":"t",`, ``, "calls[0].toolName: missing"},
		{`"toolName":"t"`, `"toolName":null`, "calls[0].toolName: missing"},
		{`,"input":{}`, ``, "calls[0].input: missing"},
		{`"input":{}`, `"input":[]`, "calls[0].input: must be an object"},
		{`"input":{}`, `"input":{},"id":1`, "calls[0].id: unknown field"},
		{`"input":{}`, `"input":{},"input":{}`, "calls[0].input: stated twice"},
		{`,"firstBlock":null`, ``, "expected.firstBlock: missing; state null or a positive integer (observed: null)"},
		{`"firstBlock":null`, `"firstBlock":0`, "expected.firstBlock: 0 is neither null nor a positive integer"},
		{`"firstBlock":null`, `"firstBlock":1.5`, "expected.firstBlock: 1.5 is neither"},
		{`"firstBlock":null`, `"firstBlock":"1"`, `expected.firstBlock: "1" is neither`},
		{`"firstBlock":null`, `"firstBlock":1`, "expected.firstBlock: 1, observed: null"},
		{`"blocked":0,`, ``, "expected.blocked: missing"},
		{`"blocked":0`, `"blocked":1`, "expected.blocked: 1, observed: 0"},
		{`"entries":0`, `"entries":1`, "expected.entries: 1, observed: 0"},
		{`"entries":0`, `"entries":"0"`, "expected.entries: wrong type"},
		{`"expected"`, `"expect"`, "expect: unknown field"},
		{`}]}`, `}]`, "not valid JSON at byte"},
		{`{"name"`, `["name"`, "neither a fixture"},
	} {
		text := strings.Replace(good, tt.old, tt.new, 1)
		ok, _, faults := play(t, "a.json", text)
		if ok || !strings.HasPrefix(faults, "a.json: "+tt.fault) {
			t.Errorf("%s\n  gave ok %v, %q; want %q", text, ok, faults, tt.fault)
		}
	}
}

// record traces a session of six equal calls and some noise.
func record(t *testing.T) string {
	t.Helper()
	var trace bytes.Buffer
	o := options
	o.Trace = bridge.NewTrace(&trace, "")
	c := connect(context.Background(), o)
	if err := c.call(bridge.MethodInitialize, hello(), &bridge.InitializeResult{}); err != nil {
		t.Fatal(err)
	}
	if err := c.send([]byte("rubbish \xff")); err != nil {
		t.Fatal(err)
	}
	if _, err := c.receive(); err != nil {
		t.Fatal(err)
	}
	for range 6 {
		var d bridge.Decision
		if err := c.call(bridge.MethodToolCall, bridge.ToolCallParams{ToolCallID: "1", ToolName: "bash", Input: []byte(`{"command":"ls"}`)}, &d); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.call(bridge.MethodShutdown, struct{}{}, &struct{}{}); err != nil {
		t.Fatal(err)
	}
	if err := c.close(); err != nil {
		t.Fatal(err)
	}
	return trace.String()
}

func TestATraceReplays(t *testing.T) {
	trace := record(t)
	const outcome = `"calls":6,"blocked":1,"firstBlock":6,"entries":1}` + "\n"

	ok, out, faults := play(t, "dir/demo.jsonl", trace)
	if !ok || out != `{"name":"demo",`+outcome || faults != "" {
		t.Errorf("ok %v, %q, %q", ok, out, faults)
	}
	// Two sessions in one file are two recordings.
	ok, out, faults = play(t, "demo.jsonl", trace+trace)
	if !ok || out != `{"name":"demo",`+outcome+`{"name":"demo#2",`+outcome || faults != "" {
		t.Errorf("two: ok %v, %q, %q", ok, out, faults)
	}
	// Two that were traced at the same time are told apart by their names.
	var mixed strings.Builder
	for line := range strings.Lines(trace) {
		mixed.WriteString(strings.Replace(line, `"from"`, `"session":"a","from"`, 1))
		mixed.WriteString(strings.Replace(line, `"from"`, `"session":"b","from"`, 1))
	}
	ok, out, faults = play(t, "demo.jsonl", mixed.String())
	if !ok || out != `{"name":"demo",`+outcome+`{"name":"demo#2",`+outcome || faults != "" {
		t.Errorf("mixed: ok %v, %q, %q", ok, out, faults)
	}
	// A host that died left no last answer.
	lines := strings.SplitAfter(trace, "\n")
	ok, _, faults = play(t, "demo.jsonl", strings.Join(lines[:len(lines)-4], ""))
	if !ok || faults != "" {
		t.Errorf("cut off: ok %v, %q", ok, faults)
	}
}

func TestATraceReplaysWithWhatItWasConfiguredWith(t *testing.T) {
	var trace bytes.Buffer
	o := bridge.Options{Flags: config.Flags{Preset: "turns", Set: []string{"turns.duplicates=2"}}, Trace: bridge.NewTrace(&trace, ""), Log: zerolog.Nop()}
	c := connect(context.Background(), o)
	if err := c.call(bridge.MethodInitialize, hello(), &bridge.InitializeResult{}); err != nil {
		t.Fatal(err)
	}
	if err := c.notify(bridge.MethodTurnStart); err != nil {
		t.Fatal(err)
	}
	for range 4 {
		err := c.call(bridge.MethodToolCall, bridge.ToolCallParams{ToolCallID: "1", ToolName: "bash", Input: []byte(`{"command":"ls"}`)}, &bridge.Decision{})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := c.close(); err != nil {
		t.Fatal(err)
	}
	again := func(flags config.Flags) (bool, string, string) {
		return playWith(t, bridge.Options{Flags: flags, Log: zerolog.Nop()}, "t.jsonl", trace.String())
	}
	if ok, out, faults := again(config.Flags{}); !ok || out != `{"name":"t","calls":4,"blocked":2,"firstBlock":3,"entries":2}`+"\n" {
		t.Errorf("as configured: ok %v, %s%s", ok, out, faults)
	}
	if ok, out, faults := again(config.Flags{Preset: "turns"}); ok || strings.Count(faults, "\n") != 3 {
		t.Errorf("with another setting: ok %v, %s%s", ok, out, faults)
	}
}

// What a person was told of the file a setting was saved in is no decision.
func TestATraceOfASavedSettingReplays(t *testing.T) {
	var trace bytes.Buffer
	c := connect(context.Background(), bridge.Options{Flags: config.Flags{Preset: "window"}, Trace: bridge.NewTrace(&trace, ""), Log: zerolog.Nop()})
	opened := hello()
	opened.AgentDir = t.TempDir()
	if err := c.call(bridge.MethodInitialize, opened, &bridge.InitializeResult{}); err != nil {
		t.Fatal(err)
	}
	var saved bridge.SettingsSetResult
	if err := c.call(bridge.MethodSettingsSet, bridge.SettingsSetParams{Path: "window.block", Value: []byte("2")}, &saved); err != nil || !saved.Saved {
		t.Fatalf("%v, %+v", err, saved)
	}
	if err := c.call(bridge.MethodCommand, bridge.CommandParams{Args: "settings"}, &bridge.CommandResult{}); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := c.call(bridge.MethodToolCall, bridge.ToolCallParams{ToolCallID: "1", ToolName: "bash", Input: []byte(`{"command":"ls"}`)}, &bridge.Decision{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.close(); err != nil {
		t.Fatal(err)
	}
	elsewhere := bridge.Options{NoFiles: true, Log: zerolog.Nop()}
	if ok, out, faults := playWith(t, elsewhere, "t.jsonl", trace.String()); !ok || faults != "" || !strings.Contains(out, `"blocked":1`) {
		t.Errorf("ok %v, %s%s", ok, out, faults)
	}
}

func TestATraceShowsWhatWouldNowDiffer(t *testing.T) {
	trace := record(t)
	for name, tt := range map[string]struct{ old, new, fault string }{
		"an admitted call":  {`"result":{"block":true`, `"result":{"nope":true`, "tool/call 7: traced {"},
		"another count":     {`"blockedSoFar":1`, `"blockedSoFar":2`, "tool/call 7: traced {"},
		"an error":          {`"id":4,"result":{}`, `"id":4,"error":{"code":-32603,"message":"internal error"}`, "tool/call 4: traced error -32603, now 0"},
		"an unknown member": {`"from":"guard"`, `"form":"guard"`, "line 2: form: unknown field"},
		"nobody's line":     {`"from":"host"`, `"from":"ghost"`, "line 1: from: must be"},
		"broken":            {`"message":{"jsonrpc":"2.0","id":2,`, `"message":{"jsonrpc":"2.0","id":2,,`, "line 5: not valid JSON"},
	} {
		broken := strings.Replace(trace, tt.old, tt.new, 1)
		if broken == trace {
			t.Fatalf("%s: nothing to replace", name)
		}
		ok, _, faults := play(t, "demo.jsonl", broken)
		if ok || !strings.HasPrefix(faults, "demo.jsonl: "+tt.fault) {
			t.Errorf("%s: ok %v, %q; want %q", name, ok, faults, tt.fault)
		}
	}
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte(`{"name":"n","source":"s","expected":{"blocked":0,"entries":0,"firstBlock":null},"calls":[{"toolName":"t","input":{}}]}`))
	f.Add([]byte(`{"at":"2026-01-02T03:04:05Z","from":"host","message":{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":1}}}`))
	f.Add([]byte(`{"type":"session","version":3,"id":"a","cwd":"/"}` + "\n" + `{"type":"message","id":"b","parentId":null,"message":{"role":"assistant","content":[{"type":"toolCall","id":"1","name":"bash","arguments":{"command":"ls"}}]}}`))
	f.Add([]byte(`{"type":"turn_start"}` + "\n" + `{"type":"tool_execution_start","toolCallId":"1","toolName":"bash","args":{}}`))
	f.Add([]byte(`{"ev":"turn"}` + "\n" + `{"ev":"call","id":"1","tool":"bash","input":{}}` + "\n" + `{"ev":"result","id":"1","isError":false,"text":"x"}`))
	f.Add([]byte(`{"id":"s","expect":"block","by":6,"events":[{"ev":"call","id":"1","tool":"bash","input":{},"invalid":true}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		lab := Lab{Options: options, Workers: 1}
		lab.Play(context.Background(), []File{InMemory("f", text)}, func(p Played) {
			var out bytes.Buffer
			if err := WriteJSON(&out, p.Outcome); err != nil || !json.Valid(out.Bytes()) {
				t.Fatalf("%+v: %v", p.Outcome, err)
			}
		})
	})
}
