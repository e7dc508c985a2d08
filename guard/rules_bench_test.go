package guard

import (
	"fmt"
	"testing"

	"github.com/loopbreaker/loopbreaker/canonical"
)

// BenchmarkRules asks each rule about a call, and about its result, with a full
// ledger in which that call has been made.
func BenchmarkRules(b *testing.B) {
	p := Presets()[0].Policy
	s := NewSession(p)
	s.TurnStart()
	call := func(n int) (*action, evidence) {
		id := fmt.Sprint(n)
		c := Call{ID: id, Tool: "bash", Input: fmt.Appendf(nil, `{"command":"cat %d"}`, n)}
		if err := s.reading.read(c, s.tools.of(&p, c.Tool)); err != nil {
			b.Fatal(err)
		}
		a := s.issue(&s.reading)
		s.ledger.admit(&p, a)
		r := Result{ID: id, Content: []canonical.Block{{Data: fmt.Appendf(nil, "%d lines", n)}}}
		e := p.evidenceOf(s.ledger.looks, a, r)
		s.ledger.result(&p, a, e)
		return a, e
	}
	for n := range 1000 {
		call(n)
	}
	a, e := call(999)
	l := s.ledger
	for _, r := range []struct {
		name string
		ask  func() *finding
	}{
		{"window/call", func() *finding { return p.Window.call(l, a) }},
		{"turns/call", func() *finding { return p.Turns.call(l, a) }},
		{"streak/call", func() *finding { return Streak{Warn: 3, Block: 5}.call(l, a) }},
		{"streak/result", func() *finding { return Streak{Warn: 3, Block: 5}.result(l) }},
		{"repeat/call", func() *finding { return p.Repeat.call(p.Evidence, l.looks, a) }},
		{"repeat/result", func() *finding { return p.Repeat.result(p.Evidence, l.looks, a) }},
		{"stale/call", func() *finding { return p.Stale.call(p.Evidence, l.looks, a) }},
		{"stale/result", func() *finding { return p.Stale.result(p.Evidence, l.looks, a) }},
		{"cycle/call", func() *finding { return p.Cycle.call(l.looks, a) }},
		{"cycle/result", func() *finding { return p.Cycle.result(l.looks, a, e) }},
		{"novelty/call", func() *finding { return p.Novelty.call(l.looks, a) }},
		{"novelty/result", func() *finding { return p.Novelty.result(l.looks, a) }},
		{"reapplied/result", func() *finding { return p.Reapplied.result(l.looks, a, e) }},
		{"polling/result", func() *finding { return p.Polling.result(a) }},
		{"counter/result", func() *finding { return p.Counter.result(a) }},
		{"rejected/rejected", func() *finding { return p.Rejected.rejected(l, subject{tool: "none"}, "Tool none not found") }},
		{"reapplied/call", func() *finding { return p.Reapplied.call(l.looks, a) }},
		{"polling/call", func() *finding { return p.Polling.call(l.looks, a) }},
		{"output/call", func() *finding { return p.Output.call(l.looks, a) }},
		{"output/result", func() *finding { return p.Output.result(l.looks, a, e) }},
		{"counter/call", func() *finding { return p.Counter.call(l.looks, a) }},
		{"all/call", func() *finding { return p.evidenceCall(l.looks, a) }},
		{"all/result", func() *finding { return p.evidenceResult(l.looks, a, e) }},
	} {
		b.Run(r.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r.ask()
			}
		})
	}
}

// BenchmarkLedger takes in calls and results that have been read, each another one.
func BenchmarkLedger(b *testing.B) {
	p := Presets()[0].Policy
	l := newLedger(p)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n++
		var key canonical.Key
		var e evidence
		key[0], key[1], key[2] = byte(n), byte(n>>8), byte(n>>16)
		e.exact, e.quiet = canonical.Fingerprint(key), canonical.Fingerprint(key)
		if n%4 == 1 {
			l.turnStart()
		}
		a := l.issue("id", "bash", key)
		a.meaning.key = key
		l.admit(&p, a)
		l.result(&p, a, e)
	}
}
