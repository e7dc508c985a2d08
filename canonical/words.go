package canonical

import (
	"slices"
	"unicode/utf8"
)

// Words are the different words of a call's arguments, as hashes in ascending
// order. A call of more than maxWords words has none: it is similar to no other.
//
// A word of a string is a run of letters, digits and underscores: what stands
// between them (blanks, quotes, slashes, dots, dashes) changes more easily than
// what a call is about. So `npm test -- test/foo.ts` and `npm test --
// test/foo.test.ts` have the same words. Options of one dash and up to three
// letters (-r, -rn, -rnI) are no words. A number, a boolean or null is one word
// with the name of its member, for alone it says little, and so is a long text,
// by its digest.
type Words []uint64

const (
	maxWords   = 2048 // 16 KiB for a call
	maxOption  = 3    // letters of an option that is no word
	hashOffset = 14695981039346656037
	hashPrime  = 1099511628211
)

// Overlap returns how many words two calls share, and how many they have together:
// the numerator and the denominator of their Jaccard similarity. The cost is
// linear in the number of words.
func Overlap(a, b Words) (both, either int) {
	either = len(a) + len(b)
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			a, b = a[1:], b[1:]
			both++
		}
	}
	return both, either - both
}

// wordsOf reads the words of a canonical form.
func wordsOf(form []byte) Words {
	var words Words
	var name []byte // of the member last met
	for i := 0; i < len(form) && len(words) <= maxWords; {
		switch form[i] {
		case '{', '}', '[', ']', ',', ':':
			i++
		case '"':
			end := stringEnd(form, i)
			if text := form[i+1 : end-1]; end < len(form) && form[end] == ':' {
				name = text
			} else {
				words = words.addText(text)
			}
			i = end
		default: // a number, a word of JSON or the digest of a long text
			end := valueEnd(form, i)
			words = append(words, hashed(hashed(hashed(hashOffset, name), []byte{':'}), form[i:end]))
			i = end
		}
	}
	if len(words) > maxWords {
		return nil
	}
	slices.Sort(words)
	return slices.Clip(slices.Compact(words))
}

// addText adds the words of a string, given as it stands between its quotes.
func (w Words) addText(text []byte) Words {
	blank := true // whether a blank stands before, or nothing
	for i := 0; i < len(text) && len(w) <= maxWords; {
		if n := wordLength(text[i:]); n > 0 {
			w = append(w, hashed(hashOffset, text[i:i+n]))
			i += n
			blank = false
			continue
		}
		if n := optionLength(text[i:]); n > 0 && blank {
			i += n
			continue
		}
		n := characterLength(text[i:])
		blank = isBlank(text[i : i+n])
		i += n
	}
	return w
}

func wordLength(text []byte) (n int) {
	for n < len(text) && (isWord(text[n]) || text[n] >= utf8.RuneSelf) {
		n++
	}
	return n
}

// optionLength is the length of the short option that text begins with, 0 where
// it begins with none.
func optionLength(text []byte) int {
	n := 0
	for n < len(text) && (n == 0 && text[n] == '-' || n > 0 && isLetter(text[n])) {
		n++
	}
	if n < 2 || n > 1+maxOption {
		return 0
	}
	if n < len(text) && !isBlank(text[n:n+characterLength(text[n:])]) {
		return 0
	}
	return n
}

// characterLength is the length of the character, maybe escaped, that text begins
// with.
func characterLength(text []byte) int {
	switch {
	case text[0] == '\\' && text[1] == 'u':
		return len(`\u0000`)
	case text[0] == '\\':
		return len(`\n`)
	}
	return 1
}

func isBlank(character []byte) bool {
	switch string(character) {
	case " ", `\n`, `\r`, `\t`:
		return true
	}
	return false
}

// hashed goes on with an FNV-1a hash.
func hashed(h uint64, text []byte) uint64 {
	for _, c := range text {
		h = (h ^ uint64(c)) * hashPrime
	}
	return h
}
