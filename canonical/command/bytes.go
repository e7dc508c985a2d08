package command

import "unicode/utf8"

// kindOf says what a byte is where it stands unquoted.
var kindOf = func() (kinds [256]byteKind) {
	mark := func(kind byteKind, chars string) {
		for i := range len(chars) {
			kinds[chars[i]] |= kind
		}
	}
	for c := range kinds {
		if c >= utf8.RuneSelf || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' {
			kinds[c] = wordByte | bareByte
		}
	}
	mark(wordByte|bareByte, "_-./:@%+,^]}")
	mark(wordByte, "{=*?~[!#")
	mark(endByte, " \t;|&>")
	mark(globByte, `*?~[{\`)
	mark(oddByte, "={}![]")
	return kinds
}()

type byteKind uint8

const (
	wordByte byteKind = 1 << iota // part of a plain word
	bareByte                      // one that never needs quotes
	endByte                       // what ends a plain word
	globByte                      // what may make the shell expand it, or a backslash
	oddByte                       // what may make a command word something else
)

// any tells whether a text has a byte of that kind.
func (k byteKind) any(text string) bool {
	for i := range len(text) {
		if kindOf[text[i]]&k != 0 {
			return true
		}
	}
	return false
}
