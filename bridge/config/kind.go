package config

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// kind is what a setting may hold.
type kind interface {
	// json and text read a value from a file, and from a variable or flag. They
	// return false for one that is not allowed.
	json(jsontext.Value) (any, bool)
	text(string) (any, bool)
	// allowed completes "must be" for the one and the other.
	allowed() (json, text string)
	// schema is what a JSON Schema says of it.
	schema() object
}

// integer is a whole number within bounds. Its place is an int.
type integer struct{ min, max int }

// json takes every spelling of an integer, as JSON Schema does: 3, 3.0, 30e-1.
func (k integer) json(v jsontext.Value) (any, bool) {
	if v.Kind() != '0' {
		return nil, false
	}
	f, err := strconv.ParseFloat(string(v), 64)
	if err != nil || f != math.Trunc(f) || f < float64(k.min) || f > float64(k.max) {
		return nil, false
	}
	return int(f), true
}

func (k integer) text(s string) (any, bool) {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	return n, err == nil && n >= k.min && n <= k.max
}

func (k integer) allowed() (json, text string) {
	off := ""
	if k.min == 0 {
		off = " (off)"
	}
	s := fmt.Sprintf("an integer from %d%s to %d", k.min, off, k.max)
	return s, s
}

func (k integer) schema() object {
	return object{{"type", "integer"}, {"minimum", k.min}, {"maximum", k.max}}
}

// stage is the count at which a stage of the measures speaks; null, 0 and less
// switch it off. Its place is an int, 0 where it is off.
type stage struct{ max int }

func (k stage) json(v jsontext.Value) (any, bool) {
	if v.Kind() == 'n' {
		return 0, true
	}
	if v.Kind() != '0' {
		return nil, false
	}
	f, err := strconv.ParseFloat(string(v), 64)
	if err != nil || f != math.Trunc(f) || f > float64(k.max) {
		return nil, false
	}
	return int(max(0, f)), true
}

func (k stage) text(s string) (any, bool) {
	if s = strings.TrimSpace(s); s == "null" {
		return 0, true
	}
	n, err := strconv.Atoi(s)
	return max(0, n), err == nil && n <= k.max
}

func (k stage) allowed() (json, text string) {
	s := fmt.Sprintf("an integer up to %d, or null; null, 0 and less are off", k.max)
	return s, s
}

func (k stage) schema() object {
	return object{{"type", []string{"integer", "null"}}, {"maximum", k.max}}
}

// limit is a whole number within bounds, or null, which is off. Its place is an
// int, 0 where it is off.
type limit struct{ min, max int }

func (k limit) json(v jsontext.Value) (any, bool) {
	if v.Kind() == 'n' {
		return 0, true
	}
	return integer(k).json(v)
}

func (k limit) text(s string) (any, bool) {
	if strings.TrimSpace(s) == "null" {
		return 0, true
	}
	return integer(k).text(s)
}

func (k limit) allowed() (json, text string) {
	s := fmt.Sprintf("an integer from %d to %d, or null (off)", k.min, k.max)
	return s, s
}

func (k limit) schema() object {
	return object{{"type", []string{"integer", "null"}}, {"minimum", k.min}, {"maximum", k.max}}
}

// boolean is true or false. Its place is a bool.
type boolean struct{}

func (boolean) json(v jsontext.Value) (any, bool) {
	return v.Kind() == 't', v.Kind() == 't' || v.Kind() == 'f'
}

func (boolean) text(s string) (any, bool) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "true", "yes", "on", "1":
		return true, true
	case "false", "no", "off", "0":
		return false, true
	}
	return nil, false
}

func (boolean) allowed() (json, text string) {
	return "true or false", "true or false (or yes, no, on, off, 1, 0)"
}

func (boolean) schema() object { return object{{"type", "boolean"}} }

// list is any number of names. Its place is a []string. In text they are
// separated by commas, and the empty text is the empty list.
type list struct{}

func (list) json(v jsontext.Value) (any, bool) {
	if v.Kind() != '[' {
		return nil, false
	}
	names := []string{}
	for _, element := range elements(v) {
		if element.Kind() != '"' {
			return nil, false
		}
		names = append(names, unquote(element))
	}
	return names, sound(names)
}

func (list) text(s string) (any, bool) {
	names := []string{}
	for name := range strings.SplitSeq(s, ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names, sound(names)
}

func sound(names []string) bool {
	seen := map[string]bool{}
	for _, name := range names {
		if name == "" || seen[name] {
			return false
		}
		seen[name] = true
	}
	return true
}

func (list) allowed() (json, text string) {
	return "a list of names, none twice", "a list of names with commas between them, none twice"
}

func (list) schema() object {
	return object{
		{"type", "array"},
		{"items", object{{"type", "string"}, {"minLength", 1}}},
		{"uniqueItems", true},
	}
}

// choice is one of some words. Its place is a string.
type choice []string

func (k choice) json(v jsontext.Value) (any, bool) {
	if v.Kind() != '"' {
		return nil, false
	}
	s := unquote(v)
	return s, slices.Contains(k, s)
}

func (k choice) text(s string) (any, bool) {
	s = strings.TrimSpace(s)
	return s, slices.Contains(k, s)
}

func (k choice) allowed() (json, text string) {
	last := len(k) - 1
	s := strings.Join(k[:last], ", ") + " or " + k[last]
	return s, s
}

func (k choice) schema() object {
	return object{{"type", "string"}, {"enum", []string(k)}}
}

// oneName is a name. Its place is a string.
type oneName struct{}

func (oneName) json(v jsontext.Value) (any, bool) {
	s := unquote(v)
	return s, s != ""
}

func (oneName) text(s string) (any, bool) { return s, s != "" }

func (oneName) allowed() (json, text string) { return "a name", "a name" }

func (oneName) schema() object { return object{{"type", "string"}, {"minLength", 1}} }

// folder is the path of a folder within another: names with slashes between
// them, none of which leads out. Its place is a string.
type folder struct{}

const folderPattern = `^\.?[A-Za-z0-9_-][A-Za-z0-9._-]*(/\.?[A-Za-z0-9_-][A-Za-z0-9._-]*)*$`

var folderShape = regexp.MustCompile(folderPattern)

func (folder) json(v jsontext.Value) (any, bool) {
	s := unquote(v)
	return s, v.Kind() == '"' && folderShape.MatchString(s)
}

func (folder) text(s string) (any, bool) {
	s = strings.TrimSpace(s)
	return s, folderShape.MatchString(s)
}

func (folder) allowed() (json, text string) {
	s := "a folder below the workspace, such as fetched or data/web (letters, digits, . _ - and /)"
	return s, s
}

func (folder) schema() object {
	return object{{"type", "string"}, {"pattern", folderPattern}}
}

// set puts a value that the setting's kind has read in its place.
func (s *setting) set(c *Config, v any) {
	switch place := s.at(c).(type) {
	case *int:
		*place = v.(int)
	case *bool:
		*place = v.(bool)
	case *string:
		*place = v.(string)
	case *[]string:
		*place = v.([]string)
	case *map[string]int:
		*place = merged(*place, v)
	case *map[string]string:
		*place = merged(*place, v)
	case *map[string][]string:
		*place = merged(*place, v)
	}
}

// get returns the setting's value: an int, a bool, a string, a []string, nil for a
// limit that is off, or a map[string]any of such values.
func (s *setting) get(c *Config) any {
	switch place := s.at(c).(type) {
	case *int:
		return s.outward(*place)
	case *bool:
		return *place
	case *string:
		return *place
	case *[]string:
		return *place
	case *map[string]int:
		return spread(*place)
	case *map[string]string:
		return spread(*place)
	case *map[string][]string:
		return spread(*place)
	}
	return nil
}

// outward is a value as others see it: that of a limit which is off is none.
func (s *setting) outward(v any) any {
	if _, ok := s.kind.(limit); ok && v == 0 {
		return nil
	}
	return v
}
