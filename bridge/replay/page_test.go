package replay

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// repeated is a recording of n calls, of which each is one of kinds, in turn; the
// result of each is text.
func repeated(n, kinds int, text string) string {
	var b strings.Builder
	quoted, _ := json.Marshal(text)
	b.WriteString(`{"ev":"user"}` + "\n")
	for i := range n {
		fmt.Fprintf(&b, `{"ev":"turn"}`+"\n"+`{"ev":"call","id":"%d","tool":"bash","input":{"command":"run %d"}}`+"\n"+
			`{"ev":"result","id":"%d","isError":false,"text":%s}`+"\n", i, i%kinds, i, quoted)
	}
	return b.String()
}

// hostile is a recording that tries to be more than text.
const hostile = `{"ev":"user"}
{"ev":"turn"}
{"ev":"call","id":"1","tool":"</script><img src=x onerror=pwned=1>","input":{"</td><script>pwned=1</script>":"\"'><svg onload=pwned=1> {{.Policy}} ${pwned=1} \u2028 \u0000 \u202e"}}
{"ev":"result","id":"1","isError":true,"text":"</pre></table><script>pwned=1</script><!--\u0000\u0007\u202etxt.exe\u2066\ufeff\u0085\ud800` + "\xff\xfe" + `"}
{"ev":"turn"}
{"ev":"call","id":"2","tool":"javascript:pwned=1","input":"<iframe srcdoc='<script>parent.pwned=1</script>'>"}
{"ev":"result","id":"2","isError":false,"text":"` + "<b>" + `"}
`

// drawn plays files and returns their page.
func drawn(t *testing.T, presets []string, files ...File) string {
	t.Helper()
	p, scores := NewPage(), map[string]*Score{}
	var order []*Score
	lab := Lab{Options: options, Presets: presets, Workers: 4, Watch: p.Watch}
	lab.Play(context.Background(), files, func(played Played) {
		if len(played.Faults) > 0 {
			t.Errorf("faults: %q", played.Faults)
		}
		p.Take(played)
		s := scores[played.Outcome.Preset]
		if s == nil {
			s = &Score{Preset: played.Outcome.Preset}
			scores[s.Preset], order = s, append(order, s)
		}
		s.Take(played.Outcome)
	})
	return rendered(t, p, order)
}

func rendered(t *testing.T, p *Page, scores []*Score) string {
	t.Helper()
	var page strings.Builder
	if err := p.Render(&page, scores); err != nil {
		t.Fatal(err)
	}
	return page.String()
}

// plain is what a page shows, tags and space aside.
func plain(html string) string {
	_, body, _ := strings.Cut(html, "<main>")
	body, _, _ = strings.Cut(body, "</main>")
	return strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(body, " ")), " ")
}

func recorded(name, text string) File { return InMemory(name+".jsonl", []byte(text)) }

func TestPageShows(t *testing.T) {
	for name, c := range map[string]struct {
		presets []string
		files   []File
		want    []string
		not     []string
	}{
		"one session": {
			files: []File{recorded("loop", repeated(7, 1, "same"))},
			want: []string{
				"loop 7 – 2 6 – bash 7 times",
				"2 refused, the first at call 6",
				"1 A bash command: run 0 same",
				"6 A bash command: run 0 same Refused Loopbreaker refused this call",
				"(rule window, stage block: 5, due from 5)",
			},
			not: []string{"Preset", "Label", "Only where", "Scoreboard"},
		},
		"a run that ends": {
			presets: []string{"streak"},
			files:   []File{recorded("ends", repeated(12, 1, "same"))},
			want:    []string{"Noted", "Run ended", "Saved: the run had ended", "run ended after call"},
		},
		"policies side by side": {
			presets: []string{"window", "streak"},
			files:   []File{recorded("loop", repeated(8, 1, "same"))},
			want:    []string{"Preset", "loop window 8", "loop streak 8", "window: 3 refused", "window: Refused", "streak: Noted"},
		},
		"silence": {
			files: []File{recorded("quiet", repeated(3, 3, "fine"))},
			want:  []string{"quiet 3 – – – –", "the guard was silent"},
		},
		"a call that the host rejects": {
			files: []File{recorded("rejected", `{"ev":"call","id":"1","tool":"x","input":{}}`+"\n"+
				`{"ev":"result","id":"1","isError":true,"text":"Tool x not found"}`+"\n")},
			want: []string{"Rejected by the host", "Error Tool x not found"},
		},
		"a fixture has a line only": {
			files: []File{InMemory("f.json", []byte(`{"name":"fix","source":"s","calls":[{"toolName":"bash","input":{}}],"expected":{"blocked":0,"entries":0,"firstBlock":null}}`))},
			want:  []string{"fix 1 –", "Its calls are not drawn"},
		},
		"what is too long is cut, and that is said": {
			files: []File{recorded("long", repeated(1, 1, strings.Repeat("é", 12345)))},
			want:  []string{strings.Repeat("é", pageText) + "… cut, 12345 characters in all"},
			not:   []string{strings.Repeat("é", pageText+1)},
		},
		"so many calls, and how many there are": {
			files: []File{recorded("many", repeated(pageCalls+5, pageCalls+5, ""))},
			want:  []string{fmt.Sprintf("The first %d of %d calls are drawn.", pageCalls, pageCalls+5)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			text := plain(drawn(t, c.presets, c.files...))
			for _, want := range c.want {
				if !strings.Contains(text, strings.Trim(want, "()")) {
					t.Errorf("%q is not shown in %.3000q", want, text)
				}
			}
			for _, not := range c.not {
				if strings.Contains(text, not) {
					t.Errorf("%q is shown", not)
				}
			}
		})
	}
}

func TestPageScores(t *testing.T) {
	p, s := NewPage(), &Score{}
	at := 3
	for _, o := range []Outcome{{Name: "a", Label: "healthy", Calls: 5}, {Name: "b", Label: "stuck", Calls: 9, LoopStart: 2, Blocked: 2, FirstBlock: &at}} {
		p.Take(Played{Outcome: o})
		s.Take(o)
	}
	text := plain(rendered(t, p, []*Score{s}))
	for _, want := range []string{"Scoreboard measure as configured", "healthy: refused or ended 0/1", "stuck: refused or ended 1/1", "done right by 100.0 %", "b stuck 9 – 2 3"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not shown in %q", want, text)
		}
	}
	if strings.Contains(text, "scenarios") {
		t.Errorf("shows scores of scenarios without any: %q", text)
	}
}

// Sessions of the same name, played at the same time, keep their own calls.
func TestPageTellsNamesakesApart(t *testing.T) {
	var files []File
	for i := range 40 {
		files = append(files, InMemory(fmt.Sprintf("%d/same.jsonl", i), []byte(repeated(i+1, 1, fmt.Sprintf("<%d>", i)))))
	}
	page := drawn(t, []string{"window", "streak"}, files...)
	sections := strings.Split(page, `<details class="session`)[1:]
	if len(sections) != len(files) {
		t.Fatalf("%d sessions drawn, want %d", len(sections), len(files))
	}
	for i, section := range sections {
		if n, own := strings.Count(section, "<pre>&lt;"), strings.Count(section, fmt.Sprintf("<pre>&lt;%d&gt;</pre>", i)); n != i+1 || own != n {
			t.Errorf("session %d has %d results, %d of its own", i, n, own)
		}
	}
}

var tag = regexp.MustCompile(`<[/!a-zA-Z][^>]*>`)

// Whatever was recorded, a page has the tags of the template, and no others.
func TestPageEscapes(t *testing.T) {
	label := Outcome{Name: "</title><script>pwned=1</script>", Preset: `"><script>`, Label: `" onclick="pwned=1`, Calls: 2, Worst: Worst{"<script>", 2}}
	p := NewPage()
	p.Take(Played{Outcome: label})
	for name, page := range map[string]string{
		"recording": drawn(t, nil, recorded(`<img src=x onerror=pwned=1>"'`, hostile), recorded("other", repeated(2, 1, "\x00"))),
		"outcome":   rendered(t, p, nil),
	} {
		if !utf8.ValidString(page) {
			t.Errorf("%s: not UTF-8", name)
		}
		if i := strings.IndexFunc(page, func(r rune) bool {
			return r < ' ' && r != '\n' || r == 0x7f || r >= 0x80 && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x2028 || r == 0xfeff
		}); i >= 0 {
			t.Errorf("%s: an invisible character at %d: %q", name, i, page[i-20:i+20])
		}
		if n := strings.Count(page, "<script"); n != 1 {
			t.Errorf("%s: %d scripts", name, n)
		}
		_, body, _ := strings.Cut(page, "<main>")
		body, _, _ = strings.Cut(body, "</main>")
		for _, tag := range tag.FindAllString(body, -1) {
			if !regexp.MustCompile(`^</?(h[23]|div|table|thead|tbody|tr|th|td|label|input|a|bdi|span|details|summary|small|ul|li|b|p|pre)( [a-z-]+(="[A-Za-z0-9 #-]*")?)*>$`).MatchString(tag) {
				t.Errorf("%s: tag %s", name, tag)
			}
		}
		if strings.Contains(body, "<!--") {
			t.Errorf("%s: a comment", name)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text string
		want excerpt
	}{
		{"", excerpt{"", 0, false}},
		{"a\tb\r\nc\n\n", excerpt{"a\tb\nc", 8, false}},
		{"\x00\x1b[1m\x7f", excerpt{"␀␛[1m␡", 6, false}},
		{"a\u202eb\u2028\u0085\ufeff", excerpt{"a⟨202E⟩b⟨2028⟩⟨0085⟩⟨FEFF⟩", 6, false}},
		{"\xff\xfeé", excerpt{"��é", 3, false}},
		{"1234567890", excerpt{"1234567890", 10, false}},
		{"1234567 901", excerpt{"1234567 90…", 11, true}},
		{"123456789 \nmore", excerpt{"123456789…", 15, true}},
	} {
		if got := cut(c.text, 10); got != c.want {
			t.Errorf("cut(%q) = %+v, want %+v", c.text, got, c.want)
		}
	}
}

func TestReadable(t *testing.T) {
	for input, want := range map[string]string{
		`{"command":"a\nb","n":1.0,"list":["x"]}`: "command: a\nb\nn: 1.0\nlist: [\"x\"]",
		`{}`: "", `null`: "null", `[1]`: "[1]", ``: "", `{"a":1`: "a: 1", `{"a"`: `{"a"`, `{"a":1,"a":2}`: "a: 1\na: 2",
	} {
		if got := readable(jsontext.Value(input)); got != want {
			t.Errorf("readable(%s) = %q, want %q", input, got, want)
		}
	}
}

// 200 sessions of 60 calls with long results are a few megabytes, and a page does
// not grow without bounds.
func TestPageSize(t *testing.T) {
	var files []File
	for i := range 200 {
		files = append(files, recorded(fmt.Sprintf("s%d", i), repeated(60, 60, strings.Repeat("words of a result ", 200))))
	}
	if n := len(drawn(t, nil, files...)); n > 7<<20 {
		t.Errorf("%d bytes", n)
	}
}

// When a page is full, first the sessions that the guard was silent in have a line
// only, then all.
func TestPageIsFull(t *testing.T) {
	quiet, loud := repeated(20, 20, "fine"), repeated(20, 1, "again")
	for _, c := range []struct{ room, quiet, loud int }{
		{pageRoom, 20, 20},
		{pageRoom - pageQuiet + 100, 0, 20},
		{100, 0, 0},
	} {
		p := NewPage()
		p.room = c.room
		lab := Lab{Options: options, Workers: 1, Watch: p.Watch}
		lab.Play(context.Background(), []File{recorded("quiet", quiet), recorded("loud", loud)}, func(played Played) { p.Take(played) })
		page := rendered(t, p, nil)
		fine, again := strings.Count(page, "<pre>fine</pre>"), strings.Count(page, "<pre>again</pre>")
		if fine != c.quiet || again != c.loud {
			t.Errorf("with room for %d bytes %d and %d calls are drawn, want %d and %d", c.room, fine, again, c.quiet, c.loud)
		}
		if full := strings.Contains(page, "the page is full"); full != (c.quiet == 0) {
			t.Errorf("with room for %d bytes, said to be full: %v", c.room, full)
		}
	}
}

// browser is a headless Chromium that is spoken to over a pipe.
type browser struct {
	t        *testing.T
	in       *os.File
	messages chan map[string]any
	session  string
	id       float64
	requests []string // addresses that were asked for
	faults   []string // what stood in the console
	loaded   bool
}

// browse starts Chromium, or skips the test where there is none.
func browse(t *testing.T) *browser {
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("there is no chromium here")
	}
	down, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, up, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	profile, err := os.MkdirTemp("", "loopbreaker-chromium-")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
		"--user-data-dir="+profile, "--remote-debugging-pipe", "about:blank")
	cmd.ExtraFiles = []*os.File{down, up}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	down.Close()
	up.Close()
	b := &browser{t: t, in: in, messages: make(chan map[string]any, 1000)}
	go func() {
		defer close(b.messages)
		r := bufio.NewReader(out)
		for {
			text, err := r.ReadBytes(0)
			if err != nil {
				return
			}
			var m map[string]any
			if json.Unmarshal(bytes.TrimSuffix(text, []byte{0}), &m) == nil {
				b.messages <- m
			}
		}
	}()
	t.Cleanup(func() {
		fmt.Fprint(in, `{"id":0,"method":"Browser.close"}`+"\x00")
		ended := make(chan struct{})
		go func() {
			for range b.messages {
			}
			_ = cmd.Wait()
			close(ended)
		}()
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			_ = cmd.Process.Kill()
			<-ended
		}
		in.Close()
		out.Close()
		os.RemoveAll(profile)
	})
	targets := b.do("Target.getTargets", nil)["targetInfos"].([]any)
	i := slices.IndexFunc(targets, func(target any) bool { return target.(map[string]any)["type"] == "page" })
	b.session = b.do("Target.attachToTarget", map[string]any{"targetId": targets[i].(map[string]any)["targetId"], "flatten": true})["sessionId"].(string)
	for _, domain := range []string{"Page", "Network", "Runtime", "Log"} {
		b.do(domain+".enable", nil)
	}
	return b
}

// do makes a request and returns its result.
func (b *browser) do(method string, params map[string]any) map[string]any {
	b.t.Helper()
	b.id++
	m := map[string]any{"id": b.id, "method": method, "params": params}
	if params == nil {
		m["params"] = struct{}{}
	}
	if b.session != "" {
		m["sessionId"] = b.session
	}
	text, err := json.Marshal(m)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.in.Write(append(text, 0)); err != nil {
		b.t.Fatal(err)
	}
	for {
		m := b.next()
		if m["id"] != b.id {
			continue
		}
		result, _ := m["result"].(map[string]any)
		if result == nil {
			b.t.Fatalf("%s: %v", method, m["error"])
		}
		return result
	}
}

// next takes in a message.
func (b *browser) next() map[string]any {
	b.t.Helper()
	select {
	case m, ok := <-b.messages:
		if !ok {
			b.t.Fatal("the browser ended")
		}
		params, _ := m["params"].(map[string]any)
		switch m["method"] {
		case "Network.requestWillBeSent":
			b.requests = append(b.requests, params["request"].(map[string]any)["url"].(string))
		case "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded":
			b.faults = append(b.faults, fmt.Sprint(params))
		case "Page.loadEventFired":
			b.loaded = true
		}
		return m
	case <-time.After(30 * time.Second):
		b.t.Fatal("the browser is silent")
		return nil
	}
}

// open shows a page and waits until it is loaded.
func (b *browser) open(address string) {
	b.t.Helper()
	for _, address := range []string{"about:blank", address} {
		b.loaded, b.requests = false, nil
		b.do("Page.navigate", map[string]any{"url": address})
		for !b.loaded {
			b.next()
		}
	}
}

// screen sets what a page is seen on.
func (b *browser) screen(width int, scheme string) {
	b.t.Helper()
	b.do("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600})
	b.do("Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]any{"name": "prefers-color-scheme", "value": scheme}}})
}

// eval returns what an expression is.
func (b *browser) eval(expression string) any {
	b.t.Helper()
	r := b.do("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true})
	if r["exceptionDetails"] != nil {
		b.t.Fatalf("%s: %v", expression, r)
	}
	return r["result"].(map[string]any)["value"]
}

func (b *browser) press(key string, code int) {
	b.t.Helper()
	for _, kind := range []string{"rawKeyDown", "keyUp"} {
		b.do("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code})
	}
}

// is checks what an expression is.
func (b *browser) is(expression string, want any) {
	b.t.Helper()
	if got := b.eval(expression); fmt.Sprint(got) != fmt.Sprint(want) {
		b.t.Errorf("%s is %v, want %v", expression, got, want)
	}
}

// has checks that an expression's text contains another.
func (b *browser) has(expression, want string) {
	b.t.Helper()
	if got := fmt.Sprint(b.eval(expression)); !strings.Contains(got, want) {
		b.t.Errorf("%s is %q, without %q", expression, got, want)
	}
}

// screenshot keeps a picture in the folder of temporary files.
func (b *browser) screenshot(name string) {
	b.t.Helper()
	b.eval("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
	png, err := base64.StdEncoding.DecodeString(b.do("Page.captureScreenshot", map[string]any{"format": "png"})["data"].(string))
	if err != nil {
		b.t.Fatal(err)
	}
	folder := filepath.Join(os.TempDir(), "loopbreaker-page")
	path := filepath.Join(folder, name+".png")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, png, 0o644); err != nil {
		b.t.Fatal(err)
	}
	b.t.Logf("%s", path)
}

func TestPageInBrowser(t *testing.T) {
	b := browse(t)
	path := filepath.Join(t.TempDir(), "page.html")
	page := drawn(t, []string{"window", "streak"},
		recorded("stuck", repeated(40, 1, "the same again")),
		recorded("alternates", repeated(40, 3, "round and round")),
		recorded("a session with a name which is quite long and has-no-place-to-break-it-at-all-as-names-of-files-go", repeated(30, 30, strings.Repeat("wide", 100))),
		recorded(`<img src=x onerror=pwned=1>`, hostile))
	if err := os.WriteFile(path, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	address := (&url.URL{Scheme: "file", Path: path}).String()
	const chosen = `document.querySelector("#s1 .panel").innerText`

	for _, width := range []int{360, 1280} {
		for _, scheme := range []string{"light", "dark"} {
			b.screen(width, scheme)
			b.open(address)
			b.is(`document.querySelectorAll(".cell").length`, 0) // drawn when they are opened
			b.eval(`document.querySelector('a[href="#s1p1"]').click()`)
			b.eval(`new Promise(done => setTimeout(done, 50))`)
			b.is(`document.querySelectorAll(".cell").length`, 40)
			b.is(`document.querySelector("#s1p1 input").checked`, true)
			b.has(chosen, "streak: Noted")
			b.is(`document.querySelectorAll("#s1 .arcs path").length >= 39`, true)
			b.is(`document.querySelectorAll("#s1 .cell .mark.refused").length > 0 && document.querySelectorAll("#s1 .cell .mark.ended").length`, 1)
			b.screenshot(fmt.Sprintf("%d-%s", width, scheme))

			// Every session is open, and nothing is wider than the screen.
			b.eval(`document.querySelectorAll("details").forEach(d => d.open = true); new Promise(done => setTimeout(done, 100))`)
			b.is(`document.querySelectorAll(".cell").length`, 40+40+30+2)
			b.is(`document.documentElement.scrollWidth <= innerWidth`, true)
			dark := scheme == "dark"
			b.is(`getComputedStyle(document.body).backgroundColor.match(/\d+/g).every(n => n < 60)`, dark)
			b.is(lowContrast, "")
		}
	}

	// Without a mouse.
	b.open(address + "#s1p0")
	b.eval(`document.querySelector('#s1 [type=radio]:checked').focus()`)
	b.press("Tab", 9)
	b.is(`document.activeElement.getAttribute("aria-label")`, "Call 6: bash; A, 6 of 40; window: Refused")
	b.has(chosen, "Call 6")
	b.has(chosen, "command: run 0")
	b.has(chosen, "the same again")
	b.has(chosen, "Loopbreaker refused this call")
	b.press("ArrowLeft", 37)
	b.has(chosen, "Call 5")
	b.press("End", 35)
	b.has(chosen, "Call 40")
	b.press("ArrowUp", 38)
	b.is(chosen+`.includes("Call 40")`, false)
	b.press("Home", 36)
	b.press("ArrowLeft", 37)
	b.has(chosen, "Call 1 ")
	b.is(`document.querySelectorAll("#s1 .cell[tabindex='0']").length`, 1)
	b.press("Tab", 9)
	b.is(`document.activeElement.className`, "panel")

	// With one.
	at := b.eval(`(() => { const c = document.querySelectorAll("#s1 .cell")[7]; c.scrollIntoView({ block: "center" }); const r = c.getBoundingClientRect(); return [r.x + 13, r.y + 45] })()`).([]any)
	b.do("Input.dispatchMouseEvent", map[string]any{"type": "mouseMoved", "x": at[0], "y": at[1]})
	b.has(chosen, "Call 8")

	// The sessions that the guard was silent in can be put aside.
	b.eval(`document.querySelector("#spoke").click()`)
	b.is(`getComputedStyle(document.querySelector("#s3")).display`, "none")
	b.is(`getComputedStyle(document.querySelector("#s1")).display`, "block")

	b.is(`[typeof pwned, document.images.length, document.scripts.length, document.querySelectorAll("main svg:not(.mark, .arcs), iframe").length].join()`, "undefined,0,1,0")
	b.is(`[...document.querySelectorAll("*")].flatMap(e => e.getAttributeNames()).filter(n => n.startsWith("on")).length`, 0)
	b.is(`[...document.querySelectorAll("input, button, summary, a, [tabindex='0']")].filter(e => !(e.ariaLabel || e.textContent.trim() || e.labels?.length)).length`, 0)

	// Without scripts.
	b.do("Emulation.setScriptExecutionDisabled", map[string]any{"value": true})
	b.open(address)
	b.is(`document.querySelectorAll(".cell").length`, 0)
	b.is(`document.querySelectorAll("#s1 .calls tbody tr").length`, 40)
	b.has(`document.querySelector("#s1 .calls").textContent`, "Loopbreaker refused this call")

	if want := []string{address}; !slices.Equal(b.requests, want) {
		t.Errorf("asked for %q", b.requests)
	}
	if len(b.faults) > 0 {
		t.Errorf("the console says %q", b.faults)
	}
}

// lowContrast is the first text whose contrast with what is behind it is below 4.5,
// as an expression.
const lowContrast = `(() => {
  const rgb = (c) => c.match(/[\d.]+/g).map(Number);
  const light = (c) => rgb(c).slice(0, 3).map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4).reduce((s, v, i) => s + v * [.2126, .7152, .0722][i], 0);
  const behind = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (rgb(c)[3] !== 0) return c; } };
  for (const e of document.body.querySelectorAll("*")) {
    if (e.closest(".skip, script") || ![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
    const [a, b] = [light(getComputedStyle(e).color), light(behind(e))].sort((a, b) => b - a);
    if ((a + .05) / (b + .05) < 4.5) return e.outerHTML.slice(0, 200) + (a + .05) / (b + .05);
  }
  return "";
})()`
