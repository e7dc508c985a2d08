package address

import "strings"

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
	case !s.pattern && len(s.out) > s.host && s.out[len(s.out)-1] != '$' && s.out[len(s.out)-1] != '%':
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
