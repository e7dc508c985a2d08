package canonical

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/bits"
	"slices"
	"strconv"
	"sync"
)

// Fingerprint is the identity of a tool result, within one process.
type Fingerprint [16]byte

// String returns the fingerprint in hexadecimal.
func (f Fingerprint) String() string { return hex.EncodeToString(f[:]) }

// Block is one part of a tool result: a text or an image.
type Block struct {
	// MediaType is the type of an image, "" for a text.
	MediaType string
	// Data is the text, or the image in base64.
	Data []byte
	// Long stands for Data where the host sends a digest instead, else nil.
	Long *LongText
}

// Origin says what kind of tool a result comes from, as far as that matters to
// what in it is noise.
type Origin uint8

const (
	// Ran: something ran and said so, with all the noise of a run.
	Ran Origin = iota
	// Read: the text of a file. A date, a duration or an id in it is there
	// because somebody wrote it, so nothing in it is noise.
	Read
	// Searched: lines of files, found by several threads at once and told in
	// whatever order they were found.
	Searched
)

// OriginOf returns the origin of the results of a tool that is known by name.
// Pi's own grep has no stable order (ripgrep, unsorted); its find and ls do.
func OriginOf(tool string) Origin {
	switch w := []byte(tool); {
	case isFold(w, "read", "read_file", "view"):
		return Read
	case isFold(w, "grep", "rg", "ripgrep", "search", "search_files"):
		return Searched
	}
	return Ran
}

// ResultFingerprints returns two fingerprints of a tool result. The exact one
// is shared by results with the same blocks in the same order and the same
// error flag. The quiet one is also shared by results that differ only by
// noise (see AppendQuiet) beside something else, or by the order of the lines that a search found.
//
// A text longer than LongTextOver may come whole or as its digest: the exact
// fingerprint is the same. Nothing can be taken out of a digest, so the quiet
// one is not.
func ResultFingerprints(origin Origin, isError bool, blocks []Block) (exact, quiet Fingerprint) {
	exact = ExactFingerprint(isError, blocks)
	return exact, QuietFingerprint(exact, origin, isError, blocks)
}

// ExactFingerprint returns the exact one alone, at a fraction of the cost.
func ExactFingerprint(isError bool, blocks []Block) Fingerprint {
	w := resultWriters.Get().(*resultWriter)
	defer resultWriters.Put(w)
	w.begin(isError)
	for i := range blocks {
		w.media(&blocks[i])
		w.content(&blocks[i])
	}
	return sumOf(w.head)
}

// QuietFingerprint returns the quiet one of a result whose exact one is known.
func QuietFingerprint(exact Fingerprint, origin Origin, isError bool, blocks []Block) Fingerprint {
	w := resultWriters.Get().(*resultWriter)
	defer func() {
		if cap(w.text) > keptBuffer {
			w.text = nil
		}
		resultWriters.Put(w)
	}()
	noisy := -1 // the first block with noise
	for i := range blocks {
		if w.hasNoise(origin, &blocks[i]) {
			noisy = i
			break
		}
	}
	if noisy < 0 {
		return exact
	}
	w.begin(isError)
	for i := range blocks {
		b := &blocks[i]
		w.media(b)
		switch {
		case i < noisy || i > noisy && !w.hasNoise(origin, b):
			w.content(b)
		case origin == Searched:
			w.sorted(w.text)
		default:
			w.part(w.text)
		}
	}
	return sumOf(w.head)
}

// resultWriter writes down what there is to tell of blocks, of each text its sum and
// how long it is, so that no two parts can run into each other. It is kept for its
// buffers.
type resultWriter struct {
	head, text []byte
	lines      [][]byte
}

var resultWriters = sync.Pool{New: func() any { return new(resultWriter) }}

func (w *resultWriter) begin(isError bool) {
	w.head = append(w.head[:0], 0)
	if isError {
		w.head[0] = 1
	}
}

// media writes of what kind a block is.
func (w *resultWriter) media(b *Block) {
	w.head = append(appendLength(w.head, len(b.MediaType)), b.MediaType...)
}

// hasNoise reports whether the quiet form of a block is another than the exact one.
// It then stands in w.text.
func (w *resultWriter) hasNoise(origin Origin, b *Block) bool {
	if b.Long != nil || b.MediaType != "" || origin == Read {
		return false
	}
	w.text = AppendQuiet(w.text[:0], b.Data)
	if onlyNoise(w.text) {
		return false // it is what was asked for
	}
	return origin == Searched || longLength(b.Data) > 0 || !bytes.Equal(w.text, b.Data)
}

// onlyNoise reports whether nothing is left of a quiet text but its markers.
func onlyNoise(text []byte) bool {
	noise := false
	for len(text) > 0 {
		switch c := text[0]; {
		case bytes.HasPrefix(text, []byte(markStart)):
			end := bytes.Index(text, []byte(markEnd))
			if end < 0 {
				return false
			}
			noise = true
			text = text[end+len(markEnd):]
			continue
		case isWord(c), c >= 0x80:
			return false
		}
		text = text[1:]
	}
	return noise
}

// content writes the text of a block, or the digest of a long one.
func (w *resultWriter) content(b *Block) {
	sum, length := [sha256.Size]byte{}, 0
	if b.Long != nil {
		sum, length = b.Long.SHA256, b.Long.Length
	} else if length = longLength(b.Data); length > 0 {
		sum = sha256.Sum256(b.Data)
	}
	if length == 0 {
		w.part(b.Data)
		return
	}
	w.head = append(appendLong(w.head, sum, length), ';')
}

// part writes a length, and the sum of what is that long.
func (w *resultWriter) part(text []byte) {
	sum := sumOf(text)
	w.head = append(appendLength(w.head, len(text)), sum[:]...)
}

// appendLength appends a length, which ends where it ends and does not begin as
// the digest of a long text does.
func appendLength(dst []byte, n int) []byte {
	return append(strconv.AppendInt(dst, int64(n), 10), ':')
}

// sorted writes the lines of text in their own order.
func (w *resultWriter) sorted(text []byte) {
	w.lines = w.lines[:0]
	for line := range bytes.SplitSeq(text, []byte{'\n'}) {
		w.lines = append(w.lines, line)
	}
	slices.SortFunc(w.lines, bytes.Compare)
	w.head = appendLength(w.head, len(w.lines))
	for _, line := range w.lines {
		w.part(line)
	}
	clear(w.lines)
	if cap(w.lines) > keptBuffer/32 {
		w.lines = nil
	}
}

// countedOver is the length, in bytes, above which a result is no answer of a
// counter.
const countedOver = 4096

// UnnumberedFingerprint returns a fingerprint that results also share which differ
// in their numbers alone. A result that is not a short text has none: it returns
// other, the fingerprint that tells it apart.
func UnnumberedFingerprint(other Fingerprint, isError bool, blocks []Block) Fingerprint {
	if len(blocks) != 1 || blocks[0].MediaType != "" || blocks[0].Long != nil || len(blocks[0].Data) > countedOver {
		return other
	}
	var buf [countedOver + 1]byte
	text := buf[:1]
	if isError {
		text[0] = 1
	}
	return sumOf(appendUnnumbered(text, blocks[0].Data))
}

// appendUnnumbered appends a text with one digit in the place of each number. It
// copies eight bytes at a time and goes back to the first digit among them.
func appendUnnumbered(dst, text []byte) []byte {
	for i := 0; i < len(text); {
		if len(text)-i >= 8 {
			eight := binary.LittleEndian.Uint64(text[i:])
			dst = binary.LittleEndian.AppendUint64(dst, eight)
			n := digitAmong(eight)
			i += n
			if n == 8 {
				continue
			}
			dst = dst[:len(dst)-8+n]
		} else if !isDigit(text[i]) {
			dst = append(dst, text[i])
			i++
			continue
		}
		dst = append(dst, '0')
		i = digitsEnd(text, i)
	}
	return dst
}

// digitAmong returns how many of eight bytes stand before the first digit.
func digitAmong(eight uint64) int {
	// Of a byte without its high bit, adding 0x50 sets it from '0' on, and adding
	// 0x46 from ':' on; neither carries into the next.
	low := eight &^ high
	digits := (low + 0x5050505050505050) &^ (low + 0x4646464646464646) &^ eight & high
	return bits.TrailingZeros64(digits) / 8
}
