package canonical

import (
	"encoding/hex"
	"sync"
)

// Key is the identity of a tool call: two calls with the same tool and the
// same input, in any spelling, have the same key, and no others do.
// It is the first half of a SHA-256.
type Key [16]byte

// String returns the key in hexadecimal.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// CallKey returns the key of a call of tool with the JSON value input, from
// which the host may have elided long texts (see AppendJSON). The error is an
// *Error and means that the call is not countable.
func CallKey(tool string, input []byte, elided []LongText) (Key, error) {
	form := forms.Get().(*Form)
	defer forms.Put(form)
	if err := form.Read(tool, input, elided); err != nil {
		return Key{}, err
	}
	return form.Key(), nil
}

var forms = sync.Pool{New: func() any { return new(Form) }}

var keyBuffers = sync.Pool{New: func() any { return new([]byte) }}
