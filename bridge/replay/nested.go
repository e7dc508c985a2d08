package replay

import (
	"strings"
	"unicode/utf16"

	"github.com/loopbreaker/loopbreaker/bridge/lazy"
	"github.com/loopbreaker/loopbreaker/guard"
)

// A tool may call tools: in Pi, a script of codemode does. Of such calls a session
// file has a record with the result of the outermost, and not all of it: no
// result, of an error no more than its beginning, no long input, no call beyond a
// number; and the order in which they were made, but not that of their ends. They
// are played as if each had ended before the next one beside it began.

// errorKept is how much of an error's text Pi keeps, in UTF-16 code units.
const errorKept = 500

// nestedCalls turns the record of the calls within the call outermost into events.
func nestedCalls(record []byte, outermost string, number int, yield func(Event) bool) (goOn bool, fault string) {
	var running []Event // the results of the calls around the next one
	// end yields the results of the calls that parent is not among.
	end := func(parent string) bool {
		for len(running) > 0 && running[len(running)-1].ID != parent {
			result := running[len(running)-1]
			running = running[:len(running)-1]
			if result.Kind == KindResult && !yield(result) {
				return false
			}
		}
		return true
	}
	s := lazy.Scan(record)
	for s.Next() {
		if !s.Named("calls") || !s.Enter('[') {
			continue
		}
		for s.Next() {
			if !s.Enter('{') {
				continue
			}
			call, result := nestedCall(&s, outermost, number)
			if s.Err() != nil || call.ID == "" {
				continue
			}
			if !end(call.Parent) || !yield(call) {
				return false, ""
			}
			running = append(running, result)
		}
	}
	if s.Err() != nil {
		fault = s.Err().Error()
	}
	return end(""), fault
}

// nestedCall reads the call whose members s is about to step over. One that had no
// end has no result, but an event of no kind in its place.
func nestedCall(s *lazy.Scanner, outermost string, number int) (call, result Event) {
	call = Event{Kind: KindCall, Line: number, Parent: outermost}
	result = Event{Kind: KindResult, Line: number, Lost: true}
	for s.Next() {
		switch {
		case s.Named("id"):
			call.ID = unquoted(s.Value()) // Pi numbers the calls of a call: parent/1, parent/2
			if slash := strings.LastIndexByte(call.ID, '/'); slash >= 0 {
				call.Parent = call.ID[:slash]
			}
		case s.Named("name"):
			call.Tool = unquoted(s.Value())
		case s.Named("arguments"):
			call.Input = s.Value()
		case s.Named("status"):
			status := unquoted(s.Value())
			result.IsError = status == "error"
			if status == "unfinished" {
				result.Kind = kindNone
			}
		case s.Named("error"):
			quoted := s.Value()
			text := unquoted(quoted)
			result.Rejected = guard.RejectedByHost(text)
			result.Withheld = guard.RefusedByGuard(text)
			if result.Rejected || len(utf16.Encode([]rune(text))) < errorKept {
				result.Content = append(append([]byte(`[{"type":"text","text":`), quoted...), "}]"...)
				result.Lost = false
			}
		}
	}
	call.Lost = call.Input == nil
	result.ID, result.Parent = call.ID, call.Parent
	return call, result
}
