package command

import (
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// word removes the quotes of a word of the tree.
func (r *reader) word(w *syntax.Word) Word {
	if w == nil {
		return Word{Literal: true}
	}
	if len(w.Parts) == 1 {
		switch p := w.Parts[0].(type) {
		case *syntax.Lit:
			if !globByte.any(p.Value) {
				return Word{p.Value, true}
			} else if strings.IndexByte(p.Value, '\\') < 0 {
				return Word{p.Value, !globs(p.Value)}
			}
		case *syntax.SglQuoted:
			if !p.Dollar {
				return Word{p.Value, true}
			}
		case *syntax.DblQuoted:
			if len(p.Parts) == 0 {
				return Word{"", true}
			}
			if l, ok := p.Parts[0].(*syntax.Lit); ok && len(p.Parts) == 1 && strings.IndexByte(l.Value, '\\') < 0 {
				return Word{l.Value, true}
			} else if !ok && len(p.Parts) == 1 {
				return Word{r.source(p.Parts[0]), false}
			}
		default:
			return Word{r.source(p), false}
		}
	}
	var buf [128]byte
	b, literal := buf[:0], true
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if globs(p.Value) {
				literal = false
			}
			b = unescape(b, p.Value, "")
		case *syntax.SglQuoted:
			if p.Dollar {
				b = ansi(b, p.Value)
			} else {
				b = append(b, p.Value...)
			}
		case *syntax.DblQuoted:
			for _, q := range p.Parts {
				if l, ok := q.(*syntax.Lit); ok {
					b = unescape(b, l.Value, "$`\"\\")
				} else {
					b = append(b, r.source(q)...)
					literal = false
				}
			}
		default:
			b = append(b, r.source(part)...)
			literal = false
		}
	}
	return Word{string(b), literal}
}

// source is what a node of the tree was read from.
func (r *reader) source(n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from > to || to > len(r.text) {
		return ""
	}
	return r.text[from:to]
}

// unescape removes backslashes: all of them outside quotes (only is empty), inside
// double quotes those before a byte of only.
func unescape(b []byte, text, only string) []byte {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\\' && i+1 < len(text) {
			if next := text[i+1]; next == '\n' {
				i++
				continue
			} else if only == "" || strings.IndexByte(only, next) >= 0 {
				i++
				c = next
			}
		}
		b = append(b, c)
	}
	return b
}

// ansi decodes the text of $'…'.
func ansi(b []byte, text string) []byte {
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b = append(b, text[i])
			continue
		}
		i++
		if k := strings.IndexByte("abefnrtv", text[i]); k >= 0 {
			b = append(b, "\a\b\x1b\f\n\r\t\v"[k])
			continue
		}
		value, digits := 0, 0
		number := func(base, most int) {
			for digits < most && i+1 < len(text) {
				d := strings.IndexByte("0123456789abcdef", text[i+1]|0x20)
				if text[i+1] < '0' || d < 0 || d >= base {
					return
				}
				value, digits, i = value*base+d, digits+1, i+1
			}
		}
		switch c := text[i]; c {
		case 'x':
			number(16, 2)
			if value != 0 {
				b = append(b, byte(value))
			}
		case 'u':
			number(16, 4)
			if value != 0 {
				b = utf8.AppendRune(b, rune(value))
			}
		case 'U':
			number(16, 8)
			if value != 0 {
				b = utf8.AppendRune(b, rune(value))
			}
		case '0', '1', '2', '3', '4', '5', '6', '7':
			i--
			number(8, 3)
			if byte(value) != 0 {
				b = append(b, byte(value))
			}
		case '\'', '"', '\\', '?':
			b = append(b, c)
		default:
			b = append(b, '\\', c)
		}
	}
	return b
}

// maxGlob bounds how far a bracket is followed, so that many open ones stay cheap.
const maxGlob = 256

// globs tells whether an unquoted text holds something the shell expands.
func globs(text string) bool {
	for i := 0; i < len(text); i++ {
		if active(text, i) {
			return true
		}
		if text[i] == '\\' {
			i++
		}
	}
	return false
}

// active tells whether the byte at i of an unquoted text makes the shell expand it.
func active(text string, i int) bool {
	switch text[i] {
	case '*', '?':
		return true
	case '~':
		return i == 0
	case '[':
		return strings.IndexByte(text[i:min(len(text), i+maxGlob)], ']') > 0
	case '{':
		rest := text[i:min(len(text), i+maxGlob)]
		if end := strings.IndexByte(rest, '}'); end > 0 {
			return strings.IndexByte(rest[:end], ',') > 0 || strings.Contains(rest[:end], "..")
		}
	}
	return false
}

// heredoc is the text a here-document gives, without the newline that ends it.
func (r *reader) heredoc(rd *syntax.Redirect) Word {
	if rd.Hdoc == nil {
		return Word{Literal: true}
	}
	tabs := rd.Op == syntax.DashHdoc
	quoted := false
	for _, p := range rd.Word.Parts {
		if l, ok := p.(*syntax.Lit); !ok || strings.IndexByte(l.Value, '\\') >= 0 {
			quoted = true
		}
	}
	out := Word{Literal: true}
	var b []byte
	for _, part := range rd.Hdoc.Parts {
		if l, ok := part.(*syntax.Lit); ok {
			v := l.Value
			if tabs {
				v = untab(v)
			}
			if len(rd.Hdoc.Parts) == 1 && (quoted || strings.IndexByte(v, '\\') < 0) {
				out.Text = strings.TrimSuffix(v, "\n")
				return out
			}
			if quoted {
				b = append(b, v...)
			} else {
				b = unescape(b, v, "$`\\")
			}
			continue
		}
		b = append(b, r.source(part)...)
		out.Literal = false
	}
	out.Text = strings.TrimSuffix(string(b), "\n")
	return out
}

func untab(text string) string {
	if strings.IndexByte(text, '\t') < 0 {
		return text
	}
	b := make([]byte, 0, len(text))
	for start := true; text != ""; text = text[1:] {
		if c := text[0]; c != '\t' || !start {
			b = append(b, c)
			start = c == '\n'
		}
	}
	return string(b)
}
