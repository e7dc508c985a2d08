package canonical

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
)

// LongTextOver is the length, in UTF-16 code units, above which a string is
// known by its digest instead of its letters. Hashing a string costs a host a
// quarter of what stringifying it does; the two ways break even at 2 to 4 Ki.
const LongTextOver = 4096

// LongText stands for a string too long to be sent whole. The host puts null in
// its place and lists it apart from the value, so that nothing a model writes
// can pass for one.
type LongText struct {
	// At is the JSON Pointer (RFC 6901) to the string's place in the value.
	At string
	// SHA256 is the digest of the string's UTF-8 bytes.
	SHA256 [sha256.Size]byte
	// Length is the string's length in UTF-16 code units, above LongTextOver.
	Length int
	// Head and Tail are the string's first and last characters, a few hundred
	// each, for rules that look at how a text begins or ends.
	Head, Tail string
}

// longLength returns the length of a well-formed UTF-8 text in UTF-16 code
// units if it is a long one, else 0.
func longLength(text []byte) int {
	if len(text) <= LongTextOver {
		return 0 // never more units than bytes
	}
	n := len(text)
	for len(text) >= 8 {
		if eight := binary.LittleEndian.Uint64(text); eight&high != 0 {
			n += units(eight)
		}
		text = text[8:]
	}
	for _, c := range text {
		n += units(uint64(c))
	}
	if n <= LongTextOver {
		return 0
	}
	return n
}

const high = 0x8080808080808080

// units returns by how much the UTF-16 code units of eight bytes of UTF-8 are
// more than the bytes: a byte that goes on with a character has none, and one that
// begins a character of four bytes has two.
func units(eight uint64) int {
	follows := eight &^ (eight << 1) & high
	of4 := eight & (eight << 1) & (eight << 2) & (eight << 3) & high
	return bits.OnesCount64(of4) - bits.OnesCount64(follows)
}
