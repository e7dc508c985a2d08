package command

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// reader collects the simple commands of one text into a script: the whole script's
// own, or one handed to a shell inside it.
type reader struct {
	script *Script
	text   string // what positions in the tree refer to
	words  []Word // backs the words of many commands
	level  int    // scripts within scripts
}

// maxLevel bounds scripts within scripts (bash -c 'bash -c …'): what lies deeper stays
// an argument.
const maxLevel = 8

// place is where a statement stands, as far as it concerns the commands in it.
type place struct {
	wrappers   []string
	fed, feeds bool
	remote     bool
	loops      bool
}

func (r *reader) stmts(list []*syntax.Stmt, in place) {
	for _, s := range list {
		r.stmt(s, in)
	}
}

func (r *reader) stmt(s *syntax.Stmt, in place) {
	if call, ok := s.Cmd.(*syntax.CallExpr); ok {
		r.call(call, s.Redirs, in)
	} else if decl, ok := s.Cmd.(*syntax.DeclClause); ok {
		r.declare(decl, s.Redirs, in)
	} else {
		r.compound(s.Cmd, in)
		if len(s.Redirs) > 0 {
			r.add(Simple{Redirects: r.redirects(s.Redirs)}, in)
		}
	}
	for _, rd := range s.Redirs {
		r.substitutions(rd.Word, in)
		if rd.Hdoc != nil {
			r.substitutions(rd.Hdoc, in)
		}
	}
}

func (r *reader) compound(c syntax.Command, in place) {
	switch c := c.(type) {
	case nil:
	case *syntax.BinaryCmd:
		x, y := in, in
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			x.feeds, y.fed = true, true
		}
		r.stmt(c.X, x)
		r.stmt(c.Y, y)
	case *syntax.Subshell:
		r.stmts(c.Stmts, in)
	case *syntax.Block:
		r.stmts(c.Stmts, in)
	case *syntax.IfClause:
		for ; c != nil; c = c.Else {
			r.stmts(c.Cond, in)
			r.stmts(c.Then, in)
		}
	case *syntax.WhileClause:
		in.loops = true
		r.stmts(c.Cond, in)
		r.stmts(c.Do, in)
	case *syntax.ForClause:
		if l, ok := c.Loop.(*syntax.WordIter); ok {
			for _, item := range l.Items {
				if w := r.word(item); w.Literal {
					r.assign(l.Name.Value, w.Text)
				}
				r.substitutions(item, in)
			}
		} else {
			r.inside(c.Loop, in)
		}
		in.loops = true
		r.stmts(c.Do, in)
	case *syntax.CaseClause:
		r.substitutions(c.Word, in)
		for _, item := range c.Items {
			r.stmts(item.Stmts, in)
		}
	case *syntax.FuncDecl:
		if r.script.functions == nil {
			r.script.functions = map[string]bool{}
		}
		if c.Name != nil {
			r.script.functions[c.Name.Value] = true
		}
		r.stmt(c.Body, in)
	case *syntax.TimeClause:
		if c.Stmt != nil {
			in.wrappers = append(slices.Clip(in.wrappers), "time")
			r.stmt(c.Stmt, in)
		}
	case *syntax.CoprocClause:
		r.stmt(c.Stmt, in)
	default: // arithmetic, [[ ]], let: nothing runs but substitutions
		r.inside(c, in)
	}
}

// inside reads the substitutions anywhere in a node.
func (r *reader) inside(n syntax.Node, in place) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			r.stmts(n.Stmts, in)
			return false
		case *syntax.ProcSubst:
			r.stmts(n.Stmts, in)
			return false
		}
		return true
	})
}

func (r *reader) substitutions(w *syntax.Word, in place) {
	if w == nil {
		return
	}
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit, *syntax.SglQuoted:
		case *syntax.CmdSubst:
			in := in
			in.fed, in.feeds = false, false
			r.stmts(p.Stmts, in)
		case *syntax.DblQuoted:
			if len(p.Parts) > 1 {
				r.inside(p, in)
			} else if len(p.Parts) == 1 {
				if _, ok := p.Parts[0].(*syntax.Lit); !ok {
					r.inside(p, in)
				}
			}
		case *syntax.ParamExp:
			if !p.Short {
				r.inside(p, in)
			}
		default:
			r.inside(p, in)
		}
	}
}

// call reads a command of words.
func (r *reader) call(c *syntax.CallExpr, redirs []*syntax.Redirect, in place) {
	one := Simple{Redirects: r.redirects(redirs)}
	for _, a := range c.Assigns {
		w := r.assigned(a)
		one.Assigns = append(one.Assigns, w)
		if len(c.Args) == 0 && w.Literal && a.Value != nil {
			r.assign(a.Name.Value, w.Text[len(a.Name.Value)+1:])
		}
	}
	start := len(r.words)
	for _, w := range c.Args {
		r.words = append(r.words, r.word(w))
	}
	script := r.simple(r.words[start:len(r.words):len(r.words)], one, in)
	for _, a := range c.Assigns {
		r.assignedSubstitutions(a, in)
	}
	if script {
		return // its text was read with its substitutions
	}
	for _, w := range c.Args {
		r.substitutions(w, in)
	}
}

// declare reads export, local, declare and their kin.
func (r *reader) declare(d *syntax.DeclClause, redirs []*syntax.Redirect, in place) {
	words := []Word{{d.Variant.Value, true}}
	for _, a := range d.Args {
		w := r.assigned(a)
		words = append(words, w)
		if a.Name != nil && a.Value != nil && w.Literal {
			r.assign(a.Name.Value, w.Text[len(a.Name.Value)+1:])
		}
	}
	r.add(Simple{Name: d.Variant.Value, Words: words, Redirects: r.redirects(redirs)}, in)
	for _, a := range d.Args {
		r.assignedSubstitutions(a, in)
	}
}

func (r *reader) assigned(a *syntax.Assign) Word {
	if a.Name == nil {
		return r.word(a.Value)
	}
	if a.Naked && a.Index == nil {
		return Word{a.Name.Value, true}
	}
	if a.Array != nil || a.Index != nil || a.Append {
		return Word{r.source(a), false}
	}
	w := r.word(a.Value)
	return Word{a.Name.Value + "=" + w.Text, w.Literal}
}

func (r *reader) assignedSubstitutions(a *syntax.Assign, in place) {
	r.substitutions(a.Value, in)
	if a.Array != nil {
		r.inside(a.Array, in)
	}
}

// maxValues bounds the values kept of one variable.
const maxValues = 64

func (r *reader) assign(name, value string) {
	if r.script.values == nil {
		r.script.values = map[string][]string{}
	}
	if v := r.script.values[name]; len(v) < maxValues && !slices.Contains(v, value) {
		r.script.values[name] = append(v, value)
	}
}

func (r *reader) redirects(redirs []*syntax.Redirect) []Redirect {
	if len(redirs) == 0 {
		return nil
	}
	out := make([]Redirect, 0, len(redirs))
	for _, rd := range redirs {
		one := Redirect{}
		if rd.N != nil {
			one.Fd = rd.N.Value
		}
		switch rd.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			one.Op, one.Target = "<<<", r.heredoc(rd)
		default:
			one.Op, one.Target = rd.Op.String(), r.word(rd.Word)
		}
		out = append(out, one)
	}
	return out
}

// simple takes the wrappers off a command and adds what they run. It tells whether
// that was a script among the words.
func (r *reader) simple(words []Word, one Simple, in place) (script bool) {
	for len(words) > 0 {
		u := unwrap(words)
		if u.inner == 0 && u.script == 0 {
			break
		}
		r.script.wrapped = true
		if len(in.wrappers) < 16 {
			in.wrappers = append(slices.Clip(in.wrappers), base(words[0].Text))
		}
		in.remote = in.remote || u.remote
		if u.script > 0 {
			if r.level >= maxLevel {
				break
			}
			r.nested(u.text(words), u.dialect, in)
			words, script = nil, true
			break
		}
		words = words[u.inner:]
	}
	if len(words) > 0 {
		one.Words, one.Name = words, base(words[0].Text)
		if !words[0].Literal {
			if values := r.script.resolve(words[0]); len(values) == 1 {
				one.Name = base(values[0])
			}
		}
	}
	r.add(one, in)
	switch {
	case one.Name == "find" || one.Name == "fd" || one.Name == "fdfind":
		r.found(words, in)
	case runs[program(one.Name)] && shells[program(one.Name)] && len(operands(words)) == 0:
		if text, ok := one.Input(); ok && r.level < maxLevel {
			in.wrappers = append(slices.Clip(in.wrappers), one.Name)
			r.nested(text.Text, Shell, in)
		}
	}
	return script
}

// found reads what find runs on what it finds.
func (r *reader) found(words []Word, in place) {
	if r.level >= maxLevel {
		return
	}
	in.wrappers = append(slices.Clip(in.wrappers), base(words[0].Text))
	for i := 1; i < len(words); i++ {
		switch words[i].Text {
		case "-exec", "-execdir", "-ok", "-okdir", "-x", "--exec", "-X", "--exec-batch":
			end := i + 1
			for end < len(words) && words[end].Text != ";" && words[end].Text != "+" {
				end++
			}
			if end > i+1 {
				r.level++
				r.simple(words[i+1:end], Simple{}, in)
				r.level--
			}
			i = end
		}
	}
}

// nested reads a script handed to a shell as a text.
func (r *reader) nested(text string, d Dialect, in place) {
	n := reader{script: r.script, text: text, level: r.level + 1}
	if d == Shell {
		if f := parse(text, new(tree)); f != nil {
			n.stmts(f.Stmts, in)
			return
		}
	}
	n.split(split(text, d), in)
}

func (r *reader) add(one Simple, in place) {
	one.Wrappers, one.Fed, one.Feeds, one.Remote = in.wrappers, in.fed, in.feeds, in.remote
	one.Looped = in.loops
	if one.Name == "" && len(one.Assigns) == 0 && len(one.Redirects) == 0 {
		return
	}
	r.script.Commands = append(r.script.Commands, one)
}

// operands are the arguments that are no options, roughly: for commands whose options
// take no separate value.
func operands(words []Word) []Word {
	var out []Word
	for i := 1; i < len(words); i++ {
		if !strings.HasPrefix(words[i].Text, "-") {
			out = append(out, words[i])
		}
	}
	return out
}
