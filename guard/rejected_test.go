package guard

import (
	"strings"
	"testing"
)

const schemaError = `Validation failed for tool "edit":` + "\n  - edits: missing\n\nReceived arguments:\n{}"

// reject tells of a turn with one rejected call and returns what came of it.
func (s *script) reject(tool, text string) string {
	s.TurnStart()
	said := "."
	if d := s.Rejected(Rejection{Tool: tool, Text: text}); d.Note != "" {
		said = "n"
	}
	end := s.TurnEnd()
	if end.Steer != "" {
		said = "s"
	}
	if end.Abort != nil {
		said = "E"
	}
	return said
}

func (s *script) rejectTimes(n int, tool string) (said string) {
	for range n {
		said += s.reject(tool, schemaError)
	}
	return said
}

func TestRejectedCalls(t *testing.T) {
	s := newScript(t, "default")
	s.want(s.rejectTimes(6, "edit"), "..nssE")

	s = newScript(t, "default")
	s.want(s.rejectTimes(2, "edit"), "..")
	s.want(s.turn("a=x"), "r") // another tool's success does not help
	s.want(s.rejectTimes(1, "edit"), "n")

	s = newScript(t, "default")
	s.want(s.rejectTimes(2, "bash"), "..")
	s.want(s.turn("a=x"), "r") // this tool's does
	s.want(s.rejectTimes(3, "bash"), "..n")

	s = newScript(t, "default")
	s.want(s.rejectTimes(5, "edit"), "..nss")
	s.Prompt()
	s.want(s.rejectTimes(3, "edit"), "..n")

	s = newScript(t, "default")
	for range 6 { // far apart in a long, healthy session
		s.want(s.rejectTimes(1, "edit"), ".")
		s.turns(changing(19, "a")...)
	}

	s = newScript(t, "window")
	s.want(s.rejectTimes(20, "edit"), strings.Repeat(".", 20))
}

func TestRejectedCallsOfOneTurnCountOnce(t *testing.T) {
	batch := func(s *script) (said string) {
		s.TurnStart()
		for range 20 {
			if s.Rejected(Rejection{Tool: "edit", Text: schemaError}).Note != "" {
				said += "n"
			}
		}
		if s.TurnEnd().Abort != nil {
			said += "E"
		}
		return said
	}
	s := newScript(t, "default")
	for i, want := range []string{"", "", "n", "", "", "E"} {
		if got := batch(s); got != want {
			t.Errorf("batch %d: %q, want %q", i+1, got, want)
		}
	}
}

func TestTruncatedCallsAreNotRejected(t *testing.T) {
	s := newScript(t, "default")
	for range 20 {
		s.want(s.reject("write", truncated), ".")
	}
}

const truncated = `Tool call "write" was not executed: the response hit the output token limit, so its arguments may be truncated. Re-issue the tool call with complete arguments.`

func TestCallsAfterAnAbortAreNotRejected(t *testing.T) {
	s := newScript(t, "default")
	for range 20 {
		s.want(s.reject("edit", "Operation aborted"), ".")
	}
}

func TestTheRemarkQuotesTheError(t *testing.T) {
	s := newScript(t, "default")
	var note string
	for range 3 {
		s.TurnStart()
		note = s.Rejected(Rejection{Tool: "edit", Text: schemaError}).Note
	}
	if !strings.Contains(note, `3 calls of edit`) || !strings.Contains(note, `Validation failed for tool "edit": - edits: missing`) || len(note) > 500 {
		t.Errorf("%q", note)
	}
}

func TestRejectedByHost(t *testing.T) {
	for text, want := range map[string]bool{
		schemaError: true,
		`Invalid arguments for tool "bash": Unterminated string`: true,
		"Tool nosuch not found":                                  true,
		truncated:                                                true,
		"bash: nosuch: command not found":                        false,
		"Tool nosuch not found, but":                             false,
		"":                                                       false,
	} {
		if got := RejectedByHost(text); got != want {
			t.Errorf("%.60q: %v", text, got)
		}
	}
}
