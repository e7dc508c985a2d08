package guard

import "github.com/loopbreaker/loopbreaker/canonical"

// call refuses a call when as many equal ones already stand among the last
// admitted calls (system `window`).
func (w Window) call(l *ledger, a *action) *finding {
	n := l.window.admitted[a.key]
	if w.Block == 0 || n < w.Block {
		return nil
	}
	return &finding{rule: RuleWindow, stage: StageBlock, tool: a.tool, count: n, limit: w.Block, window: w.Calls}
}

// window is the last admitted calls, and how often each of them has been refused
// since. Every lookup is O(1).
type window struct {
	recent   ring[canonical.Key]   // the zero key for a call that was taken out
	calls    int                   // how many have been admitted
	admitted map[canonical.Key]int // occurrences in recent
	refused  map[canonical.Key]int // refusals of keys in recent
}

func newWindow(size int) *window {
	return &window{
		recent:   newRing[canonical.Key](size),
		admitted: map[canonical.Key]int{},
		refused:  map[canonical.Key]int{},
	}
}

// forget forgets all calls, in memory that is used again.
func (w *window) forget() {
	clear(w.admitted)
	clear(w.refused)
	w.recent.empty()
	w.calls = 0
}

func (w *window) size() int { return w.recent.size() }

// admit remembers an admitted call and forgets the oldest. With the last
// occurrence of a key its count of refusals goes too. It returns the number of
// the call.
func (w *window) admit(key canonical.Key) int {
	w.admitted[key]++ // first, for the oldest may be the same call
	if oldest, full := w.recent.push(key); full {
		w.drop(oldest)
	}
	w.calls++
	return w.calls
}

// answered takes a call out whose result has come, for then there is evidence.
func (w *window) answered(call int) {
	if key := w.recent.back(w.calls - call); key != nil {
		w.drop(*key)
		*key = canonical.Key{}
	}
}

func (w *window) drop(key canonical.Key) {
	if w.admitted[key]--; w.admitted[key] <= 0 {
		delete(w.admitted, key)
		delete(w.refused, key)
	}
}

// refuse counts a refusal of a key and returns how many there have been while it
// was in the window.
func (w *window) refuse(key canonical.Key) int {
	if w.admitted[key] == 0 {
		return 1
	}
	w.refused[key]++
	return w.refused[key]
}

// resize keeps the newest calls that the new size has room for.
func (w *window) resize(size int) {
	if size == w.size() {
		return
	}
	old := *w
	*w = *newWindow(size)
	w.calls = old.calls - min(size, len(old.recent.values))
	for i := min(size, len(old.recent.values)) - 1; i >= 0; i-- {
		key := *old.recent.back(i)
		w.admit(key)
		if n := old.refused[key]; n > 0 {
			w.refused[key] = n
		}
	}
	delete(w.admitted, canonical.Key{})
}
