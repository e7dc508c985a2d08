package guard

import (
	"iter"
	"slices"

	"github.com/loopbreaker/loopbreaker/canonical"
	"github.com/loopbreaker/loopbreaker/canonical/command"
)

// riskMemory is what the score of the system `risk` looks back on.
type riskMemory struct {
	recent ring[*scored] // the last calls that ran
	calls  int           // how many have run since the memory is empty
	// stagnant is how many of the last results, one after another, were failures
	// with the output last.
	stagnant      int
	last          canonical.Fingerprint
	verifications verifications

	// scores outlive the rest: they are of the session.
	scores scores
}

// scored is a call as the score sees it.
type scored struct {
	tool  string
	key   canonical.Key
	words canonical.Words
	// verifies says that the call tests or builds, and that its result is that of
	// the test.
	verifies bool

	finding      *finding // what its score called for
	done, failed bool     // its result, once it has come
}

func newRiskMemory(r Risk) *riskMemory {
	return &riskMemory{recent: newRing[*scored](r.Calls)}
}

// forget empties the memory, but for the record of the session.
func (m *riskMemory) forget() {
	*m = riskMemory{recent: newRing[*scored](m.recent.size()), scores: m.scores}
}

// all are the calls of the window, oldest first.
func (m *riskMemory) all() iter.Seq[*scored] {
	return func(yield func(*scored) bool) {
		for i := len(m.recent.values) - 1; i >= 0; i-- {
			if !yield(*m.recent.back(i)) {
				return
			}
		}
	}
}

// of reads a call, nil where nobody asks for it.
func (r Risk) of(c Call) *scored {
	if !r.on() {
		return nil
	}
	key, words, err := canonical.Loose(c.Tool, c.Input, c.LongTexts)
	if err != nil {
		return nil
	}
	return &scored{tool: c.Tool, key: key, words: words, verifies: r.Verification > 0 && verifies(c)}
}

// verifies reports whether a call does nothing but test or build, and fails where
// that does: the test is the last command of its line, behind a pipe as well.
func verifies(c Call) bool {
	if canonical.ToolKindOf(c.Tool) != canonical.ToolShell {
		return false
	}
	text, given := canonical.ShellCommand(c.Input)
	if !given {
		return false
	}
	script := command.Parse(text)
	if len(script.Commands) == 0 || script.Effect() != command.Checks {
		return false
	}
	return script.Commands[len(script.Commands)-1].Effect() == command.Checks
}

// admit notes that a call runs. The score may have been switched off since the
// call was read.
func (r Risk) admit(m *riskMemory, a *action) {
	if a.scored == nil || !r.on() {
		return
	}
	m.recent.push(a.scored)
	m.calls++
}

// take takes in the result of a call that ran.
func (r Risk) take(m *riskMemory, a *action, e evidence) {
	if a.scored == nil {
		return
	}
	switch {
	case !e.isError:
		m.stagnant = 0
	case m.stagnant > 0 && m.last == e.quiet:
		m.stagnant++
	default:
		m.stagnant, m.last = 1, e.quiet
	}
	m.done(a.scored, e.isError)
}

// takeUnknown takes in a result of which no more is known than whether it is a
// failure: its output is like no other.
func (r Risk) takeUnknown(m *riskMemory, a *action, isError bool) {
	if a.scored == nil {
		return
	}
	m.stagnant = 0
	m.done(a.scored, isError)
}

func (m *riskMemory) done(s *scored, failed bool) {
	s.done, s.failed = true, failed
	if s.verifies {
		m.verifications.report(byCommand, !failed, m.calls)
	}
}

// verifications are the things that were tested and found broken, each with the
// number of calls that had run when that was said, oldest first.
type verifications []verification

type verification struct {
	what string
	at   int
}

// byCommand is what commands that test verify, all of them: the next that passes
// takes back what the last said. No report of a host is about it.
const byCommand = ""

// verificationsKept is how many broken things are remembered.
const verificationsKept = 20

// report takes in what a verification found. It takes the place of what was found
// before about the same.
func (v *verifications) report(what string, passed bool, calls int) {
	*v = slices.DeleteFunc(*v, func(old verification) bool { return old.what == what })
	if passed {
		return
	}
	if len(*v) == verificationsKept {
		*v = slices.Delete(*v, 0, 1)
	}
	*v = append(*v, verification{what, calls})
}

// broken reports whether something was found broken after so many calls.
func (v verifications) broken(after int) bool {
	return len(v) > 0 && v[len(v)-1].at > after
}

// scores is the record of the session: what its calls scored.
type scores struct {
	n       int
	highest Score
	last    []Score // oldest first
}

// scoresKept is how many of the last scores are remembered.
const scoresKept = 10

func (s *scores) add(score Score) {
	s.n++
	if score.Total() > s.highest.Total() {
		s.highest = score
	}
	if len(s.last) == scoresKept {
		s.last = slices.Delete(s.last, 0, 1)
	}
	s.last = append(s.last, score)
}
