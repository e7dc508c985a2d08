package bridge

import (
	"github.com/loopbreaker/loopbreaker/bridge/lazy"
	"github.com/loopbreaker/loopbreaker/canonical"
	"github.com/loopbreaker/loopbreaker/guard"
)

// The params of the two messages that come most often, read in one pass and
// without reflection, as hosts write them. Whatever else they hold, a fault too,
// is for decode: nothing here says no but by leaving it to that.

// plainCall reads the params of a tool/call: names and an input.
func plainCall(params []byte) (p ToolCallParams, ok bool) {
	m := lazy.Scan(params)
	for m.Next() {
		ok := false
		switch {
		case m.Named("toolCallId"):
			ok = plainText(m.Value(), &p.ToolCallID)
		case m.Named("toolName"):
			ok = plainText(m.Value(), &p.ToolName)
		case m.Named("parentToolCallId"):
			ok = plainText(m.Value(), &p.ParentToolCallID)
		case m.Named("input") && p.Input == nil:
			p.Input, ok = m.Value(), true
		}
		if !ok {
			return p, false
		}
	}
	return p, m.Err() == nil && p.ToolCallID != "" && p.ToolName != "" && p.Input != nil
}

// plainResult reads the params of a tool/result: an id and blocks. The texts of
// the blocks stand in the server's buffer until the next result.
func (s *server) plainResult(params []byte) (r guard.Result, ok bool) {
	if cap(s.text) > keptBuffer {
		s.text = nil
	}
	s.text, s.content = s.text[:0], s.content[:0]
	var judged, told bool
	m := lazy.Scan(params)
	for m.Next() {
		ok := false
		switch {
		case m.Named("toolCallId"):
			ok = plainText(m.Value(), &r.ID)
		case m.Named("isError") && !judged:
			value := m.Value()
			r.IsError, judged = string(value) == "true", true
			ok = r.IsError || string(value) == "false"
		case m.Named("content") && !told && m.Enter('['):
			told, ok = true, s.plainBlocks(&m)
		}
		if !ok {
			return r, false
		}
	}
	r.Content = s.content
	return r, m.Err() == nil && r.ID != "" && told
}

// plainBlocks reads the texts and images that m is about to step over.
func (s *server) plainBlocks(m *lazy.Scanner) bool {
	for m.Next() {
		if !m.Enter('{') {
			return false
		}
		var kind, media string
		var text, data []byte
		for m.Next() {
			ok := false
			switch {
			case m.Named("type"):
				ok = plainText(m.Value(), &kind)
			case m.Named("text") && text == nil:
				text, ok = m.Value(), true
			case m.Named("data") && data == nil:
				data, ok = m.Value(), true
			case m.Named("mimeType"):
				ok = plainText(m.Value(), &media)
			}
			if !ok {
				return false
			}
		}
		switch {
		case kind == "text" && text != nil && data == nil && media == "":
		case kind == "image" && data != nil && text == nil:
			text = data
		default:
			return false
		}
		start := len(s.text)
		var err error
		if s.text, err = lazy.AppendUnquote(s.text, text); err != nil {
			return false
		}
		s.content = append(s.content, canonical.Block{MediaType: media, Data: s.text[start:len(s.text):len(s.text)]})
	}
	return true
}

// plainText reads a string that has not come before, is not empty and needs no
// second look.
func plainText(value []byte, into *string) bool {
	text, ok := lazy.Plain(value)
	if !ok || len(text) == 0 || *into != "" {
		return false
	}
	*into = string(text)
	return true
}
