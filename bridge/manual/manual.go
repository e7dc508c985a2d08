// Package manual lays out what the program says of itself: pages of plain text, as
// wide as the terminal, or as a page is where there is none.
package manual

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/pflag"
)

// A page is never narrower than this, whatever it is written to, nor wider.
const (
	narrowest = 40
	widest    = 100
)

// Page is what there is to say of a command.
type Page struct {
	Synopsis string
	About    []string // paragraphs
	Sections []Section
	Examples []Entry // command lines, and what each is for
}

// Section is a list under a title.
type Section struct {
	Title   string
	Entries []Entry
}

// Entry is a name and what it means.
type Entry struct{ Name, Text string }

// Flags lists the flags of a command.
func Flags(flags *pflag.FlagSet) Section {
	s := Section{Title: "Flags"}
	flags.VisitAll(func(f *pflag.Flag) {
		value, text := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if f.Value.Type() != "bool" {
			name += " " + value
		}
		s.Entries = append(s.Entries, Entry{name, text})
	})
	return s
}

// Write writes the page for so many columns.
func (p Page) Write(w io.Writer, columns int) error {
	columns = min(max(columns, narrowest), widest)
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: %s\n", p.Synopsis)
	for _, text := range p.About {
		b.WriteByte('\n')
		wrap(&b, text, "", columns)
	}
	for _, s := range p.Sections {
		s.write(&b, columns)
	}
	if len(p.Examples) > 0 {
		b.WriteString("\nExamples:\n")
	}
	for _, e := range p.Examples {
		wrap(&b, e.Text+":", "  ", columns)
		fmt.Fprintf(&b, "    %s\n", e.Name) // in one piece, so that it can be copied
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// write puts names and texts side by side where there is room for both.
func (s Section) write(b *strings.Builder, columns int) {
	fmt.Fprintf(b, "\n%s:\n", s.Title)
	indent := 0
	for _, e := range s.Entries {
		if n := utf8.RuneCountInString(e.Name) + 4; n <= columns/3 {
			indent = max(indent, n)
		}
	}
	indent = max(indent, 6)
	for _, e := range s.Entries {
		room := indent - 2 - utf8.RuneCountInString(e.Name)
		if room >= 2 {
			text := "  " + e.Name + strings.Repeat(" ", room)
			wrapAfter(b, text, e.Text, strings.Repeat(" ", indent), columns)
			continue
		}
		fmt.Fprintf(b, "  %s\n", e.Name)
		wrap(b, e.Text, strings.Repeat(" ", indent), columns)
	}
}

// wrap writes a text in lines that begin with indent.
func wrap(b *strings.Builder, text, indent string, columns int) {
	wrapAfter(b, indent, text, indent, columns)
}

// wrapAfter writes a text whose first line has begun with something of indent's
// length.
func wrapAfter(b *strings.Builder, begun, text, indent string, columns int) {
	line, words := begun, 0
	for word := range strings.FieldsSeq(text) {
		if words > 0 && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > columns {
			b.WriteString(line + "\n")
			line, words = indent, 0
		}
		if words > 0 {
			line += " "
		}
		line += word
		words++
	}
	b.WriteString(line + "\n")
}
