package canonical

import (
	"bytes"
	"sync"
)

// What stands in the place of noise. Noise is what differs between two results
// of one call although nothing has changed: when it ran, how long it took, which
// number it was given. Overlooking some costs little; taking for noise what is
// not hides a change, and stops a model that makes progress. So a class is known
// by its whole shape or by a label, and a number alone is never noise.
//
//	class     covers                                  because
//
//	‹time›    dates and clock times in the forms of   it says when a thing ran. A date that is the
//	          ISO, RFC 3339, RFC 1123, date, ls,      answer cannot be told apart, and is lost.
//	          syslog, klog, Chrome, dmesg, access     Dates in a name (model-2024-08-06) stay, and
//	          logs, the names of npm's logs; epoch    HH:MM alone, which may be line and column,
//	          numbers with a label                    and the numbers of an epoch without a label
//	‹took›    numbers with a unit of time, and their  it says how long a thing took, or is ago.
//	          compounds (1m 3s, 0.1/0.2/0.3 ms);      5m, 3h, 2d and 2 weeks stay, but for "ago",
//	          numbers with a label (duration_ms: 5);  "Up" and compounds: 100m is a CPU share. So
//	          the seconds on lines of docker build    do settings (timeout, interval, ttl, …)
//	(erased)  a duration alone in parentheses at the  test runners add it to slow tests only
//	          end of a line
//	‹speed›   bytes per second                        it is a duration, turned over
//	‹meter›   times and speeds in curl's progress     the same; sizes and percentages stay
//	‹pid›     process ids with a label (pid 12,       they are given out anew at each start. The
//	          (node:12), ==12==, sshd[12]: behind a   numbers in ps and its like are not marked as
//	          time), of jobs ([1] 1234, from four     such, and stay
//	          digits on), in "1234 Killed"
//	‹id›      UUIDs; request, trace, span, session,   they are given out anew each time. An id with
//	          chunk, correlation, invocation and      another label, or none, names a thing; another
//	          object ids; goroutines; seeds           id is another thing, and stays
//	‹addr›    memory addresses: 0x and 9 to 12        they differ at each start. Shorter numbers may
//	          digits, from 6 behind "at", pc=, …;     be error codes, longer ones hashes, and stay
//	          Java's Object@1b6d3586
//	‹temp›    the random part of names in a path of   it is drawn at each start. Names that are not
//	          temporary files; pi-bash-<hex>          random (/tmp/out2.txt) stay
//	‹line›    the line number in a shell's own error  it counts what a shell that lives on has read.
//	          (bash: line 12:, sh: 3:, zsh:12:,       In a script's (x.sh: line 12:) it is a place,
//	          (eval):5:)                              and stays. On recorded sessions, this class
//	                                                  alone gave the gain
//	‹run›     attempt 3, run #3, In [3]:              it counts how often, not what came out. "3
//	                                                  attempts" and "run 3 tests" stay
//	(erased)  ESC, and the sequence it starts         colours depend on the terminal
//	(erased)  blanks and CR at the end of a line      they do not show
//	(erased)  what is overwritten behind a lone CR,   how often a progress bar is drawn depends on
//	          if it holds a percentage or a meter     time. Its last state stays
//
// Everything else stays: exit codes, counts, percentages, sizes, versions,
// hashes, ports, statuses, line numbers, addresses of hosts.
const (
	markTime  = "‹time›"
	markTook  = "‹took›"
	markSpeed = "‹speed›"
	markMeter = "‹meter›"
	markPid   = "‹pid›"
	markID    = "‹id›"
	markAddr  = "‹addr›"
	markTemp  = "‹temp›"
	markLine  = "‹line›"
	markRun   = "‹run›"
)

// AppendQuiet appends text to dst with its noise replaced by markers, and
// returns the result. It takes any bytes, in one pass over them, and changes
// nothing in a text that it has been through.
func AppendQuiet(dst, text []byte) []byte {
	q := quieter{in: text, out: dst, base: len(dst), glued: -1}
	if bytes.IndexByte(text, escapeByte) >= 0 {
		// Out they go first: they may stand inside of what else is noise.
		buf := plainBuffers.Get().(*[]byte)
		defer plainBuffers.Put(buf)
		*buf = AppendWithoutEscapes((*buf)[:0], text)
		q.in = *buf
		if cap(*buf) > keptBuffer {
			*buf = nil
		}
	}
	q.run()
	return q.out
}

var plainBuffers = sync.Pool{New: func() any { return new([]byte) }}

// quieter is one pass over a text. Its methods look at what begins at a place
// of the input and return the place to go on from.
//
// What has been replaced cuts the view back: to a look at what stands before a
// place, a marker is the end of the text. Together with markers that border on
// words as a letter does, this makes the quiet form of a quiet text itself.
type quieter struct {
	in, out []byte
	base    int  // where in out this text begins
	from    int  // the input before it is in out, or dropped
	glued   int  // the place behind what was last replaced
	temp    span // where the input is a path of temporary files
	dated   bool // the line has shown a time
}

// span is a part of the input.
type span struct{ start, end int }

func (q *quieter) run() {
	for i := 0; i < len(q.in); {
		switch kinds[q.in[i]] {
		case letterByte:
			i = q.word(i)
		case digitByte:
			i = q.number(i)
		case blankByte:
			if i+1 < len(q.in) && kinds[q.in[i+1]] < blankByte && q.in[i] != '\r' {
				i++ // one blank between words
			} else {
				i = q.blanks(i)
			}
		case newlineByte:
			q.dated = false
			i++
		case signByte:
			i = q.sign(i)
		default:
			i++
		}
	}
	q.out = append(q.out, q.in[q.from:]...)
}

// replace writes a marker for in[a:b].
func (q *quieter) replace(a, b int, marker string) int {
	q.drop(a, b)
	q.out = append(q.out, marker...)
	q.glued = b
	switch marker {
	case markTemp, markID:
	case markTime:
		q.dated = true
		fallthrough
	default:
		q.temp.end = min(q.temp.end, b)
	}
	return b
}

// drop leaves in[a:b] out.
func (q *quieter) drop(a, b int) {
	q.out = append(q.out, q.in[q.from:a]...)
	q.from = b
}

// word looks at the word that begins at i.
func (q *quieter) word(i int) int {
	end := wordEnd(q.in, i)
	if q.in[i] > 'Z' && i >= q.temp.end && !mayLabel(q.in, end) && (end-i != 8 || byteAt(q.in, end) != '-') {
		return end // as nearly all words do, they go by
	}
	before := q.before(i)
	if before == marked {
		return end
	}
	if end := uuidEnd(q.in, i, end); end > 0 {
		return q.replace(i, end, markID)
	}
	if q.in[i] <= 'Z' {
		if end := namedDate(q.in, i); end > 0 {
			return q.replace(i, end, markTime)
		}
		if end := klogHeader(q.in, i, end); end > 0 {
			return q.replace(i+1, end, markTime) // the letter is the severity
		}
	}
	if a := q.tempName(i, end, before); a < end {
		return q.replace(a, end, markTemp)
	}
	if a, b, marker := q.labelled(i, end, before); b > 0 {
		return q.replace(a, b, marker)
	}
	return end
}

// number looks at the number, or the word with a digit first, that begins at i.
func (q *quieter) number(i int) int {
	end := wordEnd(q.in, i)
	before := q.before(i)
	if before == marked {
		return end
	}
	if byteAt(q.in, end) == ':' {
		if a, b := q.meter(i, before); b > 0 {
			return q.replace(a, b, markMeter)
		}
	}
	if end := numericDate(q.in, i, before); end > 0 {
		return q.replace(i, end, markTime)
	}
	if end := uuidEnd(q.in, i, end); end > 0 {
		return q.replace(i, end, markID)
	}
	if end := q.address(i, end, before); end > 0 {
		return q.replace(i, end, markAddr)
	}
	if end, marker := q.measured(i, before); end > 0 {
		return q.replace(i, end, marker)
	}
	if end := q.epoch(i, end); end > 0 {
		return q.replace(i, end, markTime)
	}
	if end := q.barePid(i, end, before); end > 0 {
		return q.replace(i, end, markPid)
	}
	if a := q.tempName(i, end, before); a < end {
		return q.replace(a, end, markTemp)
	}
	return end
}

// sign looks at a character that may begin or announce a class.
func (q *quieter) sign(i int) int {
	switch q.in[i] {
	case '/', '\\':
		if i >= q.temp.end {
			q.temp = tempPath(q.in, i)
		}
	case '(':
		if a, b := q.aside(i); b > 0 {
			q.drop(a, b)
			return b
		}
	case '-':
		if a, b := q.meter(i, q.before(i)); b > 0 {
			return q.replace(a, b, markMeter)
		}
	case '[':
		if a, b := q.uptime(i); b > 0 {
			return q.replace(a, b, markTime)
		}
		if a, b := q.chromeHeader(i); b > 0 {
			return q.replace(a, b, markTime)
		}
		if a, b := q.job(i); b > 0 {
			return q.replace(a, b, markPid)
		}
	case '=':
		if a, b := q.checker(i); b > 0 {
			return q.replace(a, b, markPid)
		}
	case '#':
		if a, b := q.buildkit(i); b > 0 {
			return q.replace(a, b, markTook)
		}
	case '@':
		if a, b := q.identityHash(i); b > 0 {
			return q.replace(a, b, markAddr)
		}
	}
	return i + 1
}

// marked stands for the end of a marker where a byte is looked at.
const marked = 0

// before returns the byte before i: marked behind a marker, and the end of a
// line at the start of the text.
func (q *quieter) before(i int) byte {
	switch {
	case i == q.glued:
		return marked
	case i == 0:
		return '\n'
	case q.in[i-1] == markEnd[2] && i >= 3 && string(q.in[i-3:i]) == markEnd:
		return marked
	}
	return q.in[i-1]
}

// opens reports whether a line begins at i.
func (q *quieter) opens(i int) bool {
	c := q.before(i)
	return c == '\n' || c == '\r'
}

// label returns the word that names what stands at i, as in `word: `,
// `"word":"` or "word ", and whether a colon or an equals sign stands between.
func (q *quieter) label(i int) (word []byte, explicit bool) {
	j := i
	for ; j > q.glued && j > 0 && i-j < maxBetween; j-- {
		switch q.in[j-1] {
		case ':', '=':
			explicit = true
			continue
		case ' ', '\t', '"', '\'', '`', '(':
			continue
		}
		break
	}
	if j == i {
		return nil, false
	}
	end := j
	for ; j > q.glued && j > 0 && end-j < maxLabel && isWord(q.in[j-1]); j-- {
	}
	return q.in[j:end], explicit
}

const (
	maxBetween = 8  // characters between a label and its value
	maxLabel   = 48 // characters of a label
)
