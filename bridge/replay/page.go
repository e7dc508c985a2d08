package replay

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
)

// How much a page shows: characters of a name, of an input, of a result and of a sentence of
// the guard; calls of a session; bytes of calls in all. Sessions that the guard was
// silent in are brief when the page is no longer small, and may fill only a part. A
// session for which there is no room has its line in the overview, no more.
const (
	pageName  = 200
	pageText  = 500
	pageSaid  = 1000
	pageBrief = 160
	pageCalls = 2000
	pageFull  = 1 << 20
	pageQuiet = 12 << 20
	pageRoom  = 24 << 20
)

// pageColours is how many colours tell kinds of calls apart. Where there are more
// kinds, the colours come round again, and the letters tell.
const pageColours = 6

// Page draws sessions as one HTML file that needs nothing else: an overview, and
// the calls of each session as a strip and as a table. Recorded text is shown as
// text, whatever it is. Watch and Take may be called at the same time.
type Page struct {
	room int // bytes that are left of pageRoom

	mu   sync.Mutex
	live map[*Session]*drawing // of which not all outcomes are known

	sessions []*drawing
	presets  []string
}

// NewPage returns an empty page.
func NewPage() *Page {
	return &Page{room: pageRoom, live: map[*Session]*drawing{}}
}

// drawing is a session on the page.
type drawing struct {
	ID    int
	Calls []*drawnCall
	Lanes []*lane
	// Left says which calls are not shown, empty where all are.
	Left markup

	kinds map[uint64]*callKind // nil if it was not watched
	size  int                  // bytes of text

	mu     sync.Mutex
	placed bool // whether it has its place on the page: no more calls
}

// lane is what one policy made of a session.
type lane struct {
	ID      int
	Preset  string
	Outcome Outcome

	calls int // that were watched
	taken bool
}

// drawnCall is a call. It is the same under every policy; Verdicts are not.
type drawnCall struct {
	Number   int
	Kind     *callKind
	Nth      int // of equal calls, counted from 1
	Result   excerpt
	IsError  bool
	Verdicts []*verdict
}

// callKind is what equal calls have in common.
type callKind struct {
	Tool   excerpt
	Input  excerpt
	Count  int
	Letter markup // empty where there is only one
	Colour int    // from 1, 0 where there is only one
}

// verdict is what a policy made of a call that did not simply run.
type verdict struct {
	Lane *lane
	Fate Fate
	Said []excerpt
	Why  excerpt

	number int
}

// Watch takes in the next call of a session, as Lab.Watch does.
func (p *Page) Watch(s *Session, preset string, step Step) {
	d := p.drawing(s)
	d.mu.Lock()
	defer d.mu.Unlock()
	l := d.lane(preset)
	l.calls++
	if step.Number > pageCalls || d.placed {
		return
	}
	if step.Number > len(d.Calls) {
		d.call(step)
	}
	if step.Fate == Ran && len(step.Said) == 0 {
		return
	}
	v := &verdict{Lane: l, Fate: step.Fate, number: step.Number}
	for _, said := range step.Said {
		v.Said = append(v.Said, cut(said, pageSaid))
		d.size += len(v.Said[len(v.Said)-1].Text)
	}
	if w := step.Why; w != nil {
		v.Why = cut(fmt.Sprintf("rule %s, stage %s: %d, due from %d", w.Rule, w.Stage, w.Count, w.Limit), pageName)
	}
	c := d.Calls[step.Number-1]
	c.Verdicts = append(c.Verdicts, v)
}

// drawing returns that of a session.
func (p *Page) drawing(s *Session) *drawing {
	p.mu.Lock()
	defer p.mu.Unlock()
	d := p.live[s]
	if d == nil {
		d = &drawing{kinds: map[uint64]*callKind{}}
		p.live[s] = d
	}
	return d
}

func (d *drawing) lane(preset string) *lane {
	for _, l := range d.Lanes {
		if l.Preset == preset {
			return l
		}
	}
	l := &lane{ID: len(d.Lanes), Preset: preset}
	d.Lanes = append(d.Lanes, l)
	return l
}

func (d *drawing) call(step Step) {
	k := d.kinds[step.Same]
	if k == nil {
		k = &callKind{Tool: cut(step.Tool, 100), Input: cut(readable(step.Input), pageText)}
		d.kinds[step.Same] = k
	}
	k.Count++
	c := &drawnCall{
		Number: step.Number, Kind: k, Nth: k.Count,
		Result: cut(FirstText(step.Content), pageText), IsError: step.IsError,
	}
	d.Calls = append(d.Calls, c)
	d.size += len(k.Tool.Text) + len(k.Input.Text) + len(c.Result.Text)
}

// Take takes in what came of a session under a policy, after its calls. One that
// had no calls to watch has its line in the overview only.
func (p *Page) Take(played Played) {
	p.mu.Lock()
	defer p.mu.Unlock()
	o := played.Outcome
	if !slices.Contains(p.presets, o.Preset) {
		p.presets = append(p.presets, o.Preset)
	}
	d := p.drawingOf(played)
	d.mu.Lock()
	defer d.mu.Unlock()
	l := d.lane(o.Preset)
	l.Outcome, l.taken = o, true
	if !d.placed {
		d.placed = true
		d.ID = len(p.sessions) + 1
		p.sessions = append(p.sessions, d)
		p.fit(d)
	}
	if played.Session != nil && !slices.ContainsFunc(d.Lanes, func(l *lane) bool { return !l.taken }) {
		delete(p.live, played.Session)
	}
}

// drawingOf returns what an outcome is of. A recording without calls to watch has
// no session; under several policies it is one all the same.
func (p *Page) drawingOf(played Played) *drawing {
	if d := p.live[played.Session]; d != nil {
		return d
	}
	if n := len(p.sessions); n > 0 && played.Session == nil {
		d := p.sessions[n-1]
		same := d.Lanes[0].Outcome.Name == played.Outcome.Name && d.kinds == nil
		if same && !slices.ContainsFunc(d.Lanes, func(l *lane) bool { return l.Preset == played.Outcome.Preset }) {
			return d
		}
	}
	return &drawing{}
}

// fit gives the calls of a session their letters and colours, or leaves them out
// where there is no room.
func (p *Page) fit(d *drawing) {
	all := 0
	for _, l := range d.Lanes {
		all = max(all, l.calls)
	}
	room := p.room
	if !d.spoke() {
		room -= pageRoom - pageQuiet
		if p.room < pageRoom-pageFull {
			d.shorten()
		}
	}
	switch {
	case len(d.Calls) == 0:
		d.Left = "Its calls are not drawn: it is a fixture or a trace, or has none."
	case d.size > room:
		d.Calls = nil
		d.Left = "Its calls are not drawn: the page is full. Replay this session alone to see them."
	case all > len(d.Calls):
		d.Left = "The first " + number(len(d.Calls)) + " of " + number(all) + " calls are drawn."
	}
	if d.Calls != nil {
		p.room -= d.size
	}
	d.letter()
}

// shorten makes a session brief.
func (d *drawing) shorten() {
	d.size = 0
	for _, c := range d.Calls {
		c.Result.shorten(pageBrief)
		c.Kind.Input.shorten(pageBrief)
		d.size += len(c.Kind.Tool.Text) + len(c.Kind.Input.Text) + len(c.Result.Text)
	}
}

// spoke reports whether the guard said anything about the calls.
func (d *drawing) spoke() bool {
	return slices.ContainsFunc(d.Calls, func(c *drawnCall) bool {
		return slices.ContainsFunc(c.Verdicts, func(v *verdict) bool { return len(v.Said) > 0 })
	})
}

const letters markup = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// letter names the calls that come again, the most frequent one first.
func (d *drawing) letter() {
	var again []*callKind
	for _, c := range d.Calls {
		if c.Nth == 2 {
			again = append(again, c.Kind)
		}
	}
	slices.SortStableFunc(again, func(a, b *callKind) int { return cmp.Compare(b.Count, a.Count) })
	for i, k := range again {
		k.Colour = i%pageColours + 1
		for n := i + 1; n > 0; n = (n - 1) / 26 {
			k.Letter = letters[(n-1)%26:][:1] + k.Letter
		}
	}
	clear(d.kinds)
}
