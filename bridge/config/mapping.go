package config

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// mapping is a table of names with a value each. Its place is a map of them.
// Layers are merged entry by entry: what one layer says of a name leaves all
// others as a weaker layer has them, and null takes an entry away. In text entries
// are separated by commas, and a list within one by blanks.
type mapping struct {
	names *regexp.Regexp // what a name is like
	entry kind           // what it may have for a value
	// of completes "an object of", and example shows a text.
	of, example string
}

// json reads a whole object, and is as strict as a schema; readMapping tells
// what is wrong with each entry.
func (k mapping) json(v jsontext.Value) (any, bool) {
	if v.Kind() != '{' {
		return nil, false
	}
	entries := map[string]any{}
	for _, m := range members(v) {
		value, ok := k.value(m)
		if !ok {
			return nil, false
		}
		entries[m.name] = value
	}
	return entries, true
}

// value reads an entry.
func (k mapping) value(m member) (any, bool) {
	if !k.names.MatchString(m.name) {
		return nil, false
	}
	if m.value.Kind() == 'n' {
		return nil, true
	}
	return k.entry.json(m.value)
}

func (k mapping) text(s string) (any, bool) {
	entries := map[string]any{}
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		at := strings.LastIndex(part, "=")
		if at < 0 {
			return nil, false
		}
		name, text := strings.TrimSpace(part[:at]), strings.TrimSpace(part[at+1:])
		if _, twice := entries[name]; twice || !k.names.MatchString(name) {
			return nil, false
		}
		if text == "" || text == "null" {
			entries[name] = nil
			continue
		}
		if _, many := k.entry.(list); many {
			text = strings.Join(strings.Fields(text), ",")
		}
		value, ok := k.entry.text(text)
		if !ok {
			return nil, false
		}
		entries[name] = value
	}
	return entries, true
}

func (k mapping) allowed() (json, text string) {
	entry, _ := k.entry.allowed()
	entry = strings.TrimSuffix(entry, ", or null (off)")
	return fmt.Sprintf("an object of %s, for each %s, or null", k.of, entry), fmt.Sprintf("a text such as %s", k.example)
}

func (k mapping) schema() object {
	entry := k.entry.schema()
	if _, ok := k.entry.(limit); !ok { // which takes null by itself
		entry = object{{"anyOf", []object{entry, {{"type", "null"}}}}}
	}
	return object{
		{"type", "object"},
		{"patternProperties", object{{k.names.String(), entry}}},
		{"additionalProperties", false},
	}
}

// readMapping takes the sound entries of a table, and tells of the others.
func (l *loader) readMapping(origin string, index int, object jsontext.Value, most int) {
	k := settings[index].kind.(mapping)
	entries := map[string]any{}
	times := map[string]int{}
	all := members(object)
	for _, m := range all {
		times[m.name]++
	}
	for _, m := range all {
		path := settings[index].path + "." + plain(shorten(m.name))
		value, ok := k.value(m)
		switch {
		case times[m.name] == 0: // told already
		case times[m.name] > 1:
			times[m.name] = 0
			l.problem(origin, path, "", "is stated more than once, so it does not count")
		case !k.names.MatchString(m.name):
			reason := "is none of " + k.of
			if len(l.problems) < most {
				reason += didYouMean(m.name, kindsOf(k.names))
			}
			l.problem(origin, path, "", reason)
		case !ok:
			allowed, _ := k.entry.allowed()
			l.problem(origin, path, shown(m.value), "must be "+strings.TrimSuffix(allowed, ", or null (off)")+", or null")
		default:
			entries[m.name] = value
		}
	}
	if len(entries) > 0 {
		l.give(index, entries, origin, settings[index].path, origin)
	}
}

// kindsOf are the words of a pattern that begins with a choice of them.
func kindsOf(names *regexp.Regexp) []string {
	_, rest, ok := strings.Cut(names.String(), "(")
	if words, _, closed := strings.Cut(rest, ")"); ok && closed {
		return strings.Split(words, "|")
	}
	return nil
}

// merged puts entries over those that a weaker layer has. An entry that was taken
// away stays as the zero value, which counts as none, so that it can be told.
func merged[V any](weaker map[string]V, entries any) map[string]V {
	m := maps.Clone(weaker)
	if m == nil {
		m = map[string]V{}
	}
	for name, value := range entries.(map[string]any) {
		v, _ := value.(V)
		m[name] = v
	}
	return m
}

// spread is a map as it is shown: without a value where it has the zero value.
func spread[V any](m map[string]V) map[string]any {
	out := make(map[string]any, len(m))
	for name, value := range m {
		if v := reflect.ValueOf(value); v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0 {
			out[name] = nil
		} else {
			out[name] = value
		}
	}
	return out
}

// entryTexts are the entries of a shown map as text has them.
func entryTexts(m map[string]any) (texts []string) {
	for _, name := range slices.Sorted(maps.Keys(m)) {
		text := ""
		switch value := m[name].(type) {
		case nil:
			text = "null"
		case []string:
			text = strings.Join(value, " ")
		default:
			text = fmt.Sprint(value)
		}
		texts = append(texts, name+"="+text)
	}
	return texts
}
