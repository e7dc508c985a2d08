package replay

import (
	"maps"
	"slices"
)

// Row is what replay prints of a session, as JSON, one a line, for a program that
// makes columns of it: every column is in every line and of one type, null where the
// recording does not say. Lines of fixtures and traces are not for that: they are an
// Outcome.
type Row struct {
	Name string `json:"name"`
	// Preset is what the guard went by.
	Preset     string `json:"preset"`
	Calls      int    `json:"calls"`
	Blocked    int    `json:"blocked"`
	FirstBlock *int   `json:"firstBlock"`
	Entries    int    `json:"entries"`
	// Saved is how many calls would not have run: those refused, and those after the
	// end of the run.
	Saved     int  `json:"saved"`
	Noted     int  `json:"noted"`
	FirstNote *int `json:"firstNote"`
	EndedAt   *int `json:"endedAt"`
	// Looped is whether the guard did anything: a remark, a refusal, an end.
	Looped bool `json:"looped"`
	// Session is the id of the session, Started when it began (as in the file),
	// Project its folder, Model the one that wrote the last response.
	Session *string `json:"session"`
	Started *string `json:"started"`
	Project *string `json:"project"`
	Model   *string `json:"model"`
	// Tools are the tools that were called, by name.
	Tools       []ToolRow `json:"tools"`
	Ran         int       `json:"ran"`
	AfterLoop   int       `json:"afterLoop"`
	Rejected    int       `json:"rejected"`
	Uncountable int       `json:"uncountable"`
	Lost        int       `json:"lost"`
	Worst       Worst     `json:"worst"`
	Tokens      int       `json:"tokens"`
	Cost        float64   `json:"cost"`
	SavedTokens int       `json:"savedTokens"`
	SavedCost   float64   `json:"savedCost"`
	// Label, LoopStart and Expect are what people have judged.
	Label     *string    `json:"label"`
	LoopStart *int       `json:"loopStart"`
	Expect    *ExpectRow `json:"expect"`
}

// ToolRow says what became of the calls of one tool: Calls in all, of them Blocked and
// Saved as in a Row; about Noted of the others the guard spoke.
type ToolRow struct {
	Tool    string `json:"tool"`
	Calls   int    `json:"calls"`
	Blocked int    `json:"blocked"`
	Noted   int    `json:"noted"`
	Saved   int    `json:"saved"`
}

// ExpectRow is an Expectation.
type ExpectRow struct {
	Stage string `json:"stage"`
	By    *int   `json:"by"`
}

// row is what an outcome of a session looks like in a table.
func (o Outcome) row() Row {
	r := Row{
		Name: o.Name, Preset: o.By, Calls: o.Calls, Blocked: o.Blocked, FirstBlock: o.FirstBlock, Entries: o.Entries,
		Noted: o.Noted, FirstNote: o.FirstNote, EndedAt: o.EndedAt, Looped: o.Noted+o.Blocked > 0 || o.EndedAt != nil,
		Session: orNull(o.About.ID), Started: orNull(o.About.Started), Project: orNull(o.About.Project), Model: orNull(o.Model),
		Ran: o.Ran, AfterLoop: o.AfterLoop, Rejected: o.Rejected, Uncountable: o.Uncountable, Lost: o.Lost, Worst: o.Worst,
		Tokens: o.Tokens, Cost: o.Cost, SavedTokens: o.SavedTokens, SavedCost: o.SavedCost,
		Label: orNull(o.Label), LoopStart: orNull(o.LoopStart),
	}
	for _, name := range slices.Sorted(maps.Keys(o.Tools)) {
		t := *o.Tools[name]
		r.Tools = append(r.Tools, t)
		r.Saved += t.Saved
	}
	if e := o.Expect; e != nil {
		r.Expect = &ExpectRow{e.Stage, orNull(e.By)}
	}
	return r
}

// orNull is a value, nil for the zero value, which stands for none.
func orNull[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}
