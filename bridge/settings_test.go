package bridge

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/loopbreaker/loopbreaker/bridge/config"
)

// settled is a guard with a user's folder.
func settled(t *testing.T, o Options) (h *host, file string) {
	t.Helper()
	o.Log = zerolog.Nop()
	agent := t.TempDir()
	h = newHost(t, o)
	h.open(fmt.Sprintf(`{"protocol":1,"hasUI":true,"agentDir":%q}`, agent))
	return h, filepath.Join(agent, "extensions", "loopbreaker.json")
}

// calls makes the same call until one is refused, and returns how many ran.
func (h *host) calls(most int) int {
	for n := range most {
		if h.call().Block {
			return n
		}
	}
	return most
}

func (h *host) set(path, value string) (r SettingsSetResult) {
	h.t.Helper()
	if value != "" {
		value = `,"value":` + value
	}
	h.ask(MethodSettingsSet, fmt.Sprintf(`{"path":%q%s}`, path, value), &r)
	return r
}

func (h *host) command(args string) (r CommandResult) {
	h.t.Helper()
	h.ask(MethodCommand, fmt.Sprintf(`{"args":%q}`, args), &r)
	return r
}

func TestASettingHoldsFromTheNextCallOn(t *testing.T) {
	h, file := settled(t, Options{})
	if n := h.calls(3); n != 3 {
		t.Fatalf("%d calls ran", n)
	}
	if r := h.set("window.block", `3`); !r.Saved || r.Text != "window.block is 3 now. Saved in "+file+"." {
		t.Errorf("%+v", r)
	}
	if d := h.call(); !d.Block || d.Why.Count != 3 {
		t.Errorf("what was remembered does not count: %+v", d)
	}
	if r := h.set("window.block", ``); !r.Saved || !strings.HasPrefix(r.Text, "window.block is 5 now, from preset default. Saved in ") {
		t.Errorf("%+v", r)
	}
	if n := h.calls(9); n != 2 {
		t.Errorf("%d more calls ran", n)
	}
}

func TestASettingThatIsRefusedChangesNothing(t *testing.T) {
	h, file := settled(t, Options{})
	for _, tt := range []struct{ path, value, want string }{
		{"window.block", `"x"`, `Not saved: window.block is "x" but must be an integer from 0 (off) to 1000.`},
		{"window.blok", `1`, "Not saved: window.blok is not a setting (did you mean window.block?)."},
		{"window.block", `21`, "Not saved: window.block is 21 but must be at most window.calls, which is 20 (preset default)."},
	} {
		if r := h.set(tt.path, tt.value); r.Saved || r.Text != tt.want {
			t.Errorf("%+v, want %s", r, tt.want)
		}
	}
	if n := h.calls(9); n != 5 {
		t.Errorf("%d calls ran", n)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("there is a file")
	}
}

func TestAStrongerLayerIsTold(t *testing.T) {
	h, file := settled(t, Options{Environ: []string{"LOOPBREAKER_WINDOW_BLOCK=2"}})
	want := "Saved in " + file + ", but window.block stays 2 in this session: LOOPBREAKER_WINDOW_BLOCK is stronger."
	if r := h.set("window.block", `4`); !r.Saved || r.Text != want {
		t.Errorf("%+v, want %s", r, want)
	}
	if n := h.calls(9); n != 2 {
		t.Errorf("%d calls ran", n)
	}
}

func TestWhatWasChosenForTheSessionGivesWayToASetting(t *testing.T) {
	h, _ := settled(t, Options{})
	if r := h.command("preset window"); r.Chosen != (Chosen{Preset: "window"}) {
		t.Fatalf("%+v", r)
	}
	if r := h.command("off"); r.Chosen != (Chosen{Preset: "window", Off: true}) {
		t.Fatalf("%+v", r)
	}
	if r := h.set("window.block", `4`); r.Chosen != (Chosen{Preset: "window", Off: true}) {
		t.Errorf("%+v", r)
	}
	if r := h.set("preset", `"turns"`); !strings.HasPrefix(r.Text, "preset is turns now.") || r.Chosen != (Chosen{Off: true}) {
		t.Errorf("%+v", r)
	}
	if r := h.set("enabled", `true`); r.Chosen != (Chosen{}) || r.Status == nil || *r.Status != "" {
		t.Errorf("%+v", r)
	}
	if r := h.command(""); !strings.Contains(r.Text, "is on, preset turns") {
		t.Errorf("%+v", r)
	}
}

func TestSettingsWithoutFileHoldForTheSession(t *testing.T) {
	h := newHost(t, Options{NoFiles: true, Log: zerolog.Nop()})
	agent := t.TempDir()
	h.open(fmt.Sprintf(`{"protocol":1,"agentDir":%q}`, agent))
	if r := h.set("window.block", `2`); !r.Saved || r.Text != "window.block is 2 now; in this session only, for there is no file to save it in." {
		t.Errorf("%+v", r)
	}
	if n := h.calls(9); n != 2 {
		t.Errorf("%d calls ran", n)
	}
	if names, _ := os.ReadDir(agent); len(names) > 0 {
		t.Errorf("written: %v", names)
	}
}

func TestSettingsAreListed(t *testing.T) {
	h, file := settled(t, Options{})
	h.set("window.block", `4`)
	var all, one SettingsResult
	h.ask(MethodSettings, `{}`, &all)
	h.ask(MethodSettings, `{"path":"window.block"}`, &one)
	if len(one.Settings) != 1 || one.Settings[0].From != file || one.Settings[0].Value != 4.0 || one.Settings[0].Default != 5.0 {
		t.Errorf("%+v", one)
	}
	found := 0
	for _, l := range all.Settings {
		if l.Path == "window.block" {
			found++
			if fmt.Sprint(l) != fmt.Sprint(one.Settings[0]) {
				t.Errorf("%+v, and alone %+v", l, one.Settings[0])
			}
		}
	}
	if found != 1 {
		t.Errorf("window.block is listed %d times in %+v", found, all)
	}
	var hidden SettingsResult
	h.ask(MethodSettings, `{"path":"ladder.recover"}`, &hidden)
	if len(hidden.Settings) != 1 || hidden.Settings[0].Value != true {
		t.Errorf("%+v", hidden)
	}
}

func TestSettingsByCommand(t *testing.T) {
	h, file := settled(t, Options{})
	for _, tt := range []struct{ args, want string }{
		{"set window.block 2", "window.block is 2 now. Saved in " + file + "."},
		{"set streak.ignoreTools a, b", "streak.ignoreTools is a, b now. Saved in " + file + "."},
		{"set streak.ignoreTools []", "streak.ignoreTools is none now. Saved in " + file + "."},
		{"set streak.ignoreTools [\"a\"]", "streak.ignoreTools is a now. Saved in " + file + "."},
		{"unset streak.ignoreTools", "streak.ignoreTools is none now, from preset default. Saved in " + file + "."},
		{"set enabled yes", "enabled is true now. Saved in " + file + "."},
		{"set preset window", "preset is window now. Saved in " + file + "."},
		{"set preset 5", `Not saved: preset is "5" but must be `},
		{"set preset", "Loopbreaker does not know \"set preset\"."},
		{"unset", "Loopbreaker does not know \"unset\"."},
		{"unset a b", "Loopbreaker does not know \"unset a b\"."},
		{"settings", "Loopbreaker's settings; a change holds from the next call on.\npreset "},
	} {
		if r := h.command(tt.args); !strings.HasPrefix(r.Text, tt.want) {
			t.Errorf("%s: %s\nwant %s", tt.args, r.Text, tt.want)
		}
	}
	if n := h.calls(9); n != 2 {
		t.Errorf("%d calls ran", n)
	}
	text, err := os.ReadFile(file)
	var saved map[string]any
	if err != nil || json.Unmarshal(text, &saved) != nil || len(saved) != 3 {
		t.Errorf("the file says %s (%v)", text, err)
	}
}

// What the system `measures` has to be changed while a session runs.
func TestThresholdsOfMeasuresHoldFromTheNextCallOn(t *testing.T) {
	h, _ := settled(t, Options{Flags: config.Flags{Preset: "measures"}})
	n := 0
	run := func(command string, isError bool) (call, result Decision) {
		n++
		h.ask(MethodToolCall, fmt.Sprintf(`{"toolCallId":"%d","toolName":"bash","input":{"command":%q}}`, n, command), &call)
		if call.Ask == nil && !call.Block {
			h.ask(MethodToolResult, fmt.Sprintf(`{"toolCallId":"%d","isError":%v,"content":[{"type":"text","text":"x"}]}`, n, isError), &result)
		}
		return call, result
	}
	for _, step := range []struct {
		path, value, command string
		fails                bool
		note, asks           bool
	}{
		{command: "make a"},
		{path: "measures.warnAt", value: "2", command: "make a", note: true},
		{path: "measures.summarizeAt", value: "3", command: "make a", note: true},
		{command: "make a"},
		{command: "make b", fails: true},
		{path: "measures.failWarnAt", value: "2", command: "make b", fails: true, note: true},
		{path: "measures.failLimit", value: "2", command: "make b", asks: true},
		{path: "measures.failLimit", value: "null", command: "make c"},
	} {
		if step.path != "" {
			if r := h.set(step.path, step.value); !r.Saved {
				t.Fatalf("%s: %+v", step.path, r)
			}
		}
		call, result := run(step.command, step.fails)
		if (result.Note != "") != step.note || (call.Ask != nil) != step.asks {
			t.Errorf("%+v: %+v, %+v", step, call, result)
		}
	}
}

// A tool that is switched on takes part from the next session on: until then nothing is
// sent to it.
func TestCommandsAreNotSentToAToolThatIsNotThereYet(t *testing.T) {
	fetches := func(h *host) (d Decision) {
		h.ask(MethodToolCall, `{"toolCallId":"1","toolName":"bash","input":{"command":"curl https://example.com/a"}}`, &d)
		return d
	}
	h, _ := settled(t, Options{})
	if r := h.set("fetch.enabled", `true`); !r.Saved {
		t.Fatalf("%+v", r)
	}
	if d := fetches(h); d.Block {
		t.Errorf("sent to a tool that is not there: %+v", d)
	}
	h, _ = settled(t, Options{Flags: config.Flags{Set: []string{"fetch.enabled=true"}}})
	if d := fetches(h); !d.Block {
		t.Errorf("not sent to the tool: %+v", d)
	}
}
