package bridge

import (
	"fmt"
	"io"
	"sync"
	"time"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Who wrote a traced line.
const (
	fromHost  = "host"
	fromGuard = "guard"
)

// TraceLine is one line of a trace: one message as it went over the wire.
type TraceLine struct {
	// At is when it was read or written.
	At time.Time `json:"at"`
	// Session tells apart the connections that are traced to one file.
	Session string `json:"session,omitzero"`
	// From is "host" or "guard".
	From string `json:"from"`
	// Message is the line, if it is JSON. One that is not stands in Text, or in
	// Bytes (base64) if it is not even text.
	Message jsontext.Value `json:"message,omitzero"`
	Text    string         `json:"text,omitzero"`
	Bytes   []byte         `json:"bytes,omitzero"`
	// TooLong marks a line over MaxLine, of which nothing is kept.
	TooLong bool `json:"tooLong,omitzero"`
}

// Trace writes every message of a connection, both ways, so that it can be
// replayed. A nil *Trace writes nothing.
type Trace struct {
	w       io.Writer
	now     func() time.Time
	session string

	mu  sync.Mutex
	err error
}

// NewTrace returns a trace of one connection that writes to w, one JSON object a
// line, each in one write. Connections that are traced to one file at the same
// time must have different session names. When a write fails the trace ends; the
// connection goes on.
func NewTrace(w io.Writer, session string) *Trace {
	return &Trace{w: w, now: time.Now, session: session}
}

// Err returns what ended the trace, or nil.
func (t *Trace) Err() error {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}

func (t *Trace) line(from string, text []byte) {
	if t == nil {
		return
	}
	l := TraceLine{From: from}
	switch {
	case jsontext.Value(text).IsValid(lenient):
		l.Message = text
	case utf8.Valid(text):
		l.Text = string(text)
	default:
		l.Bytes = text
	}
	t.write(l)
}

func (t *Trace) skipped() {
	if t != nil {
		t.write(TraceLine{From: fromHost, TooLong: true})
	}
}

// lenient reads JSON whose names repeat or whose strings are ill-formed: the
// trace keeps what was said, right or wrong.
var lenient = jsonv2.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

func (t *Trace) write(l TraceLine) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err != nil {
		return
	}
	l.At, l.Session = t.now().UTC(), t.session
	text, err := jsonv2.Marshal(l, lenient, jsontext.PreserveRawStrings(true))
	if err == nil {
		_, err = t.w.Write(append(text, '\n'))
	}
	if err != nil {
		t.err = fmt.Errorf("writing the trace: %w", err)
	}
}
