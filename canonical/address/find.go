package address

import (
	"iter"
	"strings"
)

// Mention is one address in a text.
type Mention struct {
	// Start and End are where it stands, in bytes, without the punctuation of
	// the text around it.
	Start, End int
	// Address is where it leads; the zero Address if Err is not nil.
	Address Address
	// Err says why it is not known where it leads, above all ErrPlaceholder and
	// ErrNoHost.
	Err error
}

// Find returns the mentions of http and https addresses in any text: a command
// line, a program, a page, prose. Only what has a scheme is one.
//
// An address ends where people would end it: before blanks, quotes and angle
// brackets, closing brackets without an opening one in the address, punctuation
// that another sentence follows, and punctuation of Chinese and Japanese. One
// written as a regular expression (https?://api\.example\.com/(v1|v2)) is read
// as what it matches, its path as far as that is certain; one in a string of a
// program or of JSON (https:\/\/example.com\/) or of HTML (&amp;) as what the
// string says. An address inside another (?u=https://…) is a part of that.
//
// Time is linear in the length of text.
func Find(text string) iter.Seq[Mention] {
	return func(yield func(Mention) bool) {
		for from, last := 0, 0; ; {
			i := strings.IndexByte(text[from:], ':')
			if i < 0 {
				return
			}
			colon := from + i
			s, ok := openScheme(text, last, colon)
			if !ok {
				from = colon + 1
				continue
			}
			m := s.mention()
			if !yield(m) {
				return
			}
			// What was trimmed off is looked at again, once.
			from = max(m.End, s.body)
			last = from
		}
	}
}

// schemes are the ways in which a scheme stands before the colon; a pattern
// among them makes the whole address one. Longer ones come before those they
// end in.
var schemes = [...]struct {
	text    string
	secure  bool
	pattern bool
}{
	{"(?:http|https)", false, true},
	{"(?:https|http)", false, true},
	{"(http|https)", false, true},
	{"(https|http)", false, true},
	{`\(http\|https\)`, false, true},
	{"{http,https}", false, true},
	{"{https,http}", false, true},
	{"(?:https?)", false, true},
	{"(https?)", false, true},
	{"http(?:s)?", false, true},
	{"http(s)?", false, true},
	{"http(s|)", false, true},
	{"http[s]?", false, true},
	{`http\(s\)\?`, false, true},
	{"http(s)", false, true},
	{`https\?`, false, true},
	{"https?", false, true},
	{"https*", false, true},
	{"https", true, false},
	{"http", false, false},
}

// openScheme looks whether the colon ends the scheme of an address, written
// at from or after, and where the address goes on.
func openScheme(text string, from, colon int) (scan, bool) {
	body, ok := skipSeparator(text, colon+1)
	if !ok {
		return scan{}, false
	}
	for _, scheme := range schemes {
		start := colon - len(scheme.text)
		if start < from || !strings.EqualFold(text[start:colon], scheme.text) {
			continue
		}
		// Another letter before it makes it another scheme, or none, unless that
		// belongs to an escape like \n.
		if start > 0 && (isLetter(text[start-1]) || isDigit(text[start-1])) && !(start > 1 && text[start-2] == '\\') {
			return scan{}, false
		}
		s := scan{text: text, start: start, body: body, pattern: scheme.pattern, defaultPort: "80"}
		if scheme.secure {
			s.defaultPort = "443"
		}
		if start > 0 {
			s.quote = text[start-1]
		}
		return s, true
	}
	return scan{}, false
}

// skipSeparator returns what follows the two slashes at i, each of which may
// have backslashes before it, as in JSON and in regular expressions.
func skipSeparator(text string, i int) (int, bool) {
	for range 2 {
		for n := 0; n < 2 && i < len(text) && text[i] == '\\'; n++ {
			i++
		}
		if i == len(text) || text[i] != '/' {
			return 0, false
		}
		i++
	}
	return i, true
}
