package replay

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// excerpt is the beginning of a text of that many characters.
type excerpt struct {
	Text string
	Of   int
	Cut  bool
}

// cut returns the beginning of a text, fit to be seen: what is ill-formed,
// invisible or would turn the direction of text around is shown as a sign.
func cut(text string, length int) excerpt {
	var b strings.Builder
	n := 0
	for i, r := range text {
		if n++; n > length {
			return excerpt{strings.TrimRight(b.String(), " \n") + "…", n - 1 + utf8.RuneCountInString(text[i:]), true}
		}
		switch {
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case r == '\r' && strings.HasPrefix(text[i+1:], "\n"):
		case r < ' ':
			b.WriteRune('\u2400' + r)
		case r == 0x7f:
			b.WriteRune('\u2421')
		case unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) && r != '\u200d' || r == '\u2028' || r == '\u2029':
			fmt.Fprintf(&b, "⟨%04X⟩", r)
		default:
			b.WriteRune(r)
		}
	}
	return excerpt{strings.TrimRight(b.String(), " \n"), n, false}
}

// shorten cuts an excerpt further.
func (e *excerpt) shorten(length int) {
	if shorter := cut(e.Text, length); shorter.Cut {
		e.Text, e.Cut = strings.Clone(shorter.Text), true
	}
}

// readable shows an input's members a line each, texts as they are; any other
// input as it stands.
func readable(input jsontext.Value) string {
	var b strings.Builder
	d := jsontext.NewDecoder(bytes.NewReader(input), lenient)
	if d.PeekKind() != '{' {
		return string(input)
	}
	if _, err := d.ReadToken(); err != nil {
		return string(input)
	}
	for d.PeekKind() == '"' && b.Len() <= 8*pageText {
		var name string
		if jsonv2.UnmarshalDecode(d, &name, lenient) != nil {
			return string(input)
		}
		value, err := d.ReadValue()
		if err != nil {
			return string(input)
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(name + ": ")
		if value.Kind() == '"' {
			b.WriteString(unquoted(value))
		} else {
			b.Write(value)
		}
	}
	return b.String()
}
