package replay

import (
	"fmt"
	"io"
	"strings"
)

// longName is how much of a name, or of a fault, is shown on a line of its own.
const longName = 400

// ExplainAll returns a watcher for Lab.Watch that explains session after session.
// It must not be shown two at a time.
func ExplainAll(w io.Writer, around int) func(*Session, string, Step) {
	var explained *Session
	var under string
	var e *Explanation
	return func(s *Session, preset string, step Step) {
		if s != explained || preset != under {
			explained, under, e = s, preset, Explain(w, around)
			fmt.Fprintln(w, shortened(strings.TrimSpace(s.Name+" "+preset), longName))
		}
		e.Take(step)
	}
}

// Both returns a watcher that shows every step to two, of which the second may be
// nil.
func Both(a, b func(*Session, string, Step)) func(*Session, string, Step) {
	if b == nil {
		return a
	}
	return func(s *Session, preset string, step Step) {
		a(s, preset, step)
		b(s, preset, step)
	}
}

// Explanation writes every decision about a session, with the calls around it.
type Explanation struct {
	w      io.Writer
	around int
	past   []Step // the last calls that were not shown
	after  int    // calls still to be shown
	shown  int
}

// Explain returns an explanation that shows so many calls before and after each
// decision.
func Explain(w io.Writer, around int) *Explanation { return &Explanation{w: w, around: around} }

// Take takes in the next call.
func (e *Explanation) Take(s Step) {
	if len(s.Said) == 0 && e.after == 0 {
		if e.around == 0 {
			return
		}
		if len(e.past) == e.around {
			e.past = append(e.past[:0], e.past[1:]...)
		}
		s.Input, s.Content = s.Input.Clone(), s.Content.Clone()
		e.past = append(e.past, s)
		return
	}
	if len(e.past) > 0 && e.past[0].Number > e.shown+1 {
		fmt.Fprintln(e.w, "     …")
	}
	for _, p := range e.past {
		e.call(p)
	}
	e.past = e.past[:0]
	e.call(s)
	switch {
	case len(s.Said) > 0:
		e.after = e.around
	default:
		e.after--
	}
}

func (e *Explanation) call(s Step) {
	e.shown = s.Number
	fmt.Fprintf(e.w, "%5d  %-8s  %s %s\n", s.Number, s.Fate, shortened(s.Tool, 20), shortened(string(s.Input), 90))
	if s.Fate != Refused && s.Fate != Saved {
		if text := FirstText(s.Content); text != "" {
			mark := "="
			if s.IsError {
				mark = "!"
			}
			fmt.Fprintf(e.w, "       %s %s\n", mark, shortened(text, 100))
		}
	}
	for _, said := range s.Said {
		fmt.Fprintf(e.w, "       > %s\n", shortened(said, 400))
	}
	if s.Why != nil {
		fmt.Fprintf(e.w, "         (rule %s, stage %s: %d, due from %d)\n", s.Why.Rule, s.Why.Stage, s.Why.Count, s.Why.Limit)
	}
}
