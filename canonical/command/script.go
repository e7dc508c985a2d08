package command

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Script is a command text, read once. The zero value is an empty script.
type Script struct {
	// Commands are the simple commands that would run, in the order they are
	// written; what stands in a substitution follows the command it stands in.
	// A statement without a command word (an assignment, the redirection of a
	// loop) is one with an empty Name.
	Commands []Simple
	// Dialect is the shell the text is written for.
	Dialect Dialect
	// Guessed tells that the text is not grammatical, or too deep to parse, and was
	// split by words and operators outside quotes instead; or that it is longer than a
	// shell takes (128 KiB), and was not read: it then has no commands, and changes.
	Guessed bool

	text      string
	opaque    bool                // whether it is longer than any shell takes, and was not read
	file      *syntax.File        // nil when split
	wrapped   bool                // whether a command has a wrapper
	plain     []Word              // all words of a plain text, nil where there is a wrapper
	parts     []part              // the split, for printing it
	values    map[string][]string // literal values the script gives its variables
	functions map[string]bool     // functions the script declares
}

// Dialect is a shell language.
type Dialect uint8

const (
	Shell      Dialect = iota // sh, bash and their kin
	PowerShell                // Windows PowerShell, pwsh
	Batch                     // cmd.exe
)

// Simple is one simple command: a command word with its arguments, taken out of the
// wrappers that run it.
type Simple struct {
	// Name is the command word without its path, in the case it is written in.
	Name string
	// Words are the command word and its arguments, quotes removed.
	Words []Word
	// Assigns are the assignments before the command word, as NAME=value.
	Assigns []Word
	// Redirects are its redirections in order, here-documents included.
	Redirects []Redirect
	// Wrappers are the names of what runs it, outermost first: "sudo", "xargs", "bash".
	Wrappers []string
	// Fed tells that it reads a pipe, Feeds that it writes into one.
	Fed, Feeds bool
	// Remote tells that it runs on another machine (ssh).
	Remote bool
	// Looped tells that it stands in a loop.
	Looped bool

	judged bool   // whether its effect has been asked for
	effect Effect // which then stands here
}

// Input returns the text a here-document or here-string gives the command to read.
func (c *Simple) Input() (text Word, ok bool) {
	for i := len(c.Redirects) - 1; i >= 0; i-- {
		if r := &c.Redirects[i]; r.Op == "<<<" {
			return r.Target, true
		}
	}
	return Word{}, false
}

// Word is one word after quote removal.
type Word struct {
	// Text is the word itself. What expands keeps its source: $HOME/x, $(pwd), *.go.
	Text string
	// Literal tells that nothing in the word expands, so that Text is its value.
	Literal bool
}

// Redirect is one redirection.
type Redirect struct {
	// Op is the operator without its descriptor: ">", ">>", ">|", "&>", "&>>", ">&",
	// "<", "<>", "<&". A here-document is told as the here-string it amounts to: "<<<".
	Op string
	// Fd is the descriptor as written ("2"), empty for the operator's own.
	Fd string
	// Target is the file, the descriptor, or the text of a here-document.
	Target Word
}

// Parse reads a command text. It never fails; see [Script.Guessed].
func Parse(text string) *Script { return new(Parser).Parse(text) }

// Parser reads one text after the other, in memory that is used again. The zero value
// is ready to use.
type Parser struct {
	script Script
	reader reader
	tree   tree
}

// Parse is the function of that name. The script is valid until the next call.
func (p *Parser) Parse(text string) *Script {
	if strings.IndexByte(text, 0) >= 0 {
		text = strings.ReplaceAll(text, "\x00", "") // as shells do
	}
	s := &p.script
	if len(text) > maxText {
		*s = Script{text: text, Guessed: true, opaque: true}
		return s
	}
	if clear(s.Commands); cap(s.Commands) == 0 || cap(s.Commands) > keptNodes {
		s.Commands = make([]Simple, 0, 4)
	}
	r := &p.reader
	if cap(r.words) == 0 || cap(r.words) > keptNodes {
		r.words = make([]Word, 0, 16)
	}
	*s = Script{text: text, Dialect: dialect(text), Commands: s.Commands[:0]}
	*r = reader{script: s, text: text, words: r.words[:0]}
	if s.Dialect == Shell {
		if s.file = parse(text, &p.tree); s.file != nil {
			r.stmts(s.file.Stmts, place{})
			if s.file == &p.tree.file && !s.wrapped {
				s.plain = r.words
			}
			return s
		}
		s.Guessed = true
	}
	s.parts = split(text, s.Dialect)
	r.split(s.parts, place{})
	return s
}

// Argv reads a command given as an argument vector, as agents send
// ["bash", "-lc", "…"].
func Argv(words []string) *Script {
	var text []byte
	for i, w := range words {
		if i > 0 {
			text = append(text, ' ')
		}
		text = quote(text, w, i == 0)
	}
	return Parse(string(text))
}

// Verb returns the name of the first simple command, with wrappers such as sudo,
// "timeout 30", "FOO=1" and "bash -c" looked through; empty when there is none. A cd
// counts as any other command.
// It is the identity of `verb` and part of `cmd` in the system `measures`.
func (s *Script) Verb() string {
	for i := range s.Commands {
		if n := s.Commands[i].Name; n != "" {
			return n
		}
	}
	return ""
}

// base is the name of the program a command word runs.
func base(word string) string {
	if i := strings.LastIndexByte(word, '/'); i >= 0 && i+1 < len(word) {
		word = word[i+1:]
	}
	if len(word) > 3 && word[1] == ':' || strings.HasPrefix(word, `.\`) {
		word = word[strings.LastIndexByte(word, '\\')+1:]
	}
	return word
}

// program is the name to look a command up by.
func (c *Simple) program() string { return program(c.Name) }

func program(name string) string {
	if len(name) > 4 && name[len(name)-4] == '.' && strings.EqualFold(name[len(name)-4:], ".exe") {
		return strings.ToLower(name[:len(name)-4])
	}
	return name
}

// resolve puts the literal values the script gives its variables into a word: one
// text for each value. A word with an unknown variable stays as written.
func (s *Script) resolve(w Word) []string {
	if w.Literal || len(s.values) == 0 {
		return []string{w.Text}
	}
	texts := []string{w.Text}
	for range 4 { // at most so many variables in a word
		name, _, _ := variable(texts[0])
		values := s.values[name]
		if name == "" || len(values) == 0 || len(texts)*len(values) > 64 {
			break
		}
		var next []string
		for _, t := range texts {
			if n, from, to := variable(t); n == name {
				for _, v := range values {
					next = append(next, t[:from]+v+t[to:])
				}
			}
		}
		if texts = next; len(texts) == 0 {
			return []string{w.Text}
		}
	}
	return texts
}

// variable finds the first $name or ${name} in a text.
func variable(text string) (name string, from, to int) {
	from = strings.IndexByte(text, '$')
	if from < 0 || from+1 == len(text) {
		return "", 0, 0
	}
	i := from + 1
	brace := text[i] == '{'
	if brace {
		i++
	}
	start := i
	for i < len(text) && nameByte(text[i], i == start) {
		i++
	}
	name, to = text[start:i], i
	if brace {
		if i == len(text) || text[i] != '}' {
			return "", 0, 0
		}
		to++
	}
	return name, from, to
}

func nameByte(c byte, first bool) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || !first && '0' <= c && c <= '9'
}

// assignment tells whether a word reads NAME=value, and where the value starts.
func assignment(text string) (value int, ok bool) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case nameByte(c, i == 0):
		case i > 0 && c == '=':
			return i + 1, true
		case i > 0 && c == '+' && i+1 < len(text) && text[i+1] == '=':
			return i + 2, true
		default:
			return 0, false
		}
	}
	return 0, false
}

func clean(file string) string {
	if file == "" {
		return ""
	}
	return path.Clean(file)
}
