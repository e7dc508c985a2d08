package replay

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// How much a page shows: characters of an input, of a result and of a sentence of
// the guard; calls of a session; bytes of calls in all. Sessions that the guard was
// silent in are brief when the page is no longer small, and may fill only a part. A
// session for which there is no room has its line in the overview, no more.
const (
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
	Left string

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
	Tool   string
	Input  excerpt
	Count  int
	Letter string // empty where there is only one
	Colour int    // from 1, 0 where there is only one
}

// verdict is what a policy made of a call that did not simply run.
type verdict struct {
	Lane *lane
	Fate Fate
	Said []excerpt
	Why  string

	number int
}

// excerpt is the beginning of a text of that many characters.
type excerpt struct {
	Text string
	Of   int
	Cut  bool
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
		v.Why = fmt.Sprintf("rule %s, stage %s: %d, due from %d", w.Rule, w.Stage, w.Count, w.Limit)
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
		k = &callKind{Tool: cut(step.Tool, 100).Text, Input: cut(readable(step.Input), pageText)}
		d.kinds[step.Same] = k
	}
	k.Count++
	c := &drawnCall{
		Number: step.Number, Kind: k, Nth: k.Count,
		Result: cut(FirstText(step.Content), pageText), IsError: step.IsError,
	}
	d.Calls = append(d.Calls, c)
	d.size += len(k.Tool) + len(k.Input.Text) + len(c.Result.Text)
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
		d.Left = fmt.Sprintf("The first %d of %d calls are drawn.", len(d.Calls), all)
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
		d.size += len(c.Kind.Tool) + len(c.Kind.Input.Text) + len(c.Result.Text)
	}
}

// spoke reports whether the guard said anything about the calls.
func (d *drawing) spoke() bool {
	return slices.ContainsFunc(d.Calls, func(c *drawnCall) bool {
		return slices.ContainsFunc(c.Verdicts, func(v *verdict) bool { return len(v.Said) > 0 })
	})
}

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
			k.Letter = string(rune('A'+(n-1)%26)) + k.Letter
		}
	}
	clear(d.kinds)
}

//go:embed page.html
var pageSource string

// pageTemplate is parsed when a page is first written.
var pageTemplate = sync.OnceValues(func() (*pageParts, error) {
	// The policy of the page names its one style and its one script by their
	// hashes, so they stand in the template as they will stand in the page.
	before, rest, _ := strings.Cut(pageSource, "<style>")
	style, rest, _ := strings.Cut(rest, "</style>")
	between, rest, _ := strings.Cut(rest, "<script>")
	script, after, _ := strings.Cut(rest, "</script>")
	t, err := template.New("page").Funcs(template.FuncMap{"args": newNumber}).Parse(before + "<style>{{.Style}}</style>" + between + "<script>{{.Script}}</script>" + after)
	return &pageParts{t, template.CSS(style), template.JS(script)}, err
})

type pageParts struct {
	template *template.Template
	Style    template.CSS
	Script   template.JS
}

// Render writes the page. Scores stand on it if anything was labelled.
func (p *Page) Render(w io.Writer, scores []*Score) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	parts, err := pageTemplate()
	if err != nil {
		return fmt.Errorf("drawing the page: %w", err)
	}
	var board [][]string
	if len(p.sessions) > 1 {
		board = scoreRows(scores)
	}
	calls := 0
	for _, d := range p.sessions {
		calls += d.Lanes[0].Outcome.Calls
	}
	out := bufio.NewWriterSize(w, 1<<16)
	err = parts.template.Execute(out, map[string]any{
		"Style": parts.Style, "Script": parts.Script,
		"Policy": "default-src 'none'; style-src '" + hash(string(parts.Style)) + "'; script-src '" + hash(string(parts.Script)) +
			"'; img-src data:; base-uri 'none'; form-action 'none'",
		"Sessions": p.sessions, "Presets": len(p.presets) > 1, "Calls": calls,
		"Labels": slices.ContainsFunc(p.sessions, func(d *drawing) bool { return d.Label() != "" }),
		"Scores": board,
	})
	if err != nil {
		return fmt.Errorf("drawing the page: %w", err)
	}
	return out.Flush()
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// scoreRows are the rows that WriteScores writes, without those of which there is
// nothing to say; nil if there is nothing to say at all.
func scoreRows(scores []*Score) (rows [][]string) {
	var labelled []*Score
	for _, s := range scores {
		if s.Healthy+s.Stuck+len(s.Scenarios) > 0 {
			labelled = append(labelled, s)
		}
	}
	if len(labelled) == 0 {
		return nil
	}
	var table bytes.Buffer
	if err := WriteScores(&table, labelled); err != nil {
		return nil
	}
	healthy, stuck, scenarios := 0, 0, 0
	for _, s := range labelled {
		healthy, stuck, scenarios = healthy+s.Healthy, stuck+s.Stuck, scenarios+len(s.Scenarios)
	}
	for line := range strings.Lines(table.String()) {
		cells := slices.DeleteFunc(strings.Split(strings.TrimSpace(line), "  "), func(cell string) bool { return cell == "" })
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		kind, _, _ := strings.Cut(cells[0], ":")
		switch {
		case kind == "healthy" && healthy == 0, kind == "stuck" && stuck == 0,
			strings.HasPrefix(kind, "calls") && stuck == 0, strings.HasPrefix(kind, "scenarios") && scenarios == 0:
		default:
			rows = append(rows, cells)
		}
	}
	return rows
}

// number is a cell of the overview.
type number struct{ Name, Text, Hot string }

func newNumber(name, text, hot string) number { return number{name, text, hot} }

// Quiet reports whether nothing happened under any policy.
func (d *drawing) Quiet() bool {
	return !slices.ContainsFunc(d.Lanes, func(l *lane) bool { return !l.Quiet() })
}

// Name is the session's.
func (d *drawing) Name() string { return cut(d.Lanes[0].Outcome.Name, 200).Text }

// Label is what is known of the session.
func (d *drawing) Label() string {
	o := d.Lanes[0].Outcome
	if o.Expect != nil {
		return cut("expect "+o.Expect.Stage, 40).Text
	}
	return cut(o.Label, 40).Text
}

// LoopStart is the call at which the session's loop begins, 0 if none is known.
func (d *drawing) LoopStart() int { return d.Lanes[0].Outcome.LoopStart }

// Size is how many calls were recorded.
func (d *drawing) Size() int { return d.Lanes[0].Outcome.Calls }

// Name is the policy's.
func (l *lane) Name() string { return (&Score{Preset: l.Preset}).Name() }

// Quiet reports whether nothing happened.
func (l *lane) Quiet() bool { return !l.Outcome.forced() && l.Outcome.Noted == 0 }

// Noted, Refused, First, Ended and Most are what the overview says.
func (l *lane) Noted() string   { return orDash(l.Outcome.Noted) }
func (l *lane) Refused() string { return orDash(l.Outcome.Blocked) }
func (l *lane) First() string   { return at1(l.Outcome.FirstBlock) }
func (l *lane) Ended() string   { return at1(l.Outcome.EndedAt) }
func (l *lane) Most() string    { return cut(l.Outcome.cost(), 120).Text }

// EndedAt is the call after which the run was ended, 0 if it was not.
func (l *lane) EndedAt() int {
	if l.Outcome.EndedAt == nil {
		return 0
	}
	return *l.Outcome.EndedAt
}

// Sentence says what the guard did.
func (l *lane) Sentence() string {
	o := l.Outcome
	var said []string
	if o.Noted > 0 {
		said = append(said, fmt.Sprintf("%d noted, the first at call %s", o.Noted, at1(o.FirstNote)))
	}
	if o.Blocked > 0 {
		said = append(said, fmt.Sprintf("%d refused, the first at call %s", o.Blocked, at1(o.FirstBlock)))
	}
	if o.EndedAt != nil {
		ended := fmt.Sprintf("run ended after call %d", *o.EndedAt)
		if saved := o.Calls - *o.EndedAt; saved > 0 {
			ended += fmt.Sprintf(", %d saved", saved)
		}
		said = append(said, ended)
	}
	if said == nil {
		return "the guard was silent"
	}
	return strings.Join(said, "; ")
}

// Marks are the shapes at a call, by name.
func (v *verdict) Marks() string {
	var marks []string
	switch {
	case v.Fate != Ran:
		marks = append(marks, string(v.Fate))
		if v.Fate == Rejected && len(v.Said) > 0 && !v.ended() {
			marks = append(marks, "noted")
		}
	case !v.ended():
		marks = append(marks, "noted")
	}
	if v.ended() {
		marks = append(marks, "ended")
	}
	return strings.Join(marks, " ")
}

func (v *verdict) ended() bool { return v.Lane.EndedAt() == v.number }

// Words say what the marks mean.
func (v *verdict) Words() string {
	words := map[string]string{
		"refused": "Refused", "rejected": "Rejected by the host", "saved": "Saved: the run had ended",
		"noted": "Noted", "ended": "Run ended",
	}
	var said []string
	for mark := range strings.FieldsSeq(v.Marks()) {
		said = append(said, words[mark])
	}
	return strings.Join(said, ", ")
}

// cut returns the beginning of a text, fit to be seen: what is ill-formed,
// invisible or would turn the direction of text around is shown as a sign.
func cut(text string, length int) excerpt {
	var b strings.Builder
	n := 0
	for i, r := range text {
		if n++; n > length {
			return excerpt{strings.TrimRight(b.String(), " \n") + "…", n - 1 + utf8.RuneCountInString(text[i:]), true}
		}
		switch {
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case r == '\r' && strings.HasPrefix(text[i+1:], "\n"):
		case r < ' ':
			b.WriteRune('\u2400' + r)
		case r == 0x7f:
			b.WriteRune('\u2421')
		case unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) && r != '\u200d' || r == '\u2028' || r == '\u2029':
			fmt.Fprintf(&b, "⟨%04X⟩", r)
		default:
			b.WriteRune(r)
		}
	}
	return excerpt{strings.TrimRight(b.String(), " \n"), n, false}
}

// shorten cuts an excerpt further.
func (e *excerpt) shorten(length int) {
	if shorter := cut(e.Text, length); shorter.Cut {
		e.Text, e.Cut = strings.Clone(shorter.Text), true
	}
}

// readable shows an input's members a line each, texts as they are; any other
// input as it stands.
func readable(input jsontext.Value) string {
	var b strings.Builder
	d := jsontext.NewDecoder(bytes.NewReader(input), lenient)
	if d.PeekKind() != '{' {
		return string(input)
	}
	if _, err := d.ReadToken(); err != nil {
		return string(input)
	}
	for d.PeekKind() == '"' && b.Len() <= 8*pageText {
		var name string
		if jsonv2.UnmarshalDecode(d, &name, lenient) != nil {
			return string(input)
		}
		value, err := d.ReadValue()
		if err != nil {
			return string(input)
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(name + ": ")
		if value.Kind() == '"' {
			b.WriteString(unquoted(value))
		} else {
			b.Write(value)
		}
	}
	return b.String()
}
