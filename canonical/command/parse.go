package command

import (
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// Bounds on what goes to the recursive parser. They hold its cost to milliseconds
// and its stack to megabytes; what lies beyond is split instead.
const (
	maxParse   = 1 << 18 // bytes of text
	maxOpeners = 2000    // bytes and words that may open a level, however they pair
	maxPaired  = 10000   // the same, where they close again as they should
	maxDepth   = 100     // levels open at once in such a text
)

var parsers = sync.Pool{New: func() any {
	return syntax.NewParser(syntax.Variant(syntax.LangBash))
}}

// parse returns the syntax tree of a text, or nil if the text has none or is out of
// bounds.
func parse(text string) (file *syntax.File) {
	if len(text) > maxParse || !shallow(text) {
		return nil
	}
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
// quotes, so it can only see too much depth, never too little, until maxOpeners.
func shallow(text string) bool {
	openers, depth, deepest := 0, 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(', '{', '[':
			openers++
			depth++
			deepest = max(deepest, depth)
		case ')', '}', ']':
			depth = max(depth-1, 0)
		case '`', '|', '!', '?', '~':
			openers++
		case '-', '+', '&':
			// Unary operators nest only when repeated.
			if i > 1 && (text[i-1] == text[i] || text[i-1] == ' ' && text[i-2] == text[i]) {
				openers++
			}
		case 'f', 'e', 'l': // if; while, time, case; until
			if i > 0 && (text[i-1] == 'i' || text[i-1] == 'l' || text[i-1] == 'm' || text[i-1] == 's') &&
				(i+1 == len(text) || text[i+1] <= ' ') {
				openers++
			}
		}
	}
	return openers <= maxOpeners || openers <= maxPaired && deepest <= maxDepth
}
