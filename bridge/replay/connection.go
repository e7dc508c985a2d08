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
	c.calls++
	line, err := jsonv2.Marshal(request{"2.0", c.calls, method, params},
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true))
	if err != nil {
		return fmt.Errorf("encoding %s: %w", method, err)
	}
	if err := c.send(line); err != nil {
		return fmt.Errorf("sending %s: %w", method, err)
	}
	line, err = c.receive()
	if err != nil {
		return fmt.Errorf("waiting for the answer to %s: %w", method, err)
	}
	var a answer
	if err := jsonv2.Unmarshal(line, &a); err != nil {
		return fmt.Errorf("reading the answer to %s: %w", method, err)
	}
	if a.Error != nil {
		return fmt.Errorf("%s: the guard answered error %d: %s", method, a.Error.Code, a.Error.Message)
	}
	if err := jsonv2.Unmarshal(a.Result, result); err != nil {
		return fmt.Errorf("reading the answer to %s: %w", method, err)
	}
	return nil
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

type request struct {
	Version string `json:"jsonrpc"`
	ID      int    `json:"id"`
	Method  string `json:"method"`
	Params  any    `json:"params"`
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
