package bridge_test

import (
	"context"
	"fmt"
	"net"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/sourcegraph/jsonrpc2"

	"github.com/loopbreaker/loopbreaker/bridge"
	"github.com/loopbreaker/loopbreaker/bridge/config"
)

// A guard in the program of its host, over a pipe in memory. The agent asks before
// it runs a tool, tells what came of it, and does what the guard says; this one can
// think of nothing but "make", which shows the same each time.
func ExampleServe() {
	ctx := context.Background()
	here, there := net.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- bridge.Serve(ctx, there, bridge.Options{Flags: config.Flags{Preset: "default"}})
	}()

	// What the guard says unasked is only of use to a host that sends what the
	// model writes while it writes.
	unasked := jsonrpc2.HandlerWithError(func(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request) (any, error) { return nil, nil })
	conn := jsonrpc2.NewConn(ctx, jsonrpc2.NewPlainObjectStream(here), unasked)
	ask := func(method string, params any) (d bridge.Decision) {
		// A guard that fails is no reason to stop: the zero decision lets it pass.
		if err := conn.Call(ctx, method, params, &d); err != nil {
			fmt.Println(method, err)
		}
		return d
	}
	ask(bridge.MethodInitialize, bridge.InitializeParams{Protocol: bridge.Protocol})
	ask(bridge.MethodPrompt, struct{}{})

	for turn := 1; ; turn++ {
		ask(bridge.MethodTurnStart, struct{}{})
		id := fmt.Sprint("call ", turn)
		call := bridge.ToolCallParams{ToolCallID: id, ToolName: "bash", Input: jsontext.Value(`{"command":"make"}`)}
		if d := ask(bridge.MethodToolCall, call); d.Block {
			fmt.Println(id, "refused by the rule", d.Why.Rule) // and the model reads d.Reason
		} else {
			// Here the tool runs. The model reads the result, and the note below it.
			result := []bridge.ContentBlock{{Type: "text", Text: "make: Nothing to be done for 'all'."}}
			d := ask(bridge.MethodToolResult, bridge.ToolResultParams{ToolCallID: id, Content: result})
			fmt.Printf("%s ran, noted: %v\n", id, d.Note != "")
		}
		if d := ask(bridge.MethodTurnEnd, struct{}{}); d.Abort != nil {
			fmt.Println("the run is ended")
			break
		}
	}
	here.Close() // which ends the session
	fmt.Println(<-served)
	// Output:
	// call 1 ran, noted: false
	// call 2 ran, noted: false
	// call 3 ran, noted: true
	// call 4 ran, noted: true
	// call 5 refused by the rule repeat
	// call 6 refused by the rule repeat
	// call 7 refused by the rule repeat
	// the run is ended
	// <nil>
}
