// Package bridge is the wire between a host and one guard session: JSON-RPC 2.0,
// one message a line. PROTOCOL.md beside it documents every method.
//
// A host says what happens, and the guard answers with decisions. Messages are
// handled one after another in the order in which they arrive, on purpose: the
// session sees events as they happened, and needs no locks. Only a tool/run, which
// waits on the outside and touches nothing of the session, leaves that order. A line that is not
// understood is answered with an error, and the connection lives on.
package bridge

import (
	"context"
	"errors"
	"io"
	"runtime/debug"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"
	"github.com/sourcegraph/jsonrpc2"

	"github.com/loopbreaker/loopbreaker/bridge/config"
	"github.com/loopbreaker/loopbreaker/bridge/fetch"
	"github.com/loopbreaker/loopbreaker/bridge/lazy"
	"github.com/loopbreaker/loopbreaker/bridge/otlp"
	"github.com/loopbreaker/loopbreaker/guard"
)

// Options are what a connection is served with.
type Options struct {
	// Flags and Environ are the strongest layers of the configuration; the host
	// says at initialize where the files are.
	Flags   config.Flags
	Environ []string
	// NoFiles leaves the files in the host's folders unread and offers no tools,
	// so that a replay is the same everywhere.
	NoFiles bool
	// Version is the version of this program, told to the host.
	Version string
	// Trace, if not nil, takes every message both ways.
	Trace *Trace
	// Export, if not nil, is told of what the guard does, and closed at the end.
	Export *otlp.Exporter
	// Notices are told to the user at initialize.
	Notices []string
	// Log takes what is of use to a person who looks for a fault.
	Log zerolog.Logger
}

// Serve serves one guard session over rwc until the host closes its end, asks
// for shutdown, or ctx is done. It closes rwc. The error is nil unless reading
// failed.
func Serve(ctx context.Context, rwc io.ReadWriteCloser, o Options) error {
	stream := newStream(rwc, o.Trace, o.Log)
	s := &server{Options: o, stream: stream, notices: o.Notices, problems: map[string]bool{}, runs: newRuns()}
	conn := jsonrpc2.NewConn(ctx, stream, s, jsonrpc2.SetLogger(&o.Log))
	<-conn.DisconnectNotify()
	s.runs.end()
	o.Export.Close()
	// The reader may still be in a handler when ctx ends the connection; a
	// plain end of input or shutdown comes from the reader itself.
	if ctx.Err() != nil {
		return nil
	}
	return stream.err
}

// server answers the messages of one connection.
type server struct {
	Options
	stream  *stream
	session *guard.Session // nil until initialize
	hasUI   bool
	sources config.Sources
	chosen  Chosen
	// problems are those of the configuration that the user was told of.
	problems map[string]bool
	config   *config.Config
	fresh    bool     // whether it has just been looked at, while nobody waited
	notices  []string // not yet told to the user
	runs     *runs
	fetcher  *fetch.Fetcher // nil where the tool is not offered
	offered  bool           // whether the session began with the tool
	folder   string         // the workspace
	traced   bool           // whether the end of the trace has been told
}

// answeredLater is the result of a handler that answers by itself, when it can.
var answeredLater any = new(byte)

// Handle implements jsonrpc2.Handler. The library calls it on the goroutine
// that reads, so the next message waits for its return.
func (s *server) Handle(_ context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
	id, params := s.stream.id, s.stream.params
	result, bad := s.answerTimed(req.Method, params)
	if bad != nil {
		s.Log.Warn().Str("method", req.Method).Int64("code", bad.code).Msg(bad.message)
	}
	var err error
	switch {
	case bad != nil && (id != nil || bad.code == jsonrpc2.CodeParseError):
		err = s.stream.fail(id, bad.code, bad.message)
	case bad == nil && id != nil && result != answeredLater:
		err = s.stream.reply(id, result)
	}
	if err != nil {
		s.Log.Error().Err(err).Msg("the host does not read")
	}
	if err != nil || bad == nil && req.Method == MethodShutdown {
		s.close(conn)
	}
}

func (s *server) close(conn *jsonrpc2.Conn) {
	s.stream.ended = true
	if err := conn.Close(); err != nil && !errors.Is(err, jsonrpc2.ErrClosed) {
		s.Log.Debug().Err(err).Msg("closing")
	}
}

// answer dispatches a message. A panic is an error of this message, not the end
// of the session.
func (s *server) answer(name string, params []byte) (result any, bad *fault) {
	defer func() {
		if p := recover(); p != nil {
			s.Log.Error().Interface("panic", p).Bytes("stack", debug.Stack()).Msg("a handler panicked")
			result, bad = nil, &fault{jsonrpc2.CodeInternalError, "internal error"}
		}
	}()
	result, bad = s.dispatch(name, params)
	// As in the stream: what is not JSON is called that.
	if bad != nil && params != nil && !jsontext.Value(params).IsValid(lenient) {
		bad = &fault{jsonrpc2.CodeParseError, "params: " + lazy.ErrNotJSON.Error()}
	}
	return result, bad
}

func (s *server) dispatch(name string, params []byte) (any, *fault) {
	m, ok := methods[name]
	switch {
	case !ok:
		return nil, &fault{jsonrpc2.CodeMethodNotFound, "unknown method " + name}
	case m.opened && s.session == nil:
		return nil, &fault{CodeNotInitialized, name + " before initialize"}
	}
	return m.handle(s, params)
}

// tell returns what the user has not been told yet, with one more sentence if
// there is one.
func (s *server) tell(sentence string) []string {
	if err := s.Trace.Err(); err != nil && !s.traced {
		s.traced = true
		s.notices = append(s.notices, guard.TraceEnded(err))
	}
	if sentence != "" {
		s.notices = append(s.notices, sentence)
	}
	n := s.notices
	s.notices = nil
	return n
}
