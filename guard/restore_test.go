package guard

import (
	"fmt"
	"testing"
)

// past is turns of one bash call each, "command=result", or "command!" for one
// that was refused.
func past(calls ...string) (events []Past) {
	for i, c := range calls {
		id := fmt.Sprint("past", i)
		command, text, ran := cutCall(c)
		call := &Call{ID: id, Tool: "bash", Input: fmt.Appendf(nil, `{"command":%q}`, command)}
		events = append(events, Past{Turn: true})
		if !ran {
			events = append(events, Past{Refused: call})
			continue
		}
		events = append(events, Past{Ran: call}, Past{Result: &Result{ID: id, Content: text1(text)}})
	}
	return events
}

func cutCall(c string) (command, text string, ran bool) {
	if c[len(c)-1] == '!' {
		return c[:len(c)-1], "", false
	}
	for i := range c {
		if c[i] == '=' {
			return c[:i], c[i+1:], true
		}
	}
	return c, "", true
}

func TestARestoredLoopIsStillALoop(t *testing.T) {
	for _, tt := range []struct {
		preset string
		past   []string
		next   []string
		want   string
	}{
		{"window", times(4, "a=x"), times(2, "a=x"), "rb"},
		{"window", append(times(5, "a=x"), "a!", "a!"), times(1, "a=x"), "b"},
		{"streak", times(2, "a=x"), times(3, "a=x"), "nrb"},
		{"streak", times(3, "a=x"), times(2, "a=x"), "rb"}, // the warning was said before
		{"streak", append(times(4, "a=x"), "a!", "a!"), times(1, "a=x"), "bE"},
		{"turns", times(3, "a=x"), times(1, "a=x"), "b"},
		{"turns", changing(3, "a"), []string{"a=9"}, "r"},
	} {
		s := newScript(t, tt.preset)
		s.turns("other=1") // of no account afterwards
		s.Restore(past(tt.past...))
		s.want(tt.preset+" "+s.turns(tt.next...), tt.preset+" "+tt.want)
	}
}

func TestOurOwnRemarkIsNoChangeOfAResult(t *testing.T) {
	s := newScript(t, "streak")
	events := past(times(4, "a=x")...)
	last := events[len(events)-1].Result
	last.Content = append(last.Content, text1(remark(finding{rule: RuleStreak, tool: "bash", count: 3}))...)
	s.Restore(events)
	s.want(s.turn("a=x"), "b")
}

func TestAPromptInThePastIsAFreshStart(t *testing.T) {
	s := newScript(t, "streak")
	s.Restore(append(append(past(times(4, "a=x")...), Past{Prompt: true}), past("a=x")...))
	s.want(s.turns(times(4, "a=x")...), "rnrb")
}

func TestRejectedCallsAreRestored(t *testing.T) {
	s := newScript(t, "default")
	var events []Past
	for range 5 {
		events = append(events, Past{Turn: true}, Past{Rejected: &Rejection{Call: Call{Tool: "edit"}, Text: schemaError}})
	}
	s.Restore(events)
	s.want(s.rejectTimes(1, "edit"), "E")
}

func TestWhatCannotBeCountedIsLeftOut(t *testing.T) {
	s := newScript(t, "window")
	bad := &Call{ID: "1", Tool: "bash", Input: []byte(`{"a":1,"a":2}`)}
	s.Restore([]Past{{Ran: bad}, {Ran: &Call{ID: "2", Tool: "bash", Uncountable: true}}, {Result: &Result{ID: "1"}}})
	s.want(s.turns(times(6, "a=x")...), "rrrrrb")
}
