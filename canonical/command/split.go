package command

import (
	"slices"
	"strings"
)

// part is a piece of a split text: an operator, or a command between operators.
type part struct {
	op        string
	words     []spelling
	redirects []splitRedirect
}

// spelling is a word with the source it was read from.
type spelling struct {
	Word
	source string
}

type splitRedirect struct {
	Redirect
	source string // of the target
}

// split cuts a text into words and operators outside quotes. It takes anything: a
// quote that never closes is an ordinary byte.
func split(text string, d Dialect) []part {
	s := splitter{text: text, dialect: d}
	for s.at < len(s.text) {
		s.next()
	}
	s.flush()
	return s.parts
}

type splitter struct {
	text    string
	dialect Dialect
	at      int
	parts   []part
	now     part
	pending []pendingHeredoc
	// open tells for a quote that no closing one follows any more.
	open [256]bool
}

type pendingHeredoc struct {
	part, redirect int // where the body goes; part is an index of parts or their length
	end            string
	quoted, tabs   bool
}

func (s *splitter) flush() {
	if len(s.now.words) > 0 || len(s.now.redirects) > 0 {
		s.parts = append(s.parts, s.now)
		s.now = part{}
	}
}

func (s *splitter) operator(op string) {
	s.flush()
	s.at += len(op)
	if op == "\n" || op == "\r" {
		op = ";"
	}
	if op == ";" && (len(s.parts) == 0 || s.parts[len(s.parts)-1].op == ";") {
		return
	}
	s.parts = append(s.parts, part{op: op})
}

var splitOperators = [...]string{"&&", "||", "|&", ";;", "$(", "<(", ">(", ";", "&", "|", "(", ")", "\n", "\r"}

func (s *splitter) next() {
	rest := s.text[s.at:]
	c := rest[0]
	switch {
	case c == '\n':
		s.operator("\n")
		s.heredocs()
		return
	case c == ' ' || c == '\t' || c == 0:
		s.at++
		return
	case c == '\\' && s.dialect == Shell && len(rest) > 1 && rest[1] == '\n',
		c == '`' && s.dialect == PowerShell && len(rest) > 1 && rest[1] == '\n',
		c == '^' && s.dialect == Batch && len(rest) > 1 && rest[1] == '\n':
		s.at += 2
		return
	case c == '#' && s.dialect != Batch:
		s.line()
		return
	case s.dialect == PowerShell && strings.HasPrefix(rest, "<#"):
		if end := strings.Index(rest, "#>"); end > 0 {
			s.at += end + 2
		} else {
			s.at = len(s.text)
		}
		return
	case s.dialect == Batch && strings.HasPrefix(rest, "::") && len(s.now.words) == 0:
		s.line()
		return
	}
	if s.redirect(rest) {
		return
	}
	for _, op := range splitOperators {
		if strings.HasPrefix(rest, op) {
			s.operator(op)
			return
		}
	}
	if c == '`' && s.dialect == Shell || s.dialect == PowerShell && (c == '{' || c == '}') {
		s.operator(rest[:1])
		return
	}
	if w, ok := s.word(); ok {
		s.now.words = append(s.now.words, w)
	}
}

func (s *splitter) line() {
	if end := strings.IndexByte(s.text[s.at:], '\n'); end >= 0 {
		s.at += end
	} else {
		s.at = len(s.text)
	}
}

var splitRedirects = [...]string{"&>>", "&>", "<<<", "<<-", "<<", ">>", ">|", ">&", "<>", "<&", ">", "<"}

func (s *splitter) redirect(rest string) bool {
	fd := 0
	for fd < len(rest) && fd < 3 && '0' <= rest[fd] && rest[fd] <= '9' {
		fd++
	}
	if s.dialect == PowerShell && rest[0] == '*' {
		fd = 1
	}
	after := rest[fd:]
	if after == "" || after[0] != '<' && after[0] != '>' && (after[0] != '&' || fd > 0) {
		return false
	}
	if strings.HasPrefix(after, "<(") || strings.HasPrefix(after, ">(") || s.dialect == PowerShell && after[0] == '<' {
		return false
	}
	for _, op := range splitRedirects {
		if !strings.HasPrefix(after, op) {
			continue
		}
		s.at += fd + len(op)
		for s.at < len(s.text) && (s.text[s.at] == ' ' || s.text[s.at] == '\t') {
			s.at++
		}
		one := splitRedirect{Redirect: Redirect{Op: op, Fd: rest[:fd]}}
		if (op == ">&" || op == "<&") && s.at < len(s.text) && s.text[s.at] == '&' {
			s.at++
		}
		w, _ := s.word()
		one.Target, one.source = w.Word, w.source
		if (op == "<<" || op == "<<-") && w.source != "" {
			one.Op, one.Target, one.source = "<<<", Word{Literal: true}, ""
			s.pending = append(s.pending, pendingHeredoc{
				len(s.parts), len(s.now.redirects), w.Text, w.Text != w.source, op == "<<-"})
		}
		s.now.redirects = append(s.now.redirects, one)
		return true
	}
	return false
}

// heredocs reads the bodies that begin on this line.
func (s *splitter) heredocs() {
	for _, h := range s.pending {
		from, to := s.at, len(s.text)
		for at := s.at; at < len(s.text); {
			end := strings.IndexByte(s.text[at:], '\n')
			line := s.text[at:]
			if end >= 0 {
				line = s.text[at : at+end]
			}
			if h.tabs {
				line = strings.TrimLeft(line, "\t")
			}
			if line == h.end {
				to = at
				if s.at = len(s.text); end >= 0 {
					s.at = at + end + 1
				}
				break
			}
			if end < 0 {
				s.at = len(s.text)
				break
			}
			if at += end + 1; at == len(s.text) {
				s.at = at
			}
		}
		body := strings.TrimSuffix(s.text[from:max(from, to)], "\n")
		if h.tabs {
			body = untab(body)
		}
		if h.part < len(s.parts) && h.redirect < len(s.parts[h.part].redirects) {
			w := Word{body, h.quoted || strings.IndexByte(body, '$') < 0 && strings.IndexByte(body, '`') < 0}
			rd := &s.parts[h.part].redirects[h.redirect]
			rd.Target, rd.source = w, string(quote(nil, body, false))
		}
	}
	s.pending = s.pending[:0]
}

// word reads one word at the present place.
func (s *splitter) word() (spelling, bool) {
	from := s.at
	var b []byte // the word, once it differs from its source
	plain := true
	literal := true
	take := func(text string) {
		if !plain {
			b = append(b, text...)
		}
	}
	differ := func(upto int) {
		if plain {
			plain = false
			b = append(b, s.text[from:upto]...)
		}
	}
	escape := byte('\\')
	if s.dialect == PowerShell {
		escape = '`'
	} else if s.dialect == Batch {
		escape = '^'
	}
scan:
	for s.at < len(s.text) {
		c := s.text[s.at]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == 0 || c == ';' && s.dialect != Batch ||
			c == '&' || c == '|' || c == '(' || c == ')' || c == '>' ||
			c == '<' && s.dialect != PowerShell || c == '`' && s.dialect == Shell ||
			(c == '{' && !strings.HasSuffix(s.text[from:s.at], "$") && !strings.HasSuffix(s.text[from:s.at], "@") || c == '}' && strings.IndexByte(s.text[from:s.at], '{') < 0) && s.dialect == PowerShell:
			break scan
		case c == '$' && s.dialect == Shell && s.at > from && s.at+1 < len(s.text) && s.text[s.at+1] == '(':
			break scan
		case c == escape && s.at+1 < len(s.text):
			differ(s.at)
			if next := s.text[s.at+1]; next != '\n' {
				b = append(b, next)
			}
			s.at += 2
		case c == '"' || c == '\'' && s.dialect != Batch:
			end := s.quoted(c)
			if end < 0 {
				take(s.text[s.at : s.at+1])
				s.at++
				continue
			}
			differ(s.at)
			inner := s.text[s.at+1 : end]
			if c == '"' {
				if s.dialect == Shell && (strings.IndexByte(inner, '$') >= 0 || strings.IndexByte(inner, '`') >= 0) ||
					s.dialect == PowerShell && strings.IndexByte(inner, '$') >= 0 ||
					s.dialect == Batch && strings.IndexByte(inner, '%') >= 0 {
					literal = false
				}
				if s.dialect == Shell {
					b = unescape(b, inner, "$`\"\\")
				} else {
					b = append(b, strings.ReplaceAll(inner, `""`, `"`)...)
				}
			} else if s.dialect == PowerShell {
				b = append(b, strings.ReplaceAll(inner, "''", "'")...)
			} else {
				b = append(b, inner...)
			}
			s.at = end + 1
		default:
			if c == '$' && s.dialect != Batch || c == '%' && s.dialect == Batch || s.dialect == Shell && active(s.text[from:], s.at-from) {
				literal = false
			}
			take(s.text[s.at : s.at+1])
			s.at++
		}
	}
	if s.at == from {
		return spelling{}, false
	}
	w := spelling{Word{s.text[from:s.at], literal}, s.text[from:s.at]}
	if !plain {
		w.Text = string(b)
	}
	return w, true
}

// quoted is where the quote at the present place closes, or -1.
func (s *splitter) quoted(c byte) int {
	if s.open[c] {
		return -1
	}
	for i := s.at + 1; i < len(s.text); i++ {
		switch {
		case s.text[i] == c:
			if s.dialect == PowerShell && i+1 < len(s.text) && s.text[i+1] == c {
				i++
				continue
			}
			return i
		case c == '"' && (s.text[i] == '\\' && s.dialect == Shell || s.text[i] == '`' && s.dialect == PowerShell):
			i++
		}
	}
	s.open[c] = true
	return -1
}

// passed are the words of the grammar that stand before a command; skipped are those
// that stand for no command at all.
var (
	passed = map[string]bool{"if": true, "then": true, "elif": true, "else": true, "do": true, "while": true,
		"until": true, "!": true, "{": true, "time": true}
	skipped = map[string]bool{"for": true, "case": true, "esac": true, "fi": true, "done": true, "}": true,
		"function": true, "select": true, "foreach": true, "try": true, "catch": true, "param": true, "rem": true}
)

// split reads the commands of a split text.
func (r *reader) split(parts []part, in place) {
	d := r.script.Dialect
	fed := in.fed
	for i := range parts {
		p := &parts[i]
		if p.op != "" {
			fed = p.op == "|" || p.op == "|&" || fed && (p.op == "(" || p.op == "{")
			continue
		}
		here := in
		here.fed = fed
		here.feeds = in.feeds || i+1 < len(parts) && (parts[i+1].op == "|" || parts[i+1].op == "|&")
		fed = false
		one := Simple{}
		for _, rd := range p.redirects {
			one.Redirects = append(one.Redirects, rd.Redirect)
		}
		words := p.words
		for len(words) > 0 && (passed[words[0].Text] || d == Batch && words[0].Text == "@") {
			words = words[1:]
		}
		if len(words) > 0 && skipped[words[0].Text] {
			words = nil
		}
		for len(words) > 0 && d == Shell && isAssignment(words[0].Text) {
			one.Assigns = append(one.Assigns, words[0].Word)
			if v, _ := assignment(words[0].Text); len(words) == 1 && words[0].Literal {
				r.assign(strings.TrimSuffix(words[0].Text[:v-1], "+"), words[0].Text[v:])
			}
			words = words[1:]
		}
		if len(words) > 0 && strings.HasPrefix(words[0].Text, "$") {
			// PowerShell: $x = command, $env:X = value, $x=value.
			switch {
			case len(words) > 1 && words[1].Text == "=":
				words = words[2:]
				if len(words) > 0 && (words[0].source != words[0].Text || strings.HasPrefix(words[0].Text, "$")) {
					words = nil
				}
			case strings.Contains(words[0].Text, "="):
				one.Assigns = append(one.Assigns, words[0].Word)
				words = words[1:]
			}
		}
		plain := make([]Word, len(words))
		for k, w := range words {
			plain[k] = w.Word
			if d == Batch && k == 0 {
				plain[k].Text = strings.TrimPrefix(w.Text, "@")
			}
		}
		r.simple(plain, one, here)
		for _, w := range words {
			if from := strings.Index(w.Text, "$("); !w.Literal && from >= 0 && r.level < maxLevel {
				if to := strings.LastIndexByte(w.Text, ')'); to > from {
					in := in
					in.fed, in.feeds = false, false
					in.wrappers = slices.Clip(in.wrappers)
					r.nested(w.Text[from+2:to], d, in)
				}
			}
		}
	}
}

// dialect tells the shell a text is written for by cheap signs.
func dialect(text string) Dialect {
	start := strings.TrimLeft(text, " \t\r\n(@")
	word := start
	if i := strings.IndexAny(start, " \t\r\n;|)("); i >= 0 {
		word = start[:i]
	}
	switch {
	case strings.HasPrefix(start, "$"):
		if strings.HasPrefix(start, "$env:") || strings.HasPrefix(start, "$Env:") || strings.HasPrefix(start, "$ErrorActionPreference") {
			return PowerShell
		}
		if name, _, end := variable(start); name != "" {
			if rest := strings.TrimLeft(start[end:], " "); strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==") {
				return PowerShell
			}
		}
	case cmdlet(word):
		return PowerShell
	case powershellAliases[strings.ToLower(word)]:
		return PowerShell
	case strings.HasPrefix(text, "@echo "), len(word) > 3 && word[1:3] == ":\\" && nameByte(word[0], true):
		return Batch
	case batchVerbs[strings.ToLower(word)]:
		rest := strings.TrimLeft(start[len(word):], " ")
		if len(rest) > 1 && rest[0] == '/' && (len(rest) == 2 || rest[2] == ' ' || rest[2] == ':' || rest[2] == '/') ||
			strings.Contains(rest, ":\\") || percentVariable(rest) {
			return Batch
		}
	}
	return Shell
}

// percentVariable tells whether a text holds %NAME% or, for loops, %%n.
func percentVariable(text string) bool {
	for {
		i := strings.IndexByte(text, '%')
		if i < 0 || i+1 == len(text) {
			return false
		}
		text = text[i+1:]
		n := 0
		for n < len(text) && nameByte(text[n], n == 0) {
			n++
		}
		if n > 1 && n < len(text) && text[n] == '%' || text[0] == '%' && len(text) > 1 && nameByte(text[1], true) {
			return true
		}
	}
}

var powershellAliases = map[string]bool{"iwr": true, "irm": true, "gci": true, "gc": true, "sls": true, "ri": true}

var batchVerbs = map[string]bool{"dir": true, "del": true, "copy": true, "xcopy": true, "move": true, "type": true,
	"findstr": true, "rmdir": true, "rd": true, "md": true, "set": true, "if": true, "for": true, "ren": true,
	"robocopy": true, "tasklist": true, "taskkill": true, "call": true, "start": true}

// cmdlet tells a PowerShell command name: an approved verb, a dash, a noun.
func cmdlet(word string) bool {
	dash := strings.IndexByte(word, '-')
	if dash < 3 || dash+1 == len(word) || word[dash+1] < 'A' || word[dash+1] > 'Z' {
		return false
	}
	return cmdletVerbs[word[:dash]]
}

var cmdletVerbs = map[string]bool{"Get": true, "Set": true, "New": true, "Remove": true, "Invoke": true,
	"Select": true, "Test": true, "Write": true, "Start": true, "Stop": true, "Out": true, "Add": true, "Clear": true,
	"Copy": true, "Move": true, "Rename": true, "Resolve": true, "Compare": true, "ConvertTo": true,
	"ConvertFrom": true, "Format": true, "Measure": true, "Sort": true, "Where": true, "ForEach": true, "Group": true,
	"Import": true, "Export": true, "Install": true, "Join": true, "Split": true, "Push": true, "Pop": true,
	"Read": true, "Restart": true, "Expand": true, "Compress": true, "Wait": true, "Tee": true, "Enable": true,
	"Disable": true, "Update": true, "Find": true, "Show": true, "Use": true}
