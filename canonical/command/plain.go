package command

import (
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// Most commands that agents run are words, quoted or not, with ; && || | and > between
// them. The tree of such a text is built here, in one pass and from memory that is
// used again, where the parser, which knows all of the language, allocates for each
// node. What has anything else in it is left to the parser.

// tree is the memory of the nodes of one text. None of it moves while it is filled.
type tree struct {
	file   syntax.File
	stmts  []syntax.Stmt
	calls  []syntax.CallExpr
	binary []syntax.BinaryCmd
	words  []syntax.Word
	args   []*syntax.Word
	parts  []syntax.WordPart // of words
	inner  []syntax.WordPart // of double quotes
	lits   []syntax.Lit
	single []syntax.SglQuoted
	double []syntax.DblQuoted
	redirs []syntax.Redirect
	rdrefs []*syntax.Redirect
	list   []*syntax.Stmt
}

// keptNodes is how many words are made room for beyond one text.
const keptNodes = 1 << 10

// maxShallow is the length up to which only brackets can make a text too deep to parse.
const maxShallow = 4000

// room makes the tree empty, with room for all nodes that a text may have. It reports
// whether the parser would take the text, too.
func (t *tree) room(text string) bool {
	words, signs, quotes, brackets := 1, 1, 0, 0
	for i := 0; i < len(text); i++ {
		if kindOf[text[i]] == wordByte|bareByte {
			continue
		}
		switch text[i] {
		case ' ', '\t':
			words++
		case ';', '|', '&', '>':
			words, signs = words+2, signs+1
		case '"', '\'':
			quotes++
		case '(', '{', '[':
			brackets++
		}
	}
	if (len(text) > maxShallow || brackets > maxBrackets) && !shallow(text) {
		return false
	}
	parts := words + 2*quotes
	if words > cap(t.words) || parts > cap(t.parts) || quotes > cap(t.inner) || 2*signs > cap(t.stmts) || words > keptNodes || parts > keptNodes {
		*t = tree{
			stmts: make([]syntax.Stmt, 0, 2*signs), calls: make([]syntax.CallExpr, 0, signs), binary: make([]syntax.BinaryCmd, 0, signs),
			words: make([]syntax.Word, 0, words), args: make([]*syntax.Word, 0, words),
			parts: make([]syntax.WordPart, 0, parts), inner: make([]syntax.WordPart, 0, quotes), lits: make([]syntax.Lit, 0, parts),
			single: make([]syntax.SglQuoted, 0, parts), double: make([]syntax.DblQuoted, 0, parts),
			redirs: make([]syntax.Redirect, 0, signs), rdrefs: make([]*syntax.Redirect, 0, signs), list: make([]*syntax.Stmt, 0, signs),
		}
		return true
	}
	t.stmts, t.calls, t.binary, t.words, t.args = t.stmts[:0], t.calls[:0], t.binary[:0], t.words[:0], t.args[:0]
	t.parts, t.inner, t.lits, t.single, t.double = t.parts[:0], t.inner[:0], t.lits[:0], t.single[:0], t.double[:0]
	t.redirs, t.rdrefs, t.list = t.redirs[:0], t.rdrefs[:0], t.list[:0]
	return true
}

// push adds a node where there is room for it, and returns where it stands.
func push[T any](list *[]T, node T) *T {
	*list = append(*list, node)
	return &(*list)[len(*list)-1]
}

// build returns the tree of a plain text, nil where the text is none.
func (t *tree) build(text string) *syntax.File {
	if strings.IndexByte(text, 0) >= 0 || !utf8.ValidString(text) || !t.room(text) {
		return nil
	}
	var left *syntax.Stmt // of && or ||
	var pipe *syntax.Stmt // of |
	var and, bar syntax.BinCmdOperator
	b := plainBuilder{tree: t, text: text}
	for {
		command := b.command()
		if command == nil {
			return nil
		}
		if pipe != nil {
			command = t.join(bar, pipe, command)
			pipe = nil
		}
		b.blanks()
		op := b.operator()
		if op == "|" {
			pipe, bar = command, syntax.Pipe
			continue
		}
		if left != nil {
			command = t.join(and, left, command)
			left = nil
		}
		switch op {
		case "&&":
			left, and = command, syntax.AndStmt
			continue
		case "||":
			left, and = command, syntax.OrStmt
			continue
		case ";", "":
			t.list = append(t.list, command)
			b.blanks()
			if op == "" && b.at < len(text) {
				return nil
			}
			if b.at == len(text) {
				t.file = syntax.File{Stmts: t.list}
				return &t.file
			}
		}
	}
}

func (t *tree) join(op syntax.BinCmdOperator, x, y *syntax.Stmt) *syntax.Stmt {
	return push(&t.stmts, syntax.Stmt{Cmd: push(&t.binary, syntax.BinaryCmd{Op: op, X: x, Y: y})})
}

type plainBuilder struct {
	*tree
	text string
	at   int
}

func (b *plainBuilder) blanks() {
	for b.at < len(b.text) && (b.text[b.at] == ' ' || b.text[b.at] == '\t') {
		b.at++
	}
}

// operator reads what stands between two commands, "" where nothing of it does.
func (b *plainBuilder) operator() string {
	rest := b.text[b.at:]
	for _, op := range [...]string{"&&", "||", ";", "|"} {
		if strings.HasPrefix(rest, op) {
			b.at += len(op)
			if after := b.text[b.at:]; after != "" && (after[0] == '&' || after[0] == '|' || after[0] == ';') {
				return "" // |& and ;; are others
			}
			return op
		}
	}
	return ""
}

// command reads a command of words, and where it writes.
func (b *plainBuilder) command() *syntax.Stmt {
	firstArg, firstRedirect := len(b.args), len(b.rdrefs)
	for {
		b.blanks()
		if b.at == len(b.text) {
			break
		}
		c := b.text[b.at]
		if c == ';' || c == '|' || c == '&' {
			break
		}
		if c == '>' {
			if !b.redirect("", len(b.args) > firstArg) {
				return nil
			}
			continue
		}
		from := b.at
		w := b.word(len(b.args) == firstArg)
		if w == nil {
			return nil
		}
		if b.at < len(b.text) && b.text[b.at] == '>' {
			fd := b.text[from:b.at]
			if strings.Trim(fd, "0123456789") == "" {
				if !b.redirect(fd, len(b.args) > firstArg) {
					return nil
				}
				continue
			}
			if strings.IndexByte(fd, '{') >= 0 {
				return nil
			}
		}
		b.args = append(b.args, w)
	}
	if len(b.args) == firstArg {
		return nil
	}
	call := push(&b.calls, syntax.CallExpr{Args: b.args[firstArg:len(b.args):len(b.args)]})
	s := push(&b.stmts, syntax.Stmt{Cmd: call})
	if len(b.rdrefs) > firstRedirect {
		s.Redirs = b.rdrefs[firstRedirect:len(b.rdrefs):len(b.rdrefs)]
	}
	return s
}

// redirect reads where a command writes: a file, or another descriptor.
func (b *plainBuilder) redirect(fd string, after bool) bool {
	if !after {
		return false
	}
	rd := syntax.Redirect{Op: syntax.RdrOut}
	b.at++
	switch rest := b.text[b.at:]; {
	case strings.HasPrefix(rest, ">"):
		rd.Op = syntax.AppOut
		b.at++
	case strings.HasPrefix(rest, "&"):
		rd.Op = syntax.DplOut
		b.at++
		if rest = rest[1:]; rest == "" || rest[0] < '0' || rest[0] > '9' || len(rest) > 1 && strings.IndexByte(" \t;|&", rest[1]) < 0 {
			return false
		}
	}
	b.blanks()
	if b.at == len(b.text) || strings.IndexByte("<>|&;", b.text[b.at]) >= 0 {
		return false
	}
	if rd.Word = b.word(false); rd.Word == nil || b.at < len(b.text) && b.text[b.at] == '>' {
		return false
	}
	if fd != "" {
		rd.N = push(&b.lits, syntax.Lit{Value: fd})
	}
	b.rdrefs = append(b.rdrefs, push(&b.redirs, rd))
	return true
}

// word reads a word, nil where that takes more knowledge. What stands first may be a
// word of the grammar, or an assignment.
func (b *plainBuilder) word(first bool) *syntax.Word {
	from, firstPart := b.at, len(b.parts)
	for b.at < len(b.text) {
		switch c := b.text[b.at]; {
		case kindOf[c]&endByte != 0:
			goto end
		case c == '\'':
			n := strings.IndexByte(b.text[b.at+1:], '\'')
			if n < 0 || strings.IndexByte(b.text[b.at+1:b.at+1+n], '\r') >= 0 {
				return nil
			}
			b.parts = append(b.parts, push(&b.single, syntax.SglQuoted{Value: b.text[b.at+1 : b.at+1+n]}))
			b.at += n + 2
		case c == '"':
			if !b.doubleQuoted() {
				return nil
			}
		default:
			start := b.at
			if b.at = plainEnd(b.text, b.at); b.at == start {
				return nil
			}
			b.parts = append(b.parts, push(&b.lits, syntax.Lit{Value: b.text[start:b.at]}))
		}
	}
end:
	text := b.text[from:b.at]
	if text[0] == '#' || first && (oddByte.any(text) && text != "[" || reserved(text)) {
		return nil
	}
	return push(&b.words, syntax.Word{Parts: b.parts[firstPart:len(b.parts):len(b.parts)]})
}

func (b *plainBuilder) doubleQuoted() bool {
	i := b.at + 1
	for ; i < len(b.text) && b.text[i] != '"'; i++ {
		switch c := b.text[i]; {
		case c == '$' || c == '`' || c == '\r':
			return false
		case c == '\\':
			if i++; i == len(b.text) || b.text[i] == '\n' || b.text[i] == '\r' {
				return false
			}
		}
	}
	if i >= len(b.text) {
		return false
	}
	q := push(&b.double, syntax.DblQuoted{})
	if inner := b.text[b.at+1 : i]; inner != "" {
		b.inner = append(b.inner, push(&b.lits, syntax.Lit{Value: inner}))
		q.Parts = b.inner[len(b.inner)-1 : len(b.inner) : len(b.inner)]
	}
	b.parts = append(b.parts, q)
	b.at = i + 1
	return true
}

// plainEnd returns where the unquoted text at i has ended.
func plainEnd(text string, i int) int {
	for ; i < len(text); i++ {
		switch c := text[i]; {
		case kindOf[c]&wordByte != 0:
		case c == '\\' && i+1 < len(text) && text[i+1] > ' ':
			i++
		default:
			return i
		}
	}
	return i
}
