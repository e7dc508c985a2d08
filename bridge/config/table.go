package config

import (
	"regexp"
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
	extent    = integer{0, 1 << 20}
	points    = integer{0, 100} // of a score; 0 leaves it out
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

	{"window.unanswered", boolean{}, func(c *Config) any { return &c.Policy.Window.Unanswered }, nil,
		"count only calls whose results are not known"},

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
	{"turns.unanswered", boolean{}, func(c *Config) any { return &c.Policy.Turns.Unanswered }, nil,
		"count, of those, only the ones whose results are not known"},
	{"turns.consecutive", threshold, func(c *Config) any { return &c.Policy.Turns.Consecutive }, []string{"PI_LOOP_GUARD_MAX_CONSEC_TURNS"},
		"refuse a call made in so many turns in a row, unless its results change"},

	{"measures.window", integer{4, 1000}, func(c *Config) any { return &c.Policy.Measures.Window }, nil,
		"how many calls are looked back on"},
	{"measures.limits", mapping{measureNames, limit{2, 1000}, "measures (exact, cmd, net, sink, host, site, family or verb, alone or with : and what)", "exact=12,host:api.example=16,site=null"},
		func(c *Config) any { return &c.Policy.Measures.Limits }, nil,
		"a call is asked about when it would be so many of a measure among them; null, as no entry, switches a measure off"},
	{"measures.warnAt", stage{1000}, func(c *Config) any { return &c.Policy.Measures.WarnAt }, nil,
		"warn when a measure has come exactly so often"},
	{"measures.summarizeAt", stage{1000}, func(c *Config) any { return &c.Policy.Measures.SummarizeAt }, nil,
		"demand a summary when a measure has come exactly so often"},
	{"measures.failWarnAt", stage{1000}, func(c *Config) any { return &c.Policy.Measures.FailWarnAt }, nil,
		"warn when a measure has failed exactly so often in a row"},
	{"measures.failLimit", limit{2, 1000}, func(c *Config) any { return &c.Policy.Measures.FailLimit }, nil,
		"a call is asked about when a measure of it has failed so often in a row"},
	{"measures.onLimit", choice{guard.AskOperator, guard.DenyCall}, func(c *Config) any { return &c.Policy.Measures.OnLimit }, nil,
		"whether the user is asked about a call at a limit, or it is refused at once"},
	{"measures.askSeconds", integer{1, 3600}, func(c *Config) any { return &c.Policy.Measures.AskSeconds }, nil,
		"how long a question waits; no answer is a refusal"},
	{"measures.localHosts", choice{guard.CountLocal, guard.SpareLocal}, func(c *Config) any { return &c.Policy.Measures.LocalHosts }, nil,
		"whether calls that only go to this machine or the local network are counted by their target (deny) or not (allow)"},
	{"measures.includeLocal", boolean{}, func(c *Config) any { return &c.Policy.Measures.IncludeLocal }, nil,
		"count local hosts by measure host too"},
	{"measures.include", list{}, func(c *Config) any { return &c.Policy.Measures.Include }, nil,
		"the only tools that are measured, if there are any; * stands for any letters"},
	{"measures.exclude", list{}, func(c *Config) any { return &c.Policy.Measures.Exclude }, nil,
		"tools that are not measured; * stands for any letters"},
	{"measures.blockShellHttp", boolean{}, func(c *Config) any { return &c.Policy.Measures.BlockShellHttp }, nil,
		"refuse commands that fetch from the web, where fetch.enabled gives the model a tool for it"},
	{"measures.blockLocalHttp", boolean{}, func(c *Config) any { return &c.Policy.Measures.BlockLocalHttp }, nil,
		"refuse them for this machine and the networks around it too"},
	{"measures.shellHttpAllow", list{}, func(c *Config) any { return &c.Policy.Measures.ShellHttpAllow }, nil,
		"programs that may fetch in a shell"},
	{"measures.ignoreArgs", mapping{anyName, list{}, "tools (* is every tool)", "*=title comment,bash=timeout"},
		func(c *Config) any { return &c.Policy.Measures.IgnoreArgs }, nil,
		"members of a tool's input that make no other call of it"},
	{"measures.hostAliases", mapping{anyName, oneName{}, "hosts", "open-data.example=data.example"},
		func(c *Config) any { return &c.Policy.Measures.HostAliases }, nil,
		"hosts that are counted as another"},
	{"measures.previewChars", integer{1, 10000}, func(c *Config) any { return &c.Policy.Measures.PreviewChars }, nil,
		"how many characters of a measure are quoted"},
	{"measures.resultPreviewChars", integer{1, 10000}, func(c *Config) any { return &c.Policy.Measures.ResultPreviewChars }, nil,
		"how many characters of a result are quoted"},

	{"risk.calls", integer{0, 1000}, func(c *Config) any { return &c.Policy.Risk.Calls }, nil,
		"how many admitted calls the score of a call looks back on; 0 switches it off"},
	{"risk.exact", points, func(c *Config) any { return &c.Policy.Risk.Exact }, nil,
		"points for a call that is among them"},
	{"risk.fuzzy", points, func(c *Config) any { return &c.Policy.Risk.Fuzzy }, nil,
		"points for one that is not, but one of the same tool and almost the same words is"},
	{"risk.similar", points, func(c *Config) any { return &c.Policy.Risk.Similar }, nil,
		"from how many percent of words in common on these are almost the same (Jaccard)"},
	{"risk.cycle", points, func(c *Config) any { return &c.Policy.Risk.Cycle }, nil,
		"points when the last two to six tools are those before once more"},
	{"risk.stagnation", points, func(c *Config) any { return &c.Policy.Risk.Stagnation }, nil,
		"points when the last calls failed with the same output"},
	{"risk.verification", points, func(c *Config) any { return &c.Policy.Risk.Verification }, nil,
		"points while a test or a build that failed is recent"},
	{"risk.warn", threshold, func(c *Config) any { return &c.Policy.Risk.Warn }, nil,
		"warn at this score; below risk.block"},
	{"risk.block", threshold, func(c *Config) any { return &c.Policy.Risk.Block }, nil,
		"refuse a call of this score that failed before, as it is or almost"},

	{"rejected.calls", span, func(c *Config) any { return &c.Policy.Rejected.Calls }, nil,
		"how many calls are looked back on for those the host rejects"},
	{"rejected.note", threshold, func(c *Config) any { return &c.Policy.Rejected.Note }, nil,
		"tell the model, with the result, at so many rejected calls of one tool; below rejected.steer"},
	{"rejected.steer", threshold, func(c *Config) any { return &c.Policy.Rejected.Steer }, nil,
		"tell the model, in a message, at so many; below rejected.abort"},
	{"rejected.abort", threshold, func(c *Config) any { return &c.Policy.Rejected.Abort }, nil,
		"end the run at so many rejected calls of one tool"},

	{"evidence.calls", integer{0, 1000}, func(c *Config) any { return &c.Policy.Evidence.Calls }, nil,
		"how many calls the rules that go by results count over; 0 switches them all off"},
	{"evidence.remember", span, func(c *Config) any { return &c.Policy.Evidence.Remember }, nil,
		"how many calls back a result is known again"},

	{"repeat.note", threshold, func(c *Config) any { return &c.Policy.Repeat.Note }, nil,
		"speak at the result that is the same for so many times, nothing changed"},
	{"repeat.block", threshold, func(c *Config) any { return &c.Policy.Repeat.Block }, nil,
		"refuse a call that has shown the same so many times"},

	{"stale.note", threshold, func(c *Config) any { return &c.Policy.Stale.Note }, nil,
		"speak as so many of the last calls showed what they showed before"},
	{"stale.block", threshold, func(c *Config) any { return &c.Policy.Stale.Block }, nil,
		"refuse one more such call when there were so many"},
	{"stale.looks", threshold, func(c *Config) any { return &c.Policy.Stale.Looks }, nil,
		"but a call that only looks not before it has shown the same so often"},

	{"cycle.note", threshold, func(c *Config) any { return &c.Policy.Cycle.Note }, nil,
		"speak when a rotation of two to eight calls and results has come round so often"},
	{"cycle.block", threshold, func(c *Config) any { return &c.Policy.Cycle.Block }, nil,
		"refuse the next call of a rotation that has come round so often"},

	{"novelty.note", threshold, func(c *Config) any { return &c.Policy.Novelty.Note }, nil,
		"speak after so many calls in a row that showed nothing new"},
	{"novelty.block", threshold, func(c *Config) any { return &c.Policy.Novelty.Block }, nil,
		"refuse, after so many, a call whose answer is known"},

	{"reapplied.note", threshold, func(c *Config) any { return &c.Policy.Reapplied.Note }, nil,
		"speak as the same edit has succeeded so often, nothing else changed"},
	{"reapplied.block", threshold, func(c *Config) any { return &c.Policy.Reapplied.Block }, nil,
		"refuse an edit that has succeeded so often"},

	{"polling.seconds", threshold, func(c *Config) any { return &c.Policy.Polling.Seconds }, nil,
		"from how many seconds on a command that sleeps is one that waits"},
	{"polling.tools", list{}, func(c *Config) any { return &c.Policy.Polling.Tools }, nil,
		"tools that wait, or answer the same each time they do something, * for any letters"},
	{"polling.note", threshold, func(c *Config) any { return &c.Policy.Polling.Note }, nil,
		"speak as a poll has shown the same so often in a row"},
	{"polling.block", threshold, func(c *Config) any { return &c.Policy.Polling.Block }, nil,
		"refuse a poll that has shown the same so often in a row"},

	{"output.note", threshold, func(c *Config) any { return &c.Policy.Output.Note }, nil,
		"speak as so many different calls of a tool in a row had the same answer"},
	{"output.block", threshold, func(c *Config) any { return &c.Policy.Output.Block }, nil,
		"refuse the tool when so many had and all failed, or differ in what they say alone; never shells, nor tools that read, search or fetch"},
	{"output.abort", threshold, func(c *Config) any { return &c.Policy.Output.Abort }, nil,
		"end the run when so many had, those of one turn"},

	{"counter.note", threshold, func(c *Config) any { return &c.Policy.Counter.Note }, nil,
		"speak as so many results of a call in a row differed in their numbers only"},
	{"counter.block", threshold, func(c *Config) any { return &c.Policy.Counter.Block }, nil,
		"refuse a command when so many of its results did"},

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
	{"ladder.strikes", threshold, func(c *Config) any { return &c.Policy.Ladder.Strikes }, nil,
		"end the run after so many turns with refusals within one prompt"},
	{"ladder.forgive", threshold, func(c *Config) any { return &c.Policy.Ladder.Forgive }, nil,
		"take one such turn back after so many calls in a row that showed something new"},
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

	{"export.enabled", boolean{}, func(c *Config) any { return &c.Export.Enabled }, nil,
		"export metrics and events where OTEL_EXPORTER_OTLP_ENDPOINT says where to; a project can only switch it off"},
}

// ofNoPreset reports whether a setting is what no preset says.
func (s *setting) ofNoPreset() bool {
	return !strings.Contains(s.path, ".") || strings.HasPrefix(s.path, "fetch.") || strings.HasPrefix(s.path, "export.")
}

// groups say what the settings under one name are about.
var groups = map[string]string{
	"window":     "equal calls among the last admitted ones, whatever their results",
	"streak":     "the same call with the same result, in a row",
	"turns":      "equal calls in one turn, and the same call turn after turn",
	"measures":   "what calls mean, however they are spelled: how often it comes and how often it fails",
	"risk":       "a score that adds up what speaks for a loop",
	"rejected":   "calls that the host answers by itself, such as those of an unknown tool",
	"evidence":   "what the rules that go by results look back on",
	"repeat":     "the same call with the same result, nothing changed in between",
	"stale":      "calls that show what they showed before, counted together",
	"cycle":      "rotations of the same calls with the same results",
	"novelty":    "a long row of calls that show nothing new, in any order",
	"reapplied":  "the same edit made over and over",
	"polling":    "calls that wait",
	"output":     "different calls of one tool with the same answer",
	"counter":    "a call whose results differ in their numbers only",
	"text":       "responses that repeat themselves, in text, thinking or arguments",
	"truncation": "calls that were cut off because the response hit the limit on output",
	"ladder":     "what becomes of what the rules see",
	"fetch":      "the tool web_fetch_file, which saves a file of the web in the workspace",
	"export":     "what leaves the machine",
}

// rules are the settings that contradict each other when they do not ascend, or
// are above what is looked back on. A rule of ours may refuse before it speaks.
var rules = []struct {
	name   string
	stages []string // each above those before it, where they are not 0
	calls  string   // what no stage can be above, "" if there is nothing
}{
	{"window", []string{"window.block"}, "window.calls"},
	{"streak", []string{"streak.warn", "streak.block"}, ""},
	{"risk", []string{"risk.warn", "risk.block"}, ""},
	{"repeat", []string{"repeat.note"}, "evidence.calls"},
	{"repeat", []string{"repeat.block"}, "evidence.calls"},
	{"stale", []string{"stale.note"}, "evidence.calls"},
	{"stale", []string{"stale.block"}, "evidence.calls"},
	{"rejected", []string{"rejected.note", "rejected.steer", "rejected.abort"}, "rejected.calls"},
}

// Names that an entry of a table may have.
var (
	measureNames = regexp.MustCompile(`^(exact|cmd|net|sink|host|site|family|verb)(:.+)?$`)
	anyName      = regexp.MustCompile(`^\S+$`)
)

// removed are settings that the system `measures` has or once had, and what to do
// instead.
var removed = map[string]string{
	"measures.denyAfter":            "use measures.limits, for one kind of measure each",
	"measures.warnAfter":            "use measures.warnAt to warn and measures.limits to refuse",
	"measures.registerAdvisory":     "use measures.warnAt to warn and measures.limits to refuse",
	"measures.maxSamePath":          "a file is counted by its place in it, with measures.limits.exact",
	"measures.readTools":            "tools are told by their names; see measures.include and measures.exclude",
	"measures.matchReadBySubstring": "tools are told by their names; see measures.include and measures.exclude",
	"measures.pathAliases":          "it had no effect any more, leave it out",
	"measures.gateAt":               "use measures.limits, for one kind of measure each",
	"measures.outputDir":            "use fetch.outputDir",
	"measures.maxBytes":             "use fetch.maxBytes",
}

// removedValues are such values.
var removedValues = map[string]string{
	"measures.localHosts=ask": "use measures.onLimit, which is about all hosts",
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
