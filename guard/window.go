package guard

import "github.com/loopbreaker/loopbreaker/canonical"

// Window is the rule of the system `window`: a call is refused when as many
// equal ones already stand among the last admitted calls, whatever their
// results were.
type Window struct {
	// Calls is how many admitted calls are looked back on, of any tool.
	Calls int
	// Repeats is how many equal calls among them are allowed.
	Repeats int
}

func (w Window) look(l *ledger, key canonical.Key) (finding, bool) {
	n := l.admitted[key]
	if n < w.Repeats {
		return finding{}, false
	}
	return finding{rule: "window", stage: "block", count: n, limit: w.Repeats, window: w.Calls}, true
}
