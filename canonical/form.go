package canonical

import (
	"bytes"
	"crypto/sha256"

	"github.com/go-json-experiment/json/jsontext"
)

// Form is a call in canonical form, read once for all that is asked of it. The zero
// value is ready to Read; its memory is used again.
type Form struct {
	text  []byte // the quoted name of the tool, and its input
	input int    // where that begins
}

// Read takes in a call of tool with the JSON value input, from which the host may
// have elided long texts (see AppendJSON). The error is an *Error and means that the
// call is not countable; the form is then empty.
func (f *Form) Read(tool string, input []byte, elided []LongText) error {
	f.Forget()
	// The quoted name ends where it ends, so no tool and input can run into
	// those of another call.
	text, err := jsontext.AppendQuote(f.text[:0], tool)
	if err != nil {
		*f = Form{text: text[:0]}
		return &Error{Reason: ErrIllFormed}
	}
	at := len(text)
	text, err = AppendJSON(text, input, elided)
	if err != nil {
		*f = Form{text: text[:0]}
		return err
	}
	*f = Form{text, at}
	return nil
}

// Forget empties the form. One huge call is not remembered in memory.
func (f *Form) Forget() {
	if cap(f.text) > keptBuffer {
		f.text = nil
	}
	f.text, f.input = f.text[:0], 0
}

// Key returns the key of the call, as CallKey does.
func (f *Form) Key() Key {
	sum := sha256.Sum256(f.text)
	return Key(sum[:len(Key{})])
}

// object returns the input if it is an object, else one without members.
func (f *Form) object() []byte {
	if form := f.text[f.input:]; len(form) > 0 && form[0] == '{' {
		return form
	}
	return nil
}

// ShellCommand returns what the function of that name does; input is what was read.
func (f *Form) ShellCommand(input []byte) (string, bool) {
	var value []byte
	best := len(commandMembers)
	for m := range formMembers(f.object()) {
		for i, name := range commandMembers[:best] {
			if name == string(m.name) {
				value, best = m.value, i
				break
			}
		}
	}
	switch {
	case value == nil:
		return "", false
	case value[0] != '"': // words, or a long text
		return ShellCommand(input)
	case bytes.IndexByte(value, '\\') < 0:
		return string(value[1 : len(value)-1]), true
	}
	var buf [512]byte
	text, err := jsontext.AppendUnquote(buf[:0], value)
	return string(text), err == nil
}

// OnlyViews reports whether a call of an editor, which does what its command says,
// shows a file and changes none.
func (f *Form) OnlyViews() bool {
	for m := range formMembers(f.object()) {
		if string(m.name) == commandMembers[0] {
			return string(m.value) == `"view"`
		}
	}
	return false
}
