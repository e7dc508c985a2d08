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
	if !s.object {
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
			value = s.Value
		}
	}
	return append(rest, '}'), value, s.Err()
}

// Scanner steps over the members of an object or the elements of an array.
type Scanner struct {
	// Value is the text of the current member's or element's value.
	Value []byte

	text   []byte
	object bool
	closer byte
	name   []byte // the current member's name, quoted
	start  int    // where it begins
	i      int
	begun  bool
	err    error
}

// Scan returns a scanner of text, an object or an array.
func Scan(text []byte) Scanner {
	s := Scanner{text: text, i: skipBlank(text, 0)}
	switch {
	case s.i < len(text) && text[s.i] == '{':
		s.object, s.closer = true, '}'
	case s.i < len(text) && text[s.i] == '[':
		s.closer = ']'
	default:
		s.err = ErrNotJSON
	}
	s.i++
	return s
}

// Err returns what ended the stepping, nil at a plain end.
func (s *Scanner) Err() error { return s.err }

// Named reports whether the current member has this name, in any spelling. An
// element of an array has none.
func (s *Scanner) Named(name string) bool {
	if !s.object {
		return false
	}
	if bytes.IndexByte(s.name, '\\') < 0 {
		return string(s.name[1:len(s.name)-1]) == name
	}
	unquoted, err := jsontext.AppendUnquote(nil, s.name)
	return err == nil && string(unquoted) == name
}

// Member returns the text of the current member, its name included.
func (s *Scanner) Member() []byte { return s.text[s.start:s.i] }

// Next steps to the next member or element and reports whether there is one.
func (s *Scanner) Next() bool {
	if s.err != nil {
		return false
	}
	i := skipBlank(s.text, s.i)
	switch {
	case i == len(s.text):
		return s.fail()
	case s.text[i] == s.closer:
		return s.end(i + 1)
	case s.begun && s.text[i] != ',':
		return s.fail()
	case s.begun:
		i = skipBlank(s.text, i+1)
	}
	s.begun, s.start = true, i
	if s.object {
		if i = skipString(s.text, i); i < 0 {
			return s.fail()
		}
		s.name = s.text[s.start:i]
		i = skipBlank(s.text, i)
		if i == len(s.text) || s.text[i] != ':' {
			return s.fail()
		}
		i = skipBlank(s.text, i+1)
	}
	from := i
	if i = skipValue(s.text, from); i < 0 {
		return s.fail()
	}
	s.Value, s.i = s.text[from:i], i
	return true
}

func (s *Scanner) fail() bool {
	s.err = ErrNotJSON
	return false
}

// end checks that nothing follows.
func (s *Scanner) end(i int) bool {
	if skipBlank(s.text, i) != len(s.text) {
		return s.fail()
	}
	s.i = i - 1 // stay before the bracket: a further Next ends too
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
