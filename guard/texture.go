package guard

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// texture is what a text is made of, in bytes where nothing else is said.
type texture struct {
	length   int // in UTF-16 code units
	solid    int // all but blanks; signs count one each
	letters  int
	digits   int
	emphasis int // signs that set off words in Markdown
	words    int // how many runs of two letters or more
	longest  int // the longest of them, in scripts with blanks between words
	gaps     int // how many runs of blanks
	lines    int // how many ends of lines, escaped ones of JSON strings too
	// sentences is how many end, in a sign or with a line that is not empty.
	sentences int
	numbers   int // how many runs of digits
}

// textureOf takes a unit apart.
func textureOf(text []byte) (m texture) {
	text = whole(text)
	run, spaced, blank, within, number := 0, 0, false, false, false
	m.lines = bytes.Count(text, []byte("\n")) + bytes.Count(text, []byte(`\n`))
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		m.length++
		if r > 0xFFFF {
			m.length++
		}
		if digit := unicode.IsDigit(r); digit != number {
			number = digit
			if digit {
				m.numbers++
			}
		}
		if unicode.IsSpace(r) {
			if !blank {
				m.gaps++
			}
			if r == '\n' && within {
				m.sentences++
				within = false
			}
			blank, run, spaced = true, 0, 0
			continue
		}
		blank = false
		switch {
		case unicode.IsLetter(r) || unicode.IsMark(r):
			within = true
			m.solid += size
			m.letters += size
			if run++; run == 2 {
				m.words++
			}
			if r < firstIdeographic {
				spaced++
				m.longest = max(m.longest, spaced)
			}
			continue
		case number:
			m.digits++
		case r == '*' || r == '_' || r == '`':
			m.emphasis++
		case within && strings.ContainsRune(".!?。！？", r):
			m.sentences++
			within = false
		}
		m.solid++
		run, spaced = 0, 0
	}
	return m
}

// whole turns a unit that begins within a character so that it begins with one.
func whole(unit []byte) []byte {
	for i, c := range unit {
		if utf8.RuneStart(c) {
			if i > 0 {
				return append(bytes.Clone(unit[i:]), unit[:i]...)
			}
			break
		}
	}
	return unit
}

// firstIdeographic is where the scripts of China and Japan begin, which have no blanks
// between words.
const firstIdeographic = 0x2E80

// longestWord is longer than words of prose are. Base64 and identifiers are longer.
const longestWord = 24

// prose reports whether a text reads like one: words with blanks between them, of a
// length that words have, and little else beside numbers.
func (m texture) prose() bool {
	signs := m.solid - m.letters - m.digits - m.emphasis
	spaced := m.longest == 0 || 2*m.words <= 3*m.gaps
	return m.words > 0 && 4*signs <= m.letters && m.digits <= m.letters && m.longest <= longestWord && spaced
}

// listed reports whether a unit that counts has an item of a list, a heading or a row of
// something: a line that begins with a mark or a number, be it that of a chapter or a
// day. Lists end by themselves.
func listed(unit []byte) bool {
	if !bytes.Contains(unit, []byte("\n")) {
		return false
	}
	for line := range bytes.Lines(unit) {
		line = bytes.TrimLeft(line, " \t\r\n")
		if len(line) == 0 {
			continue
		}
		if line[0] < utf8.RuneSelf && !unicode.IsLetter(rune(line[0])) {
			return true
		}
		words := bytes.SplitN(line, []byte(" "), 3)
		if len(words) > 1 && bytes.ContainsAny(bytes.Join(words[:2], nil), "0123456789") {
			return true
		}
	}
	return false
}
