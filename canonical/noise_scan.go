package canonical

const (
	markStart = "‹"
	markEnd   = "›"
)

// closes reports whether a word may end at i.
func closes(in []byte, i int) bool {
	return i >= len(in) || !isWord(in[i]) && !(in[i] == markStart[0] && i+3 <= len(in) && string(in[i:i+3]) == markStart)
}

// goesOn reports whether a word, or a marker, follows at i.
func goesOn(in []byte, i int) bool { return i < len(in) && !closes(in, i) }

// byteKind says how the scanner treats a byte.
type byteKind uint8

const (
	otherByte  byteKind = iota
	letterByte          // an ASCII letter or an underscore
	digitByte           // with letter, what words are made of
	blankByte           // space, tab, carriage return
	newlineByte
	signByte // what sign looks at
)

var kinds = func() (k [256]byteKind) {
	for c := range k {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_':
			k[c] = letterByte
		case c >= '0' && c <= '9':
			k[c] = digitByte
		}
	}
	for _, c := range " \t\r" {
		k[c] = blankByte
	}
	for _, c := range `/\(-[=@#` {
		k[c] = signByte
	}
	k['\n'] = newlineByte
	return k
}()

func isWord(c byte) bool   { return kinds[c]-1 < 2 }
func isDigit(c byte) bool  { return c-'0' <= 9 }
func isLetter(c byte) bool { return lowerASCII(c)-'a' <= 'z'-'a' }
func isHex(c byte) bool    { return isDigit(c) || lowerASCII(c)-'a' <= 'f'-'a' }

// lowerASCII folds an ASCII letter; of the other bytes it makes no letter.
func lowerASCII(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c | 0x20
	}
	return c
}

// byteAt returns in[i], or a zero byte outside of the text.
func byteAt(in []byte, i int) byte {
	if i < 0 || i >= len(in) {
		return 0
	}
	return in[i]
}

func wordEnd(in []byte, i int) int {
	for i < len(in) && isWord(in[i]) {
		i++
	}
	return i
}

func digitsEnd(in []byte, i int) int {
	for i < len(in) && isDigit(in[i]) {
		i++
	}
	return i
}

func blanksEnd(in []byte, i int) int {
	for i < len(in) && (in[i] == ' ' || in[i] == '\t') {
		i++
	}
	return i
}

// textAt reports whether s stands at i.
func textAt(in []byte, i int, s string) bool {
	return i >= 0 && len(in)-i >= len(s) && string(in[i:i+len(s)]) == s
}

// endsFold reports whether w ends in one of the lower-case endings, in any case.
func endsFold(w []byte, endings ...string) bool {
next:
	for _, s := range endings {
		if len(w) < len(s) {
			continue
		}
		for i := range s {
			if lowerASCII(w[len(w)-len(s)+i]) != s[i] {
				continue next
			}
		}
		return true
	}
	return false
}
