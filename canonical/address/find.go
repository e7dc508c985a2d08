package address

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/publicsuffix"
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
		for from := 0; ; {
			i := strings.IndexByte(text[from:], ':')
			if i < 0 {
				return
			}
			colon := from + i
			s, ok := openScheme(text, from, colon)
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
// after from, and where the address goes on.
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

// hole puts a mark in the place of something that fits many texts.
func (s *scan) hole(n int) {
	if s.path {
		s.mute(n)
		return
	}
	s.put('*', n)
}

func (s *scan) mute(n int) {
	s.at += n
	s.muted = true
}

// character takes over a character that is not ASCII, unless it ends addresses.
func (s *scan) character() {
	r, n := utf8.DecodeRuneInString(s.text[s.at:])
	if r == utf8.RuneError && n == 1 || endsAddress(r) || !s.path && (s.inPort || s.domainIsWhole() && unicode.In(r, proseScripts...)) {
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
	host := string(s.out[min(s.host, len(s.out)):])
	dot := strings.LastIndexByte(host, '.')
	if dot < 0 || dot+1 == len(host) || len(host) > maxName {
		return false
	}
	_, listed := publicsuffix.PublicSuffix(strings.ToLower(host[dot+1:]))
	return listed
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

// escape reads a backslash and what follows: an escape of a string or of a
// regular expression.
func (s *scan) escape() {
	rest := s.text[s.at+1:]
	if strings.HasPrefix(rest, `\/`) { // a string within a string
		s.put('/', 3)
		return
	}
	if rest == "" {
		s.stopped = true
		return
	}
	switch c := rest[0]; c {
	case '/':
		s.put('/', 2)
	case '.', '-', ':', '[', ']', '_', '@':
		s.pattern = s.pattern || c == '.'
		if c == '[' {
			s.inIPv6 = !s.path && len(s.out) == s.host
		}
		s.put(c, 2)
	case '?', '=', '&', '%', '#', '+', '~', '!', '*', '$', ',', ';':
		if s.path || c == '?' || c == '#' {
			s.put(c, 2)
			return
		}
		s.hole(2)
	case 'd', 'w', 'W', 'S', 'D', 'p':
		s.pattern = true
		s.hole(2)
	case 'u':
		if c, ok := unicodeEscape(rest); ok && c > ' ' && c != '"' && c != '<' && c != '>' {
			s.put(c, len(`\u0026`))
			return
		}
		s.stopped = true
	case '(', '{', '|', ')', '}':
		if s.pattern && s.path {
			s.mute(2)
			return
		}
		s.stopped = true
	default:
		s.stopped = true
	}
}

// unicodeEscape reads the u0026 of a string.
func unicodeEscape(s string) (byte, bool) {
	if len(s) < 5 || s[1] != '0' || s[2] != '0' {
		return 0, false
	}
	high, ok := hexValue(s[3])
	low, ok2 := hexValue(s[4])
	c := high<<4 | low
	return c, ok && ok2 && c < 0x7f
}

// angle reads <: only a placeholder for the host is part of an address.
func (s *scan) angle() {
	if s.path || len(s.out) != s.host {
		s.stopped = true
		return
	}
	s.put('<', 1)
	for s.at < len(s.text) && (isLetter(s.text[s.at]) || isDigit(s.text[s.at]) || strings.IndexByte("_-.", s.text[s.at]) >= 0) {
		s.put(s.text[s.at], 1)
	}
	if s.at < len(s.text) && s.text[s.at] == '>' && len(s.out) > s.host+1 {
		s.put('>', 1)
		return
	}
	// A tag or a comparison, not a placeholder.
	s.at -= len(s.out) - s.host
	s.out = s.out[:s.host]
	s.stopped = true
}

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

// dollar reads $: a variable, or the end of a pattern.
func (s *scan) dollar() {
	next := byte(0)
	if s.at+1 < len(s.text) {
		next = s.text[s.at+1]
	}
	if isLetter(next) || next == '_' || next == '{' || next == '(' || isDigit(next) || next == '$' || s.path && !s.pattern && next > ' ' && next != '\'' && next != '"' {
		s.put('$', 1)
		return
	}
	s.stopped = true
}

// opening reads a bracket that opens.
func (s *scan) opening(c byte) {
	rest := s.text[s.at:]
	switch {
	case s.path && !s.pattern:
	case c == '[' && strings.HasPrefix(rest, "[.]"):
		s.pattern = true
		s.put('.', len("[.]"))
		return
	case s.path:
		// From here on the pattern fits more than one text; what comes before a
		// count is not certain either.
		if c == '{' {
			s.drop()
		}
		s.muted = true
	case c == '{':
	case c == '[' && len(s.out) == s.host:
		s.inIPv6 = isIPv6Literal(rest)
		if !s.inIPv6 {
			s.hole(1)
			s.skipTo(']')
			return
		}
	case !s.pattern && len(s.out) > s.host && s.out[len(s.out)-1] != '$':
		s.stopped = true // a footnote, an aside
		return
	case c == '[':
		s.hole(1)
		s.skipTo(']')
		return
	case c == '(' && s.pattern:
		s.group()
		return
	}
	s.open[strings.IndexByte("([{", c)]++
	s.put(c, 1)
}

// isIPv6Literal reports whether a text begins with what may be an IPv6 address
// in brackets.
func isIPv6Literal(s string) bool {
	const longest = len("[ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255%25enp0s31f6]") + 16
	end := strings.IndexByte(s[:min(len(s), longest)], ']')
	return end > 0 && strings.IndexByte(s[:end], ':') >= 0 && (s[1] == ':' || isHexDigit(s[1]))
}

func isHexDigit(c byte) bool {
	_, ok := hexValue(c)
	return ok
}

// skipTo reads on behind the bracket that closes a class of characters, as in
// [^/]+, or a group, the opening bracket of which was read.
func (s *scan) skipTo(closing byte) {
	// They hold a few characters; without an end they are none.
	const longest = 256
	rest := s.text[s.at:min(len(s.text), s.at+longest)]
	if end := strings.IndexByte(rest, closing); end >= 0 && strings.IndexByte(rest[:end], '\n') < 0 {
		s.pattern = true
		s.at += end + 1
	}
}

// group reads a group of a pattern in the place of the host.
func (s *scan) group() {
	rest := s.text[s.at:]
	for _, www := range [...]string{`(?:www\.)?`, `(www\.)?`, `(?:www.)?`, `(www.)?`, `(?:www[.])?`, `(www[.])?`} {
		if len(s.out) == s.host && strings.HasPrefix(rest, www) {
			s.at += len(www)
			return
		}
	}
	if s.inPort {
		s.put('*', 1)
		s.skipTo(')')
		return
	}
	inner := strings.TrimPrefix(rest[1:], "?:")
	for _, end := range [...]string{":", `\:`, "/", `\/`, "?", "#", "$", "|"} {
		if len(s.out) > s.host && strings.HasPrefix(inner, end) {
			// A port or a path, or none: the host is whole.
			s.path = true
			s.open[0]++
			s.mute(1)
			return
		}
	}
	s.open[0]++
	s.hole(1)
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

// quantifier reads what says how often the character before it may come, which
// is then not certain.
func (s *scan) quantifier() {
	switch {
	case s.path:
		s.drop()
		s.mute(1)
	case s.text[s.at] == '?' && len(s.out) > s.host && s.out[len(s.out)-1] == ':':
		s.drop()
		s.path = true
		s.mute(1)
	case len(s.out) == s.host:
		s.stopped = true
	default:
		s.hole(1)
	}
}

// drop takes back the last character.
func (s *scan) drop() {
	if !s.muted && len(s.out) > s.host {
		s.out = s.out[:len(s.out)-1]
	}
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
