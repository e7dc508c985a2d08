package guard

import "github.com/loopbreaker/loopbreaker/canonical"

// output is the last result of a tool, and how many calls in a row, each other
// than the one before, had it.
type output struct {
	result canonical.Fingerprint
	key    canonical.Key
	n      int
	said   saying
}

// forced reports whether the rule may do more than speak. Whoever explores asks
// many different things, and may hear one answer to all of them.
func (o Output) forced(m meaning) bool { return m.kind == canonical.ToolOther && !m.polls }

// call refuses a call of a tool whose last answers, to different calls, were all
// the same (ours).
func (o Output) call(l *looks, a *action) finding {
	x := l.outputs[a.tool]
	if o.Block == 0 || x == nil || x.n < o.Block || !o.forced(a.meaning) {
		return finding{}
	}
	return finding{rule: RuleOutput, stage: StageBlock, tool: a.tool, count: x.n, limit: o.Block, symptom: x.said.symptom, quote: x.said.quote}
}

// result counts an answer, speaks once there were so many, and ends the run.
// Neither an edit that succeeded nor a command without a word says anything.
func (o Output) result(l *looks, a *action, e evidence) finding {
	if a.meaning.effect == edits && !e.failed || e.empty || a.meaning.polls {
		return finding{}
	}
	x := l.outputs[a.tool]
	if x == nil || x.result != e.quiet {
		if x == nil {
			x = new(output)
			l.outputs[a.tool] = x
		}
		*x = output{result: e.quiet, key: a.meaning.key, n: 1}
		return finding{}
	}
	if x.key == a.meaning.key {
		return finding{}
	}
	x.key = a.meaning.key
	x.n++
	x.said = a.saying(e)
	f := finding{rule: RuleOutput, tool: a.tool, count: x.n, symptom: x.said.symptom, quote: x.said.quote}
	switch {
	case o.Abort > 0 && x.n >= o.Abort && o.forced(a.meaning):
		f.stage, f.limit = StageAbort, o.Abort
	case o.Note > 0 && x.n == o.Note:
		f.stage, f.limit = StageNote, o.Note
	}
	return f
}
