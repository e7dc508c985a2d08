package address

import (
	"bytes"
	"iter"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Argument is one address in the input of a tool.
type Argument struct {
	// Member is the name of the member whose value holds the address, itself or
	// in an array; empty where no member does.
	Member string
	// Target is true if the value is nothing but the address and Member names
	// one (url, href, baseUrl, image_urls). Other values are commands, programs
	// or prose that contain an address.
	Target bool
	// Mention is the address; Start and End count in the string that the value is.
	Mention Mention
}

// FindJSON returns the addresses in all strings of a JSON value, at any depth,
// in their order. A scheme may be missing where Target is true; what is not an
// address there (/about, see below) is left out. After a syntax error nothing
// more is found.
func FindJSON(value []byte) iter.Seq[Argument] {
	return func(yield func(Argument) bool) {
		var text []byte
		for member, raw := range jsonStrings(value) {
			named := namesAddress(member)
			if !named && !mayHoldAddress(raw) {
				continue
			}
			var err error
			if text, err = jsontext.AppendUnquote(text[:0], raw); err != nil {
				continue
			}
			if !argumentsIn(member, named, string(text), yield) {
				return
			}
		}
	}
}

// argumentsIn yields the addresses in one string; false if no more are wanted.
func argumentsIn(member string, named bool, text string, yield func(Argument) bool) bool {
	if named && looksBare(text) {
		a, err := ParseArgument(text)
		if err != nil {
			return true
		}
		return yield(Argument{member, true, Mention{0, len(text), a, nil}})
	}
	for m := range Find(text) {
		target := named && strings.TrimSpace(text) == text[m.Start:m.End]
		if !yield(Argument{member, target, m}) {
			return false
		}
	}
	return true
}

// looksBare reports whether a text may be an address without a scheme: one word
// that begins with a domain, localhost, an IP address or a port.
func looksBare(text string) bool {
	if text == "" || len(text) > 2048 || strings.Contains(text, "://") || strings.ContainsAny(text, " \t\n\"<>") {
		return false
	}
	host := text
	if i := strings.IndexAny(strings.TrimPrefix(text, "//"), "/?#"); i >= 0 {
		host = strings.TrimPrefix(text, "//")[:i]
	}
	return strings.Contains(strings.Trim(host, "."), ".") || strings.HasPrefix(host, "localhost") || strings.HasPrefix(host, "[")
}

// jsonStrings yields the strings of a JSON value, quoted, each with the name of
// the member around it.
func jsonStrings(value []byte) iter.Seq2[string, jsontext.Value] {
	return func(yield func(string, jsontext.Value) bool) {
		dec := jsontext.NewDecoder(bytes.NewReader(value), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		members := []string{""} // of the arrays and objects around; the last is the current one
		for {
			kind := dec.PeekKind()
			if kind != '"' {
				if _, err := dec.ReadToken(); err != nil {
					return
				}
				switch kind {
				case '{', '[':
					members = append(members, members[len(members)-1])
				case '}', ']':
					members = members[:len(members)-1]
				}
				continue
			}
			raw, err := dec.ReadValue()
			if err != nil {
				return
			}
			if around, n := dec.StackIndex(dec.StackDepth()); around == '{' && n%2 == 1 {
				name, _ := jsontext.AppendUnquote(nil, raw)
				members[len(members)-1] = string(name)
				continue
			}
			if !yield(members[len(members)-1], raw) {
				return
			}
		}
	}
}

// mayHoldAddress reports whether a string can contain a scheme: it saves the
// unquoting of most.
func mayHoldAddress(raw jsontext.Value) bool {
	return bytes.Contains(raw, []byte(":/")) || bytes.Contains(raw, []byte(`:\`)) || bytes.Contains(raw, []byte(`\u003`))
}

// namesAddress reports whether a member of that name holds an address: url,
// uri, href, link, endpoint, and names that end in one of these words.
func namesAddress(member string) bool {
	if len(member) > 64 {
		return false
	}
	name := strings.ToLower(member)
	if name == "curl" {
		return false
	}
	name = strings.TrimSuffix(name, "s")
	for _, word := range [...]string{"url", "uri", "href", "link", "endpoint"} {
		if strings.HasSuffix(name, word) {
			return true
		}
	}
	return false
}
