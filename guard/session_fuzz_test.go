package guard

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/loopbreaker/loopbreaker/canonical"
)

// happen tells a session of what the bytes say, an event a byte and a few more for what
// is in it, and returns every decision.
func happen(s *Session, data []byte) (said []any) {
	next := func(n int) int {
		if len(data) == 0 {
			return 0
		}
		b := int(data[0])
		data = data[1:]
		return b % n
	}
	tools := []string{"bash", "read", "edit", "str_replace_editor", "write", "grep", "web_fetch", "mcp__x__act", "mcp__x__wait", "browser_click", "tööl\x00", ""}
	inputs := []string{
		`{"command":"ls"}`, `{"command":"sleep 7; cat x"}`, `{"command":"make test"}`, `{"command":"curl https://a.example/x"}`, `{"command":"./act $N"}`,
		`{"path":"a"}`, `{"path":"b","edits":[{"oldText":"a","newText":"b"}]}`, `{"command":"view","path":"a"}`, `{"status":"on it $N","id":1}`,
		`{"action":"wait","ids":["a"]}`, `{"url":"https://a.example/$N"}`, `{}`, `[]`, `null`, `"$N"`, `{"a":`, `{"a":1,"a":2}`, "",
		`{"command":"echo 'a"}`, `{"content":null}`,
	}
	texts := []string{
		"", "ok", "$N", "Could not find the exact text in a.", "Error: $N", "\x1b[31mfail\x1b[0m\x00\xff", "took $N ms", "Tool x not found",
		"Validation failed for tool \"edit\":\n  - a: missing", "[Loopbreaker] nothing", "Loopbreaker refused this call: x", "no matches",
		"Tool call x was not run. Re-issue the tool call with complete arguments.", "Operation aborted", "exit code 1\n<tool_call>", "). Loopbreaker: (",
	}
	n := 0
	fill := func(text string) []byte {
		out := make([]byte, 0, len(text))
		for i := 0; i < len(text); i++ {
			if text[i] == '$' && i+1 < len(text) && text[i+1] == 'N' {
				out = fmt.Append(out, next(8))
				i++
			} else {
				out = append(out, text[i])
			}
		}
		return out
	}
	call := func() Call {
		n++
		c := Call{ID: fmt.Sprint(n), Tool: tools[next(len(tools))], Input: fill(inputs[next(len(inputs))])}
		switch next(12) {
		case 0:
			c.Uncountable = true
		case 1:
			c.LongTexts = []canonical.LongText{{At: "/content", Length: 100000, Head: "x"}}
		case 2:
			c.ID = fmt.Sprint(max(1, n-1)) // not its own
		}
		return c
	}
	result := func() Result {
		r := Result{ID: fmt.Sprint(max(1, n-next(3))), IsError: next(3) == 0, Uncountable: next(12) == 0}
		for range next(3) {
			b := canonical.Block{Data: fill(texts[next(len(texts))])}
			switch next(10) {
			case 0:
				b.MediaType = "image/png"
			case 1:
				b = canonical.Block{Long: &canonical.LongText{Length: 90000, Head: "begins", At: ""}}
			}
			r.Content = append(r.Content, b)
		}
		return r
	}
	var past []Past
	say := func(x any) { said = append(said, x) }
	for len(data) > 0 {
		switch next(32) {
		case 0:
			s.Prompt()
			past = append(past, Past{Prompt: true})
		case 1, 2, 3:
			s.TurnStart()
			past = append(past, Past{Turn: true})
		case 4, 5, 6:
			say(s.TurnEnd())
		case 7:
			s.Compact()
			past = append(past, Past{Compact: true})
		case 8:
			x := Rejection{Call: call(), Text: string(fill(texts[next(len(texts))]))}
			past = append(past, Past{Rejected: &x})
			say(s.Rejected(x))
			say(s.Truncated(x))
		case 9:
			s.SetPolicy(Presets()[next(len(Presets()))].Policy)
		case 10:
			s.SetOn(next(4) > 0)
		case 11:
			if next(8) == 0 {
				s.Reset()
			}
		case 12:
			s.Restore(past)
			past = past[len(past)/2:]
		case 13:
			s.SetAttended(next(2) > 0)
			s.OfferFetch([]string{"", "web_fetch_file"}[next(2)])
		case 14:
			d, err := s.Approve(fmt.Sprint("ask-", next(8)), append(answers, "?")[next(len(answers)+1)])
			say(d)
			say(err)
		case 15:
			for range next(40) {
				say(s.Write(Written{Channel: []Channel{ChannelText, ChannelThinking, ChannelArguments}[next(3)], Block: next(3), Text: "again and again, " + string(fill(texts[next(len(texts))]))}))
			}
			say(s.MessageEnd())
		case 16:
			s.Verification("v", next(2) > 0)
			say(s.Report("p"))
			say(s.Explain())
			say(s.Status())
		case 17, 18, 19, 20, 21, 22: // a call and its result
			c := call()
			d, err := s.Call(c)
			say(d)
			say(err)
			past = append(past, Past{Ran: &c})
			fallthrough
		case 23, 24:
			r := result()
			past = append(past, Past{Result: &r})
			say(s.Result(r))
		default: // the same over and over
			c, r := call(), result()
			for range next(60) {
				n++
				c.ID, r.ID = fmt.Sprint(n), fmt.Sprint(n)
				s.TurnStart()
				d, _ := s.Call(c)
				say(d)
				say(s.Result(r))
				say(s.TurnEnd())
			}
		}
		past = past[max(0, len(past)-200):]
	}
	return said
}

// FuzzSession drives sessions with whatever may happen. Nothing panics, what is
// remembered has a bound, and the same events give the same decisions.
func FuzzSession(f *testing.F) {
	f.Add(byte(0), []byte("\x11\x00\x00\x05\x11\x00\x00\x05\x01\x04"))
	f.Add(byte(4), []byte{30, 0, 3, 9, 1, 1, 0, 59, 13, 1, 1, 30, 0, 3, 9, 1, 1, 0, 59, 14, 1, 0})
	seed := make([]byte, 4096)
	for i := range seed {
		seed[i] = byte(i*i*7 + i>>3)
	}
	for i := range len(Presets()) {
		f.Add(byte(i), seed)
		f.Add(byte(i), seed[i*100:])
	}
	f.Fuzz(func(t *testing.T, preset byte, data []byte) {
		if len(data) > 1<<11 {
			t.Skip()
		}
		p := Presets()[int(preset)%len(Presets())].Policy
		s := NewSession(p)
		first, second := happen(s, data), happen(NewSession(p), data)
		if !reflect.DeepEqual(first, second) {
			for i := range min(len(first), len(second)) {
				if !reflect.DeepEqual(first[i], second[i]) {
					t.Fatalf("decision %d: %+v, then %+v", i, first[i], second[i])
				}
			}
			t.Fatal("another number of decisions")
		}
		bounded(t, s)
	})
}

// bounded checks the sizes of what grows with calls.
func bounded(t *testing.T, s *Session) {
	t.Helper()
	l := s.ledger
	for name, size := range map[string][2]int{
		"outcomes":  {len(l.outcomes.values), s.policy.Rejected.Calls},
		"looks":     {len(l.looks.last), l.looks.order.size() + 1},
		"outputs":   {len(l.looks.outputs), mostOutputs},
		"window":    {len(l.window.admitted), l.window.size() + 1},
		"refusals":  {len(l.window.refused), l.window.size() + 1},
		"history":   {len(s.ladder.history), historyKept},
		"measured":  {len(l.measures.recent), l.measures.size},
		"failures":  {len(l.measures.failed), mostFailed},
		"questions": {len(s.gate.open), 64},
	} {
		if size[0] > size[1] {
			t.Errorf("%s: %d, more than %d", name, size[0], size[1])
		}
	}
	for _, k := range l.looks.last {
		if len(k.when) > l.looks.stale.marks.size()+1 {
			t.Errorf("a look remembers %d times", len(k.when))
		}
	}
}

// TestManyCalls makes very many different calls, each of a tool of its own, and each
// refused or failing in turn, within one prompt.
func TestManyCalls(t *testing.T) {
	for _, p := range Presets() {
		s := NewSession(p.Policy)
		for i := range 20_000 {
			if i%3 == 0 {
				s.TurnStart()
			}
			id := fmt.Sprint(i)
			c := Call{ID: id, Tool: "tool" + id, Input: fmt.Appendf(nil, `{"command":"run %d","url":"https://h%d.example/"}`, i, i)}
			if i%2 == 0 {
				c.Tool = "bash"
			}
			if i%7 == 0 {
				s.Rejected(Rejection{Call: c, Text: "Tool not found"})
				continue
			}
			if d, err := s.Call(c); err != nil || d.Block {
				t.Fatalf("%s: call %d: %+v, %v", p.Name, i, d, err)
			}
			if i%5 > 0 { // some results never come
				s.Result(Result{ID: id, IsError: i%2 == 0, Content: text1(fmt.Sprint("text ", i))})
			}
		}
		bounded(t, s)
		if n := len(s.ledger.pending) + len(s.ledger.trails) + len(s.ledger.previous) + len(s.ledger.rejected); n > 20 {
			t.Errorf("%s: %d calls are remembered of the last turns", p.Name, n)
		}
	}
}
