package replay

import "strings"

// calls draws the calls of a session as a table. The script of the page draws the
// strip from it.
func (c canvas) calls(d *drawing) {
	c.put(`
<details class="calls"><summary>All calls as a table</summary>
<table>
<thead><tr><th scope="col">Call</th><th scope="col">Tool and input</th><th scope="col">Recorded result</th><th scope="col">Guard</th></tr></thead>
<tbody>`)
	for _, call := range d.Calls {
		c.call(call)
	}
	c.put(`
</tbody>
</table>
</details>`)
}

func (c canvas) call(call *drawnCall) {
	k := call.Kind
	c.put("\n", `<tr><th scope="row"><span class="num">`, number(call.Number), "</span>")
	if k.Letter != "" {
		c.put(` <span class="chip k`, number(k.Colour), `" data-of="`, number(call.Nth), " of ", number(k.Count), `">`, k.Letter, "</span>")
	}
	c.put(`</th><td><bdi class="tool">`, text(k.Tool), "</bdi>")
	c.block(k.Input)
	c.put(`</td><td data-h="Recorded result">`, when(call.IsError, `<span class="error">Error</span>`))
	c.block(call.Result)
	c.put("</td><td>")
	for _, v := range call.Verdicts {
		c.verdict(v)
	}
	c.put("</td></tr>")
}

// block draws an excerpt as it was set, and says if there was more.
func (c canvas) block(e excerpt) {
	if e.Text != "" {
		// A parser of HTML leaves out a line break right after the tag.
		c.put("<pre>", when(strings.HasPrefix(e.Text, "\n"), "\n"), text(e), "</pre>")
	}
	if e.Cut {
		c.put("<small>cut, ", number(e.Of), " characters in all</small>")
	}
}

func (c canvas) verdict(v *verdict) {
	c.put(`<div class="verdict `, join(v.marks(), " "), `" data-p="`, number(v.Lane.ID), `"><p><b>`)
	if c.presets {
		c.put(text(v.Lane.name()), ": ")
	}
	c.put(v.words(), "</b></p>")
	for _, said := range v.Said {
		c.put("<p><bdi>", text(said), "</bdi></p>")
	}
	if v.Why.Text != "" {
		c.put("<small>", text(v.Why), "</small>")
	}
	c.put("</div>")
}

// marks are the shapes at a call, by name.
func (v *verdict) marks() (marks []markup) {
	ended := v.Lane.endedAt() == v.number
	switch v.Fate {
	case Refused:
		marks = append(marks, "refused")
	case Saved:
		marks = append(marks, "saved")
	case Rejected:
		marks = append(marks, "rejected")
	}
	if !ended && len(v.Said) > 0 && (v.Fate == Ran || v.Fate == Rejected) {
		marks = append(marks, "noted")
	}
	if ended {
		marks = append(marks, "ended")
	}
	return marks
}

// words say what the marks mean.
func (v *verdict) words() markup {
	var said []markup
	for _, mark := range v.marks() {
		said = append(said, markWords[mark])
	}
	return join(said, ", ")
}

var markWords = map[markup]markup{
	"refused":  "Refused",
	"rejected": "Rejected by the host",
	"saved":    "Saved: the run had ended",
	"noted":    "Noted",
	"ended":    "Run ended",
}
