package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/loopbreaker/loopbreaker/guard"
)

// host is a user's and a project's folder with what their files say.
type host struct {
	t              *testing.T
	agent, project string
}

func newHost(t *testing.T) host {
	root := t.TempDir()
	return host{t, filepath.Join(root, "agent"), filepath.Join(root, "project")}
}

func (h host) userFile() string { return filepath.Join(h.agent, "extensions", "loopbreaker.json") }
func (h host) projectFile() string {
	return filepath.Join(h.project, ".pi", "extensions", "loopbreaker.json")
}

func (h host) write(path, text string) string {
	h.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
	return path
}

func (h host) trusted() Sources {
	return Sources{AgentDir: h.agent, CWD: h.project, ProjectTrusted: true}
}

// named gives the host's files short names.
func (h host) named(text string) string {
	return strings.NewReplacer(h.userFile(), "USER", h.projectFile(), "PROJECT", h.agent, "AGENT").Replace(text)
}

// told is every problem, the host's files by short names.
func (h host) told(c *Config) []string {
	told := []string{}
	for _, p := range c.Problems {
		told = append(told, h.named(p.String()))
	}
	return told
}

// effective returns an effective value and its source.
func effective(t *testing.T, c *Config, path string) Setting {
	t.Helper()
	for _, s := range c.Settings() {
		if s.Path == path {
			return s
		}
	}
	t.Fatalf("%s is not a setting", path)
	return Setting{}
}

// The fields of a policy and the table know each other, one to one, by name.
func TestEveryFieldOfThePolicyIsASetting(t *testing.T) {
	c := &Config{}
	rows := map[any]string{}
	for _, s := range settings {
		place := s.at(c)
		if other, twice := rows[place]; twice {
			t.Errorf("%s and %s are one place", s.path, other)
		}
		rows[place] = s.path
		if s.doc == "" || strings.Contains(s.doc, "\n") || strings.HasSuffix(s.doc, ".") {
			t.Errorf("%s: the doc is %q", s.path, s.doc)
		}
		if group, _, deeper := strings.Cut(s.path, "."); deeper && groups[group] == "" {
			t.Errorf("the group %s says nothing", group)
		}
		wanted := ""
		switch k := s.kind.(type) {
		case integer, stage, limit:
			wanted = "*int"
		case boolean:
			wanted = "*bool"
		case list:
			wanted = "*[]string"
		case folder:
			wanted = "*string"
		case choice:
			wanted = fmt.Sprintf("%T", place)
		case mapping:
			wanted = map[kind]string{limit{2, 1000}: "*map[string]int", list{}: "*map[string][]string", oneName{}: "*map[string]string"}[k.entry]
		}
		if fmt.Sprintf("%T", place) != wanted {
			t.Errorf("%s: the place is a %T", s.path, place)
		}
	}
	if rows[&c.Preset] != "preset" || rows[&c.Enabled] != "enabled" {
		t.Error("preset or enabled is missing")
	}
	var walk func(prefix string, v reflect.Value) int
	walk = func(prefix string, v reflect.Value) (fields int) {
		for i := range v.NumField() {
			name := []rune(v.Type().Field(i).Name)
			name[0] = unicode.ToLower(name[0])
			path := prefix + string(name)
			if f := v.Field(i); f.Kind() == reflect.Struct {
				fields += walk(path+".", f)
			} else {
				fields++
				if got := rows[f.Addr().Interface()]; got != path {
					t.Errorf("the place of %s is called %q", path, got)
				}
			}
		}
		return fields
	}
	fields := walk("", reflect.ValueOf(&c.Policy).Elem()) + walk("fetch.", reflect.ValueOf(&c.Fetch).Elem()) + walk("export.", reflect.ValueOf(&c.Export).Elem())
	if fields+2 != len(settings) {
		t.Errorf("%d settings for %d fields", len(settings), fields)
	}
	for _, rule := range rules {
		for _, path := range append(slices.Clone(rule.stages), rule.calls) {
			if path != "" && find(path) < 0 {
				t.Errorf("the rule %s is about %s, which is no setting", rule.name, path)
			}
		}
	}
}

func TestWithoutAnyLayerAPresetIsExact(t *testing.T) {
	for _, p := range guard.Presets() {
		c := Load(Sources{Flags: Flags{Preset: p.Name}})
		if c.Preset != p.Name || !c.Enabled || !reflect.DeepEqual(c.Policy, p.Policy) || len(c.Problems) != 0 {
			t.Errorf("%s: %+v", p.Name, c)
		}
	}
	c := Load(Sources{})
	if c.Preset != guard.DefaultPreset || !c.Enabled || len(c.Problems) != 0 || c.Changed() {
		t.Errorf("nothing said: %+v", c)
	}
}

// Every layer sets streak.warn to a number of its own; the strongest one holds.
func TestLayers(t *testing.T) {
	layers := []struct {
		from string
		set  func(host, *Sources)
		warn int
	}{
		{"preset streak", func(h host, s *Sources) {}, 3},
		{"USER", func(h host, s *Sources) { h.write(h.userFile(), `{"streak":{"warn":11,"block":100}}`) }, 11},
		{"PROJECT", func(h host, s *Sources) { h.write(h.projectFile(), `{"streak":{"warn":12}}`) }, 12},
		{"AGENT/extra.json", func(h host, s *Sources) {
			s.Flags.Config = h.write(filepath.Join(h.agent, "extra.json"), `{"streak":{"warn":13}}`)
		}, 13},
		{"LOOP_GUARD_WARN_THRESHOLD", func(h host, s *Sources) { s.Environ = append(s.Environ, "LOOP_GUARD_WARN_THRESHOLD=14") }, 14},
		{"LOOPBREAKER_STREAK_WARN", func(h host, s *Sources) {
			s.Environ = slices.Insert(s.Environ, 0, "LOOPBREAKER_STREAK_WARN=15")
		}, 15},
		{"--set", func(h host, s *Sources) { s.Flags.Set = append(s.Flags.Set, "streak.warn=16") }, 16},
		{"--set", func(h host, s *Sources) { s.Flags.Set = append(s.Flags.Set, "streak.warn=17") }, 17},
	}
	for strongest := range layers {
		h := newHost(t)
		s := h.trusted()
		s.Environ = []string{"LOOPBREAKER_PRESET=streak"}
		for _, layer := range layers[:strongest+1] {
			layer.set(h, &s)
		}
		c := Load(s)
		got := effective(t, c, "streak.warn")
		want := layers[strongest]
		if c.Policy.Streak.Warn != want.warn || got.Value != want.warn || h.named(got.From) != want.from || len(c.Problems) != 0 {
			t.Errorf("%s: %d, %+v, problems %q", want.from, c.Policy.Streak.Warn, got, c.Problems)
		}
		if strongest > 0 && c.Policy.Streak.Block != 100 {
			t.Errorf("%s: what only the user's file sets is lost", want.from)
		}
	}
}

// A number that is set anywhere holds, whichever layer chose the preset.
func TestAPresetNeverBeatsANumber(t *testing.T) {
	choices := []struct {
		from   string
		choose func(host, *Sources)
	}{
		{"USER", func(h host, s *Sources) {
			h.write(h.userFile(), `{"preset":"streak","streak":{"warn":2},"turns":{"duplicates":7}}`)
		}},
		{"PROJECT", func(h host, s *Sources) { h.write(h.projectFile(), `{"preset":"streak"}`) }},
		{"AGENT/x", func(h host, s *Sources) {
			s.Flags.Config = h.write(filepath.Join(h.agent, "x"), `{"preset":"streak"}`)
		}},
		{"LOOPBREAKER_PRESET", func(h host, s *Sources) { s.Environ = []string{"LOOPBREAKER_PRESET=streak"} }},
		{"--preset", func(h host, s *Sources) { s.Flags.Preset = "streak" }},
		{"--set", func(h host, s *Sources) { s.Flags = Flags{Preset: "window", Set: []string{"preset=streak"}} }},
	}
	for _, tt := range choices {
		h := newHost(t)
		h.write(h.userFile(), `{"preset":"turns","streak":{"warn":2},"turns":{"duplicates":7}}`)
		s := h.trusted()
		tt.choose(h, &s)
		c := Load(s)
		want, _ := guard.FindPreset("streak")
		want.Policy.Streak.Warn, want.Policy.Turns.Duplicates = 2, 7
		if c.Preset != "streak" || !reflect.DeepEqual(c.Policy, want.Policy) || len(c.Problems) != 0 {
			t.Errorf("%s: %+v", tt.from, c)
		}
		for path, from := range map[string]string{"preset": tt.from, "enabled": "default", "streak.block": "preset streak", "streak.warn": "USER"} {
			if got := h.named(effective(t, c, path).From); got != from {
				t.Errorf("%s: %s is from %s, want %s", tt.from, path, got, from)
			}
		}
	}
}

func TestEverySettingFromEveryPlace(t *testing.T) {
	for i, s := range settings {
		// A value that is none of the presets', as each place spells it.
		var value any
		var json, text string
		switch k := s.kind.(type) {
		case choice:
			other := k[slices.IndexFunc(k, func(word string) bool { return word != s.get(Load(Sources{})) })]
			value, json, text = other, fmt.Sprintf("%q", other), other
		case boolean:
			on := !s.get(Load(Sources{})).(bool)
			value, json, text = on, fmt.Sprint(on), strings.ToUpper(fmt.Sprint(on))
		case list:
			value, json, text = []string{"todo", "bäsh x"}, `["todo","b\u00e4sh x"]`, " todo,, bäsh x ,"
			if s.path == "fetch.allowPrivateHosts" {
				value, json, text = []string{"10.0.0.0/8", "Localhost"}, `["10.0.0.0\/8","Localhost"]`, " 10.0.0.0/8,, Localhost ,"
			}
		case folder:
			value, json, text = "data/.web-1", `"data\/.web-1"`, " data/.web-1 "
		case integer:
			least := max(1, k.min)
			value, json, text = least, fmt.Sprintf("%d.0", least), fmt.Sprintf(" %d ", least)
		case stage, limit:
			value, json, text = 999, `999`, "999"
		case mapping:
			table := s.get(Load(Sources{})).(map[string]any)
			entry := map[kind]string{limit{2, 1000}: "net:x", list{}: "bash", oneName{}: "b.example"}[k.entry]
			table[entry] = map[kind]any{limit{2, 1000}: 8, list{}: []string{"a", "b"}, oneName{}: "a.example"}[k.entry]
			table["exact"] = nil
			value = table
			json = fmt.Sprintf(`{%q:%s,"exact":null}`, entry, map[kind]string{limit{2, 1000}: `8`, list{}: `["a","b"]`, oneName{}: `"a.example"`}[k.entry])
			text = entry + map[kind]string{limit{2, 1000}: "=8, exact=null", list{}: "=a b ,exact=", oneName{}: "=a.example,exact=null"}[k.entry]
		}
		file := json
		segments := strings.Split(s.path, ".")
		for _, name := range slices.Backward(segments) {
			file = fmt.Sprintf("{%q: %s}", name, file)
		}
		h := newHost(t)
		h.write(h.userFile(), file)
		places := map[string]Sources{
			"file":  {AgentDir: h.agent},
			"--set": {Flags: Flags{Set: []string{s.path + "=" + text}}},
		}
		for _, name := range append(slices.Clone(s.old), variable(s.path)) {
			places[name] = Sources{Environ: []string{name + "=" + text}}
		}
		for place, sources := range places {
			// The other settings must not contradict it.
			sources.Flags.Set = append(sources.Flags.Set, "window.calls=1", "rejected.calls=1",
				"repeat.note=0", "repeat.block=0", "stale.note=0", "stale.block=0", "window.block=0", "streak.warn=0", "streak.block=0", "rejected.note=0", "rejected.steer=0", "rejected.abort=0")
			sources.Flags.Set = slices.DeleteFunc(sources.Flags.Set, func(set string) bool {
				return strings.HasPrefix(set, s.path+"=") && place != "--set"
			})
			if place == "--set" {
				sources.Flags.Set = append(sources.Flags.Set, sources.Flags.Set[0])
			}
			c := Load(sources)
			if got := settings[i].get(c); !reflect.DeepEqual(got, value) || len(c.Problems) != 0 {
				t.Errorf("%s from %s: %v, want %v; problems %q", s.path, place, got, value, c.Problems)
			}
			if from := effective(t, c, s.path).From; place != "file" && from != place {
				t.Errorf("%s from %s is said to be from %s", s.path, place, from)
			}
		}
	}
}

func TestAProjectThatIsNotTrustedIsNotRead(t *testing.T) {
	h := newHost(t)
	h.write(h.userFile(), `{"streak":{"warn":2,"block":9}}`)
	h.write(h.projectFile(), `{"enabled":false,"streak":{"warn":7}} rubbish`)
	s := h.trusted()
	s.ProjectTrusted = false
	c := Load(s)
	if !c.Enabled || c.Policy.Streak.Warn != 2 || len(c.Problems) != 0 {
		t.Errorf("the project counts: %+v", c)
	}
	h.write(h.projectFile(), `{"enabled":false}`)
	if c.Changed() {
		t.Error("the project's file is looked at")
	}
	s.ProjectTrusted = true
	if c := Load(s); c.Enabled || h.named(effective(t, c, "enabled").From) != "PROJECT" {
		t.Error("a trusted project does not count")
	}
}

func TestAFileInTwoPlacesCountsOnce(t *testing.T) {
	h := newHost(t)
	h.write(h.userFile(), `{"streak":{"warn":2,"block":"x"}}`)
	h.write(h.projectFile(), `{"streak":{"warn":4,"block":9}}`)
	s := h.trusted()
	s.Flags.Config = h.userFile()
	c := Load(s)
	if c.Policy.Streak.Warn != 2 || c.Policy.Streak.Block != 9 || len(c.Problems) != 1 {
		t.Errorf("%+v", c)
	}
	// The user's folder inside the project is the user's, trusted or not.
	s = Sources{AgentDir: filepath.Join(h.project, ".pi"), CWD: h.project}
	if c := Load(s); c.Policy.Streak.Warn != 4 {
		t.Errorf("%+v", c)
	}
}

func TestChanged(t *testing.T) {
	past := time.Now().Add(-time.Hour)
	for _, tt := range []struct {
		name   string
		before bool // whether there is a file
		change func(h host, path string) error
		want   bool
	}{
		{"nothing happens to a file", true, nil, false},
		{"nothing happens to none", false, nil, false},
		{"it appears", false, func(h host, path string) error { h.write(path, `{}`); return nil }, true},
		{"it goes", true, func(h host, path string) error { return os.Remove(path) }, true},
		{"its folder goes", true, func(h host, path string) error { return os.RemoveAll(filepath.Dir(path)) }, true},
		{"it is written in place, as long as before", true, func(h host, path string) error { h.write(path, `{ }`); return nil }, true},
		{"it is written, its time put back", true, func(h host, path string) error {
			h.write(path, `{"enabled":true}`)
			return os.Chtimes(path, past, past)
		}, true},
		{"another takes its place, of the same size and time", true, func(h host, path string) error {
			other := h.write(path+".new", `{ }`)
			return errors.Join(os.Chtimes(other, past, past), os.Chmod(other, 0o600), os.Rename(other, path))
		}, true},
		{"it may be read by more", true, func(h host, path string) error { return os.Chmod(path, 0o644) }, true},
	} {
		for _, which := range []string{"user", "project", "flag"} {
			h := newHost(t)
			s := h.trusted()
			path := map[string]string{"user": h.userFile(), "project": h.projectFile(), "flag": filepath.Join(h.agent, "f.json")}[which]
			if which == "flag" {
				s.Flags.Config = path
			}
			if tt.before {
				h.write(path, `{ }`)
				if err := os.Chtimes(path, past, past); err != nil {
					t.Fatal(err)
				}
			}
			c := Load(s)
			if tt.change != nil {
				if err := tt.change(h, path); err != nil {
					t.Fatal(err)
				}
			}
			for range 2 { // asking changes nothing
				if got := c.Changed(); got != tt.want {
					t.Errorf("%s, %s: changed is %v", which, tt.name, got)
				}
			}
			if Load(s).Changed() {
				t.Errorf("%s, %s: still changed when loaded again", which, tt.name)
			}
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	environ := os.Environ()
	root := b.TempDir()
	h := host{agent: filepath.Join(root, "agent"), project: filepath.Join(root, "project")}
	bench := func(b *testing.B) {
		for b.Loop() {
			s := h.trusted()
			s.Environ = environ
			if c := Load(s); len(c.Problems) != 0 {
				b.Fatal(c.Problems)
			}
		}
	}
	b.Run("no files", bench)
	b.Run("unchanged", func(b *testing.B) {
		c := Load(h.trusted())
		for b.Loop() {
			c.Changed()
		}
	})
	os.MkdirAll(filepath.Dir(h.userFile()), 0o755)
	os.MkdirAll(filepath.Dir(h.projectFile()), 0o755)
	os.WriteFile(h.userFile(), []byte(`{"preset":"streak","streak":{"warn":4,"ignoreTools":["todo"]}}`), 0o600)
	os.WriteFile(h.projectFile(), []byte(`{"ladder":{"terminate":true}}`), 0o600)
	b.Run("two files", bench)
}

// What every call pays for settings that hold at once: one look at each file.
func BenchmarkChanged(b *testing.B) {
	root := b.TempDir()
	if err := os.Mkdir(filepath.Join(root, "extensions"), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "extensions", fileName), []byte(`{"window": {"block": 4}}`), 0o600); err != nil {
		b.Fatal(err)
	}
	c := Load(Sources{AgentDir: root, CWD: root, ProjectTrusted: true})
	for b.Loop() {
		if c.Changed() {
			b.Fatal("nothing has changed")
		}
	}
}
