package guard

// nothing counts the calls in a row that showed nothing that was not known: few
// different calls, in any order.
type nothing struct{ n int }

// call refuses a call whose answer is known, after so many that showed nothing new
// (ours): a slow backstop for rotations that follow no order.
func (n Novelty) call(l *looks, a *action) *finding {
	if n.Block == 0 || l.nothing.n < n.Block || a.meaning.polls || a.seen == nil {
		return nil
	}
	return &finding{rule: RuleNovelty, stage: StageBlock, tool: a.tool, count: l.nothing.n, limit: n.Block}
}

// result counts a result, and speaks once there were so many.
func (n Novelty) result(l *looks, a *action) *finding {
	switch {
	case a.meaning.polls:
		return nil
	case !a.known:
		l.nothing.n = 0
		return nil
	}
	l.nothing.n++
	if n.Note == 0 || l.nothing.n != n.Note {
		return nil
	}
	return a.look.finding(a, &finding{rule: RuleNovelty, stage: StageNote, count: l.nothing.n, limit: n.Note})
}
