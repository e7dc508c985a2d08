package bridge

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"
	"github.com/sourcegraph/jsonrpc2"

	"github.com/loopbreaker/loopbreaker/bridge/config"
	"github.com/loopbreaker/loopbreaker/canonical"
)

var options = Options{Flags: config.Flags{Preset: "window"}, Version: "test", Log: zerolog.Nop()}

const (
	hello = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocol":1}}`
	probe = `{"jsonrpc":"2.0","id":"probe","method":"tool/call","params":{"toolCallId":"1","toolName":"t","input":{}}}`
)

// closedBook is a connection on which all input is there from the start.
type closedBook struct {
	io.Reader
	bytes.Buffer
}

func (c *closedBook) Read(p []byte) (int, error) { return c.Reader.Read(p) }
func (c *closedBook) Close() error               { return nil }

// serve serves the given input and returns the answers, a line each.
func serve(t testing.TB, in io.Reader, o Options) []string {
	t.Helper()
	book := &closedBook{Reader: in}
	if err := Serve(context.Background(), book, o); err != nil {
		t.Fatalf("Serve: %v", err)
	}
	out := book.String()
	if out == "" {
		return nil
	}
	if !strings.HasSuffix(out, "\n") {
		t.Fatalf("the last line does not end: %q", out)
	}
	return strings.Split(strings.TrimSuffix(out, "\n"), "\n")
}

func lines(l ...string) io.Reader { return strings.NewReader(strings.Join(l, "\n") + "\n") }

// answers decodes answers to {id, code}.
type reply struct {
	ID     json.RawMessage `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func read(t testing.TB, line string) (r reply) {
	t.Helper()
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		t.Fatalf("the guard wrote %q: %v", line, err)
	}
	return r
}

func TestEveryLineHasItsAnswer(t *testing.T) {
	deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	// Each of these names has the same hash where characters are summed up as Java does.
	var alike, many []string
	for n := range 1 << 15 {
		bits := fmt.Sprintf("%015b", n)
		alike = append(alike, `"`+strings.NewReplacer("0", "Aa", "1", "BB").Replace(bits)+`":0`)
		many = append(many, fmt.Sprintf(`"%d":0`, n))
	}
	call := func(params string) string {
		return `{"jsonrpc":"2.0","id":7,"method":"tool/call","params":` + params + `}`
	}
	sha := strings.Repeat("ab", 32)
	tests := []struct {
		name, line string
		id         string // "" where no answer is due
		code       int    // 0 for a result
		says       string
	}{
		{"a request", call(`{"toolCallId":"1","toolName":"t","input":{}}`), `7`, 0, `{}`},
		{"members in another order", `{"params":{"input":{},"toolName":"t","toolCallId":"1"},"id":7,"method":"tool/call","jsonrpc":"2.0"}`, `7`, 0, `{}`},
		{"blanks", ` { "jsonrpc" : "2.0" , "id" : 7 , "method" : "tool/call" , "params" : { "toolCallId" : "1" , "toolName" : "t" , "input" : { } } } ` + "\r", `7`, 0, `{}`},
		{"escaped names", `{"jsonrpc":"2.0","id":7,"m\u0065thod":"tool\/call","p\u0061rams":{"toolCallId":"1","toolName":"t","\u0069nput":{}}}`, `7`, 0, `{}`},
		{"unknown members", `{"jsonrpc":"2.0","id":7,"meta":[1],"method":"tool/call","params":{"toolCallId":"1","toolName":"t","input":{},"new":{"a":[]}}}`, `7`, 0, `{}`},
		{"a string id", `{"jsonrpc":"2.0","id":"\u00e9\"","method":"shutdowns"}`, `"\u00e9\""`, -32601, "shutdowns"},
		{"a negative id", `{"jsonrpc":"2.0","id":-1,"method":"x"}`, `-1`, -32601, "x"},
		{"a fractional id", `{"jsonrpc":"2.0","id":1.50,"method":"x"}`, `1.50`, -32601, "x"},
		{"a huge id", `{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"x"}`, `123456789012345678901234567890`, -32601, "x"},
		{"a null id", `{"jsonrpc":"2.0","id":null,"method":"x"}`, `null`, -32601, "x"},
		{"a notification", `{"jsonrpc":"2.0","method":"tool/call","params":{"toolCallId":"1","toolName":"t","input":{}}}`, ``, 0, ""},
		{"a notification of an unknown method", `{"jsonrpc":"2.0","method":"x"}`, ``, 0, ""},
		{"an answer to nothing", `{"jsonrpc":"2.0","id":7,"result":{}}`, ``, 0, ""},
		{"an error to nobody", `{"jsonrpc":"2.0","id":{},"error":[]}`, ``, 0, ""},

		{"rubbish", `hello`, `null`, -32700, "not valid JSON"},
		{"an empty line", ``, `null`, -32700, ""},
		{"half a line", `{"jsonrpc":"2.0","id":7,"meth`, `null`, -32700, ""},
		{"two on a line", `{}{}`, `null`, -32700, ""},
		{"a trailing comma", `{"jsonrpc":"2.0","id":7,"method":"x",}`, `null`, -32700, ""},
		{"no colon", `{"jsonrpc" "2.0"}`, `null`, -32700, ""},
		{"brackets that do not match", `{"jsonrpc":"2.0","id":7,"method":"x","params":[}`, `null`, -32700, ""},
		{"bad JSON beside another fault", `{"":"","":{{}}}`, `null`, -32700, ""},
		{"bad JSON in params of another version", `{"jsonrpc":"1.0","id":7,"method":"x","params":{"a":nul}}`, `null`, -32700, ""},
		{"bad JSON in an answer to nothing", `{"jsonrpc":"2.0","id":7,"result":1,"params":{"a":nul}}`, `null`, -32700, ""},
		{"bad JSON in params", call(`{"toolCallId":"1","toolName":"t",}`), `7`, -32700, ""},
		{"bad JSON in input", call(`{"toolCallId":"1","toolName":"t","input":{"a":nul}}`), `7`, -32700, ""},
		{"bad JSON in input after another fault", call(`{"toolCallId":"1","toolName":"t","input":{"a":1,"a":nul}}`), `7`, -32700, ""},
		{"bad JSON in params of an unknown method", `{"jsonrpc":"2.0","id":7,"method":"x","params":{"a":nul}}`, `7`, -32700, ""},
		{"bad JSON in the input of a rejected call", `{"jsonrpc":"2.0","id":7,"method":"tool/rejected","params":{"toolName":"t","text":"x","input":{"a":nul}}}`, `7`, -32700, ""},
		{"bad JSON in a past call", `{"jsonrpc":"2.0","id":7,"method":"session/restore","params":{"events":[{"type":"call","input":{"a":nul}}]}}`, `7`, -32700, ""},
		{"bad JSON in a notification", `{"jsonrpc":"2.0","method":"tool/call","params":{"a":nul}}`, `null`, -32700, ""},
		{"not UTF-8", "\xff\xfe", `null`, -32700, ""},

		{"a number", `42`, `null`, -32600, "one object"},
		{"a batch", `[` + probe + `]`, `null`, -32600, "batches"},
		{"no version", `{"id":7,"method":"x"}`, `null`, -32600, "jsonrpc"},
		{"another version", `{"jsonrpc":"1.0","id":7,"method":"x"}`, `null`, -32600, "jsonrpc"},
		{"no method", `{"jsonrpc":"2.0","id":7}`, `null`, -32600, "method"},
		{"a method that is no string", `{"jsonrpc":"2.0","id":7,"method":7}`, `null`, -32600, "method"},
		{"an id that is an object", `{"jsonrpc":"2.0","id":{},"method":"x"}`, `null`, -32600, "id"},
		{"two ids", `{"jsonrpc":"2.0","id":1,"id":2,"method":"x"}`, `null`, -32600, "twice"},
		{"two params", `{"jsonrpc":"2.0","id":1,"method":"x","params":{},"par\u0061ms":{}}`, `null`, -32600, "params"},
		{"a method with a lone surrogate", `{"jsonrpc":"2.0","id":7,"method":"\ud800"}`, `7`, -32601, ""},
		{"a method that is not UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"\xff\"}", `7`, -32601, ""},

		{"initialize again", strings.Replace(hello, `"hello"`, `7`, 1), `7`, -32600, "already open"},
		{"no params", `{"jsonrpc":"2.0","id":7,"method":"tool/call"}`, `7`, -32602, "params: must be an object"},
		{"params in an array", call(`[]`), `7`, -32602, "params: must be an object"},
		{"no toolCallId", call(`{"toolName":"t","input":{}}`), `7`, -32602, "params/toolCallId"},
		{"no toolName", call(`{"toolCallId":"1","input":{}}`), `7`, -32602, "params/toolName"},
		{"no input", call(`{"toolCallId":"1","toolName":"t"}`), `7`, -32602, "params/input"},
		{"two inputs", call(`{"toolCallId":"1","toolName":"t","input":{},"input":{}}`), `7`, -32602, "params/input"},
		{"two toolNames", call(`{"toolCallId":"1","toolName":"t","toolName":"t","input":{}}`), `7`, -32602, "params/toolName"},
		{"a toolName of the wrong type", call(`{"toolCallId":"1","toolName":{},"input":{}}`), `7`, -32602, "params/toolName: must be a string"},
		{"a toolName with a lone surrogate", call(`{"toolCallId":"1","toolName":"\ud800","input":{}}`), `7`, -32602, "params"},
		{"both input and uncountable", call(`{"toolCallId":"1","toolName":"t","input":{},"uncountable":"x"}`), `7`, -32602, "params/uncountable"},
		{"an elided text of the wrong type", call(`{"toolCallId":"1","toolName":"t","input":null,"elided":[{"at":"","sha256":"` + sha + `","length":"5000"}]}`), `7`, -32602, "params/elided/0/length: must be an integer"},
		{"an elided text that is short", call(`{"toolCallId":"1","toolName":"t","input":null,"elided":[{"at":"","sha256":"` + sha + `","length":4096}]}`), `7`, -32602, "params/elided/0/length"},
		{"a digest that is none", call(`{"toolCallId":"1","toolName":"t","input":null,"elided":[{"at":"","sha256":"abc","length":5000}]}`), `7`, -32602, "params/elided/0/sha256: want 64"},
		{"an elided text in no place", call(`{"toolCallId":"1","toolName":"t","input":{},"elided":[{"at":"/a","sha256":"` + sha + `","length":5000}]}`), `7`, -32602, "params/elided"},

		{"an elided text", call(`{"toolCallId":"1","toolName":"t","input":{"a":null},"elided":[{"at":"/a","sha256":"` + sha + `","length":5000,"head":"h","tail":"t"}]}`), `7`, 0, `{}`},
		{"an uncountable call", call(`{"toolCallId":"1","toolName":"t","uncountable":"a Date"}`), `7`, 0, `{}`},
		{"duplicate names in the input of a rejected call", `{"jsonrpc":"2.0","id":7,"method":"tool/rejected","params":{"toolName":"t","text":"x","input":{"a":1,"a":2}}}`, `7`, 0, `{}`},
		{"duplicate names in the input", call(`{"toolCallId":"1","toolName":"t","input":{"a":1,"a":2}}`), `7`, 0, `{}`},
		{"a lone surrogate in the input", call(`{"toolCallId":"1","toolName":"t","input":{"a":"\ud800"}}`), `7`, 0, `{}`},
		{"an infinite number in the input", call(`{"toolCallId":"1","toolName":"t","input":{"a":1e400}}`), `7`, 0, `{}`},
		{"nesting of 100,000 in the input", call(`{"toolCallId":"1","toolName":"t","input":{"a":` + deep + `}}`), `7`, 0, `{}`},
		{"a flood of names in the input", call(`{"toolCallId":"1","toolName":"t","input":{` + strings.Join(many, ",") + `}}`), `7`, 0, `{}`},
		{"a flood of names with one hash in the input", call(`{"toolCallId":"1","toolName":"t","input":{` + strings.Join(alike, ",") + `}}`), `7`, 0, `{}`},
		{"a flood of names with one hash elsewhere", `{"jsonrpc":"2.0","id":7,"method":"x",` + strings.Join(alike, ",") + `}`, `7`, -32601, "x"},
		{"nesting of 100,000 elsewhere", `{"jsonrpc":"2.0","id":7,"method":"tool/call","params":{"toolCallId":"1","toolName":"t","input":` + deep + `}}`, `7`, 0, `{}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := serve(t, lines(hello, tt.line, probe), options)
			if first, last := read(t, got[0]), read(t, got[len(got)-1]); string(first.ID) != `"hello"` || string(last.ID) != `"probe"` || last.Result == nil {
				t.Fatalf("the connection did not live on: %q", got)
			}
			got = got[1 : len(got)-1]
			if tt.id == "" {
				if len(got) > 0 {
					t.Errorf("answered %q, no answer is due", got)
				}
				return
			}
			if len(got) != 1 {
				t.Fatalf("%d answers: %q", len(got), got)
			}
			r := read(t, got[0])
			if string(r.ID) != tt.id || r.Error.Code != tt.code || !strings.Contains(r.Error.Message+string(r.Result), tt.says) {
				t.Errorf("answered %s; want id %s, code %d, saying %q", got[0], tt.id, tt.code, tt.says)
			}
		})
	}
}

func TestInitialize(t *testing.T) {
	got := serve(t, lines(
		probe,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":2}}`,
		`{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocol":"1"}}`,
		`{"jsonrpc":"2.0","id":3,"method":"initialize"}`,
		`{"jsonrpc":"2.0","id":4,"method":"initialize","params":{"protocol":1,"host":{"name":"pi","version":"1.6.0"},"mode":"tui","hasUI":true}}`,
		probe), options)
	for i, code := range []int{CodeNotInitialized, CodeProtocol, -32602, CodeProtocol, 0, 0} {
		if r := read(t, got[i]); r.Error.Code != code {
			t.Errorf("answer %d: %s, want code %d", i, got[i], code)
		}
	}
	want := `{"protocol":1,"server":{"name":"loopbreaker","version":"test"},"preset":"window","forward":["prompt","turn/start","turn/end","tool/call","tool/result","tool/rejected","compact","session/restore"],"commands":["status","why","measures","off","on","reset","settings","set","unset","help","preset default","preset window","preset streak","preset turns","preset measures","preset risk"]}`
	if r := read(t, got[4]); string(r.Result) != want {
		t.Errorf("initialize gave %s", r.Result)
	}
}

func TestTheSixthCallIsRefusedOnTheWire(t *testing.T) {
	in := []string{hello}
	for range 7 {
		in = append(in, probe)
	}
	got := serve(t, lines(in...), options)
	for i := 1; i <= 5; i++ {
		if r := read(t, got[i]); string(r.Result) != `{}` {
			t.Errorf("call %d: %s", i, got[i])
		}
	}
	for i, want := range []string{
		`"why":{"rule":"window","stage":"block","tool":"t","count":5,"limit":5,"window":20},"entries":[{"customType":"loop_broken","data":{"tool":"t","repeats":5,"blockedSoFar":1}}]`,
		`"entries":[{"customType":"loop_broken","data":{"tool":"t","repeats":5,"blockedSoFar":2}}]`,
	} {
		r := read(t, got[6+i])
		if !strings.HasPrefix(string(r.Result), `{"block":true,"reason":"`) || !strings.Contains(string(r.Result), want) {
			t.Errorf("call %d: %s, want %s", 6+i, r.Result, want)
		}
	}
}

func TestShutdownEndsTheConnection(t *testing.T) {
	got := serve(t, lines(hello, `{"jsonrpc":"2.0","id":1,"method":"shutdown"}`, probe), options)
	if len(got) != 2 || string(read(t, got[1]).Result) != `{}` {
		t.Errorf("answers %q; want one to hello, one to shutdown", got)
	}
}

func TestTheLastLineNeedsNoEnd(t *testing.T) {
	if got := serve(t, strings.NewReader(hello), options); len(got) != 1 || read(t, got[0]).Result == nil {
		t.Errorf("answers %q", got)
	}
	if got := serve(t, strings.NewReader(""), options); got != nil {
		t.Errorf("answers to nothing: %q", got)
	}
}

func TestLongLines(t *testing.T) {
	text := func(n int) string { return strings.Repeat("x", n) }
	line := func(n int) string {
		head, tail := `{"jsonrpc":"2.0","id":1,"method":"tool/call","params":{"toolCallId":"1","toolName":"t","input":"`, `"}}`
		return head + text(n-len(head)-len(tail)) + tail
	}
	for _, tt := range []struct {
		name string
		n    int
		id   string
		code int
	}{
		{"as long as the reader's buffer", readBuffer - 1, "1", 0},
		{"with its end, as long as the reader's buffer", readBuffer, "1", 0},
		{"longer than the reader's buffer", 3*readBuffer + 1, "1", 0},
		{"as long as can be", MaxLine, "1", 0},
		{"one byte too long", MaxLine + 1, "null", -32600},
		{"far too long", 2*MaxLine + readBuffer, "null", -32600},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := serve(t, lines(hello, line(tt.n), probe), options)
			if len(got) != 3 {
				t.Fatalf("%d answers: %.200q", len(got), got)
			}
			if r := read(t, got[1]); string(r.ID) != tt.id || r.Error.Code != tt.code {
				t.Errorf("answered %s", got[1])
			}
		})
	}
	t.Run("too long, and the last", func(t *testing.T) {
		got := serve(t, strings.NewReader(hello+"\n"+line(MaxLine+10)), options)
		if len(got) != 2 || read(t, got[1]).Error.Code != -32600 {
			t.Errorf("answers %.200q", got)
		}
	})
}

func TestInputMayComeInAnyPieces(t *testing.T) {
	want := serve(t, lines(hello, probe, "rubbish", probe), options)
	for name, pieces := range map[string]func(io.Reader) io.Reader{
		"byte by byte": iotest.OneByteReader, "in halves": iotest.HalfReader, "with its end": iotest.DataErrReader,
	} {
		if got := serve(t, pieces(lines(hello, probe, "rubbish", probe)), options); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestAReadErrorIsReturned(t *testing.T) {
	broken := errors.New("the pipe burst")
	err := Serve(context.Background(), &closedBook{Reader: io.MultiReader(lines(hello), iotest.ErrReader(broken))}, options)
	if !errors.Is(err, broken) {
		t.Errorf("Serve returned %v", err)
	}
}

// deafHost accepts no bytes.
type deafHost struct{ closedBook }

func (*deafHost) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestAHostThatDoesNotReadEndsTheSession(t *testing.T) {
	in := io.MultiReader(lines(hello), readerFunc(func([]byte) (int, error) {
		t.Error("the guard read on")
		return 0, io.EOF
	}))
	if err := Serve(context.Background(), &deafHost{closedBook{Reader: in}}, options); err != nil {
		t.Errorf("Serve: %v", err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestTheContextEndsTheConnection(t *testing.T) {
	host, end := net.Pipe()
	defer host.Close()
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error)
	go func() { served <- Serve(ctx, end, options) }()
	fmt.Fprintln(host, hello)
	if _, err := bufio.NewReader(host).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	cancel()
	select {
	case err := <-served:
		if err != nil {
			t.Errorf("Serve: %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("Serve did not return")
	}
}

// The library's own client, on its own stream, is a host like any other.
func TestTheLibrarysClientIsUnderstood(t *testing.T) {
	host, end := net.Pipe()
	go Serve(context.Background(), end, options)
	conn := jsonrpc2.NewConn(context.Background(), jsonrpc2.NewPlainObjectStream(host), nil)
	defer conn.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()

	var opened InitializeResult
	if err := conn.Call(ctx, MethodInitialize, map[string]int{"protocol": Protocol}, &opened); err != nil || opened.Preset != "window" {
		t.Fatalf("%+v, %v", opened, err)
	}
	for i := 1; i <= 6; i++ {
		var d Decision
		if err := conn.Call(ctx, MethodToolCall, map[string]any{"toolCallId": "1", "toolName": "t", "input": map[string]any{"<&>": i < 0}}, &d); err != nil {
			t.Fatal(err)
		}
		if d.Block != (i == 6) {
			t.Errorf("call %d: %+v", i, d)
		}
	}
	var e *jsonrpc2.Error
	if err := conn.Call(ctx, "nope", nil, nil); !errors.As(err, &e) || e.Code != jsonrpc2.CodeMethodNotFound {
		t.Errorf("an unknown method: %v", err)
	}
}

func TestAPanicIsAnError(t *testing.T) {
	methods["test/panic"] = method{handle: func(*server, []byte) (any, *fault) { panic("oops") }}
	defer delete(methods, "test/panic")
	got := serve(t, lines(hello, `{"jsonrpc":"2.0","id":1,"method":"test/panic"}`, probe), options)
	if r := read(t, got[1]); r.Error.Code != jsonrpc2.CodeInternalError || string(r.ID) != "1" {
		t.Errorf("answered %s", got[1])
	}
	if r := read(t, got[2]); string(r.Result) != `{}` {
		t.Errorf("then %s", got[2])
	}
}

// FuzzServe puts any line between two good ones: each has the answer that is
// due, and the connection lives on.
func FuzzServe(f *testing.F) {
	for _, line := range []string{
		probe, hello, "", "{}", "[]", "rubbish", `{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":[}}`,
		`{"jsonrpc":"2.0","id":-1.5e3,"method":"tool/call","params":{"toolCallId":"1","toolName":"t","input":{"a":"\ud800"},"elided":[]}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tool/rejected","params":{"toolName":"t","text":"x","input":{"a":[1]}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tool/result","params":{"toolCallId":"1","content":[{"type":"text","text":"x"}]}}`,
		`{"jsonrpc":"2.0","id":1,"method":"session/restore","params":{"events":[{"type":"turn"},{"type":"call","toolCallId":"1","toolName":"t","input":{}},{"type":"result","toolCallId":"1","content":[]}]}}`,
		`{"jsonrpc":"2.0","id":1,"method":"command","params":{"args":"off"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"settings/set","params":{"path":"window.block","value":"1"}}`, `{"jsonrpc":"2.0","id":1,"method":"settings","params":{}}`,
		`{"jsonrpc":"2.0","m\u0065thod":"shutdown","id":null}`, `{"jsonrpc":"2.0","id":1,"result":null}`, "\xff", `{"a":"\"}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if bytes.IndexByte(line, '\n') >= 0 || bytes.Count(line, []byte("["))+bytes.Count(line, []byte("{")) > canonical.MaxDepth {
			t.Skip("more than one line, or nested so deeply that it may not be read to its end")
		}
		got := serve(t, lines(hello, string(line), probe), options)
		var m struct {
			Version string         `json:"jsonrpc"`
			ID      jsontext.Value `json:"id"`
			Method  *string        `json:"method"`
		}
		// Not encoding/json: to it "iD" is an id.
		understood := jsonv2.Unmarshal(line, &m, lenient) == nil && m.Version == "2.0" && m.Method != nil
		if understood && *m.Method == MethodShutdown && len(got) <= 2 {
			return
		}
		if last := read(t, got[len(got)-1]); string(last.ID) != `"probe"` || last.Result == nil {
			t.Fatalf("%q ended the connection: %q", line, got)
		}
		got = got[1 : len(got)-1]
		switch {
		case len(got) > 1:
			t.Fatalf("%q has %d answers: %q", line, len(got), got)
		case !json.Valid(line):
			if len(got) != 1 || read(t, got[0]).Error.Code != jsonrpc2.CodeParseError {
				t.Fatalf("%q is not JSON, and is answered %q", line, got)
			}
		case len(got) == 1:
			if r := read(t, got[0]); r.Error.Code == jsonrpc2.CodeParseError {
				t.Fatalf("%q is JSON, and is answered %q", line, got)
			}
		case understood && m.ID != nil:
			t.Fatalf("%q has no answer", line)
		}
	})
}
