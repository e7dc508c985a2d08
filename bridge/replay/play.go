package replay

import (
	"context"
	"errors"
	"hash/maphash"
	"slices"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/loopbreaker/loopbreaker/bridge"
)

// Step is one recorded call and what became of it.
type Step struct {
	// Number counts the calls of a session from 1, Turn its turns.
	Number, Turn int
	Tool         string
	Input        jsontext.Value
	// Content is the result's blocks, nil where there is none. Like Input it is
	// valid only while the step is shown.
	Content jsontext.Value
	IsError bool
	// Fate is what happened to the call.
	Fate Fate
	// Said are the sentences of the guard about it: a refusal, a note.
	Said []string
	// Why is the finding behind what was said, nil where there is none.
	Why *bridge.Why
	// Same is the same for equal calls.
	Same uint64
	ends bool // whether the guard refused it so that the turn ends
}

// Fate is what happened to a call.
type Fate string

// Fates.
const (
	Ran      Fate = "ran"      // it ran
	Refused  Fate = "refused"  // the guard refused it
	Rejected Fate = "rejected" // the host answered it before any hook
	Saved    Fate = "saved"    // it never came: the guard had ended the run, or refused the call that made it
)

// player plays one session.
type player struct {
	c       *connection
	reads   bool // whether the guard reads what the model writes
	out     Outcome
	watch   func(Step)
	counts  map[uint64]int
	pending map[string]bool // calls that ran and whose results are to come
	turns   int
	over    bool // whether the guard has ended the run
	err     error
	faults  []string
	due     []question

	turn    []Event           // the calls of the turn, then its results
	kept    []byte            // their texts
	results map[string]*Event // the turn's, by the ids of their calls
	steps   []Step            // its calls
	byID    map[string]int    // the places of steps
}

// question is a request that is not answered yet.
type question struct {
	method string
	line   int
	take   func(bridge.Decision)
}

// Play puts a session to a fresh guard and returns what came of it. Replay is
// open-loop: what was recorded goes on after a refusal, until the guard ends the
// run. watch, if not nil, is shown every call. What is wrong with the file comes
// back as faults.
func (s *Session) Play(ctx context.Context, o bridge.Options, watch func(Step)) (outcome Outcome, faults []string, err error) {
	p := &player{
		c: connect(ctx, o), watch: watch,
		counts: map[uint64]int{}, pending: map[string]bool{},
		results: map[string]*Event{}, byID: map[string]int{},
	}
	p.out = Outcome{Name: s.Name, Label: s.Label, LoopStart: s.LoopStart, Expect: s.Expect, About: s.About}
	var opened bridge.InitializeResult
	if err := p.c.call(bridge.MethodInitialize, hello(), &opened); err != nil {
		return p.out, nil, errors.Join(err, p.c.close())
	}
	p.out.By = opened.Preset
	p.reads = slices.Contains(opened.Forward, bridge.MethodStreamDelta)
	faults = s.Events(func(e Event) bool {
		p.event(e)
		return p.err == nil && ctx.Err() == nil
	})
	p.flush()
	p.peaks()
	faults = append(faults, p.faults...)
	return p.out, faults, errors.Join(p.err, ctx.Err(), p.c.close())
}

// event takes in an event. Those of a turn are held until it is over, for all
// calls that a model makes at once are asked about before any of them has a result.
func (p *player) event(e Event) {
	switch e.Kind {
	case KindCall, KindResult:
		// The reader's line is gone when the turn is played.
		e.Input, e.Content = p.keep(e.Input), p.keep(e.Content)
		p.turn = append(p.turn, e)
	case KindUsage:
		p.out.spend(e)
	case KindWritten:
		p.written(e)
	default:
		p.flush()
		p.tell(e.Kind)
	}
}

// keep copies a text to where it stays until the turn has been played.
func (p *player) keep(text []byte) []byte {
	if text == nil {
		return nil
	}
	if len(p.kept)+len(text) > cap(p.kept) { // what is there stays where it is
		p.kept = make([]byte, 0, max(2*cap(p.kept), len(text), 64<<10))
	}
	start := len(p.kept)
	p.kept = append(p.kept, text...)
	return p.kept[start:len(p.kept):len(p.kept)]
}

// told are the methods that tell of an event, and ask nothing.
var told = map[Kind]string{KindPrompt: bridge.MethodPrompt, KindTurn: bridge.MethodTurnStart, KindCompact: bridge.MethodCompact}

func (p *player) tell(k Kind) {
	if k == KindTurn {
		p.turns++
	}
	if !p.over && p.err == nil {
		p.err = p.c.notify(told[k])
	}
}

// flush plays the turn that is over: the calls of the model, then what came of
// them, in order. A call within a call comes where it was made.
func (p *player) flush() {
	p.settle() // what it says to what the model wrote
	if len(p.turn) == 0 {
		return
	}
	for i, e := range p.turn {
		if e.Kind == KindResult {
			p.results[e.ID] = &p.turn[i]
		}
	}
	for i := range p.turn {
		if e := &p.turn[i]; e.Kind == KindCall && e.Parent == "" {
			p.call(e)
		}
	}
	p.settle()
	allEnded := p.allEnded()
	for i := range p.turn {
		switch e := &p.turn[i]; {
		case e.Kind == KindCall && e.Parent != "":
			p.settle() // what became of the call that made it
			p.call(e)
		case e.Kind == KindResult:
			p.result(e)
		}
	}
	p.end(allEnded)
	for _, s := range p.steps {
		p.out.fate(s)
		if p.watch != nil {
			p.watch(s)
		}
	}
	p.forget()
}

// forget makes room for the next turn.
func (p *player) forget() {
	clear(p.turn)
	clear(p.results)
	clear(p.steps)
	clear(p.byID)
	p.turn, p.steps, p.kept = p.turn[:0], p.steps[:0], p.kept[:0]
	if cap(p.kept) > 16<<20 {
		p.kept = nil
	}
}

// call asks about a call, if it came to the guard.
func (p *player) call(e *Event) {
	if p.err != nil {
		return
	}
	p.out.Calls++
	i := len(p.steps)
	step := Step{Number: p.out.Calls, Turn: p.turns, Tool: e.Tool, Input: e.Input, Fate: Ran}
	r := p.results[e.ID]
	if r != nil {
		step.Content, step.IsError = r.Content, r.IsError
	}
	p.repeat(&step)
	switch parent, known := p.byID[e.Parent]; {
	case p.over, known && e.Parent != "" && p.steps[parent].Fate != Ran:
		step.Fate = Saved
	case e.Rejected || r != nil && r.Rejected:
		step.Fate = Rejected
	default:
		p.ask(bridge.MethodToolCall, e.Line, func(out []byte) []byte { return appendCall(out, e) }, func(d bridge.Decision) {
			s := &p.steps[i]
			p.out.decided(s.Number, d)
			if !d.Block {
				p.pending[e.ID] = true
				return
			}
			s.Fate, s.ends = Refused, d.Terminate
			s.Said, s.Why = []string{d.Reason}, d.Why
		})
	}
	if e.Lost {
		p.out.Lost++
	}
	p.byID[e.ID] = i
	p.steps = append(p.steps, step)
}

// result tells of a result: that of a call which ran, or of one which the host
// rejected.
func (p *player) result(e *Event) {
	if p.over || p.err != nil {
		return
	}
	if e.Parent != "" {
		p.settle() // whether its call ran
	}
	i, ofThisTurn := p.byID[e.ID]
	take := func(d bridge.Decision) {
		number := p.out.Calls
		if ofThisTurn {
			s := &p.steps[i]
			number = s.Number
			if d.Note != "" {
				s.Said, s.Why = append(s.Said, d.Note), d.Why
			}
		}
		p.out.decided(number, d)
	}
	switch ran := p.pending[e.ID]; {
	case ran:
		delete(p.pending, e.ID)
		if e.Withheld {
			return
		}
		if e.Lost {
			p.out.Lost++
		}
		p.ask(bridge.MethodToolResult, e.Line, func(out []byte) []byte { return appendResult(out, e) }, take)
	case ofThisTurn && p.steps[i].Fate == Rejected:
		p.ask(bridge.MethodToolRejected, e.Line, func(out []byte) []byte { return appendRejected(out, &p.steps[i], e) }, take)
	}
}

// allEnded reports whether every call that the model made was refused so that the
// turn ends with it.
func (p *player) allEnded() bool {
	for _, s := range p.steps {
		if !s.ends {
			return false
		}
	}
	return len(p.steps) > 0
}

// end tells of the end of a turn with calls. The guard may end the run with it; a
// turn whose calls are all refused so ends it too.
func (p *player) end(allEnded bool) {
	defer p.settle()
	if p.over || len(p.steps) == 0 {
		return
	}
	last := &p.steps[len(p.steps)-1]
	p.ask(bridge.MethodTurnEnd, 0, func(out []byte) []byte { return append(out, "{}"...) }, func(d bridge.Decision) {
		p.out.decided(last.Number, d)
		if d.Steer != "" {
			last.Said = append(last.Said, d.Steer)
		}
		if d.Abort != nil {
			last.Said, last.Why = append(last.Said, d.Abort.Told), d.Why
		}
		if d.Abort != nil || allEnded {
			p.over = true
			at := last.Number // a pointer into the steps would keep all of them
			p.out.EndedAt = &at
		}
	})
}

// ask makes a request for a decision, which take is given when it settles.
func (p *player) ask(method string, line int, params func(out []byte) []byte, take func(bridge.Decision)) {
	if p.err == nil {
		p.err = p.c.ask(method, params)
		p.due = append(p.due, question{method, line, take})
	}
}

// settle takes in the answers to all that was asked. One that finds fault with
// the question is no decision, as it would be none for a host; what is wrong is
// the recording's.
func (p *player) settle() {
	for _, q := range p.due {
		if p.err != nil {
			break
		}
		var d bridge.Decision
		var refused *refusal
		result, err := p.c.answer(q.method)
		switch {
		case errors.As(err, &refused):
			p.out.Uncountable++
			p.faults = append(p.faults, faultAt(q.line, refused.message))
		case err != nil:
			p.err = err
		case string(result) != "{}":
			d, p.err = decided(result)
		}
		q.take(d)
	}
	clear(p.due)
	p.due = p.due[:0]
}

// decided reads a decision.
func decided(result []byte) (d bridge.Decision, err error) {
	err = jsonv2.Unmarshal(result, &d)
	return d, err
}

// repeat notes how often an equal call has come.
func (p *player) repeat(s *Step) {
	var h maphash.Hash
	h.SetSeed(hashSeed)
	h.WriteString(s.Tool)
	h.WriteByte(0)
	h.Write(s.Input)
	s.Same = h.Sum64()
	p.counts[s.Same]++
	if n := p.counts[s.Same]; n > p.out.Worst.Count {
		p.out.Worst.Count, p.out.Worst.Tool = n, s.Tool
	}
}
