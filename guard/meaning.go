package guard

import (
	"path"
	"slices"
	"strings"

	"github.com/loopbreaker/loopbreaker/canonical"
)

// meaning is what a call is about, beyond its letters.
type meaning struct {
	// key is equal for calls that differ in cosmetics only.
	key    canonical.Key
	kind   canonical.ToolKind
	effect effect
	// polls says that the call waits, or that its tool answers the same each
	// time it does something: to repeat it is its use.
	polls bool
}

// effect is what a call does to the state that other calls look at.
type effect uint8

const (
	mayChange effect = iota // nobody knows
	looksOnly               // nothing
	edits                   // it changes a file
)

// meaningOf reads a call. It costs nothing where no rule asks for it.
func (p Policy) meaningOf(c Call, key canonical.Key) meaning {
	m := meaning{key: key, kind: canonical.ToolKindOf(c.Tool)}
	if !p.Evidence.on() {
		return m
	}
	command, given := "", false
	if m.kind == canonical.ToolShell {
		if command, given = canonical.ShellCommand(c.Input); given {
			command, m.effect, m.polls = p.shell(command)
		}
	}
	if plain, err := canonical.PlainKey(c.Tool, m.kind, c.Input, c.LongTexts, command); err == nil {
		m.key = plain
	}
	switch m.kind {
	case canonical.ToolShell:
	case canonical.ToolRead, canonical.ToolSearch, canonical.ToolList, canonical.ToolFetch:
		m.effect = looksOnly
	case canonical.ToolEdit, canonical.ToolWrite:
		m.effect = edits
	default:
		if canonical.OnlyWaits(c.Input) {
			m.effect, m.polls = looksOnly, true
		}
	}
	m.polls = m.polls || p.Polling.of(c.Tool)
	return m
}

// of reports whether a tool answers the same each time it does something.
func (p Polling) of(tool string) bool {
	tool = strings.ToLower(tool)
	return slices.ContainsFunc(p.Tools, func(pattern string) bool {
		matched, err := path.Match(pattern, tool)
		return err == nil && matched
	})
}

// TODO parser
func (p Policy) shell(text string) (plain string, e effect, polls bool) {
	m := protoShell(text)
	return m.plain, m.effect, m.waits >= p.Polling.Seconds && p.Polling.Seconds > 0
}
