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
	elided  []Elided          // what was taken out of the last call or result
	// pictured is whether a block of the last result is an image.
	pictured bool
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
	p.call, p.elided = ToolCallParams{}, p.elided[:0]
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
		case m.Named("elided") && len(p.elided) == 0 && m.Enter('['):
			ok = p.readElided(m)
		}
		if !ok {
			return false
		}
	}
	p.call.Elided = p.elided
	return p.call.ToolCallID != "" && p.call.ToolName != "" && p.call.Input != nil
}

// readResult reads an id and blocks. What the blocks say stands in p until the
// next result.
func (p *plain) readResult(m *lazy.Scanner) bool {
	if cap(p.text) > keptBuffer {
		p.text = nil
	}
	p.result, p.text, p.content, p.elided, p.pictured = guard.Result{}, p.text[:0], p.content[:0], p.elided[:0], false
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
		case m.Named("elided") && len(p.elided) == 0 && m.Enter('['):
			ok = p.readElided(m)
		}
		if !ok {
			return false
		}
	}
	p.result.Content = p.content
	return p.result.ID != "" && told && (len(p.elided) == 0 || !p.pictured && p.putBack())
}

// putBack gives the blocks of a result the long texts that were taken out of them. It
// reports false where one of these is none.
func (p *plain) putBack() bool {
	texts, bad := longTexts(p.elided)
	if bad != nil {
		return false
	}
	for i := range p.content {
		for k := range texts {
			if texts[k].At == placeOf(i, false) {
				p.content[i].Long = &texts[k]
			}
		}
	}
	return true
}

// readElided reads what was taken out.
func (p *plain) readElided(m *lazy.Scanner) bool {
	for m.Next() {
		if !m.Enter('{') {
			return false
		}
		var e Elided
		var digest string
		for m.Next() {
			ok := false
			switch {
			case m.Named("at"):
				ok = readString(m, &e.At)
			case m.Named("sha256"):
				ok = plainText(m, &digest)
			case m.Named("length") && e.Length == 0:
				e.Length, ok = plainNumber(m.Value())
			case m.Named("head"):
				ok = readString(m, &e.Head)
			case m.Named("tail"):
				ok = readString(m, &e.Tail)
			}
			if !ok {
				return false
			}
		}
		if e.At == "" || e.Length == 0 || e.SHA256.UnmarshalText([]byte(digest)) != nil {
			return false
		}
		p.elided = append(p.elided, e)
	}
	return len(p.elided) > 0
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
			numbered = true
			p.delta.Block, ok = plainNumber(m.Value())
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
				said, ok = "text", p.readLeft(m)
			case m.Named("data") && said == "":
				said, ok = "image", p.readText(m)
				p.pictured = true
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

// readLeft is readText for what may have been taken out, and left null.
func (p *plain) readLeft(m *lazy.Scanner) (ok bool) {
	if m.Starts('n') {
		return string(m.Value()) == "null"
	}
	return p.readText(m)
}

func (p *plain) readText(m *lazy.Scanner) (ok bool) {
	var err error
	p.text, err = m.AppendText(p.text)
	return err == nil
}

// readString reads a string that has not come before, and is not empty.
func readString(m *lazy.Scanner, into *string) bool {
	if *into != "" || !m.Starts('"') {
		return false
	}
	var buf [1024]byte
	text, err := m.AppendText(buf[:0])
	*into = string(text)
	return err == nil && len(text) > 0
}

// plainNumber reads a number of a few digits.
func plainNumber(value []byte) (n int, ok bool) {
	if len(value) == 0 || len(value) > 9 || !plainID(value) || value[0] == '"' {
		return 0, false
	}
	for _, digit := range value {
		n = 10*n + int(digit-'0')
	}
	return n, true
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
