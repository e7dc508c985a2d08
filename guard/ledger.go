package guard

import (
	"maps"

	"github.com/loopbreaker/loopbreaker/canonical"
)

// ledger is what a session remembers of the past. Its size is bound by the
// window and by the calls of two turns, not by the session.
type ledger struct {
	window   *window
	turn     int  // number of the current turn
	turned   bool // whether the host tells of turns
	pending  map[string]*action
	trails   map[canonical.Key]*trail // calls issued in this turn
	previous map[canonical.Key]*trail // calls issued in the one before

	// streak is the last result and how often it came in a row; before is what
	// it was when the turn began.
	streak, before streak
	due            int // results of this turn, for the streak, still to come

	looks    *looks // what calls last showed
	measures *tracks
	risk     *riskMemory

	outcomes ring[outcome]    // the last calls
	rejected map[subject]bool // what has been rejected in this turn
}

// action is a call on its way.
type action struct {
	id, tool string
	key      canonical.Key
	turn     int
	trail    *trail
	origin   canonical.Origin // of its result

	meaning meaning
	scored  *scored // nil where nobody scores it
	slot    int     // its place in the window
	seen    *look   // what it last showed, nil where that is not known; as it is made and as it ends
	// What its result, once it has come, is to what was known before.
	content        []canonical.Block
	look           *look
	known, repeats bool
	measured       *measured // nil where the measures do not see it
}

// trail follows one call from turn to turn.
type trail struct {
	issued   int // times in its last turn
	answered int // of them, those with a result
	turns    int // turns in a row, the last one included
	// results is how many there have been, same how many of the last were equal
	// to last.
	results, same int
	last          canonical.Fingerprint
}

// streak is a result and how often it came in a row.
type streak struct {
	tool     string
	key      canonical.Key
	evidence evidence
	n        int
	warned   bool
}

// outcome is a call, and whether it came to us or was rejected before.
type outcome struct {
	subject
	turn     int
	rejected bool
}

// subject is what rejected calls have in common: the tool, and the call too
// where it was another extension that refused it.
type subject struct {
	tool string
	key  canonical.Key
}

func newLedger(p Policy) *ledger {
	return &ledger{
		window:   newWindow(p.Window.Calls),
		pending:  map[string]*action{},
		trails:   map[canonical.Key]*trail{},
		previous: map[canonical.Key]*trail{},
		rejected: map[subject]bool{},
		outcomes: newRing[outcome](p.Rejected.Calls),
		looks:    newLooks(p),
		measures: newTracks(p.Measures.Window),
		risk:     newRiskMemory(p.Risk),
	}
}

// prompt forgets what belongs to one prompt.
func (l *ledger) prompt(p Policy) {
	if p.Window.PerPrompt {
		l.window.forget()
	}
	clear(l.pending)
	clear(l.rejected)
	l.outcomes.empty()
	l.measures = l.measures.fresh()
	l.forgetEvidence(p)
}

func (l *ledger) forgetEvidence(p Policy) {
	clear(l.trails)
	clear(l.previous)
	l.streak, l.before = streak{}, streak{}
	l.looks.forget(p)
	l.risk.forget()
}

func (l *ledger) turnStart() {
	l.turned = true
	l.nextTurn()
}

func (l *ledger) nextTurn() {
	l.turn++
	l.previous, l.trails = l.trails, l.previous
	clear(l.trails)
	clear(l.rejected)
	l.before, l.due = l.streak, 0
	// Some results come late, those of calls within calls after their turn has
	// ended; some never come.
	maps.DeleteFunc(l.pending, func(_ string, a *action) bool { return a.turn < l.turn-1 })
}

// issue notes that a call was made in this turn. Where the host tells of no
// turns, each call is one.
func (l *ledger) issue(id, tool string, key canonical.Key) *action {
	if !l.turned {
		l.nextTurn()
	}
	t := l.trails[key]
	if t == nil {
		if t = l.previous[key]; t == nil {
			t = &trail{}
		}
		t.issued, t.answered = 0, 0
		t.turns++
		l.trails[key] = t
	}
	t.issued++
	l.outcomes.push(outcome{subject{tool, key}, l.turn, false})
	return &action{id: id, tool: tool, key: key, turn: l.turn, trail: t}
}

// admit notes that a call runs.
func (l *ledger) admit(p *Policy, a *action) {
	a.slot = l.window.admit(a.key)
	p.Measures.admit(l.measures, a)
	p.Risk.admit(l.risk, a)
	l.pending[a.id] = a
	if p.Streak.sees(a.tool, false) {
		l.due++
	}
}

// refuse notes that a call does not run, and returns how often that has happened
// to it, or to the measure it is refused for, as far as is remembered, this time
// included.
func (l *ledger) refuse(p *Policy, a *action, f *finding) int {
	n := l.window.refuse(a.key)
	switch k := l.looks.last[a.meaning.key]; {
	case f != nil && f.gated != nil:
		return p.Measures.refuse(l.measures, f.gated.hits)
	case k != nil:
		k.refused++
		return k.refused
	}
	return n
}

// arrived notes that a call that ran has a result.
func (l *ledger) arrived(p *Policy, a *action) {
	delete(l.pending, a.id)
	if a.turn == l.turn {
		a.trail.answered++
	}
	if p.Window.Unanswered {
		l.window.answered(a.slot)
	}
	if a.turn == l.turn && p.Streak.sees(a.tool, false) {
		l.due--
	}
}

// result notes the result of a call that ran.
func (l *ledger) result(p *Policy, a *action, e evidence) {
	l.arrived(p, a)
	if p.Evidence.on() {
		l.looks.take(a, e)
	}
	p.Risk.take(l.risk, a, e)
	t := a.trail
	t.results++
	if t.last != e.exact {
		t.last, t.same = e.exact, 0
	}
	t.same++

	if p.Streak.sees(a.tool, e.isError) {
		l.streak = l.before.next(p.Streak.IgnoreNoise, a, e)
	}
}

// unknown notes a result of which no more is known than that it came. It may have
// shown something new, so it ends every row of equal ones.
func (l *ledger) unknown(p *Policy, a *action, isError bool) {
	l.arrived(p, a)
	p.Risk.takeUnknown(l.risk, a, isError)
	a.trail.results++
	a.trail.same = 0
	if p.Streak.sees(a.tool, isError) {
		l.streak = streak{}
	}
}

// next is the streak after one more result. Results of one turn each follow on
// what was before the turn, so that only the last counts.
func (s streak) next(ignoreNoise bool, a *action, e evidence) streak {
	same := s.evidence.exact == e.exact || ignoreNoise && s.evidence.quiet == e.quiet
	if s.n == 0 || s.key != a.key || !same {
		return streak{tool: a.tool, key: a.key, evidence: e, n: 1}
	}
	s.n++
	return s
}

// reject notes a rejected call, and reports whether it is the first of its
// subject in this turn.
func (l *ledger) reject(x subject) (first bool) {
	if !l.turned {
		l.nextTurn()
	}
	if l.rejected[x] {
		return false
	}
	l.rejected[x] = true
	l.outcomes.push(outcome{x, l.turn, true})
	return true
}
