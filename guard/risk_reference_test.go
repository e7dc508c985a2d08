package guard

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// reference computes the score of the system `risk` as its table says it, from the
// whole past and without any cleverness.
type reference struct {
	window, similar int
	ran             []*referenceCall
	results         []*referenceCall // in the order they came
	reports         []referenceReport
}

type referenceCall struct {
	tool, input  string
	words        map[string]bool
	check        bool
	done, failed bool
	output       string
}

type referenceReport struct {
	what   string
	passed bool
	ran    int
}

// loosely reads a value: strings trimmed, and numbers and booleans out of them.
func loosely(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name := range v {
			v[name] = loosely(v[name])
		}
	case []any:
		for i := range v {
			v[i] = loosely(v[i])
		}
	case string:
		trimmed := strings.TrimSpace(v)
		if trimmed == "true" || trimmed == "false" {
			return trimmed == "true"
		}
		if f, err := strconv.ParseFloat(trimmed, 64); err == nil {
			if printed, err := json.Marshal(f); err == nil && string(printed) == trimmed {
				return f
			}
		}
		return trimmed
	}
	return v
}

// referenceWords are the words of a value that is read loosely.
func referenceWords(words map[string]bool, name string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for name := range v {
			referenceWords(words, name, v[name])
		}
	case []any:
		for _, e := range v {
			referenceWords(words, name, e)
		}
	case string:
		for _, part := range strings.Fields(v) {
			if letters := strings.TrimPrefix(part, "-"); letters != part && letters != "" && len(letters) <= 3 && strings.Trim(strings.ToLower(letters), "abcdefghijklmnopqrstuvwxyz") == "" {
				continue
			}
			for _, word := range strings.FieldsFunc(part, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }) {
				words["word "+word] = true
			}
		}
	default:
		words[fmt.Sprint("value ", name, " ", v)] = true
	}
}

func newReferenceCall(tool, input string, check bool) *referenceCall {
	var v any
	if err := json.Unmarshal([]byte(input), &v); err != nil {
		panic(err)
	}
	v = loosely(v)
	text, _ := json.Marshal(v)
	c := &referenceCall{tool: tool, input: string(text), check: check, words: map[string]bool{}}
	referenceWords(c.words, "", v)
	return c
}

func (r *reference) score(c *referenceCall) (score Score, failed bool) {
	recent := r.ran[max(0, len(r.ran)-r.window):]
	exact, fuzzy := false, false
	exactFailed, fuzzyFailed := false, false
	for _, old := range recent {
		if old.tool != c.tool {
			continue
		}
		if old.input == c.input {
			exact = true
			if old.done {
				exactFailed = old.failed
			}
		}
		both := 0
		either := maps.Clone(old.words)
		for w := range c.words {
			if old.words[w] {
				both++
			}
			either[w] = true
		}
		if len(either) > 0 && 100*both >= r.similar*len(either) {
			fuzzy = true
			if old.done {
				fuzzyFailed = old.failed
			}
		}
	}
	switch {
	case exact:
		score.Exact, failed = 40, exactFailed
	case fuzzy:
		score.Fuzzy, failed = 25, fuzzyFailed
	}
	var tools []string
	for _, old := range recent {
		tools = append(tools, old.tool)
	}
	for k := 2; k <= 6; k++ {
		if n := len(tools); n >= 2*k && slices.Equal(tools[n-k:], tools[n-2*k:n-k]) {
			score.Cycle = 30
		}
	}
	if n := len(r.results); n >= 2 {
		a, b := r.results[n-2], r.results[n-1]
		if a.failed && b.failed && a.output == b.output {
			score.Stagnation = 20
		}
	}
	last := map[string]referenceReport{}
	for _, report := range r.reports {
		last[report.what] = report
	}
	for _, report := range last {
		if !report.passed && len(r.ran)-report.ran < r.window {
			score.Verification = 10
		}
	}
	return score, failed
}

func (r *reference) result(c *referenceCall, failed bool, output string) {
	c.done, c.failed, c.output = true, failed, output
	r.results = append(r.results, c)
	if c.check {
		r.reports = append(r.reports, referenceReport{"a command", !failed, len(r.ran)})
	}
}

func (r *reference) forget() { r.ran, r.results, r.reports = nil, nil, nil }

// Calls that random sequences are made of, and outputs, with what is left of them
// without their noise.
var (
	randomCalls = []struct {
		tool, input string
		check       bool
	}{
		{"bash", `{"command":"go test ./..."}`, true},
		{"bash", `{"command":" go test ./... \n"}`, true},
		{"bash", `{"command":"npm test -- test/foo.ts"}`, true},
		{"bash", `{"command":"npm test -- test/foo.test.ts"}`, true},
		{"bash", `{"command":"cd web && npm run build"}`, true},
		{"bash", `{"command":"go test ./... | tail -5"}`, false},
		{"bash", `{"command":"grep -r needle src"}`, false},
		{"bash", `{"command":"grep -rnI needle src"}`, false},
		{"bash", `{"command":"grep --line-number needle src"}`, false},
		{"bash", `{"command":"a b c d e f g h i j k l m n o p q r s t"}`, false},
		{"bash", `{"command":"a b c d e f g h i j k l m n o p q r s X Y"}`, false},
		{"bash", `{"command":"a b c d e f g h i j k l m n o p q Z t"}`, false},
		{"read", `{"path":"src/main.go","offset":100,"limit":"50"}`, false},
		{"read", `{"limit":50,"path":"src/main.go","offset":"100"}`, false},
		{"read", `{"path":"src/main.go","offset":200,"limit":50}`, false},
		{"edit", `{"path":"f","edits":[{"oldText":"  one two\n","newText":"\"three\"\\n"}]}`, false},
		{"edit", `{"path":"f","edits":[{"oldText":"one two","newText":"\"three\"\\n","all":true}]}`, false},
		{"edit", `{"path":"f","edits":[{"oldText":"one\ttwo","newText":"(three) n","all":"true"}]}`, false},
		{"grep", `{"pattern":"größe","path":null}`, false},
		{"find", `{}`, false},
		{"find", `{"name":"\u00a0"}`, false},
		{"wait", `"5"`, false},
		{"wait", `5.0`, false},
		{"wait", `["5",["1.10"]]`, false},
	}
	randomOutputs = []struct{ quiet, text string }{
		{"Error: boom", "Error: boom"},
		{"Error: boom", "Error: boom   "},
		{"Error: bang after ‹took›", "Error: bang after 1.5s"},
		{"Error: bang after ‹took›", "Error: bang after 22.1s"},
		{"", ""},
		{"panic: at ‹addr›", "panic: at 0xc000123456"},
		{"panic: at ‹addr›", "panic: at 0xc000654321"},
	}
)

// againstReference makes of bytes a policy and a sequence of events, and compares.
func againstReference(t *testing.T, bytes []byte) {
	next := func() int {
		if len(bytes) == 0 {
			return 0
		}
		b := bytes[0]
		bytes = bytes[1:]
		return int(b)
	}
	var log strings.Builder
	r := &reference{window: 20, similar: 85}
	if b := next(); b%3 == 0 {
		r.window, r.similar = 1+b/3%25, 1+next()%100
	}
	s := newScript(t, "risk", func(p *Policy) { p.Risk.Calls, p.Risk.Similar = r.window, r.similar })
	s.TurnStart() // all in one turn, so that no result comes too late
	fmt.Fprintf(&log, "window %d, similar %d\n", r.window, r.similar)
	type pending struct {
		id   string
		call *referenceCall
		warn bool
	}
	var running []pending
	for len(bytes) > 0 {
		switch op := next(); {
		case op < 250: // calls and their results, most of them at once
			c := randomCalls[op%len(randomCalls)]
			call := newReferenceCall(c.tool, c.input, c.check)
			score, failed := r.score(call)
			s.calls++
			id := fmt.Sprint(s.calls)
			d, err := s.Call(Call{ID: id, Tool: c.tool, Input: []byte(c.input)})
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&log, "%s %s: %s, refused %v\n", c.tool, c.input, score, d.Block)
			got := s.ledger.risk.scores.last
			if got[len(got)-1] != score || d.Block != (score.Total() >= 70 && failed) {
				t.Fatalf("%sscored %s, refused %v; failed before %v", &log, got[len(got)-1], d.Block, failed)
			}
			if d.Block {
				continue
			}
			r.ran = append(r.ran, call)
			running = append(running, pending{id, call, score.Total() >= 50})
			for len(running) > op%4 {
				b := next()
				i := b % len(running)
				p := running[i]
				running = slices.Delete(running, i, i+1)
				if b >= 240 {
					continue // its result never comes
				}
				out, failed := randomOutputs[b/8%len(randomOutputs)], b%8 < 5
				fmt.Fprintf(&log, "  %s: failed %v, %q\n", p.call.input, failed, out.text)
				note := s.Result(Result{ID: p.id, IsError: failed, Content: text1(out.text)}).Note
				output := out.quiet
				switch p.call.tool {
				case "read": // nothing is noise
					output = out.text
				case "grep": // lines in any order, unlike all other output
					output = "lines " + out.quiet
				}
				r.result(p.call, failed, output)
				if (note != "") != p.warn {
					t.Fatalf("%swarned %q, want %v", &log, note, p.warn)
				}
			}
		case op < 254:
			b := next()
			what, passed := fmt.Sprint("suite ", b/2%4), b%2 == 0
			fmt.Fprintf(&log, "verification of %s: passed %v\n", what, passed)
			s.Verification(what, passed)
			r.reports = append(r.reports, referenceReport{what, passed, len(r.ran)})
		case op < 255:
			log.WriteString("prompt\n")
			s.Prompt()
			r.forget()
			running = nil
		default:
			log.WriteString("compaction\n")
			s.Compact()
			r.forget()
			running = nil // results of those are late, and say nothing of what follows
		}
	}
}

func TestRiskAgainstTheReference(t *testing.T) {
	sequences := 3000
	if testing.Short() {
		sequences = 200
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range sequences {
		bytes := make([]byte, random.IntN(160))
		few := 1 + random.IntN(len(randomCalls)) // so that some sequences repeat much
		for i := range bytes {
			if bytes[i] = byte(random.Uint32()); random.IntN(3) > 0 {
				bytes[i] = byte(random.IntN(few))
			}
		}
		againstReference(t, bytes)
	}
}

func FuzzRisk(f *testing.F) {
	f.Add([]byte{1, 0, 0, 0, 0, 0, 0, 0, 0, 6, 9, 7, 9, 250, 1, 254})
	f.Add([]byte{3, 84, 12, 0, 13, 0, 12, 0, 13, 0, 255, 12, 0})
	f.Fuzz(againstReference)
}
