package address

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/publicsuffix"
)

// scan reads one address off a text.
type scan struct {
	text        string
	start, body int // where the scheme begins, and what follows the slashes
	quote       byte
	pattern     bool // a regular expression
	defaultPort string

	at      int    // where to read on
	out     []byte // the address after its slashes, as a plain one
	path    bool   // behind the authority
	host    int    // where the host begins in out
	muted   bool   // nothing after this is certain
	open    [3]int // unclosed (, [, {
	inIPv6  bool
	inPort  bool
	stopped bool
}

func (s *scan) mention() Mention {
	s.at = s.body
	for s.at < len(s.text) && !s.stopped {
		s.step()
	}
	s.trim()
	m := Mention{Start: s.start, End: s.at}
	m.Address, m.Err = parseRest(string(s.out), s.defaultPort)
	return m
}

// step reads one character, one escape or one group of a pattern.
func (s *scan) step() {
	c := s.text[s.at]
	switch {
	case c >= utf8.RuneSelf:
		s.character()
	case c <= ' ', c == 0x7f, c == '"', c == '`', c == '>', c == '^':
		s.stopped = true
	case c == '\'':
		s.apostrophe()
	case c == '\\':
		s.escape()
	case c == '<':
		s.angle()
	case c == '&':
		s.ampersand()
	case c == '|':
		// Only within a group; elsewhere it is a pipe or the wall of a table.
		if s.open[0] == 0 {
			s.stopped = true
			return
		}
		s.put(c, 1)
	case c == ',' || c == ';':
		if beginsAddress(s.text[s.at+1:]) || !s.path {
			s.stopped = true
			return
		}
		s.put(c, 1)
	case c == '$':
		s.dollar()
	case c == '(' || c == '[' || c == '{':
		s.opening(c)
	case c == ')' || c == ']' || c == '}':
		s.closing(c)
	case s.pattern && (c == '?' || c == '*' || c == '+'):
		s.quantifier()
	default:
		s.put(c, 1)
	}
}

// put takes over the character c, which is n bytes of the text.
func (s *scan) put(c byte, n int) {
	s.at += n
	if s.muted {
		return
	}
	if !s.path {
		switch c {
		case '/', '?', '#', '\\':
			s.path = true
		case '@':
			s.host, s.inPort = len(s.out)+1, false
		case ':':
			s.inPort = !s.inIPv6
		}
	}
	s.out = append(s.out, c)
}

// character takes over a character that is not ASCII, unless it ends addresses.
func (s *scan) character() {
	r, n := utf8.DecodeRuneInString(s.text[s.at:])
	if r == utf8.RuneError && n == 1 || endsAddress(r) || !s.path && (s.inPort || unicode.In(r, proseScripts...) && s.domainIsWhole()) {
		s.stopped = true
		return
	}
	for range n {
		s.put(s.text[s.at], 1)
	}
}

// proseScripts are written without blanks between words, so that text may stand
// right behind a domain.
var proseScripts = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai}

// domainIsWhole reports whether the host so far ends in a top-level domain.
func (s *scan) domainIsWhole() bool {
	host := s.out[s.host:]
	if len(host) > maxName {
		return false
	}
	dot := bytes.LastIndexByte(host, '.')
	_, listed := publicsuffix.PublicSuffix(strings.ToLower(string(host[dot+1:])))
	return dot > 0 && listed
}

// endsAddress reports whether no address goes on with this character: blanks,
// quotes, brackets and punctuation of texts in which nothing else ends it.
func endsAddress(r rune) bool {
	switch {
	case unicode.IsSpace(r), unicode.IsControl(r):
		return true
	case r >= 0x2000 && r <= 0x206f: // general punctuation: “ ” ’ … and widthless blanks
		return true
	case r >= 0x3000 && r <= 0x303f: // 、 。 「 」 and the like, not 々 and 〇
		return r != 0x3005 && r != 0x3007
	case r >= 0xff00 && r <= 0xff65: // full width, but letters and digits
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	case r == 0xab, r == 0xbb, r == 0xfeff: // « » and the byte order mark
		return true
	}
	return false
}

// apostrophe ends an address that it also stands before, and otherwise does not
// inside of a word.
func (s *scan) apostrophe() {
	next := s.at + 1
	if s.quote == '\'' || !s.path || next >= len(s.text) || !isLetter(s.text[next]) && s.text[next] < utf8.RuneSelf {
		s.stopped = true
		return
	}
	s.put('\'', 1)
}

// angle reads <: only a placeholder in the host is part of an address, where the
// host is not whole without it.
func (s *scan) angle() {
	name := s.at + 1
	for name < len(s.text) && isNameByte(s.text[name]) {
		name++
	}
	whole := len(s.out) > s.host && s.out[len(s.out)-1] != '-' && s.out[len(s.out)-1] != '.'
	if s.path || whole || name == s.at+1 || name == len(s.text) || s.text[name] != '>' {
		s.stopped = true // a tag, a comparison, a redirection
		return
	}
	s.put('<', name-s.at)
	s.put('>', 1)
}

func isNameByte(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' || c == '-' || c == '.' }

// ampersand reads & and the entities of HTML.
func (s *scan) ampersand() {
	rest := s.text[s.at+1:]
	for _, entity := range [...]string{"lt;", "gt;", "quot;", "apos;", "nbsp;", "#39;", "#34;", "#x27;", "#x22;"} {
		if strings.HasPrefix(rest, entity) {
			s.stopped = true
			return
		}
	}
	if strings.HasPrefix(rest, "amp;") {
		s.put('&', len("&amp;"))
		return
	}
	if !s.path {
		s.stopped = true // the & of a shell
		return
	}
	s.put('&', 1)
}

// closing reads a bracket that closes; one that nothing opened ends the address.
func (s *scan) closing(c byte) {
	i := strings.IndexByte(")]}", c)
	if s.open[i] == 0 && !s.inIPv6 {
		s.stopped = true
		return
	}
	s.open[i] = max(0, s.open[i]-1)
	if c == ']' {
		s.inIPv6 = false
	}
	s.put(c, 1)
}

// trim takes punctuation off the end that belongs to the text around.
func (s *scan) trim() {
	for s.at > s.body {
		c := s.text[s.at-1]
		switch {
		case s.pattern && (c == '*' || c == '?'):
			return
		case strings.IndexByte(".,:;!?*'", c) >= 0:
		case c == '_' && s.quote == '_', c == '~' && s.quote == '~':
		default:
			return
		}
		s.at--
		if n := len(s.out); !s.muted && n > 0 && s.out[n-1] == c {
			s.out = s.out[:n-1]
		}
	}
}

// beginsAddress reports whether a text begins with an address, after blanks of
// which there are none in an address.
func beginsAddress(s string) bool {
	const longest = len("https://")
	s = strings.ToLower(s[:min(len(s), longest)])
	return strings.HasPrefix(s, "http://") || s == "https://"
}
