// Package replay is a host that plays recordings through a bridge connection
// and compares what the guard says with what it should say, or once said. It
// never calls the guard directly: what it shows is what a host would see.
package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/loopbreaker/loopbreaker/bridge"
	"github.com/loopbreaker/loopbreaker/bridge/lazy"
)

// connection is the host's end of a served session, in memory. What the host
// says is sent when it wants an answer, so that the two ends take turns once for
// many messages, and not at each.
type connection struct {
	out    io.WriteCloser
	in     *lineReader
	served chan error
	calls  int
	said   []byte // messages that are not yet sent
}

const (
	saidAtOnce   = 256 << 10 // bytes of messages that are sent without need for an answer
	answerBuffer = 4 << 10
)

func connect(ctx context.Context, o bridge.Options) *connection {
	guardIn, hostOut := io.Pipe()
	answers := newMailbox()
	c := &connection{out: hostOut, in: newLineReader(answers, answerBuffer), served: make(chan error, 1)}
	go func() { c.served <- bridge.Serve(ctx, duplex{guardIn, answers}, o) }()
	return c
}

// duplex is the guard's end.
type duplex struct {
	*io.PipeReader
	answers *mailbox
}

func (d duplex) Write(p []byte) (int, error) { return d.answers.Write(p) }

func (d duplex) Close() error { return errors.Join(d.PipeReader.Close(), d.answers.Close()) }

// send sends one line as it is.
func (c *connection) send(line []byte) error {
	c.said = append(append(c.said, line...), '\n')
	return c.flush()
}

// flush sends what has been said.
func (c *connection) flush() error {
	if len(c.said) == 0 {
		return nil
	}
	_, err := c.out.Write(c.said)
	if c.said = c.said[:0]; cap(c.said) > 4*saidAtOnce {
		c.said = nil
	}
	return err
}

// receive reads the guard's next line; io.EOF means that it has ended. The line is
// valid until the next one is read.
func (c *connection) receive() ([]byte, error) { return c.in.next() }

// call makes a request and reads its answer into result.
func (c *connection) call(method string, params, result any) error {
	text, err := jsonv2.Marshal(params, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true))
	if err != nil {
		return fmt.Errorf("encoding %s: %w", method, err)
	}
	if err := c.ask(method, func(out []byte) []byte { return append(out, text...) }); err != nil {
		return err
	}
	answer, err := c.answer(method)
	if err != nil {
		return err
	}
	if err := jsonv2.Unmarshal(answer, result); err != nil {
		return fmt.Errorf("reading the answer to %s: %w", method, err)
	}
	return nil
}

// ask says a request; params appends its params. The answers come in the order of
// the requests.
func (c *connection) ask(method string, params func(out []byte) []byte) error {
	c.calls++
	c.said = append(c.said, `{"jsonrpc":"2.0","id":`...)
	c.said = strconv.AppendInt(c.said, int64(c.calls), 10)
	c.said = append(append(append(c.said, `,"method":"`...), method...), `","params":`...)
	c.said = append(params(c.said), '}', '\n')
	if len(c.said) < saidAtOnce {
		return nil
	}
	if err := c.flush(); err != nil {
		return fmt.Errorf("sending %s: %w", method, err)
	}
	return nil
}

// notify tells the guard that something happened.
func (c *connection) notify(method string) error {
	c.said = append(append(append(c.said, `{"jsonrpc":"2.0","method":"`...), method...), "\"}\n"...)
	return nil
}

// answer returns the result of the next answer, which is one to method. It is
// valid until the next.
func (c *connection) answer(method string) (jsontext.Value, error) {
	if err := c.flush(); err != nil {
		return nil, fmt.Errorf("sending %s: %w", method, err)
	}
	line, err := c.receive()
	if err != nil {
		return nil, fmt.Errorf("waiting for the answer to %s: %w", method, err)
	}
	var result []byte
	s := lazy.Scan(line)
	for s.Next() {
		if s.Named("result") {
			result = s.Value()
		}
	}
	if s.Err() == nil && result != nil {
		return result, nil
	}
	var a answer
	if err := jsonv2.Unmarshal(line, &a); err != nil {
		return nil, fmt.Errorf("reading the answer to %s: %w", method, err)
	}
	if a.Error == nil {
		return nil, fmt.Errorf("the answer to %s says nothing", method)
	}
	return nil, &refusal{method, a.Error.Code, a.Error.Message}
}

// refusal is an error that the guard answered with.
type refusal struct {
	method  string
	code    int
	message string
}

// Error implements error.
func (r *refusal) Error() string {
	return fmt.Sprintf("%s: the guard answered error %d: %s", r.method, r.code, r.message)
}

// close ends the session and returns what Serve did.
func (c *connection) close() error {
	if err := errors.Join(c.flush(), c.out.Close()); err != nil {
		return err
	}
	return <-c.served
}

// answer is a line of the guard.
type answer struct {
	ID     jsontext.Value `json:"id"`
	Result jsontext.Value `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}
