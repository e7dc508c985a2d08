package bridge

import (
	"fmt"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/loopbreaker/loopbreaker/guard"
)

func (s *server) restore(params []byte) (any, *fault) {
	var p RestoreParams
	// Inputs are judged one by one, as those of live calls are.
	if bad := decode(params, &p, lenient); bad != nil {
		return nil, bad
	}
	past, bad := p.past()
	if bad != nil {
		return nil, bad
	}
	s.session.Restore(past)
	return s.decision(guard.Decision{Status: s.session.Status()}), nil
}

// past tells from a call's result whether it ran. One without a result may be
// the very call that is about to be asked for, and is left out.
func (p RestoreParams) past() ([]guard.Past, *fault) {
	results := p.results()
	var past []guard.Past
	for i, e := range p.Events {
		switch e.Type {
		case "prompt":
			past = append(past, guard.Past{Prompt: true})
		case "turn":
			past = append(past, guard.Past{Turn: true})
		case "compact":
			past = append(past, guard.Past{Compact: true})
		case "call":
			r := results[i]
			if r == nil {
				continue
			}
			call, bad := ToolCallParams{ToolCallID: e.ToolCallID, ToolName: e.ToolName, Input: e.Input, Uncountable: e.Uncountable, Elided: e.Elided}.call()
			switch {
			case bad != nil:
				return nil, at(i, bad)
			case r.Refused:
				past = append(past, guard.Past{Refused: &call})
			case r.IsError && guard.RejectedByHost(r.text()):
				past = append(past, guard.Past{Rejected: &guard.Rejection{Call: call, Text: r.text()}})
			default:
				past = append(past, guard.Past{Ran: &call})
			}
		case "result":
			if e.Uncountable != "" {
				past = append(past, guard.Past{Result: &guard.Result{ID: e.ToolCallID, IsError: e.IsError, Uncountable: true}})
				continue
			}
			content, bad := blocks(e.Content, e.Elided)
			if bad != nil {
				return nil, at(i, bad)
			}
			past = append(past, guard.Past{Result: &guard.Result{ID: e.ToolCallID, IsError: e.IsError, Content: content}})
		default:
			return nil, &fault{jsonrpc2.CodeInvalidParams, fmt.Sprintf("params/events/%d/type: %q is none of prompt, turn, compact, call, result", i, e.Type)}
		}
	}
	return past, nil
}

// results returns the result of each call, by the call's position: the next one
// with its id, for some models use an id again in a later response.
func (p RestoreParams) results() map[int]*PastEvent {
	results := map[int]*PastEvent{}
	next := map[string]*PastEvent{}
	for i := len(p.Events) - 1; i >= 0; i-- {
		switch e := &p.Events[i]; e.Type {
		case "result":
			next[e.ToolCallID] = e
		case "call":
			results[i] = next[e.ToolCallID]
			delete(next, e.ToolCallID)
		}
	}
	return results
}

func (e *PastEvent) text() string {
	if len(e.Content) == 0 {
		return ""
	}
	return e.Content[0].Text
}

func at(i int, bad *fault) *fault {
	return &fault{bad.code, fmt.Sprintf("params/events/%d: %s", i, bad.message)}
}
