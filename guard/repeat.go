package guard

// call refuses a call that has shown the same so often, with nothing changed in
// between (ours).
func (r Repeat) call(e Evidence, l *looks, a *action) *finding {
	k := a.seen
	if r.Block == 0 || !k.unchanged(l, &a.meaning) || a.meaning.polls {
		return nil
	}
	n := k.recent(l, e.Calls)
	if n < r.Block {
		return nil
	}
	return k.finding(a, &finding{rule: RuleRepeat, stage: StageBlock, count: n, limit: r.Block, window: e.Calls})
}

// result speaks once a call has shown the same so often.
func (r Repeat) result(e Evidence, l *looks, a *action) *finding {
	if r.Note == 0 || !a.repeats || a.meaning.polls {
		return nil
	}
	n := a.look.recent(l, e.Calls)
	if n != r.Note {
		return nil
	}
	return a.look.finding(a, &finding{rule: RuleRepeat, stage: StageNote, count: n, limit: r.Note, window: e.Calls})
}
