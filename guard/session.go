// Package guard decides, call by call, whether an agent is stuck in a loop.
//
// A Session is told what happens and answers with decisions. It holds a short
// memory of the past (ledger.go), the rules that look at it (one file each), the
// ladder that turns what they see into one decision (ladder.go), the numbers it
// all goes by (policy.go, presets.go) and every sentence shown to a model or a person
// (notice.go). It does no I/O, starts no goroutines and reads no clock: the same
// events always give the same decisions.
package guard

import (
	"github.com/loopbreaker/loopbreaker/canonical/measure"
)

// Session is the guard of one agent session. It is not safe for concurrent
// use: events are told in the order in which they happened.
type Session struct {
	policy Policy
	rules  measure.Rules // what the measures of the policy go by
	tools  knownTools    // what the names of tools tell under the policy
	off    bool
	ledger *ledger
	ladder ladder
	gate   gate
	told   standing // what the host's footer shows
	// fetchTool is the name of the tool that fetches, "" where there is none.
	fetchTool string
	// attended is whether there is an operator who can be asked.
	attended bool

	reading    reading
	writing    writing
	truncation truncation
}

// NewSession returns a session that has seen nothing yet.
func NewSession(p Policy) *Session {
	return &Session{policy: p, rules: p.Measures.rules(), tools: knownTools{}, ledger: newLedger(p)}
}

// SetPolicy changes the numbers; what is remembered stays, as far as the new
// window reaches.
func (s *Session) SetPolicy(p Policy) {
	before := s.policy
	s.policy, s.rules, s.tools = p, p.Measures.rules(), knownTools{}
	s.writing = writing{}
	s.ledger.window.resize(p.Window.Calls)
	s.ledger.measures.resize(p.Measures.Window)
	if before.Evidence != p.Evidence {
		s.ledger.looks = newLooks(p)
	}
	s.ledger.risk.recent.resize(p.Risk.Calls)
	s.ledger.outcomes.resize(p.Rejected.Calls)
}

// SetOn switches the guard on or off. Off, it admits everything and remembers
// nothing; on again, it starts afresh.
func (s *Session) SetOn(on bool) {
	if s.off == !on {
		return
	}
	s.off = !on
	s.ledger = newLedger(s.policy)
	s.ladder.prompt()
	s.gate.open = nil
}

// Reset forgets all calls and counts.
func (s *Session) Reset() {
	s.ledger = newLedger(s.policy)
	s.ladder = ladder{}
	s.gate.open = nil
	s.writing, s.truncation = writing{}, truncation{}
}

// Prompt tells of a real user's message: a fresh start. Messages that an
// extension injects are none.
func (s *Session) Prompt() {
	s.ledger.prompt(s.policy)
	s.ladder.prompt()
	s.gate.prompt()
	s.truncation = truncation{}
}

// TurnStart tells that a response of the model begins.
func (s *Session) TurnStart() {
	s.ledger.turnStart()
	s.ladder.turnStart()
	s.gate.turnStart(s.ledger.turn)
	s.writing.begin()
	s.truncation.calls = 0
}

// Compact tells that the model's context was compacted: what it reads again now
// is no repeat of what it no longer has.
func (s *Session) Compact() { s.ledger.forgetEvidence(s.policy) }

// Call decides on a tool call. An admitted call is remembered in the window, a
// refused one is not: an unchanged retry meets the same refusal.
//
// The error is a *canonical.Error and says why an input is not countable. The
// call is admitted then, and changes nothing.
func (s *Session) Call(c Call) (Decision, error) {
	if !s.off && s.ladder.recovering {
		return s.say(s.ladder.refuseInRecovery(c.Tool)), nil
	}
	if c.Uncountable {
		return s.say(Decision{}), nil
	}
	defer s.reading.done()
	if err := s.reading.read(c, s.tools.of(&s.policy, c.Tool)); err != nil || s.off {
		return s.say(Decision{}), err
	}
	a := s.issue(&s.reading)
	f := strongest(
		s.policy.Window.call(s.ledger, a),
		s.policy.Turns.call(s.ledger, a),
		s.policy.Streak.call(s.ledger, a),
		s.policy.Measures.steer(s.fetchTool, &s.reading),
		s.policy.Measures.call(s.ledger.measures, a),
		s.policy.evidenceCall(s.ledger.looks, a),
		s.policy.Risk.call(s.ledger.risk, a),
	)
	if f != nil && f.stage == StageAsk {
		if ask := s.ask(a, f); ask != nil {
			return s.say(Decision{Ask: ask, Why: s.ladder.record(*f)}), nil
		}
	}
	return s.say(s.decide(a, f)), nil
}

// issue notes that a call was made, and reads what it is about.
func (s *Session) issue(r *reading) *action {
	key := r.form.Key()
	a := s.ledger.issue(r.ID, r.Tool, key)
	a.origin = r.tool.origin
	a.meaning = s.policy.meaningOf(r, key)
	a.seen = s.ledger.looks.last[a.meaning.key]
	a.meaning.polls = a.meaning.polls || a.seen.afterWait(s.ledger.looks, &a.meaning)
	a.measured = s.policy.Measures.of(r.Call, s.rules)
	a.scored = s.policy.Risk.of(r.Call)
	return a
}

// decide admits a call or refuses it, by the strongest finding about it, nil where
// there is none.
func (s *Session) decide(a *action, f *finding) Decision {
	if !s.ledger.turned {
		s.ladder.turnStart()
	}
	if f == nil || f.stage < StageBlock {
		s.ledger.admit(&s.policy, a)
		return Decision{}
	}
	return s.ladder.refuse(s.policy.Ladder, *f, s.ledger.refuse(&s.policy, a, f))
}

// Result tells of the result of an admitted call. The decision may hold a note
// for the model, to be put at its end.
func (s *Session) Result(r Result) Decision {
	s.gate.callEnded(r.ID)
	a, known := s.ledger.pending[r.ID]
	if s.off || !known {
		return s.say(Decision{})
	}
	if r.Uncountable {
		s.ledger.unknown(&s.policy, a, r.IsError)
		return s.say(s.ladder.speak(strongest(s.policy.Streak.result(s.ledger), s.policy.Risk.result(a))))
	}
	e := s.policy.evidenceOf(s.ledger.looks, a, r)
	s.ledger.result(&s.policy, a, e)
	s.ladder.shown(s.policy.Ladder, a.look != nil && !a.known && !e.failed)
	failing, occurring := s.policy.Measures.result(s.ledger.measures, a, r)
	return s.say(s.ladder.speakAll(strongest(
		s.policy.Streak.result(s.ledger),
		s.policy.evidenceResult(s.ledger.looks, a, e),
		s.policy.Risk.result(a),
	), failing, occurring))
}

// Verification tells what a host's own test, of whatever name, has found.
func (s *Session) Verification(what string, passed bool) {
	if !s.off && s.policy.Risk.on() {
		s.ledger.risk.verifications.report(what, passed, s.ledger.risk.calls)
	}
}

// Rejected tells of a call that was answered before it came to us. The decision
// may hold a note for the model, to be put at the end of that answer.
func (s *Session) Rejected(r Rejection) Decision {
	s.gate.callEnded(r.Call.ID)
	x, counts := r.subject()
	switch {
	case s.off || !counts:
		return s.say(Decision{})
	case s.ladder.recovering:
		s.ladder.endRecovery()
		return s.say(Decision{})
	}
	failing := s.policy.Measures.rejected(s.ledger.measures, r, s.rules)
	if !s.ledger.reject(x) {
		return s.say(s.ladder.speakAll(failing))
	}
	return s.say(s.ladder.speakAll(s.policy.Rejected.rejected(s.ledger, x, r.Text), failing))
}

// TurnEnd tells that a turn is over. The decision may end the run, or hold a
// message for the model.
func (s *Session) TurnEnd() Decision {
	if s.ledger.due > 0 { // results that never came had the warning wait
		s.ledger.due = 0
		if f := s.policy.Streak.result(s.ledger); f != nil {
			f.stage = StageSteer
			s.ladder.speak(f)
		}
	}
	return s.say(s.ladder.turnEnd(s.policy.Ladder))
}

// Report says, for a person, what the guard is doing.
func (s *Session) Report(preset string) string {
	text := report(s.off, preset, s.ladder.refusals, s.ladder.sessionRefusals)
	if !s.off && s.policy.Risk.on() {
		text += scoring(s.ledger.risk.scores)
	}
	return text
}

// Explain says, for a person, what the guard did last and why.
func (s *Session) Explain() string { return explanation(s.ladder.history) }

// Status returns the line for the host's footer, or nil where it is the one last
// told. Every decision carries it too.
func (s *Session) Status() *string {
	now := standing{s.off, s.ladder.ended, s.ladder.sessionRefusals}
	if now == s.told {
		return nil
	}
	before := status(s.told.off, s.told.ended, s.told.refusals)
	s.told = now
	if line := status(now.off, now.ended, now.refusals); line != before {
		return &line
	}
	return nil
}

// standing is what the host's footer tells of.
type standing struct {
	off, ended bool
	refusals   int
}

func (s *Session) say(d Decision) Decision {
	d.Status = s.Status()
	return d
}
