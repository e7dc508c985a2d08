package config

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"
)

var update = flag.Bool("update", false, "write what is generated from the table")

// Where a page has a table of settings.
const tableBegins, tableEnds = "<!-- settings: go generate ./bridge/config -->\n", "<!-- /settings -->"

func TestGeneratedSchemaIsCurrent(t *testing.T) {
	path := filepath.Join("..", "..", "shim", "schema.json")
	if *update {
		if err := os.WriteFile(path, Schema(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(path); err != nil || !bytes.Equal(text, Schema()) {
		t.Errorf("shim/schema.json is not what the table says: run go generate ./bridge/config (%v)", err)
	}
}

func TestGeneratedTablesAreCurrent(t *testing.T) {
	for path, table := range map[string]string{"SETTINGS.md": allSettings(), "../../README.md": changedMostOften()} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		before, rest, begins := strings.Cut(string(text), tableBegins)
		_, after, ends := strings.Cut(rest, tableEnds)
		if !begins || !ends {
			t.Errorf("%s has no %s%s", path, tableBegins, tableEnds)
			continue
		}
		want := before + tableBegins + table + tableEnds + after
		if *update {
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if want != string(text) {
			t.Errorf("the settings in %s are not what the table says: run go generate ./bridge/config", path)
		}
	}
}

// allSettings is the table of the page about them.
func allSettings() string {
	out := "| setting | allowed | what it says | older name |\n|---|---|---|---|\n"
	for _, s := range settings {
		allowed, _ := s.kind.allowed()
		old := "`" + strings.Join(s.old, "`, `") + "`"
		if s.old == nil {
			old = ""
		}
		out += fmt.Sprintf("| `%s` | %s | %s | %s |\n", s.path, allowed, s.doc, old)
	}
	return out
}

// changedMostOften is the table of the README.
func changedMostOften() string {
	out := "| setting | by default | allowed | what it says |\n|---|---|---|---|\n"
	c := Load(Sources{})
	for _, path := range []string{
		"preset", "enabled", "repeat.note", "repeat.block", "stale.note", "stale.block", "polling.note", "polling.block",
		"rejected.abort", "text.guard", "truncation.rewrite", "ladder.strikes", "ladder.recover", "fetch.enabled",
	} {
		s := settings[find(path)]
		allowed, _ := s.kind.allowed()
		out += fmt.Sprintf("| `%s` | %v | %s | %s |\n", path, s.get(c), allowed, s.doc)
	}
	return out
}

func TestRowsOfTheTable(t *testing.T) {
	for _, row := range []string{
		"| `preset` | " + allPresets + " | the set of numbers that hold where nothing else sets them |  |\n",
		"| `streak.warn` | an integer from 0 (off) to 1000 | warn at so many equal results in a row; below streak.block | `LOOP_GUARD_WARN_THRESHOLD` |\n",
	} {
		if !strings.Contains(allSettings(), row) {
			t.Errorf("%s is not in\n%s", row, allSettings())
		}
	}
}

// validator returns the schema as another program reads it.
func validator(t testing.TB) *jsonschema.Resolved {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal(Schema(), &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

// Every keyword of the schema is one, every object is closed and everything is
// described.
func TestSchemaIsSound(t *testing.T) {
	root := validator(t).Schema()
	if root.Schema != "https://json-schema.org/draft/2020-12/schema" {
		t.Errorf("the draft is %q", root.Schema)
	}
	var walk func(path string, s *jsonschema.Schema)
	walk = func(path string, s *jsonschema.Schema) {
		if len(s.Extra) > 0 {
			t.Errorf("%s: no keywords of a schema: %v", path, s.Extra)
		}
		if s.Description == "" && path != "" {
			t.Errorf("%s is not described", path)
		}
		if s.Type == "object" && (s.AdditionalProperties == nil || s.AdditionalProperties.Not == nil) {
			t.Errorf("%s: any member passes", path)
		}
		for name, p := range s.Properties {
			walk(path+"/"+name, p)
		}
	}
	walk("", root)
	for _, s := range settings {
		at := root
		for name := range strings.SplitSeq(s.path, ".") {
			if at = at.Properties[name]; at == nil {
				t.Fatalf("%s is not in the schema", s.path)
			}
		}
		if at.Description != s.doc+off(s.kind) {
			t.Errorf("%s is described as %q", s.path, at.Description)
		}
	}
}

// verdicts returns what schema and loader say of a file. ok is false where a
// schema has no say: on text that is not JSON, names that stand twice, numbers
// that no double holds.
func verdicts(schema *jsonschema.Resolved, text []byte) (bySchema, byLoader error, ok bool) {
	var value any
	if !jsontext.Value(text).IsValid() || json.Unmarshal(text, &value) != nil {
		return nil, nil, false
	}
	var l loader
	l.readFile("file", text)
	if len(l.problems) > 0 {
		byLoader = fmt.Errorf("%s", l.problems)
	}
	return schema.Validate(value), byLoader, true
}

// Of each setting with each of these values, and of objects with names and
// values out of place, schema and loader say the same.
func TestSchemaAndLoaderAgree(t *testing.T) {
	schema := validator(t)
	values := []string{
		`null`, `true`, `false`, `""`, `"x"`, `"true"`, `"3"`, `{}`, `{"warn":1}`, `[]`, `[1]`, `[null]`, `[[]]`,
		`-1`, `-0`, `0`, `0.0`, `0.5`, `1`, `1.0`, `1e0`, `10e-1`, `20`, `999.5`, `1e3`, `1000`, `1000.0`, `1000.5`, `1001`, `1e9`, `1e300`, `-1e-300`,
		`["a"]`, `["a","b"]`, `["a","a"]`, `["a","A"]`, `["a","\u0061"]`, `[""]`, `[" "]`, `["a",1]`, `["a",null]`, `["é","e"]`,
		`"a/b"`, `"a//b"`, `"/a"`, `"a/"`, `"."`, `".."`, `"../a"`, `"a/../b"`, `"a/./b"`, `".a"`, `"..a"`, `"a..b"`, `"C:\\a"`, `"a\\b"`, `"a b"`, `"a\n"`,
	}
	for _, name := range presets() {
		values = append(values, fmt.Sprintf("%q", name), fmt.Sprintf("%q", name+" "), fmt.Sprintf("%q", strings.ToUpper(name)))
	}
	var texts []string
	for _, v := range values {
		texts = append(texts, v, `{"$schema":`+v+`}`, `{"x":`+v+`}`, `{"streak":{"x":`+v+`}}`)
		for group := range groups {
			texts = append(texts, fmt.Sprintf(`{%q:%s}`, group, v))
		}
		for _, path := range paths {
			texts = append(texts, nested(path, v), nested("x."+path, v), nested(path+".x", v), fmt.Sprintf(`{%q:%s}`, path, v),
				nested(strings.ToUpper(path), v), fmt.Sprintf(`{"enabled":true,%s`, nested(path, v)[1:]))
		}
	}
	var good, bad int
	for _, text := range texts {
		bySchema, byLoader, ok := verdicts(schema, []byte(text))
		switch {
		case !ok:
		case (bySchema == nil) != (byLoader == nil):
			t.Errorf("%s: the schema says %v, the loader %v", text, bySchema, byLoader)
		case bySchema == nil:
			good++
		default:
			bad++
		}
	}
	t.Logf("%d sound files, %d unsound ones", good, bad)
	if good < 200 || bad < 2000 {
		t.Errorf("%d sound files and %d unsound ones prove little", good, bad)
	}
}

// nested is the object in which a setting has a value.
func nested(path, value string) string {
	for _, name := range slices.Backward(strings.Split(path, ".")) {
		value = fmt.Sprintf("{%q:%s}", name, value)
	}
	return value
}

// Whatever a file holds, there is a configuration that the guard can go by, and
// every problem says something.
func FuzzLoad(f *testing.F) {
	for _, text := range []string{
		"", "{}", "[", "null", `{"preset":"streak","streak":{"warn":9,"block":2}}`, `{"streak":{"ignoreTools":["a","b"]}}`,
		`{"streak":1,"streak":{}}`, "{\"\\ud800\":1}", "{\n\"enabled\":fals}", `{"window":{"calls":1e3,"perPrompt":true}}`,
		`{"rejected":{"calls":5,"note":1,"steer":2,"abort":9}}`, `{"$schema":"x","ladder":{"recover":false}}`, "\xff",
		`{"measures":{"limits":{"exact":5,"x":1,"net":null},"warnAt":-1,"failLimit":null,"ignoreArgs":{"*":["a"]},"hostAliases":{"a.example":"b.example"}}}`,
	} {
		f.Add([]byte(text))
	}
	schema := validator(f)
	path := filepath.Join(f.TempDir(), "loopbreaker.json")
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		c := Load(Sources{Flags: Flags{Config: path}})
		for i, s := range c.Settings() {
			if s.From == "" {
				t.Errorf("%s comes from nowhere", s.Path)
			}
			if k, ok := settings[i].kind.(integer); ok && (s.Value.(int) < 0 || s.Value.(int) > k.max) {
				t.Errorf("%s is %v", s.Path, s.Value)
			}
		}
		if !slices.Contains(presets(), c.Preset) {
			t.Errorf("the preset is %q", c.Preset)
		}
		if w := c.Policy.Streak; w.Warn >= w.Block && w.Block > 0 {
			t.Errorf("%+v", w)
		}
		if w := c.Policy.Window; w.Block > w.Calls {
			t.Errorf("%+v", w)
		}
		for measure, limit := range c.Policy.Measures.Limits {
			if limit == 1 || limit < 0 || limit > 1000 {
				t.Errorf("the limit of %s is %d", measure, limit)
			}
		}
		for _, p := range c.Problems {
			if s := p.String(); p.Origin == "" || p.Reason == "" || !strings.HasSuffix(s, ".") || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' }) {
				t.Errorf("%+v", p)
			}
		}
		var out bytes.Buffer
		if err := c.Table(&out, true); err != nil {
			t.Error(err)
		}
		out.Reset()
		if err := c.WriteJSON(&out); err != nil || !json.Valid(out.Bytes()) {
			t.Errorf("%v\n%s", err, out.String())
		}
		if bySchema, byLoader, ok := verdicts(schema, text); ok && (bySchema == nil) != (byLoader == nil) {
			t.Errorf("the schema says %v, the loader %v", bySchema, byLoader)
		}
	})
}
