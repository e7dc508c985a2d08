package bridge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/loopbreaker/loopbreaker/guard"
)

// fetching opens a session that may fetch from a server on this machine.
func fetching(t *testing.T, o Options, settings ...string) (h *host, workspace string, opened InitializeResult) {
	t.Helper()
	o.Flags.Set = append([]string{"fetch.enabled=true", "fetch.allowPrivateHosts=127.0.0.1"}, settings...)
	h, workspace = newHost(t, o), t.TempDir()
	opened = h.open(fmt.Sprintf(`{"protocol":1,"cwd":%q}`, workspace))
	return h, workspace, opened
}

// say sends a line and does not wait for an answer.
func (h *host) say(format string, args ...any) { fmt.Fprintf(h.conn, format+"\n", args...) }

// hear reads the next answer.
func (h *host) hear() (id string, result ToolRunResult, problem string) {
	h.t.Helper()
	line, err := h.in.ReadString('\n')
	if err != nil {
		h.t.Fatal(err)
	}
	r := read(h.t, line)
	if r.Result != nil {
		if err := json.Unmarshal(r.Result, &result); err != nil {
			h.t.Fatalf("%s: %v", line, err)
		}
	}
	return string(r.ID), result, r.Error.Message
}

func run1(id int, call, url string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tool/run","params":{"toolCallId":%q,"toolName":"web_fetch_file","input":{"url":%q}}}`, id, call, url)
}

// holding serves files that begin and do not end before they are let go.
type holding struct {
	*httptest.Server
	begun  chan string
	letGo  chan struct{}
	broken chan string
}

func newHolding(t *testing.T) holding {
	h := holding{begun: make(chan string, 100), letGo: make(chan struct{}), broken: make(chan string, 100)}
	h.Server = httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		io.WriteString(out, "begun ")
		out.(http.Flusher).Flush()
		h.begun <- in.URL.Path
		select {
		case <-h.letGo:
			io.WriteString(out, "ended")
		case <-in.Context().Done():
			h.broken <- in.URL.Path
		}
	}))
	t.Cleanup(h.Close)
	return h
}

// left are the files of a workspace.
func left(t *testing.T, workspace string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(workspace, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestToolsAreOfferedWhereTheyAreSwitchedOn(t *testing.T) {
	_, _, opened := fetching(t, options)
	if len(opened.Tools) != 1 || opened.Tools[0].Name != guard.FetchTool {
		t.Errorf("%+v", opened.Tools)
	}
	for _, schema := range [][]byte{opened.Tools[0].Parameters, opened.Tools[0].OutputSchema} {
		if !json.Valid(schema) {
			t.Errorf("%s", schema)
		}
	}
	replayed := options
	replayed.NoFiles = true
	for name, h := range map[string]*host{"off": newHost(t, options), "a replay": newHost(t, replayed)} {
		opened := h.open(`{"protocol":1,"cwd":"/project"}`)
		if opened.Tools != nil {
			t.Errorf("%s: %+v", name, opened.Tools)
		}
		h.say(run1(5, "c", "http://127.0.0.1/"))
		if _, _, problem := h.hear(); problem != "params/toolName: no tool of that name is offered" {
			t.Errorf("%s: %q", name, problem)
		}
	}
}

func TestAFetchOverTheWire(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		out.Header().Set("Content-Type", "text/plain")
		out.WriteHeader(418)
		io.WriteString(out, "short and stout")
	}))
	defer server.Close()
	h, workspace, _ := fetching(t, options, "fetch.outputDir=data/web")
	h.say(`{"jsonrpc":"2.0","id":9,"method":"tool/run","params":{"toolCallId":"c","toolName":"web_fetch_file","input":{"url":%q,"name":"tea.txt"}}}`, server.URL+"/pot")
	_, got, problem := h.hear()
	want := Fetched{StatusCode: 418, ContentType: "text/plain", Bytes: 15, FinalURL: server.URL + "/pot", Path: "data/web/tea.txt"}
	if problem != "" || got.IsError || got.StructuredContent == nil || *got.StructuredContent != want {
		t.Errorf("%+v %+v %s", got, got.StructuredContent, problem)
	}
	if text := got.Content[0].Text; len(got.Content) != 1 || text != "HTTP 418 I'm a teapot, text/plain, 15 bytes from "+server.URL+"/pot saved as data/web/tea.txt" {
		t.Errorf("%q", text)
	}
	if text, err := os.ReadFile(filepath.Join(workspace, want.Path)); string(text) != "short and stout" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestFetchesThatFail(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		if in.URL.Path == "/stated" {
			out.Header().Set("Content-Length", "5000")
		}
		out.Write(make([]byte, 5000))
	}))
	defer server.Close()
	h, workspace, _ := fetching(t, options, "fetch.maxBytes=100")
	for url, want := range map[string]string{
		server.URL:               "Nothing was fetched: it is longer than the 100 bytes that are allowed.",
		server.URL + "/stated":   "Nothing was fetched: it is 5000 bytes long, more than the 100 that are allowed.",
		"http://10.0.0.1/":       "Nothing was fetched: 10.0.0.1 is not an address of the public internet. Only the operator can allow it (fetch.allowPrivateHosts).",
		"file:///etc/passwd":     "Nothing was fetched: the address must be a whole one that begins with http:// or https://.",
		"https://me@example.com": "Nothing was fetched: an address with a user name or password in it is not fetched.",
	} {
		h.say("%s", run1(1, "c", url))
		if _, got, problem := h.hear(); !got.IsError || got.StructuredContent != nil || len(got.Content) != 1 || got.Content[0].Text != want {
			t.Errorf("%s: %+v %s", url, got, problem)
		}
	}
	if names := left(t, workspace); names != nil {
		t.Errorf("left: %q", names)
	}
}

func TestBadRuns(t *testing.T) {
	h, _, _ := fetching(t, options)
	for params, want := range map[string]string{
		`{}`:                 "params/toolCallId: missing",
		`{"toolCallId":"c"}`: "params/toolName: missing",
		`{"toolCallId":"c","toolName":"bash","input":{}}`:                  "params/toolName: no tool of that name is offered",
		`{"toolCallId":"c","toolName":"web_fetch_file"}`:                   "params/input/url: missing",
		`{"toolCallId":"c","toolName":"web_fetch_file","input":{"url":7}}`: "params/input/url: must be a string",
		`{"toolCallId":"c","toolName":"web_fetch_file","input":[]}`:        "params/input: must be an object",
	} {
		h.say(`{"jsonrpc":"2.0","id":1,"method":"tool/run","params":%s}`, params)
		if _, _, problem := h.hear(); problem != want {
			t.Errorf("%s: %q", params, problem)
		}
	}
	h.say(`{"jsonrpc":"2.0","id":1,"method":"tool/cancel","params":{}}`)
	if _, _, problem := h.hear(); problem != "params/toolCallId: missing" {
		t.Errorf("%q", problem)
	}
}

// While a fetch waits, calls are judged as ever; its answer comes when it is done.
func TestARunLeavesTheOrderOfMessages(t *testing.T) {
	server := newHolding(t)
	h, workspace, _ := fetching(t, options)
	h.say("%s", run1(100, "slow", server.URL+"/slow"))
	<-server.begun
	for range 5 {
		h.call()
	}
	if d := h.call(); !d.Block {
		t.Errorf("%+v", d)
	}
	h.say("%s", run1(101, "slow", server.URL+"/again"))
	if _, _, problem := h.hear(); problem != "params/toolCallId: is running already" {
		t.Errorf("%q", problem)
	}
	close(server.letGo)
	id, got, _ := h.hear()
	if id != "100" || got.StructuredContent == nil || got.StructuredContent.Bytes != 11 {
		t.Errorf("%s: %+v", id, got)
	}
	if names := left(t, workspace); len(names) != 1 || filepath.Base(names[0]) != "slow.txt" {
		t.Errorf("%q", names)
	}
}

func TestCancelledRuns(t *testing.T) {
	server := newHolding(t)
	h, workspace, _ := fetching(t, options)
	// As many as run at once, and one that waits for its turn.
	for n := range maxRunning {
		h.say("%s", run1(100+n, fmt.Sprint(n), server.URL+"/x"))
		<-server.begun
	}
	h.say("%s", run1(200, "waits", server.URL+"/x"))
	for _, call := range []string{"waits", "2", "nosuch"} {
		h.say(`{"jsonrpc":"2.0","method":"tool/cancel","params":{"toolCallId":%q}}`, call)
	}
	seen := map[string]string{}
	for range 2 {
		id, got, _ := h.hear()
		seen[id] = got.Content[0].Text
	}
	if len(seen) != 2 || seen["102"] != seen["200"] || seen["102"] != "Nothing was fetched: it was cancelled." {
		t.Errorf("%q", seen)
	}
	<-server.broken
	close(server.letGo)
	for range maxRunning - 1 {
		if id, got, _ := h.hear(); got.IsError {
			t.Errorf("%s: %+v", id, got)
		}
	}
	if names := left(t, workspace); len(names) != maxRunning-1 {
		t.Errorf("%q", names)
	}
}

func TestSoManyRunsAtOnce(t *testing.T) {
	server := newHolding(t)
	h, workspace, _ := fetching(t, options)
	for n := range maxRuns {
		h.say("%s", run1(100+n, fmt.Sprint(n), server.URL+"/x"))
	}
	h.say("%s", run1(999, "many", server.URL+"/x"))
	if id, got, _ := h.hear(); id != "999" || !got.IsError || got.Content[0].Text != guard.FetchBusy {
		t.Errorf("%s: %+v", id, got)
	}
	for range maxRunning {
		<-server.begun
	}
	select {
	case <-server.begun:
		t.Error("more run at once than may")
	default:
	}
	close(server.letGo)
	for range maxRuns {
		if id, got, _ := h.hear(); got.IsError {
			t.Errorf("%s: %+v", id, got)
		}
	}
	if names := left(t, workspace); len(names) != maxRuns {
		t.Errorf("%d files", len(names))
	}
}

// The end of the connection, wherever it comes from, ends the fetches, and Serve
// does not return before they have cleared up.
func TestTheEndOfTheConnectionEndsRuns(t *testing.T) {
	for name, end := range map[string]func(*host){
		"input ends": func(h *host) { h.conn.Close() },
		"shutdown":   func(h *host) { h.say(`{"jsonrpc":"2.0","id":1,"method":"shutdown"}`); h.hear() },
	} {
		t.Run(name, func(t *testing.T) {
			server := newHolding(t)
			h, workspace, _ := fetching(t, options)
			for n := range maxRunning + 2 {
				h.say("%s", run1(100+n, fmt.Sprint(n), server.URL+"/x"))
			}
			for range maxRunning {
				<-server.begun
			}
			end(h)
			<-h.done
			if names := left(t, workspace); names != nil {
				t.Errorf("left: %q", names)
			}
			for range maxRunning {
				<-server.broken
			}
		})
	}
}

func TestWhatIsSwitchedOffDoesNotRun(t *testing.T) {
	o := options
	agent := t.TempDir()
	file := filepath.Join(agent, "extensions", "loopbreaker.json")
	save := func(text string) {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	save(`{"fetch":{"enabled":true}}`)
	h := newHost(t, o)
	h.open(fmt.Sprintf(`{"protocol":1,"cwd":%q,"agentDir":%q}`, t.TempDir(), agent))
	save(`{"fetch":{"enabled":false,"cookies":true}}`)
	h.say("%s", run1(1, "c", "http://127.0.0.1/"))
	if _, got, problem := h.hear(); !got.IsError || got.Content[0].Text != guard.FetchOff {
		t.Errorf("%+v %s", got, problem)
	}
}

// lockedBuffer is written by several goroutines.
type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func TestATraceHoldsRuns(t *testing.T) {
	var out lockedBuffer
	o := options
	o.Trace = NewTrace(&out, "s")
	h, _, _ := fetching(t, o)
	h.say("%s", run1(7, "c", "http://10.0.0.1/"))
	h.hear()
	h.say(`{"jsonrpc":"2.0","id":8,"method":"tool/cancel","params":{"toolCallId":"c"}}`)
	h.hear()
	text := out.String()
	for _, part := range []string{`"from":"host","message":` + run1(7, "c", "http://10.0.0.1/"), `"from":"guard","message":{"jsonrpc":"2.0","id":7,"result":{"content":`, `"method":"tool/cancel"`} {
		if !strings.Contains(text, part) {
			t.Errorf("%s is not in\n%s", part, text)
		}
	}
}
