package replay

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"io"
	"slices"
	"strings"
)

// The page around what is drawn, with its places marked {{like this}}; its one
// style; and its one script, which draws the strips.
var (
	//go:embed page/page.html
	pageShell string
	//go:embed page/page.css
	pageStyle markup
	//go:embed page/strip.js
	pageScript markup
)

// Render writes the page. Scores stand on it if anything was labelled.
//
// It is written without html/template: that finds methods by name, and a program in
// which anything does keeps every exported method of all it is built from.
func (p *Page) Render(w io.Writer, scores []*Score) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := canvas{
		out:     bufio.NewWriterSize(w, 1<<16),
		presets: len(p.presets) > 1,
		labels:  slices.ContainsFunc(p.sessions, func(d *drawing) bool { return d.label().Text != "" }),
		alone:   len(p.sessions) == 1,
	}
	places := map[string]func(){
		"policy":   func() { c.put(pagePolicy()) },
		"style":    func() { c.put(pageStyle) },
		"script":   func() { c.put(pageScript) },
		"sessions": func() { c.put(number(len(p.sessions)), " session", when(!c.alone, "s")) },
		"recorded": func() {
			c.put(number(len(p.sessions)), " recorded session", when(!c.alone, "s"), " with ", number(p.calls()), " calls")
		},
		"scoreboard": func() { c.scoreboard(scores) },
		"overview":   func() { c.overview(p.sessions) },
		"drawings":   func() { c.drawings(p.sessions) },
	}
	for rest := pageShell; rest != ""; {
		before, after, _ := strings.Cut(rest, "{{")
		place, after, marked := strings.Cut(after, "}}")
		c.put(markup(before))
		if marked {
			places[place]()
		}
		rest = after
	}
	if err := c.out.Flush(); err != nil {
		return fmt.Errorf("drawing the page: %w", err)
	}
	return nil
}

// calls is how many were recorded in all.
func (p *Page) calls() (n int) {
	for _, d := range p.sessions {
		n += d.recorded()
	}
	return n
}

// pagePolicy lets a browser load nothing, and run only the style and the script of
// the page, which it names by their hashes.
func pagePolicy() markup {
	return "default-src 'none'; style-src '" + hash(pageStyle) + "'; script-src '" + hash(pageScript) +
		"'; img-src data:; base-uri 'none'; form-action 'none'"
}

// hash names what stands between two tags.
func hash(m markup) markup {
	sum := sha256.Sum256([]byte(m))
	return markup("sha256-" + base64.StdEncoding.EncodeToString(sum[:]))
}
