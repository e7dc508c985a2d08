package guard

import "github.com/loopbreaker/loopbreaker/canonical"

// ledger is what a session remembers: the last admitted calls, and how often
// each of them has been refused since. Every lookup is O(1), and its size is
// bound by the window, not by the session.
type ledger struct {
	recent   []canonical.Key // a ring, oldest at next once it is full
	next     int
	admitted map[canonical.Key]int // occurrences in recent
	refused  map[canonical.Key]int // refusals of keys in recent
}

func newLedger(window int) *ledger {
	return &ledger{
		recent:   make([]canonical.Key, 0, window),
		admitted: make(map[canonical.Key]int, window),
		refused:  make(map[canonical.Key]int),
	}
}

// admit remembers an admitted call and forgets the oldest. With the last
// occurrence of a key its count of refusals goes too.
func (l *ledger) admit(key canonical.Key) {
	l.admitted[key]++ // first, for the oldest may be the same call
	if len(l.recent) < cap(l.recent) {
		l.recent = append(l.recent, key)
		return
	}
	oldest := l.recent[l.next]
	l.recent[l.next] = key
	l.next = (l.next + 1) % len(l.recent)
	l.forget(oldest)
}

func (l *ledger) forget(key canonical.Key) {
	if l.admitted[key]--; l.admitted[key] == 0 {
		delete(l.admitted, key)
		delete(l.refused, key)
	}
}

// refuse counts a refusal of a key in the window and returns how many there
// have been.
func (l *ledger) refuse(key canonical.Key) int {
	l.refused[key]++
	return l.refused[key]
}
