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
// nothing of what the model asked for, wrote or was answered, whatever rule found it.
func TestTelemetryHoldsNamesCountsAndDigestsOnly(t *testing.T) {
	const secret = "hunter2"
	const shell = `{"command":"curl -d hunter2 https://hunter2.example/hunter2?key=hunter2 > hunter2.txt"}`
	const edit = `{"path":"hunter2.go","oldText":"hunter2","newText":"hunter2-hunter2"}`
	const look = `{"command":"cat hunter2.txt"}`
	// What a model does, again and again: its nth call, and what that shows.
	type work func(n int) (tool, input, result string, failed bool)
	works := []work{
		func(n int) (string, string, string, bool) { return "bash", shell, "hunter2 is wrong", false },
		func(n int) (string, string, string, bool) { return "bash", shell, "hunter2 is wrong", true },
		func(n int) (string, string, string, bool) { return "bash", look, "hunter2", n > 15 },
		func(n int) (string, string, string, bool) { return "edit", edit, "Edited hunter2.go", false },
		func(n int) (string, string, string, bool) {
			return "bash", `{"command":"sleep 9; cat hunter2"}`, "hunter2", false
		},
		func(n int) (string, string, string, bool) { return "bash", look, fmt.Sprint("hunter2 and ", n), false },
		func(n int) (string, string, string, bool) {
			return "lookup", fmt.Sprintf(`{"key":"hunter2-%c"}`, 'a'+n), "hunter2: no such key", true
		},
		func(n int) (string, string, string, bool) {
			return "edit", []string{edit, `{"path":"hunter2.go","oldText":"hunter2-hunter2","newText":"hunter2"}`}[n%2], fmt.Sprint("hunter2 edited ", n%2), false
		},
		func(n int) (string, string, string, bool) {
			return "read", fmt.Sprintf(`{"path":"hunter2-%d"}`, n%9), fmt.Sprint("hunter2 is ", n%9), false
		},
	}
	// Each of these lets a rule come to word that others are mostly faster than.
	settings := [][]string{
		{"measures.onLimit=deny"},
		{"repeat.note=0", "repeat.block=0", "stale.note=0", "stale.block=0", "ladder.strikes=0", "measures.failLimit=0"},
		{"fetch.enabled=true", "repeat.note=0", "repeat.block=0", "stale.note=0", "stale.block=0", "cycle.note=0", "cycle.block=0", "ladder.strikes=0"},
	}
	found := map[guard.Rule]bool{}
	for _, preset := range guard.PresetNames() {
		for i, do := range works {
			for _, set := range settings {
				in := []string{strings.Replace(hello, `"protocol":1`, fmt.Sprintf(`"protocol":1,"cwd":%q`, t.TempDir()), 1)}
				say := func(format string, args ...any) { in = append(in, fmt.Sprintf(format, args...)) }
				for n := range 60 {
					say(`{"jsonrpc":"2.0","method":"turn/start"}`)
					tool, input, result, failed := do(n)
					for j := range 1 + n%2*(n/20) { // later some at once
						say(`{"jsonrpc":"2.0","id":1,"method":"tool/call","params":{"toolCallId":"%d-%d","toolName":%q,"input":%s}}`, n, j, tool, input)
					}
					for j := range 1 + n%2*(n/20) {
						say(`{"jsonrpc":"2.0","id":2,"method":"tool/result","params":{"toolCallId":"%d-%d","isError":%t,"content":[{"type":"text","text":%q}]}}`, n, j, failed, result)
					}
					say(`{"jsonrpc":"2.0","id":3,"method":"turn/end"}`)
				}
				for n := range 8 {
					if i == 0 || n == 0 {
						say(`{"jsonrpc":"2.0","method":"prompt","params":{"source":"interactive"}}`)
					}
					say(`{"jsonrpc":"2.0","method":"turn/start"}`)
					switch i % 3 {
					case 0:
						say(`{"jsonrpc":"2.0","method":"stream/delta","params":{"channel":%q,"block":0,"toolName":"write","text":%q}}`, []string{"text", "thinking", "arguments"}[n%3], strings.Repeat("The password is hunter2, I think. ", 1400))
						say(`{"jsonrpc":"2.0","id":4,"method":"message/end","params":{"role":"assistant"}}`)
					case 1:
						say(`{"jsonrpc":"2.0","id":5,"method":"message/end","params":{"role":"toolResult","toolCallId":"t%d","toolName":"write","text":"Tool call \"write\" was not executed: the response hit the output token limit, so hunter2 may be truncated. Re-issue the tool call with complete arguments."}}`, n)
					default:
						say(`{"jsonrpc":"2.0","id":6,"method":"tool/rejected","params":{"toolCallId":"x%d","toolName":"bash","input":%s,"text":"hunter2"}}`, n, shell)
					}
					say(`{"jsonrpc":"2.0","id":7,"method":"turn/end"}`)
				}

				said := ""
				for _, line := range serve(t, lines(in...), Options{Flags: config.Flags{Preset: preset, Set: set}, Log: zerolog.Nop()}) {
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
						var why struct{ Rule guard.Rule }
						if json.Unmarshal(kept, &why) == nil {
							found[why.Rule] = true
						}
					}
				}
				if measured := strings.Contains(said, `"measureSha256":"`); measured && preset != "measures" {
					t.Errorf("%s: a digest of a measure", preset)
				} else if measured {
					found["measured"] = true
				}
			}
		}
	}
	for _, rule := range []guard.Rule{
		guard.RuleWindow, guard.RuleStreak, guard.RuleDuplicate, guard.RuleStuck, guard.RuleRepeat, guard.RuleStale, guard.RuleCycle,
		guard.RuleNovelty, guard.RuleReapplied, guard.RulePolling, guard.RuleOutput, guard.RuleCounter, guard.RuleOccurrences, guard.RuleFailures,
		guard.RuleRisk, guard.RuleText, guard.RuleTruncation, guard.RuleSteering, guard.RuleRejected, guard.RuleRefusals, guard.RuleRecovery, "measured",
	} {
		if !found[rule] {
			t.Errorf("nothing was found by the rule %s, so nothing is shown of it", rule)
		}
	}
}
