package guard

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// gated is a session in which the next `make` is asked about, if it is attended.
func gatedScript(t *testing.T, attended bool) *script {
	s := newScript(t, "measures", func(p *Policy) { p.Measures.Limits["exact"], p.Measures.Limits["cmd"] = 3, 3 })
	s.SetAttended(attended)
	for range 2 {
		s.TurnStart()
		id, d := s.call("make")
		if d.Block || d.Ask != nil {
			t.Fatalf("%+v", d)
		}
		s.result(id, "made")
		s.TurnEnd()
	}
	s.TurnStart()
	return s
}

// Every answer but the first refuses, and says which it was; none is followed by
// another question until the user writes.
func TestAnswers(t *testing.T) {
	for answer, says := range map[Answer]string{
		Approved:   "",
		Declined:   "was asked to allow it and declined",
		TimedOut:   "did not answer in time",
		Aborted:    "The run was ended while",
		Unattended: "Nobody could be asked",
	} {
		s := gatedScript(t, true)
		_, d := s.call("make")
		if d.Ask == nil || d.Block || d.Ask.ID == "" || d.Ask.Seconds != 120 || d.Why == nil || d.Why.Stage != "ask" {
			t.Fatalf("%+v", d)
		}
		for _, part := range []string{"- cmd:make:make: 3 times with this call, the limit is 3\n", "- exact:bash:"} {
			if !strings.Contains(d.Ask.Message, part) {
				t.Errorf("%q is not in %q", part, d.Ask.Message)
			}
		}
		if d.Ask.Title != "Loopbreaker: let this bash call run?" {
			t.Error(d.Ask.Title)
		}
		d, err := s.Approve(d.Ask.ID, answer)
		if err != nil || d.Block != (answer != Approved) || !strings.Contains(d.Reason, says) {
			t.Errorf("%s: %+v %v", answer, d, err)
		}
		// The user need not be told of what he said himself.
		if (d.Notify != "") != (d.Block && answer != Declined) {
			t.Errorf("%s: the user is told %q", answer, d.Notify)
		}
		for range 20 {
			_, d := s.call("make")
			if d.Ask != nil || d.Block != (answer != Approved) || !strings.Contains(d.Reason, says) {
				t.Fatalf("%s, later: %+v", answer, d)
			}
		}
		s.Prompt()
		for i := range 3 {
			if _, d := s.call("make"); d.Block || (d.Ask != nil) != (i == 2) {
				t.Errorf("%s, after a message, call %d: %+v", answer, i, d)
			}
		}
	}
}

func TestWithoutAnOperatorNothingIsAsked(t *testing.T) {
	s := gatedScript(t, false)
	_, d := s.call("make")
	if d.Ask != nil || !d.Block || !strings.Contains(d.Reason, "Nobody could be asked") || d.Entries == nil {
		t.Errorf("%+v", d)
	}
	if _, d := s.call("ls"); d.Block {
		t.Errorf("%+v", d)
	}
}

func TestAnswersThatAreNone(t *testing.T) {
	s := gatedScript(t, true)
	if _, err := s.Approve("ask-1", Approved); !errors.Is(err, ErrNoQuestion) {
		t.Error(err)
	}
	_, d := s.call("make")
	for _, answer := range []Answer{"", "yes", "asking", "Approved"} {
		if _, err := s.Approve(d.Ask.ID, answer); !errors.Is(err, ErrNoAnswer) {
			t.Errorf("%q: %v", answer, err)
		}
	}
	if d, err := s.Approve(d.Ask.ID, Approved); err != nil || d.Block {
		t.Errorf("%+v %v", d, err)
	}
	if _, err := s.Approve(d.Ask.ID, Approved); !errors.Is(err, ErrNoQuestion) {
		t.Error(err)
	}
}

// While a question is open other calls are decided on, and one about the same thing
// is refused for now.
func TestWhileAQuestionIsOpen(t *testing.T) {
	s := gatedScript(t, true)
	_, asked := s.call("make")
	if _, d := s.call("ls"); d.Block || d.Ask != nil {
		t.Errorf("another call: %+v", d)
	}
	_, d := s.call("make")
	if !d.Block || !strings.Contains(d.Reason, "is being asked to allow it at this moment") {
		t.Errorf("the same call: %+v", d)
	}
	if d, err := s.Approve(asked.Ask.ID, Approved); err != nil || d.Block {
		t.Errorf("%+v %v", d, err)
	}
	if _, d := s.call("make"); d.Block || d.Ask != nil {
		t.Errorf("once approved: %+v", d)
	}
}

// A question that nobody answers holds nothing up.
func TestAQuestionIsForgotten(t *testing.T) {
	for name, happens := range map[string]func(s *script, call string){
		"a result of its call": func(s *script, call string) { s.result(call, "x") },
		"a rejection of its call": func(s *script, call string) {
			s.Rejected(Rejection{Call: Call{ID: call, Tool: "bash"}, Text: hostAborted})
		},
		"the next turn but one": func(s *script, _ string) { s.TurnStart(); s.TurnStart() },
		"reset":                 func(s *script, _ string) { s.Reset() },
		"off":                   func(s *script, _ string) { s.SetOn(false) },
		"restore":               func(s *script, _ string) { s.Restore(nil) },
	} {
		s := gatedScript(t, true)
		call, d := s.call("make")
		happens(s, call)
		if _, err := s.Approve(d.Ask.ID, Approved); !errors.Is(err, ErrNoQuestion) {
			t.Errorf("%s: %v", name, err)
		}
		s.SetOn(true)
		if _, d := s.call("ls"); d.Block || d.Ask != nil {
			t.Errorf("%s: then %+v", name, d)
		}
	}
	// A host that tells of no turns.
	s := newScript(t, "measures", func(p *Policy) { p.Measures.Limits["exact"] = 2 })
	s.SetAttended(true)
	for i := range 50 {
		s.call(fmt.Sprint("make ", i/2))
	}
	if n := len(s.gate.open); n > 3 {
		t.Errorf("%d questions are open", n)
	}
}

// The user may write while a question is on his screen. His answer then decides on
// that call, and on nothing else.
func TestAnAnswerAfterAMessage(t *testing.T) {
	for _, answer := range []Answer{Approved, Declined} {
		s := gatedScript(t, true)
		_, asked := s.call("make")
		s.Prompt()
		for i := range 2 {
			if _, d := s.call("make"); d.Block || d.Ask != nil {
				t.Errorf("%s: call %d after the message: %+v", answer, i, d)
			}
		}
		d, err := s.Approve(asked.Ask.ID, answer)
		if err != nil || d.Block != (answer == Declined) {
			t.Errorf("%s: %+v %v", answer, d, err)
		}
		if _, d := s.call("make"); d.Ask == nil {
			t.Errorf("%s: the next at the limit: %+v", answer, d)
		}
	}
}

// What has reached a limit while the user was asked is not his to have approved.
func TestAnApprovalIsOfWhatWasAsked(t *testing.T) {
	s := newScript(t, "measures", func(p *Policy) { p.Measures.Limits["sink"] = 3; p.Measures.FailLimit = 2 })
	s.SetAttended(true)
	s.TurnStart()
	ids := make([]string, 2)
	for i := range ids {
		ids[i], _ = s.call(fmt.Sprintf("curl https://h.example/%d > x.html", i))
	}
	_, d := s.call("curl https://h.example/2 > x.html")
	if d.Ask == nil || strings.Contains(d.Ask.Message, "host:") {
		t.Fatalf("%+v", d)
	}
	for _, id := range ids {
		s.Result(Result{ID: id, IsError: true, Content: text1("Command exited with code 6")})
	}
	d, err := s.Approve(d.Ask.ID, Approved)
	if err != nil || !d.Block || !strings.Contains(d.Reason, "host:h.example: 2 failures in a row") || strings.Contains(d.Reason, "sink:") {
		t.Errorf("%+v %v", d, err)
	}
}

// The stronger rule refuses without a question.
func TestARefusalIsStrongerThanAQuestion(t *testing.T) {
	s := newScript(t, "measures", func(p *Policy) { p.Window = Window{Calls: 20, Block: 2}; p.Measures.Limits["exact"] = 3 })
	s.SetAttended(true)
	s.call("make")
	s.call("make")
	if _, d := s.call("make"); !d.Block || d.Ask != nil || d.Why.Rule != RuleWindow {
		t.Errorf("%+v", d)
	}
}

// After a restart what was let pass passes, and what was refused is not asked about
// again.
func TestTheGateIsRestored(t *testing.T) {
	call := func(i int, command string) *Call {
		return &Call{ID: fmt.Sprint(i), Tool: "bash", Input: fmt.Appendf(nil, `{"command":%q}`, command)}
	}
	past := []Past{{Prompt: true}}
	for i := range 5 { // the limit is 3, so the third was approved
		past = append(past, Past{Turn: true}, Past{Ran: call(i, "make a")})
	}
	for i := range 3 {
		past = append(past, Past{Turn: true})
		if c := call(10+i, "make b"); i < 2 {
			past = append(past, Past{Ran: c}, Past{Result: &Result{ID: c.ID, Content: text1("b was made")}})
		} else {
			past = append(past, Past{Refused: c})
		}
	}
	for i := range 4 { // 20 on: two failures of three
		c := call(20+i, "make c")
		past = append(past, Past{Turn: true}, Past{Ran: c}, Past{Result: &Result{ID: c.ID, IsError: i > 1, Content: text1("x\n\nCommand exited with code 1")}})
	}
	s := newScript(t, "measures", func(p *Policy) {
		p.Measures.Limits["exact"], p.Measures.Limits["cmd"], p.Measures.FailLimit = 3, 3, 3
	})
	s.SetAttended(true)
	s.Restore(past)
	s.TurnStart()
	if _, d := s.call("make a"); d.Block || d.Ask != nil {
		t.Errorf("what was let pass: %+v", d)
	}
	if _, d := s.call("make b"); !d.Block || !strings.Contains(d.Reason, "b was made") {
		t.Errorf("what was refused: %+v", d)
	}
	id, d := s.call("make d")
	if d.Block || s.result(id, "x").Note != "" {
		t.Errorf("another: %+v", d)
	}
	s.Prompt()
	if _, d := s.call("make b"); d.Block {
		t.Errorf("after a message: %+v", d)
	}
}

func TestWhyTellsOfMeasures(t *testing.T) {
	s := gatedScript(t, true)
	_, d := s.call("make")
	if _, err := s.Approve(d.Ask.ID, TimedOut); err != nil {
		t.Fatal(err)
	}
	want := "What Loopbreaker did, the latest first:\n" +
		"- refused a call: cmd:make:make had come 2 times among the last 16 calls (rule occurrences, due from 2)\n" +
		"- asked you about a call: cmd:make:make had come 2 times among the last 16 calls (rule occurrences, due from 2)"
	if got := s.Explain(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
