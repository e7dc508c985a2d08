package guard

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/loopbreaker/loopbreaker/canonical"
)

// call makes a call that differs from others by its command.
func call(command string) Call {
	return Call{Tool: "bash", Input: fmt.Appendf(nil, `{"command":%q}`, command)}
}

func newWindowSession() *Session { return NewSession(windowPreset()) }

func windowPreset() Policy {
	p, _ := FindPreset("window")
	return p.Policy
}

// tell tells calls and returns the last decision.
func tell(t *testing.T, s *Session, calls ...Call) (d Decision) {
	t.Helper()
	for _, c := range calls {
		var err error
		if d, err = s.Call(c); err != nil {
			t.Fatalf("%s: %v", c.Input, err)
		}
	}
	return d
}

// others are n calls, each different.
func others(n int) (calls []Call) {
	for i := range n {
		calls = append(calls, call(fmt.Sprint("echo ", i)))
	}
	return calls
}

func repeat(c Call, n int) (calls []Call) {
	for range n {
		calls = append(calls, c)
	}
	return calls
}

func TestTheSixthIdenticalCallIsRefused(t *testing.T) {
	s := newWindowSession()
	if d := tell(t, s, repeat(call("ls -R"), 5)...); d.Block {
		t.Fatal("the fifth was refused")
	}
	d := tell(t, s, call("ls -R"))
	if !d.Block {
		t.Fatal("the sixth was admitted")
	}
	if want := (Why{Rule: RuleWindow, Stage: "block", Tool: "bash", Count: 5, Limit: 5, Window: 20}); *d.Why != want {
		t.Errorf("why %+v, want %+v", *d.Why, want)
	}
	if want := (LoopBroken{Tool: "bash", Repeats: 5, BlockedSoFar: 1}); len(d.Entries) != 1 || d.Entries[0] != want {
		t.Errorf("entries %+v, want one %+v", d.Entries, want)
	}
}

func TestTheWindowHoldsTwentyAdmittedCalls(t *testing.T) {
	for _, tt := range []struct {
		between int
		refused bool
	}{{15, true}, {16, false}} {
		s := newWindowSession()
		tell(t, s, repeat(call("ls -R"), 5)...)
		if d := tell(t, s, append(others(tt.between), call("ls -R"))...); d.Block != tt.refused {
			t.Errorf("with %d other calls since: refused %v, want %v", tt.between, d.Block, tt.refused)
		}
	}
}

func TestRepeatsNeedNotBeConsecutive(t *testing.T) {
	s := newWindowSession()
	for i, c := range others(5) {
		tell(t, s, call("ls -R"), c)
		if d := tell(t, s, call(fmt.Sprint("cat ", i))); d.Block {
			t.Fatal("a different call was refused")
		}
	}
	if d := tell(t, s, call("ls -R")); !d.Block {
		t.Error("five among fifteen were not seen")
	}
}

func TestARefusedCallNeverEntersTheWindow(t *testing.T) {
	s := newWindowSession()
	tell(t, s, repeat(call("ls -R"), 5)...)
	for n := 1; n <= 100; n++ {
		d := tell(t, s, call("ls -R"))
		if !d.Block || d.Entries[0] != (LoopBroken{"bash", 5, n}) {
			t.Fatalf("retry %d: %+v", n, d)
		}
	}
	if d := tell(t, s, call("pwd")); d.Block {
		t.Error("another call was refused")
	}
	if d := tell(t, s, call("ls -R")); !d.Block {
		t.Error("the retries pushed the call out of the window")
	}
}

func TestToolAndInputTellCallsApart(t *testing.T) {
	s := newWindowSession()
	tell(t, s, repeat(call("ls -R"), 5)...)
	for _, c := range []Call{
		{Tool: "Bash", Input: []byte(`{"command":"ls -R"}`)},
		{Tool: "bash", Input: []byte(`{"command":"ls -R","timeout":5}`)},
		{Tool: "bash", Input: []byte(`{"command":"ls -R","__proto__":{}}`)},
		{Tool: "bash", Input: []byte(`{"command":"ls -R","constructor":null}`)},
		{Tool: "bash", Input: []byte(`{"command":["ls","-R"]}`)},
	} {
		if d := tell(t, s, c); d.Block {
			t.Errorf("%s %s was taken for bash ls -R", c.Tool, c.Input)
		}
	}
}

func TestSpellingDoesNot(t *testing.T) {
	s := newWindowSession()
	for i, input := range []string{
		`{"a":{"x":1,"y":[1,2]},"b":"é"}`, `{"b":"é","a":{"y":[1,2],"x":1}}`, `{"b":"\u00e9","a":{"y":[1.0,2e0],"x":1}}`,
		` { "a" : { "x" : 1 , "y" : [1, 2] }, "b" : "é" } `, `{"a":{"x":1,"y":[1,2]},"b":"é"}`, `{"\u0061":{"x":1,"y":[1,2]},"b":"é"}`,
	} {
		if d := tell(t, s, Call{Tool: "t", Input: []byte(input)}); d.Block != (i == 5) {
			t.Errorf("%s: refused %v", input, d.Block)
		}
	}
	if d := tell(t, s, Call{Tool: "t", Input: []byte(`{"a":{"x":1,"y":[2,1]},"b":"é"}`)}); d.Block {
		t.Error("the order of an array was ignored")
	}
}

func TestAnUncountableCallChangesNothing(t *testing.T) {
	s := newWindowSession()
	tell(t, s, repeat(call("ls -R"), 5)...)
	for range 40 {
		if d, err := s.Call(Call{Tool: "bash", Uncountable: true}); d.Block || err != nil {
			t.Fatalf("%+v, %v", d, err)
		}
		d, err := s.Call(Call{Tool: "bash", Input: []byte(`{"a":"\ud800"}`)})
		if d.Block || !errors.Is(err, canonical.ErrIllFormed) {
			t.Fatalf("%+v, %v", d, err)
		}
	}
	if d := tell(t, s, call("ls -R")); !d.Block {
		t.Error("uncountable calls entered the window")
	}
}

func TestBlockedSoFarIsForgottenWithTheLastAdmittedOccurrence(t *testing.T) {
	loop := call("ls -R")
	refusals := func(since int) int {
		s := newWindowSession()
		tell(t, s, repeat(loop, 7)...) // five admitted, two refused
		tell(t, s, others(since)...)   // pushes admitted ones out
		d := tell(t, s, repeat(loop, 6)...)
		if !d.Block {
			t.Fatalf("after %d others: the loop was not refused again", since)
		}
		return d.Entries[0].BlockedSoFar
	}
	// After 19 others one of the five admitted is left, and it leaves as the
	// next is admitted: the call never was out of the window.
	if got := refusals(19); got != 3 {
		t.Errorf("one occurrence left: blockedSoFar %d, want 2 and 1 more", got)
	}
	if got := refusals(20); got != 1 {
		t.Errorf("none left: blockedSoFar %d, want 1", got)
	}
}

func TestSessionsShareNothing(t *testing.T) {
	a, b := newWindowSession(), newWindowSession()
	tell(t, a, repeat(call("ls -R"), 6)...)
	if d := tell(t, b, repeat(call("ls -R"), 5)...); d.Block {
		t.Error("one session saw another's calls")
	}
}

func TestTheLedgerStaysSmall(t *testing.T) {
	s := newWindowSession()
	for i := range 10_000 {
		tell(t, s, repeat(call(fmt.Sprint(i)), 6)...)
	}
	if n := len(s.ledger.window.admitted); n > 20 {
		t.Errorf("%d keys remembered for a window of 20", n)
	}
	if n := len(s.ledger.window.refused); n > 20 {
		t.Errorf("%d counts of refusals remembered for a window of 20", n)
	}
}

func TestTheReasonSaysWhatTheModelNeeds(t *testing.T) {
	s := newWindowSession()
	reason := tell(t, s, repeat(call("ls -R"), 6)...).Reason
	for _, want := range []string{"bash", " 5 times", "last 20", "will not change the result", "different concrete action", "already know"} {
		if !strings.Contains(reason, want) {
			t.Errorf("%q does not say %q", reason, want)
		}
	}
	for _, claim := range []string{"consecutive", "in a row", "in succession"} {
		if strings.Contains(reason, claim) {
			t.Errorf("%q claims the repeats were %s", reason, claim)
		}
	}
	if len(reason) > 500 {
		t.Errorf("%d characters", len(reason))
	}
}

func ExampleSession() {
	s := NewSession(windowPreset())
	for i := 1; i <= 6; i++ {
		d, err := s.Call(Call{Tool: "bash", Input: []byte(`{"command":"ls -R"}`)})
		fmt.Println(i, d.Block, err)
	}
	// Output:
	// 1 false <nil>
	// 2 false <nil>
	// 3 false <nil>
	// 4 false <nil>
	// 5 false <nil>
	// 6 true <nil>
}
