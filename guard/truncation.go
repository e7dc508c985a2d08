package guard

import "strings"

// truncation is what is known of the responses of a prompt that hit the limit on
// output with calls in them. Pi fails all calls of such a response, and tells the
// model to make each again: the whole batch, which is then cut off again.
type truncation struct {
	responses int // how many there were
	calls     int // calls of this one that have been told of
}

// Truncated tells of a result that Pi is about to show the model. If the call was
// failed because its response was cut off, the decision says what the model is to
// read instead (system `turns`); at so many such responses, the run is to end (ours).
func (s *Session) Truncated(x Rejection) Decision {
	p := s.policy.Truncation
	if s.off || !truncatedByHost(x.Text) {
		return s.say(Decision{})
	}
	t := &s.truncation
	if t.calls++; t.calls == 1 {
		t.responses++
		if p.Abort > 0 && t.responses >= p.Abort {
			s.ladder.speak(&finding{rule: RuleTruncation, stage: StageAbort, tool: x.Call.Tool, count: t.responses, limit: p.Abort})
		}
	}
	if !p.Rewrite {
		return s.say(Decision{})
	}
	return s.say(Decision{Text: cutOff(x.Call.Tool, t.calls, s.writing.blocks, s.writing.written, t.responses)})
}

// truncatedByHost reports whether a call was not run because the response hit the
// output limit. That is no fault of the call, and happens to a whole batch.
func truncatedByHost(text string) bool {
	return strings.HasPrefix(text, "Tool call ") && strings.HasSuffix(text, "Re-issue the tool call with complete arguments.")
}
