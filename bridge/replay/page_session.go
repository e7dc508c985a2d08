package replay

// drawings draws each session: what the guard did under each policy, and the calls.
func (c canvas) drawings(sessions []*drawing) {
	for _, d := range sessions {
		c.session(d)
	}
}

func (c canvas) session(d *drawing) {
	c.put("\n", `<details class="session`, when(d.quiet(), " quiet"), `" id="s`, number(d.ID), `"`, when(c.alone, " open"), ` data-loop="`, number(d.loopStart()), `">
<summary><h3><bdi>`, text(d.name()), `</bdi></h3> <small>`, number(d.recorded()), ` calls`)
	if label := d.label(); label.Text != "" {
		c.put(", <bdi>", text(label), "</bdi>")
	}
	if loop := d.loopStart(); loop != 0 {
		c.put(", loop begins at ", number(loop))
	}
	c.put(`</small></summary>
<div>
<ul class="lanes">`)
	for _, l := range d.Lanes {
		c.put("\n", `<li id="`, anchor(d, l), `" data-p="`, number(l.ID), `"><span>`)
		if c.presets {
			c.put("<b>", text(l.name()), ":</b> ")
		}
		c.put(l.sentence(), "</span></li>")
	}
	c.put("\n</ul>")
	if d.Left != "" {
		c.put(`<p class="left">`, d.Left, "</p>")
	}
	if len(d.Calls) > 0 {
		c.calls(d)
	}
	c.put(`
<p class="back"><a href="#overview">Back to the overview</a></p>
</div>
</details>`)
}

// sentence says what the guard did.
func (l *lane) sentence() markup {
	o := l.Outcome
	var said []markup
	if o.Noted > 0 {
		said = append(said, number(o.Noted)+" noted, the first at call "+at(o.FirstNote))
	}
	if o.Blocked > 0 {
		said = append(said, number(o.Blocked)+" refused, the first at call "+at(o.FirstBlock))
	}
	if o.EndedAt != nil {
		ended := "run ended after call " + number(*o.EndedAt)
		if saved := o.Calls - *o.EndedAt; saved > 0 {
			ended += ", " + number(saved) + " saved"
		}
		said = append(said, ended)
	}
	if said == nil {
		return "the guard was silent"
	}
	return join(said, "; ")
}

// loopStart is the call at which the session's loop begins, 0 if none is known.
func (d *drawing) loopStart() int { return d.Lanes[0].Outcome.LoopStart }

// endedAt is the call after which the run was ended, 0 if it was not.
func (l *lane) endedAt() int {
	if l.Outcome.EndedAt == nil {
		return 0
	}
	return *l.Outcome.EndedAt
}
