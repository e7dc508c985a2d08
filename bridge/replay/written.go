package replay

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/loopbreaker/loopbreaker/bridge"
	"github.com/loopbreaker/loopbreaker/canonical/repetition"
	"github.com/loopbreaker/loopbreaker/guard"
)

// written tells of a part of a response, whole: how it came, no recording says. What
// the guard makes of it is heard before the calls of the turn are played.
func (p *player) written(e Event) {
	if !p.reads || p.over || len(e.Text) < repetition.Shortest {
		return
	}
	calls := p.out.Calls
	hear := func(d bridge.Decision) {
		if d.Abort != nil && !p.over {
			p.over, p.out.EndedAt = true, &calls
		}
	}
	p.ask(bridge.MethodStreamDelta, e.Line, func(out []byte) []byte {
		out = append(append(append(out, `{"channel":"`...), e.Channel...), `","block":`...)
		out = strconv.AppendInt(out, int64(e.Block), 10)
		return append(append(append(out, `,"text":`...), e.Text...), '}')
	}, hear)
	p.ask(bridge.MethodMessageEnd, e.Line, func(out []byte) []byte {
		return append(out, `{"role":"assistant"}`...)
	}, hear)
}

// writtenPart is the event of a part of a message: a text, or a thought, or the
// arguments of a call, which have been parsed since the model wrote them.
func writtenPart(kind string, text, arguments []byte, block int) (Event, bool) {
	e := Event{Kind: KindWritten, Block: block, Text: text}
	switch {
	case kind == "toolCall" && arguments != nil:
		e.Channel = guard.ChannelArguments
		e.Text, _ = jsontext.AppendQuote(nil, arguments)
	case kind == "text" && len(text) > 0 && text[0] == '"':
		e.Channel = guard.ChannelText
	case kind == "thinking" && len(text) > 0 && text[0] == '"':
		e.Channel = guard.ChannelThinking
	default:
		return e, false
	}
	return e, true
}
