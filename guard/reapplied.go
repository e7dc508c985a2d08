package guard

import "github.com/loopbreaker/loopbreaker/canonical"

// applied is the last edit that succeeded, and how often in a row it did with
// nothing else done in between: no other edit, and no command that may have changed
// something and was not made before. What the edit does, others may show.
type applied struct {
	key  canonical.Key
	acts int
	n    int
}

// again notes an edit, and reports whether it is the last one once more.
func (x *applied) again(l *looks, a *action, e evidence) bool {
	if a.meaning.effect != edits || e.failed {
		return false
	}
	if x.n > 0 && x.key == a.meaning.key && x.acts == l.acts {
		x.n++
		return true
	}
	*x = applied{a.meaning.key, l.acts + 1, 1}
	return false
}

// call refuses an edit that has succeeded so often in a row, whatever it showed: a
// file that grows by the same lines each time is no progress (ours).
func (r Reapplied) call(l *looks, a *action) *finding {
	x := l.applied
	if r.Block == 0 || x.n < r.Block || x.key != a.meaning.key || x.acts != l.acts {
		return nil
	}
	return &finding{rule: RuleReapplied, stage: StageBlock, tool: a.tool, count: x.n, limit: r.Block, symptom: SymptomApplied}
}

// result speaks once an edit has succeeded so often.
func (r Reapplied) result(l *looks, a *action, e evidence) *finding {
	if r.Note == 0 || a.meaning.effect != edits || e.failed || l.applied.n != r.Note {
		return nil
	}
	return &finding{rule: RuleReapplied, stage: StageNote, tool: a.tool, count: l.applied.n, limit: r.Note, symptom: SymptomApplied}
}
