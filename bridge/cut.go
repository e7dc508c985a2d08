package bridge

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json/jsontext"
)

var (
	errNotJSON   = errors.New("not valid JSON")
	errNotObject = errors.New("not an object")
	errTwice     = errors.New("stated twice")
)

// cut takes the member called name out of the JSON object text. It returns the
// object without it, appended to scratch, and the member's value, nil where
// there is none, as a part of text.
//
// Values are stepped over by their strings and brackets alone, at any depth and
// at the speed of memory. Whoever reads a value finds out whether its grammar is
// right; that way a large one is parsed once, where it is used.
func cut(text []byte, name string, scratch []byte) (rest, value []byte, err error) {
	i := skipBlank(text, 0)
	if i == len(text) || text[i] != '{' {
		return nil, nil, errNotObject
	}
	rest = append(scratch, '{')
	i = skipBlank(text, i+1)
	if i < len(text) && text[i] == '}' {
		return append(rest, '}'), nil, atEnd(text, i+1)
	}
	for first := true; ; {
		start := i
		if i = skipString(text, i); i < 0 {
			return nil, nil, errNotJSON
		}
		quoted := text[start:i]
		i = skipBlank(text, i)
		if i == len(text) || text[i] != ':' {
			return nil, nil, errNotJSON
		}
		from := skipBlank(text, i+1)
		if i = skipValue(text, from); i < 0 {
			return nil, nil, errNotJSON
		}
		switch {
		case !names(quoted, name):
			if !first {
				rest = append(rest, ',')
			}
			rest = append(rest, text[start:i]...)
			first = false
		case value != nil:
			return nil, nil, errTwice
		default:
			value = text[from:i]
		}
		i = skipBlank(text, i)
		if i == len(text) {
			return nil, nil, errNotJSON
		}
		switch text[i] {
		case ',':
			i = skipBlank(text, i+1)
		case '}':
			return append(rest, '}'), value, atEnd(text, i+1)
		default:
			return nil, nil, errNotJSON
		}
	}
}

// names reports whether a quoted string, in any spelling, is name.
func names(quoted []byte, name string) bool {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1:len(quoted)-1]) == name
	}
	unquoted, err := jsontext.AppendUnquote(nil, quoted)
	return err == nil && string(unquoted) == name
}

func atEnd(text []byte, i int) error {
	if skipBlank(text, i) != len(text) {
		return errNotJSON
	}
	return nil
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
