package replay

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/loopbreaker/loopbreaker/bridge"
)

// Fixture is a recorded run: the calls that reached the hook, and what the
// guard must do about them.
type Fixture struct {
	Name     string   `json:"name"`
	Source   string   `json:"source"`
	Calls    []Call   `json:"calls"`
	Expected Expected `json:"expected"`
}

// Call is one tool call of a fixture.
type Call struct {
	ToolName string         `json:"toolName"`
	Input    jsontext.Value `json:"input"`
}

// Expected is what must be observed.
type Expected struct {
	Blocked *int `json:"blocked"`
	Entries *int `json:"entries"`
	// FirstBlock is the number of the first refused call, counted from 1, or
	// null. It must be stated.
	FirstBlock jsontext.Value `json:"firstBlock"`
}

// LoadFixture reads a fixture strictly: unknown members, wrong types and empty
// values are errors that name the field. What is expected may still be
// incomplete; Compare says so.
func LoadFixture(text []byte) (*Fixture, error) {
	var f Fixture
	if err := jsonv2.Unmarshal(text, &f, jsonv2.RejectUnknownMembers(true)); err != nil {
		return nil, fieldError(err)
	}
	switch {
	case f.Name == "":
		return nil, errors.New("name: missing or empty")
	case f.Source == "":
		return nil, errors.New("source: missing or empty; say where the recording comes from")
	case len(f.Calls) == 0:
		return nil, errors.New("calls: missing or empty")
	}
	for i, c := range f.Calls {
		switch {
		case c.ToolName == "":
			return nil, fmt.Errorf("calls[%d].toolName: missing or empty", i)
		case c.Input == nil:
			return nil, fmt.Errorf("calls[%d].input: missing", i)
		case c.Input.Kind() != '{':
			return nil, fmt.Errorf("calls[%d].input: must be an object", i)
		}
	}
	return &f, nil
}

// fieldError says which field a decoding error is about, as a.b[2].c.
func fieldError(err error) error {
	var semantic *jsonv2.SemanticError
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.As(err, &semantic) && errors.Is(err, jsonv2.ErrUnknownName):
		return fmt.Errorf("%s: unknown field", field(semantic.JSONPointer))
	case errors.As(err, &semantic):
		return fmt.Errorf("%s: wrong type, cannot be %s", field(semantic.JSONPointer), kindWord(semantic.JSONKind))
	case errors.Is(err, jsontext.ErrDuplicateName) && errors.As(err, &syntactic):
		return fmt.Errorf("%s: stated twice", field(syntactic.JSONPointer))
	case errors.As(err, &syntactic):
		return fmt.Errorf("not valid JSON at byte %d, in %s", syntactic.ByteOffset, field(syntactic.JSONPointer))
	}
	return err
}

func kindWord(k jsontext.Kind) string {
	switch k {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case 't', 'f':
		return "a boolean"
	}
	return "a " + k.String()
}

func field(p jsontext.Pointer) string {
	var b strings.Builder
	for token := range p.Tokens() {
		if _, err := strconv.Atoi(token); err == nil {
			fmt.Fprintf(&b, "[%s]", token)
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(token)
	}
	if b.Len() == 0 {
		return "the file"
	}
	return b.String()
}

// Play makes the fixture's calls on a fresh connection.
func (f *Fixture) Play(ctx context.Context, o bridge.Options) (Outcome, error) {
	outcome := Outcome{Name: f.Name}
	c := connect(ctx, o)
	if err := c.call(bridge.MethodInitialize, hello(), &bridge.InitializeResult{}); err != nil {
		return outcome, errors.Join(err, c.close())
	}
	for i, call := range f.Calls {
		// A fixture does not say which calls came in one response.
		if err := c.notify(bridge.MethodTurnStart); err != nil {
			return outcome, errors.Join(err, c.close())
		}
		var d bridge.Decision
		err := c.call(bridge.MethodToolCall, bridge.ToolCallParams{
			ToolCallID: strconv.Itoa(i + 1), ToolName: call.ToolName, Input: call.Input,
		}, &d)
		if err != nil {
			return outcome, errors.Join(fmt.Errorf("calls[%d]: %w", i, err), c.close())
		}
		outcome.count(d)
	}
	return outcome, c.close()
}

func hello() bridge.InitializeParams {
	return bridge.InitializeParams{Protocol: bridge.Protocol, Host: bridge.Peer{Name: "replay"}}
}

// Compare returns what in the outcome is not as expected, or what the fixture
// should state and does not; one sentence each.
func (f *Fixture) Compare(o Outcome) (faults []string) {
	count := func(field string, want *int, got int) {
		switch {
		case want == nil:
			faults = append(faults, fmt.Sprintf("expected.%s: missing; state a number (observed: %d)", field, got))
		case *want != got:
			faults = append(faults, fmt.Sprintf("expected.%s: %d, observed: %d", field, *want, got))
		}
	}
	count("blocked", f.Expected.Blocked, o.Blocked)
	count("entries", f.Expected.Entries, o.Entries)

	observed := "null"
	if o.FirstBlock != nil {
		observed = strconv.Itoa(*o.FirstBlock)
	}
	switch want := string(f.Expected.FirstBlock); {
	case want == "":
		faults = append(faults, fmt.Sprintf("expected.firstBlock: missing; state null or a positive integer (observed: %s)", observed))
	case want != "null" && !positive(want):
		faults = append(faults, fmt.Sprintf("expected.firstBlock: %s is neither null nor a positive integer", want))
	case want != observed:
		faults = append(faults, fmt.Sprintf("expected.firstBlock: %s, observed: %s", want, observed))
	}
	return faults
}

func positive(s string) bool {
	n, err := strconv.Atoi(s)
	return err == nil && n > 0
}
