package canonical

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// Loose returns a key that is also equal for calls whose strings differ in blanks
// around them, or in type, and the words of the call's arguments (see Words). It
// is how the system `risk` reads a call. The errors are those of CallKey.
//
// A string counts without the blanks around it. One that then spells a number or a
// boolean, just as JavaScript prints it, counts as that: models write "5" for 5,
// and hosts take it. Any other spelling of a number ("1.10", "007", "1e3") stays a
// string, for it may be a version or a name, so that two strings are one only if
// they are one without their blanks. The string "null" is not null: to look for
// that word is something else than to leave a member out. Names of members are
// read as they stand.
//
// A long text counts as it is, blanks and all: its digest is all that the host may
// have sent.
func Loose(tool string, input []byte, elided []LongText) (Key, Words, error) {
	buf := keyBuffers.Get().(*[]byte)
	defer keyBuffers.Put(buf)

	text, err := jsontext.AppendQuote((*buf)[:0], tool)
	if err != nil {
		return Key{}, nil, &Error{Reason: ErrIllFormed}
	}
	start := len(text)
	text, err = appendForm(text, input, elided, true)
	if cap(text) <= keptBuffer {
		*buf = text
	}
	if err != nil {
		return Key{}, nil, err
	}
	return sumOf(text), wordsOf(text[start:]), nil
}

// appendLoose appends a string that is not a long one.
func appendLoose(out, text []byte) ([]byte, error) {
	text = bytes.TrimSpace(text)
	if isBare(text) {
		return append(out, text...), nil
	}
	return jsontext.AppendQuote(out, text)
}

// longestNumber is the most characters that JavaScript prints a number in.
const longestNumber = 25

// isBare reports whether a text is the canonical form of a number or a boolean.
func isBare(text []byte) bool {
	if len(text) == 0 || len(text) > longestNumber {
		return false
	}
	switch jsontext.Value(text).Kind() {
	case 't', 'f':
		return string(text) == "true" || string(text) == "false"
	case '0':
		var buf [2 * longestNumber]byte
		number, err := appendNumber(buf[:0], text)
		return err == nil && bytes.Equal(number, text) && jsontext.Value(text).IsValid()
	}
	return false
}
