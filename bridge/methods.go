package bridge

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"reflect"
	"strconv"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/sourcegraph/jsonrpc2"

	"github.com/loopbreaker/loopbreaker/bridge/lazy"
	"github.com/loopbreaker/loopbreaker/canonical"
	"github.com/loopbreaker/loopbreaker/canonical/measure"
	"github.com/loopbreaker/loopbreaker/guard"
)

// method answers one kind of message.
type method struct {
	handle func(s *server, params []byte) (any, *fault)
	opened bool // whether initialize must have come before
}

var methods = map[string]method{
	MethodInitialize:     {handle: (*server).initialize},
	MethodSessionRestore: {handle: (*server).restore, opened: true},
	MethodPrompt:         {handle: event((*guard.Session).Prompt), opened: true},
	MethodTurnStart:      {handle: (*server).turnStart, opened: true},
	MethodTurnEnd:        {handle: (*server).turnEnd, opened: true},
	MethodToolCall:       {handle: (*server).toolCall, opened: true},
	MethodToolResult:     {handle: (*server).toolResult, opened: true},
	MethodToolRejected:   {handle: (*server).toolRejected, opened: true},
	MethodApproval:       {handle: (*server).approval, opened: true},
	MethodStreamDelta:    {handle: (*server).streamDelta, opened: true},
	MethodMessageEnd:     {handle: (*server).messageEnd, opened: true},
	MethodToolRun:        {handle: (*server).toolRun, opened: true},
	MethodToolCancel:     {handle: (*server).toolCancel, opened: true},
	MethodVerification:   {handle: (*server).verification, opened: true},
	MethodCompact:        {handle: event((*guard.Session).Compact), opened: true},
	MethodCommand:        {handle: (*server).command, opened: true},
	MethodSettings:       {handle: (*server).settingsList, opened: true},
	MethodSettingsSet:    {handle: (*server).settingsSet, opened: true},
	MethodShutdown:       {handle: event(func(*guard.Session) {})},
}

// forward is what a host is asked to tell: what the model writes only where a rule
// reads it.
func (s *server) forward() []string {
	all := []string{
		MethodPrompt, MethodTurnStart, MethodTurnEnd, MethodToolCall, MethodToolResult,
		MethodToolRejected, MethodCompact, MethodSessionRestore,
	}
	if p := s.config.Policy; p.Text.Guard || p.Truncation.Rewrite {
		all = append(all, MethodStreamDelta, MethodMessageEnd)
	}
	return all
}

// event handles a message that says no more than that something happened.
func event(happened func(*guard.Session)) func(*server, []byte) (any, *fault) {
	return func(s *server, params []byte) (any, *fault) {
		if bad := decode(params, &struct{}{}); bad != nil {
			return nil, bad
		}
		happened(s.session)
		return struct{}{}, nil
	}
}

// turnStart is an event, before which nothing was looked at for the calls that follow.
func (s *server) turnStart(params []byte) (any, *fault) {
	s.fresh = false
	return event((*guard.Session).TurnStart)(s, params)
}

func (s *server) initialize(params []byte) (any, *fault) {
	var p InitializeParams
	if bad := decode(params, &p); bad != nil {
		return nil, bad
	}
	if p.Protocol != Protocol {
		return nil, &fault{CodeProtocol, fmt.Sprintf("protocol %d is not spoken here, only %d", p.Protocol, Protocol)}
	}
	if s.session != nil {
		return nil, &fault{jsonrpc2.CodeInvalidRequest, "initialize: the session is already open"}
	}
	s.hasUI = p.HasUI
	s.open(p)
	s.openExport(p)
	s.Log.Info().Str("host", p.Host.Name).Str("version", p.Host.Version).Str("mode", p.Mode).Str("session", p.SessionID).Msg("session open")
	return InitializeResult{
		Protocol: Protocol,
		Server:   Peer{Name: "loopbreaker", Version: s.Version},
		Preset:   s.config.Preset,
		Settings: s.settings(),
		Forward:  s.forward(),
		Commands: guard.Commands(),
		Tools:    s.tools(),
		Notify:   s.tell(""),
		Status:   s.session.Status(),
	}, nil
}

func (s *server) toolCall(params []byte) (any, *fault) {
	var p ToolCallParams
	if plain := s.stream.plain; plain != nil {
		p = plain.call
	} else {
		rest, input, err := lazy.Cut(params, "input", nil)
		if err != nil {
			return nil, badParams(err, "input")
		}
		if bad := decode(rest, &p); bad != nil {
			return nil, bad
		}
		p.Input = input
	}
	call, bad := p.call()
	if bad != nil {
		return nil, bad
	}
	if !s.fresh {
		s.refresh()
	}
	s.fresh = false
	s.Export.Called(call.Tool)
	d, err := s.session.Call(call)
	switch {
	case errors.Is(err, canonical.ErrSyntax):
		return nil, &fault{jsonrpc2.CodeParseError, "params/input: " + err.Error()}
	case errors.Is(err, canonical.ErrElision):
		return nil, &fault{jsonrpc2.CodeInvalidParams, "params/elided: every entry must point to a null in input, once"}
	case err != nil:
		s.Log.Info().Str("tool", p.ToolName).Str("call", p.ToolCallID).Err(err).Msg("a call is not countable")
	case call.Uncountable:
		s.Log.Info().Str("tool", p.ToolName).Str("call", p.ToolCallID).Str("host", p.Uncountable).Msg("a call is not countable")
	}
	return s.decision(d), nil
}

func (p ToolCallParams) call() (guard.Call, *fault) {
	c := guard.Call{ID: p.ToolCallID, Tool: p.ToolName, Input: p.Input, Uncountable: p.Uncountable != ""}
	switch {
	case p.ToolCallID == "":
		return c, missing("toolCallId")
	case p.ToolName == "":
		return c, missing("toolName")
	case p.Input == nil && !c.Uncountable:
		return c, missing("input")
	case p.Input != nil && c.Uncountable:
		return c, &fault{jsonrpc2.CodeInvalidParams, "params/uncountable: stated beside input"}
	}
	var bad *fault
	c.LongTexts, bad = longTexts(p.Elided)
	return c, bad
}

func longTexts(elided []Elided) (texts []canonical.LongText, bad *fault) {
	for i, e := range elided {
		if e.Length <= canonical.LongTextOver {
			return nil, &fault{jsonrpc2.CodeInvalidParams, fmt.Sprintf("params/elided/%d/length: only strings of over %d UTF-16 units are elided", i, canonical.LongTextOver)}
		}
		texts = append(texts, canonical.LongText{At: e.At, SHA256: e.SHA256, Length: e.Length, Head: e.Head, Tail: e.Tail})
	}
	return texts, nil
}

func (s *server) toolResult(params []byte) (any, *fault) {
	if plain := s.stream.plain; plain != nil {
		return s.decision(s.session.Result(plain.result)), nil
	}
	var p ToolResultParams
	if bad := decode(params, &p, jsontext.AllowInvalidUTF8(true)); bad != nil {
		return nil, bad
	}
	if p.ToolCallID == "" {
		return nil, missing("toolCallId")
	}
	if p.Uncountable != "" {
		return s.decision(s.session.Result(guard.Result{ID: p.ToolCallID, IsError: p.IsError, Uncountable: true})), nil
	}
	content, bad := blocks(p.Content, p.Elided)
	if bad != nil {
		return nil, bad
	}
	return s.decision(s.session.Result(guard.Result{ID: p.ToolCallID, IsError: p.IsError, Content: content})), nil
}

// placeOf is the JSON Pointer to what a block of a result holds.
func placeOf(block int, image bool) string {
	if image {
		return "/" + strconv.Itoa(block) + "/data"
	}
	return "/" + strconv.Itoa(block) + "/text"
}

// blocks joins a result's content and the long strings taken out of it.
func blocks(content []ContentBlock, elided []Elided) ([]canonical.Block, *fault) {
	texts, bad := longTexts(elided)
	if bad != nil {
		return nil, bad
	}
	long := make(map[string]*canonical.LongText, len(texts))
	for i := range texts {
		long[texts[i].At] = &texts[i]
	}
	var out []canonical.Block
	for i, b := range content {
		switch b.Type {
		case "text":
			out = append(out, canonical.Block{Data: []byte(b.Text), Long: long[placeOf(i, false)]})
		case "image":
			out = append(out, canonical.Block{MediaType: b.MimeType, Data: []byte(b.Data), Long: long[placeOf(i, true)]})
		default: // of a kind that is not known here: that it came is all there is
			out = append(out, canonical.Block{MediaType: b.Type})
		}
	}
	return out, nil
}

func (s *server) toolRejected(params []byte) (any, *fault) {
	var p ToolRejectedParams
	// The input is judged where it is used, as those of live calls are.
	if bad := decode(params, &p, lenient); bad != nil {
		return nil, bad
	}
	if p.ToolName == "" {
		return nil, missing("toolName")
	}
	call := guard.Call{ID: p.ToolCallID, Tool: p.ToolName, Input: p.Input}
	var bad *fault
	if call.LongTexts, bad = longTexts(p.Elided); bad != nil {
		return nil, bad
	}
	s.refresh()
	s.Export.Rejected(call.Tool)
	return s.decision(s.session.Rejected(guard.Rejection{Call: call, Text: p.Text})), nil
}

// approval takes the operator's answer and decides on the call.
func (s *server) approval(params []byte) (any, *fault) {
	var p ApprovalParams
	if bad := decode(params, &p); bad != nil {
		return nil, bad
	}
	if p.ID == "" {
		return nil, missing("id")
	}
	d, err := s.session.Approve(p.ID, p.Answer)
	switch {
	case errors.Is(err, guard.ErrNoQuestion):
		return nil, &fault{jsonrpc2.CodeInvalidParams, "params/id: " + err.Error()}
	case err != nil:
		return nil, &fault{jsonrpc2.CodeInvalidParams, "params/answer: " + err.Error()}
	}
	return s.decision(d), nil
}

func (s *server) verification(params []byte) (any, *fault) {
	var p VerificationParams
	if bad := decode(params, &p); bad != nil {
		return nil, bad
	}
	switch {
	case p.What == "":
		return nil, missing("what")
	case p.Passed == nil:
		return nil, missing("passed")
	}
	s.session.Verification(p.What, *p.Passed)
	return struct{}{}, nil
}

func (s *server) turnEnd(params []byte) (any, *fault) {
	if bad := decode(params, &struct{}{}); bad != nil {
		return nil, bad
	}
	return s.decision(s.session.TurnEnd()), nil
}

// nothing is the decision that most events have.
var nothing = jsontext.Value("{}")

// decision is what the host is told, a Decision or nothing.
func (s *server) decision(d guard.Decision) any {
	if !s.hasUI {
		d.Notify = "" // the session file has it; only the end of a run is worth a line
	}
	w := Decision{
		Block: d.Block, Reason: d.Reason, Terminate: d.Terminate, Note: d.Note, Text: d.Text, Cut: cutOf(d.Cut), Steer: d.Steer,
		Abort: (*Abort)(d.Abort), Why: whyOf(d.Why), Notify: s.tell(d.Notify), Status: d.Status,
	}
	if a := d.Ask; a != nil {
		w.Ask = &Ask{ID: a.ID, Title: a.Title, Message: a.Message, TimeoutMs: 1000 * a.Seconds}
	}
	for _, e := range d.Entries {
		w.Entries = append(w.Entries, Entry{CustomType: EntryLoopBroken, Data: LoopBroken(e)})
	}
	s.export(&w)
	if reflect.ValueOf(&w).Elem().IsZero() {
		return nothing
	}
	return w
}

// whyOf is what may be kept of a finding: of a measure, which spells out what a call
// was asked, its kind and a digest.
func whyOf(w *guard.Why) *Why {
	if w == nil {
		return nil
	}
	why := &Why{Rule: w.Rule, Stage: w.Stage, Tool: w.Tool, Count: w.Count, Limit: w.Limit, Window: w.Window, Parts: w.Parts}
	if w.Measure != "" {
		why.Measure, why.MeasureSHA256 = measure.ID(w.Measure).Kind(), sha256.Sum256([]byte(w.Measure))
	}
	return why
}

// decode reads params into v. Members that v does not have are passed over, so
// that a host may say more than this version understands.
func decode(params []byte, v any, options ...jsonv2.Options) *fault {
	if params == nil {
		return nil
	}
	err := jsonv2.Unmarshal(params, v, options...)
	var semantic *jsonv2.SemanticError
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.As(err, &semantic) && semantic.Err != nil:
		return &fault{jsonrpc2.CodeInvalidParams, fmt.Sprintf("params%s: %v", semantic.JSONPointer, semantic.Err)}
	case errors.As(err, &semantic):
		return &fault{jsonrpc2.CodeInvalidParams, fmt.Sprintf("params%s: must be %s", semantic.JSONPointer, jsonWord(semantic.GoType))}
	case errors.Is(err, jsontext.ErrDuplicateName) && errors.As(err, &syntactic):
		return &fault{jsonrpc2.CodeInvalidParams, fmt.Sprintf("params%s: stated twice", syntactic.JSONPointer)}
	case err != nil:
		return &fault{jsonrpc2.CodeInvalidParams, "params: a string is not well-formed Unicode"}
	}
	return nil
}

// jsonWord names the JSON type that a Go type is read from.
func jsonWord(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "a boolean"
	case reflect.Int:
		return "an integer"
	case reflect.Slice:
		return "an array"
	case reflect.Struct:
		return "an object"
	}
	return "a string"
}

func missing(field string) *fault {
	return &fault{jsonrpc2.CodeInvalidParams, "params/" + field + ": missing"}
}

func badParams(err error, field string) *fault {
	switch {
	case errors.Is(err, lazy.ErrTwice):
		return &fault{jsonrpc2.CodeInvalidParams, "params/" + field + ": stated twice"}
	case errors.Is(err, lazy.ErrNotObject):
		return &fault{jsonrpc2.CodeInvalidParams, "params: must be an object"}
	}
	return &fault{jsonrpc2.CodeParseError, "params: " + lazy.ErrNotJSON.Error()}
}
