package guard

// Decision is the guard's answer to an event. The zero value lets it pass.
type Decision struct {
	// Block refuses the call; Reason is then what the model reads as its result.
	// Terminate asks the host to end the turn, if it refuses all its calls.
	Block     bool
	Reason    string
	Terminate bool
	// Ask, where it is not nil, has the host ask the operator before the call
	// runs. Session.Approve then decides.
	Ask *Ask
	// Note is put at the end of the result that the model reads.
	Note string
	// Text, where it is not empty, takes the place of a result that the host wrote.
	Text string
	// Cut is what to keep of a response that repeated itself, nil where it did not.
	Cut *Cut
	// Steer is told to the model before its next response.
	Steer string
	// Abort ends the run.
	Abort *Abort
	// Why is the finding behind the decision, nil where there is none.
	Why *Why
	// Entries are what the session file is to remember.
	Entries []LoopBroken
	// Notify is told to the user.
	Notify string
	// Status is the new status line, nil where it has not changed.
	Status *string
}

// Abort is the end of a run.
type Abort struct {
	// Told is what the user reads, empty where it has been said before.
	Told string
	// Recovery, where it is not empty, is what the model is then asked, once.
	Recovery string
}

// Rule names a rule, and with it what a finding is about.
type Rule string

// The rules.
const (
	RuleWindow      Rule = "window"      // equal calls in a window
	RuleStreak      Rule = "streak"      // the same call with the same result, in a row
	RuleDuplicate   Rule = "duplicate"   // equal calls in one turn
	RuleStuck       Rule = "stuck"       // the same call turn after turn
	RuleRepeat      Rule = "repeat"      // the same call with the same result, nothing changed
	RuleStale       Rule = "stale"       // many calls that show what is known
	RuleCycle       Rule = "cycle"       // a rotation of calls and results
	RuleNovelty     Rule = "novelty"     // a long row of calls that show nothing new
	RuleReapplied   Rule = "reapplied"   // the same edit made over and over
	RulePolling     Rule = "polling"     // waiting for what does not come
	RuleOutput      Rule = "output"      // different calls with the same answer
	RuleCounter     Rule = "counter"     // the same call with results that only count
	RuleOccurrences Rule = "occurrences" // a measure that comes again and again
	RuleFailures    Rule = "failures"    // a measure that fails again and again
	RuleRisk        Rule = "risk"        // a score that adds up what speaks for a loop
	RuleText        Rule = "text"        // a response that repeats itself
	RuleTruncation  Rule = "truncation"  // responses that hit the limit on output
	RuleSteering    Rule = "steering"    // a command that fetches, where there is a tool for it
	RuleRejected    Rule = "rejected"    // calls that were rejected before they came
	RuleRefusals    Rule = "refusals"    // refusals that were ignored
	RuleRecovery    Rule = "recovery"    // calls after the run was ended
)

// Why says which rule decided, and on what: Count repeats of a call of Tool, not
// counting the one in question, where Stage is due from Limit on, among the last
// Window calls if the rule looks at a window. Measure is what was counted, where
// that is not the call. Where Count is a score, Parts says what it is the sum of.
type Why struct {
	Rule                 Rule
	Stage, Tool          string
	Count, Limit, Window int
	Measure              string
	Parts                string
}

// LoopBroken is the record of one refusal.
type LoopBroken struct {
	// Tool is the name of the refused tool.
	Tool string
	// Repeats is how many equal calls the rule saw.
	Repeats int
	// BlockedSoFar is how often this call has been refused, this time included.
	// It starts anew when the last admitted one has left the window.
	BlockedSoFar int
}
