package guard

import (
	"strings"
	"testing"
)

func TestTheUserIsToldOfTheFirstRefusalOfAPrompt(t *testing.T) {
	s := newScript(t, "window")
	count := func() (told []string) {
		for range 9 {
			s.TurnStart()
			if _, d := s.call("a"); d.Notify != "" {
				told = append(told, d.Notify)
			}
		}
		return told
	}
	for range 2 {
		if told := count(); len(told) != 1 || !strings.Contains(told[0], "refused a call of bash") {
			t.Errorf("told %q", told)
		}
		s.Prompt()
	}
}

func TestTheEndOfARun(t *testing.T) {
	s := newScript(t, "streak", func(p *Policy) { p.Ladder.Recover = true })
	s.turns(times(6, "a=x")...)
	s.TurnStart()
	_, d := s.call("a")
	if !d.Block || d.Abort != nil {
		t.Fatalf("%+v: the run must not end before the model's reason is in the transcript", d)
	}
	end := s.TurnEnd()
	if end.Abort == nil || !strings.Contains(end.Abort.Told, "3 refusals") || !strings.Contains(end.Abort.Told, "4 times in a row") {
		t.Fatalf("%+v", end)
	}
	if !strings.Contains(end.Abort.Recovery, "Call no tools") {
		t.Errorf("recovery %q", end.Abort.Recovery)
	}
	// A model that does not answer but calls on is refused, whatever it calls, and
	// ended without another word.
	s.TurnStart()
	if _, d := s.call("b"); !d.Block || !strings.Contains(d.Reason, "Answer in words") || d.Why == nil || d.Why.Rule != RuleRecovery {
		t.Errorf("in the recovery: %+v", d)
	}
	if end := s.TurnEnd(); end.Abort == nil || *end.Abort != (Abort{}) {
		t.Errorf("after the recovery: %+v", end)
	}
	if got := s.Explain(); !strings.Contains(got, "refused a call: the model called bash after the run was ended (rule recovery)") {
		t.Error(got)
	}
	// A real prompt is a fresh start.
	s.Prompt()
	s.want(s.turn("a=x"), "r")
}

func TestAModelThatAnsweredIsGuardedAsBefore(t *testing.T) {
	s := newScript(t, "streak", func(p *Policy) { p.Ladder.Recover = true })
	s.turns(times(7, "a=x")...)
	s.TurnStart() // it says what it knows
	s.TurnEnd()
	s.want(s.turn("b=y"), "r")
	// There is one recovery a prompt.
	s.turns(times(3, "b=y")...)
	s.TurnStart()
	s.call("b")
	if end := s.TurnEnd(); end.Abort == nil || end.Abort.Told == "" || end.Abort.Recovery != "" {
		t.Errorf("%+v", end)
	}
}

func TestTheEndIsToldOnce(t *testing.T) {
	s := newScript(t, "streak")
	s.turns(times(7, "a=x")...)
	s.TurnStart()
	if end := s.TurnEnd(); end.Abort != nil || end.Steer != "" {
		t.Errorf("%+v", end)
	}
}

func TestStatusTellsWhatChanged(t *testing.T) {
	s := newScript(t, "window")
	status := func(d Decision) string {
		if d.Status == nil {
			return "-"
		}
		return *d.Status
	}
	var got []string
	for range 7 {
		_, d := s.call("a")
		got = append(got, status(d))
	}
	s.want(strings.Join(got, ","), "-,-,-,-,-,loopbreaker: 1 refused,loopbreaker: 2 refused")
	s.SetOn(false)
	_, d := s.call("a")
	s.want(status(d), "loopbreaker OFF")
	s.SetOn(true)
	_, d = s.call("a")
	s.want(status(d), "loopbreaker: 2 refused")
	s.Reset()
	_, d = s.call("a")
	s.want(status(d), "")
}

func TestOffAdmitsAndOnStartsAfresh(t *testing.T) {
	s := newScript(t, "streak")
	s.turns(times(4, "a=x")...)
	s.SetOn(false)
	s.want(s.turns(times(9, "a=x")...), "rrrrrrrrr")
	s.want(s.rejectTimes(9, "edit"), ".........")
	s.SetOn(true)
	s.want(s.turns(times(5, "a=x")...), "rrnrb")
}

func TestResetForgets(t *testing.T) {
	for preset, want := range map[string]string{"window": "rrrrrb", "streak": "rrnrb", "turns": "rrrb"} {
		s := newScript(t, preset)
		n := len(want)
		s.want(s.turns(times(n, "a=x")...), want)
		s.Reset()
		s.want(s.turns(times(n, "a=x")...), want)
	}
}

func TestSetPolicyHoldsFromTheNextCall(t *testing.T) {
	s := newScript(t, "window")
	s.want(s.turns(times(4, "a=x")...), "rrrr")
	p, _ := FindPreset("streak")
	s.SetPolicy(p.Policy)
	s.want(s.turn("a=x"), "b")
	p.Policy = Policy{Window: Window{Calls: 3, Block: 3}}
	s.SetPolicy(p.Policy)
	s.want(s.turn("a=x"), "b")
	s.want(s.turns("b=x", "a=x"), "rr") // the window now reaches three calls back
}

func TestExplain(t *testing.T) {
	s := newScript(t, "streak")
	if got := s.Explain(); !strings.Contains(got, "nothing") {
		t.Errorf("%q", got)
	}
	s.turns(times(7, "a=x")...)
	got := s.Explain()
	want := []string{"ended the run", "refused a call", "refused a call", "refused a call", "put a remark at a result"}
	lines := strings.Split(got, "\n")[1:]
	if len(lines) != len(want) {
		t.Fatalf("%s", got)
	}
	for i := range want {
		rule := "rule streak"
		if i == 0 {
			rule = "rule refusals, due from 3"
		}
		if !strings.Contains(lines[i], want[i]) || !strings.Contains(lines[i], rule) {
			t.Errorf("line %d: %q, want %q", i, lines[i], want[i])
		}
	}
	s.turns(times(60, "a=x")...)
	if n := strings.Count(s.Explain(), "\n"); n != historyKept {
		t.Errorf("%d decisions remembered, want %d", n, historyKept)
	}
}
