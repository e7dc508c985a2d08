package repetition

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// Exact repetition. A text repeats a unit of p bytes for as long as each byte is
// the one p before it. So a candidate for p, once proposed, is checked and followed
// at the speed of a comparison; the art is in proposing p early and seldom wrongly.
//
// Candidates come from anchors, places that the text itself chooses: where a hash of
// the 32 bytes before is below a bound. In a text that repeats, the anchors repeat,
// so the distance of one to an earlier one with the same hash is the unit's length.
// Where a stretch has no anchors (dashes, "go go go"), the distance is looked for
// directly.

const (
	// window is how many bytes the hash covers: each byte shifts it by one bit.
	window = 32
	// anchorBelow makes one place in 64 an anchor.
	anchorBelow = 1 << anchorBits
	anchorBits  = 26
	// apart is how far anchors are from each other at least, in bytes.
	apart = 16
	// barren is how far without an anchor a direct search is due, and near how far
	// back it then looks each time, in bytes.
	barren = 112
	near   = 64
	// sure is how much of the text must agree for a candidate to be followed.
	sure = 16

	anchorsKept = 2 * History / 64 // about what twice History holds
	headBits    = 11
	chain       = 2 // how many earlier anchors are asked
	tracksKept  = 8
	triesKept   = tracksKept // how many distances one search proposes
)

// exact is the state of the search. Indexes are into Detector.text.
type exact struct {
	hash       uint32
	lastAnchor int // index behind the last anchor
	lastLook   int // the same, or behind the last direct search, less drift
	drift      int // by how much the next search is early, so that they keep no step with the text
	searchAt   int // how far without an anchor the next long search is due
	credit     int // comparisons backwards that may still be made, in bytes
	head       []uint32
	anchors    []anchor // a ring
	next       uint32   // number of the next anchor, counted from 1
	first      uint32   // number of the first one in this text
	tracks     []track
}

// afresh is the state for another text. Anchors of this one are told by their numbers.
func (e *exact) afresh() exact {
	if e.next > 1<<31 { // before numbers run out
		return exact{}
	}
	return exact{head: e.head, anchors: e.anchors, next: e.next, first: e.next, tracks: e.tracks[:0]}
}

// anchor is a place in the text.
type anchor struct {
	at   int32 // index behind its last byte
	hash uint32
	prev uint32 // number of the anchor before it on its list, 0 for none
}

// track is a candidate that is being followed: from start on, the text has the
// period, up to end.
type track struct {
	period     int
	start, end int
	begun      int64 // offset of start, which may have been forgotten
	copies     int   // how many are too many, 0 for no number
	judged     bool
}

func (t *track) length(base int64) int64 { return base + int64(t.end) - t.begun }

// moved tells that the text has been moved to the front by so many bytes.
func (e *exact) moved(by int) {
	e.lastAnchor -= by
	e.lastLook -= by
	for i := range e.anchors {
		e.anchors[i].at = max(0, e.anchors[i].at-int32(by)) // 0: forgotten
	}
	for i := range e.tracks {
		e.tracks[i].start = max(0, e.tracks[i].start-by)
		e.tracks[i].end -= by
	}
}

// anchor takes in an anchor that ends at an index.
func (d *Detector) anchor(at int, hash uint32) {
	e := &d.exact
	if e.head == nil {
		e.head = make([]uint32, 1<<headBits)
		e.anchors = make([]anchor, anchorsKept)
		e.next, e.first = 1, 1
	}
	list := &e.head[hash>>(anchorBits-headBits)] // the upper bits tell of the whole window
	number := *list
	for range chain {
		if number < e.first || number+anchorsKept <= e.next {
			break
		}
		a := &e.anchors[number%anchorsKept]
		if a.at < window {
			break // forgotten, and so are all before
		}
		if a.hash == hash {
			d.candidate(at, at-int(a.at))
		}
		number = a.prev
	}
	e.anchors[e.next%anchorsKept] = anchor{int32(at), hash, *list}
	*list = e.next
	e.next++
}

// withoutAnchor searches directly, for there has been no anchor for a while: at
// short distances each time, at longer ones the seldomer the longer they are.
func (d *Detector) withoutAnchor(at int) {
	e := &d.exact
	e.lastLook = at - e.drift
	e.drift = (e.drift + 7) % 32
	if at < 2*sure {
		return
	}
	for i := range e.tracks {
		if t := &e.tracks[i]; 2*(at-t.start) > at-e.lastAnchor && d.follow(t, at) == at {
			return // most of what there is to see is being followed
		}
	}
	ending := d.text[max(0, at-near):at]
	if last := ending[len(ending)-8:]; bytes.Contains(ending[:len(ending)-1], last) {
		for p := 1; p <= len(ending)-8; p++ { // the shortest there is
			if bytes.Equal(ending[len(ending)-8-p:len(ending)-p], last) && d.candidate(at, p) {
				break
			}
		}
	}
	if dry := at - e.lastAnchor; dry >= e.searchAt {
		e.searchAt = 2 * dry
		d.search(at, 2*dry)
	}
}

// search proposes the distances, the shortest first, at which the last bytes before
// an index occur in so many bytes before it.
func (d *Detector) search(at, reach int) {
	needle := d.text[at-sure : at]
	from := max(0, at-sure-reach)
	if !bytes.Contains(d.text[from:at-1], needle) {
		return // as a rule; and this way it is known soonest
	}
	for end, tries := at-1, 0; tries < triesKept; tries++ {
		i := bytes.LastIndex(d.text[from:end], needle)
		if i < 0 {
			return
		}
		end = from + i + sure - 1
		d.candidate(at, at-sure-from-i)
	}
}

// lastLook searches all that is remembered for what the text ends in.
func (d *Detector) lastLook() {
	if at := len(d.text); at > sure {
		if d.counting.awake < at {
			d.wake(max(0, at-4*often), at)
		}
		d.exact.credit = 4 * History
		d.withoutAnchor(at)
		d.search(at, History)
		d.extend()
	}
}

// candidate begins to follow a period that the text seems to have up to an index,
// and reports whether it does.
func (d *Detector) candidate(at, period int) bool {
	e := &d.exact
	for i := range e.tracks {
		t := &e.tracks[i]
		if (t.period == period || t.start <= at-period-sure) && d.follow(t, at) == at {
			return true // what is followed explains it
		}
	}
	if e.credit <= 0 || period > History {
		return false
	}
	n := matchBefore(d.text, at, at-period)
	e.credit -= n
	if n < sure {
		return false
	}
	start := at - n - period
	t := track{period: period, start: start, end: at, begun: d.base + int64(start)}
	if len(e.tracks) < tracksKept {
		e.tracks = append(e.tracks, t)
		return true
	}
	least := 0
	for i := range e.tracks {
		if e.tracks[i].length(d.base) < e.tracks[least].length(d.base) {
			least = i
		}
	}
	d.weigh(&e.tracks[least])
	e.tracks[least] = t
	return true
}

// follow follows a period up to an index, or to where the text leaves it, which it
// returns.
func (d *Detector) follow(t *track, to int) int {
	if t.end < to {
		t.end += match(d.text[t.end:to], d.text[t.end-t.period:])
	}
	return t.end
}

// extend follows every period to the end of the text, judges those that have come
// twice, and drops those that the text has left.
func (d *Detector) extend() {
	e := &d.exact
	kept := e.tracks[:0]
	for _, t := range e.tracks {
		d.follow(&t, len(d.text))
		d.weigh(&t)
		if t.end == len(d.text) {
			kept = append(kept, t)
		}
	}
	e.tracks = kept
}

// weigh judges a period that the text has had twice, and reports it when it has come
// too often.
func (d *Detector) weigh(t *track) {
	if t.length(d.base) < 2*int64(t.period) || d.found != nil {
		return
	}
	if !t.judged {
		t.judged = true
		unit := d.text[t.end-t.period : t.end]
		t.period = root(unit)
		t.copies = d.judge(Unit{Text: unit[:t.period]})
	}
	if t.copies < 2 || t.length(d.base) < int64(t.copies)*int64(t.period) {
		return
	}
	d.found = &Run{
		Unit:  string(d.copy(t)),
		Start: t.begun, Second: t.begun + int64(t.period), End: d.base + int64(t.end),
		Copies: int(t.length(d.base) / int64(t.period)), Limit: t.copies,
	}
}

// copy returns a copy of the unit, cut as the first one is, if so much is remembered.
func (d *Detector) copy(t *track) []byte {
	first := int(max(t.begun, d.base) - d.base)
	if t.begun < d.base {
		first = t.period - 1 - int((d.base-t.begun-1)%int64(t.period))
	}
	first = min(first, t.end-t.period)
	return d.text[first : first+t.period]
}

// root returns the length of the shortest text of which a unit is a whole number of
// copies.
func root(unit []byte) int {
	for p := 1; p <= len(unit)/2; p++ {
		if len(unit)%p == 0 && bytes.Equal(unit[p:], unit[:len(unit)-p]) {
			return p
		}
	}
	return len(unit)
}

// match returns how many bytes at the beginning of a and b are the same; b is at
// least as long as a.
func match(a, b []byte) int {
	n := 0
	for ; n+8 <= len(a); n += 8 {
		if x := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); x != 0 {
			return n + bits.TrailingZeros64(x)/8
		}
	}
	for ; n < len(a) && a[n] == b[n]; n++ {
	}
	return n
}

// matchBefore returns how many bytes before index i are the same as those before j,
// which is the lesser of the two.
func matchBefore(text []byte, i, j int) int {
	n := 0
	for ; n+8 <= j; n += 8 {
		if x := binary.LittleEndian.Uint64(text[i-n-8:]) ^ binary.LittleEndian.Uint64(text[j-n-8:]); x != 0 {
			return n + bits.LeadingZeros64(x)/8
		}
	}
	for ; n < j && text[i-n-1] == text[j-n-1]; n++ {
	}
	return n
}
