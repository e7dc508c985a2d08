package repetition

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// Counting repetition. The text is cut into segments, sentences and lines. Two are
// alike if they are the same but for their numbers, in digits or words. Where each
// segment is like the one some places before it, and its numbers have moved on from
// that one's by the same step as that one's from its own, the text counts.
//
// Only likely pairs are compared: those that begin and end in the same way.

const (
	segmentsKept = 256
	longest      = 4 << 10 // bytes of a segment that is compared
	shortest     = 32      // a shorter one is taken together with the next, in bytes
	longer       = 8       // bytes that numbers may make one of two like segments longer
	pacesKept    = 4
	pause        = 16 // segments without a proposal after one that was in vain
)

// segmentEnds are the bytes that may end a segment: those of "\n", ".", "!", "?", of
// the escaped line end of a JSON string, and the last ones of "。", "！" and "？".
const segmentEnds = "\n.!?\\\x82\x81\x9f"

var wideEnds = [][]byte{[]byte("。"), []byte("！"), []byte("？")}

// counting is the state of the search. Indexes are into Detector.text.
type counting struct {
	start    int // of the segment that is being written; negative if forgotten
	segments []segment
	next     int                      // number of the next segment
	oldest   int                      // number of the first one since it woke
	last     *[2 * segmentsKept]int32 // number of the last segment, by a hash of its head and tail
	paces    []pace
	tired    int // no new pace is proposed before the segment of this number
	awake    int // until when text is cut into segments
	listenAt int // when next to see whether it is worth it
	looks    int
}

// afresh is the state for another text. Segments of this one are told by their numbers.
func (c *counting) afresh() counting {
	if c.next > 1<<30 { // before numbers run out
		return counting{}
	}
	return counting{segments: c.segments, next: c.next, last: c.last, paces: c.paces[:0]}
}

// segment is a sentence or line. Its head and tail are its first and last eight bytes,
// every digit taken for 0.
type segment struct {
	head, tail uint64
	start, end int
	// mark is that of the step from the segment paced before it, 0 paced for none.
	mark  uint64
	paced int
}

// Cutting a text into segments costs more than all else, and few texts count. So it is
// done only where something is said again and again: every so often, a few of the last
// bytes are looked for in what came before, twice, at like distances.
const (
	often  = 2 << 10 // bytes between two looks
	back   = 1 << 10 // how far back one goes
	seldom = 8       // every so many, it goes four times as far
	parts  = 4       // looks that take turns in looking for other bytes
	part   = 32      // bytes of a part
	most   = 24      // bytes that are looked for
	least  = 6
)

// listen decides, at an index, whether the text is to be cut into segments from now on.
func (d *Detector) listen(at int) {
	c := &d.counting
	c.listenAt = at + often
	c.looks++
	from := max(0, at-back)
	if c.looks%seldom == 0 {
		from = max(0, at-4*back)
	}
	if d.recurs(from, at-c.looks%parts*part) {
		if c.awake < at {
			d.wake(max(0, at-2*often), at)
		}
		c.awake = at + 2*often
	}
}

// recurs reports whether what stands before an index has been said twice before.
func (d *Detector) recurs(from, at int) bool {
	if at-from < 2*part {
		return false
	}
	start, end := telling(d.text, at-part, at)
	words := d.text[start:end]
	if len(words) < least {
		return false
	}
	twice, once := -1, -1
	for i := from; ; {
		n := bytes.Index(d.text[i:start], words)
		if n < 0 {
			break
		}
		twice, once = once, i+n
		i += n + 1
	}
	uneven := (start - once) - (once - twice)
	return twice >= 0 && -longer <= uneven && uneven <= longer
}

// telling returns some bytes without a digit, among those from one index to another,
// that begin with the rarest one there is: those are found soonest.
func telling(text []byte, from, to int) (start, end int) {
	start, end = to, to
	for i := to - 1; i >= from; i-- {
		if isDigit(text[i]) || text[i] == '\n' {
			end = i
		} else if end-i >= least && (start == to || rarity[text[i]] > rarity[text[start]]) {
			start = i
		}
	}
	if start == to {
		return to, to
	}
	for end = start; end < min(to, start+most) && !isDigit(text[end]) && text[end] != '\n'; end++ {
	}
	return start, end
}

// rarity ranks bytes by how rare they are in texts of any kind.
var rarity = func() (rank [256]byte) {
	for c := range rank {
		rank[c] = 3
	}
	for r, letters := range []string{" etaoinsrhl", "dcumfpgwyb_.,\"'-()=:\t/", "vkxjqz{}[];<>"} {
		for _, c := range []byte(letters) {
			rank[c] = byte(r)
		}
	}
	return rank
}()

// wake cuts what came last into segments, to begin with.
func (d *Detector) wake(from, at int) {
	c := &d.counting
	if c.segments == nil {
		c.last = new([2 * segmentsKept]int32)
		c.segments = make([]segment, segmentsKept)
	}
	c.next += segmentsKept // so that all before are forgotten
	c.oldest = c.next
	c.paces, c.tired, c.start = c.paces[:0], 0, from
	for i := from; i < at; i++ {
		if symbols[d.text[i]] >= mayEnd && i+1-c.start >= shortest {
			d.segmentEnd(i + 1)
		}
	}
}

// moved tells that the text has been moved to the front by so many bytes.
func (c *counting) moved(by int) {
	c.start -= by
	c.awake -= by
	c.listenAt -= by
	for i := range c.segments {
		c.segments[i].start -= by // negative where the text is forgotten
		c.segments[i].end -= by
	}
}

// pace is a number of segments after which they seem to come again.
type pace struct {
	period int
	from   int   // number of the first segment of the first copy
	begun  int64 // its offset in the text
	second int64 // and that of the second copy
	moved  int   // number of the last segment whose numbers moved on, -1 for none
	copies int   // how many are too many, 0 for no number
	judged bool
}

// segmentEnd takes in a byte that may end a segment.
func (d *Detector) segmentEnd(at int) {
	c := &d.counting
	if d.text[at-1] >= 0x80 && !endsWide(d.text[:at]) {
		return
	}
	n := c.next
	c.next++
	s := &c.segments[n%segmentsKept]
	*s = segment{start: c.start, end: at}
	if s.start >= 0 {
		s.head = zeroed(binary.LittleEndian.Uint64(d.text[s.start:]))
		s.tail = zeroed(binary.LittleEndian.Uint64(d.text[s.end-8:]))
	}
	c.start = at
	last := &c.last[(s.head*0x9E3779B97F4A7C15^s.tail)*0xBF58476D1CE4E5B9>>32%uint64(len(c.last))]
	earlier := int(*last)
	*last = int32(n)

	kept := c.paces[:0]
	for i := range c.paces {
		if d.keeps(&c.paces[i], n) {
			kept = append(kept, c.paces[i])
		}
	}
	c.paces = kept
	if e := &c.segments[earlier%segmentsKept]; earlier < n && n-earlier < segmentsKept && e.head == s.head && e.tail == s.tail && e.nearly(s) {
		d.propose(n, n-earlier)
	}
	if e := &c.segments[(n+segmentsKept-1)%segmentsKept]; n > c.oldest && (e.head == s.head) != (e.tail == s.tail) && e.nearly(s) {
		d.propose(n, 1) // a number in words may stand at one end
	}
}

// nearly reports whether two segments are of a length, but for their numbers.
func (s *segment) nearly(other *segment) bool {
	n := (s.end - s.start) - (other.end - other.start)
	return -longer <= n && n <= longer
}

// zeroed sets the digits among eight bytes to 0.
func zeroed(b uint64) uint64 {
	const (
		each = 0x0101010101010101
		low  = 0x7F * each
	)
	upTo9 := ^((b & low) + (0x7F-'9')*each) // the top bit of each byte says: 9 or less
	from0 := (b & low) + (0x80-'0')*each    // 0 or more
	digits := (upTo9 & from0 &^ b & (0x80 * each)) >> 7
	return b &^ (digits * 0x0F)
}

func endsWide(text []byte) bool {
	return slices.ContainsFunc(wideEnds, func(end []byte) bool { return bytes.HasSuffix(text, end) })
}

// propose begins to follow a pace, if segment n keeps it.
func (d *Detector) propose(n, period int) {
	c := &d.counting
	if n < c.tired || len(c.paces) == pacesKept || period > segmentsKept/4 || slices.ContainsFunc(c.paces, func(p pace) bool { return p.period == period }) {
		return
	}
	p := pace{period: period, from: n - period, moved: -1}
	p.begun = d.base + int64(c.segments[p.from%segmentsKept].start)
	p.second = d.base + int64(c.segments[n%segmentsKept].start)
	if d.keeps(&p, n) {
		c.paces = append(c.paces, p)
	}
}

// keeps reports whether segment n is like the one a period before, with numbers
// that have moved on as before. It reports the run when there are too many copies.
func (d *Detector) keeps(p *pace, n int) bool {
	step, ok := d.step(n-p.period, n)
	if !ok {
		return false
	}
	c := &d.counting
	now, last := &c.segments[n%segmentsKept], c.segments[(n-p.period)%segmentsKept]
	now.mark, now.paced = step, p.period
	if n >= p.from+2*p.period {
		if last.paced != p.period { // another pace has been there
			last.mark, ok = d.step(n-2*p.period, n-p.period)
		}
		if !ok || last.mark != step {
			c.tired = n + pause // the numbers say something
			return false
		}
	}
	if step != 0 {
		p.moved = n
	}
	copies := (n - p.from + 1) / p.period
	if copies < 3 || d.found != nil {
		return true
	}
	if p.moved <= n-p.period {
		return false // nothing counts; if this is a repetition, it is an exact one
	}
	first := c.segments[(n-p.period+1)%segmentsKept]
	end := c.segments[n%segmentsKept].end
	if first.start < 0 {
		return false // longer than what is remembered
	}
	unit := d.text[first.start:end]
	if !p.judged {
		p.judged = true
		p.copies = d.judge(Unit{Text: unit, Counting: true})
	}
	if p.copies < 2 {
		c.tired = n + pause
		return false
	}
	if copies >= p.copies {
		d.found = &Run{Unit: string(unit), Counting: true, Start: p.begun, Second: p.second, End: d.base + int64(end), Copies: copies, Limit: p.copies}
	}
	return true
}

// step compares two segments by number and returns how the numbers move on from the
// one to the other; false where they are not alike.
func (d *Detector) step(i, j int) (uint64, bool) {
	a, b := &d.counting.segments[i%segmentsKept], &d.counting.segments[j%segmentsKept]
	if i < d.counting.oldest || a.start < 0 || b.end-b.start > longest || !a.nearly(b) {
		return 0, false
	}
	return step(d.text[a.start:a.end], d.text[b.start:b.end])
}
