package guard

import (
	"strings"
	"testing"
)

const cutByPi = `Tool call "write" was not executed: the response hit the output token limit, so its arguments may be truncated. Re-issue the tool call with complete arguments.`

// batch tells of a response of so many calls that was cut off, and returns what the
// model reads of each.
func batch(s *Session, calls int) (told []string, end Decision) {
	s.TurnStart()
	for i := range calls {
		s.Write(Written{Channel: ChannelArguments, Block: i, Tool: "write", Text: `{"path":"a.txt","content":"One, two`})
	}
	s.MessageEnd()
	for range calls {
		x := Rejection{Call: Call{Tool: "write"}, Text: cutByPi}
		s.Rejected(x)
		told = append(told, s.Truncated(x).Text)
	}
	return told, s.TurnEnd()
}

func TestCallsThatWereCutOffAreToldOfInOtherWords(t *testing.T) {
	for _, name := range []string{"turns", "default"} {
		s := NewSession(preset(t, name))
		s.Prompt()
		told, end := batch(s, 3)
		for _, text := range told {
			if !strings.Contains(text, "call of write did not run") || !strings.Contains(text, "none of the 3 ran") || strings.Contains(text, "Re-issue") {
				t.Errorf("%s: %q", name, text)
			}
		}
		if !strings.Contains(told[0], "35 bytes into") || !strings.Contains(told[0], "will be cut off again") || !strings.Contains(told[0], "One call by itself") {
			t.Errorf("%s: %q", name, told[0])
		}
		if end.Abort != nil {
			t.Errorf("%s: %+v", name, end)
		}
		if one, _ := batch(s, 1); !strings.Contains(one[0], "35 bytes into the arguments of this call") || !strings.Contains(one[0], "response 2 of this prompt") {
			t.Errorf("%s: %q", name, one)
		}
	}
}

func TestWithoutWhatWasWrittenTheWordsAreStillTrue(t *testing.T) {
	s := NewSession(preset(t, "default"))
	s.TurnStart()
	text := s.Truncated(Rejection{Call: Call{Tool: "edit"}, Text: cutByPi}).Text
	if !strings.Contains(text, "before its end, so none of its calls ran") {
		t.Error(text)
	}
}

func TestTheThirdResponseThatWasCutOffEndsTheRun(t *testing.T) {
	s := NewSession(preset(t, "default"))
	for range 2 {
		s.Prompt() // a fresh start
		for n := 1; n <= 3; n++ {
			_, end := batch(s, 3)
			if (end.Abort != nil) != (n == 3) {
				t.Fatalf("response %d: %+v", n, end.Abort)
			}
			if n == 3 && (!strings.Contains(end.Abort.Told, "3 responses of one prompt hit the output limit") || !strings.Contains(end.Abort.Recovery, "small enough")) {
				t.Errorf("%+v", end.Abort)
			}
		}
	}
	s = NewSession(preset(t, "turns")) // that system has no such rule
	s.Prompt()
	for range 5 {
		if _, end := batch(s, 3); end.Abort != nil {
			t.Fatalf("%+v", end.Abort)
		}
	}
}

func TestOtherResultsOfTheHostStayAsTheyAre(t *testing.T) {
	for _, text := range []string{"Tool nosuch not found", `Validation failed for tool "edit":`, "Operation aborted", ""} {
		s := NewSession(preset(t, "default"))
		s.TurnStart()
		if d := s.Truncated(Rejection{Call: Call{Tool: "write"}, Text: text}); d.Text != "" {
			t.Errorf("%q: %q", text, d.Text)
		}
	}
	s := NewSession(preset(t, "window"))
	if d := s.Truncated(Rejection{Call: Call{Tool: "write"}, Text: cutByPi}); d.Text != "" {
		t.Errorf("window: %q", d.Text)
	}
	s = NewSession(preset(t, "default"))
	s.SetOn(false)
	if d := s.Truncated(Rejection{Call: Call{Tool: "write"}, Text: cutByPi}); d.Text != "" {
		t.Errorf("off: %q", d.Text)
	}
}
