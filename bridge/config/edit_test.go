package config

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestEdit(t *testing.T) {
	tests := []struct{ name, text, path, value, want string }{
		{"a value in its place", `{ "preset" : "streak" ,"window":{"block":5 } }`, "window.block", "7", `{ "preset" : "streak" ,"window":{"block":7 } }`},
		{"an empty file", "{}\n", "window.block", "4", "{\n  \"window\": {\n    \"block\": 4\n  }\n}\n"},
		{"the first of all", "{}\n", "preset", `"turns"`, "{\n  \"preset\": \"turns\"\n}\n"},
		{"beside others, in lines", "{\n\t\"preset\": \"turns\"\n}\n", "window.block", "4", "{\n\t\"preset\": \"turns\",\n\t\"window\": {\n\t  \"block\": 4\n\t}\n}\n"},
		{"beside others of a group", "{\n  \"window\": {\n    \"calls\": 9\n  }\n}", "window.block", "4", "{\n  \"window\": {\n    \"calls\": 9,\n    \"block\": 4\n  }\n}"},
		{"beside others, on one line", `{"preset": "turns", "enabled": true}`, "window.block", "4", `{"preset": "turns", "enabled": true, "window": {"block": 4}}`},
		{"beside one, on one line", `{"preset":"turns"}`, "enabled", "false", `{"preset":"turns", "enabled": false}`},
		{"in a group that is empty", "{\n  \"window\": {}\n}", "window.block", "4", "{\n  \"window\": {\n    \"block\": 4\n  }\n}"},
		{"names with escapes", `{"\u0077indow": {"bl\u006fck": 1}}`, "window.block", "4", `{"\u0077indow": {"bl\u006fck": 4}}`},
		{"a list", `{"streak": {"ignoreTools": ["a", "}"], "warn": 3}}`, "streak.ignoreTools", `["b"]`, `{"streak": {"ignoreTools": ["b"], "warn": 3}}`},

		{"out, the only one", "{\n  \"preset\": \"turns\"\n}\n", "preset", "", "{}\n"},
		{"out, the first", `{"preset": "turns", "enabled": true}`, "preset", "", `{"enabled": true}`},
		{"out, the last", "{\n  \"preset\": \"turns\",\n  \"enabled\": true\n}", "enabled", "", "{\n  \"preset\": \"turns\"\n}"},
		{"out, and the group with it", `{"preset": "turns", "window": {"block": 4}}`, "window.block", "", `{"preset": "turns"}`},
		{"out of a group", `{"window": {"calls": 9, "block": 4, "perPrompt": true}}`, "window.block", "", `{"window": {"calls": 9, "perPrompt": true}}`},
		{"out where it is not", `{"window": {"calls": 9}}`, "window.block", "", `{"window": {"calls": 9}}`},
		{"out where its group is not", `{"preset": "turns"}`, "window.block", "", `{"preset": "turns"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var value jsontext.Value
			if tt.value != "" {
				value = jsontext.Value(tt.value)
			}
			if got := string(edit([]byte(tt.text), tt.path, value)); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// FuzzEdit edits any file: what was valid stays valid, the setting is what it
// should be, and everything else is as it was.
func FuzzEdit(f *testing.F) {
	for _, text := range []string{
		`{}`, "{ }\n", `{"window":{}}`, "{\n  \"window\": {\n    \"calls\": 9\n  },\n  \"x\": [1, {\"block\": 2}]\n}\n",
		`{"window": {"block": 1, "block": 2}}`, "\t{\"\\u0077indow\" : {} , \"a\":\"}\"}\r\n", `{"a":1,"window":{"block":3},"b":2}`,
	} {
		f.Add(text, true)
		f.Add(text, false)
	}
	f.Fuzz(func(t *testing.T, text string, put bool) {
		root, _, err := parse([]byte(text))
		if err != nil || root.Kind() != '{' {
			t.Skip()
		}
		groups := 0
		for _, m := range members(root) {
			if m.name == "window" {
				if groups++; groups > 1 || m.value.Kind() != '{' {
					t.Skip()
				}
			}
		}
		var value jsontext.Value
		if put {
			value = jsontext.Value("4")
		}
		edited := edit([]byte(text), "window.block", value)
		now, _, err := parse(edited)
		if err != nil {
			t.Fatalf("%q became %q: %v", text, edited, err)
		}
		if blocks := said(now, "window.block"); put && (len(blocks) == 0 || blocks[0] != "4") {
			t.Errorf("%q became %q", text, edited)
		} else if was := said(root, "window.block"); !put && len(was) == 1 && len(blocks) != 0 {
			t.Errorf("%q became %q", text, edited)
		}
		if was, is := others(root), others(now); was != is {
			t.Errorf("%q became %q: others were %s, are %s", text, edited, was, is)
		}
	})
}

// said is each value that stands at a path.
func said(root jsontext.Value, path string) (values []string) {
	group, name, _ := strings.Cut(path, ".")
	for _, m := range members(root) {
		if m.name != group {
			continue
		}
		for _, inner := range members(m.value) {
			if inner.name == name {
				values = append(values, string(inner.value))
			}
		}
	}
	return values
}

// others is everything but window.block, in order.
func others(root jsontext.Value) string {
	var b strings.Builder
	for _, m := range members(root) {
		if m.name != "window" {
			b.WriteString(m.name + "=" + string(m.value) + "\n")
			continue
		}
		for _, inner := range members(m.value) {
			if inner.name != "block" {
				b.WriteString("window." + inner.name + "=" + string(inner.value) + "\n")
			}
		}
	}
	return b.String()
}
