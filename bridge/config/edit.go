package config

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// edit returns a file's text with the setting of that path at the value, or
// without it where value is nil. All else stays as it is, byte for byte. The text
// must be an object, and what stands at the path's group too.
func edit(text []byte, path string, value jsontext.Value) []byte {
	root := layOut(text, bytes.IndexByte(text, '{'))
	group, name, deeper := strings.Cut(path, ".")
	if !deeper {
		return root.change(group, value)
	}
	at := root.find(group)
	switch {
	case at < 0 && value == nil:
		return text
	case at < 0:
		text = root.change(group, jsontext.Value("{}"))
		root = layOut(text, root.open)
		at = root.find(group)
	}
	inner := layOut(text, root.members[at].value)
	if value == nil && len(inner.members) == 1 && inner.find(name) == 0 {
		return root.change(group, nil) // rather than leave an empty group
	}
	return inner.change(name, value)
}

// layout is where the parts of an object stand in a text.
type layout struct {
	text        []byte
	open, close int // its braces
	members     []place
}

// place is where a member stands: its name, its value, and what follows it.
type place struct {
	name              string
	start, value, end int
}

// layOut finds the members of the object whose brace is at open.
func layOut(text []byte, open int) layout {
	l := layout{text: text, open: open}
	dec := jsontext.NewDecoder(bytes.NewReader(text[open:]), jsontext.AllowDuplicateNames(true))
	dec.ReadToken()
	for dec.PeekKind() == '"' {
		before := open + int(dec.InputOffset())
		p := place{start: before + bytes.IndexByte(text[before:], '"')}
		name, _ := dec.ReadToken()
		p.name = name.String()
		value, _ := dec.ReadValue()
		p.end = open + int(dec.InputOffset())
		p.value = p.end - len(value)
		l.members = append(l.members, p)
	}
	dec.ReadToken()
	l.close = open + int(dec.InputOffset())
	return l
}

// find returns the index of the member of that name, -1 if there is none.
func (l layout) find(name string) int {
	return slices.IndexFunc(l.members, func(p place) bool { return p.name == name })
}

// change puts a value at a name, or takes the name out where value is nil.
func (l layout) change(name string, value jsontext.Value) []byte {
	i, last := l.find(name), len(l.members)-1
	switch {
	case i < 0 && value == nil:
		return l.text
	case i >= 0 && value != nil:
		return l.splice(l.members[i].value, l.members[i].end, string(value))
	case i < 0 && last < 0:
		return l.splice(l.open, l.close, l.only(name, value))
	case i < 0:
		return l.splice(l.members[last].end, l.members[last].end, l.separator()+named(name, value))
	case last == 0:
		return l.splice(l.open, l.close, "{}")
	case i == 0:
		return l.splice(l.members[0].start, l.members[1].start, "")
	}
	return l.splice(l.members[i-1].end, l.members[i].end, "")
}

// separator is what stands between two members, in the style of those there are.
func (l layout) separator() string {
	if n := len(l.members); n > 1 {
		return string(l.text[l.members[n-2].end:l.members[n-1].start])
	}
	if gap := l.text[l.open+1 : l.members[0].start]; len(gap) > 0 {
		return "," + string(gap)
	}
	return ", "
}

// only is an object of one member, on lines of its own unless all of a file
// stands on one.
func (l layout) only(name string, value jsontext.Value) string {
	whole := bytes.TrimSpace(l.text)
	if !bytes.ContainsRune(whole, '\n') && len(whole) > len("{}") {
		return "{" + named(name, value) + "}"
	}
	line := l.text[bytes.LastIndexByte(l.text[:l.open], '\n')+1 : l.open]
	indent := string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
	return "{\n" + indent + "  " + named(name, value) + "\n" + indent + "}"
}

func named(name string, value jsontext.Value) string {
	quoted, _ := jsontext.AppendQuote(nil, name)
	return string(quoted) + ": " + string(value)
}

func (l layout) splice(from, to int, with string) []byte {
	return slices.Concat(l.text[:from], []byte(with), l.text[to:])
}
