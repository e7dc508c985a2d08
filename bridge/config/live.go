package config

import (
	"strings"

	"github.com/loopbreaker/loopbreaker/guard"
)

// live are the settings that a person is offered to change while a session runs,
// in the order of the table. Every other takes effect as soon: these are the ones
// that are wanted then.
var live = []string{
	"preset", "enabled",
	"window.calls", "window.block",
	"streak.warn", "streak.block",
	"turns.duplicates", "turns.consecutive",
	"measures.warnAt", "measures.summarizeAt", "measures.failWarnAt", "measures.failLimit", "measures.onLimit",
	"measures.blockShellHttp", "measures.blockLocalHttp", "measures.shellHttpAllow",
	"rejected.note", "rejected.steer", "rejected.abort",
	"repeat.note", "repeat.block", "stale.note", "stale.block", "polling.block",
	"ladder.refusals", "ladder.strikes",
}

// Live is a setting as a person is offered it.
type Live struct {
	Setting
	// Shown is the value for a person to read.
	Shown string `json:"shown"`
	// Default is the value where nothing sets it.
	Default any `json:"default"`
	// Choices are all values there are, as JSON; none where they are not counted.
	Choices []any `json:"choices,omitzero"`
	// Allowed completes "must be", and Help says what the setting is for.
	Allowed string `json:"allowed"`
	Help    string `json:"help"`
}

// Live returns the settings to change while a session runs.
func (c *Config) Live() []Live {
	all := make([]Live, 0, len(live))
	for _, path := range live {
		all = append(all, c.live(find(path)))
	}
	return all
}

// Setting returns the setting of that path, whether it is offered or not.
func (c *Config) Setting(path string) (l Live, known bool) {
	index := find(path)
	if index < 0 {
		return l, false
	}
	return c.live(index), true
}

func (c *Config) live(index int) Live {
	s := settings[index]
	_, allowed := s.kind.allowed()
	if _, many := s.kind.(list); many {
		allowed += "; [] for none"
	}
	value := s.get(c)
	return Live{
		Setting: Setting{s.path, value, plain(c.from[index].from)}, Shown: strings.Join(words(value), ", "),
		Default: s.get(c.unset()), Choices: choices(s.kind), Allowed: allowed, Help: s.doc,
	}
}

// unset is the configuration with nothing set but the preset.
func (c *Config) unset() *Config {
	preset, _ := guard.FindPreset(c.Preset)
	return &Config{Preset: guard.DefaultPreset, Enabled: true, Policy: preset.Policy}
}

func choices(k kind) (all []any) {
	switch k := k.(type) {
	case boolean:
		return []any{true, false}
	case choice:
		for _, word := range k {
			all = append(all, word)
		}
	}
	return all
}
