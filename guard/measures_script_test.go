package guard

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// event is a call with its outcome, or a message of the user.
type event struct {
	User    bool           `json:"user,omitempty"`
	Tool    string         `json:"tool,omitempty"`
	Input   map[string]any `json:"input,omitempty"`
	Outcome outcomeOf      `json:"outcome"`
	Approve bool           `json:"approve,omitempty"`
	quirky  bool
}

// outcomeOf is how a call ends: ok, exit with a code, timeout, error, abort, status
// of a fetch, or text alone.
type outcomeOf struct {
	Kind string `json:"kind"`
	Code int    `json:"code"`
	Text string `json:"text"`
}

var ok = outcomeOf{Kind: "ok", Text: "done"}

func bash(command string, o outcomeOf) event {
	return event{Tool: "bash", Input: map[string]any{"command": command}, Outcome: o}
}

// play puts events through a session of the preset, each call a turn of its own. A
// call's code says what became of it: r it ran, A it ran as the user approved, D the
// user declined, b it was refused unasked, Ab in spite of his approval; then what the
// model was told with the result: F of failures, S to summarize, W of repeats.
func play(t *testing.T, events []event, change ...func(*Measures)) string {
	t.Helper()
	preset, _ := FindPreset("measures")
	for _, c := range change {
		c(&preset.Policy.Measures)
	}
	session := NewSession(preset.Policy)
	session.SetAttended(true)
	var codes []string
	for i, e := range events {
		if e.User {
			session.Prompt()
			codes = append(codes, "|")
			continue
		}
		session.TurnStart()
		input, err := json.Marshal(e.Input)
		if err != nil {
			t.Fatal(err)
		}
		id := fmt.Sprint(i)
		d, err := session.Call(Call{ID: id, Tool: e.Tool, Input: input})
		if err != nil {
			t.Fatal(err)
		}
		code := "r"
		if d.Ask != nil {
			answer := Declined
			code = "D"
			if e.Approve {
				answer, code = Approved, "A"
			}
			if d, err = session.Approve(d.Ask.ID, answer); err != nil {
				t.Fatal(err)
			}
			if d.Block && e.Approve {
				code = "Ab"
			}
		} else if d.Block {
			code = "b"
		}
		if !d.Block {
			isError, text := e.Outcome.inPi()
			note := session.Result(Result{ID: id, IsError: isError, Content: text1(text)}).Note
			for part := range strings.SplitSeq(note, remarkPrefix) {
				switch {
				case strings.Contains(part, "in a row"):
					code += "F"
				case strings.Contains(part, "write down"):
					code += "S"
				case strings.Contains(part, "repeating"):
					code += "W"
				}
			}
		}
		session.TurnEnd()
		codes = append(codes, code)
	}
	return strings.Join(codes, " ")
}

// inPi is how Pi tells of an outcome.
func (o outcomeOf) inPi() (isError bool, text string) {
	switch o.Kind {
	case "exit":
		return true, o.Text + fmt.Sprintf("\n\nCommand exited with code %d", o.Code)
	case "timeout":
		return true, o.Text + "\n\nCommand timed out after 1 seconds"
	case "abort":
		return true, o.Text + "\n\nCommand aborted"
	case "error":
		return true, o.Text
	case "background":
		return false, o.Text
	case "status":
		return false, fmt.Sprintf("Fetched https://x.example/ (HTTP %d)\n%s", o.Code, o.Text)
	}
	return false, o.Text
}
