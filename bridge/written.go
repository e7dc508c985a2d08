package bridge

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/sourcegraph/jsonrpc2"

	"github.com/loopbreaker/loopbreaker/guard"
)

// What the model writes, and what becomes of it.
const (
	MethodStreamDelta = "stream/delta"
	MethodMessageEnd  = "message/end"
	// MethodHostAbort is a notification of the guard: the run is to end at once. Its
	// params are a Decision, for which a notification has no answer.
	MethodHostAbort = "host/abort"
)

// StreamDeltaParams tells of a piece of what the model writes.
type StreamDeltaParams struct {
	// Channel is "text", "thinking" or "arguments".
	Channel guard.Channel `json:"channel"`
	// Block is the number of the message's block that the piece belongs to.
	Block int `json:"block"`
	// ToolName is that of the call whose arguments these are, where it is known.
	ToolName string `json:"toolName,omitzero"`
	Text     string `json:"text"`
}

// MessageEndParams tells of a message that is complete: Role "assistant" of a response,
// "toolResult" of a result that the host wrote by itself, with the other members.
type MessageEndParams struct {
	Role       string `json:"role"`
	ToolCallID string `json:"toolCallId,omitzero"`
	ToolName   string `json:"toolName,omitzero"`
	Text       string `json:"text,omitzero"`
}

// Cut says what to keep of a response that repeated itself: of the block of that number
// so many bytes of UTF-8, nothing of what follows it, and no calls. Mark is a text to
// put at the end. StopReason is what the message is to say of its end, absent where
// that stays as it is.
type Cut struct {
	Block      int    `json:"block"`
	Keep       int    `json:"keep"`
	Mark       string `json:"mark"`
	StopReason string `json:"stopReason,omitzero"`
}

func (s *server) streamDelta(params []byte) (any, *fault) {
	var p StreamDeltaParams
	if plain := s.stream.plain; plain != nil {
		p = plain.delta
	} else if bad := decode(params, &p, jsontext.AllowInvalidUTF8(true)); bad != nil {
		return nil, bad
	}
	switch p.Channel {
	case guard.ChannelText, guard.ChannelThinking, guard.ChannelArguments:
	default:
		return nil, &fault{jsonrpc2.CodeInvalidParams, fmt.Sprintf("params/channel: %q is none of text, thinking, arguments", p.Channel)}
	}
	// Where a call follows, its answer need not wait for the look at the files.
	s.refresh()
	s.fresh = true
	d := s.session.Write(guard.Written{Channel: p.Channel, Block: p.Block, Tool: p.ToolName, Text: p.Text})
	if d.Abort == nil || s.stream.id != nil {
		return s.decision(d), nil
	}
	if err := s.stream.notify(MethodHostAbort, s.decision(d)); err != nil {
		s.Log.Error().Err(err).Msg("the host does not read")
	}
	return nil, nil
}

func (s *server) messageEnd(params []byte) (any, *fault) {
	var p MessageEndParams
	if bad := decode(params, &p, jsontext.AllowInvalidUTF8(true)); bad != nil {
		return nil, bad
	}
	switch p.Role {
	case "assistant":
		return s.decision(s.session.MessageEnd()), nil
	case "toolResult":
		return s.decision(s.session.Truncated(guard.Rejection{Call: guard.Call{ID: p.ToolCallID, Tool: p.ToolName}, Text: p.Text})), nil
	}
	return nil, &fault{jsonrpc2.CodeInvalidParams, fmt.Sprintf("params/role: %q is none of assistant, toolResult", p.Role)}
}

// cutOf is a cut as the wire says it. A response that the model is to see must not
// count as aborted: Pi leaves those out of what it sends.
func cutOf(c *guard.Cut) *Cut {
	if c == nil {
		return nil
	}
	w := &Cut{Block: c.Block, Keep: c.Keep, Mark: c.Mark}
	if c.Seen {
		w.StopReason = "stop"
	}
	return w
}
