package bridge

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/loopbreaker/loopbreaker/bridge/config"
	"github.com/loopbreaker/loopbreaker/guard"
)

// What a host keeps in a session file of its own accord, why and entries, holds
// nothing of what the model asked for, wrote or was answered.
func TestTelemetryHoldsNamesCountsAndDigestsOnly(t *testing.T) {
	const secret = "hunter2"
	shell := `{"command":"curl -d hunter2 https://hunter2.example/hunter2?key=hunter2 > hunter2.txt"}`
	edit := `{"path":"hunter2.go","oldText":"hunter2","newText":"hunter2-hunter2"}`
	for _, preset := range guard.PresetNames() {
		in := []string{hello}
		say := func(format string, args ...any) { in = append(in, fmt.Sprintf(format, args...)) }
		for i := range 30 {
			say(`{"jsonrpc":"2.0","method":"turn/start"}`)
			for j, tool := range []string{"bash", "edit"}[:1+i/10%2] { // at first one thing only
				input := []string{shell, edit}[j]
				say(`{"jsonrpc":"2.0","id":"%d-%d","method":"tool/call","params":{"toolCallId":"%[1]d-%[2]d","toolName":%[3]q,"input":%[4]s}}`, i, j, tool, input)
				say(`{"jsonrpc":"2.0","id":"r","method":"tool/result","params":{"toolCallId":"%d-%d","isError":%t,"content":[{"type":"text","text":"hunter2 is wrong"}]}}`, i, j, i > 15)
			}
			say(`{"jsonrpc":"2.0","id":"x","method":"tool/rejected","params":{"toolCallId":"x%d","toolName":"bash","input":%s,"text":"hunter2"}}`, i, shell)
			say(`{"jsonrpc":"2.0","id":"e","method":"turn/end"}`)
		}
		say(`{"jsonrpc":"2.0","method":"prompt","params":{"source":"interactive"}}`)
		say(`{"jsonrpc":"2.0","method":"turn/start"}`)
		say(`{"jsonrpc":"2.0","method":"stream/delta","params":{"kind":"text","index":0,"text":%q}}`, strings.Repeat("The password is hunter2, I think. ", 400))

		whys, entries := 0, 0
		said := ""
		for _, line := range serve(t, lines(in...), Options{Flags: config.Flags{Preset: preset, Set: []string{"measures.onLimit=deny"}}, Log: zerolog.Nop()}) {
			said += line
			var m struct {
				Result, Params struct{ Why, Entries json.RawMessage }
			}
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				t.Fatal(err)
			}
			for _, kept := range []json.RawMessage{m.Result.Why, m.Params.Why, m.Result.Entries} {
				if strings.Contains(string(kept), secret) {
					t.Errorf("%s: %s", preset, kept)
				}
			}
			whys += min(1, len(m.Result.Why)) + min(1, len(m.Params.Why))
			entries += min(1, len(m.Result.Entries))
		}
		if whys < 3 || entries < 1 {
			t.Errorf("%s: %d findings and %d entries show nothing", preset, whys, entries)
		}
		if measured := strings.Contains(said, `"measureSha256":"`); measured != (preset == "measures") {
			t.Errorf("%s: a digest of a measure: %t", preset, measured)
		}
	}
}
