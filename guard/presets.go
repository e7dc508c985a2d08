package guard

// This file is the only place where the numbers of the policy stand, with the evidence
// for them.

// Preset is a policy with a name.
type Preset struct {
	Name   string
	Policy Policy
}

// DefaultPreset is the name of the preset that holds where none is chosen.
const DefaultPreset = "default"

// Presets returns every preset; the default is the first.
func Presets() []Preset {
	all := presets()
	for i := range all {
		all[i] = all[i].complete()
	}
	return all
}

// PresetNames returns the names of the presets, the default first.
func PresetNames() (names []string) {
	for _, p := range presets() {
		names = append(names, p.Name)
	}
	return names
}

// FindPreset returns the preset of that name.
func FindPreset(name string) (Preset, bool) {
	for _, p := range presets() {
		if p.Name == name {
			return p.complete(), true
		}
	}
	return Preset{}, false
}

// complete returns a preset with the settings of measures that act on nothing, where
// it has none of its own.
func (p Preset) complete() Preset {
	if m := &p.Policy.Measures; m.Limits == nil {
		steers := m.BlockShellHttp
		*m = noMeasures()
		m.BlockShellHttp = steers
	}
	return p
}

func presets() []Preset {
	return []Preset{
		{
			// Found on 161 healthy and 30 stuck recorded sessions and 69 retold
			// complaints. Each number is round, and one more or less of it breaks
			// no healthy session; POLICY.md has the table. What healthy sessions
			// reach, at most: a call twice with the same result and nothing changed;
			// 1 stale call where one more could be refused; 1 edit made again; 7 polls
			// in a row without news; 1 call that fails as the one before did; 3 calls
			// in a row that showed nothing new; 2 rejected calls of one tool in a row.
			Name: DefaultPreset,
			Policy: Policy{
				Window:    Window{Calls: 20, Block: 5, PerPrompt: true, Unanswered: true},
				Turns:     Turns{Duplicates: 2, Unanswered: true},
				Measures:  Measures{BlockShellHttp: true},
				Rejected:  Rejected{Calls: 20, Note: 3, Steer: 4, Abort: 6},
				Evidence:  Evidence{Calls: 24, Remember: 64},
				Repeat:    Repeat{Note: 3, Block: 4},
				Stale:     Stale{Note: 3, Block: 4, Looks: 2},
				Cycle:     Cycle{Note: 3, Block: 6},
				Novelty:   Novelty{Note: 12, Block: 24},
				Reapplied: Reapplied{Note: 3, Block: 4},
				Polling: Polling{Seconds: 5, Note: 12, Block: 40,
					Tools: []string{"*wait*", "*sleep*", "*scroll*", "*press*", "*keypress*", "*send_key*", "*swipe*", "*next_page*", "*page_down*"}},
				Output:     Output{Note: 8, Block: 16, Abort: 32},
				Counter:    Counter{Note: 8, Block: 24},
				Text:       ownText,
				Truncation: Truncation{Rewrite: true, Abort: 3},
				Ladder:     Ladder{Strikes: 3, Forgive: 8, Recover: true},
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
		measuresPreset(),
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

// measuresPreset has that system's own numbers. The caps were raised from 2, 3, 5
// and 9 to 12 as each lower one refused good work: runs that succeeded repeat a
// measure up to six times, a tenth of all sessions up to thirteen. A host is the
// coarsest measure, and has the whole window. Volumes (site, family, verb) are not
// counted: no number told a crawl from progress. Three and five failures are from
// 107 sessions: nine reach three in a row, five reach five, no good one three.
func measuresPreset() Preset {
	m := noMeasures()
	m.Limits = map[string]int{
		"exact": 12, "cmd": 12, "net": 12, "sink": 12, "host": 16,
		"site": 0, "family:http-fetch": 0, "verb:curl": 0, "verb:wget": 0,
	}
	m.WarnAt, m.SummarizeAt = 7, 11
	m.FailWarnAt, m.FailLimit = 3, 5
	m.BlockShellHttp = true
	return Preset{
		Name:   "measures",
		Policy: Policy{Window: Window{Calls: 20}, Measures: m, Rejected: Rejected{Calls: 20}},
	}
}

// noMeasures counts nothing, and has all that whoever sets a limit needs. The
// tables are those of that system, with the names that other shells have.
func noMeasures() Measures {
	shell := []string{"description", "timeoutMs", "run_in_background", "justification", "timeout", "timeout_ms"}
	return Measures{
		Window:     16,
		Limits:     map[string]int{},
		OnLimit:    AskOperator,
		AskSeconds: 120, // ours: a person who is near comes back in two minutes
		LocalHosts: CountLocal,
		Include:    []string{},
		Exclude:    []string{"todo_write"},
		IgnoreArgs: map[string][]string{
			"*":    {"description", "timeoutMs", "run_in_background", "justification", "reason", "title", "comment"},
			"bash": shell, "Bash": shell, "pwsh": shell, "powershell": shell, "shell": shell, "shell_command": shell, "run_shell_command": shell,
			"exec_command": {"justification", "yield_time_ms", "max_output_tokens", "sandbox_permissions", "prefix_rule", "tty"},
		},
		HostAliases: map[string]string{
			"open-data.canada.ca":     "open.canada.ca",
			"www.open.canada.ca":      "open.canada.ca",
			"www.open-data.canada.ca": "open.canada.ca",
		},
		ShellHttpAllow:     []string{"git", "docker", "grep", "rg"},
		PreviewChars:       400,
		ResultPreviewChars: 800,
	}
}
