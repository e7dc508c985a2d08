package replay

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

func median(values []int) int {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// nameWidth is how much of a session's name a summary shows.
const nameWidth = 44

// WriteHeading writes the heading of the lines that WriteSummary writes.
func WriteHeading(w io.Writer, presets bool) error {
	_, err := fmt.Fprintf(w, "%-*s %s%6s %6s %8s %6s %6s  %s\n", nameWidth, "session", column(presets, "preset"),
		"calls", "noted", "refused", "first", "ended", "most frequent call")
	return err
}

// WriteSummary writes a session's line.
func WriteSummary(w io.Writer, o Outcome) error {
	_, err := fmt.Fprintf(w, "%-*s %s%6d %6s %8s %6s %6s  %s\n", nameWidth, shortened(o.Name, nameWidth), column(o.Preset != "", o.Preset),
		o.Calls, orDash(o.Noted), orDash(o.Blocked), at1(o.FirstBlock), at1(o.EndedAt), o.cost())
	return err
}

func column(show bool, text string) string {
	if !show {
		return ""
	}
	return fmt.Sprintf("%-10s", text)
}

// cost says what came most often, and what came after the guard ended the run.
func (o Outcome) cost() string {
	var said []string
	if o.Worst.Count > 1 {
		said = append(said, fmt.Sprintf("%s %d times", o.Worst.Tool, o.Worst.Count))
	}
	if o.EndedAt != nil && o.Calls > *o.EndedAt {
		said = append(said, fmt.Sprintf("%d calls saved", o.Calls-*o.EndedAt))
	}
	if o.SavedTokens > 0 {
		said = append(said, fmt.Sprintf("%d tokens", o.SavedTokens))
	}
	if o.SavedCost > 0 {
		said = append(said, fmt.Sprintf("$%.2f", o.SavedCost))
	}
	return strings.Join(said, ", ")
}

func orDash(n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}

func at1(n *int) string {
	if n == nil {
		return "-"
	}
	return fmt.Sprint(*n)
}

// shortened cuts a text for a person to a number of characters, on one line and
// without what would steer a terminal.
func shortened(text string, length int) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == utf8.RuneError:
			return -1
		}
		return r
	}, text)
	if utf8.RuneCountInString(text) <= length {
		return text
	}
	return string([]rune(text)[:length-1]) + "…"
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
