package replay

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Score is how a policy did on sessions of which it is known what should happen.
type Score struct {
	Preset string `json:"preset,omitzero"`
	// Of healthy sessions: how many there are, had a refusal or were ended, had
	// nothing worse than a note; and how many calls were refused in them.
	Healthy        int `json:"healthy"`
	HealthyForced  int `json:"healthyForced"`
	HealthyNoted   int `json:"healthyNoted"`
	HealthyRefused int `json:"healthyRefused"`
	// Of stuck ones: how many there are, were acted on with force, were ended,
	// were left without a word; how many calls ran after their loops began, of
	// how many; and, in those acted on, the median of the calls from the start of
	// the loop to the first refusal.
	Stuck       int `json:"stuck"`
	StuckForced int `json:"stuckForced"`
	StuckEnded  int `json:"stuckEnded"`
	StuckSilent int `json:"stuckSilent"`
	RanInLoops  int `json:"ranInLoops"`
	LoopCalls   int `json:"loopCalls"`
	Delay       int `json:"delay"`
	// Of scenarios, by what they demand: how many there are and were met; how
	// many loops were left without a word, and how many that should be let go
	// had a note.
	Scenarios       map[string]Met `json:"scenarios,omitzero"`
	ScenariosSilent int            `json:"scenariosSilent"`
	AllowNoted      int            `json:"allowNoted"`

	delays []int
}

// Met is how many of how many demands were met.
type Met struct {
	Met int `json:"met"`
	Of  int `json:"of"`
}

// Take adds a session. One of which nothing is known does not count.
func (s *Score) Take(o Outcome) {
	switch {
	case o.Expect != nil:
		s.scenario(o)
	case o.Label == "healthy":
		s.Healthy++
		s.HealthyRefused += o.Blocked
		switch {
		case o.forced():
			s.HealthyForced++
		case o.Noted > 0:
			s.HealthyNoted++
		}
	case o.Label == "stuck":
		s.Stuck++
		if o.LoopStart > 0 {
			s.RanInLoops += o.AfterLoop
			s.LoopCalls += max(0, o.Calls-o.LoopStart+1)
		}
		if o.forced() {
			s.StuckForced++
			if o.LoopStart > 0 {
				s.delays = append(s.delays, o.force()-o.LoopStart)
			}
		} else if o.Noted == 0 {
			s.StuckSilent++
		}
		if o.EndedAt != nil {
			s.StuckEnded++
		}
	}
	s.Delay = median(s.delays)
}

func (s *Score) scenario(o Outcome) {
	if s.Scenarios == nil {
		s.Scenarios = map[string]Met{}
	}
	m := s.Scenarios[o.Expect.Stage]
	m.Of++
	if o.meets() {
		m.Met++
	}
	s.Scenarios[o.Expect.Stage] = m
	spoke := o.forced() || o.Noted > 0
	switch {
	case o.Expect.Stage != "allow" && !spoke:
		s.ScenariosSilent++
	case o.Expect.Stage == "allow" && o.Noted > 0:
		s.AllowNoted++
	}
}

// meets reports whether the guard did what a scenario demands: at least so much,
// by that call.
func (o Outcome) meets() bool {
	by := func(at *int) bool { return at != nil && (o.Expect.By == 0 || *at <= o.Expect.By) }
	switch o.Expect.Stage {
	case "allow":
		return !o.forced()
	case "warn":
		return by(o.FirstNote) || by(o.FirstBlock) || by(o.EndedAt)
	case "block":
		return by(o.FirstBlock) || by(o.EndedAt)
	}
	return by(o.EndedAt)
}

// forced reports whether a call was refused or the run ended.
func (o Outcome) forced() bool { return o.FirstBlock != nil || o.EndedAt != nil }

// force is the call at which that first happened.
func (o Outcome) force() int {
	switch {
	case o.FirstBlock == nil:
		return *o.EndedAt
	case o.EndedAt == nil:
		return *o.FirstBlock
	}
	return min(*o.FirstBlock, *o.EndedAt)
}

// Right is the share, in percent, of the sessions that the guard did right by:
// healthy ones without force, stuck ones with, scenarios that were met. It is 0
// where there is nothing to judge.
func (s *Score) Right() float64 {
	right, of := s.Healthy-s.HealthyForced+s.StuckForced, s.Healthy+s.Stuck
	for _, m := range s.Scenarios {
		right, of = right+m.Met, of+m.Of
	}
	return 100 * float64(right) / float64(max(1, of))
}

// stages are what a scenario can demand, the hardest first.
var stages = []string{"abort", "block", "warn", "allow"}

// WriteScores writes scores side by side, a column each.
func WriteScores(out io.Writer, scores []*Score) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, row := range scoreboard(scores) {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return w.Flush()
}

// scoreboard is a row for each measure: its name, and how each score is by it.
func scoreboard(scores []*Score) (rows [][]string) {
	row := func(name string, cell func(*Score) string) {
		cells := []string{name}
		for _, s := range scores {
			cells = append(cells, cell(s))
		}
		rows = append(rows, cells)
	}
	of := func(n, all int) string { return fmt.Sprintf("%d/%d", n, all) }
	row("measure", func(s *Score) string { return s.Name() })
	row("healthy: refused or ended", func(s *Score) string { return of(s.HealthyForced, s.Healthy) })
	row("healthy: calls refused", func(s *Score) string { return fmt.Sprint(s.HealthyRefused) })
	row("healthy: noted, no more", func(s *Score) string { return of(s.HealthyNoted, s.Healthy) })
	row("stuck: refused or ended", func(s *Score) string { return of(s.StuckForced, s.Stuck) })
	row("stuck: ended", func(s *Score) string { return of(s.StuckEnded, s.Stuck) })
	row("stuck: not a word", func(s *Score) string { return of(s.StuckSilent, s.Stuck) })
	row("calls run after the loop began", func(s *Score) string { return of(s.RanInLoops, s.LoopCalls) })
	row("calls to the first force, median", func(s *Score) string { return fmt.Sprint(s.Delay) })
	for _, stage := range stages {
		row("scenarios met: "+stage, func(s *Score) string { return of(s.Scenarios[stage].Met, s.Scenarios[stage].Of) })
	}
	row("scenarios: loops without a word", func(s *Score) string { return fmt.Sprint(s.ScenariosSilent) })
	row("scenarios: allowed but noted", func(s *Score) string { return fmt.Sprint(s.AllowNoted) })
	row("done right by", func(s *Score) string { return fmt.Sprintf("%.1f %%", s.Right()) })
	return rows
}

// Name is the preset's, or says that there is none.
func (s *Score) Name() string {
	if s.Preset == "" {
		return "as configured"
	}
	return s.Preset
}

// WriteJSON writes a value, such as an Outcome, on one line.
func WriteJSON(w io.Writer, v any) error {
	line, err := jsonv2.Marshal(v, jsonv2.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return fmt.Errorf("encoding: %w", err)
	}
	_, err = w.Write(append(line, '\n'))
	return err
}
