package guard

import (
	"cmp"

	"github.com/loopbreaker/loopbreaker/canonical/measure"
)

// Stage is how hard the guard acts on a finding.
type Stage int

// Stages, each stronger than the one before.
const (
	StageNone Stage = iota
	// StageNote puts a remark at the end of a result.
	StageNote
	// StageWarn does so more urgently.
	StageWarn
	// StageSummarize does so and demands a written summary.
	StageSummarize
	// StageSteer speaks to the model in a message of its own.
	StageSteer
	// StageAsk asks the operator whether the call may run.
	StageAsk
	// StageBlock refuses the call.
	StageBlock
	// StageAbort ends the run.
	StageAbort
)

// String returns the stage's name on the wire.
func (s Stage) String() string {
	return [...]string{"", "note", "warn", "summarize", "steer", "ask", "block", "abort"}[s]
}

// finding is what a rule sees in an event. Without a stage it is nothing.
type finding struct {
	rule    Rule
	stage   Stage
	tool    string
	count   int    // repeats seen
	limit   int    // repeats at which the stage is due
	window  int    // among so many calls, where the rule looks at a window
	parts   string // what count is the sum of, where it is a score
	repeats int    // repeats seen, where count is a score
	symptom Symptom
	quote   string     // a line of the result in question
	measure measure.ID // what was counted, where that is not the call
	chars   int        // how many characters of the measure are quoted
	steered *steered   // what more there is to say of a command that fetches
	gated   *gated     // what more there is to say of a call at the limit of a measure
	channel Channel    // of what is written, where it is about that
}

// strongest returns the finding of the highest stage, nil where none has one; of equal
// ones, that of the highest count, and of these, that of the most telling measure.
func strongest(findings ...*finding) (best *finding) {
	for _, f := range findings {
		switch {
		case f == nil || f.stage == StageNone:
		case best == nil, f.stage > best.stage, f.stage == best.stage && (f.count > best.count ||
			f.count == best.count && f.measure != best.measure && f.measure.Rank() < best.measure.Rank()):
			best = f
		}
	}
	return best
}

// declined reports whether it is the user's own answer that a refusal follows.
func (f finding) declined() bool { return f.gated != nil && f.gated.answer == Declined }

// ladder turns findings into decisions and remembers what became of them.
type ladder struct {
	// Within one prompt:
	refusals int
	strikes  int     // turns with refusals
	fresh    int     // calls in a row, since the last refusal, that showed something new
	steers   int     // refusals of commands that fetch
	struck   bool    // whether this turn has one
	notified bool    // whether the user was told of a refusal
	steer    finding // what the model is told of at the end of the turn
	ending   finding // why the run is to end with the turn
	ended    bool    // whether the run was ended
	// recovering is whether the model has its turn to say what it knows, and
	// recovered whether it has had it.
	recovering, recovered bool

	// Within the session:
	sessionRefusals int
	history         []Why // the last decisions, oldest first
}

// historyKept is how many decisions are remembered for `why`.
const historyKept = 10

// prompt forgets what belongs to one prompt.
func (l *ladder) prompt() {
	*l = ladder{sessionRefusals: l.sessionRefusals, history: l.history}
}

// refuse refuses a call. So many refusals within one prompt end the run: a model
// that ignores them is not redirected by one more.
func (l *ladder) refuse(p Ladder, f finding, blockedSoFar int) Decision {
	l.count(f.rule)
	f.tool = named(f.tool)
	d := Decision{
		Block:     true,
		Reason:    refusal(f),
		Terminate: p.Terminate,
		Why:       l.record(f),
		Entries:   []LoopBroken{{Tool: f.tool, Repeats: cmp.Or(f.repeats, f.count), BlockedSoFar: blockedSoFar}},
	}
	if !l.notified && !f.declined() {
		l.notified = true
		d.Notify = refusedNotice(f)
	}
	if p.Strikes > 1 && l.strikes == p.Strikes-1 && l.struck {
		d.Reason += lastStrike
	}
	if p.Refusals > 0 && l.refusals >= p.Refusals || p.Strikes > 0 && l.strikes >= p.Strikes {
		l.ending = f
	}
	return d
}

// forgivenSteers are refusals of commands that fetch that are no strikes yet: to use
// a shell for it is no loop, but not to heed the refusals is.
const forgivenSteers = 3

// shown takes in whether a call that ran showed something new.
func (l *ladder) shown(p Ladder, fresh bool) {
	if !fresh {
		l.fresh = 0
		return
	}
	if l.fresh++; l.fresh == p.Forgive {
		l.fresh, l.strikes = 0, max(0, l.strikes-1)
	}
}

// count counts a refusal by a rule.
func (l *ladder) count(r Rule) {
	l.fresh = 0
	l.refusals++
	l.sessionRefusals++
	if r == RuleSteering {
		if l.steers++; l.steers <= forgivenSteers {
			return
		}
	}
	if !l.struck {
		l.struck = true
		l.strikes++
	}
}

// turnStart begins another turn, in which the model has read the refusals of the
// last. Where the host tells of no turns, all are of one.
func (l *ladder) turnStart() { l.struck = false }

// refuseInRecovery refuses a call of the turn in which the model is to answer.
func (l *ladder) refuseInRecovery(tool string) Decision {
	l.endRecovery()
	return Decision{Block: true, Reason: noToolsNow, Why: l.record(finding{rule: RuleRecovery, stage: StageBlock, tool: tool})}
}

// endRecovery ends the turn in which the model was to answer and called instead.
// The run was ended before, and the user told.
func (l *ladder) endRecovery() { l.ending = finding{rule: RuleRecovery, stage: StageAbort} }

// speak acts on a finding about a call that cannot be refused, or not any more.
func (l *ladder) speak(f *finding) Decision {
	if f == nil || f.stage == StageNone {
		return Decision{}
	}
	f.tool = named(f.tool)
	switch f.stage {
	case StageAbort:
		l.ending = *strongest(&l.ending, f)
		return Decision{}
	case StageSteer:
		l.steer = *strongest(&l.steer, f)
		return Decision{Why: l.record(*f)}
	}
	return Decision{Note: remark(*f), Why: l.record(*f)}
}

// speakAll acts on several findings about one call. The model reads all that they
// say.
func (l *ladder) speakAll(findings ...*finding) (d Decision) {
	for _, f := range findings {
		if f == nil {
			continue
		}
		one := l.speak(f)
		if d.Note != "" && one.Note != "" {
			one.Note = d.Note + "\n\n" + one.Note
		}
		if one.Note != "" {
			d.Note = one.Note
		}
		if d.Why == nil {
			d.Why = one.Why
		}
	}
	return d
}

// turnEnd ends the run where that is due, or passes on what is to be said. It
// waits for the end of the turn so that the refusals stay in the transcript.
func (l *ladder) turnEnd(p Ladder) Decision {
	steer, ending := l.steer, l.ending
	l.steer, l.ending = finding{}, finding{}
	switch {
	case ending.stage == StageNone && steer.stage == StageNone:
		l.recovering = false // it has answered in words
		return Decision{}
	case ending.stage == StageNone:
		return Decision{Steer: remark(steer)}
	case ending.rule == RuleRecovery:
		return Decision{Abort: &Abort{}}
	case ending.rule == RuleText:
		return l.afterCut(p, ending)
	}
	l.ended = true
	d := Decision{Abort: &Abort{Told: ended(ending, l.refusals)}}
	if ending.rule == RuleRejected || ending.rule == RuleTruncation {
		d.Why = l.record(ending)
	} else {
		d.Why = l.record(finding{rule: RuleRefusals, stage: StageAbort, tool: ending.tool, count: l.refusals, limit: max(p.Refusals, p.Strikes)})
	}
	if p.Recover && !l.recovered {
		l.recovering, l.recovered = true, true
		d.Abort.Recovery = recovery(ending)
	}
	return d
}

func (l *ladder) record(f finding) *Why {
	w := Why{Rule: f.rule, Stage: f.stage.String(), Tool: named(f.tool), Count: f.count, Limit: f.limit, Window: f.window, Measure: string(f.measure), Parts: f.parts}
	if len(l.history) == historyKept {
		l.history = append(l.history[:0], l.history[1:]...)
	}
	l.history = append(l.history, w)
	return &w
}
