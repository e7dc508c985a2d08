package guard

// Policy is every number a session goes by. A threshold of 0 switches its stage
// off, and a rule without a stage is off. What the numbers are, and why, stands in
// presets.go.
type Policy struct {
	Window   Window
	Streak   Streak
	Turns    Turns
	Measures Measures
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

	// Text is about what the model writes, Truncation about calls that were cut off
	// with the response.
	Text       Text
	Truncation Truncation

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
	// Unanswered counts, of those, only the ones whose results are not known:
	// calls within a call run one after the other.
	Unanswered bool
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
	// Seconds from which on a command that sleeps is one that waits. So is one that
	// returns when something has come about, and the first look at anything after
	// a wait.
	Seconds int
	// Tools wait, or answer the same each time they do something, such as to scroll,
	// and are taken for polls: names with * for any letters, in lower case.
	Tools []string
	// Note speaks as a poll has shown the same so often in a row.
	Note int
	// Block refuses a poll that has shown the same so often in a row.
	Block int
}

// Output is the rule for different calls of one tool that all have the same
// answer, while no other tool has shown anything new. Shells, and tools that read,
// search and fetch, are only spoken to.
type Output struct {
	// Note speaks as so many different calls in a row had the same answer.
	Note int
	// Block refuses further calls of the tool when so many had and all have failed,
	// or differ in nothing but what they say.
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

// Ladder is what becomes of findings.
type Ladder struct {
	// Refusals within one prompt after which the run is ended.
	Refusals int
	// Strikes are the turns with refusals within one prompt after which the run
	// is ended: the model has not read the first as it makes the last of a turn.
	Strikes int
	// Forgive takes one strike back after so many calls in a row that each showed
	// something new: what was long ago is not held against a run that gets on.
	Forgive int
	// Terminate asks the host to end the turn with a refusal, if all its calls
	// are refused.
	Terminate bool
	// Recover gives the model one turn, after the run was ended, to say what it
	// knows and needs.
	Recover bool
}

// Measures is the system `measures`: what calls mean is counted, not how they are
// spelled. A call has several measures (package canonical/measure says which), and
// each of them is counted on its own, twice over: how often it came among the last
// calls of this prompt, and how often in a row it failed.
type Measures struct {
	// Window is how many calls are looked back on, 4 at least. A refused call is
	// one of them, with the measures it was refused for.
	Window int
	// Limits are the measures that count, by kind (host) or, which is stronger, by
	// kind and identity (host:api.example): the call that would be this many among
	// the last is for the operator to decide on. 0 switches a measure off, and so
	// does it where there is no limit for its kind.
	Limits map[string]int
	// WarnAt and SummarizeAt speak when a measure has come exactly so often; a
	// stage at or above the limit of a measure never comes to speak of it.
	WarnAt, SummarizeAt int
	// FailWarnAt speaks when a measure has failed exactly so often in a row, and
	// FailLimit has the operator decide on every call of it from then on.
	FailWarnAt, FailLimit int
	// OnLimit is AskOperator or DenyCall: what becomes of a call at a limit.
	OnLimit string
	// AskSeconds is how long a question waits for its answer.
	AskSeconds int
	// LocalHosts is CountLocal or SpareLocal: what calls that only go to near hosts
	// (this machine, the networks around it) have of measures of a target. Even
	// where they count, they have no measure of the host, unless IncludeLocal.
	LocalHosts   string
	IncludeLocal bool
	// Include are the only tools whose calls count, Exclude those whose calls do
	// not; * stands for any letters. An empty Include includes all.
	Include, Exclude []string
	// IgnoreArgs are, by the name of a tool or under "*" for all, members of an
	// input that mean nothing.
	IgnoreArgs map[string][]string
	// HostAliases are hosts that are counted as another.
	HostAliases map[string]string
	// BlockShellHttp refuses commands that fetch from far away, and BlockLocalHttp
	// those that fetch from near hosts too, where the host has a tool that fetches;
	// ShellHttpAllow are programs that may.
	BlockShellHttp, BlockLocalHttp bool
	ShellHttpAllow                 []string
	// PreviewChars and ResultPreviewChars are how many characters are quoted of a
	// measure and of a result.
	PreviewChars, ResultPreviewChars int
}

// What Measures.OnLimit and Measures.LocalHosts may say.
const (
	AskOperator = "ask"   // the operator is asked, and who cannot be asked has declined
	DenyCall    = "deny"  // the call is refused
	CountLocal  = "deny"  // near hosts are counted and refused as any other
	SpareLocal  = "allow" // near hosts are no target
)
