// Package replay is a host that plays recordings through a bridge connection
// and compares what the guard says with what it should say, or once said. It
// never calls the guard directly: what it shows is what a host would see.
package replay

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/loopbreaker/loopbreaker/bridge"
)

// connection is the host's end of a served session, over a pipe in memory.
type connection struct {
	out    io.WriteCloser
	in     *bufio.Reader
	served chan error
	calls  int
	line   []byte // the last request
}

func connect(ctx context.Context, o bridge.Options) *connection {
	guardIn, hostOut := io.Pipe()
	hostIn, guardOut := io.Pipe()
	c := &connection{out: hostOut, in: bufio.NewReader(hostIn), served: make(chan error, 1)}
	go func() { c.served <- bridge.Serve(ctx, duplex{guardIn, guardOut}, o) }()
	return c
}

// duplex is the guard's end.
type duplex struct {
	*io.PipeReader
	out *io.PipeWriter
}

func (d duplex) Write(p []byte) (int, error) { return d.out.Write(p) }

func (d duplex) Close() error { return errors.Join(d.PipeReader.Close(), d.out.Close()) }

// send writes one line as it is.
func (c *connection) send(line []byte) error {
	_, err := c.out.Write(append(line, '\n'))
	return err
}

// receive reads the guard's next line; io.EOF means that it has ended.
func (c *connection) receive() ([]byte, error) { return c.in.ReadBytes('\n') }

// call makes a request and reads its answer into result.
func (c *connection) call(method string, params, result any) error {
	text, err := jsonv2.Marshal(params, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true))
	if err != nil {
		return fmt.Errorf("encoding %s: %w", method, err)
	}
	answer, err := c.ask(method, text)
	if err != nil {
		return err
	}
	if err := jsonv2.Unmarshal(answer, result); err != nil {
		return fmt.Errorf("reading the answer to %s: %w", method, err)
	}
	return nil
}

// ask makes a request whose params are JSON text, and returns the result's.
func (c *connection) ask(method string, params []byte) (jsontext.Value, error) {
	c.calls++
	c.line = append(c.line[:0], `{"jsonrpc":"2.0","id":`...)
	c.line = strconv.AppendInt(c.line, int64(c.calls), 10)
	c.line = append(append(append(c.line, `,"method":"`...), method...), `","params":`...)
	c.line = append(append(c.line, params...), '}', '\n')
	if _, err := c.out.Write(c.line); err != nil {
		return nil, fmt.Errorf("sending %s: %w", method, err)
	}
	line, err := c.receive()
	if err != nil {
		return nil, fmt.Errorf("waiting for the answer to %s: %w", method, err)
	}
	var a answer
	if err := jsonv2.Unmarshal(line, &a); err != nil {
		return nil, fmt.Errorf("reading the answer to %s: %w", method, err)
	}
	if a.Error != nil {
		return nil, &refusal{method, a.Error.Code, a.Error.Message}
	}
	return a.Result, nil
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

// notify tells the guard that something happened.
func (c *connection) notify(method string) error {
	return c.send([]byte(`{"jsonrpc":"2.0","method":"` + method + `"}`))
}

// close ends the session and returns what Serve did.
func (c *connection) close() error {
	if err := c.out.Close(); err != nil {
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
