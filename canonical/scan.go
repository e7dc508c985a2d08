package canonical

import "unicode/utf8"

// A value as hosts write it is read in one pass, by what follows. It gives up on
// whatever is odd (errors first of all) and leaves that to the walk of json.go,
// which can say what is wrong and where; what it does write is what that writes.

// scan appends the canonical form of the value at i, and returns where it has
// ended, 0 where it has given up.
func (w *writer) scan(out, src []byte, i, depth int) ([]byte, int) {
	i = jsonBlanksEnd(src, i)
	switch c := byteAt(src, i); {
	case c == '"':
		end, escaped := quotedEnd(src, i)
		if end == 0 {
			return out, 0
		}
		return w.scanString(out, src[i:end], escaped, end)
	case c == '{' && depth < MaxDepth:
		return w.scanObject(out, src, i, depth)
	case c == '[' && depth < MaxDepth:
		return w.scanArray(out, src, i, depth)
	case c == '-' || c-'0' <= 9:
		end := numberEnd(src, i)
		if end == 0 {
			return out, 0
		}
		out, err := appendNumber(out, src[i:end])
		if err != nil {
			return out, 0
		}
		return out, end
	}
	for _, word := range [...]string{"null", "true", "false"} {
		if textAt(src, i, word) {
			return append(out, word...), i + len(word)
		}
	}
	return out, 0
}

func (w *writer) scanString(out, raw []byte, escaped bool, end int) ([]byte, int) {
	// The commonest string by far: short, and its own canonical spelling.
	if !escaped && !w.loose && len(raw) <= LongTextOver {
		if !utf8.Valid(raw) {
			return out, 0
		}
		return append(out, raw...), end
	}
	out, err := w.string(out, raw)
	if err != nil {
		return out, 0
	}
	return out, end
}

func (w *writer) scanArray(out, src []byte, i, depth int) ([]byte, int) {
	out = append(out, '[')
	if i = jsonBlanksEnd(src, i+1); byteAt(src, i) == ']' {
		return append(out, ']'), i + 1
	}
	for {
		if out, i = w.scan(out, src, i, depth+1); i == 0 {
			return out, 0
		}
		i = jsonBlanksEnd(src, i)
		c := byteAt(src, i)
		if c != ',' && c != ']' {
			return out, 0
		}
		out = append(out, c)
		i++
		if c == ']' {
			return out, i
		}
	}
}

func (w *writer) scanObject(out, src []byte, i, depth int) ([]byte, int) {
	firstMember, firstName := len(w.members), len(w.names)
	out = append(out, '{')
	start := len(out)
	if i = jsonBlanksEnd(src, i+1); byteAt(src, i) == '}' {
		return append(out, '}'), i + 1
	}
	sorted := true
	for {
		i = jsonBlanksEnd(src, i)
		if byteAt(src, i) != '"' {
			return out, 0
		}
		end, escaped := quotedEnd(src, i)
		if end == 0 {
			return out, 0
		}
		m := member{start: len(out)}
		if raw := src[i:end]; !escaped && utf8.Valid(raw) {
			m.name[0] = len(w.names)
			w.names = append(w.names, raw[1:len(raw)-1]...)
			m.name[1] = len(w.names)
			out = append(out, raw...)
		} else {
			var err error
			if out, m.name, err = w.name(out, raw); err != nil {
				return out, 0
			}
		}
		if i = jsonBlanksEnd(src, end); byteAt(src, i) != ':' {
			return out, 0
		}
		out = append(out, ':')
		if out, i = w.scan(out, src, i+1, depth+1); i == 0 {
			return out, 0
		}
		m.end = len(out)
		if n := len(w.members); n > firstMember {
			order := w.compare(w.members[n-1], m)
			if order == 0 {
				return out, 0 // stated twice
			}
			sorted = sorted && order < 0
		}
		w.members = append(w.members, m)

		i = jsonBlanksEnd(src, i)
		c := byteAt(src, i)
		i++
		switch c {
		case ',':
			out = append(out, ',')
			continue
		case '}':
			if !sorted {
				w.sort(out, start, w.members[firstMember:])
				for n := firstMember + 1; n < len(w.members); n++ {
					if w.compare(w.members[n-1], w.members[n]) == 0 {
						return out, 0 // stated twice
					}
				}
			}
			w.members, w.names = w.members[:firstMember], w.names[:firstName]
			return append(out, '}'), i
		}
		return out, 0
	}
}

// quotedEnd returns where the quoted string at i has ended, and whether there are
// escapes in it; 0 where it has not, or holds what may not stand in one.
func quotedEnd(src []byte, i int) (end int, escaped bool) {
	for i++; i < len(src); i++ {
		switch c := src[i]; {
		case c == '"':
			return i + 1, escaped
		case c == '\\':
			escaped = true
			i++
		case c < ' ':
			return 0, false
		}
	}
	return 0, false
}

// numberEnd returns where the JSON number at i has ended, 0 where none stands there.
func numberEnd(src []byte, i int) int {
	if byteAt(src, i) == '-' {
		i++
	}
	start := i
	if i = digitsEnd(src, i); i == start || src[start] == '0' && i > start+1 {
		return 0
	}
	if byteAt(src, i) == '.' {
		start = i + 1
		if i = digitsEnd(src, start); i == start {
			return 0
		}
	}
	if c := byteAt(src, i); c == 'e' || c == 'E' {
		i++
		if c := byteAt(src, i); c == '+' || c == '-' {
			i++
		}
		start = i
		if i = digitsEnd(src, start); i == start {
			return 0
		}
	}
	return i
}

// jsonBlanksEnd returns where the blanks of JSON at i have ended.
func jsonBlanksEnd(src []byte, i int) int {
	for i < len(src) && (src[i] == ' ' || src[i] == '\t' || src[i] == '\n' || src[i] == '\r') {
		i++
	}
	return i
}
