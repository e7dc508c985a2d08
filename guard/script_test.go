package guard

import (
	"fmt"
	"strings"
	"testing"

	"github.com/loopbreaker/loopbreaker/canonical"
)

// script drives a session in a test. It makes calls, gives their results, and
// writes down what was decided.
type script struct {
	t *testing.T
	*Session
	calls int
}

func newScript(t *testing.T, preset string, change ...func(*Policy)) *script {
	t.Helper()
	p, ok := FindPreset(preset)
	if !ok {
		t.Fatalf("no preset %q", preset)
	}
	for _, c := range change {
		c(&p.Policy)
	}
	return &script{t: t, Session: NewSession(p.Policy)}
}

// call makes a bash call of the command, without a result.
func (s *script) call(command string) (id string, d Decision) {
	s.t.Helper()
	s.calls++
	id = fmt.Sprint(s.calls)
	d, err := s.Call(Call{ID: id, Tool: "bash", Input: fmt.Appendf(nil, `{"command":%q}`, command)})
	if err != nil {
		s.t.Fatal(err)
	}
	return id, d
}

func (s *script) result(id, text string) Decision {
	return s.Result(Result{ID: id, Content: text1(text)})
}

func text1(text string) []canonical.Block {
	return []canonical.Block{{Data: []byte(text)}}
}

// turn is one response with the calls, each written "command=result". It returns
// a letter a call: r ran, n ran and its result got a note, b was blocked, and E
// at the end where the run was ended.
func (s *script) turn(calls ...string) string {
	s.t.Helper()
	s.TurnStart()
	letters := make([]byte, len(calls))
	ids := make([]string, len(calls))
	for i, c := range calls {
		command, _, _ := strings.Cut(c, "=")
		id, d := s.call(command)
		ids[i], letters[i] = id, 'r'
		if d.Block {
			letters[i] = 'b'
		}
	}
	for i, c := range calls {
		if _, text, _ := strings.Cut(c, "="); letters[i] == 'r' {
			if s.result(ids[i], text).Note != "" {
				letters[i] = 'n'
			}
		}
	}
	if s.TurnEnd().Abort != nil {
		return string(letters) + "E"
	}
	return string(letters)
}

// turns plays turns of one call each.
func (s *script) turns(calls ...string) string {
	s.t.Helper()
	var b strings.Builder
	for _, c := range calls {
		b.WriteString(s.turn(c))
	}
	return b.String()
}

func times(n int, call string) (calls []string) {
	for range n {
		calls = append(calls, call)
	}
	return calls
}

// changing is a call whose result is different each time, and not only by its
// numbers.
func changing(n int, command string) (calls []string) {
	for i := range n {
		calls = append(calls, fmt.Sprintf("%s=%c%c", command, 'a'+i/26, 'a'+i%26))
	}
	return calls
}

func (s *script) want(got, want string) {
	s.t.Helper()
	if got != want {
		s.t.Errorf("got %s, want %s", got, want)
	}
}
