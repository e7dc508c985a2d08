package bridge

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/loopbreaker/loopbreaker/bridge/config"
)

const again = "I will look at the file. "

func delta(channel, text string) string {
	return fmt.Sprintf(`{"channel":%q,"block":0,"text":%q}`, channel, text)
}

func TestARepetitionIsToldOfUnasked(t *testing.T) {
	o := options
	o.Flags = config.Flags{Preset: "default"}
	got := serve(t, lines(
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":1}}`,
		`{"jsonrpc":"2.0","method":"turn/start"}`,
		`{"jsonrpc":"2.0","method":"stream/delta","params":`+delta("thinking", "Fine. "+strings.Repeat(again, 10))+`}`,
		`{"jsonrpc":"2.0","method":"stream/delta","params":`+delta("thinking", strings.Repeat(again, 200))+`}`,
		`{"jsonrpc":"2.0","method":"stream/delta","params":`+delta("thinking", strings.Repeat(again, 200))+`}`,
		`{"jsonrpc":"2.0","id":2,"method":"message/end","params":{"role":"assistant"}}`,
		`{"jsonrpc":"2.0","id":3,"method":"turn/end"}`,
	), o)
	if len(got) != 4 {
		t.Fatalf("%d lines: %q", len(got), got)
	}
	var abort struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params Decision        `json:"params"`
	}
	if err := json.Unmarshal([]byte(got[1]), &abort); err != nil || abort.ID != nil || abort.Method != MethodHostAbort ||
		!strings.Contains(abort.Params.Abort.Told, "the thinking repeated the same text") || abort.Params.Why.Rule != "text" {
		t.Errorf("%s, %v", got[1], err)
	}
	var end, turn Decision
	decoded(t, got[2], &end)
	decoded(t, got[3], &turn)
	if end.Cut == nil || end.Cut.Keep != len("Fine. I will look at the file.") || end.Cut.StopReason != "stop" || end.Abort != nil {
		t.Errorf("%s", got[2])
	}
	if turn.Abort == nil || turn.Abort.Told != "" || turn.Abort.Recovery == "" {
		t.Errorf("%s", got[3])
	}
}

func decoded(t *testing.T, line string, d *Decision) {
	t.Helper()
	if err := json.Unmarshal(read(t, line).Result, d); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
}

func TestAsARequestADeltaIsAnswered(t *testing.T) {
	o := options
	o.Flags = config.Flags{Preset: "turns"}
	h := newHost(t, o)
	h.open(`{"protocol":1}`)
	var first, second Decision
	h.ask(MethodStreamDelta, delta("text", again), &first)
	h.ask(MethodStreamDelta, delta("text", strings.Repeat(again, 8)), &second)
	if first.Abort != nil || second.Abort == nil {
		t.Errorf("%+v, %+v", first, second)
	}
}

func TestBadParamsOfWhatIsWritten(t *testing.T) {
	h := newHost(t, options)
	h.open(`{"protocol":1}`)
	for params, want := range map[string]string{
		MethodStreamDelta + ` {"channel":"song","block":0,"text":"x"}`:   `params/channel: "song" is none of text, thinking, arguments`,
		MethodStreamDelta + ` {"channel":"text","block":"0","text":"x"}`: "params/block: must be an integer",
		MethodStreamDelta + ` {"channel":"text","block":0,"text":["x"]}`: "params/text: must be a string",
		MethodMessageEnd + ` {"role":"user"}`:                            `params/role: "user" is none of assistant, toolResult`,
		MethodMessageEnd + ` {}`:                                         `params/role: "" is none of assistant, toolResult`,
		MethodMessageEnd + ` {"role":"toolResult","text":{}}`:            "params/text: must be a string",
	} {
		method, text, _ := strings.Cut(params, " ")
		fmt.Fprintf(h.conn, `{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`+"\n", method, text)
		line, err := h.in.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if r := read(t, line); r.Error.Code != -32602 || r.Error.Message != want {
			t.Errorf("%s: %s", params, line)
		}
	}
	// A lone half of a character is no fault: a model may stop there.
	var d Decision
	h.ask(MethodStreamDelta, `{"channel":"text","block":0,"text":"x\ud83d"}`, &d)
}
