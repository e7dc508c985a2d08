package replay

import (
	"fmt"

	"github.com/loopbreaker/loopbreaker/bridge/lazy"
)

// recordedEvent turns one event of a normalised recording, {"ev":…}, into one of
// ours. It is the form of labelled sessions and of scenarios.
func recordedEvent(text []byte, number int, yield func(Event) bool) (goOn bool, fault string) {
	var kind string
	var body []byte
	var rejected bool
	e := Event{Line: number}
	s := lazy.Scan(text)
	for s.Next() {
		switch {
		case s.Named("ev"):
			kind = unquoted(s.Value())
		case s.Named("id"):
			e.ID = unquoted(s.Value())
		case s.Named("tool"):
			e.Tool = unquoted(s.Value())
		case s.Named("input"):
			e.Input = s.Value()
		case s.Named("isError"):
			e.IsError = s.Starts('t')
		case s.Named("text"):
			body = s.Value()
		case s.Named("invalid"), s.Named("blocked"):
			// Pi asks us last, so a call that another extension refuses comes to
			// us as one that Pi rejects does: only when it is over.
			rejected = rejected || s.Starts('t')
		}
	}
	if s.Err() != nil {
		return true, s.Err().Error()
	}
	switch kind {
	case "user":
		e.Kind = KindPrompt
	case "turn":
		e.Kind = KindTurn
	case "compact":
		e.Kind = KindCompact
	case "call":
		e.Kind, e.Rejected = KindCall, rejected
	case "result":
		e.Kind = KindResult
		if body == nil {
			body = []byte(`""`)
		}
		e.Content = append(append([]byte(`[{"type":"text","text":`), body...), "}]"...)
		e.Rejected = rejected || e.IsError && textRejected(body)
	case "text", "thinking":
		written, ok := writtenPart(kind, body, nil, 0)
		written.Line = number
		return !ok || yield(written), ""
	case "ext", "gap":
		return true, "" // nothing that the guard is told of
	default:
		return true, fmt.Sprintf("ev: %q is not known", kind)
	}
	return yield(e), ""
}
