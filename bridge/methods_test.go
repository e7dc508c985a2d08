package bridge

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopbreaker/loopbreaker/bridge/config"
)

// conversation writes lines for a guard and reads its answers by id.
type conversation struct {
	t     *testing.T
	lines []string
}

func (c *conversation) tell(method, params string) {
	c.lines = append(c.lines, fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params))
}

// ask makes a request and returns the place of its answer.
func (c *conversation) ask(method, params string) int {
	c.lines = append(c.lines, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, len(c.lines), method, params))
	return len(c.lines) - 1
}

// call makes a bash call whose result is text, in a turn of its own, and returns
// the places of the three answers.
func (c *conversation) call(text string) (call, result, end int) {
	id := fmt.Sprint(len(c.lines))
	c.tell(MethodTurnStart, `{}`)
	call = c.ask(MethodToolCall, `{"toolCallId":"`+id+`","toolName":"bash","input":{"command":"ls"}}`)
	result = c.ask(MethodToolResult, fmt.Sprintf(`{"toolCallId":"%s","isError":false,"content":[{"type":"text","text":%q}]}`, id, text))
	return call, result, c.ask(MethodTurnEnd, `{}`)
}

func (c *conversation) hold(o Options) map[int]Decision {
	c.t.Helper()
	answers := map[int]Decision{}
	for _, line := range serve(c.t, lines(c.lines...), o) {
		r := read(c.t, line)
		var id int
		var d Decision
		if r.Error.Code != 0 {
			c.t.Errorf("answered %s", line)
		}
		if json.Unmarshal(r.ID, &id) != nil || json.Unmarshal(r.Result, &d) != nil {
			continue // hello
		}
		answers[id] = d
	}
	return answers
}

func talk(t *testing.T) *conversation {
	return &conversation{t, []string{`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocol":1,"hasUI":true}}`}}
}

func preset(name string, set ...string) Options {
	o := options
	o.Flags = config.Flags{Preset: name, Set: set}
	return o
}

func TestStreakOnTheWire(t *testing.T) {
	c := talk(t)
	var calls, results, ends []int
	for range 7 {
		call, result, end := c.call("the same")
		calls, results, ends = append(calls, call), append(results, result), append(ends, end)
	}
	c.tell(MethodPrompt, `{"source":"interactive"}`)
	fresh, _, _ := c.call("the same")
	a := c.hold(preset("streak", "ladder.recover=true"))

	for i, d := range results {
		if note := a[d].Note; (note != "") != (i == 2) {
			t.Errorf("result %d: note %q", i+1, note)
		}
	}
	for i, d := range calls {
		if a[d].Block != (i >= 4) {
			t.Errorf("call %d: %+v", i+1, a[d])
		}
		if told := a[d].Notify; (len(told) > 0) != (i == 4) {
			t.Errorf("call %d: told %q", i+1, told)
		}
	}
	for i, d := range ends {
		if (a[d].Abort != nil) != (i == 6) {
			t.Errorf("turn %d: %+v", i+1, a[d].Abort)
		}
	}
	end := a[ends[6]]
	if end.Abort == nil || end.Abort.Told == "" || end.Abort.Recovery == "" || end.Status == nil || !strings.Contains(*end.Status, "ended") {
		t.Errorf("the end: %+v", end)
	}
	if a[fresh].Block {
		t.Error("a prompt was no fresh start")
	}
}

func TestWithoutAUIRefusalsAreNotTold(t *testing.T) {
	c := &conversation{t, []string{hello}}
	var calls []int
	var end int
	for range 7 {
		var call int
		call, _, end = c.call("the same")
		calls = append(calls, call)
	}
	a := c.hold(preset("streak"))
	for _, d := range calls {
		if len(a[d].Notify) > 0 {
			t.Errorf("told %q", a[d].Notify)
		}
	}
	if a[end].Abort == nil || !strings.HasPrefix(a[end].Abort.Told, "Loopbreaker ended the run") {
		t.Errorf("the end of the run: %+v", a[end])
	}
}

func TestRejectedCallsOnTheWire(t *testing.T) {
	c := talk(t)
	var rejections, ends []int
	for range 6 {
		c.tell(MethodTurnStart, `{}`)
		rejections = append(rejections, c.ask(MethodToolRejected, `{"toolCallId":"1","toolName":"nosuch","text":"Tool nosuch not found"}`))
		ends = append(ends, c.ask(MethodTurnEnd, `{}`))
	}
	a := c.hold(preset("default"))
	for i := range 6 {
		if got, want := a[rejections[i]].Note != "", i == 2; got != want {
			t.Errorf("rejection %d: note %v", i+1, got)
		}
		if got, want := a[ends[i]].Steer != "", i == 3 || i == 4; got != want {
			t.Errorf("turn %d: steer %v", i+1, got)
		}
		if got, want := a[ends[i]].Abort != nil, i == 5; got != want {
			t.Errorf("turn %d: abort %v", i+1, got)
		}
	}
}

func TestRiskOnTheWire(t *testing.T) {
	c := talk(t)
	fail := func() (call, result int) {
		id := fmt.Sprint(len(c.lines))
		call = c.ask(MethodToolCall, `{"toolCallId":"`+id+`","toolName":"http","input":{"url":"localhost:3000"}}`)
		return call, c.ask(MethodToolResult, `{"toolCallId":"`+id+`","isError":true,"content":[{"type":"text","text":"refused"}]}`)
	}
	fail()
	c.tell(MethodVerification, `{"what":"the tests","passed":false}`)
	_, warned := fail()
	refused, _ := fail()
	c.ask(MethodVerification, `{"what":"the tests","passed":true}`)
	_, better := fail()
	a := c.hold(preset("risk"))
	if why := a[warned].Why; why == nil || *why != (Why{Rule: "risk", Stage: "warn", Tool: "http", Count: 50, Limit: 50, Window: 20, Parts: "exact 40 + verification 10"}) || !strings.Contains(a[warned].Note, why.Parts) {
		t.Errorf("the second: %+v, %+v", a[warned], why)
	}
	if why := a[refused].Why; why == nil || !a[refused].Block || *why != (Why{Rule: "risk", Stage: "block", Tool: "http", Count: 70, Limit: 70, Window: 20, Parts: "exact 40 + stagnation 20 + verification 10"}) {
		t.Errorf("the third: %+v, %+v", a[refused], why)
	}
	if want := (LoopBroken{Tool: "http", Repeats: 2, BlockedSoFar: 1}); len(a[refused].Entries) != 1 || a[refused].Entries[0].Data != want {
		t.Errorf("the session file gets %+v", a[refused].Entries)
	}
	if why := a[better].Why; why == nil || why.Stage != "warn" || why.Count != 60 {
		t.Errorf("after the tests passed: %+v, %+v", a[better], why)
	}
}

func TestRestoreOnTheWire(t *testing.T) {
	event := func(id int, members string) string {
		return fmt.Sprintf(`{"type":"turn"},{"type":"call","toolCallId":"%d","toolName":"bash","input":{"command":"ls"}},{"type":"result","toolCallId":"%d",%s}`, id, id, members)
	}
	same := `"isError":false,"content":[{"type":"text","text":"same"}]`
	var past []string
	for i := range 4 {
		past = append(past, event(i, same))
	}
	past = append(past,
		event(4, `"isError":true,"refused":true,"content":[{"type":"text","text":"Loopbreaker refused this call"}]`),
		event(5, `"isError":true,"content":[{"type":"text","text":"Tool bash not found"}]`),
		`{"type":"call","toolCallId":"pending","toolName":"bash","input":{"command":"ls"}}`,
		`{"type":"call","toolCallId":"bad","toolName":"bash","input":{"a":1,"a":2}},{"type":"result","toolCallId":"bad",`+same+`}`)
	c := talk(t)
	c.ask(MethodSessionRestore, `{"events":[`+strings.Join(past, ",")+`]}`)
	first, _, end := c.call("same")
	a := c.hold(preset("streak", "ladder.refusals=2"))
	if !a[first].Block || a[first].Entries[0].Data.BlockedSoFar != 2 || a[end].Abort == nil {
		t.Errorf("the call after: %+v, the end of its turn: %+v", a[first], a[end])
	}
}

func TestFaultsInParamsAreNamed(t *testing.T) {
	for _, tt := range []struct{ method, params, says string }{
		{MethodToolResult, `{"content":[]}`, "params/toolCallId: missing"},
		{MethodToolResult, `{"toolCallId":"1","content":{}}`, "params/content: must be an array"},
		{MethodToolResult, `{"toolCallId":"1","content":[{"type":"text","text":5}]}`, "params/content/0/text: must be a string"},
		{MethodToolRejected, `{"toolCallId":"1","text":"x"}`, "params/toolName: missing"},
		{MethodSessionRestore, `{"events":[{"type":"prompt"},{"type":"dream"}]}`, `params/events/1/type: "dream" is none of`},
		{MethodSessionRestore, `{"events":[{"type":"call","toolCallId":"1","input":{}},{"type":"result","toolCallId":"1","content":[]}]}`, "params/events/0: params/toolName: missing"},
		{MethodApproval, `{"answer":"approved"}`, "params/id: missing"},
		{MethodApproval, `{"id":"ask-1","answer":"approved"}`, "params/id: no such question is open"},
		{MethodApproval, `{"id":"ask-1","answer":true}`, "params/answer: must be a string"},
		{MethodVerification, `{"passed":true}`, "params/what: missing"},
		{MethodVerification, `{"what":"","passed":true}`, "params/what: missing"},
		{MethodVerification, `{"what":"x"}`, "params/passed: missing"},
		{MethodVerification, `{"what":"x","passed":null}`, "params/passed: missing"},
		{MethodVerification, `{"what":"x","passed":"yes"}`, "params/passed: must be a boolean"},
		{MethodCommand, `{"args":[]}`, "params/args: must be a string"},
		{MethodTurnStart, `[]`, "must be an object"},
	} {
		got := serve(t, lines(hello, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, tt.method, tt.params)), options)
		if r := read(t, got[1]); r.Error.Code != -32602 || !strings.Contains(r.Error.Message, tt.says) {
			t.Errorf("%s %s: %s, want %q", tt.method, tt.params, got[1], tt.says)
		}
	}
}

// A question and its answer on the wire. Where nobody can be asked there is none.
func TestApprovalOnTheWire(t *testing.T) {
	for _, hasUI := range []bool{true, false} {
		h := newHost(t, preset("measures", "measures.limits=exact=2", "measures.askSeconds=7"))
		h.open(fmt.Sprintf(`{"protocol":1,"hasUI":%v}`, hasUI))
		if d := h.call(); d.Ask != nil || d.Block {
			t.Errorf("%+v", d)
		}
		d := h.call()
		if !hasUI {
			if d.Ask != nil || !d.Block || !strings.Contains(d.Reason, "Nobody could be asked") || d.Notify != nil {
				t.Errorf("%+v", d)
			}
			continue
		}
		if d.Ask == nil || d.Block || d.Ask.TimeoutMs != 7000 {
			t.Fatalf("%+v", d)
		}
		var e Decision
		h.ask(MethodApproval, fmt.Sprintf(`{"id":%q,"answer":"timeout"}`, d.Ask.ID), &e)
		if !e.Block || !strings.Contains(e.Reason, "did not answer in time") || e.Why.Measure == "" || len(e.Entries) != 1 || len(e.Notify) != 1 {
			t.Errorf("%+v", e)
		}
		var c CommandResult
		h.ask(MethodCommand, `{"args":"measures"}`, &c)
		if len(c.Peaks) != 3 || c.Peaks[1] != (Peak{Kind: "exact", Count: 2}) || !strings.Contains(c.Text, "exact:bash:") {
			t.Errorf("%+v", c)
		}
	}
}

// ask sends commands and returns the texts.
func commands(t *testing.T, o Options, before []string, args ...string) (texts []string) {
	t.Helper()
	in := append([]string{hello}, before...)
	for _, a := range args {
		in = append(in, fmt.Sprintf(`{"jsonrpc":"2.0","id":"c","method":"command","params":{"args":%q}}`, a))
	}
	for _, line := range serve(t, lines(in...), o) {
		r := read(t, line)
		var c CommandResult
		if string(r.ID) == `"c"` && json.Unmarshal(r.Result, &c) == nil {
			texts = append(texts, c.Text)
		}
	}
	return texts
}

func TestCommands(t *testing.T) {
	var loop []string
	for range 6 {
		loop = append(loop, probe)
	}
	args := []string{"", "status", "why", "measures", "off", "status", "on", "preset streak", "preset nonsense", "reset", "why", "help", "nonsense", "on off", "  status  "}
	says := []string{
		"is on, preset window. Refused: 1", "Refused: 1 in this prompt", "refused a call: the identical t call was already made 5 times", "counts no measures",
		"OFF", "OFF", "is on", "preset streak", `no preset "nonsense"`, "forgotten", "nothing", "/loopbreaker reset", `does not know "nonsense"`, `does not know "on off"`, "is on",
	}
	got := commands(t, options, loop, args...)
	if len(got) != len(args) {
		t.Fatalf("%d answers: %q", len(got), got)
	}
	for i := range got {
		if !strings.Contains(got[i], says[i]) {
			t.Errorf("%q: %q, want %q", args[i], got[i], says[i])
		}
	}
}

// writeConfig saves a configuration file.
func writeConfig(t *testing.T, folder, text string) {
	t.Helper()
	path := filepath.Join(folder, "extensions", "loopbreaker.json")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Where the model has just written, the look at the files is over when its call comes.
func TestASavedChangeIsSeenAsTheModelWrites(t *testing.T) {
	agent := t.TempDir()
	writeConfig(t, agent, `{"preset":"window"}`)
	o := options
	o.Flags = config.Flags{}
	h := newHost(t, o)
	h.open(fmt.Sprintf(`{"protocol":1,"agentDir":%q}`, agent))
	write := func() { h.ask(MethodStreamDelta, `{"channel":"text","block":0,"text":"a"}`, &Decision{}) }

	write()
	writeConfig(t, agent, `{"enabled":false,"preset":"window"}`)
	if d := h.call(); d.Status != nil {
		t.Errorf("looked at the files though it just had: %+v", d)
	}
	if d := h.call(); d.Status == nil {
		t.Error("not looked at for the second call")
	}
	writeConfig(t, agent, `{"preset":"window"}`)
	write()
	if d := h.call(); d.Status == nil {
		t.Error("not looked at as the model wrote")
	}
	write()
	writeConfig(t, agent, `{"enabled":false,"preset":"window"}`)
	h.ask(MethodTurnStart, "{}", &struct{}{})
	if d := h.call(); d.Status == nil {
		t.Error("what was seen in another turn held for this one")
	}
}

func TestASavedChangeHoldsFromTheNextCall(t *testing.T) {
	agent := t.TempDir()
	writeConfig(t, agent, `{"preset":"window"}`)
	o := options
	o.Flags = config.Flags{}
	h := newHost(t, o)
	if got := h.open(fmt.Sprintf(`{"protocol":1,"agentDir":%q}`, agent)); got.Preset != "window" {
		t.Fatalf("%+v", got)
	}
	for i := 1; i <= 3; i++ {
		if d := h.call(); d.Block {
			t.Fatalf("call %d was refused", i)
		}
	}
	writeConfig(t, agent, `{"preset":"window","window":{"block":3},"nonsense":1}`)
	d := h.call()
	if !d.Block || d.Why.Limit != 3 {
		t.Errorf("after the change: %+v", d)
	}
	if len(d.Notify) != 1 || !strings.Contains(d.Notify[0], "nonsense") || !strings.Contains(d.Notify[0], "loopbreaker.json") {
		t.Errorf("told %q", d.Notify)
	}
	writeConfig(t, agent, `{"enabled":false,"preset":"window"}`)
	if d := h.call(); d.Block || d.Status == nil || *d.Status != "loopbreaker OFF" {
		t.Errorf("switched off: %+v", d)
	}
}

func TestWhatAPersonChoseOutlivesTheGuard(t *testing.T) {
	h := newHost(t, options)
	h.open(`{"protocol":1}`)
	var off, streak CommandResult
	h.ask(MethodCommand, `{"args":"preset turns"}`, &streak)
	h.ask(MethodCommand, `{"args":"off"}`, &off)

	chosen, err := json.Marshal(off.Chosen)
	if err != nil {
		t.Fatal(err)
	}
	next := newHost(t, options)
	if got := next.open(`{"protocol":1,"chosen":` + string(chosen) + `}`); got.Preset != "turns" || got.Status == nil || *got.Status != "loopbreaker OFF" {
		t.Errorf("the next guard: %+v", got)
	}
}

func TestOnlyATrustedProjectConfigures(t *testing.T) {
	for trusted, want := range map[bool]string{true: "turns", false: "default"} {
		project := t.TempDir()
		writeConfig(t, filepath.Join(project, ".pi"), `{"preset":"turns"}`)
		o := options
		o.Flags = config.Flags{}
		h := newHost(t, o)
		if got := h.open(fmt.Sprintf(`{"protocol":1,"cwd":%q,"projectTrusted":%v}`, project, trusted)); got.Preset != want {
			t.Errorf("trusted %v: preset %s, want %s", trusted, got.Preset, want)
		}
		o.NoFiles = true
		h = newHost(t, o)
		if got := h.open(fmt.Sprintf(`{"protocol":1,"cwd":%q,"projectTrusted":true}`, project)); got.Preset != "default" {
			t.Errorf("without files: preset %s", got.Preset)
		}
	}
}

func TestInitializeTellsWhatDiffersFromThePreset(t *testing.T) {
	o := options
	o.Flags = config.Flags{Preset: "streak", Set: []string{"streak.warn=2", "streak.ignoreTools=a,b"}}
	h := newHost(t, o)
	got := h.open(`{"protocol":1}`)
	if want := "streak.warn=2 streak.ignoreTools=a,b"; strings.Join(got.Settings, " ") != want {
		t.Errorf("settings %q, want %s", got.Settings, want)
	}
}
