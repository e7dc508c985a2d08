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
	acts    int // calls that changed a file, or may have and were not made before
	waited  int // the count of calls at the last wait
	// news counts the calls that were made again and showed something else, moves
	// those of them that did so by more than their numbers.
	news, moves int
	// missed is whether the last call was an edit that failed in a new way: who looks
	// again then has reason to.
	missed bool

	last  map[canonical.Key]*look
	order ring[canonical.Key] // the call of each result

	stale   staleCalls
	rounds  rounds
	outputs map[string]*output // the last answers, by tool
	answers int                // answers that were new, of tools that had given another
	applied applied
	nothing nothing
}

// look is what a call last showed.
type look struct {
	evidence       evidence
	said           saying // from the second time on, for a first is never spoken of
	at             int    // the count of calls when it came
	changes, edits int    // the counts of changes and edits after it came
	news, moves    int    // and those of news and moves
	// same is how often in a row it has shown that, with nothing changed; when are
	// those of these times among the last calls that were no polls.
	same int
	when []int
	once [1]int // backs when, as long as that is short
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

// forget forgets all, in memory that is used again where its size still fits.
func (l *looks) forget(p Policy) {
	if l.order.size() != p.Evidence.Remember || l.stale.marks.size() != p.Evidence.Calls {
		*l = *newLooks(p)
		return
	}
	clear(l.last)
	clear(l.outputs)
	l.order.empty()
	l.stale.marks.empty()
	*l = looks{last: l.last, order: l.order, stale: staleCalls{marks: l.stale.marks}, outputs: l.outputs}
}

// unchanged reports whether what a call last showed is known, and nothing has changed
// since.
func (k *look) unchanged(l *looks, m *meaning) bool {
	switch {
	case k == nil, k.changes != l.changes:
		return false
	case m.polls && k.news != l.news: // what is waited for gets on
		return false
	case m.effect == mayChange && k.moves != l.moves: // it does something, as others show
		return false
	case l.missed && m.effect == looksOnly:
		return false
	}
	return true
}

// afterWait reports whether a call is made again for the first time since a wait: the
// two are the poll that others make in one command.
func (k *look) afterWait(l *looks, m *meaning) bool {
	return m.effect != edits && k != nil && k.at < l.waited
}

// take takes in the result of a call: what it shows now, and whether that is what
// it showed before (known), with nothing changed since (repeats).
func (l *looks) take(a *action, e evidence) {
	l.calls++
	before := a.seen
	a.known = before != nil && before.evidence.quiet == e.quiet
	a.repeats = a.known && before.unchanged(l, &a.meaning)
	k := before
	if !a.repeats {
		k = &look{counted: 1}
		k.when = k.once[:0]
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
		l.acts++
		l.stale.halve()
	case a.meaning.effect == mayChange && !a.known:
		l.changes++
	}
	switch {
	case before == nil && a.meaning.effect == mayChange:
		l.acts++
	case before != nil && !a.known:
		l.news++
		if before.evidence.unnumbered != e.unnumbered {
			l.moves++
		}
	}
	if a.meaning.waits {
		l.waited = l.calls
	}
	l.missed = a.meaning.effect == edits && e.failed && !a.known
	if a.known || k.counted > 1 {
		k.said = a.saying(e)
	}
	k.evidence, k.at, k.changes, k.edits, k.news, k.moves = e, l.calls, l.changes, l.edits, l.news, l.moves
	k.same++
	if !a.meaning.polls {
		k.when = append(k.when, l.calls)
	}
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
	if len(k.when) > 0 && k.when[0] <= l.calls-calls {
		k.when = slices.DeleteFunc(k.when, func(at int) bool { return at <= l.calls-calls })
	}
	return len(k.when)
}

// finding fills in what a finding says about the call that showed this look.
func (k *look) finding(a *action, f *finding) *finding {
	f.tool, f.symptom, f.quote = a.tool, k.said.symptom, k.said.quote
	return f
}
