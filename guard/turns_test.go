package guard

import (
	"strings"
	"testing"
)

func TestDuplicatesInATurn(t *testing.T) {
	for _, tt := range []struct {
		name  string
		max   int
		calls []string
		want  string
	}{
		{"forty run once", 1, times(40, "a=x"), "r" + strings.Repeat("b", 39)},
		{"two may run", 2, times(4, "a=x"), "rrbb"},
		{"any number", 0, times(4, "a=x"), "rrrr"},
		{"others between", 1, []string{"a=x", "b=x", "a=x", "c=x", "b=x"}, "rrbrb"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newScript(t, "turns", func(p *Policy) { p.Turns.Duplicates = tt.max })
			s.want(s.turn(tt.calls...), tt.want)
			s.want(s.turn("a=y"), "r") // another turn
		})
	}
}

func TestTheDuplicateIsToldShortly(t *testing.T) {
	s := newScript(t, "turns")
	s.TurnStart()
	s.call("a")
	_, d := s.call("a")
	if !strings.Contains(d.Reason, "already in this batch") || len(d.Reason) > 120 || d.Why.Rule != RuleDuplicate {
		t.Errorf("%q, %+v", d.Reason, d.Why)
	}
}

func TestStuckAcrossTurns(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*Policy)
		calls  []string
		want   string
	}{
		{"the fourth turn running is refused, and so on", nil, times(6, "a=x"), "rrrbbb"},
		{"a turn without it starts anew", nil, []string{"a=x", "a=x", "a=x", "b=x", "a=x", "a=x", "a=x", "a=x"}, "rrrrrrrb"},
		{"results that differ", nil, changing(30, "a"), strings.Repeat("r", 30)},
		{"results that differed until three were equal", nil, []string{"a=1", "a=2", "a=3", "a=3", "a=3", "a=3"}, "rrrrrb"},
		{"one of the last three differs", nil, []string{"a=x", "a=y", "a=x", "a=x", "a=x", "a=x"}, "rrrrrb"},
		{"three turns", func(p *Policy) { p.Turns.Consecutive = 3 }, times(3, "a=x"), "rrb"},
		{"five turns", func(p *Policy) { p.Turns.Consecutive = 5 }, times(5, "a=x"), "rrrrb"},
		{"off", func(p *Policy) { p.Turns.Consecutive = 0 }, times(9, "a=x"), "rrrrrrrrr"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var s *script
			if tt.change != nil {
				s = newScript(t, "turns", tt.change)
			} else {
				s = newScript(t, "turns")
			}
			s.want(s.turns(tt.calls...), tt.want)
		})
	}
}

func TestStuckWithoutAnyEvidence(t *testing.T) {
	s := newScript(t, "turns")
	for i := 1; i <= 5; i++ {
		s.TurnStart()
		if _, d := s.call("a"); d.Block != (i >= 4) {
			t.Errorf("turn %d: refused %v", i, d.Block)
		}
	}
}

func TestStuckCountsTurnsWithOtherCallsBeside(t *testing.T) {
	s := newScript(t, "turns")
	s.want(s.turn("a=x", "b=1"), "rr")
	s.want(s.turn("c=1", "a=x"), "rr")
	s.want(s.turn("a=x"), "r")
	s.want(s.turn("d=1", "a=x"), "rb")
}

func TestStuckWithinAPromptOnly(t *testing.T) {
	s := newScript(t, "turns")
	s.want(s.turns(times(3, "a=x")...), "rrr")
	s.Prompt()
	s.want(s.turns(times(4, "a=x")...), "rrrb")
}

func TestATurnWithoutCallsBreaksTheRow(t *testing.T) {
	s := newScript(t, "turns")
	s.want(s.turns(times(3, "a=x")...), "rrr")
	s.TurnStart()
	s.TurnEnd()
	s.want(s.turn("a=x"), "r")
}

func TestAHostWithoutTurnsMakesEachCallOne(t *testing.T) {
	s := newScript(t, "turns")
	for i := 1; i <= 5; i++ {
		id, d := s.call("a")
		s.result(id, "x")
		if d.Block != (i >= 4) {
			t.Errorf("call %d: refused %v", i, d.Block)
		}
	}
}
