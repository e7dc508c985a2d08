package replay

import (
	"github.com/loopbreaker/loopbreaker/bridge/lazy"
	"github.com/loopbreaker/loopbreaker/guard"
)

// streamEvents turns one line of what `pi --mode json` prints into events.
func streamEvents(line []byte, number int, yield func(Event) bool) (goOn bool, fault string) {
	var kind string
	var args, result []byte
	var m message
	e := Event{Line: number}
	s := lazy.Scan(line)
	for s.Next() {
		switch {
		case s.Named("type"):
			kind = unquoted(s.Value())
		case s.Named("message") && s.Enter('{'):
			m.read(&s)
		case s.Named("toolCallId"):
			e.ID = unquoted(s.Value())
		case s.Named("parentToolCallId"):
			e.Parent = unquoted(s.Value())
		case s.Named("toolName"):
			e.Tool = unquoted(s.Value())
		case s.Named("args"):
			args = s.Value()
		case s.Named("result"):
			result = s.Value()
		case s.Named("isError"):
			e.IsError = s.Starts('t')
		}
	}
	if s.Err() != nil {
		return true, s.Err().Error()
	}
	switch kind {
	case "turn_start":
		return yield(Event{Kind: KindTurn, Line: number}), ""
	case "message_end":
		// Its calls and results have events of their own.
		return m.events(number, func(e Event) bool {
			if e.Kind == KindPrompt || e.Kind == KindUsage || e.Kind == KindWritten {
				return yield(e)
			}
			return true
		})
	case "tool_execution_start":
		e.Kind, e.Input = KindCall, args
		return yield(e), ""
	case "tool_execution_end":
		e.Kind = KindResult
		r := lazy.Scan(result)
		for r.Next() {
			if r.Named("content") {
				e.Content = r.Value()
			}
		}
		e.Rejected = e.IsError && rejectedByHost(e.Content)
		e.Withheld = e.IsError && guard.RefusedByGuard(FirstText(e.Content))
		return yield(e), ""
	case "compaction_end":
		return yield(Event{Kind: KindCompact, Line: number}), ""
	}
	return true, ""
}
