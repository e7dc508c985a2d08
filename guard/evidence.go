package guard

import (
	"bytes"

	"github.com/loopbreaker/loopbreaker/canonical"
)

// evidence is what a result looks like: as it is, without its noise, and without
// its numbers.
type evidence struct {
	exact, quiet, unnumbered canonical.Fingerprint

	isError bool // the host calls it a failure
	failed  bool // it is one, whatever the host says
	empty   bool // it has no text
}

// evidenceOf leaves out what the guard itself has put at the end of a result,
// as a session file has it.
func (p *Policy) evidenceOf(l *looks, a *action, r Result) evidence {
	a.content = r.Content
	if n := len(a.content); n > 1 && bytes.HasPrefix(a.content[n-1].Data, []byte(remarkPrefix)) {
		a.content = a.content[:n-1]
	}
	e := evidence{isError: r.IsError, failed: r.IsError}
	switch {
	case p.Evidence.on():
		e.exact = canonical.ExactFingerprint(r.IsError, a.content)
		a.seen = l.last[a.meaning.key]
		if last := a.seen; last != nil && last.evidence.exact == e.exact {
			e.quiet, e.unnumbered = last.evidence.quiet, last.evidence.unnumbered
		} else {
			e.quiet = canonical.QuietFingerprint(e.exact, a.origin, r.IsError, a.content)
			e.unnumbered = canonical.UnnumberedFingerprint(e.quiet, r.IsError, a.content)
		}
		text := a.beginning()
		e.empty = silent(text)
		e.failed = e.failed || a.meaning.effect == edits && saysRefused(text)
	case p.Streak.IgnoreNoise, p.Risk.on():
		e.exact, e.quiet = canonical.ResultFingerprints(a.origin, r.IsError, a.content)
	default: // nobody asks for the rest
		e.exact = canonical.ExactFingerprint(r.IsError, a.content)
	}
	return e
}

// beginningOf is how much of a result is read for what it says, in bytes.
const beginningOf = 4096

// beginning returns the text that a result begins with.
func (a *action) beginning() []byte {
	for _, b := range a.content {
		switch {
		case b.MediaType != "":
		case b.Long != nil:
			return []byte(b.Long.Head)
		case len(b.Data) > 0:
			return b.Data[:min(len(b.Data), beginningOf)]
		}
	}
	return nil
}

// silent reports whether a result says nothing, in whatever words.
func silent(text []byte) bool {
	switch string(bytes.TrimSpace(text[:min(len(text), 64)])) {
	case "", "(no output)", "(no content)", "<no output>", "no output", "Command completed with no output":
		return true
	}
	return false
}
