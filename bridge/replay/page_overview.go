package replay

import "slices"

// overview draws a line for each session and each policy.
func (c canvas) overview(sessions []*drawing) {
	c.put(when(!c.alone, `<label class="only"><input type="checkbox" id="spoke">Only where the guard spoke</label>`), `
<table class="overview">
<thead><tr><th scope="col">Session</th>`,
		when(c.presets, `<th scope="col">Preset</th>`),
		when(c.labels, `<th scope="col">Label</th>`),
		`<th scope="col" class="n">Calls</th><th scope="col" class="n">Noted</th><th scope="col" class="n">Refused</th>`,
		`<th scope="col" class="n">First refused</th><th scope="col" class="n">Ended at</th><th scope="col">Most frequent call</th></tr></thead>
<tbody>`)
	for _, d := range sessions {
		for _, l := range d.Lanes {
			c.line(d, l)
		}
	}
	c.put("\n</tbody>\n</table>")
}

func (c canvas) line(d *drawing, l *lane) {
	o, label, most := l.Outcome, d.label(), cut(l.Outcome.cost(), 120)
	c.put("\n<tr", when(l.quiet(), ` class="quiet"`), `><th scope="row"><a href="#`, anchor(d, l), `"><bdi>`, text(d.name()), "</bdi></a></th>")
	if c.presets {
		c.put(`<td data-h="preset">`, text(l.name()), "</td>")
	}
	if c.labels {
		c.put(`<td class="label`, when(label.Text == "", " none"), `"><bdi>`, text(label), "</bdi></td>")
	}
	c.put(`<td class="n" data-h="calls">`, number(d.recorded()), "</td>")
	c.figure("noted", count(o.Noted), "")
	c.figure("refused", count(o.Blocked), " hot")
	c.figure("first at", at(o.FirstBlock), "")
	c.figure("ended at", at(o.EndedAt), "")
	c.put("<td", when(most.Text == "", ` class="none"`), "><bdi>", text(most), "</bdi></td></tr>")
}

// none stands for a number where there is none.
const none markup = `<span aria-label="none">–</span>`

// figure draws a number that may be none, of a class where it is not.
func (c canvas) figure(name, n, class markup) {
	if n == none {
		class = " none"
	}
	c.put(`<td class="n`, class, `" data-h="`, name, `">`, n, "</td>")
}

func count(n int) markup {
	if n == 0 {
		return none
	}
	return number(n)
}

// at is the number of a call.
func at(n *int) markup {
	if n == nil {
		return none
	}
	return number(*n)
}

// anchor names the place of a session under a policy, where it is drawn.
func anchor(d *drawing, l *lane) markup { return "s" + number(d.ID) + "p" + number(l.ID) }

// name is the session's.
func (d *drawing) name() excerpt { return cut(d.Lanes[0].Outcome.Name, pageName) }

// label is what is known of the session.
func (d *drawing) label() excerpt {
	o := d.Lanes[0].Outcome
	if o.Expect != nil {
		return cut("expect "+o.Expect.Stage, 40)
	}
	return cut(o.Label, 40)
}

// recorded is how many calls were.
func (d *drawing) recorded() int { return d.Lanes[0].Outcome.Calls }

// quiet reports whether nothing happened under any policy.
func (d *drawing) quiet() bool {
	return !slices.ContainsFunc(d.Lanes, func(l *lane) bool { return !l.quiet() })
}

// name is the policy's.
func (l *lane) name() excerpt { return cut((&Score{Preset: l.Preset}).Name(), pageName) }

// quiet reports whether nothing happened.
func (l *lane) quiet() bool { return !l.Outcome.forced() && l.Outcome.Noted == 0 }
