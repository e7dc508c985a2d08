package guard

// call refuses a call that has shown the same so often, with nothing changed in
// between (ours).
func (r Repeat) call(e Evidence, l *looks, a *action) finding {
	k := l.unchanged(a.meaning)
	if r.Block == 0 || k == nil || a.meaning.polls {
		return finding{}
	}
	n := k.recent(l, e.Calls)
	if n < r.Block {
		return finding{}
	}
	return k.finding(a, finding{rule: RuleRepeat, stage: StageBlock, count: n, limit: r.Block, window: e.Calls})
}

// result speaks once a call has shown the same so often.
func (r Repeat) result(e Evidence, l *looks, a *action) finding {
	if r.Note == 0 || !a.repeats || a.meaning.polls {
		return finding{}
	}
	n := a.look.recent(l, e.Calls)
	if n != r.Note {
		return finding{}
	}
	return a.look.finding(a, finding{rule: RuleRepeat, stage: StageNote, count: n, limit: r.Note, window: e.Calls})
}
