package guard

// call refuses equal calls of one turn beyond the first, and a call that is made
// turn after turn (system `turns`).
func (t Turns) call(l *ledger, a *action) *finding {
	return strongest(t.duplicate(a), t.stuck(a))
}

// duplicate runs equal calls of one turn so often and no more.
func (t Turns) duplicate(a *action) *finding {
	n := a.trail.issued - 1
	if t.Unanswered {
		n -= a.trail.answered
	}
	if t.Duplicates == 0 || n < t.Duplicates {
		return nil
	}
	return &finding{rule: RuleDuplicate, stage: StageBlock, tool: a.tool, count: n, limit: t.Duplicates}
}

// stuck refuses a call made in each of the last turns, this one included. It
// spares a call whose last results differ, for it observes something that
// changes; where there are no results nothing speaks for it.
func (t Turns) stuck(a *action) *finding {
	if t.Consecutive == 0 || a.trail.turns < t.Consecutive {
		return nil
	}
	if a.trail.same < min(a.trail.results, t.Consecutive-1) {
		return nil
	}
	return &finding{rule: RuleStuck, stage: StageBlock, tool: a.tool, count: a.trail.turns - 1, limit: t.Consecutive - 1}
}
