package replay

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/loopbreaker/loopbreaker/bridge"
	"github.com/loopbreaker/loopbreaker/canonical/repetition"
	"github.com/loopbreaker/loopbreaker/guard"
)

// written tells of a part of a response, whole: how it came, no recording says.
func (p *player) written(e Event) {
	if p.over || len(e.Text) < repetition.Shortest {
		return
	}
	out := append(p.params[:0], `{"channel":"`...)
	out = append(append(out, e.Channel...), `","block":`...)
	out = strconv.AppendInt(out, int64(e.Block), 10)
	out = append(append(out, `,"text":`...), e.Text...)
	p.params = append(out, '}')
	d := p.ask(bridge.MethodStreamDelta, p.params, e.Line)
	if d.Abort == nil {
		d = p.ask(bridge.MethodMessageEnd, []byte(`{"role":"assistant"}`), e.Line)
	}
	if d.Abort != nil {
		p.over = true
		at := p.out.Calls
		p.out.EndedAt = &at
	}
}

// writtenPart is the event of a part of a message: a text, or a thought, or the
// arguments of a call, which have been parsed since the model wrote them.
func writtenPart(kind string, text, arguments []byte, block, line int) (Event, bool) {
	e := Event{Kind: KindWritten, Block: block, Line: line, Text: text}
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
