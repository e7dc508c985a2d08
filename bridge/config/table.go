package config

import (
	"strings"

	"github.com/loopbreaker/loopbreaker/guard"
)

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

	{"ladder.refusals", threshold, func(c *Config) any { return &c.Policy.Ladder.Refusals }, []string{"LOOP_GUARD_ABORT_THRESHOLD"},
		"end the run after so many refusals within one prompt"},
	{"ladder.terminate", boolean{}, func(c *Config) any { return &c.Policy.Ladder.Terminate }, []string{"LOOP_GUARD_USE_TERMINATE"},
		"end the turn when all its calls are refused"},
	{"ladder.recover", boolean{}, func(c *Config) any { return &c.Policy.Ladder.Recover }, nil,
		"let the model say, after the run was ended, what it knows and needs"},

	{"fetch.enabled", boolean{}, func(c *Config) any { return &c.Fetch.Enabled }, nil,
		"give the model the tool web_fetch_file; from the next session on"},
	{"fetch.outputDir", folder{}, func(c *Config) any { return &c.Fetch.OutputDir }, nil,
		"the folder of the workspace that takes the files"},
	{"fetch.maxBytes", integer{1, 1 << 30}, func(c *Config) any { return &c.Fetch.MaxBytes }, nil,
		"how large a file may be, in bytes"},
	{"fetch.timeoutMs", integer{100, 600_000}, func(c *Config) any { return &c.Fetch.TimeoutMs }, nil,
		"how long one fetch may take, in milliseconds"},
	{"fetch.maxRedirects", integer{0, 20}, func(c *Config) any { return &c.Fetch.MaxRedirects }, nil,
		"how many redirects are followed"},
	{"fetch.allowPrivateHosts", list{}, func(c *Config) any { return &c.Fetch.AllowPrivateHosts }, nil,
		"hosts (localhost, *.internal.example), addresses and networks (10.0.0.0/8) that may be fetched from although they are not of the public internet; * is all"},
	{"fetch.cookies", boolean{}, func(c *Config) any { return &c.Fetch.Cookies }, nil,
		"keep the cookies of servers for the session"},
	{"fetch.proxy", boolean{}, func(c *Config) any { return &c.Fetch.Proxy }, nil,
		"use the proxies of the environment; hosts behind them cannot be checked"},
}

// ofNoPreset reports whether a setting is what no preset says.
func (s *setting) ofNoPreset() bool {
	return !strings.Contains(s.path, ".") || strings.HasPrefix(s.path, "fetch.")
}

// groups say what the settings under one name are about.
var groups = map[string]string{
	"window":   "equal calls among the last admitted ones, whatever their results",
	"streak":   "the same call with the same result, in a row",
	"turns":    "equal calls in one turn, and the same call turn after turn",
	"rejected": "calls that the host answers by itself, such as those of an unknown tool",
	"ladder":   "what becomes of what the rules see",
	"fetch":    "the tool web_fetch_file, which saves a file of the web in the workspace",
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

// inert are old names of the environment for what this version does not have.
var inert = []string{"PI_LOOP_GUARD_TEXT_GUARD", "PI_LOOP_GUARD_MIN_UNIT", "PI_LOOP_GUARD_MIN_REPEATS"}

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
