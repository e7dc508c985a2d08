package config

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Problem is something in the configuration that does not count, or has no
// effect.
type Problem struct {
	// Origin is the path of the file, "environment" or "flag"; "" for what a person
	// wants to save.
	Origin string `json:"origin"`
	// Path is what it is about: in a file the setting, in the environment the
	// variable, on the command line the flag. It is "" for a whole file.
	Path string `json:"path,omitzero"`
	// Value is what was stated there, "" if the value is not what is wrong.
	Value string `json:"value,omitzero"`
	// Reason completes the sentence; it says what is allowed.
	Reason string `json:"reason"`
}

// Origins that are no file.
const (
	originEnvironment = "environment"
	originFlag        = "flag"
)

// String is one sentence for the user.
func (p Problem) String() string {
	s := p.Path
	switch {
	case p.Path == "":
		s = plain(p.Origin)
	case p.Origin != "":
		s = plain(p.Origin) + ": " + p.Path
	}
	if p.Value != "" {
		s += " is " + p.Value + " but"
	}
	return s + " " + p.Reason + "."
}

// Error is the sentence, where a problem is why something was not done.
func (p Problem) Error() string { return p.String() }

// maxShown is how many characters of what was stated are repeated.
const maxShown = 60

func shorten(s string) string {
	if utf8.RuneCountInString(s) <= maxShown {
		return s
	}
	return string([]rune(s)[:maxShown]) + "..."
}

func quoted(s string) string { return strconv.Quote(shorten(s)) }

// plain is text that a terminal may be given: as it is, else quoted.
func plain(s string) string {
	odd := func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) }
	if s == "" || strings.ContainsFunc(s, odd) {
		return strconv.Quote(s)
	}
	return s
}

// meant suggests the word of a choice that s may have been meant for, or says
// what has become of it.
func meant(s string, index int) string {
	if instead := removedValues[settings[index].path+"="+s]; instead != "" {
		return " (" + s + " was removed: " + instead + ")"
	}
	words, _ := settings[index].kind.(choice)
	return didYouMean(s, words)
}

const notSetting = "is not a setting"

// unknown says of a path without a setting that it has none, and what to do where
// it had one in the system that the setting's group follows.
func unknown(path string) string {
	if instead := removed[path]; instead != "" {
		return "was removed: " + instead
	}
	return notSetting
}

// didYouMean suggests one of the known names for one that is not known.
func didYouMean(name string, known []string) string {
	if n := nearest(name, known); n != "" {
		return " (did you mean " + n + "?)"
	}
	return ""
}

// nearest returns the known name that is a few slips of the finger away from
// name, or that ends in it; "" if none does.
func nearest(name string, known []string) string {
	best, least := "", len(name)
	for _, k := range known {
		word := k[strings.LastIndexAny(k, "._")+1:]
		if n := slips(strings.ToLower(name), strings.ToLower(k)); n < least && n <= 1+len(word)/4 {
			best, least = k, n
		}
	}
	for _, k := range known {
		if best == "" && len(name) > 1 && strings.HasSuffix(k, "."+name) {
			best = k
		}
	}
	return best
}

// slips counts the letters to put in, leave out, replace or swap with the next
// to get from a to b. Lengths too far apart are not counted out.
func slips(a, b string) int {
	if d := len(a) - len(b); d > 8 || d < -8 {
		return 8
	}
	var older, old, row []int
	for i := range len(a) + 1 {
		older, old, row = old, row, make([]int, len(b)+1)
		for j := range row {
			switch {
			case i == 0 || j == 0:
				row[j] = i + j
			case a[i-1] == b[j-1]:
				row[j] = old[j-1]
			default:
				row[j] = 1 + min(old[j-1], old[j], row[j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
