package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/loopbreaker/loopbreaker/bridge"
	"github.com/loopbreaker/loopbreaker/bridge/config"
)

// Trace is one traced connection: what the host said, and what the guard
// answered.
type Trace struct {
	Name    string
	host    [][]byte          // its lines, byte for byte
	methods map[string]string // method by id of the request
	answers []answer          // the guard's, but for those to nobody
	traced  config.Flags      // what the session was configured with
}

// LoadTraces reads a trace file. Connections that are traced to one file are told
// apart by their session; without one, a connection begins with each initialize.
func LoadTraces(name string, text []byte) ([]*Trace, error) {
	var traces []*Trace
	current := map[string]*Trace{}
	for n, line := range bytes.Split(text, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var l bridge.TraceLine
		if err := jsonv2.Unmarshal(line, &l, lenient, jsonv2.RejectUnknownMembers(true)); err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, fieldError(err))
		}
		var m struct {
			ID     jsontext.Value `json:"id"`
			Method string         `json:"method"`
		}
		_ = jsonv2.Unmarshal(l.Message, &m, lenient) // what is no message has neither
		t := current[l.Session]
		if t == nil || l.Session == "" && l.From == "host" && m.Method == bridge.MethodInitialize {
			t = &Trace{Name: name, methods: map[string]string{}}
			if len(traces) > 0 {
				t.Name = fmt.Sprintf("%s#%d", name, len(traces)+1)
			}
			current[l.Session] = t
			traces = append(traces, t)
		}
		switch l.From {
		case "host":
			t.methods[string(m.ID)] = m.Method
			if !ofTools(m.Method) {
				t.host = append(t.host, said(l))
			}
		case "guard":
			if a, ok := toSomebody(l.Message); ok && !ofTools(t.methods[string(a.ID)]) {
				t.answers = append(t.answers, a)
				t.configured(a)
			}
		default:
			return nil, fmt.Errorf(`line %d: from: must be "host" or "guard"`, n+1)
		}
	}
	return traces, nil
}

// ofTools reports whether a message is about a tool that runs in the guard. It
// bears on no decision, and a replay must not do again what was done in the world.
func ofTools(method string) bool {
	return method == bridge.MethodToolRun || method == bridge.MethodToolCancel
}

var lenient = jsonv2.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// configured takes the settings out of the answer to initialize.
func (t *Trace) configured(a answer) {
	if t.methods[string(a.ID)] != bridge.MethodInitialize {
		return
	}
	var opened bridge.InitializeResult
	if jsonv2.Unmarshal(a.Result, &opened) == nil {
		t.traced = config.Flags{Preset: opened.Preset, Set: opened.Settings}
	}
}

// said returns a traced line as it went over the wire. Of one that was too long
// nothing is left; an empty line takes its place, and is answered with an error
// to nobody, as it was.
func said(l bridge.TraceLine) []byte {
	switch {
	case l.Message != nil:
		return l.Message
	case l.Bytes != nil:
		return l.Bytes
	}
	return []byte(l.Text)
}

// toSomebody reads an answer that names its request.
func toSomebody(line []byte) (a answer, ok bool) {
	err := jsonv2.Unmarshal(line, &a)
	return a, err == nil && a.ID != nil && a.ID.Kind() != 'n'
}

// Play says to a fresh guard what the host said, byte for byte. It returns what
// the guard decides now, and a sentence for each answer that differs from the
// traced one. Without flags in o the guard goes by what was in force then; a
// setting that was changed during the session is not known, and shows.
func (t *Trace) Play(ctx context.Context, o bridge.Options) (outcome Outcome, faults []string, err error) {
	outcome.Name = t.Name
	if f := o.Flags; f.Preset == "" && f.Config == "" && len(f.Set) == 0 {
		o.Flags = t.traced
	}
	c := connect(ctx, o)
	sent := make(chan error, 1)
	go func() { sent <- t.say(c) }()

	n := 0
	for {
		line, err := c.receive()
		if err != nil {
			break // the guard has ended
		}
		now, ok := toSomebody(line)
		if !ok {
			continue
		}
		if now.Error == nil {
			d := now.decision()
			if t.methods[string(now.ID)] == bridge.MethodToolCall {
				outcome.Calls++
			}
			outcome.decided(outcome.Calls, d)
			if at := outcome.Calls; d.Abort != nil && outcome.EndedAt == nil {
				outcome.EndedAt = &at
			}
		}
		if n < len(t.answers) {
			if fault := t.compare(t.answers[n], now); fault != "" {
				faults = append(faults, fault)
			}
		}
		n++ // a trace may break off before the last answer
	}
	if n < len(t.answers) {
		faults = append(faults, fmt.Sprintf("%d answers were traced, the guard gives %d", len(t.answers), n))
	}
	return outcome, faults, errors.Join(<-sent, <-c.served)
}

func (t *Trace) say(c *connection) error {
	for _, line := range t.host {
		if err := c.send(line); errors.Is(err, io.ErrClosedPipe) {
			break // after shutdown the guard reads no more
		} else if err != nil {
			return err
		}
	}
	return c.out.Close()
}

// compare says how two answers differ, or nothing. The answer to initialize
// names the program, not a decision; what the user is told depends on the
// machine.
func (t *Trace) compare(then, now answer) string {
	id := string(then.ID)
	switch {
	case string(now.ID) != id:
		return fmt.Sprintf("traced an answer to %s, got one to %s", id, now.ID)
	case t.methods[id] == bridge.MethodInitialize:
		return ""
	case code(then) != code(now):
		return fmt.Sprintf("%s %s: traced error %d, now %d", t.methods[id], id, code(then), code(now))
	case !reflect.DeepEqual(t.decided(then), t.decided(now)):
		return fmt.Sprintf("%s %s: traced %s, now %s", t.methods[id], id, then.Result, now.Result)
	}
	return ""
}

// decided is what of an answer is the guard's decision. What a person reads who
// gives a command or looks at the settings also tells of files on the machine.
func (t *Trace) decided(a answer) bridge.Decision {
	d := a.decision()
	switch t.methods[string(a.ID)] {
	case bridge.MethodCommand, bridge.MethodSettings, bridge.MethodSettingsSet:
		d.Text = ""
	}
	return d
}

func code(a answer) int {
	if a.Error == nil {
		return 0
	}
	return a.Error.Code
}

// decision reads the answer as one; an error decides nothing.
func (a answer) decision() (d bridge.Decision) {
	if err := jsonv2.Unmarshal(a.Result, &d); err != nil {
		return bridge.Decision{}
	}
	d.Notify = nil
	return d
}
