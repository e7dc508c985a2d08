// Package repetition finds, while a text is being written, a unit that is written
// again and again up to its end.
//
// A Detector is fed the text piece by piece, in pieces of any size. It knows two
// kinds of repetition:
//
//   - exact: the text is one unit over and over, byte for byte. A unit may be one
//     byte or tens of thousands (exact.go);
//   - counting: sentences or lines that are the same but for numbers, each of which
//     goes up by the same step from copy to copy (counting.go).
//
// How many copies are too many is not known here: a Judge says so. Cost is linear in
// the text and memory is bounded, whatever the text.
package repetition

// History is how much of the text is remembered, in bytes. A unit can be no longer
// than that.
const History = 32 << 10

// Shortest is what a run must have, beyond its first copy, to be found for sure, in
// bytes; or more, for as long as it also continues a longer repetition.
const Shortest = 64

// pieceSize is how much is scanned at a time.
const pieceSize = 2 << 10

// Unit is what is repeated.
type Unit struct {
	// Text is one copy. It begins where the repetition was found to begin, which
	// may be in the middle of a sentence; a Judge must not keep it.
	Text []byte
	// Counting says that numbers in it go up from copy to copy.
	Counting bool
}

// Judge returns how many copies of a unit are too many, at least 2; or 0 where no
// number is. It is asked once for each unit that has been seen twice.
type Judge func(Unit) int

// Run is a repetition that was too long.
type Run struct {
	// Unit is the text of one copy; of an exact run, as the first one has it.
	Unit string
	// Counting says that numbers in it go up from copy to copy.
	Counting bool
	// Start, Second and End are where the run and its second copy begin and how far it
	// was read, as offsets in bytes from the beginning of the text.
	Start, Second, End int64
	// Copies is how many whole copies there were by then, Limit how many the judge
	// called too many.
	Copies, Limit int
}

// Detector looks for repetition in one text.
type Detector struct {
	judge Judge
	// text is the last of the text, from offset base on: History of it at least, if
	// there is so much, and three times that at the most.
	text  []byte
	base  int64
	found *Run

	exact    exact
	counting counting
}

// NewDetector returns a detector of a text of which nothing is written yet.
func NewDetector(judge Judge) *Detector { return &Detector{judge: judge} }

// Reset forgets the text and begins another one, in the same memory.
func (d *Detector) Reset() {
	text := d.text[:0]
	if cap(text) > 2*pieceSize {
		text = nil // most texts are short
	}
	*d = Detector{judge: d.judge, text: text, exact: d.exact.afresh(), counting: d.counting.afresh()}
}

// Len is how long the text is so far, in bytes.
func (d *Detector) Len() int64 { return d.base + int64(len(d.text)) }

// Write takes in what is written next. It returns the first run that the judge
// calls too long, from then on always the same one.
func (d *Detector) Write(text []byte) *Run { return write(d, text) }

// WriteString is Write of a string.
func (d *Detector) WriteString(text string) *Run { return write(d, text) }

func write[T []byte | string](d *Detector, text T) *Run {
	for len(text) > 0 && d.found == nil {
		n := min(len(text), pieceSize)
		d.forget(n)
		d.text = append(d.text, text[:n]...)
		text = text[n:]
		d.scan(len(d.text) - n)
	}
	return d.found
}

// End tells that the text is complete, so that its very last characters are looked
// at as thoroughly as if more had followed.
func (d *Detector) End() *Run {
	if d.found == nil {
		d.lastLook()
	}
	return d.found
}

// forget makes room for n more bytes.
func (d *Detector) forget(n int) {
	if len(d.text)+n <= 3*History {
		return
	}
	drop := len(d.text) - History
	copy(d.text, d.text[drop:])
	d.text = d.text[:History]
	d.base += int64(drop)
	d.exact.moved(drop)
	d.counting.moved(drop)
}

// symbols say what each byte is to the scanning loop: a random number for the hash
// in the lower half, and mayEnd where it may end a segment.
var symbols = func() (table [256]uint64) {
	state := uint64(1) // any fixed number would do
	for c := range table {
		state += 0x9E3779B97F4A7C15 // splitmix64
		z := state
		z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
		z = (z ^ z>>27) * 0x94D049BB133111EB
		table[c] = z >> 32
	}
	for _, c := range []byte(segmentEnds) {
		table[c] |= mayEnd
	}
	return table
}()

const (
	mayEnd = 1 << 63
	never  = 1<<64 - 1
)

// scan looks at the text from an index on.
func (d *Detector) scan(i int) {
	e, c := &d.exact, &d.counting
	e.credit = min(e.credit+4*(len(d.text)-i), 4*History)
	text, hash := d.text, e.hash
	for i < len(text) {
		if i >= c.listenAt {
			d.listen(i)
		}
		limit, marks := min(len(text), e.lastLook+barren, c.listenAt), uint64(never)
		if i < c.awake {
			if ripe := c.start + shortest - 1; i < ripe {
				limit = min(limit, ripe)
			} else {
				marks = mayEnd
			}
		}
		var n int
		var ends bool
		n, hash, ends = next(text[i:limit], hash, marks)
		i += n
		switch {
		case hash < anchorBelow && i-e.lastAnchor >= apart:
			e.lastAnchor, e.lastLook, e.searchAt = i, i, 4*barren
			d.anchor(i, hash)
		case i-e.lastLook >= barren:
			d.withoutAnchor(i)
		}
		if ends {
			d.segmentEnd(i)
		}
	}
	e.hash = hash
	d.extend()
}

// next reads on to where the text is worth a look, or to its end. It returns how much
// it has read, and whether a segment may end there. It is the loop that every byte
// goes through.
func next(text []byte, hash uint32, marks uint64) (n int, _ uint32, ends bool) {
	for i, c := range text {
		s := symbols[c]
		hash = hash<<1 + uint32(s)
		if hash < anchorBelow || s >= marks {
			return i + 1, hash, s >= marks
		}
	}
	return len(text), hash, false
}
