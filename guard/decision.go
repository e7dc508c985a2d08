package guard

// Decision is the guard's answer to an event. The zero value lets it pass.
type Decision struct {
	// Block refuses the call; Reason is then what the model reads as its result.
	Block  bool
	Reason string
	// Why is the finding behind the decision, nil where there is none.
	Why *Why
	// Entries are what the session file is to remember.
	Entries []LoopBroken
}

// Why says which rule decided, and on what.
type Why struct {
	// Rule is the rule's name and Stage what it called for.
	Rule, Stage string
	// Count repeats were seen where Limit are allowed, among the last Window
	// admitted calls.
	Count, Limit, Window int
}

// LoopBroken is the record of one refusal.
type LoopBroken struct {
	// Tool is the name of the refused tool.
	Tool string
	// Repeats is how many equal admitted calls stood in the window.
	Repeats int
	// BlockedSoFar is how often this call has been refused, this time included.
	// It starts anew when the last admitted one has left the window.
	BlockedSoFar int
}

// finding is what a rule has to say about an event.
type finding struct {
	rule, stage          string
	count, limit, window int
}

// refuse turns a finding about a call into a refusal.
func refuse(tool string, f finding, blockedSoFar int) Decision {
	return Decision{
		Block:   true,
		Reason:  repeatedInWindow(tool, f.count, f.window),
		Why:     &Why{Rule: f.rule, Stage: f.stage, Count: f.count, Limit: f.limit, Window: f.window},
		Entries: []LoopBroken{{Tool: tool, Repeats: f.count, BlockedSoFar: blockedSoFar}},
	}
}
