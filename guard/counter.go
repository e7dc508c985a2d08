package guard

import "github.com/loopbreaker/loopbreaker/canonical"

// call refuses a command whose results have so often in a row differed in nothing
// but their numbers (ours). Other tools that count may count to an end, and so may
// what says how far it is of how much.
func (c Counter) call(l *looks, a *action) *finding {
	k := a.seen
	if c.Block == 0 || k == nil || k.counted < c.Block || k.edits != l.edits || a.meaning.kind != canonical.ToolShell || a.meaning.polls || k.said.nears {
		return nil
	}
	return k.finding(a, &finding{rule: RuleCounter, stage: StageBlock, count: k.counted, limit: c.Block})
}

// result speaks once there were so many such results in a row.
func (c Counter) result(a *action) *finding {
	if c.Note == 0 || a.repeats || a.look.counted != c.Note || a.meaning.polls {
		return nil
	}
	return a.look.finding(a, &finding{rule: RuleCounter, stage: StageNote, count: c.Note, limit: c.Note})
}
