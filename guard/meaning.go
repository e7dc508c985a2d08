package guard

import (
	"regexp"
	"strings"
	"time"

	"github.com/loopbreaker/loopbreaker/canonical"
	"github.com/loopbreaker/loopbreaker/canonical/command"
)

// meaning is what a call is about, beyond its letters.
type meaning struct {
	// key is equal for calls that differ in cosmetics only.
	key canonical.Key
	// wordless is equal for calls of a tool of no known kind, or of one for notes, that
	// differ in nothing but what they say.
	wordless canonical.Key
	kind     canonical.ToolKind
	effect   effect
	// polls says that the call waits, or is made after a wait, or that its tool
	// answers the same each time it does something: to repeat it is its use.
	polls bool
	// waits says that time passes with it.
	waits bool
	// checks says that it tests, builds or lints.
	checks bool
}

// effect is what a call does to the state that other calls look at.
type effect uint8

const (
	mayChange effect = iota // nobody knows
	looksOnly               // nothing
	edits                   // it changes a file
)

// meaningOf reads a call. It costs nothing where no rule asks for it.
func (p *Policy) meaningOf(r *reading, key canonical.Key) meaning {
	m := meaning{key: key, kind: r.tool.kind}
	if !p.Evidence.on() {
		return m
	}
	var line []byte
	if script := r.command(); script != nil {
		r.line = appendLine(r.line[:0], script)
		line = r.line
		m.effect = effectOf(script)
		m.checks = script.Effect() == command.Checks
		m.waits = p.Polling.Seconds > 0 && (script.Awaits() || script.Sleep() >= time.Duration(p.Polling.Seconds)*time.Second)
		if m.waits { // for how long is no matter
			line = sleepTime.ReplaceAll(line, []byte("sleep"))
		}
	}
	m.key = r.form.PlainKey(m.kind, line)
	switch m.kind {
	case canonical.ToolShell:
	case canonical.ToolRead, canonical.ToolSearch, canonical.ToolList, canonical.ToolFetch:
		m.effect = looksOnly
	case canonical.ToolEdit, canonical.ToolWrite:
		m.effect = edits
		if r.form.OnlyViews() {
			m.kind, m.effect = canonical.ToolRead, looksOnly
		}
	default:
		m.wordless = r.form.WordlessKey()
		switch {
		case r.form.OnlyWaits():
			m.effect, m.waits = looksOnly, true
		case m.kind == canonical.ToolNotes, r.form.OnlySays(): // nobody looks at that
			m.effect = looksOnly
		}
	}
	m.waits = m.waits || r.tool.polls
	m.polls = m.waits
	return m
}

var sleepTime = regexp.MustCompile(`\bsleep [0-9.]+[smhd]?\b`)

// of reports whether a tool answers the same each time it does something.
func (p Polling) of(tool string) bool {
	return anyMatches(p.Tools, strings.ToLower(tool))
}

// effectOf says what a command line does to the state that others look at. What a
// check leaves behind, nobody looks at.
func effectOf(s *command.Script) effect {
	switch canonical.ToolKindOf(s.Verb()) {
	case canonical.ToolEdit, canonical.ToolWrite: // an editor's own command
		return edits
	}
	if s.Effect() == command.Changes {
		return mayChange
	}
	return looksOnly
}

// appendLine appends a command line without what does not change what it does. The
// canonical form leaves out assignments, which may.
func appendLine(line []byte, s *command.Script) []byte {
	line = s.AppendCanonical(line)
	for i := range s.Commands {
		for _, a := range s.Commands[i].Assigns {
			line = append(append(line, 0), a.Text...)
		}
	}
	return line
}
