package config

import (
	"maps"
	"slices"
	"strings"
	"unicode"
)

// prefix begins the name that every setting has in the environment.
const prefix = "LOOPBREAKER_"

// variable is the name of a setting in the environment: streak.ignoreTools is
// LOOPBREAKER_STREAK_IGNORE_TOOLS.
func variable(path string) string {
	name := []byte(prefix)
	for _, r := range path {
		switch {
		case r == '.':
			r = '_'
		case unicode.IsUpper(r):
			name = append(name, '_')
		}
		name = append(name, byte(unicode.ToUpper(r)))
	}
	return string(name)
}

// readEnviron takes the settings from the environment. Old names are weaker than
// new ones. An empty variable is as good as none, but for a list it is the empty
// list.
func (l *loader) readEnviron(environ []string) {
	vars := map[string]string{}
	for _, v := range environ {
		name, value, _ := strings.Cut(v, "=")
		if strings.HasPrefix(name, prefix) || strings.Contains(name, "LOOP_GUARD_") {
			vars[name] = value
		}
	}
	if len(vars) == 0 {
		return
	}
	for i, s := range settings {
		for _, name := range append(slices.Clone(s.old), variable(s.path)) {
			value, ok := vars[name]
			delete(vars, name)
			if _, many := s.kind.(list); ok && (value != "" || many) {
				l.giveText(i, value, originEnvironment, name, name)
			}
		}
	}

	for _, path := range slices.Sorted(maps.Keys(removed)) {
		if name := variable(path); vars[name] != "" {
			l.problem(originEnvironment, name, "", unknown(path))
			delete(vars, name)
		}
	}

	var strange []string
	for name := range vars {
		if strings.HasPrefix(name, prefix) && !strings.HasPrefix(name, foreignPrefix) && !slices.Contains(foreign, name) {
			strange = append(strange, name)
		}
	}
	slices.Sort(strange)
	for _, name := range strange {
		l.problem(originEnvironment, plain(name), "", "is not a setting"+didYouMean(name, variables()))
	}
}

// variables are the names that may begin as the settings' do.
func variables() []string {
	names := slices.Clone(foreign)
	for _, s := range settings {
		names = append(names, variable(s.path))
	}
	return names
}

// readFlags takes the settings from the flags.
func (l *loader) readFlags(f Flags) {
	if f.Preset != "" {
		l.giveText(find("preset"), f.Preset, originFlag, "--preset", "--preset")
	}
	for _, set := range f.Set {
		path, value, ok := strings.Cut(set, "=")
		index := find(path)
		switch {
		case !ok:
			l.problem(originFlag, "--set", quoted(set), "must be PATH=VALUE, such as streak.warn=3")
		case index < 0:
			reason := unknown(path)
			if reason == notSetting {
				reason += didYouMean(path, paths)
			}
			l.problem(originFlag, "--set "+plain(shorten(path)), "", reason)
		default:
			l.giveText(index, value, originFlag, "--set "+path, "--set")
		}
	}
}
