package guard

import (
	"fmt"
	"strings"

	"github.com/loopbreaker/loopbreaker/canonical"
)

// Score is how much there is to say that a call is one of a loop, in points, by
// what says so. With the points of the system `risk` it adds up to 100 at most.
type Score struct {
	// Exact: the call is among the last ones.
	Exact int
	// Fuzzy: it is not, but one of the same tool and of almost the same words is.
	Fuzzy int
	// Cycle: the last tools that ran are those before once more.
	Cycle int
	// Stagnation: the last calls failed, one after another, with one output.
	Stagnation int
	// Verification: what was tested or built lately was found broken.
	Verification int
}

// Total is the score itself.
func (s Score) Total() int {
	return s.Exact + s.Fuzzy + s.Cycle + s.Stagnation + s.Verification
}

// String shows what the score is the sum of, as in "exact 40 + cycle 30".
func (s Score) String() string {
	var parts []string
	for _, p := range []struct {
		name   string
		points int
	}{{"exact", s.Exact}, {"fuzzy", s.Fuzzy}, {"cycle", s.Cycle}, {"stagnation", s.Stagnation}, {"verification", s.Verification}} {
		if p.points > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", p.name, p.points))
		}
	}
	return strings.Join(parts, " + ")
}

// Lengths of the cycles of tools that are looked for.
const (
	shortestToolCycle = 2
	longestToolCycle  = 6
)

// call scores a call before it runs (system `risk`). It refuses it where the
// score is high and the call, or the one that it is like, failed the last time its
// result came; a repeat that works is only warned of. A warning is told with the
// call's result.
func (r Risk) call(m *riskMemory, a *action) *finding {
	if !r.on() || a.scored == nil {
		return nil
	}
	score, before := r.score(m, a.scored)
	m.scores.add(score)
	f := &finding{rule: RuleRisk, tool: a.tool, count: score.Total(), window: r.Calls, repeats: before.calls}
	switch {
	case r.Block > 0 && f.count >= r.Block && before.failed:
		f.stage, f.limit = StageBlock, r.Block
	case r.Warn > 0 && f.count >= r.Warn:
		f.stage, f.limit = StageWarn, r.Warn
	default:
		return nil
	}
	f.parts = score.String()
	a.scored.finding = f
	return f
}

// score adds up what there is to say about a call.
func (r Risk) score(m *riskMemory, s *scored) (score Score, before earlier) {
	if before = m.same(s); before.calls > 0 {
		score.Exact = r.Exact
	} else if r.Fuzzy > 0 && r.Similar > 0 {
		if before = m.similar(s, r.Similar); before.calls > 0 {
			score.Fuzzy = r.Fuzzy
		}
	}
	if m.cycles() {
		score.Cycle = r.Cycle
	}
	if m.stagnant > 1 {
		score.Stagnation = r.Stagnation
	}
	if m.verifications.broken(m.calls - r.Calls) {
		score.Verification = r.Verification
	}
	return score, before
}

// result passes on the warning that its call was given.
func (r Risk) result(a *action) *finding {
	if a.scored == nil {
		return nil
	}
	return a.scored.finding
}

// earlier is what the window has of a call.
type earlier struct {
	calls  int  // how many of them
	failed bool // whether the last of them whose result is known failed
}

func (e *earlier) add(s *scored) {
	e.calls++
	if s.done {
		e.failed = s.failed
	}
}

// same looks for the very call in the window.
func (m *riskMemory) same(s *scored) (e earlier) {
	for old := range m.all() {
		if old.key == s.key {
			e.add(old)
		}
	}
	return e
}

// similar looks in the window for calls of the same tool whose words have at least
// this Jaccard similarity, in percent.
func (m *riskMemory) similar(s *scored, percent int) (e earlier) {
	for old := range m.all() {
		if old.tool != s.tool {
			continue
		}
		if both, either := canonical.Overlap(old.words, s.words); both > 0 && 100*both >= percent*either {
			e.add(old)
		}
	}
	return e
}

// cycles reports whether the last tools that ran are those before once more, in
// rounds of any of the lengths. One tool over and over is such a round, as the
// system has it.
func (m *riskMemory) cycles() bool {
	for k := shortestToolCycle; k <= longestToolCycle; k++ {
		if m.cycle(k) {
			return true
		}
	}
	return false
}

func (m *riskMemory) cycle(k int) bool {
	for i := range k {
		last, before := m.recent.back(i), m.recent.back(i+k)
		if before == nil || (*last).tool != (*before).tool {
			return false
		}
	}
	return true
}
