package guard

import (
	"slices"

	"github.com/loopbreaker/loopbreaker/canonical"
)

// looks is what calls last showed, and what has changed since: the memory of the
// rules that go by evidence. Its size is bound by what the policy looks back on.
type looks struct {
	calls   int // calls whose results came
	changes int // of them, those that changed something, as far as is known
	edits   int // of these, those that wrote a file

	last  map[canonical.Key]*look
	order ring[canonical.Key] // the call of each result

	stale   staleCalls
	rounds  rounds
	outputs map[string]*output
	applied applied
	nothing nothing
}

// look is what a call last showed.
type look struct {
	evidence       evidence
	said           saying // from the second time on, for a first is never spoken of
	at             int    // the count of calls when it came
	changes, edits int    // the counts of changes and edits after it came
	// same is how often in a row it has shown that, with nothing changed; when
	// are these times among the last calls.
	same int
	when []int
	// counted is how often in a row it has shown what differs only in numbers,
	// with nothing written.
	counted int
	refused int // how often the call was refused since
}

func newLooks(p Policy) *looks {
	return &looks{
		last:    map[canonical.Key]*look{},
		order:   newRing[canonical.Key](p.Evidence.Remember),
		stale:   staleCalls{marks: newRing[bool](p.Evidence.Calls)},
		outputs: map[string]*output{},
	}
}

// unchanged returns what a call last showed, nil where nothing is remembered or
// something has changed since.
func (l *looks) unchanged(m meaning) *look {
	if k := l.last[m.key]; k != nil && k.changes == l.changes {
		return k
	}
	return nil
}

// take takes in the result of a call: what it shows now, and whether that is what
// it showed before (known), with nothing changed since (repeats).
func (l *looks) take(a *action, e evidence) {
	l.calls++
	before := l.last[a.meaning.key]
	a.known = before != nil && before.evidence.quiet == e.quiet
	a.repeats = a.known && before.changes == l.changes
	k := before
	if !a.repeats {
		k = &look{counted: 1}
		if before != nil && !a.known && before.edits == l.edits && before.evidence.unnumbered == e.unnumbered {
			k.counted = before.counted + 1
		}
		l.last[a.meaning.key] = k
	}
	again := l.applied.again(l, a, e)
	switch {
	case a.repeats, again:
	case a.meaning.effect == edits && !e.failed:
		l.changes++
		l.edits++
		l.stale.halve()
	case a.meaning.effect == mayChange && !a.known:
		l.changes++
	}
	if a.known || k.counted > 1 {
		k.said = a.saying(e)
	}
	k.evidence, k.at, k.changes, k.edits = e, l.calls, l.changes, l.edits
	k.same++
	k.when = append(k.when, l.calls)
	k.recent(l, l.stale.marks.size())
	a.look = k

	if old, full := l.order.push(a.meaning.key); full {
		if k := l.last[old]; k != nil && l.calls-k.at >= l.order.size() {
			delete(l.last, old)
		}
	}
}

// recent returns how often, among the last calls, a look was the same.
func (k *look) recent(l *looks, calls int) int {
	k.when = slices.DeleteFunc(k.when, func(at int) bool { return at <= l.calls-calls })
	return len(k.when)
}

// finding fills in what a finding says about the call that showed this look.
func (k *look) finding(a *action, f finding) finding {
	f.tool, f.symptom, f.quote = a.tool, k.said.symptom, k.said.quote
	return f
}
