// Package lazy steps over JSON by its strings and brackets alone, at any depth
// and at the speed of memory. Whoever reads a value finds out whether its grammar
// is right; that way a large one is parsed once, where it is used, or not at all.
package lazy

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json/jsontext"
)

// What is wrong with a text that is stepped over.
var (
	// ErrNotJSON: a string or bracket does not end, or the text is not made of
	// members or elements.
	ErrNotJSON = errors.New("not valid JSON")
	// ErrNotObject: the text is not an object.
	ErrNotObject = errors.New("not an object")
	// ErrTwice: an object states one name twice.
	ErrTwice = errors.New("stated twice")
)

// Cut takes the member called name out of the JSON object text. It returns the
// object without it, appended to scratch, and the member's value, nil where
// there is none, as a part of text.
func Cut(text []byte, name string, scratch []byte) (rest, value []byte, err error) {
	s := Scan(text)
	if s.closer != '}' {
		return nil, nil, ErrNotObject
	}
	rest = append(scratch, '{')
	for first := true; s.Next(); {
		switch {
		case !s.Named(name):
			if !first {
				rest = append(rest, ',')
			}
			rest = append(rest, s.Member()...)
			first = false
		case value != nil:
			return nil, nil, ErrTwice
		default:
			value = s.Value()
		}
	}
	return append(rest, '}'), value, s.Err()
}

// Levels is how many values within one another a Scanner enters.
const Levels = 4

// Scanner steps over the members of an object or the elements of an array, and
// into those that are entered.
type Scanner struct {
	text    []byte
	closer  byte          // the bracket that ends what is stepped over
	outer   [Levels]outer // what it is in
	level   int           // how many there are
	start   int           // where the current member or element begins
	name    []byte        // its name, quoted; nil in an array
	escaped bool          // whether the name is not spelled as it is
	from    int           // where its value begins
	i       int           // where it ends, or from while that is not known
	begun   bool          // whether there is a current member or element
	err     error
}

// outer is an object or array one of whose values has been entered.
type outer struct {
	closer      byte
	start, from int
}

// Scan returns a scanner of text, an object or an array.
func Scan(text []byte) Scanner {
	s := Scanner{text: text, i: skipBlank(text, 0)}
	if s.i == len(text) || !s.open() {
		s.err = ErrNotJSON
	}
	return s
}

// open steps behind the bracket at i, if there is one.
func (s *Scanner) open() bool {
	switch s.text[s.i] {
	case '{':
		s.closer = '}'
	case '[':
		s.closer = ']'
	default:
		return false
	}
	s.i++
	s.begun, s.name = false, nil
	return true
}

// Err returns what ended the stepping, nil at a plain end.
func (s *Scanner) Err() error { return s.err }

// Named reports whether the current member has this name, in any spelling. An
// element of an array has none.
func (s *Scanner) Named(name string) bool {
	if s.name == nil {
		return false
	}
	if !s.escaped {
		return string(s.name[1:len(s.name)-1]) == name
	}
	unquoted, err := jsontext.AppendUnquote(nil, s.name)
	return err == nil && string(unquoted) == name
}

// Starts reports whether the current value begins with this byte, which tells
// what it is.
func (s *Scanner) Starts(c byte) bool { return s.text[s.from] == c }

// Value returns the text of the current value, nil where it does not end.
func (s *Scanner) Value() []byte {
	if !s.skip() {
		return nil
	}
	return s.text[s.from:s.i]
}

// Member returns the text of the current member, its name included.
func (s *Scanner) Member() []byte {
	if !s.skip() {
		return nil
	}
	return s.text[s.start:s.i]
}

// Enter steps into the current value if that begins with the given bracket and has
// not been looked at. Next then steps over what is in it and reports its end once;
// then the value is the current one again.
func (s *Scanner) Enter(bracket byte) bool {
	if s.err != nil || !s.begun || s.i > s.from || s.level == Levels || s.text[s.i] != bracket {
		return false
	}
	s.outer[s.level] = outer{s.closer, s.start, s.from}
	s.level++
	return s.open()
}

// Next steps to the next member or element and reports whether there is one.
func (s *Scanner) Next() bool {
	if s.err != nil || s.begun && !s.skip() {
		return false
	}
	i := skipBlank(s.text, s.i)
	switch {
	case i == len(s.text):
		return s.fail()
	case s.text[i] == s.closer:
		return s.end(i)
	case s.begun && s.text[i] != ',':
		return s.fail()
	case s.begun:
		i = skipBlank(s.text, i+1)
	}
	s.begun, s.start = true, i
	if s.closer == '}' {
		if i = skipString(s.text, i); i < 0 {
			return s.fail()
		}
		s.name = s.text[s.start:i]
		s.escaped = bytes.IndexByte(s.name, '\\') >= 0
		i = skipBlank(s.text, i)
		if i == len(s.text) || s.text[i] != ':' {
			return s.fail()
		}
		i = skipBlank(s.text, i+1)
	}
	if i == len(s.text) {
		return s.fail()
	}
	s.from, s.i = i, i
	return true
}

// skip steps over the current value, if that has not been done.
func (s *Scanner) skip() bool {
	if s.i > s.from {
		return true
	}
	if s.err != nil {
		return false
	}
	i := skipValue(s.text, s.from)
	if i < 0 {
		return s.fail()
	}
	s.i = i
	return true
}

func (s *Scanner) fail() bool {
	s.err = ErrNotJSON
	return false
}

// end leaves what ends with the bracket at i, and at the end of all checks that
// nothing follows.
func (s *Scanner) end(i int) bool {
	if s.level > 0 {
		s.level--
		o := &s.outer[s.level]
		s.closer, s.start, s.from = o.closer, o.start, o.from
		s.name, s.begun, s.i = nil, true, i+1
		return false
	}
	if skipBlank(s.text, i+1) != len(s.text) {
		return s.fail()
	}
	s.i, s.from, s.begun = i, i, false // stay before the bracket: a further Next ends too
	return false
}

func skipBlank(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r') {
		i++
	}
	return i
}

// skipString returns the index after the string that starts at i, or -1.
func skipString(text []byte, i int) int {
	if i >= len(text) || text[i] != '"' {
		return -1
	}
	for i++; ; {
		n := bytes.IndexByte(text[i:], '"')
		if n < 0 {
			return -1
		}
		escapes := 0
		for escapes < n && text[i+n-1-escapes] == '\\' {
			escapes++
		}
		i += n + 1
		if escapes%2 == 0 {
			return i
		}
	}
}

// skipValue returns the index after the value that starts at i, or -1.
func skipValue(text []byte, i int) int {
	start := i
	for depth := 0; i < len(text); {
		switch text[i] {
		case '"':
			if i = skipString(text, i); i < 0 {
				return -1
			}
		case '{', '[':
			depth++
			i++
			continue
		case '}', ']':
			if depth--; depth < 0 {
				return -1
			}
			i++
		case ',', ':', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return -1
			}
			i++
			continue
		default:
			for i++; i < len(text) && !endsScalar(text[i]); i++ {
			}
		}
		if depth == 0 && i > start {
			return i
		}
	}
	return -1
}

func endsScalar(c byte) bool {
	switch c {
	case ',', ':', ']', '}', '[', '{', '"', ' ', '\t', '\n', '\r':
		return true
	}
	return false
}
