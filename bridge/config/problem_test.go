package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var allPresets, _ = presets().allowed()

// What is wrong in a file: every problem it gives, in full. All of them leave
// the rest of the file in force, except where it says that nothing counts.
func TestProblemsOfAFile(t *testing.T) {
	for _, tt := range []struct {
		text string
		says []string
	}{
		{`{}`, nil},
		{" \r\n{\n}\n", nil},
		{`{"$schema":"../schema.json"}`, nil},
		{`{"streak":{},"ladder":{"refusals":0}}`, nil},

		// Names.
		{`{"streak":{"wran":3}}`, []string{`USER: streak.wran is not a setting (did you mean streak.warn?).`}},
		{`{"streak":{"ignore_tools":[]}}`, []string{`USER: streak.ignore_tools is not a setting (did you mean streak.ignoreTools?).`}},
		{`{"streak":{"limit":3}}`, []string{`USER: streak.limit is not a setting.`}},
		{`{"streka":{"warn":3}}`, []string{`USER: streka is not a setting (did you mean streak?).`}},
		{`{"Preset":"streak"}`, []string{`USER: Preset is not a setting (did you mean preset?).`}},
		{`{"warn":3}`, []string{`USER: warn is not a setting (did you mean streak.warn?).`}},
		{`{"streak.warn":3}`, []string{`USER: streak.warn is not a setting (write {"streak": {"warn": ...}}).`}},
		{`{"":1}`, []string{`USER: "" is not a setting.`}},
		{`{"a\u001b[2Jb":1}`, []string{`USER: "a\x1b[2Jb" is not a setting.`}},
		{`{"` + strings.Repeat("é", 61) + `":1}`, []string{`USER: ` + strings.Repeat("é", 60) + `... is not a setting.`}},
		{`{"ladder":{"$schema":"x"}}`, []string{`USER: ladder.$schema is not a setting.`}},
		{`{"policy":{"streak":{"wran":3}}}`, []string{`USER: policy is not a setting.`}},

		// Stated more than once: neither counts.
		{`{"enabled":false,"enabled":true}`, []string{`USER: enabled is stated more than once, so it does not count.`}},
		{`{"enabled":false,"\u0065nabled":false,"enabled":false}`, []string{`USER: enabled is stated more than once, so it does not count.`}},
		{`{"streak":{"warn":2},"streak":{"warn":2}}`, []string{`USER: streak is stated more than once, so it does not count.`}},
		{`{"streak":{"warn":2,"warn":2}}`, []string{`USER: streak.warn is stated more than once, so it does not count.`}},
		{`{"x":2,"x":2}`, []string{`USER: x is not a setting.`}},

		// Types and bounds.
		{`{"streak":{"warn":"3"}}`, []string{`USER: streak.warn is "3" but must be an integer from 0 (off) to 1000.`}},
		{`{"streak":{"warn":-1}}`, []string{`USER: streak.warn is -1 but must be an integer from 0 (off) to 1000.`}},
		{`{"streak":{"block":1001}}`, []string{`USER: streak.block is 1001 but must be an integer from 0 (off) to 1000.`}},
		{`{"streak":{"warn":2.5}}`, []string{`USER: streak.warn is 2.5 but must be an integer from 0 (off) to 1000.`}},
		{`{"streak":{"warn":1e999}}`, []string{`USER: streak.warn is 1e999 but must be an integer from 0 (off) to 1000.`}},
		{`{"streak":{"warn":null}}`, []string{`USER: streak.warn is null but must be an integer from 0 (off) to 1000.`}},
		{`{"window":{"calls":0}}`, []string{`USER: window.calls is 0 but must be an integer from 1 to 1000.`}},
		{`{"window":{"calls":{ "a" : 1 }}}`, []string{`USER: window.calls is {"a":1} but must be an integer from 1 to 1000.`}},
		{`{"enabled":"no"}`, []string{`USER: enabled is "no" but must be true or false.`}},
		{`{"enabled":1}`, []string{`USER: enabled is 1 but must be true or false.`}},
		{`{"preset":"steak"}`, []string{`USER: preset is "steak" but must be ` + allPresets + ` (did you mean streak?).`}},
		{`{"preset":"Streak"}`, []string{`USER: preset is "Streak" but must be ` + allPresets + ` (did you mean streak?).`}},
		{`{"preset":" streak"}`, []string{`USER: preset is " streak" but must be ` + allPresets + ` (did you mean streak?).`}},
		{`{"preset":"none at all"}`, []string{`USER: preset is "none at all" but must be ` + allPresets + `.`}},
		{`{"preset":true}`, []string{`USER: preset is true but must be ` + allPresets + `.`}},
		{`{"preset":"\u001b\u202e"}`, []string{`USER: preset is "\x1b\u202e" but must be ` + allPresets + `.`}},
		{`{"streak":{"ignoreTools":"todo"}}`, []string{`USER: streak.ignoreTools is "todo" but must be a list of names, none twice.`}},
		{`{"streak":{"ignoreTools":["todo", 3]}}`, []string{`USER: streak.ignoreTools is ["todo",3] but must be a list of names, none twice.`}},
		{`{"streak":{"ignoreTools":["a","b","a"]}}`, []string{`USER: streak.ignoreTools is ["a","b","a"] but must be a list of names, none twice.`}},
		{`{"streak":{"ignoreTools":[""]}}`, []string{`USER: streak.ignoreTools is [""] but must be a list of names, none twice.`}},
		{`{"streak":{"ignoreTools":["` + strings.Repeat("x", 100) + `",1]}}`, []string{`USER: streak.ignoreTools is ["` + strings.Repeat("x", 58) + `... but must be a list of names, none twice.`}},
		{`{"streak":3}`, []string{`USER: streak is 3 but must be an object.`}},
		{`{"streak":null}`, []string{`USER: streak is null but must be an object.`}},
		{`{"$schema":3}`, []string{`USER: $schema is 3 but must be a string.`}},

		// Several, in order.
		{`{"streak":{"warn":true,"wran":1},"enabled":0,"x":0}`, []string{
			`USER: streak.warn is true but must be an integer from 0 (off) to 1000.`,
			`USER: streak.wran is not a setting (did you mean streak.warn?).`,
			`USER: enabled is 0 but must be true or false.`,
			`USER: x is not a setting.`,
		}},

		// Whole files.
		{``, []string{`USER is empty but must hold an object, {} at the least.`}},
		{" \n", []string{`USER is empty but must hold an object, {} at the least.`}},
		{`[1, 2]`, []string{`USER is [1,2] but must be an object; nothing in it counts.`}},
		{`"{}"`, []string{`USER is "{}" but must be an object; nothing in it counts.`}},
		{"{\n  \"é\": tru,\n}", []string{`USER is not valid JSON at line 2, column 11: invalid character ',' in literal true (expecting 'e'); nothing in it counts.`}},
		{"{\"enabled\": false,\r\n}", []string{`USER is not valid JSON at line 2, column 1: invalid character '}' at start of string (expecting '"'); nothing in it counts.`}},
		{`{"enabled":false`, []string{`USER is not valid JSON at line 1, column 17: unexpected EOF; nothing in it counts.`}},
		{`{"enabled":false} {}`, []string{`USER is not valid JSON at line 1, column 19: more text after the value; nothing in it counts.`}},
		{`{"enabled":false}}`, []string{`USER is not valid JSON at line 1, column 18: more text after the value; nothing in it counts.`}},
		{"// {}", []string{`USER is not valid JSON at line 1, column 1: invalid character '/' at start of value; nothing in it counts.`}},
		{"{\"enabled\":\"\xff\"}", []string{`USER is not valid JSON at line 1, column 13: invalid UTF-8; nothing in it counts.`}},
		{"\ufeff{}", []string{`USER is not valid JSON at line 1, column 1: invalid character '\ufeff' at start of value; nothing in it counts.`}},
		{strings.Repeat("[", 20000), []string{`USER is not valid JSON at line 1, column 10001: exceeded max depth; nothing in it counts.`}},
		{`{}` + strings.Repeat(" ", maxFile-2), nil},
		{`{}` + strings.Repeat(" ", maxFile-1), []string{`USER cannot be read: it is larger than 1 MiB; nothing in it counts.`}},
	} {
		h := newHost(t)
		h.write(h.userFile(), tt.text)
		s := Sources{AgentDir: h.agent}
		if told := h.told(Load(s)); !slices.Equal(told, tt.says) {
			t.Errorf("%.80q:\n%s\nwant\n%s", tt.text, strings.Join(told, "\n"), strings.Join(tt.says, "\n"))
		}

		// The rest of the file counts.
		rest, ok := strings.CutPrefix(tt.text, "{")
		spoilt := strings.Contains(strings.Join(tt.says, ""), "nothing in it counts")
		if !ok || spoilt || strings.TrimSpace(rest) == "}" {
			continue
		}
		h.write(h.userFile(), `{"turns":{"duplicates":77},`+rest)
		if c := Load(s); c.Policy.Turns.Duplicates != 77 || !slices.Equal(h.told(c), tt.says) {
			t.Errorf("%.80q spoils what stands beside it: %q", tt.text, h.told(c))
		}
	}
}

func TestManyProblemsAreCounted(t *testing.T) {
	h := newHost(t)
	var text strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&text, `"x%d":1,`, i)
	}
	h.write(h.userFile(), `{`+text.String()+`"enabled":false}`)
	h.write(h.projectFile(), `{"y":1}`)
	c := Load(h.trusted())
	told := h.told(c)
	if c.Enabled || len(told) != 22 || told[19] != "USER: x19 is not a setting." ||
		told[20] != "USER has more problems than these, 49980." || told[21] != "PROJECT: y is not a setting." {
		t.Errorf("%v, %q", c.Enabled, told)
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	h := newHost(t)
	for _, folder := range []string{h.userFile(), h.projectFile()} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s := h.trusted()
	s.Flags.Config = filepath.Join(h.agent, "no.json")
	want := []string{
		"USER cannot be read: it is not a regular file; nothing in it counts.",
		"PROJECT cannot be read: it is not a regular file; nothing in it counts.",
		"AGENT/no.json cannot be read: no such file or directory; nothing in it counts.",
	}
	if told := h.told(Load(s)); !slices.Equal(told, want) {
		t.Errorf("%q", told)
	}

	// Named where it would be anyway, a file must exist; it is told of once.
	h = newHost(t)
	s = h.trusted()
	s.Flags.Config = h.userFile()
	want = []string{"USER cannot be read: no such file or directory; nothing in it counts."}
	if told := h.told(Load(s)); !slices.Equal(told, want) {
		t.Errorf("%q", told)
	}

	// A file where a folder would be is no file there either.
	h = newHost(t)
	h.write(filepath.Join(h.project, ".pi"), "")
	if told := h.told(Load(h.trusted())); len(told) != 0 {
		t.Errorf("%q", told)
	}
	if bare(os.ErrClosed) != os.ErrClosed {
		t.Error("an error without a path is lost")
	}
}

// The path of a file cannot write to the terminal either.
func TestPathsAreShownPlainly(t *testing.T) {
	p := Problem{Origin: "/tmp/\x1b[31mred", Reason: "is empty"}
	if got := p.String(); got != `"/tmp/\x1b[31mred" is empty.` {
		t.Error(got)
	}
}

func TestSlips(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		n    int
	}{
		{"", "", 0}, {"a", "", 1}, {"", "ab", 2}, {"warn", "warn", 0}, {"wran", "warn", 1}, {"wrn", "warn", 1},
		{"waarn", "warn", 1}, {"wann", "warn", 1}, {"want", "warn", 2}, {"awrn", "warn", 1}, {"nraw", "warn", 3}, {"abcd", "dcba", 3},
		{"a", "abcdefghijkl", 8},
	} {
		if n := slips(tt.a, tt.b); n != tt.n || slips(tt.b, tt.a) != n {
			t.Errorf("%s and %s: %d, want %d", tt.a, tt.b, n, tt.n)
		}
	}
}
