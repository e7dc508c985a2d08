package guard

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/loopbreaker/loopbreaker/canonical/repetition"
)

// Channel is a kind of what the model writes.
type Channel string

// The channels.
const (
	ChannelText      Channel = "text"      // what it says
	ChannelThinking  Channel = "thinking"  // what it thinks
	ChannelArguments Channel = "arguments" // the arguments of its calls, as JSON text
)

// Written is a piece of what the model writes, as it comes.
type Written struct {
	Channel Channel
	// Block is the number of the message's block that it belongs to. Pieces of one
	// block come in order.
	Block int
	// Tool is the name of the tool whose arguments these are, if it is known.
	Tool string
	Text string
}

// Cut says what is to be kept of a response that repeated itself.
type Cut struct {
	// Block is the block in which it did. Those before it stay as they are, but for
	// calls, which cannot run any more; those after it go.
	Block int
	// Keep is how much of that block's text stays, in bytes of UTF-8: all before the
	// repetition, and one copy.
	Keep int
	// Mark is put after it, for whoever reads on.
	Mark string
	// Seen says that the model is to see what was kept. Otherwise the response counts
	// as aborted, and Pi shows it to nobody but the user.
	Seen bool
}

// writing is the response that is being written.
type writing struct {
	reading map[Channel]*block
	cut     *Cut
	blocks  int // blocks of arguments
	written int // bytes of the last of them
}

// block is one that is being read.
type block struct {
	number   int
	detector *repetition.Detector
}

// begin forgets a response for the next one.
func (w *writing) begin() {
	w.cut, w.blocks, w.written = nil, 0, 0
	for _, b := range w.reading {
		b.number = noBlock
	}
}

const noBlock = -1

// read takes in a piece, and returns a run that is too long.
func (w *writing) read(p Text, piece Written) *repetition.Run {
	b := w.reading[piece.Channel]
	if b == nil {
		if w.reading == nil {
			w.reading = map[Channel]*block{}
		}
		b = &block{number: noBlock, detector: repetition.NewDetector(func(u repetition.Unit) int { return p.copies(u, piece.Channel) })}
		w.reading[piece.Channel] = b
	}
	if b.number != piece.Block {
		b.number = piece.Block
		b.detector.Reset()
		if piece.Channel == ChannelArguments {
			w.blocks++
			w.written = 0
		}
	}
	if piece.Channel == ChannelArguments {
		w.written += len(piece.Text)
	}
	return b.detector.WriteString(piece.Text)
}

// end looks at what the response ends in.
func (w *writing) end() (Channel, *repetition.Run) {
	for _, channel := range []Channel{ChannelText, ChannelThinking, ChannelArguments} {
		if b := w.reading[channel]; b != nil && b.number != noBlock {
			if r := b.detector.End(); r != nil {
				return channel, r
			}
		}
	}
	return "", nil
}

// Write tells of a piece of what the model writes. The decision may end the run, at
// once: the response repeats itself, and would until its end.
func (s *Session) Write(w Written) Decision {
	if s.off || !s.policy.Text.Guard || s.writing.cut != nil {
		return Decision{}
	}
	r := s.writing.read(s.policy.Text, w)
	if r == nil {
		return Decision{} // a new status line waits for an answer that is read
	}
	return s.say(s.cutShort(w.Channel, w.Tool, r))
}

// MessageEnd tells that a response is complete, or was aborted. The decision says
// what to keep of one that repeated itself, even if that shows only now.
func (s *Session) MessageEnd() (d Decision) {
	if s.off || !s.policy.Text.Guard {
		return s.say(d)
	}
	if s.writing.cut == nil {
		if channel, r := s.writing.end(); r != nil {
			d = s.cutShort(channel, "", r)
		}
	}
	d.Cut = s.writing.cut
	return s.say(d)
}

// cutShort ends the run for a response that repeats itself.
func (s *Session) cutShort(channel Channel, tool string, r *repetition.Run) Decision {
	f := finding{rule: RuleText, stage: StageAbort, tool: named(tool), count: r.Copies, limit: r.Limit, channel: channel, quote: upright(string(whole([]byte(r.Unit))))}
	s.writing.cut = &Cut{
		Block: s.writing.reading[channel].number,
		Keep:  int(r.Second) + rest(r.Unit),
		Mark:  cutMark(f),
		Seen:  s.ladder.recovers(s.policy.Ladder),
	}
	return s.ladder.cutShort(f)
}

// rest is how much of a unit's next copy is needed for the one before to end well: the
// rest of a character and of a word, and what ends a sentence.
func rest(unit string) (n int) {
	for n < len(unit) && !utf8.RuneStart(unit[n]) {
		n++
	}
	last, _ := utf8.DecodeLastRuneInString(unit)
	inWord := unicode.IsLetter(last) && last < firstIdeographic
	for n < len(unit) && n < longestWord {
		r, size := utf8.DecodeRuneInString(unit[n:])
		inWord = inWord && unicode.IsLetter(r)
		if !inWord && !unicode.IsPunct(r) {
			break
		}
		n += size
	}
	return n
}

// upright turns a unit, which begins anywhere, so that it begins with a sentence or at
// least a word.
func upright(unit string) string {
	at := strings.IndexAny(unit, " \n")
	for i := 1; i < len(unit); i++ {
		if strings.IndexByte(" \n", unit[i]) >= 0 && strings.IndexByte(".!?:\n", unit[i-1]) >= 0 {
			at = i
			break
		}
	}
	return unit[at+1:] + unit[:at+1]
}

// copies is how many copies of a unit are too many in a channel (system `turns`, and
// ours), 0 for no number.
func (t Text) copies(u repetition.Unit, channel Channel) int {
	m := textureOf(u.Text)
	if m.solid == 0 {
		return 0 // blanks are never too many
	}
	var bytes, copies int
	switch {
	case u.Counting && !m.prose():
	case u.Counting && listed(u.Text) && m.sentences > m.numbers: // not each has one
		bytes, copies = t.Lists, paragraphsCopies
	case u.Counting && listed(u.Text):
		bytes, copies = t.Lists, listsCopies
	case u.Counting:
		bytes, copies = t.Counting, countingCopies
	case m.prose() && m.lines > 0 && m.solid < longLine && channel == ChannelArguments: // of a file, as code is
		bytes, copies = t.Mixed, mixedCopies
	case m.prose() && m.lines > 0:
		bytes, copies = t.Lines, linesCopies
	case m.prose():
		bytes, copies = t.Prose, proseCopies
	case m.words > 0:
		bytes, copies = t.Mixed, mixedCopies
	case m.letters+m.digits > 0:
		bytes, copies = t.Data, dataCopies
	case m.lines > 0: // a picture
		bytes, copies = t.Mixed, mixedCopies
	default:
		bytes, copies = t.Marks, marksCopies
	}
	if channel == ChannelArguments {
		bytes *= t.Arguments
	}
	n := 0
	if bytes > 0 {
		n = max(copies, roundUp(bytes, m.solid))
	}
	if t.MinUnit > 0 && t.MinRepeats > 0 && !u.Counting && channel != ChannelArguments {
		// What is repeated may be several units.
		if turns := t.MinRepeats * roundUp(t.MinUnit, m.length); n == 0 || turns < n {
			n = turns
		}
	}
	return n
}

func roundUp(n, by int) int { return (n + by - 1) / by }
