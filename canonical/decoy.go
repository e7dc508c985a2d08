package canonical

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// WithoutMembers returns the object input without its members of these names,
// and of the long texts the ones that are left in it. What is no object comes
// back as it is, and so does what is no JSON.
func WithoutMembers(input []byte, elided []LongText, names []string) ([]byte, []LongText) {
	dec := jsontext.NewDecoder(bytes.NewReader(input), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if dec.PeekKind() != '{' {
		return input, elided
	}
	var out []byte
	var gone []string
	for dec.ReadToken(); dec.PeekKind() == '"'; {
		raw, err := dec.ReadValue()
		if err != nil {
			return input, elided
		}
		name, _ := jsontext.AppendUnquote(nil, raw)
		drop := slices.Contains(names, string(name))
		if drop {
			gone = append(gone, "/"+pointerEscape.Replace(string(name)))
		} else {
			out = append(append(append(out, ','), raw...), ':')
		}
		value, err := dec.ReadValue()
		if err != nil {
			return input, elided
		}
		if !drop {
			out = append(out, value...)
		}
	}
	if dec.PeekKind() != '}' || gone == nil {
		return input, elided
	}
	left := slices.DeleteFunc(slices.Clone(elided), func(l LongText) bool {
		return slices.ContainsFunc(gone, func(at string) bool { return l.At == at || strings.HasPrefix(l.At, at+"/") })
	})
	if out == nil {
		return []byte("{}"), left
	}
	out[0] = '{'
	return append(out, '}'), left
}

// pointerEscape writes a name as a JSON Pointer does (RFC 6901).
var pointerEscape = strings.NewReplacer("~", "~0", "/", "~1")
