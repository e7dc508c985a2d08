package replay

import (
	"slices"
	"strings"
)

// scoreboard draws scores side by side, where there are several sessions and
// anything is known of any.
func (c canvas) scoreboard(scores []*Score) {
	scores = slices.DeleteFunc(slices.Clone(scores), func(s *Score) bool { return s.Healthy+s.Stuck+len(s.Scenarios) == 0 })
	if c.alone || len(scores) == 0 {
		return
	}
	c.put(`
<h2>Scoreboard</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Scoreboard">
<table class="scores">`)
	for i, row := range scoreboard(scores) {
		switch {
		case i == 0:
			c.put("\n<thead><tr>")
			c.scores(row, `<th scope="col">`, `<th scope="col" class="n">`, `</th>`)
			c.put("</tr></thead>\n<tbody>")
		case known(row[0], scores):
			c.put("\n<tr>")
			c.scores(row, `<th scope="row">`, `<td class="n">`, `</td>`)
			c.put("</tr>")
		}
	}
	c.put("\n</tbody>\n</table>\n</div>")
}

// scores draws the cells of a row: its name, and one for each score.
func (c canvas) scores(row []string, name, score, end markup) {
	c.put(name, text(cut(row[0], pageName)), "</th>")
	for _, cell := range row[1:] {
		c.put(score, text(cut(cell, pageName)), end)
	}
}

// known reports whether there is anything to say by a measure.
func known(measure string, scores []*Score) bool {
	of := func(known func(*Score) bool) bool { return slices.ContainsFunc(scores, known) }
	switch kind, _, _ := strings.Cut(measure, ":"); {
	case kind == "healthy":
		return of(func(s *Score) bool { return s.Healthy > 0 })
	case kind == "stuck", strings.HasPrefix(kind, "calls"):
		return of(func(s *Score) bool { return s.Stuck > 0 })
	case strings.HasPrefix(kind, "scenarios"):
		return of(func(s *Score) bool { return len(s.Scenarios) > 0 })
	}
	return true
}
