package guard

// phrases are texts by which results tell, in lower case, two letters at least. They
// are found in either case.
type phrases struct {
	all []string
	// begin says of two bytes, each by its last five bits, which a letter has in
	// either case, whether a phrase may begin with them.
	begin [1 << 10]bool
}

func phrasesOf(all ...string) *phrases {
	p := &phrases{all: all}
	for _, s := range all {
		p.begin[pair(s[0], s[1])] = true
	}
	return p
}

func pair(a, b byte) uint16 { return uint16(a&31)<<5 | uint16(b&31) }

// first returns where the first of them begins, -1 where there is none.
func (p *phrases) first(text []byte) int {
	for i := 1; i < len(text); i++ {
		if p.begin[pair(text[i-1], text[i])] && p.start(text[i-1:]) {
			return i - 1
		}
	}
	return -1
}

// in reports whether a text has one of them.
func (p *phrases) in(text []byte) bool { return p.first(text) >= 0 }

// start reports whether a text starts with one of them.
func (p *phrases) start(text []byte) bool {
next:
	for _, s := range p.all {
		if len(s) > len(text) {
			continue
		}
		for i := range len(s) {
			c := text[i]
			if 'A' <= c && c <= 'Z' {
				c |= 0x20
			}
			if c != s[i] {
				continue next
			}
		}
		return true
	}
	return false
}
