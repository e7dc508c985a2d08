package guard

// Policy is every number a session goes by. A threshold of 0 switches its stage
// off, and a rule without a stage is off. This file is the only place where the
// numbers stand, with the evidence for them.
type Policy struct {
	Window   Window
	Streak   Streak
	Turns    Turns
	Rejected Rejected
	Ladder   Ladder
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

// Ladder is what becomes of findings.
type Ladder struct {
	// Refusals within one prompt after which the run is ended.
	Refusals int
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
			// The window as it is, and what that system cannot see. A healthy run
			// of the recordings has at most two rejected calls of one tool in a
			// row; runs that were stuck lost 52 to 754 calls to them.
			Name: DefaultPreset,
			Policy: Policy{
				Window:   Window{Calls: 20, Block: 5, PerPrompt: true},
				Rejected: Rejected{Calls: 20, Note: 3, Steer: 4, Abort: 6},
				Ladder:   Ladder{Recover: true},
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
