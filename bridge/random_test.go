package bridge

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/loopbreaker/loopbreaker/guard"
)

// chatter is what a host might say: random events of every kind, in an order that can
// be, with so few tools, inputs and outputs that loops of all sorts come about.
type chatter struct {
	r       *rand.Rand
	id      int
	running []string // calls without a result
	row     int      // calls left of a row of equal ones
	stuck   bool     // whether nothing else comes in between
	call    string   // the call of the row, and what it shows
	shows   string
}

func newChatter(seed uint64) *chatter { return &chatter{r: rand.New(rand.NewPCG(seed, 7))} }

func (t *chatter) hello(preset string) string {
	return t.request(MethodInitialize, fmt.Sprintf(`{"protocol":1,"hasUI":true,"chosen":{"preset":%q}}`, preset))
}

func (t *chatter) request(method, params string) string {
	t.id++
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, t.id, method, params)
}

func (t *chatter) notification(method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params)
}

func pick(r *rand.Rand, of ...string) string { return of[r.IntN(len(of))] }

// event returns the next thing the host says. What it says does not hang on what
// the guard answers, so that it can be said again to another.
func (t *chatter) event() string {
	r := t.r
	switch n := r.IntN(1000); {
	case n < 330:
		return t.request(MethodToolCall, t.toolCall())
	case n < 640 && len(t.running) > 0:
		i := r.IntN(len(t.running))
		id := t.running[i]
		t.running = append(t.running[:i], t.running[i+1:]...)
		return t.request(MethodToolResult, t.toolResult(id))
	case n < 720:
		return t.notification(MethodTurnStart, `{}`)
	case n < 790:
		return t.request(MethodTurnEnd, `{}`)
	case n < 850:
		return t.notification(MethodStreamDelta, fmt.Sprintf(`{"channel":%q,"block":%d,"text":%s}`,
			pick(r, "text", "thinking", "arguments"), r.IntN(3), quoted(strings.Repeat(pick(r, "I will look at the file. ", "ab", "\n\n", "Once more, ", "é"), r.IntN(40)))))
	case n < 880:
		return t.request(MethodMessageEnd, `{"role":"assistant"}`)
	case n < 900:
		return t.request(MethodToolRejected, fmt.Sprintf(`{"toolCallId":"r","toolName":%q,"text":%q,"input":{}}`, pick(r, "nosuch", "edit"), pick(r, "Tool nosuch not found", "Validation failed for tool \"edit\":")))
	case n < 930:
		return t.request(MethodMessageEnd, `{"role":"toolResult","toolCallId":"w","toolName":"write","text":"Tool call \"write\" was not executed: the response hit the output token limit, so its arguments may be truncated."}`)
	case n < 940:
		return t.notification(MethodVerification, fmt.Sprintf(`{"what":"unit tests","passed":%t}`, r.IntN(2) == 0))
	case n < 950:
		return t.notification(MethodToolCancel, `{"toolCallId":"x"}`)
	case n < 960:
		return t.request(MethodCommand, fmt.Sprintf(`{"args":%q}`, pick(r, "status", "why", "measures", "help", "nonsense")))
	case n < 965:
		return t.request(MethodSettings, `{"path":"window.block"}`)
	case n < 970:
		return t.notification(MethodCompact, `{}`)
	case n < 980:
		return pick(r, "rubbish", `{"jsonrpc":"2.0","id":1,"method":"x"}`, `{"jsonrpc":"2.0","id":2,"method":"tool/call","params":{}}`)
	default:
		t.running = t.running[:0]
		return t.notification(MethodPrompt, `{"source":"rpc"}`)
	}
}

// choice returns something a person does: it changes the policy, or the memory.
func (t *chatter) choice() string {
	switch t.r.IntN(5) {
	case 0:
		return t.request(MethodCommand, fmt.Sprintf(`{"args":%q}`, pick(t.r, "off", "on", "reset", "preset "+pick(t.r, guard.PresetNames()...))))
	case 1:
		return t.request(MethodSettingsSet, fmt.Sprintf(`{"path":"streak.block","value":%d}`, 3+t.r.IntN(6)))
	case 2:
		return t.request(MethodSessionRestore, fmt.Sprintf(`{"events":[{"type":"prompt"},{"type":"turn"},{"type":"call",%s},{"type":"result",%s}]}`,
			members(t.toolCall()), members(t.toolResult(fmt.Sprintf("c%d", t.id)))))
	case 3:
		return t.request(MethodApproval, fmt.Sprintf(`{"id":"ask-%d","answer":%q}`, 1+t.r.IntN(3), pick(t.r, "approved", "declined", "timeout", "aborted", "unattended")))
	default:
		return t.request(MethodCommand, `{"args":"on"}`)
	}
}

func (t *chatter) toolCall() string {
	if t.row--; t.row <= 0 {
		t.row, t.stuck = 1+t.r.IntN(12), t.r.IntN(2) == 0
		t.call, t.shows = t.someCall(), t.output()
	}
	call := t.call
	if !t.stuck && t.r.IntN(4) == 0 {
		call = t.someCall()
	}
	id := fmt.Sprintf("c%d", t.id)
	if t.running = append(t.running, id); len(t.running) > 8 {
		t.running = t.running[1:] // a result that never comes
	}
	return fmt.Sprintf(`{"toolCallId":%q,%s}`, id, call)
}

func (t *chatter) someCall() string {
	r := t.r
	switch r.IntN(6) {
	case 0:
		return fmt.Sprintf(`"toolName":"read","input":{"path":"f%d.txt","offset":%d}`, r.IntN(3), r.IntN(2))
	case 1:
		return fmt.Sprintf(`"toolName":"edit","input":{"path":"f.txt","edits":[{"oldText":"%d","newText":"%d"}]}`, r.IntN(3), r.IntN(3))
	case 2:
		return fmt.Sprintf(`"toolName":"bash","input":{"command":"curl -s --max-time %d https://api.example/v%d"}`, r.IntN(9), r.IntN(2))
	case 3:
		return fmt.Sprintf(`"toolName":"t%d","input":{"n":%d,"m":%q}`, r.IntN(50), r.IntN(1000), strings.Repeat("x", r.IntN(30)))
	case 4:
		return `"toolName":"odd","uncountable":"a Date"`
	default:
		return fmt.Sprintf(`"toolName":"bash","input":{"command":%q}`, pick(r, "ls", "ls -R", "go test ./...", "cat f.txt", "sleep 5", "echo x >> f.txt"))
	}
}

func (t *chatter) toolResult(id string) string {
	shows, failed := t.shows, false
	if !t.stuck && t.r.IntN(2) == 0 {
		shows, failed = t.output(), t.r.IntN(2) == 0
	}
	return fmt.Sprintf(`{"toolCallId":%q,"isError":%t,"content":[{"type":"text","text":%s}]}`, id, failed, quoted(shows))
}

func (t *chatter) output() string {
	return pick(t.r, "", "(no output)", "README.md", "FAIL in 1.2s", "Error 404", fmt.Sprint("line ", t.r.IntN(1_000_000)), strings.Repeat("long\n", t.r.IntN(100)))
}

// members are those of an object, without its braces.
func members(object string) string { return object[1 : len(object)-1] }

func quoted(text string) string {
	q, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(q)
}
