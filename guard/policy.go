package guard

// Policy is every number a session goes by. A threshold of 0 switches its stage
// off, and a rule without a stage is off. This file is the only place where the
// numbers stand, with the evidence for them.
type Policy struct {
	Window   Window
	Streak   Streak
	Turns    Turns
	Risk     Risk
	Rejected Rejected

	// The rules that go by evidence, all ours.
	Evidence  Evidence
	Repeat    Repeat
	Stale     Stale
	Cycle     Cycle
	Novelty   Novelty
	Reapplied Reapplied
	Polling   Polling
	Output    Output
	Counter   Counter

	Ladder Ladder
}

// Window is the rule of the system `window`: equal calls among the last admitted
// ones, whatever their results were.
type Window struct {
	// Calls is how many admitted calls are looked back on, of any tool; refusals
	// are counted for as long as the call is among them.
	Calls int
	// Block refuses a call when so many equal ones stand among them.
	Block int
	// PerPrompt empties the window at each prompt.
	PerPrompt bool
	// Unanswered counts only calls whose results are not known: where there is
	// evidence, it decides.
	Unanswered bool
}

// Streak is the rule of the system `streak`: the same call with the same result,
// without another call in between.
type Streak struct {
	// Warn speaks at this many equal results in a row.
	Warn int
	// Block refuses the call that would be this many in a row. It must be above
	// Warn, else the rule is off.
	Block int
	// IgnoreTools are tools the rule does not see.
	IgnoreTools []string
	// IgnoreErrors leaves failed results out of the count.
	IgnoreErrors bool
	// IgnoreNoise takes results for equal that differ in noise only.
	IgnoreNoise bool
}

// Turns is the first two rules of the system `turns`. A turn is one response of
// the model. Its rows end with the prompt, not with the agent's run: a run that an
// extension starts is no fresh start.
type Turns struct {
	// Duplicates is how many equal calls may run in one turn.
	Duplicates int
	// Consecutive refuses a call that is made in so many turns in a row, unless
	// its results show that it observes something that changes.
	Consecutive int
}

// Risk is the rule of the system `risk`: a score for each call before it runs. What
// it looks back on begins anew with each prompt, and where the context is compacted.
type Risk struct {
	// Calls is how many admitted calls are looked back on; 0 switches the rule off.
	// A verification that failed is recent for as many, and until it passes.
	Calls int
	// Exact, Fuzzy, Cycle, Stagnation and Verification are the points for each
	// thing that speaks for a loop (Score says which); 0 leaves it out.
	Exact, Fuzzy, Cycle, Stagnation, Verification int
	// Similar is the Jaccard similarity of two calls' words, in percent, from which
	// on they score as Fuzzy; 0 leaves it out.
	Similar int
	// Warn speaks to the model at this score.
	Warn int
	// Block refuses a call of this score if it, or what it is like, failed.
	Block int
}

func (r Risk) on() bool { return r.Calls > 0 }

// Rejected is the rule for calls that never came to us: the host answered them by
// itself (an unknown tool, arguments that do not fit the schema), or another
// extension refused them. No earlier system sees them. They cannot be refused, so
// the rule speaks, and ends the run.
type Rejected struct {
	// Calls is how many calls are looked back on, of any tool.
	Calls int
	// Note, Steer and Abort are how many turns with rejected calls of one tool,
	// none accepted since, call for that stage. What another extension refused
	// counts only where the calls are equal: it may refuse many, for good reasons.
	Note, Steer, Abort int
}

// Evidence is what the rules that go by results look back on. A call shows what it
// showed before only while nothing has changed in between: a file written, a
// command run that may have changed something.
type Evidence struct {
	// Calls is how many calls are counted over; 0 switches all these rules off.
	Calls int
	// Remember is how many calls back a result is known again.
	Remember int
}

func (e Evidence) on() bool { return e.Calls > 0 }

// Repeat is the rule for the same call with the same result, with anything in
// between that changes nothing.
type Repeat struct {
	// Note speaks at the result that is the same for so many times.
	Note int
	// Block refuses a call that has shown the same so many times.
	Block int
}

// Stale is the rule for calls that show what they showed before, of whatever kind
// and in whatever order, counted together.
type Stale struct {
	// Note speaks as so many of the last calls were stale.
	Note int
	// Block refuses a call that would be stale when so many were.
	Block int
	// Looks spares a call that only looks until it has shown the same so often.
	Looks int
}

// Cycle is the rule for rotations of two to eight calls, each with the result it
// had in the round before, whether or not something is changed in each round.
type Cycle struct {
	// Note speaks when a rotation has come round so often.
	Note int
	// Block refuses the next call of a rotation that has come round so often.
	Block int
}

// Novelty is the rule for a long row of calls each of which shows what it showed
// before, changes or not, in any order.
type Novelty struct {
	// Note speaks after so many calls in a row that showed nothing new.
	Note int
	// Block refuses, after so many, a call whose answer is known.
	Block int
}

// Reapplied is the rule for an edit that succeeds again and again with nothing
// else changed in between, whatever its results are.
type Reapplied struct {
	// Note speaks as the same edit has succeeded so often in a row.
	Note int
	// Block refuses it when it has succeeded so often in a row.
	Block int
}

// Polling is the rule for calls that wait.
type Polling struct {
	// Seconds from which on a command that sleeps is one that waits.
	Seconds int
	// Tools answer the same each time they do something, such as to scroll, and
	// are taken for polls: names with * for any letters, in lower case.
	Tools []string
	// Note speaks as a poll has shown the same so often in a row.
	Note int
	// Block refuses a poll that has shown the same so often in a row.
	Block int
}

// Output is the rule for different calls of one tool that all have the same
// answer. Shells, and tools that read, search and fetch, are only spoken to.
type Output struct {
	// Note speaks as so many different calls in a row had the same answer.
	Note int
	// Block refuses further calls of the tool when so many had.
	Block int
	// Abort ends the run when so many had, which are then of one turn.
	Abort int
}

// Counter is the rule for a call whose results differ in nothing but their
// numbers, with no file written in between. Only shells are refused.
type Counter struct {
	// Note speaks as so many results in a row differed so.
	Note int
	// Block refuses a command when so many of its results did.
	Block int
}

// Ladder is what becomes of findings.
type Ladder struct {
	// Refusals within one prompt after which the run is ended.
	Refusals int
	// Strikes are the turns with refusals within one prompt after which the run
	// is ended: the model has not read the first as it makes the last of a turn.
	Strikes int
	// Terminate asks the host to end the turn with a refusal, if all its calls
	// are refused.
	Terminate bool
	// Recover gives the model one turn, after the run was ended, to say what it
	// knows and needs.
	Recover bool
}

// Preset is a policy with a name.
type Preset struct {
	Name   string
	Policy Policy
}

// DefaultPreset is the name of the preset that holds where none is chosen.
const DefaultPreset = "default"

// Presets returns every preset; the default is the first.
func Presets() []Preset {
	return []Preset{
		{
			// Found on 161 healthy and 30 stuck recorded sessions and 69 retold
			// complaints. Each number is round, and one more or less of it breaks
			// no healthy session; the README has the table. What healthy sessions
			// reach, at most: 2 stale calls where a call could be refused, 3 in
			// all; 1 edit made again; 28 polls in a row without news; 11 different
			// calls with one answer; 4 calls in a row that showed nothing new; 2
			// rejected calls of one tool in a row.
			Name: DefaultPreset,
			Policy: Policy{
				Window:    Window{Calls: 20, Block: 5, PerPrompt: true, Unanswered: true},
				Turns:     Turns{Duplicates: 2},
				Rejected:  Rejected{Calls: 20, Note: 3, Steer: 4, Abort: 6},
				Evidence:  Evidence{Calls: 24, Remember: 64},
				Repeat:    Repeat{Note: 3, Block: 4},
				Stale:     Stale{Note: 3, Block: 4, Looks: 2},
				Cycle:     Cycle{Note: 3, Block: 6},
				Novelty:   Novelty{Note: 12, Block: 24},
				Reapplied: Reapplied{Note: 3, Block: 4},
				Polling: Polling{Seconds: 5, Note: 12, Block: 40,
					Tools: []string{"*scroll*", "*press*", "*keypress*", "*send_key*", "*swipe*", "*next_page*", "*page_down*"}},
				Output:  Output{Note: 8, Block: 24, Abort: 32},
				Counter: Counter{Note: 8, Block: 20},
				Ladder:  Ladder{Strikes: 3, Recover: true},
			},
		},
		{
			// Twenty and five are from the incident record of that system: the run
			// that made 245 of 261 calls with one `ls -R` is cut at the sixth, and
			// accepted runs, which repeat a call up to four times within twenty,
			// stay untouched.
			Name:   "window",
			Policy: Policy{Window: Window{Calls: 20, Block: 5}, Rejected: Rejected{Calls: 20}},
		},
		{
			// Three, five and three are that system's own: warn, refuse, end.
			Name: "streak",
			Policy: Policy{
				Window:   Window{Calls: 20},
				Streak:   Streak{Warn: 3, Block: 5},
				Rejected: Rejected{Calls: 20},
				Ladder:   Ladder{Refusals: 3},
			},
		},
		{
			// One and four are that system's own: a batch of several hundred equal
			// calls runs once, and a call made in four turns running is stuck.
			Name: "turns",
			Policy: Policy{
				Window:   Window{Calls: 20},
				Turns:    Turns{Duplicates: 1, Consecutive: 4},
				Rejected: Rejected{Calls: 20},
			},
		},
		{
			// The points, the similarity, the 50 and the 70 are that system's own. It
			// says that the window is recent, and not how long: 20 is that of the
			// system `window`, and holds the longest cycle, twice six, whole.
			Name: "risk",
			Policy: Policy{
				Window:   Window{Calls: 20},
				Risk:     Risk{Calls: 20, Exact: 40, Fuzzy: 25, Similar: 85, Cycle: 30, Stagnation: 20, Verification: 10, Warn: 50, Block: 70},
				Rejected: Rejected{Calls: 20},
			},
		},
	}
}

// PresetNames returns the names of the presets, the default first.
func PresetNames() (names []string) {
	for _, p := range Presets() {
		names = append(names, p.Name)
	}
	return names
}

// FindPreset returns the preset of that name.
func FindPreset(name string) (Preset, bool) {
	for _, p := range Presets() {
		if p.Name == name {
			return p, true
		}
	}
	return Preset{}, false
}
