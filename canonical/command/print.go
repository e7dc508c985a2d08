package command

import (
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// Canonical returns the command in one spelling without what is volatile: the
// identity `cmd` of the system `measures`. Two commands that differ only in blanks,
// comments, quoting style, `$x` for `${x}`, here-document or here-string, assignments
// before a command word, a wrapper that sets patience (timeout, nice, time, …) or a
// flag that sets it (curl --max-time, --retry, -sSL; each program its own) have the
// same canonical command. Everything else stays: the order of words, the files written
// to, other wrappers. Canonical of a canonical command is itself.
func (s *Script) Canonical() string { return s.print(true) }

// AppendCanonical appends it to dst.
func (s *Script) AppendCanonical(dst []byte) []byte { return s.append(dst, true) }

// Text returns the command in one spelling, like Canonical, with nothing left out but
// blanks and comments.
func (s *Script) Text() string { return s.print(false) }

func (s *Script) print(trim bool) string {
	return string(s.append(make([]byte, 0, min(len(s.text)+16, 1<<16)), trim))
}

func (s *Script) append(dst []byte, trim bool) []byte {
	if s.opaque {
		return append(dst, s.text...)
	}
	if s.file == nil {
		return append(dst, s.printSplit(trim)...)
	}
	// What is printed goes by whether anything stands before it.
	p := printer{source: reader{script: s, text: s.text}, trim: trim, buf: dst[len(dst):], read: s.plain}
	p.stmts(s.file.Stmts)
	if len(dst) == 0 {
		return p.buf
	}
	return append(dst, p.buf...)
}

func (s *Script) printSplit(trim bool) string {
	p := printer{source: reader{script: s, text: s.text}, trim: trim}
	for range 4 { // each round can only take words away
		p.parts(s.parts, s.Dialect)
		if !s.Guessed && s.Dialect == Shell {
			break
		}
		// What was no shell, or too much of it, may have become some.
		again := Parse(string(p.buf))
		if again.file != nil {
			return again.print(trim)
		}
		q := printer{source: reader{script: again, text: again.text}, trim: trim}
		q.parts(again.parts, again.Dialect)
		if string(q.buf) == string(p.buf) {
			break
		}
		p.buf, s = p.buf[:0], again
	}
	return string(p.buf)
}

type printer struct {
	source reader
	buf    []byte
	trim   bool
	level  int    // scripts within scripts
	read   []Word // those of the commands to come, where they have been read
}

func (p *printer) put(text string) { p.buf = append(p.buf, text...) }

func (p *printer) stmts(list []*syntax.Stmt) {
	for i, s := range list {
		if i > 0 {
			p.put(" ")
		}
		p.stmt(s)
		if i < len(list)-1 && !s.Background {
			p.put(";")
		}
	}
}

// body prints statements and what ends the last of them.
func (p *printer) body(before string, list []*syntax.Stmt, after string) {
	p.put(before)
	p.stmts(list)
	if len(list) > 0 && !list[len(list)-1].Background {
		p.put(";")
	}
	p.put(after)
}

func (p *printer) stmt(s *syntax.Stmt) {
	if s.Negated {
		p.put("! ")
	}
	from := len(p.buf)
	p.command(s.Cmd)
	for _, rd := range s.Redirs {
		if len(p.buf) > from {
			p.put(" ")
		}
		p.redirect(rd)
	}
	if s.Background {
		p.put(" &")
	}
}

func (p *printer) redirect(rd *syntax.Redirect) {
	op := rd.Op.String()
	if rd.N != nil && !(rd.N.Value == "1" && strings.HasPrefix(op, ">") || rd.N.Value == "0" && strings.HasPrefix(op, "<")) {
		p.put(rd.N.Value)
	}
	if rd.Op != syntax.Hdoc && rd.Op != syntax.DashHdoc {
		p.put(op)
		p.word(rd.Word, false)
		return
	}
	p.put("<<<")
	text := p.source.heredoc(rd)
	if text.Literal {
		p.buf = quote(p.buf, text.Text, false)
		return
	}
	w := wordPrinter{p: p}
	last := len(rd.Hdoc.Parts) - 1
	for i, part := range rd.Hdoc.Parts {
		if l, ok := part.(*syntax.Lit); ok {
			v := l.Value
			if rd.Op == syntax.DashHdoc {
				v = untab(v)
			}
			if i == last {
				v = strings.TrimSuffix(v, "\n")
			}
			w.run = unescape(w.run, v, "$`\\")
			continue
		}
		w.expansion(part, true)
	}
	w.end()
}

func (p *printer) command(c syntax.Command) {
	switch c := c.(type) {
	case nil:
	case *syntax.CallExpr:
		p.call(c)
	case *syntax.BinaryCmd:
		p.stmt(c.X)
		p.put(" " + c.Op.String() + " ")
		p.stmt(c.Y)
	case *syntax.Subshell:
		p.put("(")
		p.inner(c.Stmts)
		p.put(")")
	case *syntax.Block:
		p.body("{ ", c.Stmts, " }")
	case *syntax.IfClause:
		p.body("if ", c.Cond, " then ")
		p.body("", c.Then, "")
		for e := c.Else; e != nil; e = e.Else {
			if len(e.Cond) > 0 {
				p.body(" elif ", e.Cond, " then ")
			} else {
				p.put(" else ")
			}
			p.body("", e.Then, "")
		}
		p.put(" fi")
	case *syntax.WhileClause:
		if c.Until {
			p.body("until ", c.Cond, "")
		} else {
			p.body("while ", c.Cond, "")
		}
		p.body(" do ", c.Do, " done")
	case *syntax.ForClause:
		l, ok := c.Loop.(*syntax.WordIter)
		if !ok {
			p.counting(c.Loop.(*syntax.CStyleLoop))
			p.body("; do ", c.Do, " done")
			return
		}
		if c.Select {
			p.put("select " + l.Name.Value)
		} else {
			p.put("for " + l.Name.Value)
		}
		if l.InPos.IsValid() {
			p.put(" in")
			for _, w := range l.Items {
				p.put(" ")
				p.word(w, false)
			}
		}
		p.body("; do ", c.Do, " done")
	case *syntax.TimeClause:
		if !p.trim || c.Stmt == nil {
			p.put("time")
			if c.PosixFormat {
				p.put(" -p")
			}
			if c.Stmt != nil {
				p.put(" ")
			}
		}
		if c.Stmt != nil {
			p.stmt(c.Stmt)
		}
	case *syntax.DeclClause:
		p.put(c.Variant.Value)
		for _, a := range c.Args {
			p.put(" ")
			p.assign(a)
		}
	case *syntax.CaseClause:
		p.put("case ")
		p.word(c.Word, false)
		p.put(" in")
		for _, item := range c.Items {
			for i, w := range item.Patterns {
				if i > 0 {
					p.put("|")
				} else {
					p.put(" ")
				}
				p.word(w, i == 0)
			}
			p.put(") ")
			p.stmts(item.Stmts)
			p.put(" " + item.Op.String())
		}
		p.put(" esac")
	case *syntax.FuncDecl:
		if c.RsrvWord {
			p.put("function ")
		}
		if c.Name != nil {
			p.put(c.Name.Value)
			if strings.Contains(c.Name.Value, "=") { // without a blank it would be an assignment
				p.put(" ")
			}
		}
		p.put("() ")
		p.stmt(c.Body)
	case *syntax.CoprocClause:
		p.put("coproc ")
		if c.Name != nil {
			p.word(c.Name, false)
			p.put(" ")
		}
		p.stmt(c.Stmt)
	default: // [[ ]], arithmetic, let: rare, and no commands of their own
		p.raw(c)
	}
}

// counting prints the head of for ((…; …; …)).
func (p *printer) counting(l *syntax.CStyleLoop) {
	p.put("for ((")
	for i, x := range [...]syntax.ArithmExpr{l.Init, l.Cond, l.Post} {
		if i > 0 {
			p.put(";")
		}
		if x != nil {
			p.put(strings.TrimSuffix(strings.TrimPrefix(printed(&syntax.ArithmCmd{X: x}), "(("), "))"))
		}
	}
	p.put("))")
}

// inner prints statements between parentheses.
func (p *printer) inner(list []*syntax.Stmt) {
	from := len(p.buf)
	p.stmts(list)
	if from < len(p.buf) && p.buf[from] == '(' {
		// "((" would begin arithmetic.
		p.buf = append(p.buf, 0)
		copy(p.buf[from+1:], p.buf[from:])
		p.buf[from] = ' '
	}
}

var printers = sync.Pool{New: func() any {
	return syntax.NewPrinter(syntax.SingleLine(true), syntax.Minify(false))
}}

// raw prints a node by the parser's own printer.
func (p *printer) raw(n syntax.Node) {
	if text := printed(n); text != "" {
		p.put(text)
	} else {
		p.put(p.source.source(n))
	}
}

func printed(n syntax.Node) (text string) {
	general := printers.Get().(*syntax.Printer)
	defer func() {
		if recover() != nil {
			text = ""
		}
	}()
	var b strings.Builder
	if general.Print(&b, n) != nil {
		return ""
	}
	printers.Put(general)
	return strings.TrimRight(b.String(), "\n")
}

func (p *printer) call(c *syntax.CallExpr) {
	if len(c.Args) == 0 || !p.trim {
		for i, a := range c.Assigns {
			if i > 0 {
				p.put(" ")
			}
			p.assign(a)
		}
		if len(c.Args) == 0 {
			return
		}
		if len(c.Assigns) > 0 {
			p.put(" ")
		}
	}
	var few [16]Word
	words := few[:0]
	naked := p.read != nil
	if naked { // in the same order
		words, p.read = p.read[:len(c.Args)], p.read[len(c.Args):]
	} else {
		for _, a := range c.Args {
			words = append(words, p.source.word(a))
		}
	}
	p.arguments(words, func(i int, first bool) { p.word(c.Args[i], first) }, Shell, naked)
}

// arguments prints the words of a command, each by put, without what is volatile. What
// is naked is known to have no wrapper.
func (p *printer) arguments(words []Word, put func(i int, first bool), d Dialect, naked bool) {
	from := len(p.buf)
	word := func(i int) {
		if len(p.buf) > from {
			p.put(" ")
		}
		put(i, len(p.buf) == from)
	}
	at := 0 // the command the wrappers so far run
	for p.trim && !naked {
		u := unwrap(words[at:])
		if u.script > 0 && !u.joined && words[at+u.script].Literal && u.dialect == Shell && p.level < maxLevel {
			for i := at; i < len(words); i++ {
				if i != at+u.script {
					word(i)
					continue
				}
				p.put(" ")
				p.buf = quote(p.buf, p.nested(words[i].Text), false)
			}
			return
		}
		if u.inner == 0 {
			break
		}
		if w := wrappers[program(base(words[at].Text))]; !w.volatile || !p.patience(words[at:at+u.inner]) {
			for i := at; i < at+u.inner; i++ {
				word(i)
			}
		}
		at += u.inner
	}
	var edits []edit
	if p.trim {
		if g := grammarOf(base(words[at].Text)); g != nil {
			edits = g.edits(words[at:])
		}
	}
	for i := at; i < len(words); i++ {
		if len(edits) > 0 && edits[0].word == i-at {
			text := edits[0].text
			edits = edits[1:]
			if text != "" {
				p.put(" ")
				p.buf = quote(p.buf, text, false)
			}
			continue
		}
		word(i)
	}
}

// patience tells that a volatile wrapper changes nothing else: env -i or env -u does.
func (p *printer) patience(words []Word) bool {
	if program(base(words[0].Text)) != "env" {
		return true
	}
	for _, w := range words[1:] {
		if !isAssignment(w.Text) && w.Text != "--" {
			return false
		}
	}
	return true
}

// nested is the canonical text of a script handed to a shell.
func (p *printer) nested(text string) string {
	f := parse(text, new(tree))
	if f == nil {
		return text
	}
	n := printer{source: reader{script: p.source.script, text: text}, trim: p.trim, level: p.level + 1}
	n.stmts(f.Stmts)
	return string(n.buf)
}

func (p *printer) assign(a *syntax.Assign) {
	if a.Name == nil {
		p.word(a.Value, false)
		return
	}
	if a.Index != nil || a.Array != nil {
		p.raw(a)
		return
	}
	if a.Naked {
		p.put(a.Name.Value)
		return
	}
	left := a.Name.Value + "="
	if a.Append {
		left = a.Name.Value + "+="
	}
	if _, name := assignment(a.Name.Value + "="); !name && p.source.word(a.Value).Literal {
		p.buf = quote(p.buf, left+p.source.word(a.Value).Text, true) // 0=x is a command word
		return
	}
	p.put(left)
	if a.Value != nil {
		p.word(a.Value, false)
	}
}

// word prints a word; the command word keeps the quotes that stop it from being
// something else.
func (p *printer) word(w *syntax.Word, first bool) {
	if len(w.Parts) == 1 {
		switch part := w.Parts[0].(type) {
		case *syntax.Lit:
			if bare(part.Value, first) {
				p.put(part.Value)
				return
			}
		case *syntax.SglQuoted:
			if !part.Dollar {
				p.buf = quote(p.buf, part.Value, first)
				return
			}
		case *syntax.DblQuoted:
			if len(part.Parts) != 1 {
				break
			}
			if l, ok := part.Parts[0].(*syntax.Lit); ok && strings.IndexByte(l.Value, '\\') < 0 {
				p.buf = quote(p.buf, l.Value, first)
				return
			}
		}
	}
	out := wordPrinter{p: p, first: first}
	out.run = out.small[:0]
	for _, part := range w.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
			out.unquoted(part.Value)
		case *syntax.SglQuoted:
			out.some = true
			if part.Dollar {
				out.run = ansi(out.run, part.Value)
			} else {
				out.run = append(out.run, part.Value...)
			}
		case *syntax.DblQuoted:
			out.some = true
			for _, q := range part.Parts {
				if l, ok := q.(*syntax.Lit); ok {
					out.run = unescape(out.run, l.Value, "$`\"\\")
				} else {
					out.expansion(q, true)
				}
			}
		default:
			out.expansion(part, false)
		}
	}
	out.end()
}

// wordPrinter gathers the literal runs of a word between what expands.
type wordPrinter struct {
	p     *printer
	small [64]byte // backs run
	run   []byte
	first bool
	some  bool // something was written or quoted, be it empty
	wrote bool
}

func (w *wordPrinter) unquoted(text string) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && i+1 < len(text):
			i++
			if text[i] != '\n' {
				w.run = append(w.run, text[i])
			}
		case active(text, i) && (c != '~' || !w.wrote && len(w.run) == 0):
			end := i + 1
			if c == '[' || c == '{' { // keep the whole bracket together
				closing := byte(']')
				if c == '{' {
					closing = '}'
				}
				end = i + strings.IndexByte(text[i:], closing) + 1
			}
			w.flush()
			w.p.put(text[i:end])
			w.wrote, w.some = true, true
			i = end - 1
		default:
			w.run = append(w.run, c)
		}
	}
}

func (w *wordPrinter) flush() {
	if len(w.run) > 0 {
		w.p.buf = quote(w.p.buf, string(w.run), w.first && !w.wrote)
		w.run, w.wrote, w.some = w.run[:0], true, true
	}
}

func (w *wordPrinter) end() {
	w.flush()
	if !w.wrote {
		w.p.put("''")
	}
}

func (w *wordPrinter) expansion(part syntax.WordPart, quoted bool) {
	w.flush()
	w.wrote = true
	if quoted {
		w.p.put(`"`)
		defer w.p.put(`"`)
	}
	switch part := part.(type) {
	case *syntax.ParamExp:
		if name := part.Param; name != nil && plain(part) {
			if nameByte(name.Value[0], true) || len(name.Value) > 1 {
				w.p.put("${" + name.Value + "}")
			} else {
				w.p.put("$" + name.Value)
			}
			return
		}
		w.p.raw(&syntax.Word{Parts: []syntax.WordPart{part}})
	case *syntax.CmdSubst:
		if part.TempFile || part.ReplyVar {
			w.p.put(w.p.source.source(part))
			return
		}
		w.p.put("$(")
		w.p.inner(part.Stmts)
		w.p.put(")")
	case *syntax.ProcSubst:
		w.p.put(part.Op.String())
		w.p.inner(part.Stmts)
		w.p.put(")")
	default:
		w.p.raw(&syntax.Word{Parts: []syntax.WordPart{part}})
	}
}

// plain tells that an expansion is a parameter and nothing else.
func plain(p *syntax.ParamExp) bool {
	return p.Flags == nil && !p.Excl && !p.Length && !p.Width && !p.IsSet && p.NestedParam == nil && p.Index == nil &&
		len(p.Modifiers) == 0 && p.Slice == nil && p.Repl == nil && p.Names == 0 && p.Exp == nil &&
		p.Split == 0 && p.GlobSubst == 0 && p.RcExpand == 0
}

// bare tells whether a literal text needs no quotes.
func bare(text string, first bool) bool {
	if text == "" {
		return false
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case kindOf[c]&bareByte != 0:
		case c == '=':
			if first {
				return false
			}
		case c == '!' || c == '#':
			if i == 0 || first {
				return false
			}
		case c == '{':
			if active(text, i) {
				return false
			}
		default:
			return false
		}
	}
	return !first || !reserved(text)
}

func reserved(text string) bool {
	switch text {
	case "if", "then", "elif", "else", "fi", "do", "done", "while", "until", "for", "case", "esac", "in", "{", "}", "!",
		"function", "select", "time", "coproc", "let", "declare", "local", "export", "readonly", "typeset", "nameref":
		return true
	}
	return false
}

// quote appends a literal word in its one spelling.
func quote(b []byte, text string, first bool) []byte {
	if bare(text, first) {
		return append(b, text...)
	}
	b = append(b, '\'')
	for {
		i := strings.IndexByte(text, '\'')
		if i < 0 {
			break
		}
		b = append(b, text[:i]...)
		b = append(b, `'\''`...)
		text = text[i+1:]
	}
	b = append(b, text...)
	return append(b, '\'')
}

// parts prints a split text.
func (p *printer) parts(parts []part, d Dialect) {
	for i := range parts {
		c := &parts[i]
		if c.op != "" {
			if len(p.buf) > 0 && c.op != ";" {
				p.put(" ")
			}
			p.put(c.op)
			continue
		}
		if len(p.buf) > 0 {
			p.put(" ")
		}
		p.splitCommand(c, d)
	}
}

func (p *printer) splitCommand(c *part, d Dialect) {
	words := c.words
	for p.trim && d == Shell && len(words) > 1 && isAssignment(words[0].Text) {
		words = words[1:]
	}
	if len(words) > 0 {
		var few [16]Word
		bare := few[:0]
		for _, w := range words {
			bare = append(bare, w.Word)
		}
		p.arguments(bare, func(i int, first bool) { p.spelled(words[i], first, d) }, d, false)
	}
	for i, rd := range c.redirects {
		if i > 0 || len(words) > 0 {
			p.put(" ")
		}
		p.put(rd.Fd + rd.Op)
		p.spelled(spelling{rd.Target, rd.source}, false, d)
	}
}

func (p *printer) spelled(w spelling, first bool, d Dialect) {
	switch {
	case d == Shell && w.Literal:
		p.buf = quote(p.buf, w.Text, first)
	case d == PowerShell && w.Literal && !first:
		if bare(w.Text, false) {
			p.put(w.Text)
		} else {
			p.put("'" + strings.ReplaceAll(w.Text, "'", "''") + "'")
		}
	default:
		p.put(w.source)
	}
}
