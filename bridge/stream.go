package bridge

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime/debug"
	"sync"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"
	"github.com/sourcegraph/jsonrpc2"

	"github.com/loopbreaker/loopbreaker/bridge/lazy"
)

// MaxLine is the longest line that is read, in bytes without its end. A longer
// one is answered with an error; what is beyond the limit is never held.
const MaxLine = 64 << 20

const (
	readBuffer = 64 << 10
	keptBuffer = 1 << 20 // a longer line's buffer is given back after it
)

// stream is the jsonrpc2.ObjectStream of a guard: one JSON object a line.
//
// The library would parse a message five times, rewrite its params on the way
// and close the connection on the first line it dislikes. So the stream answers
// what is no request by itself, and cuts params out of the rest before the
// library sees the envelope. The handler, which the library calls before it
// reads on, takes id and params from the stream and replies through it.
type stream struct {
	rwc   io.ReadWriteCloser
	in    *bufio.Reader
	trace *Trace
	log   zerolog.Logger

	line    []byte // a line that did not fit the reader's buffer
	scratch []byte // the envelope without params
	id      []byte // the current message's id, nil for a notification
	params  []byte // its params, nil where it has none
	plain   *plain // what they say, nil where that is yet to be read
	err     error  // what ended the reading, nil at a plain end of input
	ended   bool   // whether the handler wants no more messages

	known     map[string]reflect.Value // what the library made of an envelope
	members   lazy.Scanner             // of the last line
	lastPlain plain

	writing sync.Mutex
	out     []byte
}

func newStream(rwc io.ReadWriteCloser, trace *Trace, log zerolog.Logger) *stream {
	return &stream{rwc: rwc, in: bufio.NewReaderSize(rwc, readBuffer), trace: trace, log: log, known: map[string]reflect.Value{}}
}

// Close implements jsonrpc2.ObjectStream.
func (s *stream) Close() error { return s.rwc.Close() }

// ReadObject implements jsonrpc2.ObjectStream. It returns with the next request
// or notification; id and params are valid until the next call.
func (s *stream) ReadObject(v any) error {
	for {
		if s.ended {
			return io.EOF
		}
		line, err := s.readLine()
		switch {
		case err == errLineTooLong:
			s.trace.skipped()
			if err := s.fail(nil, jsonrpc2.CodeInvalidRequest, fmt.Sprintf("line longer than %d bytes", MaxLine)); err != nil {
				return err
			}
			continue
		case err != nil:
			if err != io.EOF {
				s.err = fmt.Errorf("reading from the host: %w", err)
			}
			return err
		}
		s.trace.line(fromHost, line)
		if s.openPlain(line) {
			return s.decodeKnown(v)
		}
		envelope, bad := s.open(line)
		if envelope != nil {
			return json.Unmarshal(envelope, v)
		}
		// What is wrong was found before all was read. A line that is not JSON
		// is called that, whatever else is wrong with it.
		if !jsontext.Value(line).IsValid(lenient) {
			bad = &fault{jsonrpc2.CodeParseError, lazy.ErrNotJSON.Error()}
		}
		if bad == nil {
			continue
		}
		if err := s.fail(nil, bad.code, bad.message); err != nil {
			return err
		}
	}
}

var errLineTooLong = errors.New("line too long")

// readLine returns the next line without its end. At the end of input, what
// follows the last line end counts as a line unless it is empty.
func (s *stream) readLine() ([]byte, error) {
	if cap(s.line) > keptBuffer {
		s.forget()
	}
	s.line = s.line[:0]
	for {
		part, err := s.in.ReadSlice('\n')
		if err == nil && len(s.line) == 0 {
			return part[:len(part)-1], nil // in the reader's buffer, not copied
		}
		if len(s.line)+len(part) > MaxLine+1 {
			s.line = nil
			return nil, s.skipLine(err)
		}
		s.line = append(s.line, part...)
		switch {
		case err == nil:
			return s.line[:len(s.line)-1], nil
		case err == io.EOF && len(s.line) > 0:
			return s.line, nil
		case err != bufio.ErrBufferFull:
			return nil, err
		}
	}
}

// forget gives the memory of a huge message back to the system, at once: by itself
// that would take minutes, and a guard waits for most of its life. It costs a
// millisecond or two, after the answer.
func (s *stream) forget() {
	s.line, s.id, s.params, s.plain = nil, nil, nil, nil
	s.members, s.lastPlain = lazy.Scanner{}, plain{}
	debug.FreeOSMemory()
}

// skipLine reads on to the end of a line that is too long.
func (s *stream) skipLine(err error) error {
	for err == bufio.ErrBufferFull {
		_, err = s.in.ReadSlice('\n')
	}
	if err != nil && err != io.EOF {
		return err
	}
	return errLineTooLong
}

// openPlain is open for a message as hosts write it: a method of ours, and nothing
// in it but params that needs a second look. It reports whether the line is one.
// The envelope is then in s.scratch.
func (s *stream) openPlain(line []byte) bool {
	s.id, s.params, s.plain = nil, nil, nil
	var version, called []byte
	s.members = lazy.Scan(line)
	m := &s.members
	for m.Next() {
		var member *[]byte
		switch {
		case m.Named("jsonrpc"):
			member = &version
		case m.Named("id"):
			member = &s.id
		case m.Named("method"):
			member = &called
		case m.Named("params"):
			member = &s.params
			if read := plainParams[string(called)]; read != nil && m.Enter('{') {
				if !read(&s.lastPlain, m) {
					return false
				}
				s.plain = &s.lastPlain
			}
		default:
			return false
		}
		if *member != nil {
			return false
		}
		*member = m.Value()
	}
	if m.Err() != nil || string(version) != `"2.0"` || s.id != nil && !plainID(s.id) {
		return false
	}
	if name, ok := lazy.Plain(called); !ok || methods[string(name)].handle == nil {
		return false
	}
	s.scratch = appendEnvelope(s.scratch[:0], called, s.id)
	return true
}

// plainID reports whether an id is a number of digits alone, or a plain string.
func plainID(id []byte) bool {
	if _, ok := lazy.Plain(id); ok {
		return true
	}
	for _, c := range id {
		if c < '0' || c > '9' {
			return false
		}
	}
	return id[0] != '0' || len(id) == 1
}

// decodeKnown gives the library the envelope in s.scratch. There are as many
// different ones as methods, twice, so it reads each of them once.
func (s *stream) decodeKnown(v any) error {
	message := reflect.ValueOf(v).Elem()
	if known, ok := s.known[string(s.scratch)]; ok {
		message.Set(known)
		return nil
	}
	if err := json.Unmarshal(s.scratch, v); err != nil {
		return err
	}
	known := reflect.New(message.Type()).Elem()
	known.Set(message)
	s.known[string(s.scratch)] = known
	return nil
}

// appendEnvelope appends what the library needs to know. Its ids are 64-bit
// numbers or strings; ours are any JSON, so it is given a stand-in and never
// writes the reply.
func appendEnvelope(out, method, id []byte) []byte {
	out = append(append(out, `{"method":`...), method...)
	if id != nil {
		out = append(out, `,"id":0`...)
	}
	return append(out, '}')
}

// fault is an error as the wire says it.
type fault struct {
	code    int64
	message string
}

// open checks a line and takes id and params out of it. What it returns is the
// little that the library needs to know, or nil for a line to be passed over.
func (s *stream) open(line []byte) ([]byte, *fault) {
	s.id, s.params, s.plain = nil, nil, nil
	rest, params, err := lazy.Cut(line, "params", s.scratch[:0])
	switch {
	case errors.Is(err, lazy.ErrTwice):
		return nil, &fault{jsonrpc2.CodeInvalidRequest, "params: stated twice"}
	case errors.Is(err, lazy.ErrNotObject):
		return nil, &fault{jsonrpc2.CodeInvalidRequest, "a message must be one object; batches are not supported"}
	case err != nil:
		return nil, &fault{jsonrpc2.CodeParseError, lazy.ErrNotJSON.Error()}
	}
	if cap(rest) <= keptBuffer {
		s.scratch = rest
	}

	var e struct {
		Version jsontext.Value `json:"jsonrpc"`
		ID      jsontext.Value `json:"id"`
		Method  jsontext.Value `json:"method"`
		Result  jsontext.Value `json:"result"`
		Error   jsontext.Value `json:"error"`
	}
	err = jsonv2.Unmarshal(rest, &e, jsontext.AllowInvalidUTF8(true))
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		return nil, &fault{jsonrpc2.CodeInvalidRequest, "a member is stated twice"}
	case err != nil:
		return nil, &fault{jsonrpc2.CodeParseError, lazy.ErrNotJSON.Error()}
	case string(e.Version) != `"2.0"`:
		return nil, &fault{jsonrpc2.CodeInvalidRequest, `jsonrpc: must be "2.0"`}
	case e.Method == nil && (e.Result != nil || e.Error != nil):
		// The guard asks the host nothing, so no answer is due.
		s.log.Debug().RawJSON("id", e.ID).Msg("passed over an answer to nothing")
		return nil, nil
	case e.Method.Kind() != '"':
		return nil, &fault{jsonrpc2.CodeInvalidRequest, "method: must be a string"}
	case e.ID != nil && e.ID.Kind() != '"' && e.ID.Kind() != '0' && e.ID.Kind() != 'n':
		return nil, &fault{jsonrpc2.CodeInvalidRequest, "id: must be a string, a number or null"}
	}
	s.id, s.params = e.ID, params
	return appendEnvelope(nil, e.Method, s.id), nil
}

// WriteObject implements jsonrpc2.ObjectStream.
func (s *stream) WriteObject(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encoding a message: %w", err)
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.writeLine(append(s.out[:0], text...))
}

// reply answers the request with the given id.
func (s *stream) reply(id []byte, result any) error {
	return s.respond(id, `,"result":`, result)
}

// fail answers the request with the given id, nil where it is not known.
func (s *stream) fail(id []byte, code int64, message string) error {
	return s.respond(id, `,"error":`, struct {
		Code    int64  `json:"code"`
		Message string `json:"message"`
	}{code, message})
}

// notify tells the host something unasked.
func (s *stream) notify(method string, params any) error {
	text, err := jsonv2.Marshal(params, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return fmt.Errorf("encoding %s: %w", method, err)
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	out := append(s.out[:0], `{"jsonrpc":"2.0","method":"`...)
	out = append(append(out, method...), `","params":`...)
	return s.writeLine(append(append(out, text...), '}'))
}

func (s *stream) respond(id []byte, member string, value any) error {
	text, ready := value.(jsontext.Value)
	if !ready {
		var err error
		if text, err = jsonv2.Marshal(value, jsontext.AllowInvalidUTF8(true)); err != nil {
			return fmt.Errorf("encoding an answer: %w", err)
		}
	}
	if id == nil {
		id = []byte("null")
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	out := append(s.out[:0], `{"jsonrpc":"2.0","id":`...)
	out = append(out, id...)
	out = append(out, member...)
	out = append(out, text...)
	return s.writeLine(append(out, '}'))
}

// writeLine writes one line in one write. The caller holds s.writing.
func (s *stream) writeLine(text []byte) error {
	s.trace.line(fromGuard, text)
	text = append(text, '\n')
	if cap(text) <= keptBuffer {
		s.out = text
	}
	if _, err := s.rwc.Write(text); err != nil {
		return fmt.Errorf("writing to the host: %w", err)
	}
	return nil
}
