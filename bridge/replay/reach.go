package replay

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/loopbreaker/loopbreaker/bridge"
	"github.com/loopbreaker/loopbreaker/bridge/config"
	"github.com/loopbreaker/loopbreaker/canonical/measure"
	"github.com/loopbreaker/loopbreaker/guard"
)

// peaks asks how far the measures have come.
func (p *player) peaks() {
	if p.err != nil {
		return
	}
	var r bridge.CommandResult
	if p.err = p.c.call(bridge.MethodCommand, bridge.CommandParams{Args: "measures"}, &r); p.err == nil {
		p.out.Peaks = r.Peaks
	}
}

// Reach is how far measures come in recorded sessions when nothing is refused: what
// the thresholds of the system `measures` can be chosen by.
type Reach struct {
	// Window is how many calls were looked back on.
	Window int `json:"window"`
	// Kinds are the kinds of measures that came at all, the most telling first.
	Kinds []ReachOfKind `json:"kinds"`
}

// ReachOfKind says, of each number from 0 on, in how many sessions a measure of the
// kind came that often among the last calls, and failed that often in a row.
type ReachOfKind struct {
	Kind     string    `json:"kind"`
	Count    []Reached `json:"count"`
	Failures []Reached `json:"failures"`
}

// Reached is a number of sessions: healthy ones, and all others.
type Reached struct {
	Healthy int `json:"healthy"`
	Other   int `json:"other"`
}

// Reach plays the files once, with every measure counted and none refused.
func (l *Lab) Reach(ctx context.Context, files []File) Reach {
	one := *l
	one.Presets = nil
	one.Options.Flags.Preset = "measures"
	one.Options.Flags.Set = append(slices.Clone(l.Options.Flags.Set), "measures.limits="+everything("1000"),
		"measures.failLimit=null", "measures.warnAt=null", "measures.summarizeAt=null", "measures.failWarnAt=null")
	r := Reach{Window: one.policy().Window}
	kinds := map[string]*ReachOfKind{}
	one.Play(ctx, files, func(played Played) {
		for _, p := range played.Outcome.Peaks {
			k := kinds[p.Kind]
			if k == nil {
				k = &ReachOfKind{Kind: p.Kind}
				kinds[p.Kind] = k
			}
			healthy := played.Outcome.Label == "healthy"
			k.Count, k.Failures = reached(k.Count, p.Count, healthy), reached(k.Failures, p.Failures, healthy)
		}
	})
	for _, kind := range measure.Kinds {
		if k := kinds[string(kind)]; k != nil {
			r.Kinds = append(r.Kinds, *k)
		}
	}
	return r
}

// everything gives each measure that limit.
func everything(limit string) string {
	preset, _ := guard.FindPreset("measures")
	limits := map[string]bool{}
	for _, kind := range measure.Kinds {
		limits[string(kind)] = true
	}
	for id := range preset.Policy.Measures.Limits {
		limits[id] = true
	}
	var all []string
	for id := range limits {
		all = append(all, id+"="+limit)
	}
	return strings.Join(all, ",")
}

// policy is that of the measures under the lab's flags.
func (l *Lab) policy() guard.Measures {
	return config.Load(config.Sources{Flags: l.Options.Flags}).Policy.Measures
}

// reached adds a session that came to n.
func reached(sessions []Reached, n int, healthy bool) []Reached {
	for i := range n + 1 {
		if i == len(sessions) {
			sessions = append(sessions, Reached{})
		}
		if healthy {
			sessions[i].Healthy++
		} else {
			sessions[i].Other++
		}
	}
	return sessions
}

// Idle says which thresholds of a policy speak or act in none of the sessions, and
// why; "" where each may.
func (r Reach) Idle(m guard.Measures) string {
	var count, failures, limit int // the highest of the measures that have a limit
	for _, k := range r.Kinds {
		of := m.Limits[k.Kind]
		for id, n := range m.Limits {
			if strings.HasPrefix(id, k.Kind+":") {
				of = max(of, n)
			}
		}
		if of > 0 {
			count, failures, limit = max(count, len(k.Count)-1), max(failures, len(k.Failures)-1), max(limit, of)
		}
	}
	var idle []string
	for _, t := range []struct {
		name        string
		at, reached int
		capped      bool
	}{
		{"warnAt", m.WarnAt, count, true},
		{"summarizeAt", m.SummarizeAt, count, true},
		{"the highest of limits", limit, count, false},
		{"failWarnAt", m.FailWarnAt, failures, false},
		{"failLimit", m.FailLimit, failures, false},
	} {
		switch {
		case t.at == 0:
		case t.capped && limit > 0 && t.at >= limit:
			idle = append(idle, fmt.Sprintf("%s %d is not below any limit", t.name, t.at))
		case t.at > t.reached:
			idle = append(idle, fmt.Sprintf("%s %d: none gets beyond %d", t.name, t.at, t.reached))
		}
	}
	return strings.Join(idle, "; ")
}

// WriteReach writes for each kind of measure how many sessions came to a number: the
// healthy ones, and behind a plus the others.
func WriteReach(out io.Writer, r Reach) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	table := func(title string, from int, of func(ReachOfKind) []Reached) {
		to := from
		for _, k := range r.Kinds {
			to = max(to, len(of(k))-1)
		}
		to = min(to, from+15) // as many columns as a screen has room for
		fmt.Fprintln(w, title)
		for n := from; n <= to; n++ {
			fmt.Fprintf(w, "\t%d", n)
		}
		fmt.Fprintln(w, "\t")
		for _, k := range r.Kinds {
			fmt.Fprint(w, k.Kind)
			for n := from; n <= to; n++ {
				if all := of(k); n < len(all) {
					fmt.Fprintf(w, "\t%d+%d", all[n].Healthy, all[n].Other)
				} else {
					fmt.Fprint(w, "\t")
				}
			}
			fmt.Fprintln(w, "\t")
		}
		w.Flush() // so that the next has columns of its own
	}
	fmt.Fprintf(out, "Sessions, healthy + other, in which a measure came so often among %d calls, with nothing refused:\n", r.Window)
	table("", 3, func(k ReachOfKind) []Reached { return k.Count })
	fmt.Fprintln(out, "\nand failed so often in a row:")
	table("", 2, func(k ReachOfKind) []Reached { return k.Failures })
	return w.Flush()
}
