package config

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func (h host) read(path string) string {
	h.t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		h.t.Fatal(err)
	}
	return string(text)
}

// valued is a value, none for "".
func valued(text string) jsontext.Value {
	if text == "" {
		return nil
	}
	return jsontext.Value(text)
}

func TestSaveWritesTheUsersFile(t *testing.T) {
	tests := []struct{ name, text, path, value, want string }{
		{"a number", `{"window": {"block": 5}}`, "window.block", `7`, `{"window": {"block": 7}}`},
		{"a number, as text", `{"window": {"block": 5}}`, "window.block", `" 7 "`, `{"window": {"block": 7}}`},
		{"a word", `{}`, "preset", `"turns"`, "{\n  \"preset\": \"turns\"\n}"},
		{"a switch, as text", `{"enabled": true}`, "enabled", `"off"`, `{"enabled": false}`},
		{"a list", `{"streak": {"ignoreTools": []}}`, "streak.ignoreTools", `["b", "a"]`, `{"streak": {"ignoreTools": ["b","a"]}}`},
		{"a list, as text", `{"streak": {"ignoreTools": []}}`, "streak.ignoreTools", `"b, a"`, `{"streak": {"ignoreTools": ["b","a"]}}`},
		{"a limit that is off", `{}`, "measures.failLimit", `null`, "{\n  \"measures\": {\n    \"failLimit\": null\n  }\n}"},
		{"a limit that is off, as text", `{"measures": {"failLimit": 4}}`, "measures.failLimit", `"null"`, `{"measures": {"failLimit": null}}`},
		{"a list, as typed JSON", `{"streak": {"ignoreTools": ["a"]}}`, "streak.ignoreTools", `"[]"`, `{"streak": {"ignoreTools": []}}`},
		{"a list of a number's name", `{"streak": {"ignoreTools": ["a"]}}`, "streak.ignoreTools", `"5"`, `{"streak": {"ignoreTools": ["5"]}}`},
		{"an entry beside others", `{"measures": {"limits": {"net": 9, "site": 3}}}`, "measures.limits", `"host=8,site=null"`, `{"measures": {"limits": {"host":8,"net":9,"site":null}}}`},
		{"nothing", `{"preset": "turns", "window": {"block": 7}}`, "window.block", ``, `{"preset": "turns"}`},
		{"nothing where there is none", `{"preset": "turns"}`, "window.block", ``, `{"preset": "turns"}`},
		{"beside what is wrong already", `{"nosuch": 1, "window": {"calls": "x"}}`, "window.block", `7`, `{"nosuch": 1, "window": {"calls": "x", "block": 7}}`},
		{"what was wrong", `{"window": {"block": "x"}}`, "window.block", `7`, `{"window": {"block": 7}}`},
		{"into an empty file", " \n", "preset", `"turns"`, "{\n  \"preset\": \"turns\"\n}\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHost(t)
			h.write(h.userFile(), tt.text)
			s := h.trusted()
			before := Load(s)
			saved, err := s.Save(tt.path, valued(tt.value))
			if err != nil {
				t.Fatal(err)
			}
			c := saved.Config
			if got := h.read(h.userFile()); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if tt.want != tt.text && !before.Changed() {
				t.Error("a session that had read the file does not see it")
			}
			if c.Changed() {
				t.Error("what was returned is out of date")
			}
			if fmt.Sprint(c.Settings()) != fmt.Sprint(Load(h.trusted()).Settings()) {
				t.Error("what was returned is not what the files say")
			}
		})
	}
}

func TestSaveBeginsTheFileAndItsFolder(t *testing.T) {
	h := newHost(t)
	s := h.trusted()
	if _, err := s.Save("window.block", jsontext.Value("4")); err != nil {
		t.Fatal(err)
	}
	if got, want := h.read(h.userFile()), "{\n  \"window\": {\n    \"block\": 4\n  }\n}\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if names, _ := filepath.Glob(filepath.Join(filepath.Dir(h.userFile()), "*")); len(names) != 1 {
		t.Errorf("left behind: %v", names)
	}
}

func TestSaveKeepsLinkAndMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links and modes are others there")
	}
	h := newHost(t)
	target := h.write(filepath.Join(h.project, "dotfiles", "guard.json"), `{}`)
	if err := os.MkdirAll(filepath.Dir(h.userFile()), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, h.userFile()); err != nil {
		t.Fatal(err)
	}
	s := h.trusted()
	if _, err := s.Save("enabled", jsontext.Value("false")); err != nil {
		t.Fatal(err)
	}
	link, err := os.Lstat(h.userFile())
	if err != nil || link.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", link, err)
	}
	if file, err := os.Stat(target); err != nil || file.Mode().Perm() != 0o600 {
		t.Errorf("the mode is %v, %v", file.Mode(), err)
	}
	if got := h.read(target); !strings.Contains(got, `"enabled": false`) {
		t.Errorf("the file says %s", got)
	}
}

func TestSaveRefuses(t *testing.T) {
	tests := []struct{ name, text, path, value, want string }{
		{"no setting", `{}`, "window.blok", `7`, "window.blok is not a setting (did you mean window.block?)."},
		{"a group", `{}`, "ladder", `{"refusals": 7}`, "ladder is not a setting."},
		{"what is not allowed", `{}`, "window.block", `-1`, "window.block is -1 but must be an integer from 0 (off) to 1000."},
		{"a text that is not", `{}`, "window.block", `"many"`, `window.block is "many" but must be an integer from 0 (off) to 1000.`},
		{"a preset that is not", `{}`, "preset", `"turn"`, `preset is "turn" but must be ` + allPresets + " (did you mean turns?)."},
		{"what contradicts", `{"preset": "streak"}`, "streak.warn", `9`, "streak.warn is 9 but must be below streak.block, which is 5 (preset streak)."},
		{"what comes to contradict", `{"preset": "streak", "streak": {"warn": 7, "block": 9}}`, "streak.block", ``, "streak.warn is 7 but must be below streak.block, which is 5 (preset streak)."},
		{"a file that is no JSON", `{"window":`, "window.block", `7`, "USER cannot be changed: it is not a valid JSON object."},
		{"a file that is no object", `[]`, "window.block", `7`, "USER cannot be changed: it is not a valid JSON object."},
		{"a group that is no object", `{"window": 5}`, "window.block", `7`, "USER: window is 5 but must be an object."},
		{"a setting stated twice", `{"window": {"block": 1, "block": 2}}`, "window.block", `7`, "USER cannot be changed: it states window.block more than once."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHost(t)
			h.write(h.userFile(), tt.text)
			s := h.trusted()
			saved, err := s.Save(tt.path, valued(tt.value))
			if err == nil {
				t.Fatalf("saved: %v", saved.Config.Settings())
			}
			if got := h.named(err.Error()); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if got := h.read(h.userFile()); got != tt.text {
				t.Errorf("the file became %s", got)
			}
		})
	}
}

func TestSaveWithoutFileHoldsForTheSession(t *testing.T) {
	s := Sources{Flags: Flags{Preset: "streak", Set: []string{"streak.ignoreTools=a", "streak.block=8"}}}
	for _, step := range []struct{ path, value, want string }{
		{"streak.block", `9`, "[streak.ignoreTools=a streak.block=8 streak.block=9]"},
		{"streak.ignoreTools", `[]`, "[streak.ignoreTools=a streak.block=8 streak.block=9 streak.ignoreTools=]"},
		{"streak.block", ``, "[streak.ignoreTools=a streak.ignoreTools=]"},
	} {
		saved, err := s.Save(step.path, valued(step.value))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(s.Flags.Set); got != step.want || len(saved.Config.Problems) > 0 || saved.File != "" || saved.Overruled {
			t.Errorf("%s: got %s, want %s (%+v)", step.path, got, step.want, saved)
		}
	}
	if _, err := s.Save("streak.warn", jsontext.Value(`9`)); err == nil || len(s.Flags.Set) != 2 {
		t.Errorf("a contradiction was kept: %v", s.Flags.Set)
	}
}

func TestSaveTellsWhatHolds(t *testing.T) {
	h := newHost(t)
	h.write(h.projectFile(), `{"window": {"block": 7}}`)
	s := h.trusted()
	s.Environ = []string{"LOOPBREAKER_WINDOW_CALLS=30"}
	for _, tt := range []struct{ path, value, want string }{
		{"window.block", "6", "window.block=7 from PROJECT, overruled true, in USER"},
		{"window.calls", "40", "window.calls=30 from LOOPBREAKER_WINDOW_CALLS, overruled true, in USER"},
		{"streak.warn", "4", "streak.warn=4 from USER, overruled false, in USER"},
		{"streak.warn", "", "streak.warn=0 from preset default, overruled false, in USER"},
		{"window.block", "", "window.block=7 from PROJECT, overruled false, in USER"},
	} {
		saved, err := s.Save(tt.path, valued(tt.value))
		if err != nil {
			t.Fatal(err)
		}
		got := h.named(fmt.Sprintf("%v from %s, overruled %v, in %s", saved.Now.Setting, saved.Now.From, saved.Overruled, saved.File))
		if got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.path, got, tt.want)
		}
	}
}

func TestLive(t *testing.T) {
	h := newHost(t)
	h.write(h.userFile(), `{"preset": "streak", "streak": {"block": 9}, "enabled": false}`)
	var got []string
	for _, l := range Load(h.trusted()).Live() {
		if find(l.Path) < 0 || l.Help == "" || l.Allowed == "" {
			t.Errorf("not described: %+v", l)
		}
		if strings.HasPrefix(l.Path, "streak.") || !strings.Contains(l.Path, ".") {
			got = append(got, h.named(fmt.Sprintf("%v %s default %v from %s, %d choices", l.Setting, l.Shown, l.Default, l.From, len(l.Choices))))
		}
	}
	want := fmt.Sprintf(`[preset=streak streak default default from USER, %d choices enabled=false false default true from USER, 2 choices `+
		`streak.warn=3 3 default 3 from preset streak, 0 choices streak.block=9 9 default 5 from USER, 0 choices]`, len(presets()))
	if fmt.Sprint(got) != want {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	// The system `measures` has these to be changed while a session runs.
	seven := []string{"blockShellHttp", "blockLocalHttp", "shellHttpAllow", "warnAt", "summarizeAt", "failWarnAt", "failLimit"}
	for _, path := range paths {
		if slices.Contains(seven, path[strings.LastIndexByte(path, '.')+1:]) && !slices.Contains(live, path) {
			t.Errorf("%s is not offered", path)
		}
	}
	for i := range live {
		if i > 0 && find(live[i-1]) >= find(live[i]) {
			t.Errorf("%s is not in the order of the table", live[i])
		}
	}
}
