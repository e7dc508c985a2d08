package command

import (
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// maxText is how long a command may be, in bytes, to be read: Linux gives a shell no
// longer one in an argument. To read it takes 600 times as much memory.
const maxText = 1 << 17

// Bounds on what goes to the recursive parser. They hold its cost to milliseconds
// and its stack to megabytes; what lies beyond is split instead.
const (
	maxBrackets = 300   // opening brackets, however they pair
	maxPaired   = 10000 // opening brackets, if they close again as they should
	maxDepth    = 100   // brackets open at once in such a text
	maxKeywords = 2000  // words that open a level
	maxChained  = 10000 // operators the parser follows to the right
)

var parsers = sync.Pool{New: func() any {
	return syntax.NewParser(syntax.Variant(syntax.LangBash))
}}

// parse returns the syntax tree of a text, or nil if the text has none or is out of
// bounds. It may stand in t.
func parse(text string, t *tree) *syntax.File {
	if file := t.build(text); file != nil {
		return file
	}
	if !shallow(text) {
		return nil
	}
	return parseAny(text)
}

// parseAny is parse by the parser.
func parseAny(text string) (file *syntax.File) {
	p := parsers.Get().(*syntax.Parser)
	// A parser that panicked is not put back: its state is unknown.
	defer func() {
		if recover() != nil {
			file = nil
		}
	}()
	file, err := p.Parse(strings.NewReader(text), "")
	parsers.Put(p)
	if err != nil {
		return nil
	}
	return file
}

// shallow tells whether a text is safe to parse by recursive descent. It knows no
// quotes, so that it counts too much rather than too little.
func shallow(text string) bool {
	brackets, depth, deepest, keywords, chained := 0, 0, 0, 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(', '{', '[':
			brackets++
			depth++
			deepest = max(deepest, depth)
		case ')', '}', ']':
			depth = max(depth-1, 0)
		case '`', '|', '!', '?', '~':
			chained++
		case '-', '+', '&':
			// Unary operators nest only when repeated.
			if i > 1 && (text[i-1] == text[i] || text[i-1] == ' ' && text[i-2] == text[i]) {
				chained++
			}
		case 'f', 'e', 'l':
			if (i+1 == len(text) || text[i+1] <= ' ') && opens(text[:i+1]) {
				keywords++
			}
		}
	}
	return keywords <= maxKeywords && chained <= maxChained &&
		(brackets <= maxBrackets || brackets <= maxPaired && deepest <= maxDepth)
}

// opens tells whether a text ends in a word that opens a level.
func opens(text string) bool {
	for _, w := range [...]string{"if", "while", "until", "time", "case"} {
		if strings.HasSuffix(text, w) {
			return true
		}
	}
	return false
}
