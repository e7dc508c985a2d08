package guard

import "github.com/loopbreaker/loopbreaker/canonical"

// output is the last answer of a tool, and how many calls in a row, each other than
// the one before, had it, while no other tool had anything new to say.
type output struct {
	result  canonical.Fingerprint
	key     canonical.Key
	n       int
	answers int // the count of answers when it came
	failed  bool
	said    saying
	// words is how many of the last of these calls differed in nothing but what they
	// say, which wordless leaves out.
	words    int
	wordless canonical.Key
}

// mostOutputs bounds how many tools are remembered. Who calls more of them is in no
// row of equal answers.
const mostOutputs = 256

// forced returns how many calls count for more than a word, 0 where none does. Whoever
// explores asks many different things, and may hear one answer to all of them; whoever
// works through a list hears a tool confirm each. But many calls that all fail the same
// way do not get on, nor do those that only say something else each time.
func (x *output) forced(m meaning) int {
	if m.polls {
		return 0
	}
	switch m.kind {
	case canonical.ToolOther, canonical.ToolNotes:
		if x.wordless == m.wordless && !x.failed {
			return x.words
		}
		fallthrough
	case canonical.ToolEdit, canonical.ToolWrite:
		if x.failed {
			return x.n
		}
	}
	return 0
}

// row returns what a tool last answered, nil where another has since said something
// new.
func (l *looks) row(tool string) *output {
	if x := l.outputs[tool]; x != nil && x.answers == l.answers {
		return x
	}
	return nil
}

// call refuses a call of a tool whose last answers, to different calls, were all
// the same (ours).
func (o Output) call(l *looks, a *action) *finding {
	x := l.row(a.tool)
	if o.Block == 0 || x == nil {
		return nil
	}
	n := x.forced(a.meaning)
	if n < o.Block {
		return nil
	}
	return &finding{rule: RuleOutput, stage: StageBlock, tool: a.tool, count: n, limit: o.Block, symptom: x.said.symptom, quote: x.said.quote}
}

// result counts an answer, speaks once there were so many, and ends the run.
// Neither an edit that succeeded nor a command without a word says anything.
func (o Output) result(l *looks, a *action, e evidence) *finding {
	m := a.meaning
	switch {
	case m.polls, e.empty:
		return nil
	case m.effect == edits && !e.failed:
		if !a.repeats {
			l.answers++
		}
		return nil
	}
	x := l.row(a.tool)
	if x == nil || x.result != e.quiet {
		if last := l.outputs[a.tool]; !a.known && (last == nil || last.result != e.quiet) {
			l.answers++
		}
		if len(l.outputs) >= mostOutputs {
			clear(l.outputs)
		}
		l.outputs[a.tool] = &output{result: e.quiet, key: m.key, n: 1, answers: l.answers, words: 1, wordless: m.wordless,
			failed: e.failed || saysFailed(a.beginning())}
		return nil
	}
	if x.key == m.key {
		return nil
	}
	x.key = m.key
	x.n++
	if x.wordless != m.wordless {
		x.wordless, x.words = m.wordless, 0
	}
	x.words++
	x.said = a.saying(e)
	f := &finding{rule: RuleOutput, tool: a.tool, count: x.n, symptom: x.said.symptom, quote: x.said.quote}
	switch {
	case o.Abort > 0 && x.forced(m) >= o.Abort:
		f.stage, f.limit = StageAbort, o.Abort
	case o.Note > 0 && x.n == o.Note:
		f.stage, f.limit = StageNote, o.Note
	}
	return f
}
