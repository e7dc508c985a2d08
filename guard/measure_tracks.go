package guard

import (
	"maps"
	"slices"

	"github.com/loopbreaker/loopbreaker/canonical/measure"
	"github.com/loopbreaker/loopbreaker/canonical/verdict"
)

// tracks is what a session remembers of measures within one prompt. Its size is
// bound by the window, but for the streaks of failures: those by mostFailed, and what
// the operator was asked about.
type tracks struct {
	size   int
	recent []*tally           // the last calls, oldest first
	counts map[measure.ID]int // occurrences in recent
	failed map[measure.ID]failures
	// exempt are measures that the operator has let pass, refused those that were
	// asked about in vain, and why. Neither is asked about again.
	exempt  map[measure.ID]bool
	refused map[measure.ID]Answer
	// refusals counts the refused calls of a measure.
	refusals map[measure.ID]int
	// peaks are how far each kind has come in the session.
	peaks map[measure.Kind]Peak
}

// Peak is how far a kind of measure has come in a session: how often one measure
// of it came among the last calls, and how often one failed in a row.
type Peak struct {
	Kind             measure.Kind
	Count, Failures  int
	Counted, Failing measure.ID // which ones
}

// tally is a call among the last.
type tally struct {
	measures []measure.ID
	result   string // the beginning of its result, once there is one
}

// failures is a streak of them, and the last.
type failures struct {
	n    int
	last verdict.Verdict
}

func newTracks(size int) *tracks {
	return &tracks{
		size:     size,
		counts:   map[measure.ID]int{},
		failed:   map[measure.ID]failures{},
		exempt:   map[measure.ID]bool{},
		refused:  map[measure.ID]Answer{},
		refusals: map[measure.ID]int{},
		peaks:    map[measure.Kind]Peak{},
	}
}

// fresh is what is left of tracks after a message of the user.
func (t *tracks) fresh() *tracks {
	if len(t.recent)+len(t.counts)+len(t.failed)+len(t.exempt)+len(t.refused)+len(t.refusals) == 0 {
		return t // as where nothing is measured
	}
	f := newTracks(t.size)
	f.peaks = t.peaks
	return f
}

// count takes a call in, and lets the oldest go. A measure that the operator has
// let pass is tally no longer; a call with no other is none.
func (t *tracks) count(ids []measure.ID) *tally {
	c := &tally{measures: slices.DeleteFunc(slices.Clone(ids), func(id measure.ID) bool { return t.exempt[id] })}
	if len(c.measures) == 0 {
		return c
	}
	t.recent = append(t.recent, c)
	for _, id := range c.measures {
		t.counts[id]++
		if p := t.peaks[id.Kind()]; t.counts[id] > p.Count {
			p.Kind, p.Count, p.Counted = id.Kind(), t.counts[id], id
			t.peaks[p.Kind] = p
		}
	}
	t.shrink()
	return c
}

func (t *tracks) shrink() {
	for len(t.recent) > t.size {
		for _, id := range t.recent[0].measures {
			if t.counts[id]--; t.counts[id] == 0 {
				delete(t.counts, id)
			}
		}
		t.recent[0] = nil
		t.recent = t.recent[1:]
	}
}

// resize keeps the newest calls that the new size has room for.
func (t *tracks) resize(size int) {
	t.size = size
	t.shrink()
}

// settle takes in how a call that carries the measure has ended, and returns the
// length of its streak of failures. Only its own success ends a streak, not that
// of another call.
func (t *tracks) settle(id measure.ID, v verdict.Verdict) int {
	switch v.Outcome {
	case verdict.Succeeded:
		delete(t.failed, id)
	case verdict.Failed:
		n := t.failed[id].n + 1
		if n == 1 && len(t.failed) >= mostFailed {
			t.forgetSingle()
		}
		t.failed[id] = failures{n, v}
		if p := t.peaks[id.Kind()]; n > p.Failures {
			p.Kind, p.Failures, p.Failing = id.Kind(), n, id
			t.peaks[p.Kind] = p
		}
		return n
	}
	return 0
}

// mostFailed is how many streaks of failures are remembered.
const mostFailed = 4096

// forgetSingle makes room for a streak of failures: what has failed but once is none
// yet. Where all have failed more often, all go.
func (t *tracks) forgetSingle() {
	maps.DeleteFunc(t.failed, func(_ measure.ID, f failures) bool { return f.n == 1 })
	if len(t.failed) >= mostFailed {
		clear(t.failed)
	}
}

// lastResult returns the beginning of the newest result of a call that carried
// one of these measures, "" where none is known.
func (t *tracks) lastResult(ids []measure.ID) string {
	for _, c := range slices.Backward(t.recent) {
		if c.result != "" && slices.ContainsFunc(c.measures, func(id measure.ID) bool { return slices.Contains(ids, id) }) {
			return c.result
		}
	}
	return ""
}
