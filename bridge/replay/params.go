package replay

import (
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The params of the protocol's methods, as JSON text. What a recording holds goes
// in as it is.

// lost says why a call's input, or a result's content, is not told.
const lost = `"the recording does not hold it"`

// appendCall appends the params of a tool/call.
func appendCall(out []byte, e *Event) []byte {
	out = appendMember(out, `{"toolCallId":`, e.ID)
	out = appendMember(out, `,"toolName":`, e.Tool)
	if e.Parent != "" {
		out = appendMember(out, `,"parentToolCallId":`, e.Parent)
	}
	switch {
	case e.Lost:
		out = append(out, `,"uncountable":`+lost...)
	case e.Input == nil:
		out = append(out, `,"input":null`...)
	default:
		out = append(append(out, `,"input":`...), e.Input...)
	}
	return append(out, '}')
}

// appendResult appends the params of a tool/result.
func appendResult(out []byte, e *Event) []byte {
	out = appendMember(out, `{"toolCallId":`, e.ID)
	if e.IsError {
		out = append(out, `,"isError":true`...)
	}
	switch {
	case e.Lost:
		out = append(out, `,"content":[],"uncountable":`+lost...)
	case len(e.Content) == 0 || e.Content[0] != '[':
		out = append(out, `,"content":[]`...)
	default:
		out = append(append(out, `,"content":`...), e.Content...)
	}
	return append(out, '}')
}

// appendRejected appends the params of a tool/rejected: a call and its result.
func appendRejected(out []byte, s *Step, e *Event) []byte {
	out = appendMember(out, `{"toolCallId":`, e.ID)
	out = appendMember(out, `,"toolName":`, s.Tool)
	out = appendMember(out, `,"text":`, FirstText(e.Content))
	if s.Input != nil {
		out = append(append(out, `,"input":`...), s.Input...)
	}
	return append(out, '}')
}

// appendMember appends a text behind what begins its member; what is ill-formed in
// it becomes U+FFFD.
func appendMember(out []byte, name, text string) []byte {
	out, _ = jsontext.AppendQuote(append(out, name...), text)
	return out
}

// FirstText returns the first text of a result's blocks.
func FirstText(content jsontext.Value) string {
	var blocks []struct {
		Text string `json:"text"`
	}
	if jsonv2.Unmarshal(content, &blocks, lenient) != nil || len(blocks) == 0 {
		return ""
	}
	return blocks[0].Text
}
