package guard

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The package that the preset `measures` follows, and how many sequences of calls
// the two are compared on. It is installed into a temporary folder, and only where
// LOOPBREAKER_TEST_DIFFERENTIAL asks for that.
const (
	referencePackage   = "dsh-repeat-tool-breaker@0.5.2"
	referenceSequences = 5000
)

// sequence is what both are put through, and the one thing in it, if any, that
// they are known to see differently.
type sequence struct {
	Config map[string]any `json:"config"`
	Events []event        `json:"events"`
	quirk  string
}

// change has our preset go by the sequence's configuration.
func (s sequence) change(m *Measures) {
	if s.Config["onLimit"] == "deny" {
		m.OnLimit = DenyCall
	}
}

// without is the sequence without the calls that are known to differ.
func (s sequence) without() sequence {
	rest := s
	rest.Events = slices.DeleteFunc(slices.Clone(s.Events), func(e event) bool { return e.quirky })
	return rest
}

func TestMeasuresAgainstThePackageTheyFollow(t *testing.T) {
	if os.Getenv("LOOPBREAKER_TEST_DIFFERENTIAL") == "" {
		t.Skip("LOOPBREAKER_TEST_DIFFERENTIAL is not set; it installs " + referencePackage + " and needs npm and Node")
	}
	sequences := generate(rand.New(rand.NewPCG(5, 2)), referenceSequences)
	reference := drive(t, sequences)
	// Without what is known to differ there must be no difference.
	plain := make([]sequence, len(sequences))
	for i, s := range sequences {
		plain[i] = s.without()
	}
	plainReference := drive(t, plain)
	strays := 0

	type row struct{ sequences, differ int }
	table := map[string]*row{}
	examples := map[string]string{}
	exempt := 0
	for i, s := range sequences {
		if table[s.quirk] == nil {
			table[s.quirk] = &row{}
		}
		table[s.quirk].sequences++
		if got := play(t, plain[i].Events, plain[i].change); repeatsAlike(got) != repeatsAlike(plainReference[i]) {
			if strays++; strays < 5 {
				t.Errorf("sequence %d without its %s:\n\tours    %s\n\tpackage %s", i, s.quirk, got, plainReference[i])
			}
		}
		ours := play(t, s.Events, s.change)
		if ours == reference[i] {
			continue
		}
		if s.quirk == "" && repeatsAlike(ours) == repeatsAlike(reference[i]) && strings.Contains(ours, "A") {
			exempt++
			continue
		}
		table[s.quirk].differ++
		if at := firstDifference(ours, reference[i]); examples[s.quirk] == "" || s.quirk == "" && table[""].differ <= 8 {
			about, _ := json.Marshal(s.Events[at].Input)
			examples[s.quirk] += fmt.Sprintf("\n\tsequence %d, event %d, %s %s\n\tours    %s\n\tpackage %s", i, at, s.Events[at].Tool, about, ours, reference[i])
		}
	}
	if r := table[""]; r.differ > 0 {
		t.Errorf("%d of %d sequences without a known difference differ:%s", r.differ, r.sequences, examples[""])
	}
	var report strings.Builder
	for _, q := range quirks {
		r := table[q.name]
		fmt.Fprintf(&report, "%-16s %4d sequences, %4d differ: %s\n", q.name, r.sequences, r.differ, q.why)
		if r.differ == 0 {
			t.Errorf("%s: no sequence differs, so it is no difference", q.name)
		}
		if testing.Verbose() && examples[q.name] != "" {
			fmt.Fprintf(&report, "%s\n", examples[q.name])
		}
	}
	t.Logf("%d sequences, %d of them without a known difference but for\n"+
		"%-16s %4d sequences differ: rule of the text, what the operator let pass is counted no longer, so no stage speaks of it\n%s",
		len(sequences), table[""].sequences, "exempt", exempt, report.String())
}

// repeatsAlike leaves out of codes what was said of repeats once the user had
// approved: the package goes on to speak of what he let pass.
func repeatsAlike(codes string) string {
	var out []string
	approved := false
	for code := range strings.FieldsSeq(codes) {
		approved = code != "|" && (approved || code[0] == 'A')
		if approved {
			code = strings.Trim(code, "WS")
		}
		out = append(out, code)
	}
	return strings.Join(out, " ")
}

func firstDifference(a, b string) int {
	x, y := strings.Fields(a), strings.Fields(b)
	for i := range x {
		if i >= len(y) || x[i] != y[i] {
			return i
		}
	}
	return 0
}

// drive puts the sequences through the package.
func drive(t *testing.T, sequences []sequence) []string {
	t.Helper()
	folder := t.TempDir()
	install := exec.Command("npm", "install", "--no-audit", "--no-fund", "--no-save", "--prefix", folder, referencePackage)
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("npm: %v\n%s", err, out)
	}
	driver, err := filepath.Abs(filepath.Join("testdata", "measures", "drive.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	var in bytes.Buffer
	for _, s := range sequences {
		line, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(line, '\n'))
	}
	node := exec.Command("node", driver, filepath.Join(folder, "node_modules", "dsh-repeat-tool-breaker", "index.js"))
	node.Stdin, node.Stderr = &in, os.Stderr
	out, err := node.Output()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for scanner := bufio.NewScanner(bytes.NewReader(out)); scanner.Scan(); {
		lines = append(lines, scanner.Text())
	}
	if len(lines) != len(sequences) {
		t.Fatalf("%d answers to %d sequences", len(lines), len(sequences))
	}
	return lines
}

// generator makes sequences of calls from small pools, so that they repeat.
type generator struct {
	*rand.Rand
	quirk *quirk
}

func (g generator) one(of ...string) string { return of[g.IntN(len(of))] }

func generate(r *rand.Rand, n int) (all []sequence) {
	for i := range n {
		g := generator{Rand: r}
		if i%3 == 2 && len(quirks) > 0 { // a third has something that is known to differ
			g.quirk = &quirks[i/3%len(quirks)]
		}
		all = append(all, g.sequence())
	}
	return all
}

func (g generator) sequence() sequence {
	s := sequence{Config: map[string]any{}}
	if g.IntN(8) == 0 {
		s.Config["onLimit"] = "deny"
	}
	if g.quirk != nil {
		s.quirk = g.quirk.name
	}
	pool := make([]func() event, 0, 6)
	for range 1 + g.IntN(5) {
		pool = append(pool, g.maker())
	}
	if g.quirk != nil {
		for range 2 {
			pool = append(pool, func() event {
				e := g.quirk.event(g)
				e.quirky = true
				return e
			})
		}
	}
	approving := g.IntN(2) == 0
	for range 12 + g.IntN(40) {
		if g.IntN(40) == 0 {
			s.Events = append(s.Events, event{User: true})
			continue
		}
		e := pool[g.IntN(len(pool))]()
		e.Approve = approving != (g.IntN(5) == 0)
		s.Events = append(s.Events, e)
	}
	return s
}

// maker returns what makes one kind of call, as often as is wanted: the same each
// time, or with what changes while the loop is the same.
func (g generator) maker() func() event {
	failing := g.IntN(3) == 0
	ends := func() outcomeOf {
		switch {
		case !failing || g.IntN(12) == 0:
			return ok
		case g.IntN(6) == 0:
			return outcomeOf{Kind: "timeout", Text: "..."}
		}
		return outcomeOf{Kind: "exit", Code: 1 + g.IntN(3), Text: "no"}
	}
	file := g.one("a.go", "b.go", "src/c.ts")
	target := g.one("https://open.canada.ca/data/x", "https://api.example.com/items", "https://example.org/a/b", "https://api.weather.example/v1")
	switch g.IntN(13) {
	case 9: // the last command of a pipeline ends well
		text := g.one("Traceback (most recent call last)\n  File x\nValueError: no", "curl: (6) Could not resolve host", "HTTP Error 404: Not Found", "  urllib.error.URLError: <x>", "fine")
		return func() event {
			return bash(fmt.Sprintf("curl -s %s/%d | python3 f.py | head", target, g.IntN(2)), outcomeOf{Kind: "text", Text: text})
		}
	case 10: // an edit that does not fit
		return func() event {
			o := outcomeOf{Kind: "error", Text: "Could not find the exact text in " + file}
			if !failing || g.IntN(9) == 0 {
				o = ok
			}
			return event{Tool: "edit", Input: map[string]any{"path": file, "oldText": g.one("a", "b"), "newText": "c"}, Outcome: o}
		}
	case 11: // not measured
		return func() event {
			return event{Tool: "todo_write", Input: map[string]any{"todos": []string{"x"}}, Outcome: outcomeOf{Kind: "error", Text: "no"}}
		}
	case 12: // from elsewhere
		return func() event { return bash(fmt.Sprintf("cd d%d && curl %s > out.html", g.IntN(3), target), ends()) }
	case 0:
		command := g.one("npm test", "go build ./...", "git status", "ls -la src", "cat a.go", "make", "python3 x.py --fast")
		return func() event { return bash(command, ends()) }
	case 1: // decoys
		command := g.one("npm test", "go vet ./...")
		return func() event {
			e := bash(command, ends())
			e.Input["description"], e.Input["timeoutMs"] = g.one("1st", "2nd", "3rd"), 1000*g.IntN(9)
			return e
		}
	case 2: // volatile flags
		return func() event {
			return bash(g.one("curl --max-time 60 ", "curl --max-time 30 ", "curl -s ", "curl -sSL --retry 3 ", "timeout 30 curl ", "TRY=1 curl ", "curl --connect-timeout 5 ")+target, ends())
		}
	case 3: // spellings of a host
		return func() event {
			return bash("curl -s "+g.one("https://open.canada.ca/d", "https://open-data.canada.ca/d", "https://OPEN.canada.ca/d/", "http://www.open.canada.ca/d#top")+" -o "+g.one("x.json", "y.json", "z.json"), ends())
		}
	case 4: // pagination
		return func() event { return bash(fmt.Sprintf("curl -s '%s?page=%d'", target, g.IntN(60)), ends()) }
	case 5: // nothing but the status, of many addresses
		return func() event {
			return bash(fmt.Sprintf("curl -s -o /dev/null -w '%%{http_code}' https://h%d.example/%d", g.IntN(4), g.IntN(30)), outcomeOf{Kind: "ok", Text: "200"})
		}
	case 6: // reading on
		return func() event {
			return event{Tool: "read", Input: map[string]any{"path": file, "offset": 100 * g.IntN(6)}, Outcome: ok}
		}
	case 7: // one file written again and again
		return func() event { return bash(fmt.Sprintf("echo %d > out/%s", g.IntN(50), file), ok) }
	}
	return func() event {
		o := outcomeOf{Kind: "status", Code: 200, Text: "HTTP Error 404, says the page"}
		if failing {
			o.Code = 404
		}
		return event{Tool: "web_fetch", Input: map[string]any{"url": fmt.Sprintf("%s/%d?utm_source=%d", target, g.IntN(3), g.IntN(9))}, Outcome: o}
	}
}

// quirk is something that the two see differently, and why ours is right.
type quirk struct {
	name, why string
	event     func(generator) event
}

var quirks = []quirk{
	{"status asked", "later rule: a leading 4xx or 5xx is the status if curl was asked for it", func(g generator) event {
		return bash("curl -s -o /dev/null -w '%{http_code}' https://api.example.com/none", outcomeOf{Kind: "text", Text: "404"})
	}},
	{"abort", "rule of the text: what somebody stopped is no failure", func(g generator) event {
		return bash("npm start", outcomeOf{Kind: "abort", Text: "serving"})
	}},
	{"background", "later rule: what goes on in the background has not succeeded yet, so it ends no streak", func(g generator) event {
		if g.IntN(3) == 0 {
			return bash("npm run watch", outcomeOf{Kind: "background", Text: "Command running in background with ID: b1"})
		}
		return bash("npm run watch", outcomeOf{Kind: "exit", Code: 1, Text: "no"})
	}},
	{"port", "rule of the text: only a default port is dropped", func(g generator) event {
		return event{Tool: "web_fetch", Input: map[string]any{"url": fmt.Sprintf("https://api.example.com:%d/health", 3000+g.IntN(9))}, Outcome: outcomeOf{Kind: "status", Code: 200}}
	}},
	{"quoted >", "better parser: what is quoted redirects nothing", func(g generator) event {
		return bash(fmt.Sprintf("grep -c '>' page%d.html", g.IntN(3))+g.one("", " | sort", " | uniq"), ok)
	}},
	{"second file", "better parser: every file that is written counts, not the first alone", func(g generator) event {
		return bash(fmt.Sprintf("make v%d | tee log%d.txt > summary.txt", g.IntN(99), g.IntN(99)), ok)
	}},
	{"-m of others", "better parser: -m is volatile for curl, not for python", func(g generator) event {
		return bash("python3 -m "+g.one("pytest", "mypy", "black", "ruff")+" src", ok)
	}},
	{"-s of others", "better parser: -s and -f are volatile for curl, not for every program", func(g generator) event {
		return bash("pytest "+g.one("-s", "-f", "-k", "-L")+" tests", ok)
	}},
	{"words in quotes", "better parser: quotes keep words together", func(g generator) event {
		return bash(g.one(`grep -r "a b" src`, `grep -r a b src`, `grep -r "a" "b src"`), ok)
	}},
	{"blanks", "better parser: blanks around operators mean nothing", func(g generator) event {
		return bash(g.one("make a;make b", "make a; make b", "make a ; make b", "make a;  make b # again"), ok)
	}},
	{"timeout -k", "better parser: timeout and nice are wrappers, with their options", func(g generator) event {
		return bash(g.one("make all", "timeout -k 5 30 make all", "nice -n 5 make all", "time make all"), ok)
	}},
	{"no scheme", "better parser: curl needs no scheme", func(g generator) event {
		return bash(g.one("curl api.example.com/x", "curl http://api.example.com/x", "curl -sS api.example.com/x/")+g.one("", " | head", " | wc -l", " | jq ."), ok)
	}},
	{"variable", "better parser: what a script sets is filled in", func(g generator) event {
		return bash(fmt.Sprintf("B=https://api.example.com/%s; curl $B/x%s", g.one("v1", "v1/"), g.one("", " | head", " | wc", " | jq .")), ok)
	}},
	{"SCHEME", "better parser: a scheme is one in capitals too", func(g generator) event {
		return bash(g.one("curl HTTPS://api.example.com/x", "curl https://api.example.com/x")+g.one("", " | head", " | wc", " | jq ."), ok)
	}},
	{"%7E", "better parser: what is percent-encoded without need is the same", func(g generator) event {
		return event{Tool: "web_fetch", Input: map[string]any{"url": g.one("http://localhost/~x", "http://localhost/%7Ex", "http://localhost/%7ex")}, Outcome: outcomeOf{Kind: "status", Code: 404}}
	}},
	{"order of values", "better parser: values of one parameter have an order", func(g generator) event {
		return event{Tool: "web_fetch", Input: map[string]any{"url": g.one("http://localhost/?k=1&k=2", "http://localhost/?k=2&k=1")}, Outcome: outcomeOf{Kind: "status", Code: 404}}
	}},
	{"name of a shell", "Pi's extensions and other agents name their shells otherwise", func(g generator) event {
		return event{Tool: "exec_command", Input: map[string]any{"cmd": "curl --max-time " + g.one("1", "2", "3") + " https://api.example.com/x"}, Outcome: ok}
	}},
	{"timeout of Pi", "Pi calls timeoutMs timeout", func(g generator) event {
		e := bash("make slow", ok)
		e.Input["timeout"] = g.IntN(20)
		return e
	}},
}
