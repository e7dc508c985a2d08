package replay

import (
	"errors"
	"fmt"
	"io"
)

// Report prints what comes of a replay, session by session, and keeps the scores.
type Report struct {
	// Out takes the outcomes: as a table if Table is set, else as JSON, one object
	// a line; nothing if Quiet is set. Err takes the faults, a line each.
	Out, Err     io.Writer
	Table, Quiet bool
	// SideBySide is whether several presets are compared.
	SideBySide bool
	// Page, if not nil, draws the sessions too.
	Page *Page
	// Faults is how many were printed.
	Faults int

	scores map[string]*Score
	order  []string
	headed bool
	failed error
}

// WriteFaults writes what is wrong with files, a line each. Their names, as what is
// in them, may be anybody's.
func WriteFaults(w io.Writer, faults []string) {
	for _, fault := range faults {
		fmt.Fprintln(w, shortened(fault, longName))
	}
}

// Take takes in what came of one session, as Lab.Play reports it.
func (r *Report) Take(p Played) {
	r.Faults += len(p.Faults)
	WriteFaults(r.Err, p.Faults)
	if p.Outcome.Name == "" {
		return // the file could not be played
	}
	s := r.scores[p.Outcome.Preset]
	if s == nil {
		s = &Score{Preset: p.Outcome.Preset}
		if r.scores == nil {
			r.scores = map[string]*Score{}
		}
		r.scores[s.Preset] = s
		r.order = append(r.order, s.Preset)
	}
	s.Take(p.Outcome)
	if r.Page != nil {
		r.Page.Take(p)
	}
	switch {
	case r.Quiet || r.failed != nil:
	case !r.Table && p.Session != nil:
		r.failed = WriteJSON(r.Out, p.Outcome.row())
	case !r.Table:
		r.failed = WriteJSON(r.Out, p.Outcome)
	case r.headed:
		r.failed = WriteSummary(r.Out, p.Outcome)
	default:
		r.headed = true
		r.failed = errors.Join(WriteHeading(r.Out, r.SideBySide), WriteSummary(r.Out, p.Outcome))
	}
}

// Scores returns the score of every preset, in the order in which they came.
func (r *Report) Scores() []*Score {
	scores := make([]*Score, len(r.order))
	for i, preset := range r.order {
		scores[i] = r.scores[preset]
	}
	return scores
}

// WriteScores prints the scores: a table, or a JSON object a preset.
func (r *Report) WriteScores() {
	if r.Table {
		r.failed = errors.Join(r.failed, WriteScores(r.Out, r.Scores()))
		return
	}
	for _, s := range r.Scores() {
		r.failed = errors.Join(r.failed, WriteJSON(r.Out, map[string]any{"score": s}))
	}
}

// Failed returns the error of printing, nil where there was none.
func (r *Report) Failed() error { return r.failed }
