package canonical

import (
	"bytes"
	"crypto/sha256"
	"slices"

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
	if cap(f.text) > keptBuffer {
		f.text = nil
	}
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

// Key returns the key of the call, as CallKey does.
func (f *Form) Key() Key { return sha256.Sum256(f.text) }

// members steps over the members of the input, none where it is no object.
func (f *Form) members() func(func(formMember) bool) {
	form := f.text[f.input:]
	if len(form) == 0 || form[0] != '{' {
		return func(func(formMember) bool) {}
	}
	return formMembers(form)
}

// ShellCommand returns what the function of that name does; input is what was read.
func (f *Form) ShellCommand(input []byte) (string, bool) {
	var value []byte
	best := len(commandMembers)
	for m := range f.members() {
		if i := slices.Index(commandMembers[:best], string(m.name)); i >= 0 {
			value, best = m.value, i
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
	text, err := jsontext.AppendUnquote(nil, value)
	return string(text), err == nil
}

// OnlyViews reports whether a call of an editor, which does what its command says,
// shows a file and changes none.
func (f *Form) OnlyViews() bool {
	for m := range f.members() {
		if string(m.name) == commandMembers[0] {
			return string(m.value) == `"view"`
		}
	}
	return false
}
