package guard

import "slices"

// sees reports whether the rule looks at a result.
func (s Streak) sees(tool string, isError bool) bool {
	return !slices.Contains(s.IgnoreTools, tool) && !(isError && s.IgnoreErrors)
}

func (s Streak) contradictory() bool { return s.Warn > 0 && s.Block > 0 && s.Warn >= s.Block }

// call refuses a call whose result came as often in a row as is allowed (system
// `streak`). It stays refused until another call has run.
func (s Streak) call(l *ledger, a *action) *finding {
	if s.Block == 0 || s.contradictory() || a.key != l.streak.key || l.streak.n < s.Block-1 || slices.Contains(s.IgnoreTools, a.tool) {
		return nil
	}
	return &finding{rule: RuleStreak, stage: StageBlock, tool: a.tool, count: l.streak.n, limit: s.Block - 1}
}

// result warns, once, when a result has come so often in a row. In a batch the
// last one speaks for all.
func (s Streak) result(l *ledger) *finding {
	if s.Warn == 0 || s.contradictory() || l.streak.n < s.Warn || l.streak.warned || l.due > 0 {
		return nil
	}
	l.streak.warned, l.before.warned = true, true
	return &finding{rule: RuleStreak, stage: StageWarn, tool: l.streak.tool, count: l.streak.n, limit: s.Warn}
}
