package guard

import "strings"

// What Pi writes as the result of calls that no hook has seen.
const hostAborted = "Operation aborted"

// RejectedByHost reports whether a failed result is one that Pi wrote by itself,
// which is all that a session file tells of a rejected call.
func RejectedByHost(text string) bool {
	return strings.HasPrefix(text, "Validation failed for tool ") ||
		strings.HasPrefix(text, "Invalid arguments for tool ") ||
		strings.HasPrefix(text, "Tool ") && strings.HasSuffix(text, " not found") ||
		truncatedByHost(text)
}

// truncatedByHost reports whether a call was not run because the response hit the
// output limit. That is no fault of the call, and happens to a whole batch.
func truncatedByHost(text string) bool {
	return strings.HasPrefix(text, "Tool call ") && strings.HasSuffix(text, "Re-issue the tool call with complete arguments.")
}

// rejected looks at the calls of one tool that the host rejected, since it last
// accepted one (ours: no earlier system sees these calls). Those of one turn
// count once: the model has not read the error of the first as it makes the last.
func (r Rejected) rejected(l *ledger, x Rejection) finding {
	n := l.rejectedInARow(x.Tool, r.Calls)
	f := finding{rule: RuleRejected, tool: x.Tool, count: n, window: r.Calls, evidence: x.Text}
	switch {
	case r.Abort > 0 && n >= r.Abort:
		f.stage, f.limit = StageAbort, r.Abort
	case r.Steer > 0 && n >= r.Steer:
		f.stage, f.limit = StageSteer, r.Steer
	case r.Note > 0 && n == r.Note:
		f.stage, f.limit = StageNote, r.Note
	}
	return f
}

// rejectedInARow counts, among the last calls of any tool, the rejected ones of
// this tool that no accepted one has followed.
func (l *ledger) rejectedInARow(tool string, calls int) (n int) {
	for i := len(l.outcomes) - 1; i >= max(0, len(l.outcomes)-calls); i-- {
		switch o := l.outcomes[i]; {
		case o.tool != tool:
		case !o.rejected:
			return n
		default:
			n++
		}
	}
	return n
}
