package address

import (
	"bytes"
	"strings"
)

// How a byte may stand in a path or a query.
const (
	unreservedByte = 1 << iota // RFC 3986: means the same with and without percent-encoding
	pathByte                   // stands for itself in a path; encoded, it may mean another thing
	queryByte                  // stands for itself in a query that is a form
)

var spelling = func() (s [256]uint8) {
	for c := range s {
		if c := byte(c); isLetter(c) || isDigit(c) || strings.IndexByte("-._~", c) >= 0 {
			s[c] = unreservedByte | pathByte | queryByte
		}
	}
	for _, c := range "!$&'()*+,;=:@" {
		s[c] |= pathByte
	}
	for _, c := range "/?:@!$'()*,;" {
		s[c] |= queryByte
	}
	return s
}()

// canonicalPath resolves dot segments, takes the slashes off the end, and
// writes in one way what can be percent-encoded or not. The path is empty or
// begins with a slash or a backslash.
func canonicalPath(raw string) string {
	if isCanonicalPath(raw) {
		return raw
	}
	out := make([]byte, 0, len(raw)+16)
	for raw != "" {
		segment := raw[1:]
		raw = ""
		if i := strings.IndexAny(segment, `/\`); i >= 0 {
			segment, raw = segment[:i], segment[i:]
		}
		start := len(out)
		out = append(out, '/')
		out = appendSegment(out, segment)
		switch string(out[start+1:]) {
		case "..":
			out = out[:max(0, bytes.LastIndexByte(out[:start], '/'))]
		case ".":
			out = out[:start]
		}
	}
	out = bytes.TrimRight(out, "/")
	if len(out) == 0 {
		return "/"
	}
	return string(out)
}

// isCanonicalPath reports whether a path is in its one spelling already, as most
// are. It may say no to one that is.
func isCanonicalPath(path string) bool {
	for i := range len(path) {
		switch c := path[i]; {
		case c == '/':
			if i+1 < len(path) && path[i+1] == '.' {
				return false
			}
		case spelling[c]&pathByte == 0:
			return false
		}
	}
	return path == "/" || path != "" && path[len(path)-1] != '/'
}

// appendSegment appends a segment of a path. Only what RFC 3986 calls
// unreserved loses its percent-encoding; an encoded slash stays one.
func appendSegment(dst []byte, segment string) []byte {
	for i := 0; i < len(segment); i++ {
		c := segment[i]
		safe := uint8(pathByte)
		if v, ok := encodedByte(segment, i); ok {
			c, safe = v, unreservedByte
			i += 2
		}
		dst = appendByte(dst, c, safe)
	}
	return dst
}

// appendByte appends c as it is if it may stand so, and otherwise encoded.
func appendByte(dst []byte, c byte, safe uint8) []byte {
	if spelling[c]&safe != 0 {
		return append(dst, c)
	}
	const hex = "0123456789ABCDEF"
	return append(dst, '%', hex[c>>4], hex[c&15])
}

// encodedByte returns the byte whose percent-encoding stands at i, false where
// none does.
func encodedByte(s string, i int) (byte, bool) {
	if s[i] != '%' || i+2 >= len(s) {
		return 0, false
	}
	high, ok := hexValue(s[i+1])
	low, ok2 := hexValue(s[i+2])
	return high<<4 | low, ok && ok2
}

// appendDecoded appends s without any percent-encoding.
func appendDecoded(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if v, ok := encodedByte(s, i); ok {
			c = v
			i += 2
		}
		dst = append(dst, c)
	}
	return dst
}
