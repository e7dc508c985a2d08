package repetition

import (
	"bytes"
	"strconv"
	"strings"
)

// step returns a mark of how the numbers of b have moved on from those of a, 0 where
// they have not; false where the two differ in anything else, or a number goes down:
// a countdown ends by itself.
func step(a, b []byte) (mark uint64, alike bool) {
	for {
		var n int
		if len(a) <= len(b) {
			n = match(a, b)
		} else {
			n = match(b, a)
		}
		if n == len(a) && n == len(b) {
			return mark, true
		}
		x, restA := number(a, n)
		y, restB := number(b, n)
		if x < 0 || y <= x {
			return 0, false
		}
		mark = mark*31 + uint64(y-x)
		a, b = restA, restB
	}
}

// number reads the number around or just before an index, in digits or words, and
// returns what follows it; -1 where there is none.
func number(text []byte, i int) (value int, rest []byte) {
	start := i
	switch {
	case i < len(text) && isDigit(text[i]), i > 0 && isDigit(text[i-1]):
		for start > 0 && isDigit(text[start-1]) {
			start--
		}
		end := i
		for end < len(text) && isDigit(text[end]) {
			end++
		}
		if end-start > 9 {
			return -1, nil
		}
		value, err := strconv.Atoi(string(text[start:end]))
		if err != nil {
			return -1, nil
		}
		return value, text[end:]
	}
	for start > 0 && isWord(text[start-1]) {
		start--
	}
	end := i
	for end < len(text) && isWord(text[end]) {
		end++
	}
	if end-start > longestNumber {
		return -1, nil
	}
	if end == start || strings.IndexByte(numberInitials, text[start]|0x20) < 0 {
		return -1, nil
	}
	return spelled(text[start:end]), text[end:]
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWord(c byte) bool { return c == '-' || 'a' <= c|0x20 && c|0x20 <= 'z' }

// longestNumber is the longest of the spelled numbers, in bytes.
const longestNumber = len("seventy-seventh")

// spelled returns the value of an English number below a hundred, cardinal or
// ordinal, -1 where the word is none.
func spelled(word []byte) int {
	var lower [longestNumber]byte
	for i, c := range word {
		lower[i] = c | 0x20 // a hyphen stays one
	}
	word = lower[:len(word)]
	if n, ok := numbers[string(word)]; ok {
		return n
	}
	tens, ones, _ := bytes.Cut(word, []byte("-"))
	t, ok := numbers[string(tens)]
	o, ok2 := numbers[string(ones)]
	if !ok || !ok2 || t < 20 || t%10 != 0 || o == 0 || o > 9 {
		return -1
	}
	return t + o
}

// numberInitials are the letters that spelled numbers begin with.
const numberInitials = "zotfsen"

// numbers are the English numbers of one word.
var numbers = func() map[string]int {
	words := map[string]int{}
	for i, w := range []string{
		"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
		"thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
	} {
		words[w] = i
	}
	for i, w := range []string{
		"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
		"thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth", "twentieth",
	} {
		words[w] = i + 1
	}
	for i, w := range []string{"thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"} {
		words[w] = 30 + 10*i
		words[w[:len(w)-1]+"ieth"] = 30 + 10*i
	}
	return words
}()
