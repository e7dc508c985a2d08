package guard

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// texture is what a text is made of, in bytes but for length and words.
type texture struct {
	length  int // in UTF-16 code units
	solid   int // all but blanks
	letters int
	digits  int
	words   int // runs of two letters or more
	longest int // run of letters, in a script with blanks between words
	blanks  int
}

// textureOf takes a text apart.
func textureOf(text []byte) (m texture) {
	run, spaced := 0, 0
	end := func() {
		if run > 1 {
			m.words++
		}
		m.longest = max(m.longest, spaced)
		run, spaced = 0, 0
	}
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		m.length++
		if r > 0xFFFF {
			m.length++
		}
		letter := false
		switch {
		case unicode.IsSpace(r):
			m.blanks += size
		case unicode.IsLetter(r) || unicode.IsMark(r):
			letter = true
			m.letters += size
			m.solid += size
		case unicode.IsDigit(r):
			m.digits += size
			m.solid += size
		default:
			m.solid += size
		}
		if !letter {
			end()
			continue
		}
		run++
		if r < 0x2E80 { // ideographs and kana stand without blanks
			spaced++
		}
	}
	end()
	return m
}

// prose reports whether a text reads like one: words of a length that words have,
// and little else beside numbers.
func (m texture) prose() bool {
	return m.words > 0 && 5*m.letters >= 4*(m.solid-m.digits) && 3*m.digits < m.solid && m.longest <= longestWord && (m.blanks > 0 || m.longest == 0)
}

// longestWord is longer than words of prose are; base64 and identifiers are longer.
const longestWord = 24

// listed reports whether a unit that counts is an item of a list, a heading or a row
// of something: a line that begins with a mark or a number, be it that of a chapter
// or a day. Lists end by themselves.
func listed(unit []byte) bool {
	line := bytes.TrimLeft(unit, " \t\r\n")
	if len(line) == 0 {
		return false
	}
	if !unicode.IsLetter(rune(line[0])) && line[0] < utf8.RuneSelf {
		return true
	}
	words := bytes.SplitN(line, []byte(" "), 3)
	return bytes.IndexByte(unit, '\n') >= 0 && len(words) > 1 && bytes.ContainsAny(bytes.Join(words[:2], nil), "0123456789")
}
