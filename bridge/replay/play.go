package replay

import (
	"context"
	"crypto/sha256"
	"errors"
	"strings"

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
	// Same identifies equal calls.
	Same [sha256.Size]byte
}

// Fate is what happened to a call.
type Fate string

// Fates.
const (
	Ran      Fate = "ran"      // it ran
	Refused  Fate = "refused"  // the guard refused it
	Rejected Fate = "rejected" // the host answered it before any hook
	Saved    Fate = "saved"    // the guard had ended the run before it
)

// player plays one session.
type player struct {
	c       *connection
	out     Outcome
	watch   func(Step)
	counts  map[[sha256.Size]byte]int
	pending map[string]bool // calls that ran and whose results are to come
	turn    []Event         // the calls of the turn, then its results
	turns   int
	over    bool // whether the guard has ended the run
	err     error
	faults  []string
	params  []byte
	kept    []byte // the texts of the turn's events
}

// Play puts a session to a fresh guard and returns what came of it. Replay is
// open-loop: what was recorded goes on after a refusal, until the guard ends the
// run. watch, if not nil, is shown every call. What is wrong with the file comes
// back as faults.
func (s *Session) Play(ctx context.Context, o bridge.Options, watch func(Step)) (outcome Outcome, faults []string, err error) {
	p := &player{
		c: connect(ctx, o), watch: watch,
		counts: map[[sha256.Size]byte]int{}, pending: map[string]bool{},
	}
	p.out = Outcome{Name: s.Name, Label: s.Label, LoopStart: s.LoopStart, Expect: s.Expect}
	if err := p.c.call(bridge.MethodInitialize, hello(), &bridge.InitializeResult{}); err != nil {
		return p.out, nil, errors.Join(err, p.c.close())
	}
	faults = s.Events(func(e Event) bool {
		p.event(e)
		return p.err == nil && ctx.Err() == nil
	})
	p.flush()
	faults = append(faults, p.faults...)
	return p.out, faults, errors.Join(p.err, ctx.Err(), p.c.close())
}

// event takes in an event. Those of a turn are held until it is over, for all
// calls of a turn are asked about before any of them has a result.
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

func (p *player) tell(k Kind) {
	method := map[Kind]string{KindPrompt: bridge.MethodPrompt, KindTurn: bridge.MethodTurnStart, KindCompact: bridge.MethodCompact}[k]
	if k == KindTurn {
		p.turns++
	}
	if !p.over && p.err == nil {
		p.err = p.c.notify(method)
	}
}

// flush plays the turn that is over.
func (p *player) flush() {
	if len(p.turn) == 0 {
		return
	}
	turn := p.turn
	defer func() {
		p.turn, p.kept = p.turn[:0], p.kept[:0]
		if cap(p.kept) > 16<<20 {
			p.kept = nil
		}
	}()
	results := make(map[string]*Event, len(turn))
	for i, e := range turn {
		if e.Kind == KindResult {
			results[e.ID] = &turn[i]
		}
	}
	steps := make([]Step, 0, len(turn))
	byID := map[string]int{}
	allEnded := true
	for _, e := range turn {
		if e.Kind != KindCall || p.err != nil {
			continue
		}
		r := results[e.ID]
		step := Step{Number: p.out.Calls + 1, Turn: p.turns, Tool: e.Tool, Input: e.Input, Fate: Ran}
		if r != nil {
			step.Content, step.IsError = r.Content, r.IsError
		}
		p.out.Calls++
		p.repeat(&step)
		switch {
		case p.over:
			step.Fate = Saved
		case e.Rejected || r != nil && r.Rejected:
			step.Fate = Rejected
			allEnded = false
		default:
			d := p.ask(bridge.MethodToolCall, p.call(e), e.Line)
			p.out.decided(step.Number, d)
			if d.Block {
				step.Fate, step.Said, step.Why = Refused, []string{d.Reason}, d.Why
			} else {
				p.pending[e.ID] = true
			}
			allEnded = allEnded && d.Block && d.Terminate
		}
		p.out.fate(step)
		byID[e.ID] = len(steps)
		steps = append(steps, step)
	}
	for _, e := range turn {
		if e.Kind == KindResult && !p.over && p.err == nil {
			p.result(e, steps, byID)
		}
	}
	if !p.over && len(steps) > 0 {
		p.end(steps, allEnded)
	}
	if p.watch != nil {
		for _, s := range steps {
			p.watch(s)
		}
	}
}

// result tells of a result: that of a call which ran, or of one which the host
// rejected.
func (p *player) result(e Event, steps []Step, byID map[string]int) {
	i, ofThisTurn := byID[e.ID]
	var d bridge.Decision
	switch {
	case p.pending[e.ID] && e.Withheld:
		delete(p.pending, e.ID)
		return
	case p.pending[e.ID]:
		delete(p.pending, e.ID)
		d = p.ask(bridge.MethodToolResult, p.resultParams(e), e.Line)
	case ofThisTurn && steps[i].Fate == Rejected:
		d = p.ask(bridge.MethodToolRejected, p.rejectedParams(steps[i], e), e.Line)
	default:
		return
	}
	number := p.out.Calls
	if ofThisTurn {
		number = steps[i].Number
		if d.Note != "" {
			steps[i].Said, steps[i].Why = append(steps[i].Said, d.Note), d.Why
		}
	}
	p.out.decided(number, d)
}

// end tells of the end of a turn. The guard may end the run with it; a turn whose
// calls are all refused so ends it too.
func (p *player) end(steps []Step, allEnded bool) {
	last := &steps[len(steps)-1]
	d := p.ask(bridge.MethodTurnEnd, []byte("{}"), 0)
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
}

// ask makes a request for a decision. One that the guard finds fault with is no
// decision, as it would be for a host; what is wrong is the recording's.
func (p *player) ask(method string, params []byte, line int) (d bridge.Decision) {
	if p.err != nil {
		return d
	}
	result, err := p.c.ask(method, params)
	var refused *refusal
	switch {
	case errors.As(err, &refused):
		p.out.Uncountable++
		p.faults = append(p.faults, faultAt(line, refused.message))
	case err != nil:
		p.err = err
	case string(result) != "{}":
		p.err = jsonv2.Unmarshal(result, &d)
	}
	return d
}

func (p *player) call(e Event) []byte {
	out := append(p.params[:0], `{"toolCallId":`...)
	out = appendText(out, e.ID)
	out = appendText(append(out, `,"toolName":`...), e.Tool)
	input := e.Input
	if input == nil {
		input = jsontext.Value("null")
	}
	out = append(append(append(out, `,"input":`...), input...), '}')
	p.params = out
	return out
}

func (p *player) resultParams(e Event) []byte {
	out := append(p.params[:0], `{"toolCallId":`...)
	out = appendText(out, e.ID)
	if e.IsError {
		out = append(out, `,"isError":true`...)
	}
	content := e.Content
	if len(content) == 0 || content[0] != '[' {
		content = jsontext.Value("[]")
	}
	out = append(append(append(out, `,"content":`...), content...), '}')
	p.params = out
	return out
}

func (p *player) rejectedParams(s Step, e Event) []byte {
	out := append(p.params[:0], `{"toolCallId":`...)
	out = appendText(out, e.ID)
	out = appendText(append(out, `,"toolName":`...), s.Tool)
	out = appendText(append(out, `,"text":`...), FirstText(e.Content))
	if s.Input != nil {
		out = append(append(out, `,"input":`...), s.Input...)
	}
	p.params = append(out, '}')
	return p.params
}

// appendText quotes a text; what is ill-formed in it becomes U+FFFD.
func appendText(out []byte, text string) []byte {
	out, _ = jsontext.AppendQuote(out, strings.ToValidUTF8(text, "\uFFFD"))
	return out
}

// repeat notes how often an equal call has come.
func (p *player) repeat(s *Step) {
	h := sha256.New()
	h.Write([]byte(s.Tool))
	h.Write([]byte{0})
	h.Write(s.Input)
	h.Sum(s.Same[:0])
	p.counts[s.Same]++
	if n := p.counts[s.Same]; n > p.out.Worst.Count {
		p.out.Worst.Count, p.out.Worst.Tool = n, s.Tool
	}
}

// FirstText returns the first text of a result's blocks.
func FirstText(content jsontext.Value) string {
	var blocks []struct {
		Text string `json:"text"`
	}
	if jsonv2.Unmarshal(content, &blocks, lenient) != nil || len(blocks) == 0 {
		return ""
	}
	return blocks[0].Text
}
