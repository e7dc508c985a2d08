package config

import (
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
)

// olderPrefixes begin the names of two older guards in the environment, of the
// systems streak and turns.
var olderPrefixes = []string{"LOOP_GUARD_", "PI_LOOP_GUARD_"}

// FromEnviron returns the text of a file that says what the older names in an
// environment say, and what the flags say beside them, so that they can be unset.
// What does not count there, or has no meaning here, is a Problem, and not in it.
func FromEnviron(environ []string, flags Flags) ([]byte, []Problem) {
	var older []string
	for _, v := range environ {
		if slices.ContainsFunc(olderPrefixes, func(prefix string) bool { return strings.HasPrefix(v, prefix) }) {
			older = append(older, v)
		}
	}
	c := Load(Sources{Environ: older, Flags: flags})
	problems := c.Problems
	for _, v := range older {
		name, value, _ := strings.Cut(v, "=")
		if value != "" && !slices.ContainsFunc(settings, func(s setting) bool { return slices.Contains(s.old, name) }) {
			problems = append(problems, Problem{originEnvironment, plain(name), "", notSetting})
		}
	}
	text := []byte("{}\n")
	slices.SortStableFunc(c.given, func(a, b given) int { return a.index - b.index }) // the stronger of two stays the later
	for _, g := range c.given {
		// What was read from a text is always a value of JSON.
		value, err := jsonv2.Marshal(settings[g.index].outward(g.value))
		if err != nil {
			problems = append(problems, Problem{g.origin, g.label, "", err.Error()})
			continue
		}
		text = edit(text, settings[g.index].path, value)
	}
	return text, problems
}
