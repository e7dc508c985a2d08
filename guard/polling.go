package guard

// call refuses a poll that has shown the same so often in a row (ours). Waiting is
// healthy for long; only its end is not.
func (p Polling) call(l *looks, a *action) *finding {
	k := a.seen
	if p.Block == 0 || !a.meaning.polls || !k.unchanged(l, &a.meaning) || k.same < p.Block {
		return nil
	}
	return k.finding(a, &finding{rule: RulePolling, stage: StageBlock, count: k.same, limit: p.Block})
}

// result speaks once a poll has shown the same so often in a row.
func (p Polling) result(a *action) *finding {
	if p.Note == 0 || !a.meaning.polls || a.look.same != p.Note {
		return nil
	}
	return a.look.finding(a, &finding{rule: RulePolling, stage: StageNote, count: a.look.same, limit: p.Note})
}
