package replay

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
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
		said = append(said, fmt.Sprintf("%s %d times", shortened(o.Worst.Tool, 30), o.Worst.Count))
	}
	if o.EndedAt != nil && o.Calls > *o.EndedAt {
		said = append(said, fmt.Sprintf("%d calls saved", o.Calls-*o.EndedAt))
	}
	if o.Uncountable > 0 {
		said = append(said, fmt.Sprintf("%d not understood", o.Uncountable))
	}
	if o.Lost > 0 {
		said = append(said, fmt.Sprintf("%d not in the file", o.Lost))
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
		case unicode.In(r, unicode.Cc, unicode.Cf) || r == utf8.RuneError:
			return -1
		}
		return r
	}, text)
	if utf8.RuneCountInString(text) <= length {
		return text
	}
	return string([]rune(text)[:length-1]) + "…"
}
