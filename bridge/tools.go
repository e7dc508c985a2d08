package bridge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/sourcegraph/jsonrpc2"

	"github.com/loopbreaker/loopbreaker/bridge/config"
	"github.com/loopbreaker/loopbreaker/bridge/fetch"
	"github.com/loopbreaker/loopbreaker/guard"
)

var (
	errRunning = errors.New("is running already")
	errBusy    = errors.New("too many run or wait")
)

// tools are those that the host is asked to register: web_fetch_file, where it is
// switched on and there is a workspace. A replay has none, and so fetches nothing.
func (s *server) tools() []Tool {
	if !s.config.Fetch.Enabled || !filepath.IsAbs(s.folder) {
		return nil
	}
	s.fetcher = fetch.New("loopbreaker/" + s.Version)
	return []Tool{{
		Name:             guard.FetchTool,
		Label:            guard.FetchLabel,
		Description:      guard.FetchDescription(s.config.Fetch.OutputDir, s.config.Fetch.MaxBytes),
		PromptSnippet:    guard.FetchSnippet,
		PromptGuidelines: guard.FetchGuidelines(),
		Parameters: jsontext.Value(fmt.Sprintf(`{"type":"object","properties":{`+
			`"url":{"type":"string","description":%q},"name":{"type":"string","description":%q}},`+
			`"required":["url"],"additionalProperties":false}`, guard.FetchURL, guard.FetchName)),
		OutputSchema: jsontext.Value(`{"type":"object","properties":{` +
			`"statusCode":{"type":"integer"},"contentType":{"type":"string"},"contentEncoding":{"type":"string"},` +
			`"bytes":{"type":"integer"},"finalUrl":{"type":"string"},"path":{"type":"string"}},` +
			`"required":["statusCode","contentType","bytes","finalUrl","path"],"additionalProperties":false}`),
	}}
}

// offerFetch has the guard send commands that fetch to the tool; a replay too, for
// the decisions are the same with and without it. A host takes tools at the beginning
// only, so that one switched on later is nothing to be sent to.
func (s *server) offerFetch() {
	tool := ""
	if s.offered && s.config.Fetch.Enabled {
		tool = guard.FetchTool
	}
	s.session.OfferFetch(tool)
}

// toolRun begins the run of a tool, which answers when it is done.
func (s *server) toolRun(params []byte) (any, *fault) {
	var p ToolRunParams
	if bad := decode(params, &p, lenient); bad != nil {
		return nil, bad
	}
	switch {
	case p.ToolCallID == "":
		return nil, missing("toolCallId")
	case p.ToolName == "":
		return nil, missing("toolName")
	case p.ToolName != guard.FetchTool || s.fetcher == nil:
		return nil, &fault{jsonrpc2.CodeInvalidParams, "params/toolName: no tool of that name is offered"}
	}
	var input struct {
		URL  string `json:"url"`
		Name string `json:"name"`
	}
	if bad := decode(p.Input, &input); bad != nil {
		return nil, &fault{bad.code, strings.Replace(bad.message, "params", "params/input", 1)}
	}
	if input.URL == "" {
		return nil, missing("input/url")
	}
	s.refresh()
	if !s.config.Fetch.Enabled {
		return failed(guard.FetchOff), nil
	}
	// What the run needs is handed to it: it must not look at the session.
	id, fetcher := bytes.Clone(s.stream.id), s.fetcher
	request, limits := fetch.Request{URL: input.URL, Name: input.Name}, limits(s.folder, s.config.Fetch)
	err := s.runs.start(p.ToolCallID,
		func(ctx context.Context) any { return s.run(ctx, fetcher, request, limits) },
		func(result any) { s.conclude(id, result) })
	switch {
	case errors.Is(err, errRunning):
		return nil, &fault{jsonrpc2.CodeInvalidParams, "params/toolCallId: " + err.Error()}
	case err != nil:
		return failed(guard.FetchBusy), nil
	}
	return answeredLater, nil
}

// toolCancel ends the run of a tool. Of one that is over there is nothing to end.
func (s *server) toolCancel(params []byte) (any, *fault) {
	var p ToolCancelParams
	if bad := decode(params, &p); bad != nil {
		return nil, bad
	}
	if p.ToolCallID == "" {
		return nil, missing("toolCallId")
	}
	s.runs.stop(p.ToolCallID)
	return struct{}{}, nil
}

// conclude answers the request of that id with the result of a run, nil if it
// panicked. When the connection has ended nobody waits for it.
func (s *server) conclude(id []byte, result any) {
	if id == nil || s.runs.ctx.Err() != nil {
		return
	}
	err := error(nil)
	if result == nil {
		err = s.stream.fail(id, jsonrpc2.CodeInternalError, "internal error")
	} else {
		err = s.stream.reply(id, result)
	}
	if err != nil {
		s.Log.Error().Err(err).Msg("the host does not read")
	}
}

// run fetches. It is on a goroutine of its own, and of s it uses the log only.
func (s *server) run(ctx context.Context, fetcher *fetch.Fetcher, r fetch.Request, l fetch.Limits) (result any) {
	defer func() {
		if p := recover(); p != nil {
			s.Log.Error().Interface("panic", p).Bytes("stack", debug.Stack()).Msg("a tool panicked")
			result = nil
		}
	}()
	got, err := fetcher.Fetch(ctx, r, l)
	var private *fetch.PrivateError
	switch {
	case errors.As(err, &private):
		return failed(guard.FetchPrivate(err))
	case err != nil:
		return failed(guard.FetchFailed(err))
	}
	text := guard.Fetched(got.Status(), got.ContentType, got.ContentEncoding, got.Bytes, got.FinalURL, got.Path)
	return ToolRunResult{Content: []ContentBlock{{Type: "text", Text: text}}, StructuredContent: (*Fetched)(&got)}
}

func failed(text string) ToolRunResult {
	return ToolRunResult{Content: []ContentBlock{{Type: "text", Text: text}}, IsError: true}
}

func limits(workspace string, c config.Fetch) fetch.Limits {
	hosts, _ := fetch.ParseHosts(c.AllowPrivateHosts) // config tells of those that are none
	return fetch.Limits{
		Workspace:    workspace,
		Folder:       c.OutputDir,
		MaxBytes:     int64(c.MaxBytes),
		Timeout:      time.Duration(c.TimeoutMs) * time.Millisecond,
		MaxRedirects: c.MaxRedirects,
		Private:      hosts,
		Cookies:      c.Cookies,
		Proxy:        c.Proxy,
	}
}
