package guard

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/loopbreaker/loopbreaker/canonical"
	"github.com/loopbreaker/loopbreaker/canonical/address"
	"github.com/loopbreaker/loopbreaker/canonical/measure"
	"github.com/loopbreaker/loopbreaker/canonical/verdict"
)

// measured is a call and what it means.
type measured struct {
	measure.Set
	call verdict.Call
	// Of a call that runs: its place among the last calls, and what the model is
	// to be told with its result.
	tally *tally
	note  *finding
}

// hit is a measure at its limit.
type hit struct {
	measure.ID
	// count is how often it came, the call in question included, or failed in a
	// row, that one not.
	count, limit int
	// failure is the last of those failures, nil where occurrences are tally.
	failure *verdict.Verdict
}

// gated is what stands behind a finding about measures.
type gated struct {
	hits   []hit
	answer Answer // why the operator did not let the call pass, "" where there was no question
	quote  string // the beginning of the last result of such a call
}

// off reports whether no measure has a limit.
func (m *Measures) off() bool {
	for _, limit := range m.Limits {
		if limit > 0 {
			return false
		}
	}
	return true
}

// limit returns the limit of a measure, 0 if it is off.
func (m *Measures) limit(id measure.ID) int {
	if limit, ok := m.Limits[string(id)]; ok {
		return limit
	}
	return m.Limits[string(id.Kind())]
}

// rules are what sameness goes by under this policy.
func (m *Measures) rules() measure.Rules {
	aliases := maps.Clone(m.HostAliases)
	maps.DeleteFunc(aliases, func(_, host string) bool { return host == "" })
	// A table that is none has been found out when it was read; no alias counts.
	parsed, _ := address.ParseAliases(aliases)
	return measure.Rules{IgnoreArgs: m.IgnoreArgs, Aliases: parsed, SpareLocal: m.LocalHosts == SpareLocal, IncludeLocal: m.IncludeLocal}
}

// of returns what a call means, nil where the rule does not see it.
func (m *Measures) of(c Call, r measure.Rules) *measured {
	if m.off() || len(m.Include) > 0 && !anyMatches(m.Include, c.Tool) || anyMatches(m.Exclude, c.Tool) {
		return nil
	}
	set, err := measure.Of(c.Tool, c.Input, c.LongTexts, r)
	if err != nil {
		return nil // the call is not countable, which the session has found out before
	}
	return &measured{Set: set, call: verdict.Call{Kind: canonical.ToolKindOf(c.Tool), AsksStatus: set.AsksStatus}}
}

// call finds a call that carries a measure at its limit, of either track (system
// `measures`). Whoever was asked before is not asked again.
func (m *Measures) call(t *tracks, a *action) *finding {
	if a.measured == nil {
		return nil
	}
	hits := m.hits(t, a.measured.IDs)
	if len(hits) == 0 {
		return nil
	}
	f := &finding{rule: RuleFailures, stage: StageAsk, tool: a.tool, measure: hits[0].ID, chars: m.PreviewChars, count: hits[0].count, limit: hits[0].limit}
	if hits[0].failure == nil {
		// Count and limit are without the call in question, as those of all rules.
		f.rule, f.count, f.limit, f.window = RuleOccurrences, f.count-1, f.limit-1, m.Window
	}
	f.gated = &gated{hits: hits, quote: t.lastResult(idsOf(hits))}
	if m.OnLimit == DenyCall {
		f.stage = StageBlock
	}
	for _, h := range hits {
		if answer, ok := t.refused[h.ID]; ok {
			f.stage, f.gated.answer = StageBlock, answer
			break
		}
	}
	return f
}

// recall takes from a call of the past what the operator must have answered: one
// that ran at a limit was let pass, one that was refused is to stay so, unasked.
func (m *Measures) recall(t *tracks, a *action, refused bool) *finding {
	f := m.call(t, a)
	switch {
	case f == nil:
	case refused:
		t.keepOut(idsOf(f.gated.hits), Unattended)
	default:
		t.letPass(idsOf(f.gated.hits))
	}
	return f
}

// Peaks returns how far the measures have come in this session, the most telling
// kind first. Kinds that no call had are left out, and all where no measure has a
// limit.
func (s *Session) Peaks() (peaks []Peak) {
	for _, kind := range measure.Kinds {
		if p, ok := s.ledger.measures.peaks[kind]; ok {
			peaks = append(peaks, p)
		}
	}
	return peaks
}

// ExplainMeasures says, for a person, how far the measures have come.
func (s *Session) ExplainMeasures() string { return farthest(s.Peaks(), s.policy.Measures) }

// hits returns the measures at a limit: first those that fail, then those that
// come too often; of either the highest count first, and of equal ones the most
// telling.
func (m *Measures) hits(t *tracks, ids []measure.ID) (hits []hit) {
	for _, id := range ids {
		limit := m.limit(id)
		if limit == 0 || t.exempt[id] {
			continue
		}
		if f := t.failed[id]; m.FailLimit > 0 && f.n >= m.FailLimit {
			hits = append(hits, hit{id, f.n, m.FailLimit, &f.last})
		}
		if n := t.counts[id] + 1; n >= limit {
			hits = append(hits, hit{id, n, limit, nil})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int {
		switch {
		case (a.failure != nil) != (b.failure != nil):
			if a.failure != nil {
				return -1
			}
			return 1
		case a.count != b.count:
			return b.count - a.count
		}
		return a.Rank() - b.Rank()
	})
	return hits
}

func idsOf(hits []hit) (ids []measure.ID) {
	for _, h := range hits {
		if !slices.Contains(ids, h.ID) {
			ids = append(ids, h.ID)
		}
	}
	return ids
}

// admit counts a call that runs, with all its measures, and looks whether one of
// them has come often enough to say so.
func (m *Measures) admit(t *tracks, a *action) {
	if a.measured == nil {
		return
	}
	a.measured.note = m.occurred(t, a)
	a.measured.tally = t.count(a.measured.IDs)
}

// occurred finds the measure that has come exactly so often, with the call in
// question, as a stage asks for. What a measure without a limit does is nobody's
// business, and what the operator has let pass neither.
func (m *Measures) occurred(t *tracks, a *action) (best *finding) {
	for _, id := range a.measured.IDs {
		if m.limit(id) == 0 || t.exempt[id] {
			continue
		}
		f := &finding{rule: RuleOccurrences, tool: a.tool, measure: id, chars: m.PreviewChars, count: t.counts[id] + 1, window: m.Window}
		switch f.count {
		case m.SummarizeAt:
			f.stage, f.limit = StageSummarize, m.SummarizeAt
		case m.WarnAt:
			f.stage, f.limit = StageWarn, m.WarnAt
		}
		best = strongest(best, f)
	}
	return best
}

// refuse counts a call that does not run, with the measures it was refused for,
// and no others: it has not touched what they stand for. It returns how often such
// a call was refused, this time included.
func (m *Measures) refuse(t *tracks, hits []hit) int {
	ids := idsOf(hits)
	t.count(ids)
	for _, id := range ids {
		t.refusals[id]++
	}
	return t.refusals[ids[0]]
}

// result takes in the result of a call that ran, and finds what there is to tell
// the model with it, of each track one thing at most.
func (m *Measures) result(t *tracks, a *action, r Result) (failing, occurring *finding) {
	if a.measured == nil {
		return nil, nil
	}
	a.measured.tally.result = beginning(r.Content, m.ResultPreviewChars)
	return m.ended(t, a.tool, a.measured, verdict.Of(a.measured.call, r.IsError, r.Content)), a.measured.note
}

// rejected takes in that a call was answered before it came to us: it did not do
// what it was to do, whoever said so.
func (m *Measures) rejected(t *tracks, x Rejection, rules measure.Rules) *finding {
	called := m.of(x.Call, rules)
	if called == nil {
		return nil
	}
	return m.ended(t, x.Call.Tool, called, verdict.Of(called.call, true, []canonical.Block{{Data: []byte(x.Text)}}))
}

// ended takes in how a call has ended, and finds the measure that has failed exactly
// so often in a row as the warning asks for.
func (m *Measures) ended(t *tracks, tool string, called *measured, v verdict.Verdict) (best *finding) {
	for _, id := range called.IDs {
		if t.exempt[id] {
			continue
		}
		if n := t.settle(id, v); n > 0 && n == m.FailWarnAt && m.limit(id) > 0 {
			best = strongest(best, &finding{
				rule: RuleFailures, stage: StageWarn, tool: tool, measure: id, chars: m.PreviewChars, count: n, limit: n, quote: failure(v),
			})
		}
	}
	return best
}

// beginning returns the first characters of a result's text.
func beginning(content []canonical.Block, chars int) string {
	var text []byte
	total := 0 // characters, more or less: of a text sent in part UTF-16 units
	for _, block := range content {
		if block.MediaType != "" {
			continue
		}
		data, length := block.Data, 0
		if block.Long != nil {
			data, length = []byte(block.Long.Head), block.Long.Length
		} else {
			length = utf8.RuneCount(data)
		}
		if total > 0 {
			text, total = append(text, '\n'), total+1
		}
		text = append(text, data[:min(len(data), max(0, 4*chars-len(text)))]...)
		total += length
	}
	return previewOf(string(text), chars, total)
}

func anyMatches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, name) })
}

// matches reports whether a name is of a pattern, in which * stands for any
// letters.
func matches(pattern, name string) bool {
	part, rest, more := strings.Cut(pattern, "*")
	if !more {
		return pattern == name
	}
	name, ok := strings.CutPrefix(name, part)
	for ok {
		if part, rest, more = strings.Cut(rest, "*"); !more {
			return strings.HasSuffix(name, part)
		}
		_, name, ok = strings.Cut(name, part)
	}
	return false
}
