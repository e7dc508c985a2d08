package replay

import (
	"bufio"
	"html"
	"strconv"
)

// markup is HTML. A literal is markup as it stands; a string is not, and the
// compiler keeps it out: what was recorded is markup only once an excerpt of it is
// escaped. Few functions make markup of a string, and a test names them all.
type markup string

// text is what an excerpt says, for between tags or in quotes.
func text(e excerpt) markup { return markup(html.EscapeString(e.Text)) }

func number(n int) markup { return markup(strconv.Itoa(n)) }

// when is markup under a condition.
func when(condition bool, m markup) markup {
	if condition {
		return m
	}
	return ""
}

func join(parts []markup, between markup) (joined markup) {
	for i, part := range parts {
		joined += when(i > 0, between) + part
	}
	return joined
}

// canvas is what a page is drawn on. An error stays with out, and is its Flush's.
type canvas struct {
	out *bufio.Writer

	presets, labels bool // whether those are told
	alone           bool // whether there is only one session
}

func (c canvas) put(parts ...markup) {
	for _, part := range parts {
		_, _ = c.out.WriteString(string(part))
	}
}
