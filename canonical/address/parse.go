package address

import (
	"fmt"
	"strconv"
	"strings"
)

// Parse returns the Address of one whole text with a scheme, read as the WHATWG
// URL Standard says and browsers do: blanks around it, letters in capitals,
// backslashes for slashes, too few or too many slashes, a port with zeros, an
// IPv4 address as one number, in octal or in hexadecimal, names in any script.
//
// It is stricter on hosts than the standard: a name holds letters, digits,
// hyphens, underscores and dots, and is no longer than DNS allows. The error
// wraps one of the Err… values. Time is linear in the length of text.
func Parse(text string) (Address, error) {
	text = clean(text)
	scheme, rest, ok := strings.Cut(text, ":")
	switch {
	case ok && strings.EqualFold(scheme, "https"):
		return parseRest(skipSlashes(rest), "443")
	case ok && strings.EqualFold(scheme, "http"):
		return parseRest(skipSlashes(rest), "80")
	}
	return Address{}, ErrScheme
}

// ParseArgument returns the Address of a text that its place says is one: the
// argument of curl, the member url of a fetch. The scheme may be missing there,
// as in example.com/x, //example.com/x or localhost:8080. A port alone, as in
// :8080/x, is one of this machine. A path (/x, ./x) has no host. Errors are
// those of Parse.
func ParseArgument(text string) (Address, error) {
	text = clean(text)
	if i := strings.IndexByte(text, ':'); i > 0 && i+1 < len(text) && (text[i+1] == '/' || text[i+1] == '\\') {
		if isScheme(text[:i]) {
			return Parse(text)
		}
	}
	switch {
	case strings.HasPrefix(text, "//"):
		return parseRest(text[2:], "80")
	case strings.HasPrefix(text, ":") && len(text) > 1 && (isDigit(text[1]) || text[1] == '/' || text[1] == '$'):
		return parseRest("localhost"+text, "80")
	case text == "", strings.ContainsRune(`/\.-?#`, rune(text[0])):
		return Address{}, ErrNoHost
	}
	return parseRest(text, "80")
}

// clean takes off what the standard ignores: control characters and blanks
// around an address, tabs and line breaks anywhere in it.
func clean(text string) string {
	text = strings.TrimFunc(text, func(r rune) bool { return r <= ' ' })
	if strings.ContainsAny(text, "\t\n\r") {
		text = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(text)
	}
	return text
}

func isScheme(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isLetter(c) && (i == 0 || !isDigit(c) && c != '+' && c != '-' && c != '.') {
			return false
		}
	}
	return s != ""
}

func skipSlashes(s string) string { return strings.TrimLeft(s, `/\`) }

// parseRest reads what follows the slashes after the scheme.
func parseRest(rest, defaultPort string) (Address, error) {
	authority := rest
	if i := strings.IndexAny(rest, `/\?#`); i >= 0 {
		authority, rest = rest[:i], rest[i:]
	} else {
		rest = ""
	}
	// Everything before the last @ is credentials.
	name := authority[strings.LastIndexByte(authority, '@')+1:]
	port := ""
	colon := strings.IndexByte(name, ':')
	if strings.HasPrefix(name, "[") {
		colon = -1
		if end := strings.IndexByte(name, ']'); end >= 0 && end+1 < len(name) {
			if name[end+1] != ':' {
				return Address{}, fmt.Errorf("%w: text after ]", ErrHost)
			}
			colon = end + 1
		}
	}
	if colon >= 0 {
		name, port = name[:colon], name[colon+1:]
	}

	var a Address
	var err error
	if a.Host, err = canonicalHost(name); err != nil {
		return Address{}, err
	}
	if a.Port, err = canonicalPort(port, defaultPort); err != nil {
		return Address{}, err
	}
	rest, _, _ = strings.Cut(rest, "#")
	path, query, _ := strings.Cut(rest, "?")
	a.Path, a.Query = canonicalPath(path), canonicalQuery(query)
	return a, nil
}

func canonicalPort(port, defaultPort string) (string, error) {
	if port == "" || port == defaultPort {
		return "", nil
	}
	for i := range len(port) {
		if !isDigit(port[i]) {
			return placeholderPort(port)
		}
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return "", ErrPort
	}
	if port = strconv.FormatUint(n, 10); port == defaultPort {
		return "", nil
	}
	return port, nil
}

// placeholderPort lets a port pass that is to be filled in: the host is known
// all the same.
func placeholderPort(port string) (string, error) {
	for i := range len(port) {
		if port[i] <= ' ' || port[i] > '~' {
			return "", ErrPort
		}
	}
	if strings.ContainsAny(port, placeholderMarks) {
		return port, nil
	}
	return "", ErrPort
}

func isDigit(c byte) bool  { return c-'0' <= 9 }
func isLetter(c byte) bool { return c|0x20-'a' <= 'z'-'a' }

// hexValue returns the value of a hexadecimal digit, false for another byte.
func hexValue(c byte) (byte, bool) {
	switch {
	case isDigit(c):
		return c - '0', true
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10, true
	}
	return 0, false
}
