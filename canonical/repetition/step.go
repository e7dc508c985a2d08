package repetition

import (
	"bytes"
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
	if i < len(text) && isDigit(text[i]) || i > 0 && isDigit(text[i-1]) {
		return digits(text, i)
	}
	start, end := i, i
	for start > 0 && isWord(text[start-1]) {
		start--
	}
	for end < len(text) && isWord(text[end]) {
		end++
	}
	if end-start < shortestNumber || end-start > longestNumber || !initials[initial(text[start:])] {
		return -1, nil
	}
	return spelled(text[start:end]), text[end:]
}

// mostDigits is how many digits are read at most. Longer numbers are names.
const mostDigits = 9

func digits(text []byte, i int) (value int, rest []byte) {
	start := i
	for start > 0 && isDigit(text[start-1]) && i-start <= mostDigits {
		start--
	}
	end := start
	for ; end < len(text) && isDigit(text[end]); end++ {
		if end-start == mostDigits {
			return -1, nil
		}
		value = 10*value + int(text[end]-'0')
	}
	return value, text[end:]
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWord(c byte) bool { return c == '-' || 'a' <= c|0x20 && c|0x20 <= 'z' }

// The shortest and the longest of the spelled numbers, in bytes.
const (
	shortestNumber = len("one")
	longestNumber  = len("seventy-seventh")
)

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

// initial is a mark of the first two letters of a word.
func initial(word []byte) int { return int(word[0]&31)<<5 | int(word[1]&31) }

// initials are those that spelled numbers have: few words begin like one.
var initials = func() (table [32 * 32]bool) {
	for word := range numbers {
		table[initial([]byte(word))] = true
	}
	return table
}()

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
