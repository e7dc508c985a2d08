package guard

import (
	"fmt"
	"strings"
	"testing"
)

const schemaError = `Validation failed for tool "edit":` + "\n  - edits: missing\n\nReceived arguments:\n{}"

// reject tells of a turn with one rejected call and returns what came of it.
func (s *script) reject(tool, text string) string {
	s.TurnStart()
	said := "."
	if d := s.Rejected(Rejection{Call: Call{Tool: tool, Input: []byte(`{}`)}, Text: text}); d.Note != "" {
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
			if s.Rejected(Rejection{Call: Call{Tool: "edit"}, Text: schemaError}).Note != "" {
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

func TestWhatAnotherExtensionRefusesCountsWhereTheCallsAreEqual(t *testing.T) {
	deny := func(s *script, command string) string {
		s.TurnStart()
		d := s.Rejected(Rejection{Call: Call{Tool: "bash", Input: fmt.Appendf(nil, `{"command":%q}`, command)}, Text: "The user said no."})
		end := s.TurnEnd()
		switch {
		case end.Abort != nil:
			return "E"
		case d.Note != "" || end.Steer != "":
			return "n"
		}
		return "."
	}
	s := newScript(t, "default")
	for i := range 30 {
		s.want(deny(s, fmt.Sprint("rm ", i)), ".")
	}
	s = newScript(t, "default")
	for _, want := range []string{".", ".", "n", "n", "n", "E"} {
		s.want(deny(s, "rm -rf /"), want)
		s.turn("ls=x") // another call of the tool is no acceptance of this one
	}
	// Without its input nothing is known of the call.
	s = newScript(t, "default")
	for range 30 {
		s.Rejected(Rejection{Call: Call{Tool: "bash"}, Text: "The user said no."})
		if s.TurnEnd().Abort != nil {
			t.Fatal("the run was ended")
		}
	}
}

func TestARejectedCallInTheRecoveryEndsItWithoutAWord(t *testing.T) {
	s := newScript(t, "default")
	s.want(s.rejectTimes(6, "edit"), "..nssE")
	s.TurnStart()
	s.Rejected(Rejection{Call: Call{Tool: "write"}, Text: schemaError})
	if end := s.TurnEnd(); end.Abort == nil || *end.Abort != (Abort{}) {
		t.Errorf("%+v", end)
	}
}

func TestTwoToolsAreBothHeard(t *testing.T) {
	s := newScript(t, "default")
	for range 3 {
		s.reject("edit", schemaError)
	}
	s.TurnStart()
	s.Rejected(Rejection{Call: Call{Tool: "edit"}, Text: schemaError})
	s.Rejected(Rejection{Call: Call{Tool: "write"}, Text: schemaError})
	if d := s.TurnEnd(); !strings.Contains(d.Steer, "edit") {
		t.Errorf("steer %q", d.Steer)
	}
}

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
		note = s.Rejected(Rejection{Call: Call{Tool: "edit"}, Text: schemaError}).Note
	}
	if !strings.Contains(note, `Calls of edit were rejected before they ran in 3 of your responses`) || !strings.Contains(note, `Validation failed for tool "edit": - edits: missing`) || len(note) > 500 {
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

func TestNamesOfToolsThatAreGuessed(t *testing.T) {
	s := newScript(t, DefaultPreset)
	var got string
	for i := range 6 {
		s.TurnStart()
		for range 2 { // a batch counts once
			s.calls++
			tool := fmt.Sprint("upload", s.calls)
			if d := s.Rejected(Rejection{Call: Call{ID: tool, Tool: tool, Input: []byte("{}")}, Text: "Tool " + tool + " not found"}); d.Note != "" {
				got += fmt.Sprint(i, "n ")
				if !strings.Contains(d.Note, "Calls of several tools were rejected before they ran in 3 of your responses") {
					t.Error(d.Note)
				}
			}
		}
		switch d := s.TurnEnd(); {
		case d.Abort != nil:
			got += fmt.Sprint(i, "E ")
		case d.Steer != "":
			got += fmt.Sprint(i, "s ")
		}
	}
	s.want(got, "2n 2n 3s 4s 5E ")
}
