package replay

import "github.com/loopbreaker/loopbreaker/bridge"

// Outcome is what a recording led to. Calls are counted from 1.
type Outcome struct {
	Name string `json:"name"`
	// Preset is what the guard went by, where several are compared.
	Preset string `json:"preset,omitzero"`
	// Calls is how many calls were recorded, Blocked how many of them were
	// refused, FirstBlock the first of those.
	Calls      int  `json:"calls"`
	Blocked    int  `json:"blocked"`
	FirstBlock *int `json:"firstBlock"`
	// Entries is how many entries the session file was given.
	Entries int `json:"entries"`
	// Noted is how many times the guard spoke to the model without refusing,
	// FirstNote the call at which it first did.
	Noted     int  `json:"noted,omitzero"`
	FirstNote *int `json:"firstNote,omitzero"`
	// EndedAt is the call after which the guard ended the run.
	EndedAt *int `json:"endedAt,omitzero"`
	// Ran is how many calls ran or were rejected by the host, AfterLoop how many
	// of those came at or after LoopStart.
	Ran       int `json:"ran,omitzero"`
	AfterLoop int `json:"afterLoop,omitzero"`
	// Rejected is how many calls the host answered before any hook, Uncountable
	// how many events the guard could make nothing of.
	Rejected    int `json:"rejected,omitzero"`
	Uncountable int `json:"uncountable,omitzero"`
	// Lost is how many inputs and results, of calls within calls, the file does not
	// hold, so that the guard could not see them as it once did.
	Lost int `json:"lost,omitzero"`
	// Worst is the call that came most often.
	Worst Worst `json:"worst,omitzero"`
	// Tokens and Cost are what the session cost, and SavedTokens and SavedCost
	// what of it came after the guard had ended the run.
	Tokens      int     `json:"tokens,omitzero"`
	Cost        float64 `json:"cost,omitzero"`
	SavedTokens int     `json:"savedTokens,omitzero"`
	SavedCost   float64 `json:"savedCost,omitzero"`
	// By is the preset that the guard went by, Model the model that wrote the last
	// response, Tools what became of the calls of each tool.
	By    string              `json:"-"`
	Model string              `json:"-"`
	Tools map[string]*ToolRow `json:"-"`
	// About is what the file says of the session.
	About About `json:"-"`
	// Peaks are how far measures have come, where any has a limit.
	Peaks []bridge.Peak `json:"-"`
	// Label, LoopStart and Expect are what is known of the session.
	Label     string       `json:"label,omitzero"`
	LoopStart int          `json:"loopStart,omitzero"`
	Expect    *Expectation `json:"expect,omitzero"`
}

// Worst is a call and how often it came.
type Worst struct {
	Tool  string `json:"tool"`
	Count int    `json:"count"`
}

// count takes in a decision on one more call.
func (o *Outcome) count(d bridge.Decision) {
	o.Calls++
	o.decided(o.Calls, d)
}

// decided takes in a decision about the call of that number.
func (o *Outcome) decided(number int, d bridge.Decision) {
	o.Entries += len(d.Entries)
	if d.Block {
		o.Blocked++
		o.FirstBlock = first(o.FirstBlock, number)
	}
	if d.Note != "" || d.Steer != "" {
		o.Noted++
		o.FirstNote = first(o.FirstNote, number)
	}
}

func first(known *int, number int) *int {
	if known != nil {
		return known
	}
	return &number
}

// fate takes in what became of a call.
func (o *Outcome) fate(s Step) {
	if o.Tools == nil {
		o.Tools = map[string]*ToolRow{}
	}
	t := o.Tools[s.Tool]
	if t == nil {
		t = &ToolRow{Tool: s.Tool}
		o.Tools[s.Tool] = t
	}
	t.Calls++
	if s.Fate == Refused {
		t.Blocked++
	} else if len(s.Said) > 0 {
		t.Noted++
	}
	switch s.Fate {
	case Refused, Saved:
		t.Saved++
	case Rejected:
		o.Rejected++
		fallthrough
	case Ran:
		o.Ran++
		if o.LoopStart > 0 && s.Number >= o.LoopStart {
			o.AfterLoop++
		}
	}
}

// spend takes in what a response cost.
func (o *Outcome) spend(e Event) {
	o.Tokens += e.Tokens
	o.Cost += e.Cost
	if e.Model != "" {
		o.Model = e.Model
	}
	if o.EndedAt != nil {
		o.SavedTokens += e.Tokens
		o.SavedCost += e.Cost
	}
}
