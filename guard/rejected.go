package guard

import (
	"strings"

	"github.com/loopbreaker/loopbreaker/canonical"
)

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

// subject is what the rejection counts for; false where it counts for nothing: a
// run that was aborted, a response that was cut off, an input that is not known.
func (x Rejection) subject() (subject, bool) {
	switch {
	case x.Text == hostAborted, truncatedByHost(x.Text):
		return subject{}, false
	case RejectedByHost(x.Text):
		return subject{tool: x.Call.Tool}, true
	case x.Call.Input == nil:
		return subject{}, false
	}
	key, err := canonical.CallKey(x.Call.Tool, x.Call.Input, x.Call.LongTexts)
	return subject{x.Call.Tool, key}, err == nil
}

// rejected looks at the calls of one subject that were rejected, since one was
// last accepted (ours: no earlier system sees these calls). Those of one turn
// count once: the model has not read the error of the first as it makes the last.
func (r Rejected) rejected(l *ledger, x subject, text string) *finding {
	n := l.rejectedInARow(x)
	f := &finding{rule: RuleRejected, tool: x.tool, count: n, window: r.Calls, quote: text}
	if x.key == (canonical.Key{}) { // a model may guess at the names of tools
		if all := l.turnsRejected(); all > n {
			n, f.count, f.tool = all, all, severalTools
		}
	}
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
// this subject that no accepted one has followed.
func (l *ledger) rejectedInARow(x subject) (n int) {
	anyKey := x.key == canonical.Key{}
	for i := range l.outcomes.values {
		switch o := l.outcomes.back(i); {
		case o.rejected && o.subject == x:
			n++
		case !o.rejected && o.tool == x.tool && (anyKey || o.key == x.key):
			return n
		}
	}
	return n
}

// turnsRejected counts, among the last calls, the turns since one was accepted. Only
// the host's own rejections are without a key.
func (l *ledger) turnsRejected() (n int) {
	turn := 0
	for i := range l.outcomes.values {
		o := l.outcomes.back(i)
		if !o.rejected || o.key != (canonical.Key{}) {
			break
		}
		if n == 0 || o.turn != turn {
			n, turn = n+1, o.turn
		}
	}
	return n
}
