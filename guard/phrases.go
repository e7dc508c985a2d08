package guard

import "math/bits"

// phrases are texts by which results tell, in lower case, two letters at least, and no
// more than 32 of them. They are found in either case.
type phrases struct {
	all []string
	// begin says of two bytes, each by its last five bits, which a letter has in
	// either case, which of the phrases may begin with them.
	begin [1 << 10]uint32
}

func phrasesOf(all ...string) *phrases {
	p := &phrases{all: all}
	for i, s := range all {
		p.begin[pair(s[0], s[1])] |= 1 << i
	}
	return p
}

func pair(a, b byte) uint16 { return uint16(a&31)<<5 | uint16(b&31) }

// first returns where the first of them begins, -1 where there is none.
func (p *phrases) first(text []byte) int {
	for i := 1; i < len(text); i++ {
		for some := p.begin[pair(text[i-1], text[i])]; some != 0; some &= some - 1 {
			if begins(text[i-1:], p.all[bits.TrailingZeros32(some)]) {
				return i - 1
			}
		}
	}
	return -1
}

// in reports whether a text has one of them.
func (p *phrases) in(text []byte) bool { return p.first(text) >= 0 }

// start reports whether a text starts with one of them.
func (p *phrases) start(text []byte) bool {
	for _, s := range p.all {
		if begins(text, s) {
			return true
		}
	}
	return false
}

// begins reports whether a text begins with a phrase, in either case.
func begins(text []byte, phrase string) bool {
	if len(phrase) > len(text) {
		return false
	}
	for i := range len(phrase) {
		c := text[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != phrase[i] {
			return false
		}
	}
	return true
}
