package guard

import (
	"errors"
	"maps"
	"slices"
	"strconv"

	"github.com/loopbreaker/loopbreaker/canonical/measure"
)

// Ask is a question to the operator: may the call run?
type Ask struct {
	// ID names the question in its answer.
	ID string
	// Title and Message are what the operator reads.
	Title, Message string
	// Seconds is how long the answer may take.
	Seconds int
}

// Answer is how a question ended.
type Answer string

// Answers. Whatever is not Approved is a refusal.
const (
	Approved   Answer = "approved"
	Declined   Answer = "declined"
	TimedOut   Answer = "timeout"    // nobody answered in time
	Aborted    Answer = "aborted"    // the run was ended while the question was open
	Unattended Answer = "unattended" // nobody could be asked
	beingAsked Answer = "asking"     // no answer: the question is open
)

// answers are those that an operator, or a host in his place, can give.
var answers = []Answer{Approved, Declined, TimedOut, Aborted, Unattended}

// Errors of an answer.
var (
	ErrNoQuestion = errors.New("no such question is open")
	ErrNoAnswer   = errors.New("must be approved, declined, timeout, aborted or unattended")
)

// gate holds the questions that are open. One that nobody answers is forgotten,
// and holds nothing up: at the next turn but one, or when its call ends in another
// way.
type gate struct {
	asked int // so far in this session
	open  map[string]*question
}

// question is one that is open.
type question struct {
	action *action
	finding
	// late is whether the user has written since: the answer then holds for this
	// call alone.
	late bool
}

// ask asks about a call. It returns nil, and makes the finding a refusal, where
// nobody can be asked, or somebody is being asked about one of its measures
// already: nobody reads two dialogs about one thing.
func (s *Session) ask(a *action, f *finding) *Ask {
	g := &s.gate
	g.turnStart(s.ledger.turn)
	ids := idsOf(f.gated.hits)
	switch {
	case !s.attended:
		f.stage, f.gated.answer = StageBlock, Unattended
		s.ledger.measures.keepOut(ids, Unattended)
		return nil
	case g.asks(ids):
		f.stage, f.gated.answer = StageBlock, beingAsked
		return nil
	}
	g.asked++
	id := "ask-" + strconv.Itoa(g.asked)
	if g.open == nil {
		g.open = map[string]*question{}
	}
	g.open[id] = &question{action: a, finding: *f}
	return &Ask{ID: id, Title: askTitle(*f), Message: askMessage(*f), Seconds: s.policy.Measures.AskSeconds}
}

// asks reports whether one of these measures is being asked about.
func (g *gate) asks(ids []measure.ID) bool {
	for _, q := range g.open {
		if !q.late && slices.ContainsFunc(idsOf(q.gated.hits), func(id measure.ID) bool { return slices.Contains(ids, id) }) {
			return true
		}
	}
	return false
}

// SetAttended says whether there is an operator who can be asked. Without one,
// whoever would be asked about is refused.
func (s *Session) SetAttended(attended bool) { s.attended = attended }

// Approve tells how a question ended, and decides on its call. An approved call
// runs, and the measures it was held for are no longer counted until the user
// writes again; they are refused until then after any other answer. No measure is
// asked about twice.
//
// The error is ErrNoQuestion, also where the answer was given before, or
// ErrNoAnswer.
func (s *Session) Approve(id string, answer Answer) (Decision, error) {
	q := s.gate.open[id]
	switch {
	case q == nil:
		return Decision{}, ErrNoQuestion
	case !slices.Contains(answers, answer):
		return Decision{}, ErrNoAnswer
	}
	delete(s.gate.open, id)
	t := s.ledger.measures
	ids := idsOf(q.gated.hits)
	q.gated.answer = answer
	switch {
	case q.late && answer == Approved:
		return s.say(Decision{}), nil
	case q.late:
		q.stage = StageBlock
		return s.say(s.ladder.refuse(s.policy.Ladder, q.finding, 1)), nil
	case answer == Approved:
		t.letPass(ids)
		// What has come to a limit since is not for this answer to decide.
		f := s.policy.Measures.call(t, q.action)
		if f != nil && f.stage == StageAsk {
			f.stage = StageBlock
		}
		return s.say(s.decide(q.action, f)), nil
	}
	t.keepOut(ids, answer)
	q.stage = StageBlock
	return s.say(s.decide(q.action, &q.finding)), nil
}

// letPass exempts measures until the next prompt.
func (t *tracks) letPass(ids []measure.ID) {
	for _, id := range ids {
		t.exempt[id] = true
		delete(t.failed, id)
	}
}

// keepOut refuses measures until the next prompt.
func (t *tracks) keepOut(ids []measure.ID, why Answer) {
	for _, id := range ids {
		t.refused[id] = why
	}
}

// prompt keeps questions that are still on somebody's screen; their answers are
// about what was before.
func (g *gate) prompt() {
	for _, q := range g.open {
		q.late = true
	}
}

// turnStart forgets questions that nobody will answer any more.
func (g *gate) turnStart(turn int) {
	maps.DeleteFunc(g.open, func(_ string, q *question) bool { return q.action.turn < turn-1 })
}

// callEnded forgets the question about a call that has ended without an answer.
func (g *gate) callEnded(call string) {
	maps.DeleteFunc(g.open, func(_ string, q *question) bool { return q.action.id == call })
}
