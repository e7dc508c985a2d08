package guard

import "github.com/loopbreaker/loopbreaker/canonical"

// Periods of the rotations that are looked for, in calls.
const (
	shortestPeriod = 2
	longestPeriod  = 8
)

// shown is a call and what it showed.
type shown struct {
	key    canonical.Key
	result canonical.Fingerprint
}

// rounds follows rotations: the same calls with the same results in the same
// order. A change in between does not end one: an edit that is made and undone, over
// and over, is a loop too. It costs a few comparisons a call.
type rounds struct {
	last  [longestPeriod]shown // that of call i at i modulo the length
	calls int
	// runs[p] is how many calls in a row equal the one p before.
	runs [longestPeriod + 1]int
}

func (r *rounds) add(s shown) {
	for p := shortestPeriod; p <= longestPeriod; p++ {
		if before := r.before(p); before != nil && *before == s {
			r.runs[p]++
		} else {
			r.runs[p] = 0
		}
	}
	r.last[r.calls%longestPeriod] = s
	r.calls++
}

// before returns the call that the next one follows at this period.
func (r *rounds) before(period int) *shown {
	if period > r.calls {
		return nil
	}
	return &r.last[(r.calls-period)%longestPeriod]
}

// times is how often the rotation of this period has come round.
func (r *rounds) times(period int) int { return r.runs[period]/period + 1 }

// plain reports whether the period is one call over and over, which other rules
// look at.
func (r *rounds) plain(period int) bool {
	first := r.before(1)
	for p := 2; p <= period; p++ {
		if *r.before(p) != *first {
			return false
		}
	}
	return true
}

// call refuses the call that would begin or go on with one more round (ours;
// the system `risk` has cycles of its own, over tools alone).
func (c Cycle) call(l *looks, a *action) *finding {
	for p := shortestPeriod; p <= longestPeriod; p++ {
		if n := l.rounds.times(p); c.Block > 0 && n >= c.Block && l.rounds.before(p).key == a.meaning.key && !a.meaning.polls && !l.rounds.plain(p) {
			return &finding{rule: RuleCycle, stage: StageBlock, tool: a.tool, count: n, limit: c.Block, window: p}
		}
	}
	return nil
}

// result speaks as a rotation has come round so often.
func (c Cycle) result(l *looks, a *action, e evidence) *finding {
	r := &l.rounds
	r.add(shown{a.meaning.key, e.quiet})
	for p := shortestPeriod; p <= longestPeriod; p++ {
		if c.Note > 0 && r.runs[p] == (c.Note-1)*p && !a.meaning.polls && !r.plain(p) {
			return &finding{rule: RuleCycle, stage: StageNote, tool: a.tool, count: c.Note, limit: c.Note, window: p}
		}
	}
	return nil
}
