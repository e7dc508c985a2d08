package bridge

import (
	"github.com/loopbreaker/loopbreaker/bridge/lazy"
	"github.com/loopbreaker/loopbreaker/canonical"
	"github.com/loopbreaker/loopbreaker/guard"
)

// plain is the params of a message of one of the kinds that come most often, as
// hosts write them: read without reflection, as the stream steps over the line.
// Whatever else they hold, a fault too, is for decode: nothing here says no but by
// leaving it to that.
type plain struct {
	call    ToolCallParams
	result  guard.Result
	delta   StreamDeltaParams
	content []canonical.Block // of the last result
	text    []byte            // of its blocks
}

// plainParams are the readers of params that a scanner has entered, by the name of
// the method, quoted. They report whether they have read all of them.
var plainParams = map[string]func(*plain, *lazy.Scanner) bool{
	`"` + MethodToolCall + `"`:    (*plain).readCall,
	`"` + MethodToolResult + `"`:  (*plain).readResult,
	`"` + MethodStreamDelta + `"`: (*plain).readDelta,
}

// readCall reads names and an input.
func (p *plain) readCall(m *lazy.Scanner) bool {
	p.call = ToolCallParams{}
	for m.Next() {
		ok := false
		switch {
		case m.Named("toolCallId"):
			ok = plainText(m, &p.call.ToolCallID)
		case m.Named("toolName"):
			ok = plainText(m, &p.call.ToolName)
		case m.Named("parentToolCallId"):
			ok = plainText(m, &p.call.ParentToolCallID)
		case m.Named("input") && p.call.Input == nil:
			p.call.Input, ok = m.Value(), true
		}
		if !ok {
			return false
		}
	}
	return p.call.ToolCallID != "" && p.call.ToolName != "" && p.call.Input != nil
}

// readResult reads an id and blocks. What the blocks say stands in p until the
// next result.
func (p *plain) readResult(m *lazy.Scanner) bool {
	if cap(p.text) > keptBuffer {
		p.text = nil
	}
	p.result, p.text, p.content = guard.Result{}, p.text[:0], p.content[:0]
	var judged, told bool
	for m.Next() {
		ok := false
		switch {
		case m.Named("toolCallId"):
			ok = plainText(m, &p.result.ID)
		case m.Named("isError") && !judged:
			value := string(m.Value())
			p.result.IsError, judged = value == "true", true
			ok = value == "true" || value == "false"
		case m.Named("content") && !told && m.Enter('['):
			told, ok = true, p.readBlocks(m)
		}
		if !ok {
			return false
		}
	}
	p.result.Content = p.content
	return p.result.ID != "" && told
}

// readDelta reads a piece of what the model writes.
func (p *plain) readDelta(m *lazy.Scanner) bool {
	p.delta, p.text = StreamDeltaParams{}, p.text[:0]
	var channel string
	var numbered, said bool
	for m.Next() {
		ok := false
		switch {
		case m.Named("channel"):
			ok = plainText(m, &channel)
		case m.Named("block") && !numbered:
			value := m.Value()
			numbered, ok = true, len(value) > 0 && len(value) < 10 && plainID(value) && value[0] != '"'
			for _, digit := range value {
				p.delta.Block = 10*p.delta.Block + int(digit-'0')
			}
		case m.Named("toolName"):
			ok = plainText(m, &p.delta.ToolName)
		case m.Named("text") && !said:
			said, ok = true, p.readText(m)
		}
		if !ok {
			return false
		}
	}
	p.delta.Channel, p.delta.Text = guard.Channel(channel), string(p.text)
	return channel != "" && said
}

// readBlocks reads texts and images.
func (p *plain) readBlocks(m *lazy.Scanner) bool {
	for m.Next() {
		if !m.Enter('{') {
			return false
		}
		var kind, media string
		start, said := len(p.text), ""
		for m.Next() {
			ok := false
			switch {
			case m.Named("type"):
				ok = plainText(m, &kind)
			case m.Named("mimeType"):
				ok = plainText(m, &media)
			case m.Named("text") && said == "":
				said, ok = "text", p.readText(m)
			case m.Named("data") && said == "":
				said, ok = "image", p.readText(m)
			}
			if !ok {
				return false
			}
		}
		if said == "" || said != kind || kind == "text" && media != "" {
			return false
		}
		p.content = append(p.content, canonical.Block{MediaType: media, Data: p.text[start:len(p.text):len(p.text)]})
	}
	return true
}

func (p *plain) readText(m *lazy.Scanner) (ok bool) {
	var err error
	p.text, err = m.AppendText(p.text)
	return err == nil
}

// plainText reads a string that has not come before, is not empty and needs no
// second look.
func plainText(m *lazy.Scanner, into *string) bool {
	text, ok := lazy.Plain(m.Value())
	if !ok || len(text) == 0 || *into != "" {
		return false
	}
	*into = string(text)
	return true
}
