package guard

import "github.com/loopbreaker/loopbreaker/canonical"

// call refuses a call when as many equal ones already stand among the last
// admitted calls (system `window`).
func (w Window) call(l *ledger, a *action) finding {
	n := l.window.admitted[a.key]
	if w.Block == 0 || n < w.Block {
		return finding{}
	}
	return finding{rule: RuleWindow, stage: StageBlock, tool: a.tool, count: n, limit: w.Block, window: w.Calls}
}

// window is the last admitted calls, and how often each of them has been refused
// since. Every lookup is O(1).
type window struct {
	recent   []canonical.Key // a ring, oldest at next once it is full
	next     int
	admitted map[canonical.Key]int // occurrences in recent
	refused  map[canonical.Key]int // refusals of keys in recent
}

func newWindow(size int) *window {
	return &window{
		recent:   make([]canonical.Key, 0, size),
		admitted: map[canonical.Key]int{},
		refused:  map[canonical.Key]int{},
	}
}

func (w *window) size() int { return cap(w.recent) }

// admit remembers an admitted call and forgets the oldest. With the last
// occurrence of a key its count of refusals goes too.
func (w *window) admit(key canonical.Key) {
	w.admitted[key]++ // first, for the oldest may be the same call
	if len(w.recent) < cap(w.recent) {
		w.recent = append(w.recent, key)
		return
	}
	oldest := w.recent[w.next]
	w.recent[w.next] = key
	w.next = (w.next + 1) % len(w.recent)
	if w.admitted[oldest]--; w.admitted[oldest] == 0 {
		delete(w.admitted, oldest)
		delete(w.refused, oldest)
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
	ordered := append(append([]canonical.Key{}, w.recent[w.next:]...), w.recent[:w.next]...)
	refused := w.refused
	*w = *newWindow(size)
	for _, key := range ordered[max(0, len(ordered)-size):] {
		w.admit(key)
		if n := refused[key]; n > 0 {
			w.refused[key] = n
		}
	}
}
