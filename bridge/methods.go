package bridge

import (
	"errors"
	"fmt"
	"reflect"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/sourcegraph/jsonrpc2"

	"github.com/loopbreaker/loopbreaker/canonical"
	"github.com/loopbreaker/loopbreaker/guard"
)

// method answers one kind of message.
type method struct {
	handle func(s *server, params []byte) (any, *fault)
	opened bool // whether initialize must have come before
}

var methods = map[string]method{
	MethodInitialize: {handle: (*server).initialize},
	MethodToolCall:   {handle: (*server).toolCall, opened: true},
	MethodShutdown:   {handle: (*server).shutdown},
}

// forwarded is what a host is asked to tell.
var forwarded = []string{MethodToolCall}

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
	s.session = guard.NewSession(s.Preset)
	s.Log.Info().Str("host", p.Host.Name).Str("version", p.Host.Version).Str("mode", p.Mode).Msg("session open")
	return InitializeResult{
		Protocol: Protocol,
		Server:   Peer{Name: "loopbreaker", Version: s.Version},
		Preset:   s.Preset.Name,
		Forward:  forwarded,
		Notify:   s.tell(),
	}, nil
}

func (s *server) toolCall(params []byte) (any, *fault) {
	rest, input, err := cut(params, "input", nil)
	if err != nil {
		return nil, badParams(err, "input")
	}
	var p ToolCallParams
	if bad := decode(rest, &p); bad != nil {
		return nil, bad
	}
	call := guard.Call{Tool: p.ToolName, Input: input, Uncountable: p.Uncountable != ""}
	switch {
	case p.ToolCallID == "":
		return nil, missing("toolCallId")
	case p.ToolName == "":
		return nil, missing("toolName")
	case input == nil && !call.Uncountable:
		return nil, missing("input")
	case input != nil && call.Uncountable:
		return nil, &fault{jsonrpc2.CodeInvalidParams, "params/uncountable: stated beside input"}
	}
	for i, e := range p.Elided {
		if e.Length <= canonical.LongTextOver {
			return nil, &fault{jsonrpc2.CodeInvalidParams, fmt.Sprintf("params/elided/%d/length: only strings of over %d UTF-16 units are elided", i, canonical.LongTextOver)}
		}
		call.LongTexts = append(call.LongTexts, canonical.LongText{At: e.At, SHA256: e.SHA256, Length: e.Length, Head: e.Head, Tail: e.Tail})
	}

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

func (s *server) decision(d guard.Decision) Decision {
	w := Decision{Block: d.Block, Reason: d.Reason, Why: (*Why)(d.Why), Notify: s.tell()}
	for _, e := range d.Entries {
		w.Entries = append(w.Entries, Entry{CustomType: EntryLoopBroken, Data: LoopBroken(e)})
	}
	return w
}

func (s *server) shutdown(params []byte) (any, *fault) {
	return struct{}{}, decode(params, &struct{}{})
}

// decode reads params into v. Members that v does not have are passed over, so
// that a host may say more than this version understands.
func decode(params []byte, v any) *fault {
	if params == nil {
		return nil
	}
	err := jsonv2.Unmarshal(params, v)
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
	case errors.Is(err, errTwice):
		return &fault{jsonrpc2.CodeInvalidParams, "params/" + field + ": stated twice"}
	case errors.Is(err, errNotObject):
		return &fault{jsonrpc2.CodeInvalidParams, "params: must be an object"}
	}
	return &fault{jsonrpc2.CodeParseError, "params: " + errNotJSON.Error()}
}
