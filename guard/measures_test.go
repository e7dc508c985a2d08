package guard

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/loopbreaker/loopbreaker/canonical"
	"github.com/loopbreaker/loopbreaker/canonical/measure"
)

func exits(code int) outcomeOf { return outcomeOf{Kind: "exit", Code: code, Text: "no"} }

func page(code int) outcomeOf { return outcomeOf{Kind: "status", Code: code, Text: "a page"} }

func tool(name, input string, o outcomeOf) event {
	e := event{Tool: name, Outcome: o}
	if err := json.Unmarshal([]byte(input), &e.Input); err != nil {
		panic(err)
	}
	return e
}

// each makes n events, one for every number from 0 on.
func each(n int, of func(i int) event) (all []event) {
	for i := range n {
		all = append(all, of(i))
	}
	return all
}

// same is an event n times.
func same(n int, e event) []event { return each(n, func(int) event { return e }) }

// r is "r" n times, and what follows.
func r(n int, then ...string) string {
	return strings.Join(append(slices.Repeat([]string{"r"}, n), then...), " ")
}

// The tables of the system `measures`, by its own examples. The code of a call is
// that of play; where the user is asked he declines unless the event says otherwise.
func TestMeasures(t *testing.T) {
	user := event{User: true}
	approved := func(e event) event { e.Approve = true; return e }
	fetch := func(path string, o outcomeOf) event { return tool("web_fetch", fmt.Sprintf(`{"url":%q}`, path), o) }
	// The three stages of one measure with a cap of 12.
	stages := r(6, "rW", r(3), "rS", "D")

	for _, test := range []struct {
		name   string
		events []event
		want   string
		change func(*Measures)
	}{
		// What is the same.
		{"a call again and again", same(14, bash("npm test", ok)), stages + " b b", nil},
		{"decoys: another description, another timeout", each(12, func(i int) event {
			return tool("bash", fmt.Sprintf(`{"command":"npm test","description":"%d. try","timeoutMs":%d,"timeout":%d}`, i+1, 1000*i, i), ok)
		}), stages, nil},
		{"decoys of a tool that is no shell", each(12, func(i int) event {
			return tool("lookup", fmt.Sprintf(`{"q":"x","reason":"%d","title":"%d"}`, i, i), ok)
		}), stages, nil},
		{"churn of --max-time and the like", each(12, func(i int) event {
			return bash([]string{"curl --max-time %d https://a.example/x", "curl -sSL --retry %d https://a.example/x", "timeout %d curl https://a.example/x", "N=%d curl -s https://a.example/x"}[i%4], ok).with(i)
		}), stages, nil},
		{"spellings of a host", each(12, func(i int) event {
			return bash([]string{"curl https://open-data.canada.ca/d", "curl https://OPEN.canada.ca/d/", "wget -qO- http://www.open.canada.ca:80/d#top", "curl -m 9 https://open.canada.ca/d?utm_source=x"}[i%4], ok)
		}), stages, nil},
		{"one file written with ever other content", each(12, func(i int) event { return bash(fmt.Sprintf("echo %d > out/x.txt", i), ok) }), stages, nil},
		{"two calls in turn", each(14, func(i int) event { return bash([]string{"make a", "make b"}[i%2], ok) }), r(12, "rW", "rW"), nil},

		// What is not.
		{"the status of many addresses into /dev/null", each(30, func(i int) event {
			return bash(fmt.Sprintf("curl -s -o /dev/null -w '%%{http_code}' https://h%d.example/", i), outcomeOf{Kind: "text", Text: "200"})
		}), r(30), nil},
		{"pages of one list, on this machine", each(30, func(i int) event { return bash(fmt.Sprintf("curl 'http://localhost:3000/list?page=%d'", i), ok) }), r(30), nil},
		{"a file read on", each(30, func(i int) event { return tool("read", fmt.Sprintf(`{"path":"a.go","offset":%d}`, 200*i), ok) }), r(30), nil},
		{"a file read at one place", same(12, tool("read", `{"path":"a.go","offset":200}`, ok)), stages, nil},
		{"a file edited at many", each(30, func(i int) event {
			return tool("edit", fmt.Sprintf(`{"path":"a.go","oldText":"%d","newText":"x"}`, i), ok)
		}), r(30), nil},
		{"another directory", each(30, func(i int) event { return bash(fmt.Sprintf("cd d%d && make", i), ok) }), r(30), nil},
		{"twelve calls with four between each", each(48, func(i int) event {
			if i%5 == 0 {
				return bash("git status", ok)
			}
			return bash(fmt.Sprintf("cat %d", i), ok)
		}), r(48), nil},
		{"a todo list", same(20, tool("todo_write", `{"todos":[]}`, ok)), r(20), nil},

		// A host, which has the whole window.
		{"pages of one list", each(17, func(i int) event { return bash(fmt.Sprintf("curl 'https://a.example/list?page=%d'", i), ok) }),
			r(6, "rW", r(3), "rS", r(4), "D", "b"), nil},
		{"a fetch tool and a shell", each(16, func(i int) event {
			if i%2 == 0 {
				return fetch(fmt.Sprintf("https://a.example/%d", i), page(200))
			}
			return bash(fmt.Sprintf("curl https://a.example/%d", i), ok)
		}), r(6, "rW", r(3), "rS", r(4), "D"), nil},

		// Failures in a row.
		{"guessing at an address", each(8, func(i int) event { return fetch(fmt.Sprintf("https://api.example/v%d/items", i), page(404)) }),
			r(2, "rF", "r", "r", "D", "b", "b"), nil},
		{"the same by curl, which calls 404 a success", each(7, func(i int) event {
			return bash(fmt.Sprintf("curl -s -o /dev/null -w '%%{http_code}' https://api.example/v%d", i), outcomeOf{Kind: "text", Text: "404"})
		}), r(2, "rF", "r", "r", "D", "b"), nil},
		{"a page about errors is a success", same(6, fetch("https://a.example/", outcomeOf{Kind: "status", Code: 200, Text: "HTTP Error 404"})), r(6), nil},
		{"a pipeline hides a failure behind exit 0", same(7, bash("python3 load.py | tail -3", outcomeOf{Kind: "text", Text: "Traceback (most recent call last):\nValueError: x"})),
			r(2, "rF", "r", "r", "D", "b"), nil},
		{"a grep that shows such a text does not", same(6, tool("grep", `{"pattern":"Error"}`, outcomeOf{Kind: "text", Text: "Traceback (most recent call last):\nValueError: x"})), r(6), nil},
		{"an edit that does not fit", same(7, tool("edit", `{"path":"a","oldText":"x","newText":"y"}`, outcomeOf{Kind: "error", Text: "Could not find the exact text in a."})),
			r(2, "rF", "r", "r", "D", "b"), nil},
		{"what recovers is let alone", slices.Concat(same(6, bash("make", exits(2))), []event{bash("cat build.log", ok), bash("grep -r x .", ok), bash("make clean", ok), bash("make", ok)}),
			r(2, "rF", "r", "r", "D", "r", "r", "r", "b"), nil},
		{"another address is let alone", append(each(6, func(i int) event { return fetch(fmt.Sprintf("https://api.example/%d", i), page(404)) }), fetch("https://b.example/", page(200)), fetch("https://api.example/9", page(200))),
			r(2, "rF", "r", "r", "D", "r", "b"), nil},
		{"another success is none of this", each(9, func(i int) event {
			if i%2 == 1 {
				return tool("read", fmt.Sprintf(`{"path":"%d"}`, i), ok)
			}
			return bash("make", exits(2))
		}), r(4, "rF", r(4)), nil},
		{"its own success ends the row", slices.Concat(same(4, bash("make", exits(2))), []event{bash("make", ok)}, same(4, bash("make", exits(2)))),
			r(2, "rF", r(3), "rW", "rF", "r"), nil},
		{"a timeout is a failure", same(3, bash("npm start", outcomeOf{Kind: "timeout", Text: "..."})), r(2, "rF"), nil},
		{"what the user stopped is none", same(6, bash("npm start", outcomeOf{Kind: "abort", Text: "..."})), r(6), nil},
		{"nor does it end a row", []event{bash("make", exits(1)), bash("make", exits(1)), bash("make", outcomeOf{Kind: "abort"}), bash("make", exits(1))}, r(3, "rF"), nil},
		{"what goes on is none", same(6, bash("npm start", outcomeOf{Kind: "background", Text: "Command running in background with ID: 1\nTypeError: x"})), r(6), nil},
		{"many verbs that fail", each(10, func(i int) event { return bash(fmt.Sprintf("curl https://h%d.example/", i), exits(6)) }), r(10), nil},

		// The gate.
		{"approved, it is counted no longer", same(30, approved(bash("make", ok))), r(6, "rW", r(3), "rS", "A", r(18)), nil},
		{"approved, it may fail", same(12, approved(bash("make", exits(1)))), r(2, "rF", "r", "r", "A", r(6)), nil},
		{"what hit is exempt, and no more", slices.Concat(each(15, func(i int) event { return bash(fmt.Sprintf("curl 'https://a.example/?p=%d'", i), ok) }),
			[]event{approved(bash("curl 'https://a.example/?p=15'", ok))}, same(12, bash("curl https://a.example/x", ok))),
			r(6, "rW", r(3), "rS", r(4), "A", r(6), "rW", r(3), "rS", "D"), nil},
		{"a refused call spends nothing on what it did not touch", slices.Concat(
			each(11, func(i int) event { return bash(fmt.Sprintf("curl https://h%d.example/ > x.html", i), ok) }),
			same(13, bash("curl https://b.example/ > x.html", ok)),
			[]event{fetch("https://b.example/", page(200))}),
			r(6, "rW", r(3), "rS", "D") + strings.Repeat(" b", 12) + " r", nil},
		{"a message of the user is a fresh start", slices.Concat(same(13, bash("make", ok)), []event{user}, same(12, bash("make", ok))), stages + " b | " + stages, nil},
		{"and ends rows of failures", slices.Concat(same(6, bash("make", exits(1))), []event{user}, same(3, bash("make", exits(1)))), r(2, "rF", "r", "r", "D", "|", "r", "r", "rF"), nil},
		{"deny never asks", same(13, bash("make", ok)), r(6, "rW", r(3), "rS", "b", "b"), func(m *Measures) { m.OnLimit = DenyCall }},

		// Settings, none of which is judged by another.
		{"a limit below the stages", same(6, bash("make", ok)), r(4, "D", "b"), func(m *Measures) { m.Limits["exact"] = 5 }},
		{"stages the other way round", same(12, bash("make", ok)), r(2, "rS", "r", "rW", r(6), "D"), func(m *Measures) { m.SummarizeAt, m.WarnAt = 3, 5 }},
		{"both stages at once: the stronger speaks", same(4, bash("make", ok)), r(2, "rS", "r"), func(m *Measures) { m.SummarizeAt, m.WarnAt = 3, 3 }},
		{"no stages", same(12, bash("make", ok)), r(11, "D"), func(m *Measures) { m.SummarizeAt, m.WarnAt = 0, 0 }},
		{"no limit for failures keeps the warning", same(7, bash("make", exits(1))), r(2, "rF", r(3), "rW"), func(m *Measures) { m.FailLimit = 0 }},
		{"no warning of failures keeps the gate", same(7, bash("make", exits(1))), r(5, "D", "b"), func(m *Measures) { m.FailWarnAt = 0 }},
		{"no measure has a limit", same(20, bash("make", exits(1))), r(20), func(m *Measures) { m.Limits = map[string]int{"exact": 0} }},
		{"one identity has its own", each(5, func(i int) event { return fetch(fmt.Sprintf("https://a.example/%d", i), page(200)) }), r(2, "D", "b", "b"), func(m *Measures) { m.Limits["host:a.example"] = 3 }},
		{"or none", each(20, func(i int) event { return fetch(fmt.Sprintf("https://a.example/%d", i), page(404)) }), r(20), func(m *Measures) { m.Limits["host:a.example"] = 0 }},
		{"a volume that is limited", each(5, func(i int) event { return bash(fmt.Sprintf("curl https://h%d.example/", i), ok) }), r(3, "D", "b"), func(m *Measures) { m.Limits["family:http-fetch"] = 4 }},
		{"a site", each(4, func(i int) event { return bash(fmt.Sprintf("curl https://h%d.a.example.com/", i), ok) }), r(2, "D", "b"), func(m *Measures) { m.Limits["site"] = 3 }},
		{"near hosts that count as hosts", each(16, func(i int) event { return bash(fmt.Sprintf("curl http://localhost/%d", i), ok) }), r(6, "rW", r(3), "rS", r(4), "D"), func(m *Measures) { m.IncludeLocal = true }},
		{"near hosts that are spared", each(14, func(i int) event { return bash(fmt.Sprintf("curl http://localhost/x | head -%d", i), ok) }), r(14), func(m *Measures) { m.LocalHosts = SpareLocal }},
		{"near hosts that are not", each(12, func(i int) event { return bash(fmt.Sprintf("curl http://localhost/x | head -%d", i), ok) }), stages, nil},
		{"only some tools", append(same(12, bash("make", ok)), same(12, tool("read_file", `{"path":"a"}`, ok))...), r(12) + " " + stages, func(m *Measures) { m.Include = []string{"read*"} }},
		{"not some tools", same(20, tool("mcp__x__status", `{}`, ok)), r(20), func(m *Measures) { m.Exclude = []string{"mcp__*__status"} }},
		{"a short window", each(14, func(i int) event { return bash([]string{"make a", "make b"}[i%2], ok) }), r(14), func(m *Measures) { m.Window = 4; m.Limits["exact"], m.Limits["cmd"] = 4, 4 }},
	} {
		if test.change == nil {
			test.change = func(*Measures) {}
		}
		if got := play(t, test.events, test.change); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}

// with puts a number into the command of an event that has a place for it.
func (e event) with(i int) event {
	return bash(strings.ReplaceAll(e.Input["command"].(string), "%d", fmt.Sprint(i)), e.Outcome)
}

func TestPatterns(t *testing.T) {
	for _, test := range []struct {
		pattern, name string
		want          bool
	}{
		{"read", "read", true}, {"read", "read_file", false}, {"read*", "read_file", true}, {"*", "", true}, {"*_file", "read_file", true},
		{"a*a", "a", false}, {"a*a", "aa", true}, {"a*b*c", "axbxc", true}, {"a*b*c", "acb", false}, {"**", "x", true}, {"a.c", "abc", false}, {"*b", "abab", true},
	} {
		if got := matches(test.pattern, test.name); got != test.want {
			t.Errorf("matches(%q, %q) = %v", test.pattern, test.name, got)
		}
	}
}

// What is remembered is bound by the window, whatever goes on in a prompt.
func TestTracksAreBound(t *testing.T) {
	preset, _ := FindPreset("measures")
	s := NewSession(preset.Policy)
	for i := range 2000 {
		s.TurnStart()
		id := fmt.Sprint(i)
		if _, err := s.Call(Call{ID: id, Tool: "bash", Input: fmt.Appendf(nil, `{"command":"curl https://h%d.example/ > f%d"}`, i, i)}); err != nil {
			t.Fatal(err)
		}
		s.Result(Result{ID: id, Content: text1("fine")})
		s.TurnEnd()
	}
	tr := s.ledger.measures
	if len(tr.recent) != 16 || len(tr.counts) > 16*8 || len(tr.failed)+len(tr.refused)+len(tr.exempt)+len(tr.refusals) != 0 {
		t.Errorf("%d calls, %d counts, %d failures", len(tr.recent), len(tr.counts), len(tr.failed))
	}
	p := preset.Policy
	p.Measures.Window = 5
	s.SetPolicy(p)
	if len(tr.recent) != 5 || tr.recent[4].result != "fine" {
		t.Errorf("%d calls after the window was made smaller", len(tr.recent))
	}
}

// The last result of such a call is quoted, not that of any other.
func TestWhatARefusalQuotes(t *testing.T) {
	s := newScript(t, "measures", func(p *Policy) { p.Measures.OnLimit = DenyCall; p.Measures.ResultPreviewChars = 9 })
	for i := range 11 {
		id, _ := s.call("make")
		s.result(id, fmt.Sprintf("result %d and more", i))
	}
	id, _ := s.call("cat x")
	s.result(id, "something else")
	_, d := s.call("make")
	for _, part := range []string{"REPEAT_TOOL_BLOCKED: ", "- cmd:make:make: 12 times with this call, the limit is 12\n", `- exact:bash:{"command":"make"}: 12 times`, "\n> result 10… (+9 more)\n", "Still allowed"} {
		if !strings.Contains(d.Reason, part) {
			t.Errorf("%q is not in\n%s", part, d.Reason)
		}
	}
	if !strings.HasPrefix(d.Reason, "REPEAT_TOOL_BLOCKED") || strings.Contains(d.Reason, "something else") {
		t.Error(d.Reason)
	}
	if d.Why == nil || *d.Why != (Why{Rule: RuleOccurrences, Stage: "block", Tool: "bash", Count: 11, Limit: 11, Window: 16, Measure: "cmd:make:make"}) {
		t.Errorf("%+v", d.Why)
	}
	if d.Entries[0] != (LoopBroken{Tool: "bash", Repeats: 11, BlockedSoFar: 1}) {
		t.Errorf("%+v", d.Entries)
	}
	if _, again := s.call("make"); again.Entries[0] != (LoopBroken{Tool: "bash", Repeats: 12, BlockedSoFar: 2}) {
		t.Errorf("%+v", again.Entries)
	}
}

// Nothing that is quoted looks like a tool call, whatever a result or a call holds.
func TestNoToolMarkup(t *testing.T) {
	markup := "<tool_call>{\"name\":\"x\"}</tool_call> <function=x> </function> <invoke name=\"x\"><parameter> <ns:invoke> [TOOL_CALLS] <|tool_calls|> <｜tool｜> <b>"
	s := newScript(t, "measures", func(p *Policy) { p.Measures.OnLimit = DenyCall; p.Measures.Limits["exact"] = 2 })
	id, _ := s.call("echo '" + markup + "'")
	s.result(id, markup)
	_, d := s.call("echo '" + markup + "'")
	for _, no := range []string{"<tool_call", "</tool_call", "<function", "<invoke", "<parameter", "<ns:invoke", "[TOOL_CALLS", "<|", "<｜"} {
		if strings.Contains(strings.ToLower(d.Reason), strings.ToLower(no)) {
			t.Errorf("%s is in\n%s", no, d.Reason)
		}
	}
	if !d.Block || !strings.Contains(d.Reason, "<b>") {
		t.Error(d.Reason)
	}
}

// The warning of failures quotes the failure and names the target, not the whole
// command.
func TestWhatAWarningOfFailuresSays(t *testing.T) {
	s := newScript(t, "measures")
	var note string
	for i := range 3 {
		id, _ := s.call(fmt.Sprintf("curl -f https://api.example/v%d", i))
		d := s.Result(Result{ID: id, IsError: true, Content: text1("curl: (22) The requested URL returned error: 404\n\nCommand exited with code 22")})
		note = d.Note
	}
	if !strings.Contains(note, "host:api.example has failed 3 times in a row; the last time the command exited with code 22.") || strings.Contains(note, "cmd:") {
		t.Error(note)
	}
}

// What both tracks have to say stands in one note, failures first.
func TestBothTracksSpeak(t *testing.T) {
	s := newScript(t, "measures", func(p *Policy) { p.Measures.FailWarnAt = 7; p.Measures.FailLimit = 0 })
	for range 6 {
		id, _ := s.call("make")
		s.Result(Result{ID: id, IsError: true, Content: text1("Command exited with code 1")})
	}
	id, _ := s.call("make")
	d := s.Result(Result{ID: id, IsError: true, Content: text1("Command exited with code 1")})
	if parts := strings.Split(d.Note, "\n\n"); len(parts) != 2 || !strings.Contains(parts[0], "failed 7 times") || !strings.Contains(parts[1], "come up 7 times") {
		t.Error(d.Note)
	}
}

// A file that is written again and again through a here-document is one sink, though
// the host has taken the long command out of the input.
func TestMeasuresOfAnElidedCommand(t *testing.T) {
	s := newScript(t, "measures")
	for i := range 12 {
		long := canonical.LongText{At: "/command", Length: 5000 + i, SHA256: [32]byte{byte(i)}, Head: fmt.Sprintf("cat > x.py <<'EOF'\nprint(%d)", i), Tail: "EOF"}
		d, err := s.Call(Call{ID: fmt.Sprint(i), Tool: "bash", Input: []byte(`{"command":null}`), LongTexts: []canonical.LongText{long}})
		if err != nil || d.Block != (i == 11) || d.Block && d.Why.Measure != "sink:x.py" {
			t.Errorf("%d: %+v %v", i, d, err)
		}
	}
}

// FuzzMeasures plays what a text says, a byte a call: whatever comes, what is new is
// never refused, a message of the user is a fresh start, and the counts are right.
func FuzzMeasures(f *testing.F) {
	f.Add([]byte("aaaaaaaaaaaaaaaa"))
	f.Add([]byte("abababababababababab|aaaa"))
	f.Add([]byte("AAAAAAAAA?AAAA|AAAAAAA"))
	f.Add([]byte("hHhHhHhHhHhHhHhHhHhHhHhHhHhH"))
	f.Fuzz(func(t *testing.T, text []byte) {
		preset, _ := FindPreset("measures")
		s := NewSession(preset.Policy)
		s.SetAttended(true)
		fresh := true
		for i, c := range text {
			id := fmt.Sprint(i)
			command := fmt.Sprintf("make %d", c/8)
			switch {
			case c == '|':
				s.Prompt()
				fresh = true
				continue
			case c == '?':
				command = "make new" + id
			case c%8 == 0:
				command = fmt.Sprintf("curl https://h%d.example/%d > f%d", c/64, c/16, c/32)
			}
			s.TurnStart()
			d, err := s.Call(Call{ID: id, Tool: "bash", Input: fmt.Appendf(nil, `{"command":%q}`, command)})
			if err != nil || (fresh || c == '?') && (d.Block || d.Ask != nil) || d.Block && d.Ask != nil {
				t.Fatalf("%d: %+v %v", i, d, err)
			}
			fresh = false
			if d.Ask != nil && c%2 == 0 {
				answer := answers[int(c/2)%len(answers)]
				a, err := s.Approve(d.Ask.ID, answer)
				if err != nil || a.Block != (answer != Approved) || a.Ask != nil {
					t.Fatalf("%d, %s: %+v %v", i, answer, a, err)
				}
				d = a
			}
			if !d.Block && d.Ask == nil {
				s.Result(Result{ID: id, IsError: c%4 > 1, Content: text1("Command exited with code 1")})
			}
			s.TurnEnd()

			tr := s.ledger.measures
			counts := map[measure.ID]int{}
			for _, call := range tr.recent {
				for _, m := range call.measures {
					counts[m]++
				}
			}
			if len(tr.recent) > 16 || !maps.Equal(counts, tr.counts) {
				t.Fatalf("%d: %v, counted %v", i, counts, tr.counts)
			}
		}
	})
}

// Who else refuses a call has it fail too. Where the host only cut the response off,
// or the run was aborted, nothing is known of the call.
func TestRejectedCallsFail(t *testing.T) {
	for text, fails := range map[string]bool{
		"Blocked by policy: no network":        true,
		"Validation failed for tool \"bash\":": true,
		hostAborted:                            false,
		`Tool call "bash" was not executed. Re-issue the tool call with complete arguments.`: false,
	} {
		s := newScript(t, "measures", func(p *Policy) { p.Measures.OnLimit = DenyCall })
		call := Call{Tool: "bash", Input: []byte(`{"command":"curl https://a.example/"}`)}
		notes := 0
		for i := range 5 {
			call.ID = fmt.Sprint(i)
			if d := s.Rejected(Rejection{Call: call, Text: text}); strings.Contains(d.Note, "host:a.example has failed 3 times in a row; the last time the error was (") {
				notes++
			}
		}
		if _, d := s.call("curl https://a.example/"); d.Block != fails || notes != map[bool]int{true: 1}[fails] {
			t.Errorf("%s: %d notes, then %+v", text, notes, d)
		}
	}
}

func TestBeginning(t *testing.T) {
	long := &canonical.LongText{Length: 9000, Head: "äbcdef"}
	for _, test := range []struct {
		content []canonical.Block
		want    string
	}{
		{text1("abc"), "abc"},
		{text1("äöüx"), "äöü… (+1 more)"},
		{[]canonical.Block{{Data: []byte("a")}, {MediaType: "image/png", Data: []byte("xxxx")}, {Data: []byte("bcd")}}, "a\nb… (+2 more)"},
		{[]canonical.Block{{Long: long}}, "äbc… (+8997 more)"},
		{text1("\xff\xffab"), "a… (+1 more)"},
		{text1(strings.Repeat("x", 1<<16)), "xxx… (+65533 more)"},
		{nil, ""},
	} {
		if got := beginning(test.content, 3); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// One call and its result, in a long session.
func BenchmarkMeasuredCall(b *testing.B) {
	for name, command := range map[string]string{
		"words": "go test ./... 2>&1 | tail -%d",
		"fetch": "timeout 30 curl --max-time 60 -sSL -o out/%d.json 'https://open-data.canada.ca/d/?b=%[1]d&a=1' | jq .",
	} {
		b.Run(name, func(b *testing.B) {
			preset, _ := FindPreset("measures")
			s := NewSession(preset.Policy)
			result := text1(strings.Repeat("ok  	example.com/a	0.01s\n", 100))
			for i := 0; b.Loop(); i++ {
				id := fmt.Sprint(i)
				s.TurnStart()
				input, _ := json.Marshal(map[string]string{"command": fmt.Sprintf(command, i)})
				if _, err := s.Call(Call{ID: id, Tool: "bash", Input: input}); err != nil {
					b.Fatal(err)
				}
				s.Result(Result{ID: id, Content: result})
				s.TurnEnd()
			}
		})
	}
}
