package guard

// Past is one event of a session's past. One member is set.
type Past struct {
	Prompt, Turn, Compact bool
	// Ran and Refused are calls, Result the result of one that ran, Rejected a
	// call that the host answered by itself.
	Ran, Refused *Call
	Result       *Result
	Rejected     *Rejection
}

// Restore forgets all and takes in the past, oldest event first, so that a loop
// that went on before a restart, or on another branch, is still the same loop.
// Nothing is decided; what cannot be counted is left out.
func (s *Session) Restore(past []Past) {
	s.ledger = newLedger(s.policy)
	s.ladder.prompt()
	s.ladder.sessionRefusals = 0
	s.gate.open = nil
	if s.off {
		return
	}
	for _, p := range past {
		switch {
		case p.Prompt:
			s.Prompt()
		case p.Turn:
			s.TurnStart()
		case p.Compact:
			s.Compact()
		case p.Ran != nil:
			if a := s.past(*p.Ran); a != nil {
				s.policy.Measures.recall(s.ledger.measures, a, false)
				s.ledger.admit(&s.policy, a)
			}
		case p.Refused != nil:
			if a := s.past(*p.Refused); a != nil {
				s.ledger.refuse(&s.policy, a, s.policy.Measures.recall(s.ledger.measures, a, true))
				s.ladder.count("")
			}
		case p.Result != nil && p.Result.Uncountable:
			if a := s.ledger.pending[p.Result.ID]; a != nil {
				s.ledger.unknown(&s.policy, a, p.Result.IsError)
			}
		case p.Result != nil:
			if a := s.ledger.pending[p.Result.ID]; a != nil {
				e := s.policy.evidenceOf(s.ledger.looks, a, *p.Result)
				s.ledger.result(&s.policy, a, e)
				s.ladder.shown(s.policy.Ladder, a.look != nil && !a.known && !e.failed)
				s.policy.Measures.result(s.ledger.measures, a, *p.Result)
				s.policy.Streak.result(s.ledger) // it has been said
				s.policy.evidenceResult(s.ledger.looks, a, e)
			}
		case p.Rejected != nil:
			if x, counts := p.Rejected.subject(); counts {
				s.ledger.reject(x)
				s.policy.Measures.rejected(s.ledger.measures, *p.Rejected, s.rules)
			}
		}
	}
}

func (s *Session) past(c Call) *action {
	if c.Uncountable {
		return nil
	}
	defer s.reading.done()
	if s.reading.read(c, s.tools.of(&s.policy, c.Tool)) != nil {
		return nil
	}
	a := s.issue(&s.reading)
	s.policy.Risk.call(s.ledger.risk, a) // for the record
	return a
}
