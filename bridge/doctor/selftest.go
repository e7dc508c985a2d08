package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/loopbreaker/loopbreaker/bridge"
)

// checkSelf starts a copy of this program and puts a loop to it, as a host would.
func (e *examination) checkSelf(ctx context.Context) Check {
	start := time.Now()
	call, err := e.loop(ctx)
	if err != nil {
		return Check{Status: Failed, Found: []string{"a guard that was started for a test: " + err.Error()},
			Advice: "Build or install the program anew; if that does not help, report it."}
	}
	return Check{Status: OK, Found: []string{fmt.Sprintf("a guard started, refused call %d of a loop, and ended: %d ms", call, time.Since(start).Milliseconds())}}
}

// longestLoop is at how many equal calls the guard has failed.
const longestLoop = 30

// loop returns which call of a loop a guard refuses, that is started for it and goes
// by nothing of the user's.
func (e *examination) loop(ctx context.Context) (refused int, err error) {
	cmd, cancel := e.command(ctx, e.Program, "serve", "--preset", "default", "--set", "enabled=true")
	defer cancel()
	cmd.Env = without(cmd.Env, "LOOPBREAKER_*", "LOOP_GUARD_*", "PI_LOOP_GUARD_*")
	p, err := start(cmd)
	if err != nil {
		return 0, err
	}
	refused, err = e.converse(&wire{process: p})
	ended := e.failure(cmd, p.end(), p.words.String())
	switch {
	case ended != nil:
		return 0, ended
	case err == nil && p.words.Len() > 0:
		return 0, errors.New("it complained: " + p.words.String())
	}
	return refused, err
}

func (e *examination) converse(w *wire) (refused int, err error) {
	var opened bridge.InitializeResult
	if err := w.ask(bridge.MethodInitialize, bridge.InitializeParams{Protocol: bridge.Protocol, Host: bridge.Peer{Name: "doctor", Version: e.Version}}, &opened); err != nil {
		return 0, err
	}
	if opened.Server.Version != e.Version {
		return 0, fmt.Errorf("it says that it is %s", opened.Server.Version)
	}
	for n := 1; n <= longestLoop; n++ {
		id := fmt.Sprint("call-", n)
		var d bridge.Decision
		err := errors.Join(
			w.ask(bridge.MethodTurnStart, struct{}{}, &struct{}{}),
			w.ask(bridge.MethodToolCall, bridge.ToolCallParams{ToolCallID: id, ToolName: "bash", Input: jsontext.Value(`{"command":"ls"}`)}, &d))
		switch {
		case err != nil:
			return 0, err
		case d.Block:
			return n, w.ask(bridge.MethodShutdown, struct{}{}, &struct{}{})
		}
		if err := errors.Join(
			w.ask(bridge.MethodToolResult, bridge.ToolResultParams{ToolCallID: id, Content: []bridge.ContentBlock{{Type: "text", Text: "a.go"}}}, &d),
			w.ask(bridge.MethodTurnEnd, struct{}{}, &d)); err != nil {
			return 0, err
		}
	}
	return 0, fmt.Errorf("it let all %d equal calls pass", longestLoop)
}

// wire is a host's end of a connection.
type wire struct {
	*process
	id int
}

// ask makes a request and reads its answer into result.
func (w *wire) ask(method string, params, result any) error {
	w.id++
	text, err := jsonv2.Marshal(struct {
		JSONRPC string `json:"jsonrpc"`
		ID      int    `json:"id"`
		Method  string `json:"method"`
		Params  any    `json:"params"`
	}{"2.0", w.id, method, params})
	if err != nil {
		return fmt.Errorf("encoding %s: %w", method, err)
	}
	if _, err := w.in.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("sending %s: %w", method, err)
	}
	line, err := w.out.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("waiting for the answer to %s: %w", method, err)
	}
	var answer struct {
		Result jsontext.Value `json:"result"`
	}
	if err := jsonv2.Unmarshal(line, &answer); err != nil || answer.Result == nil {
		return fmt.Errorf("it answered %s with %s", method, strings.TrimSpace(string(line)))
	}
	if err := jsonv2.Unmarshal(answer.Result, result); err != nil {
		return fmt.Errorf("reading the answer to %s: %w", method, err)
	}
	return nil
}
