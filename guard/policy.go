package guard

// Policy is every number a session goes by. A threshold of 0 switches its stage
// off, and a rule without a stage is off. This file is the only place where the
// numbers stand, with the evidence for them.
type Policy struct {
	Window   Window
	Streak   Streak
	Turns    Turns
	Rejected Rejected
	Text     Text
	// Truncation is about calls that were cut off with the response.
	Truncation Truncation
	Ladder     Ladder
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

// Text is the rule for what the model writes: text, thinking, the arguments of calls.
// A response that ends in one unit over and over is cut while it streams.
type Text struct {
	// Guard is whether the rule is on.
	Guard bool
	// MinUnit and MinRepeats are the rule of the system `turns`: a chunk of so many
	// characters (UTF-16 code units) or more, so many times in a row. It looks at
	// text and thinking, and is off where one of the two is 0.
	MinUnit, MinRepeats int
	// Prose, Lines, Mixed, Data and Marks are how much of a repetition is too much, by
	// what its unit is made of: words within a line; words over lines, as in verse;
	// words among other signs, as in code, markup and tables, and pictures of signs;
	// letters or digits that make no words; signs within a line. In bytes, blanks not
	// counted and signs as one each.
	Prose, Lines, Mixed, Data, Marks int
	// Counting is the same for sentences in which nothing changes but numbers that go
	// up by equal steps, Lists for those that are items of a list, headings or rows.
	Counting, Lists int
	// Arguments is how many times as much is too much in the arguments of a call, for
	// files are written with those, and short lines of words are taken for code; 0 leaves
	// arguments alone.
	Arguments int
}

// Truncation is the rule for calls that Pi failed because the response hit the limit
// on output.
type Truncation struct {
	// Rewrite replaces what Pi tells the model of it.
	Rewrite bool
	// Abort ends the run at so many responses of one prompt that were cut off so.
	Abort int
}

// ownText are our own bounds. What is honest repeats itself less than this, with room
// to spare: in the corpus beside the tests, and in 28,000 texts of healthy recorded
// sessions (34 MB; what models said and thought, arguments, and what tools put out,
// which a model may paste). The most that was seen there, in bytes without blanks:
//
//   - prose: 240 syllables of laughter, 242;
//   - lines: a song that sings one line 72 times, 2,088; one warning of a shell 85
//     times, 2,635; a screen of 2,773 bytes, but only three times;
//   - mixed: a compiler's warning 43 times, 7,138; a file of 2,000 equal short lines,
//     20,000;
//   - data: a base64 text of one letter, 2,859; an empty map of 64 by 64 tiles in a
//     file that is written, 8,192;
//   - marks: a line of box drawing, 252; over lines, 2,000 dots of a test run;
//   - counting: 12 items of a plan; lists: 390 lines of tests that passed, 52 weeks of
//     a plan.
//
// Of 22,499 files of source, documentation and data (263 MB: Go and its tests, the
// modules that Pi needs, manuals) four go beyond, which programs wrote: 2,000 equal
// calls in assembly, twice; 2,300 equal lines of a test; 8,204 zero bytes. With bounds
// of half the size it is ten.
//
// What is not honest goes on to the limit of output. Two recorded responses did, over
// 209 copies of 259 bytes and 15 of 2,866.
var ownText = Text{
	Guard: true,
	Prose: 1500, Lines: 3000, Mixed: 8000, Data: 8000, Marks: 1500,
	Counting: 2400, Lists: 8000,
	Arguments: 3,
}

// How many copies of a unit are too many at least, however long it is: short units so
// need many copies, long ones few. What is honest may say a long thing two or three
// times over (a screen of output, a file before and after), code a little more often;
// months, hours and letters of the alphabet are counted through.
const (
	proseCopies, linesCopies    = 4, 4
	mixedCopies, dataCopies     = 8, 8
	marksCopies                 = 16
	countingCopies, listsCopies = 27, 400
	paragraphsCopies            = 60 // items of a list that are more than a numbered line

	// longLine is how long a unit is that is no short line of a file, in bytes.
	longLine = 120
)

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
				Window:     Window{Calls: 20, Block: 5, PerPrompt: true},
				Rejected:   Rejected{Calls: 20, Note: 3, Steer: 4, Abort: 6},
				Text:       ownText,
				Truncation: Truncation{Rewrite: true, Abort: 3},
				Ladder:     Ladder{Recover: true},
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
				// Chunks of 24 characters, 8 times: shorter separators and rows of
				// tables stay untouched.
				Text:       Text{Guard: true, MinUnit: 24, MinRepeats: 8},
				Truncation: Truncation{Rewrite: true},
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
