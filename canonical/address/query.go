package address

import (
	"slices"
	"strings"
)

// canonicalQuery sorts the parameters of a query by name, leaves out those that
// serve tracking, and writes each in one way. A query is read as a form, as
// servers do: + is a blank, an encoded slash is a slash, "a" is "a=", nothing
// between two & is nothing.
func canonicalQuery(raw string) string {
	if raw == "" {
		return ""
	}
	type parameter struct{ start, name, end int } // name: where it ends
	var few [8]parameter
	parameters := few[:0]
	out := make([]byte, 0, len(raw)+32)
	for raw != "" {
		var text string
		text, raw, _ = strings.Cut(raw, "&")
		name, value, _ := strings.Cut(text, "=")
		p := parameter{start: len(out)}
		out = appendForm(out, name)
		p.name = len(out)
		if value != "" {
			out = append(out, '=')
			out = appendFormValue(out, value)
		}
		p.end = len(out)
		if p.end > p.start && !isTracking(out[p.start:p.name]) {
			parameters = append(parameters, p)
		} else {
			out = out[:p.start]
		}
	}
	byName := func(a, b parameter) int {
		return strings.Compare(string(out[a.start:a.name]), string(out[b.start:b.name]))
	}
	var b strings.Builder
	b.Grow(len(out) + len(parameters))
	slices.SortStableFunc(parameters, byName)
	for i, p := range parameters {
		if i > 0 {
			b.WriteByte('&')
		}
		b.Write(out[p.start:p.end])
	}
	return b.String()
}

func appendForm(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if v, ok := encodedByte(s, i); ok {
			c = v
			i += 2
		} else if c == '+' {
			c = ' '
		}
		dst = appendByte(dst, c, queryByte)
	}
	return dst
}

// appendFormValue differs from appendForm in that a = needs no encoding.
func appendFormValue(dst []byte, s string) []byte {
	for {
		part, rest, more := strings.Cut(s, "=")
		dst = appendForm(dst, part)
		if !more {
			return dst
		}
		dst = append(dst, '=')
		s = rest
	}
}
