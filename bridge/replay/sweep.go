package replay

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/loopbreaker/loopbreaker/bridge/config"
)

// Range is a setting and the values it is to have, one after another.
type Range struct {
	Path   string
	Values []string
}

// ParseRange reads PATH=A..B, PATH=A..B:STEP or PATH=V,V,V.
func ParseRange(text string) (Range, error) {
	path, values, ok := strings.Cut(text, "=")
	if !ok || path == "" || values == "" {
		return Range{}, fmt.Errorf("%q is no PATH=A..B, PATH=A..B:STEP or PATH=V,V", text)
	}
	from, to, ranged := strings.Cut(values, "..")
	if !ranged {
		return Range{path, strings.Split(values, ",")}, nil
	}
	to, by, stepped := strings.Cut(to, ":")
	if !stepped {
		by = "1"
	}
	var n [3]int
	for i, s := range []string{from, to, by} {
		var err error
		if n[i], err = strconv.Atoi(s); err != nil {
			return Range{}, fmt.Errorf("%q: %q is no whole number", text, s)
		}
	}
	if n[2] < 1 || n[1] < n[0] || (n[1]-n[0])/n[2] > 1000 {
		return Range{}, fmt.Errorf("%q goes nowhere, or too far", text)
	}
	r := Range{Path: path}
	for i := range (n[1]-n[0])/n[2] + 1 {
		r.Values = append(r.Values, strconv.Itoa(n[0]+i*n[2]))
	}
	return r, nil
}

// Point is one combination of values and how it did.
type Point struct {
	// Set is the combination, as --set takes it.
	Set   []string `json:"set"`
	Score *Score   `json:"score"`
	// Idle says why the combination cannot act, empty where it can.
	Idle string `json:"idle,omitzero"`
}

// Sweep plays the files once for every combination of values and gives report
// how each did. faults are those of the files, told once.
func (l *Lab) Sweep(ctx context.Context, files []File, ranges []Range, report func(Point)) (faults []string) {
	for n, set := range combinations(ranges) {
		p := Point{Set: set, Score: &Score{}}
		one := *l
		one.Presets = nil
		one.Options.Flags.Set = append(append([]string{}, l.Options.Flags.Set...), set...)
		if l.Known != nil {
			p.Idle = l.Known.Idle(one.policy())
		}
		for _, problem := range config.Load(config.Sources{Flags: one.Options.Flags}).Problems {
			p.Idle = problem.Reason
		}
		one.Play(ctx, files, func(played Played) {
			if n == 0 || played.Outcome.Name == "" {
				faults = append(faults, played.Faults...)
			}
			if played.Outcome.Name != "" {
				p.Score.Take(played.Outcome)
			}
		})
		if ctx.Err() != nil {
			return faults
		}
		report(p)
	}
	return faults
}

// combinations returns every combination of the ranges' values.
func combinations(ranges []Range) [][]string {
	all := [][]string{nil}
	for _, r := range ranges {
		var longer [][]string
		for _, set := range all {
			for _, v := range r.Values {
				longer = append(longer, append(append([]string{}, set...), r.Path+"="+v))
			}
		}
		all = longer
	}
	return all
}

// WriteSweep writes points as a table, a line each.
func WriteSweep(out io.Writer, points []Point) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\thealthy\t\t\tstuck\t\tran\tscenarios met\t\t\t\t\t")
	fmt.Fprintln(w, "setting\tforced\tcalls\tnoted\tforced\tended\tin loops\tabort\tblock\twarn\tallow\tright\t")
	for _, p := range points {
		s := p.Score
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f %%\t", strings.Join(p.Set, " "),
			s.HealthyForced, s.HealthyRefused, s.HealthyNoted, s.StuckForced, s.StuckEnded, s.RanInLoops,
			s.Scenarios["abort"].Met, s.Scenarios["block"].Met, s.Scenarios["warn"].Met, s.Scenarios["allow"].Met, s.Right())
		if p.Idle != "" {
			fmt.Fprintf(w, "  cannot act: %s", p.Idle)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}
