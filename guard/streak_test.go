package guard

import (
	"strings"
	"testing"
)

func TestStreak(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*Policy)
		calls  []string
		want   string
	}{
		{"warns at the third, refuses the fifth, ends at the third refusal", nil, times(8, "a=x"), "rrnrbbbEbE"},
		{"polling with a changing result is safe", nil, changing(30, "a"), strings.Repeat("r", 30)},
		{"a changed result starts the count anew", nil, []string{"a=x", "a=x", "a=y", "a=y", "a=y", "a=y", "a=y"}, "rrrrnrb"},
		{"other arguments start the count anew", nil, []string{"a=x", "a=x", "a=x", "b=x", "a=x", "a=x", "a=x", "a=x", "a=x"}, "rrnrrrnrb"},
		{"other arguments end the refusals", nil, append(append(times(5, "a=x"), "b=x"), times(5, "a=x")...), "rrnrbrrrnrb"},
		{"warn 2", func(p *Policy) { p.Streak.Warn = 2 }, times(5, "a=x"), "rnrrb"},
		{"block 4", func(p *Policy) { p.Streak.Block = 4 }, times(4, "a=x"), "rrnb"},
		{"block 6", func(p *Policy) { p.Streak.Block = 6 }, times(6, "a=x"), "rrnrrb"},
		{"no warning", func(p *Policy) { p.Streak.Warn = 0 }, times(5, "a=x"), "rrrrb"},
		{"no refusal", func(p *Policy) { p.Streak.Block = 0 }, times(9, "a=x"), "rrnrrrrrr"},
		{"never ended", func(p *Policy) { p.Ladder.Refusals = 0 }, times(9, "a=x"), "rrnrbbbbb"},
		{"ended at the second refusal", func(p *Policy) { p.Ladder.Refusals = 2 }, times(6, "a=x"), "rrnrbbE"},
		{"a contradiction switches it off", func(p *Policy) { p.Streak.Warn = 5 }, times(9, "a=x"), "rrrrrrrrr"},
		{"an ignored tool", func(p *Policy) { p.Streak.IgnoreTools = []string{"bash"} }, times(9, "a=x"), "rrrrrrrrr"},
		{"noise is change", nil, []string{"a=took 1 s", "a=took 2 s", "a=took 3 s", "a=took 4 s", "a=took 5 s"}, "rrrrr"},
		{"unless it is ignored", func(p *Policy) { p.Streak.IgnoreNoise = true }, []string{"a=took 1.1s", "a=took 2.1s", "a=took 3.1s", "a=took 4.1s", "a=took 5.1s"}, "rrnrb"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var s *script
			if tt.change != nil {
				s = newScript(t, "streak", tt.change)
			} else {
				s = newScript(t, "streak")
			}
			s.want(s.turns(tt.calls...), tt.want)
		})
	}
}

func TestStreakInBatches(t *testing.T) {
	s := newScript(t, "streak")
	s.want(s.turn(times(40, "a=x")...), strings.Repeat("r", 40)) // one step
	s.want(s.turn("a=x", "a=x"), "rr")                           // the second
	s.want(s.turn("b=y", "a=x"), "rn")                           // the last of each batch counts: the third
	s.want(s.turn("a=x", "b=y"), "rr")                           // b is last: a new streak
	s.want(s.turn("a=x"), "r")
}

func TestStreakLastResultOfABatchIsTheLastToCome(t *testing.T) {
	s := newScript(t, "streak")
	s.want(s.turns("a=x", "a=x"), "rr")
	s.TurnStart()
	a, _ := s.call("a")
	b, _ := s.call("b")
	s.result(b, "y")
	if d := s.result(a, "x"); !strings.Contains(d.Note, "3 times in a row") {
		t.Errorf("the third in a row, last of its batch, got the note %q", d.Note)
	}
}

func TestStreakWarnsWhoeverComesLast(t *testing.T) {
	// A sibling that the rule does not see.
	s := newScript(t, "streak", func(p *Policy) { p.Streak.IgnoreTools = []string{"todo"} })
	s.want(s.turns("a=x", "a=x"), "rr")
	s.TurnStart()
	id, _ := s.call("a")
	if _, err := s.Call(Call{ID: "todo", Tool: "todo", Input: []byte(`{}`)}); err != nil {
		t.Fatal(err)
	}
	if s.result(id, "x").Note == "" {
		t.Error("the third in a row was not noted")
	}
	// One whose result never comes: the model is told at the end of the turn.
	s = newScript(t, "streak")
	s.want(s.turns("a=x", "a=x"), "rr")
	s.TurnStart()
	id, _ = s.call("a")
	s.call("lost")
	if d := s.result(id, "x"); d.Note != "" {
		t.Errorf("noted before the batch was over: %q", d.Note)
	}
	if d := s.TurnEnd(); !strings.Contains(d.Steer, "3 times in a row") {
		t.Errorf("at the end of the turn: %+v", d)
	}
	s.want(s.turns("a=x", "a=x"), "rb")
}

func TestStreakInASequentialBatchIsOneStep(t *testing.T) {
	s := newScript(t, "streak")
	s.TurnStart()
	for range 10 {
		id, d := s.call("a")
		if d.Block || s.result(id, "x").Note != "" {
			t.Fatal("calls of one batch were counted among themselves")
		}
	}
}

func TestStreakIgnoringErrors(t *testing.T) {
	for _, ignore := range []bool{true, false} {
		s := newScript(t, "streak", func(p *Policy) { p.Streak.IgnoreErrors = ignore })
		refused := 0
		for range 8 {
			s.TurnStart()
			id, d := s.call("a")
			if d.Block {
				refused++
				continue
			}
			s.Result(Result{ID: id, IsError: true, Content: text1("no such file")})
		}
		if got := refused > 0; got == ignore {
			t.Errorf("IgnoreErrors %v: %d of 8 failing calls refused", ignore, refused)
		}
	}
}

func TestStreakOfAPromptOnly(t *testing.T) {
	s := newScript(t, "streak")
	s.want(s.turns(times(6, "a=x")...), "rrnrbb")
	s.Prompt()
	s.want(s.turns(times(7, "a=x")...), "rrnrbbbE")
}

func TestStreakTerminates(t *testing.T) {
	s := newScript(t, "streak", func(p *Policy) { p.Ladder.Terminate = true })
	s.turns(times(4, "a=x")...)
	s.TurnStart()
	if _, d := s.call("a"); !d.Block || !d.Terminate {
		t.Errorf("%+v, want a refusal that ends the turn", d)
	}
	if _, d := newScript(t, "streak").call("a"); d.Terminate {
		t.Error("terminate is off by default")
	}
}

func TestAResultThatIsNotKnownIsEqualToNoOther(t *testing.T) {
	for preset, want := range map[string]string{"streak": "rrrrrrrrrrnrb", "turns": "rrrrrrrrrrrb"} {
		s := newScript(t, preset)
		var got []byte
		for i := range len(want) {
			s.TurnStart()
			id, d := s.call("a")
			switch known := i >= 8 || i%2 == 0; { // every other one, then all
			case d.Block:
				got = append(got, 'b')
			case known && s.result(id, "x").Note != "":
				got = append(got, 'n')
			case !known && s.Result(Result{ID: id, Uncountable: true}).Note != "":
				got = append(got, '?')
			default:
				got = append(got, 'r')
			}
			s.TurnEnd()
		}
		if string(got) != want {
			t.Errorf("%s: got %s, want %s", preset, got, want)
		}
	}
}

func TestAResultThatIsNotKnownHoldsUpNoWarning(t *testing.T) {
	s := newScript(t, "streak")
	s.want(s.turns("a=x", "a=x"), "rr")
	s.TurnStart()
	a, _ := s.call("a")
	b, _ := s.call("b")
	s.Result(Result{ID: b, Uncountable: true})
	if d := s.result(a, "x"); !strings.Contains(d.Note, "3 times in a row") {
		t.Errorf("the last result: %+v", d)
	}
}
