package guard

import (
	"bytes"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// Phrases are found where a plain search in lower case finds them.
func TestPhrasesAreFoundInEitherCase(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, p := range []*phrases{anchorWords, appliedWords, missingWords, nothingWords, refusedWords, madeWords, failedWords, errorWords} {
		found := 0
		for range 3000 {
			var text []byte
			for range 1 + r.IntN(5) {
				s := p.all[r.IntN(len(p.all))]
				from := r.IntN(len(s))
				s = s[from : from+1+r.IntN(len(s)-from)]
				switch r.IntN(4) {
				case 0:
					s = strings.ToUpper(s)
				case 1:
					s = p.all[r.IntN(len(p.all))]
				}
				text = append(append(text, s...), []string{"", " ", "@", "\x00", "é"}[r.IntN(5)]...)
			}
			lower := bytes.Map(func(c rune) rune {
				if 'A' <= c && c <= 'Z' {
					c |= 0x20
				}
				return c
			}, text)
			first, starts := -1, false
			for _, s := range p.all {
				if i := bytes.Index(lower, []byte(s)); i >= 0 && (first < 0 || i < first) {
					first = i
				}
				starts = starts || bytes.HasPrefix(lower, []byte(s))
			}
			if got := p.first(text); got != first || p.in(text) != (first >= 0) || p.start(text) != starts {
				t.Fatalf("%q: first %d, want %d; starts %v, want %v", text, got, first, p.start(text), starts)
			}
			if first >= 0 {
				found++
			}
		}
		if found < 1000 {
			t.Errorf("%q: only %d texts had one", p.all[0], found)
		}
	}
}

func TestSaysHowFar(t *testing.T) {
	plain := regexp.MustCompile(`(?i)\d ?%|\d ?/ ?\d|\d of \d`)
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var text []byte
		for range r.IntN(8) {
			text = append(text, []string{"1", "23", " ", "%", "/", "of", " of ", "OF", "a", "o", "f"}[r.IntN(11)]...)
		}
		if got, want := saysHowFar(text), plain.Match(text); got != want {
			t.Fatalf("%q: %v, want %v", text, got, want)
		}
	}
}
