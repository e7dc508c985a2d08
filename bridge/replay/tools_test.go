package replay

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/rs/zerolog"

	"github.com/loopbreaker/loopbreaker/bridge"
	"github.com/loopbreaker/loopbreaker/bridge/config"
)

// What a tool did in the world when a session was traced, its replay does not do
// again; and its answer, which came whenever it was done, is no difference.
func TestAReplayRunsNoTools(t *testing.T) {
	var hits atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits.Add(1) }))
	defer server.Close()
	workspace := t.TempDir()
	saved := func() []string {
		names, _ := filepath.Glob(filepath.Join(workspace, "fetched", "*"))
		return names
	}

	var trace bytes.Buffer
	o := options
	o.Trace = bridge.NewTrace(&trace, "")
	o.Flags.Set = []string{"fetch.enabled=true", "fetch.allowPrivateHosts=127.0.0.1"}
	c := connect(context.Background(), o)
	if err := c.call(bridge.MethodInitialize, bridge.InitializeParams{Protocol: bridge.Protocol, CWD: workspace}, &bridge.InitializeResult{}); err != nil {
		t.Fatal(err)
	}
	for n := range 6 {
		if n == 3 {
			var got bridge.ToolRunResult
			input := fmt.Sprintf(`{"url":%q}`, server.URL)
			if err := c.call(bridge.MethodToolRun, bridge.ToolRunParams{ToolCallID: "f", ToolName: "web_fetch_file", Input: []byte(input)}, &got); err != nil || got.IsError {
				t.Fatalf("%+v, %v", got, err)
			}
			if err := c.send([]byte(`{"jsonrpc":"2.0","method":"tool/cancel","params":{"toolCallId":"f"}}`)); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.call(bridge.MethodToolCall, bridge.ToolCallParams{ToolCallID: "1", ToolName: "bash", Input: []byte(`{}`)}, &bridge.Decision{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.close(); err != nil {
		t.Fatal(err)
	}
	if hits.Load() != 1 || len(saved()) != 1 {
		t.Fatalf("%d requests, saved %q", hits.Load(), saved())
	}
	for _, flags := range []config.Flags{{}, o.Flags} {
		ok, out, faults := playWith(t, bridge.Options{Flags: flags, NoFiles: true, Log: zerolog.Nop()}, "t.jsonl", trace.String())
		if !ok || out != `{"name":"t","calls":6,"blocked":1,"firstBlock":6,"entries":1}`+"\n" {
			t.Errorf("%+v: ok %v, %s%s", flags, ok, out, faults)
		}
	}
	if hits.Load() != 1 || len(saved()) != 1 {
		t.Errorf("after the replay: %d requests, saved %q", hits.Load(), saved())
	}
}
