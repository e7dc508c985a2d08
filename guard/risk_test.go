package guard

import (
	"fmt"
	"strings"
	"testing"
)

// lone is a successful call that is like no other.
func lone(name string, n int) deed { return deed{name, fmt.Sprintf(`{"n":%d}`, n), "ok"} }

// run makes a call and gives its result, unless that is -. It returns the score, and what was done:
// "", "warn" or "block".
func (s *script) run(a deed) (Score, string) {
	s.t.Helper()
	s.calls++
	id := fmt.Sprint(s.calls)
	d, err := s.Call(Call{ID: id, Tool: a.tool, Input: []byte(a.input)})
	if err != nil {
		s.t.Fatal(err)
	}
	last := s.ledger.risk.scores.last
	score := last[len(last)-1]
	if d.Block {
		if d.Why.Rule != RuleRisk || d.Why.Count != score.Total() || d.Why.Limit != 70 || d.Why.Window != s.policy.Risk.Calls || d.Why.Parts != score.String() {
			s.t.Errorf("refused for %+v, the score is %s", *d.Why, score)
		}
		return score, "block"
	}
	if a.shows == "-" {
		return score, ""
	}
	text, failed := strings.CutPrefix(a.shows, "!")
	d = s.Result(Result{ID: id, IsError: failed, Content: text1(text)})
	if d.Note == "" {
		return score, ""
	}
	if d.Why.Rule != RuleRisk || d.Why.Stage != "warn" || d.Why.Count != score.Total() || !strings.Contains(d.Note, score.String()) {
		s.t.Errorf("warned for %+v with %q, the score is %s", *d.Why, d.Note, score)
	}
	return score, "warn"
}

// ran runs calls and returns what the last came to, as in "70 block: exact 40 +
// cycle 30".
func (s *script) ran(calls ...deed) string {
	s.t.Helper()
	var score Score
	var done string
	for _, a := range calls {
		score, done = s.run(a)
	}
	return strings.TrimSpace(strings.TrimSpace(fmt.Sprintf("%d %s", score.Total(), done)) + ": " + score.String())
}

func join(all ...[]deed) (joined []deed) {
	for _, a := range all {
		joined = append(joined, a...)
	}
	return joined
}

// tools are calls, each like no other, of the tools that letters name.
func tools(letters string) (all []deed) {
	for i, c := range letters {
		all = append(all, lone(string(c), i))
	}
	return all
}

func TestRiskDetectors(t *testing.T) {
	one := func(a ...deed) []deed { return a }
	for _, tt := range []struct {
		name  string
		calls []deed
		want  string
	}{
		{"the first call", one(sh("ls", "x")), "0:"},

		{"exact: the same call", one(sh("ls", "x"), sh("ls", "x")), "40: exact 40"},
		{"exact: once, however often", one(sh("ls", "x"), lone("a", 1), sh("ls", "x"), lone("b", 1), sh("ls", "x")), "40: exact 40"},
		{"exact: in another spelling", one(deed{"t", `{"a":5,"b":" x"}`, "x"}, deed{"t", `{"b":"x","a":"5"}`, "x"}), "40: exact 40"},
		{"exact: of another tool", one(sh("ls", "x"), deed{"zsh", `{"command":"ls"}`, "x"}), "0:"},
		{"exact: before its result is known", one(sh("ls", "-"), sh("ls", "-")), "40: exact 40"},
		{"exact: the 20th call before", join(one(sh("ls", "x")), tools("abcdefghijklmnopqrs"), one(sh("ls", "x"))), "40: exact 40"},
		{"exact: the 21st call before", join(one(sh("ls", "x")), tools("abcdefghijklmnopqrst"), one(sh("ls", "x"))), "0:"},

		{"fuzzy: another spelling of a path", one(sh("npm test -- test/foo.ts", "ok"), sh("npm test -- test/foo.test.ts", "ok")), "25: fuzzy 25"},
		{"fuzzy: another option", one(sh("grep -r needle src", "x"), sh("grep -rnI needle src", "x")), "25: fuzzy 25"},
		{"fuzzy: 17 of 20 words", one(sh("w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 w17 x1 x2", "x"), sh("w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 w17 y1", "x")), "25: fuzzy 25"},
		{"fuzzy: 16 of 19 words", one(sh("w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 x1 x2", "x"), sh("w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 y1", "x")), "0:"},
		{"fuzzy: of another tool", one(sh("grep -r needle src", "x"), deed{"zsh", `{"command":"grep -rn needle src"}`, "x"}), "0:"},
		{"fuzzy: not beside exact", one(sh("ls -a", "x"), sh("ls", "x"), sh("ls", "x")), "40: exact 40"},
		{"fuzzy: nothing is not like nothing", one(deed{"t", `{}`, "x"}, deed{"t", `{"a":""}`, "x"}), "0:"},
		{"fuzzy: the 20th call before", join(one(sh("ls -a", "x")), tools("abcdefghijklmnopqrs"), one(sh("ls", "x"))), "25: fuzzy 25"},
		{"fuzzy: the 21st call before", join(one(sh("ls -a", "x")), tools("abcdefghijklmnopqrst"), one(sh("ls", "x"))), "0:"},

		{"cycle of 2", tools("abab?"), "30: cycle 30"},
		{"cycle of 2, not whole", tools("aba?"), "0:"},
		{"cycle of 2, broken", tools("ababc?"), "0:"},
		{"cycle of 2, of three rounds", tools("ababab?"), "30: cycle 30"},
		{"cycle of 3", tools("abcabc?"), "30: cycle 30"},
		{"cycle of 4", tools("abcdabcd?"), "30: cycle 30"},
		{"cycle of 5", tools("abcdeabcde?"), "30: cycle 30"},
		{"cycle of 6", tools("abcdefabcdef?"), "30: cycle 30"},
		{"cycle of 7", tools("abcdefgabcdefg?"), "0:"},
		{"cycle of 6, behind others", tools("xyzabcdefabcdef?"), "30: cycle 30"},
		{"cycle of one tool, which is one of 2", tools("aaaa?"), "30: cycle 30"},
		{"cycle of one tool, too short", tools("aaa?"), "0:"},
		{"cycle: the calls may differ, and only those that ran count", tools("abab"), "0:"},

		{"stagnation: two failures with one output", one(sh("one", "!boom"), deed{"b", `{}`, "!boom"}, lone("c", 1)), "20: stagnation 20"},
		{"stagnation: noise is none of it", one(sh("one", "!boom in 1.5s"), sh("two", "!boom in 2.5s"), lone("c", 1)), "20: stagnation 20"},
		{"stagnation: one failure", one(sh("one", "!boom"), lone("c", 1)), "0:"},
		{"stagnation: another output", one(sh("one", "!boom"), sh("two", "!bang"), lone("c", 1)), "0:"},
		{"stagnation: a success with that output", one(sh("one", "boom"), sh("two", "boom"), lone("c", 1)), "0:"},
		{"stagnation: a success in between", one(sh("one", "!boom"), lone("b", 1), sh("two", "!boom"), lone("c", 1)), "0:"},
		{"stagnation: a success after", one(sh("one", "!boom"), sh("two", "!boom"), lone("b", 1), lone("c", 1)), "0:"},
		{"stagnation: a result that does not come is none", one(sh("one", "!boom"), sh("x", "-"), sh("two", "!boom"), lone("c", 1)), "20: stagnation 20"},

		{"verification: a test that failed", one(sh("go test ./...", "!FAIL"), lone("a", 1)), "10: verification 10"},
		{"verification: a build that failed", one(sh("cd web && npm run build", "!error"), lone("a", 1)), "10: verification 10"},
		{"verification: what passed", one(sh("go test ./...", "ok"), lone("a", 1)), "0:"},
		{"verification: until one passes", one(sh("go test ./...", "!FAIL"), sh("go vet ./...", "ok"), lone("a", 1)), "0:"},
		{"verification: what fails is no test", one(sh("cat x", "!no such file"), lone("a", 1)), "0:"},
		{"verification: nor one that did more", one(sh("git commit && go test", "!FAIL"), lone("a", 1)), "0:"},
		{"verification: nor one that another command speaks for", one(sh("go test | grep FAIL", "!"), lone("a", 1)), "0:"},
		{"verification: which cannot say that it passes, either", one(sh("go test ./...", "!FAIL"), sh("go test ./b | tail", "FAIL"), lone("a", 1)), "10: verification 10"},
		{"verification: nor a tool that runs no commands", one(deed{"note", `{"command":"go test"}`, "!FAIL"}, lone("a", 1)), "0:"},
		{"verification: for 20 calls", join(one(sh("go test ./...", "!FAIL")), tools("abcdefghijklmnopqrs"), one(lone("x", 1))), "10: verification 10"},
		{"verification: and no more", join(one(sh("go test ./...", "!FAIL")), tools("abcdefghijklmnopqrst"), one(lone("x", 1))), "0:"},
	} {
		if got := newScript(t, "risk").ran(tt.calls...); strings.TrimSpace(got) != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// Every sum that the detectors can come to: which of them speak, and for a repeat
// whether the last one failed.
func TestRiskSums(t *testing.T) {
	for _, tt := range []struct {
		repeat                      string // "", "fuzzy" or "exact"
		cycle, stagnates, verifying bool
		works                       bool // whether the last repeat succeeded
		want                        string
	}{
		{"", false, false, false, false, "0:"},
		{"", false, false, true, false, "10: verification 10"},
		{"", false, true, false, false, "20: stagnation 20"},
		{"", false, true, true, false, "30: stagnation 20 + verification 10"},
		{"", true, false, false, false, "30: cycle 30"},
		{"", true, false, true, false, "40: cycle 30 + verification 10"},
		{"", true, true, false, false, "50 warn: cycle 30 + stagnation 20"},
		{"", true, true, true, false, "60 warn: cycle 30 + stagnation 20 + verification 10"},

		{"fuzzy", false, false, false, false, "25: fuzzy 25"},
		{"fuzzy", false, false, true, false, "35: fuzzy 25 + verification 10"},
		{"fuzzy", false, true, false, false, "45: fuzzy 25 + stagnation 20"},
		{"fuzzy", false, true, true, false, "55 warn: fuzzy 25 + stagnation 20 + verification 10"},
		{"fuzzy", true, false, false, false, "55 warn: fuzzy 25 + cycle 30"},
		{"fuzzy", true, false, true, false, "65 warn: fuzzy 25 + cycle 30 + verification 10"},
		{"fuzzy", true, true, false, false, "75 block: fuzzy 25 + cycle 30 + stagnation 20"},
		{"fuzzy", true, true, true, false, "85 block: fuzzy 25 + cycle 30 + stagnation 20 + verification 10"},
		{"fuzzy", true, true, false, true, "75 warn: fuzzy 25 + cycle 30 + stagnation 20"},
		{"fuzzy", true, true, true, true, "85 warn: fuzzy 25 + cycle 30 + stagnation 20 + verification 10"},

		{"exact", false, false, false, false, "40: exact 40"},
		{"exact", false, false, true, false, "50 warn: exact 40 + verification 10"},
		{"exact", false, true, false, false, "60 warn: exact 40 + stagnation 20"},
		{"exact", false, true, true, false, "70 block: exact 40 + stagnation 20 + verification 10"},
		{"exact", true, false, false, false, "70 block: exact 40 + cycle 30"},
		{"exact", true, false, true, false, "80 block: exact 40 + cycle 30 + verification 10"},
		{"exact", true, true, false, false, "90 block: exact 40 + cycle 30 + stagnation 20"},
		{"exact", true, true, true, false, "100 block: exact 40 + cycle 30 + stagnation 20 + verification 10"},
		{"exact", false, true, true, true, "70 warn: exact 40 + stagnation 20 + verification 10"},
		{"exact", true, false, false, true, "70 warn: exact 40 + cycle 30"},
		{"exact", true, false, true, true, "80 warn: exact 40 + cycle 30 + verification 10"},
		{"exact", true, true, false, true, "90 warn: exact 40 + cycle 30 + stagnation 20"},
		{"exact", true, true, true, true, "100 warn: exact 40 + cycle 30 + stagnation 20 + verification 10"},
	} {
		s := newScript(t, "risk")
		call := deed{"probe", `{"text":"one two"}`, "!first"}
		if tt.works {
			call.shows = "first"
		}
		switch tt.repeat {
		case "fuzzy":
			s.run(deed{"probe", `{"text":"two one"}`, call.shows})
		case "exact":
			s.run(call)
		}
		s.Verification("the tests", !tt.verifying)
		// Four calls of other tools, in a cycle or not, the last two stagnating or not.
		names := [4]string{"a", "b", "c", "d"}
		if tt.cycle {
			names = [4]string{"a", "b", "a", "b"}
		}
		for i, name := range names {
			a := lone(name, i)
			if tt.stagnates && i >= 2 {
				a.shows = "!boom"
			}
			s.run(a)
		}
		if got := strings.TrimSpace(s.ran(call)); got != tt.want {
			t.Errorf("%+v: %s", tt, got)
		}
	}
}

func TestRiskOfAProductiveRepeat(t *testing.T) {
	poll := func(results ...string) (calls []deed) {
		for _, r := range results {
			calls = append(calls, sh("curl localhost:3000", r))
		}
		return calls
	}
	for _, tt := range []struct {
		name  string
		calls []deed
		want  string
	}{
		{"stays a warning, however often", join(poll("200", "200", "200", "200", "200", "200", "200"), poll("200")), "70 warn: exact 40 + cycle 30"},
		{"a failing one is refused", poll("!1", "!2", "!3", "!4", "!5"), "70 block: exact 40 + cycle 30"},
		{"one that failed and works now is let be", poll("!1", "!2", "!3", "200", "200"), "70 warn: exact 40 + cycle 30"},
		{"one that worked and fails now is not", poll("200", "200", "200", "!1", "!2"), "70 block: exact 40 + cycle 30"},
		{"what became of it is not known", poll("-", "-", "-", "-", "-"), "70: exact 40 + cycle 30"},
		{"of the last, that is, but of the one before", poll("200", "!1", "!2", "-", "-"), "70 block: exact 40 + cycle 30"},
	} {
		if got := newScript(t, "risk").ran(tt.calls...); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestARefusedCallStaysRefusedAndOthersRun(t *testing.T) {
	s := newScript(t, "risk")
	stuck := sh("curl localhost:3000", "!refused")
	s.ran(stuck, stuck, stuck)
	for i := range 10 {
		if got, want := s.ran(stuck), "60 warn: exact 40 + stagnation 20"; i == 0 && got != want {
			t.Errorf("the 4th: %s, want %s", got, want)
		} else if i > 0 && got != "90 block: exact 40 + cycle 30 + stagnation 20" {
			t.Errorf("refused before, now %s", got)
		}
	}
	// What is no repeat comes to 60 at most, and is never refused.
	if got, want := s.ran(deed{"read", `{"path":"server.log"}`, "port in use"}), "50 warn: cycle 30 + stagnation 20"; got != want {
		t.Errorf("the recovery: %s, want %s", got, want)
	}
	if got, want := s.ran(stuck), "40: exact 40"; got != want {
		t.Errorf("then: %s, want %s", got, want)
	}
}

func TestRiskTellsHowOftenTheCallWasRefused(t *testing.T) {
	s := newScript(t, "risk")
	stuck := sh("curl localhost:3000", "!refused")
	s.ran(stuck, stuck, stuck, stuck)
	for i := range 3 {
		_, d := s.call("curl localhost:3000")
		if want := (LoopBroken{Tool: "bash", Repeats: 4, BlockedSoFar: i + 1}); len(d.Entries) != 1 || d.Entries[0] != want {
			t.Errorf("%+v, want %+v", d.Entries, want)
		}
	}
}

func TestRiskInABatch(t *testing.T) {
	s := newScript(t, "risk")
	s.TurnStart()
	first, _ := s.call("make")
	second, d := s.call("make")
	if d.Block || s.ledger.risk.scores.last[1] != (Score{Exact: 40}) {
		t.Errorf("the second of a batch: %+v, %v", d, s.ledger.risk.scores.last)
	}
	// Results in whatever order they come.
	s.Result(Result{ID: second, IsError: true, Content: text1("boom")})
	s.Result(Result{ID: first, IsError: true, Content: text1("boom")})
	s.TurnEnd()
	if got, want := s.ran(sh("make", "!boom")), "70 block: exact 40 + stagnation 20 + verification 10"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestRiskOfResultsThatCannotBeRead(t *testing.T) {
	s := newScript(t, "risk")
	for i, want := range []Score{{}, {Exact: 40, Verification: 10}, {Exact: 40, Verification: 10}} {
		id, d := s.call("make")
		if got := s.ledger.risk.scores.last[i]; got != want || d.Block {
			t.Errorf("call %d: %s, want %s; refused %v", i+1, got, want, d.Block)
		}
		if d := s.Result(Result{ID: id, IsError: true, Uncountable: true}); (d.Note != "") != (i > 0) {
			t.Errorf("call %d: noted %q", i+1, d.Note)
		}
	}
	s.ran(tools("abab")...)
	if got, want := s.ran(sh("make", "!boom")), "80 block: exact 40 + cycle 30 + verification 10"; got != want {
		t.Errorf("after failures that cannot be read: %s, want %s", got, want)
	}
}

func TestVerifications(t *testing.T) {
	for _, tt := range []struct {
		name string
		tell func(s *script)
		want string
	}{
		{"none", func(s *script) {}, "0:"},
		{"failed", func(s *script) { s.Verification("tests", false) }, "10: verification 10"},
		{"passed", func(s *script) { s.Verification("tests", true) }, "0:"},
		{"failed, then passed", func(s *script) { s.Verification("tests", false); s.Verification("tests", true) }, "0:"},
		{"passed, then failed", func(s *script) { s.Verification("tests", true); s.Verification("tests", false) }, "10: verification 10"},
		{"another passed", func(s *script) { s.Verification("tests", false); s.Verification("lint", true) }, "10: verification 10"},
		{"one of two passed", func(s *script) {
			s.Verification("tests", false)
			s.Verification("lint", false)
			s.Verification("lint", true)
		}, "10: verification 10"},
		{"a command that passes is not the host's", func(s *script) { s.Verification("tests", false); s.ran(sh("make", "ok")) }, "10: verification 10"},
		{"for 20 calls", func(s *script) { s.Verification("tests", false); s.ran(tools("abcdefghijklmnopqrs")...) }, "10: verification 10"},
		{"and no more", func(s *script) { s.Verification("tests", false); s.ran(tools("abcdefghijklmnopqrst")...) }, "0:"},
		{"the clock starts anew", func(s *script) {
			s.Verification("tests", false)
			s.ran(tools("abcdefghijklmnopqrs")...)
			s.Verification("tests", false)
			s.ran(tools("uv")...)
		}, "10: verification 10"},
		{"until the user writes", func(s *script) { s.Verification("tests", false); s.Prompt() }, "0:"},
	} {
		s := newScript(t, "risk")
		tt.tell(s)
		if got := strings.TrimSpace(s.ran(lone("x", 1))); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	s := newScript(t, "risk")
	for i := range 10 * verificationsKept {
		s.Verification(fmt.Sprint(i), false)
	}
	if n := len(s.ledger.risk.verifications); n != verificationsKept {
		t.Errorf("%d are remembered", n)
	}
	s = newScript(t, DefaultPreset)
	if s.Verification("tests", false); len(s.ledger.risk.verifications) > 0 {
		t.Error("remembered where nobody asks for it")
	}
}

func TestAFreshStartForgetsTheRiskAndKeepsItsRecord(t *testing.T) {
	for name, fresh := range map[string]func(*script){"prompt": func(s *script) { s.Prompt() }, "compaction": func(s *script) { s.Compact() }} {
		s := newScript(t, "risk")
		stuck := sh("make", "!boom")
		s.ran(stuck, stuck, stuck, stuck)
		fresh(s)
		if got := strings.TrimSpace(s.ran(stuck)); got != "0:" {
			t.Errorf("%s: %s", name, got)
		}
		if want := "Loopbreaker is on, preset risk. Refused: 2 in this prompt, 2 in this session." +
			" Loop risk of 5 calls: 70 at most (exact 40 + stagnation 20 + verification 10); of the last, the latest first: 0 70 70 50 0."; name == "compaction" && s.Report("risk") != want {
			t.Errorf("%s", s.Report("risk"))
		}
	}
}

func TestTheRecordOfTheRiskIsBounded(t *testing.T) {
	s := newScript(t, "risk")
	if got := s.Report("risk"); !strings.HasSuffix(got, " No call has been scored.") {
		t.Error(got)
	}
	for range 500 {
		s.ran(sh("make", "!boom"))
	}
	if n := len(s.ledger.risk.scores.last); n != scoresKept {
		t.Errorf("%d scores are remembered", n)
	}
	if got := s.Report("risk"); !strings.Contains(got, " Loop risk of 500 calls: 70 at most") {
		t.Error(got)
	}
	if s.Reset(); s.ledger.risk.scores.n > 0 {
		t.Error("a reset kept the record")
	}
	if got := newScript(t, DefaultPreset).Report(DefaultPreset); strings.Contains(got, "risk") {
		t.Error(got)
	}
}

func TestRiskIsRestored(t *testing.T) {
	stuck := Call{Tool: "bash", Input: []byte(`{"command":"make"}`)}
	var past []Past
	for i := range 2 {
		c := stuck
		c.ID = fmt.Sprint("past", i)
		past = append(past, Past{Ran: &c}, Past{Result: &Result{ID: c.ID, IsError: true, Content: text1("boom")}})
	}
	s := newScript(t, "risk")
	s.Restore(past)
	if got, want := s.ran(sh("make", "!boom")), "70 block: exact 40 + stagnation 20 + verification 10"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if n := s.ledger.risk.scores.n; n != 3 {
		t.Errorf("%d scores on record", n)
	}
}

func TestRiskWithOtherNumbers(t *testing.T) {
	stuck := sh("make", "!boom")
	for _, tt := range []struct {
		name   string
		change func(*Risk)
		want   string
	}{
		{"as it is", func(*Risk) {}, "70 block: exact 40 + stagnation 20 + verification 10"},
		{"without a detector", func(r *Risk) { r.Verification = 0 }, "60 warn: exact 40 + stagnation 20"},
		{"a window of one", func(r *Risk) { r.Calls = 1 }, "70 block: exact 40 + stagnation 20 + verification 10"},
		{"without a refusal", func(r *Risk) { r.Block = 0 }, "70 warn: exact 40 + stagnation 20 + verification 10"},
		{"without a warning", func(r *Risk) { r.Warn, r.Exact = 0, 30 }, "60: exact 30 + stagnation 20 + verification 10"},
	} {
		s := newScript(t, "risk", func(p *Policy) { tt.change(&p.Risk) })
		if got := s.ran(stuck, stuck, stuck); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestRiskFollowsItsSettings(t *testing.T) {
	s := newScript(t, "risk")
	s.ran(tools("abcdef")...)
	id, _ := s.call("ls")
	p := s.policy
	for _, calls := range []int{0, 3, 20, 2} {
		p.Risk.Calls = calls
		s.SetPolicy(p)
	}
	s.result(id, "x")
	if got := s.ran(sh("ls", "x")); strings.TrimSpace(got) != "0:" {
		t.Errorf("remembered what it had no room for: %s", got)
	}
	p.Risk.Calls = 1
	s.SetPolicy(p)
	Risk{}.admit(newRiskMemory(Risk{}), &action{scored: &scored{}}) // read before it was switched off
	if got := s.ran(sh("ls", "x")); got != "40: exact 40" {
		t.Errorf("forgot what it had room for: %s", got)
	}
}

// The most that a call can cost: a full window of calls of one tool, each with as
// many words as are looked at, none like another.
func BenchmarkRiskWorst(b *testing.B) {
	p, _ := FindPreset("risk")
	s := NewSession(p.Policy)
	var inputs [][]byte
	for i := range 40 {
		var text strings.Builder
		for w := range 2000 {
			fmt.Fprintf(&text, `,"w%dx%d"`, w, i*w)
		}
		inputs = append(inputs, fmt.Appendf(nil, "[0%s]", text.String()))
	}
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		n++
		s.Call(Call{ID: "1", Tool: "t", Input: inputs[n%len(inputs)]})
	}
}
