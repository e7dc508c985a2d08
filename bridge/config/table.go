package config

import "github.com/loopbreaker/loopbreaker/guard"

// setting is one row of the table.
type setting struct {
	// path names the setting: in a file each dot is one object deeper.
	path string
	kind kind
	// at returns a pointer to the setting's place, of the type its kind reads.
	at func(*Config) any
	// old are names it has in the environment beside its own, from systems that
	// this one replaces.
	old []string
	doc string
}

var (
	threshold = integer{0, 1000} // 0 switches off
	span      = integer{1, 1000} // how many calls are looked back on
	extent    = integer{0, 1 << 20}
)

// settings is the table.
var settings = []setting{
	{"preset", presets(), func(c *Config) any { return &c.Preset }, nil,
		"the set of numbers that hold where nothing else sets them"},
	{"enabled", boolean{}, func(c *Config) any { return &c.Enabled }, []string{"LOOP_GUARD_ENABLED"},
		"whether the guard decides anything at all"},

	{"window.calls", span, func(c *Config) any { return &c.Policy.Window.Calls }, nil,
		"how many admitted calls are looked back on"},
	{"window.block", threshold, func(c *Config) any { return &c.Policy.Window.Block }, nil,
		"refuse a call when so many equal ones stand among them"},
	{"window.perPrompt", boolean{}, func(c *Config) any { return &c.Policy.Window.PerPrompt }, nil,
		"forget the calls at each message of the user"},

	{"streak.warn", threshold, func(c *Config) any { return &c.Policy.Streak.Warn }, []string{"LOOP_GUARD_WARN_THRESHOLD"},
		"warn at so many equal results in a row; below streak.block"},
	{"streak.block", threshold, func(c *Config) any { return &c.Policy.Streak.Block }, []string{"LOOP_GUARD_BLOCK_THRESHOLD"},
		"refuse the call that would be this many in a row"},
	{"streak.ignoreTools", list{}, func(c *Config) any { return &c.Policy.Streak.IgnoreTools }, []string{"LOOP_GUARD_IGNORE_TOOLS"},
		"tools that the rule does not see"},
	{"streak.ignoreErrors", boolean{}, func(c *Config) any { return &c.Policy.Streak.IgnoreErrors }, []string{"LOOP_GUARD_IGNORE_ERRORS"},
		"leave failed results out of the count"},
	{"streak.ignoreNoise", boolean{}, func(c *Config) any { return &c.Policy.Streak.IgnoreNoise }, nil,
		"take results for equal that differ only in noise, such as times"},

	{"turns.duplicates", threshold, func(c *Config) any { return &c.Policy.Turns.Duplicates }, []string{"PI_LOOP_GUARD_MAX_DUP_PER_TURN"},
		"how many equal calls may run in one turn"},
	{"turns.consecutive", threshold, func(c *Config) any { return &c.Policy.Turns.Consecutive }, []string{"PI_LOOP_GUARD_MAX_CONSEC_TURNS"},
		"refuse a call made in so many turns in a row, unless its results change"},

	{"rejected.calls", span, func(c *Config) any { return &c.Policy.Rejected.Calls }, nil,
		"how many calls are looked back on for those the host rejects"},
	{"rejected.note", threshold, func(c *Config) any { return &c.Policy.Rejected.Note }, nil,
		"tell the model, with the result, at so many rejected calls of one tool; below rejected.steer"},
	{"rejected.steer", threshold, func(c *Config) any { return &c.Policy.Rejected.Steer }, nil,
		"tell the model, in a message, at so many; below rejected.abort"},
	{"rejected.abort", threshold, func(c *Config) any { return &c.Policy.Rejected.Abort }, nil,
		"end the run at so many"},

	{"text.guard", boolean{}, func(c *Config) any { return &c.Policy.Text.Guard }, []string{"PI_LOOP_GUARD_TEXT_GUARD"},
		"cut a response off that repeats itself"},
	{"text.minUnit", threshold, func(c *Config) any { return &c.Policy.Text.MinUnit }, []string{"PI_LOOP_GUARD_MIN_UNIT"},
		"how long, in characters, a chunk is at least that counts for text.minRepeats"},
	{"text.minRepeats", threshold, func(c *Config) any { return &c.Policy.Text.MinRepeats }, []string{"PI_LOOP_GUARD_MIN_REPEATS"},
		"cut a response off at so many such chunks in a row"},
	{"text.prose", extent, func(c *Config) any { return &c.Policy.Text.Prose }, nil,
		"how much of a repetition is too much, in bytes: of words within a line"},
	{"text.lines", extent, func(c *Config) any { return &c.Policy.Text.Lines }, nil,
		"of words over lines"},
	{"text.mixed", extent, func(c *Config) any { return &c.Policy.Text.Mixed }, nil,
		"of words among other signs, as in code and tables"},
	{"text.data", extent, func(c *Config) any { return &c.Policy.Text.Data }, nil,
		"of letters or digits that make no words"},
	{"text.marks", extent, func(c *Config) any { return &c.Policy.Text.Marks }, nil,
		"of other signs"},
	{"text.counting", extent, func(c *Config) any { return &c.Policy.Text.Counting }, nil,
		"of sentences in which only a counter changes"},
	{"text.lists", extent, func(c *Config) any { return &c.Policy.Text.Lists }, nil,
		"of items of a list in which only a counter changes"},
	{"text.arguments", threshold, func(c *Config) any { return &c.Policy.Text.Arguments }, nil,
		"how many times as much is too much in the arguments of a call; 0 leaves them alone"},

	{"truncation.rewrite", boolean{}, func(c *Config) any { return &c.Policy.Truncation.Rewrite }, nil,
		"tell the model in other words of calls that were cut off at the limit on output"},
	{"truncation.abort", threshold, func(c *Config) any { return &c.Policy.Truncation.Abort }, nil,
		"end the run at so many responses of a prompt with such calls"},

	{"ladder.refusals", threshold, func(c *Config) any { return &c.Policy.Ladder.Refusals }, []string{"LOOP_GUARD_ABORT_THRESHOLD"},
		"end the run after so many refusals within one prompt"},
	{"ladder.terminate", boolean{}, func(c *Config) any { return &c.Policy.Ladder.Terminate }, []string{"LOOP_GUARD_USE_TERMINATE"},
		"end the turn when all its calls are refused"},
	{"ladder.recover", boolean{}, func(c *Config) any { return &c.Policy.Ladder.Recover }, nil,
		"let the model say, after the run was ended, what it knows and needs"},
}

// groups say what the settings under one name are about.
var groups = map[string]string{
	"window":     "equal calls among the last admitted ones, whatever their results",
	"streak":     "the same call with the same result, in a row",
	"turns":      "equal calls in one turn, and the same call turn after turn",
	"rejected":   "calls that the host answers by itself, such as those of an unknown tool",
	"text":       "responses that repeat themselves, in text, thinking or arguments",
	"truncation": "calls that were cut off because the response hit the limit on output",
	"ladder":     "what becomes of what the rules see",
}

// rules are the settings that contradict each other when they do not ascend.
var rules = []struct {
	name   string
	stages []string // each above those before it, where they are not 0
	calls  string   // what no stage can be above, "" if there is nothing
}{
	{"window", []string{"window.block"}, "window.calls"},
	{"streak", []string{"streak.warn", "streak.block"}, ""},
	{"rejected", []string{"rejected.note", "rejected.steer", "rejected.abort"}, "rejected.calls"},
}

// Names of the environment that other parts of the program read.
var foreign = []string{"LOOPBREAKER_BINARY", "LOOPBREAKER_TRACE", "LOOPBREAKER_DEADLINE_MS", "LOOPBREAKER_RECORDINGS"}

const foreignPrefix = "LOOPBREAKER_TEST_"

func presets() choice { return guard.PresetNames() }

// find returns the index of the setting of that path, -1 if there is none.
func find(path string) int {
	for i := range settings {
		if settings[i].path == path {
			return i
		}
	}
	return -1
}

// paths are those of all settings.
var paths = func() (all []string) {
	for _, s := range settings {
		all = append(all, s.path)
	}
	return all
}()
