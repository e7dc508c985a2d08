package lazy

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// AppendText appends what the current value, a string, says. It is
// jsontext.AppendUnquote, but faster on long texts, and finds the end of the string
// on the way. The error is that of what is no string, or ill-formed.
func (s *Scanner) AppendText(dst []byte) ([]byte, error) {
	if s.i == s.from && s.err == nil {
		if out, n := appendText(dst, s.text[s.i:]); n > 0 {
			s.i += n
			return out, nil
		}
	}
	return jsontext.AppendUnquote(dst, s.Value())
}

// appendText appends what the string that text begins with says, and returns how
// long it is with its quotes; 0 where it is none, or holds what is rare in a text.
// It copies eight bytes at a time and goes back to the first that does not stand
// for itself.
func appendText(dst, text []byte) ([]byte, int) {
	if text[0] != '"' {
		return dst, 0
	}
	i := 1
	for {
		dst = slices.Grow(dst, 8)
		for len(text)-i >= 8 && cap(dst)-len(dst) >= 8 {
			eight := binary.LittleEndian.Uint64(text[i:])
			dst = binary.LittleEndian.AppendUint64(dst, eight)
			if m := special(eight); m != 0 {
				n := bits.TrailingZeros64(m) / 8
				i, dst = i+n, dst[:len(dst)-8+n]
				break
			}
			i += 8
		}
		if i == len(text) {
			return dst, 0
		}
		switch c := text[i]; {
		case c == '"':
			return dst, i + 1
		case c == '\\' && i+1 < len(text) && unescaped[text[i+1]] != 0:
			dst = append(dst, unescaped[text[i+1]])
			i += 2
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(text[i:])
			if r == utf8.RuneError && size == 1 {
				return dst, 0
			}
			dst = append(dst, text[i:i+size]...)
			i += size
		case c < ' ', c == '\\': // no JSON, or \u
			return dst, 0
		default:
			dst = append(dst, c)
			i++
		}
	}
}

// unescaped is what a backslash and a letter say.
var unescaped = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// special sets the high bit of the first of eight bytes that is a control
// character, a quote, a backslash or beyond ASCII. What is above it means nothing,
// for a subtraction may have borrowed.
func special(eight uint64) uint64 {
	const each, high = 0x0101010101010101, 0x8080808080808080
	return (eight | (eight - each*' ') | ((eight ^ each*'"') - each) | ((eight ^ each*'\\') - each)) & high
}

// Plain returns what the JSON string quoted says, as a part of it, if that is
// printable ASCII without escapes.
func Plain(quoted []byte) (text []byte, ok bool) {
	n := len(quoted) - 1
	if n < 1 || quoted[0] != '"' || quoted[n] != '"' {
		return nil, false
	}
	for _, c := range quoted[1:n] {
		if c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			return nil, false
		}
	}
	return quoted[1:n], true
}
