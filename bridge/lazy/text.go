package lazy

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// AppendUnquote is jsontext.AppendUnquote, faster on long texts: it copies eight
// bytes at a time and goes back to the first that does not stand for itself. What
// is rare in a text it leaves to jsontext, from the start.
func AppendUnquote(dst, quoted []byte) ([]byte, error) {
	n := len(quoted) - 1
	if n < 1 || quoted[0] != '"' || quoted[n] != '"' {
		return jsontext.AppendUnquote(dst, quoted)
	}
	dst = slices.Grow(dst, n+8)
	out, o := dst[:cap(dst)], len(dst)
	for i := 1; ; {
		for i+8 <= n {
			eight := binary.LittleEndian.Uint64(quoted[i:])
			binary.LittleEndian.PutUint64(out[o:], eight)
			if m := special(eight); m != 0 {
				i, o = i+bits.TrailingZeros64(m)/8, o+bits.TrailingZeros64(m)/8
				break
			}
			i, o = i+8, o+8
		}
		if i == n {
			return out[:o], nil
		}
		switch c := quoted[i]; {
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(quoted[i:n])
			if r == utf8.RuneError && size == 1 {
				return jsontext.AppendUnquote(dst, quoted)
			}
			o += copy(out[o:], quoted[i:i+size])
			i += size
		case c == '\\' && i+1 < n && unescaped[quoted[i+1]] != 0:
			out[o] = unescaped[quoted[i+1]]
			i, o = i+2, o+1
		case c < ' ', c == '"', c == '\\': // no JSON, or \u
			return jsontext.AppendUnquote(dst, quoted)
		default:
			out[o] = c
			i, o = i+1, o+1
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
