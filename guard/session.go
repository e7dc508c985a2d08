// Package guard decides, call by call, whether an agent is stuck in a loop.
//
// A Session is told what happens and answers with decisions. It holds a short
// memory of the past (ledger.go), the rules that look at it (one file each),
// the numbers they go by (preset.go) and every sentence shown to a model or a
// person (notice.go). It does no I/O, starts no goroutines and reads no clock:
// the same events always give the same decisions.
package guard

import "github.com/loopbreaker/loopbreaker/canonical"

// Session is the guard of one agent session. It is not safe for concurrent
// use: events are told in the order in which they happened.
type Session struct {
	preset Preset
	ledger *ledger
}

// NewSession returns a session that has seen nothing yet.
func NewSession(p Preset) *Session {
	return &Session{preset: p, ledger: newLedger(p.Window.Calls)}
}

// Call is a tool call that is about to run.
type Call struct {
	// Tool is the name of the tool.
	Tool string
	// Input is the tool's input as JSON text, in any spelling.
	Input []byte
	// LongTexts are the strings the host took out of Input.
	LongTexts []canonical.LongText
	// Uncountable says that the host could not express the input as JSON. Such
	// a call is admitted and leaves no trace.
	Uncountable bool
}

// Call decides on a tool call. An admitted call is remembered, a refused one
// is not: an unchanged retry meets the same refusal.
//
// The error is a *canonical.Error and says why an input is not countable. The
// call is admitted then, and changes nothing.
func (s *Session) Call(c Call) (Decision, error) {
	if c.Uncountable {
		return Decision{}, nil
	}
	key, err := canonical.CallKey(c.Tool, c.Input, c.LongTexts)
	if err != nil {
		return Decision{}, err
	}
	if f, found := s.preset.Window.look(s.ledger, key); found {
		return refuse(c.Tool, f, s.ledger.refuse(key)), nil
	}
	s.ledger.admit(key)
	return Decision{}, nil
}
