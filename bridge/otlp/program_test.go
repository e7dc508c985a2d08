package otlp

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	metrics "go.opentelemetry.io/proto/slim/otlp/metrics/v1"
)

const secret = "hunter2"

// A session in which everything that a model says, asks for and is answered holds the
// secret: a loop that is refused until the run is ended, a fetch refused, calls rejected
// of tools that only the model knows, a message that is none.
func session() string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":1,"host":{"name":"pi"},"cwd":"/home/hunter2","sessionId":"5e55"}}`)
	say(`{"jsonrpc":"2.0","method":"prompt","params":{"source":"interactive"}}`)
	for i := range 20 {
		say(`{"jsonrpc":"2.0","method":"turn/start"}`)
		say(`{"jsonrpc":"2.0","method":"stream/delta","params":{"channel":"text","block":0,"text":"The password is hunter2."}}`)
		say(`{"jsonrpc":"2.0","id":"c%d","method":"tool/call","params":{"toolCallId":"hunter2-%[1]d","toolName":"bash","input":{"command":"cat hunter2.txt"}}}`, i)
		say(`{"jsonrpc":"2.0","id":"r%d","method":"tool/result","params":{"toolCallId":"hunter2-%[1]d","isError":false,"content":[{"type":"text","text":"hunter2 is it"}]}}`, i)
		say(`{"jsonrpc":"2.0","id":"x%d","method":"tool/rejected","params":{"toolCallId":"x%[1]d","toolName":"hunter2","text":"Tool hunter2 not found","input":{"a":"hunter2"}}}`, i)
		say(`{"jsonrpc":"2.0","id":"e%d","method":"turn/end"}`, i)
	}
	say(`{"jsonrpc":"2.0","id":"no","method":"hunter2","params":{}}`)
	say(`{"jsonrpc":"2.0","id":"bad","method":"tool/call","params":{"toolCallId":"","toolName":"hunter2","input":{}}}`)
	return b.String()
}

// answers are what a guard said in a session.
type answers struct {
	text                          string
	calls, refused, noted, aborts int
	entries                       []string // the data of each, as JSON
	whys                          int
	stderr                        string
}

// serve runs the program in an environment and puts the session to it. The input stays
// open until before has returned.
func serve(t *testing.T, environ []string, before func(), args ...string) (a answers) {
	t.Helper()
	cmd := exec.Command(program, append([]string{"serve"}, args...)...)
	cmd.Env = environ
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var out, words bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &words
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	io.WriteString(in, session())
	if before != nil {
		before()
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v, %s", err, words.String())
	}
	a.text, a.stderr = out.String(), words.String()
	for line := range strings.Lines(a.text) {
		var m struct {
			ID     string
			Result struct {
				Block   bool
				Note    string
				Why     json.RawMessage
				Abort   json.RawMessage
				Entries []struct{ Data json.RawMessage }
			}
		}
		if json.Unmarshal([]byte(line), &m) != nil {
			continue // the answer to initialize, whose id is a number
		}
		if strings.HasPrefix(m.ID, "c") {
			a.calls++
		}
		if m.Result.Block {
			a.refused++
		} else if m.Result.Why != nil && m.Result.Abort == nil {
			a.noted++
		}
		if m.Result.Abort != nil && m.Result.Why != nil {
			a.aborts++
		}
		if m.Result.Why != nil {
			a.whys++
		}
		for _, e := range m.Result.Entries {
			a.entries = append(a.entries, string(e.Data))
		}
	}
	return a
}

func TestWhatTheGuardDoesArrives(t *testing.T) {
	for _, preset := range []string{"default", "streak", "measures"} {
		t.Run(preset, func(t *testing.T) {
			t.Parallel()
			r := newReceiver(t)
			environ := []string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + r.url, "OTEL_METRIC_EXPORT_INTERVAL=50"}
			a := serve(t, environ, func() {
				// The last line of the session is a fault; the end waits for a second only.
				r.wait("all of the session", func() bool {
					findings := r.total("loopbreaker.refusals") + r.total("loopbreaker.remarks") + r.total("loopbreaker.runs.ended")
					return r.total("loopbreaker.faults") == 2 && len(r.records()) == int(findings)
				})
			}, "--preset", preset, "--set", "measures.onLimit=deny")
			r.end()
			check(t, r, a, preset)
		})
	}
}

// check compares what has come with what the guard answered.
func check(t *testing.T, r *receiver, a answers, preset string) {
	t.Helper()
	if a.refused < 2 || a.noted < 1 || len(a.entries) < 2 {
		t.Fatalf("the session shows nothing: %d refusals, %d remarks, %d entries", a.refused, a.noted, len(a.entries))
	}
	for name, want := range map[string]int{
		"loopbreaker.tool.calls": a.calls, "loopbreaker.tool.rejected": 20, "loopbreaker.refusals": a.refused,
		"loopbreaker.remarks": a.noted, "loopbreaker.runs.ended": a.aborts, "loopbreaker.faults": 2, "loopbreaker.events.dropped": 0,
	} {
		if got := r.total(name); got != int64(want) {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
	broken := []string{}
	for _, l := range r.records() {
		if l.EventName == "loopbreaker.loop_broken" {
			m := texts(l.Attributes)
			if m["loopbreaker.repeats"] == "" {
				continue // in the turn after the run: the session file has no entry either
			}
			broken = append(broken, fmt.Sprintf(`{"tool":%q,"repeats":%s,"blockedSoFar":%s}`, m["gen_ai.tool.name"], m["loopbreaker.repeats"], m["loopbreaker.blocked_so_far"]))
		}
		if m := texts(l.Attributes); m["session.id"] != "5e55" || m["loopbreaker.preset"] != preset || l.TimeUnixNano == 0 || l.SeverityNumber == 0 {
			t.Errorf("an event is not whole: %v", l)
		}
	}
	if !slices.Equal(broken, a.entries) {
		t.Errorf("events %q, the session file has %q", broken, a.entries)
	}
	if n := len(r.records()); n != a.whys {
		t.Errorf("%d events for %d findings", n, a.whys)
	}
	h := r.last()["loopbreaker.decision.duration"].GetHistogram()
	asked := uint64(0)
	for _, p := range h.GetDataPoints() {
		sum := uint64(0)
		for _, n := range p.BucketCounts {
			sum += n
		}
		if sum != p.Count || len(p.BucketCounts) != len(p.ExplicitBounds)+1 || p.GetMin() > p.GetMax() || *p.Sum < *p.Max {
			t.Errorf("a histogram that is none: %v", p)
		}
		if texts(p.Attributes)["rpc.method"] == "tool/call" {
			asked = p.Count
		}
	}
	if asked != uint64(a.calls)+1 { // and one that is no call
		t.Errorf("the duration of %d decisions, want %d", asked, a.calls+1)
	}
	for _, m := range r.last() {
		if s := m.GetSum(); s != nil && (!s.IsMonotonic || s.AggregationTemporality != metrics.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE) || m.Unit == "" || m.Description == "" {
			t.Errorf("%v", m)
		}
	}
	who := resourceOf(r.metrics[0].Resource)
	if who["service.name"] != "loopbreaker" || who["service.version"] == "" || who["session.id"] != "5e55" || who["gen_ai.agent.name"] != "pi" || len(who["service.instance.id"]) != 36 {
		t.Errorf("the resource is %v", who)
	}
	if strings.Contains(r.raw, secret) || !strings.Contains(a.text, secret) {
		t.Error("what the model wrote is exported, or was never there")
	}
	if !strings.Contains(r.raw, "_OTHER") {
		t.Error("a tool that only the model knows is not told of as such")
	}
}

func TestNothingIsExportedUnlessTheUserSaysSo(t *testing.T) {
	for name, environ := range map[string]string{
		"no endpoint":           "OTEL_SERVICE_NAME=x",
		"an empty one":          "OTEL_EXPORTER_OTLP_ENDPOINT=",
		"the SDK disabled":      "OTEL_EXPORTER_OTLP_ENDPOINT=%s OTEL_SDK_DISABLED=True",
		"other exporters":       "OTEL_EXPORTER_OTLP_ENDPOINT=%s OTEL_METRICS_EXPORTER=none OTEL_LOGS_EXPORTER=console",
		"traces alone":          "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=%s",
		"the setting":           "OTEL_EXPORTER_OTLP_ENDPOINT=%s LOOPBREAKER_EXPORT_ENABLED=false",
		"grpc":                  "OTEL_EXPORTER_OTLP_ENDPOINT=%s OTEL_EXPORTER_OTLP_PROTOCOL=grpc",
		"a certificate amiss":   "OTEL_EXPORTER_OTLP_ENDPOINT=%s OTEL_EXPORTER_OTLP_CERTIFICATE=/none",
		"a client's":            "OTEL_EXPORTER_OTLP_ENDPOINT=%s OTEL_EXPORTER_OTLP_CLIENT_KEY=/none",
		"an address of a file":  "OTEL_EXPORTER_OTLP_ENDPOINT=file:///tmp/x",
		"an address of nothing": "OTEL_EXPORTER_OTLP_ENDPOINT=localhost:4318",
	} {
		t.Run(name, func(t *testing.T) {
			r := newReceiver(t)
			a := serve(t, strings.Fields(strings.ReplaceAll(environ, "%s", r.url)), nil)
			r.end()
			if len(r.requests) > 0 || a.refused == 0 {
				t.Errorf("%d requests, %d refusals", len(r.requests), a.refused)
			}
		})
	}
}

func TestAnExportThatCannotBeDoneBreaksNothing(t *testing.T) {
	plain := serve(t, nil, nil)
	silent, err := net.Listen("tcp", "127.0.0.1:0") // takes connections, and answers none
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gone.Close()
	for name, at := range map[string]string{"silent": silent.Addr().String(), "gone": gone.Addr().String()} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			a := serve(t, []string{"OTEL_EXPORTER_OTLP_ENDPOINT=http://user:hunter2@" + at + "/hunter2?key=hunter2", "OTEL_EXPORTER_OTLP_HEADERS=authorization=hunter2"}, nil)
			if a.text != plain.text {
				t.Error("the guard answers otherwise")
			}
			for line := range strings.Lines(a.stderr) {
				if strings.Contains(line, "otlp: ") && strings.Contains(line, secret) {
					t.Errorf("stderr: %q", line)
				}
			}
			if !strings.Contains(a.stderr, "otlp: ") {
				t.Errorf("that it failed is not said: %q", a.stderr)
			}
			if took := time.Since(start); took > 20*time.Second { // no measure: it ends by itself
				t.Errorf("it took %v", took)
			}
		})
	}
}

func TestEventsComeAsTheyHappenAndMetricsNowAndThen(t *testing.T) {
	r := newReceiver(t)
	serve(t, []string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + r.url, "OTEL_METRIC_EXPORT_INTERVAL=50"}, func() {
		r.wait("events and metrics in the middle of a session", func() bool {
			return len(r.records()) > 0 && r.total("loopbreaker.refusals") > 0
		})
	})
}

func TestTheUsersVariablesCount(t *testing.T) {
	r, other := newReceiver(t), newReceiver(t)
	a := serve(t, []string{
		"OTEL_EXPORTER_OTLP_ENDPOINT=" + r.url + "/base/",
		"OTEL_EXPORTER_OTLP_LOGS_ENDPOINT=" + other.url + "/own/logs",
		"OTEL_EXPORTER_OTLP_HEADERS=api-key=a%20b, x-team = red",
		"OTEL_EXPORTER_OTLP_LOGS_HEADERS=api-key=c",
		"OTEL_EXPORTER_OTLP_COMPRESSION=gzip",
		"OTEL_EXPORTER_OTLP_PROTOCOL=http/json",
		"OTEL_EXPORTER_OTLP_TIMEOUT=2000",
		"OTEL_SERVICE_NAME=fleet",
		"OTEL_RESOURCE_ATTRIBUTES=service.name=no,deployment.environment.name=ci%2C1",
	}, nil)
	r.end()
	other.end()
	if len(r.metrics) == 0 || len(r.logs) > 0 || len(other.logs) == 0 || len(other.metrics) > 0 {
		t.Fatalf("metrics %d and %d, logs %d and %d", len(r.metrics), len(other.metrics), len(r.logs), len(other.logs))
	}
	for _, x := range []struct {
		*receiver
		path, key, team string
	}{{r, "/base/v1/metrics", "a b", "red"}, {other, "/own/logs", "c", ""}} {
		q := x.requests[0]
		if q.URL.Path != x.path || q.Header.Get("api-key") != x.key || q.Header.Get("x-team") != x.team || q.Header.Get("Content-Encoding") != "gzip" || !strings.HasPrefix(q.UserAgent(), "loopbreaker/") {
			t.Errorf("%s %v", q.URL, q.Header)
		}
	}
	if who := resourceOf(other.logs[0].Resource); who["service.name"] != "fleet" || who["deployment.environment.name"] != "ci,1" {
		t.Errorf("the resource is %v", who)
	}
	if strings.Count(a.stderr, "http/json") != 1 {
		t.Errorf("that http/json is not spoken is to be said once: %q", a.stderr)
	}
}

func TestWhomToTrust(t *testing.T) {
	r := &receiver{t: t}
	r.server = httptest.NewUnstartedServer(r)
	r.server.Config.ErrorLog = log.New(io.Discard, "", 0) // of whom nobody trusts
	r.server.StartTLS()
	defer r.end()
	certificate := filepath.Join(t.TempDir(), "ca.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: r.server.Certificate().Raw})
	if err := os.WriteFile(certificate, text, 0o600); err != nil {
		t.Fatal(err)
	}
	a := serve(t, []string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + r.server.URL}, nil)
	if len(r.requests) > 0 || !strings.Contains(a.stderr, "unknown authority") {
		t.Errorf("%d requests, %q", len(r.requests), a.stderr)
	}
	serve(t, []string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + r.server.URL, "OTEL_EXPORTER_OTLP_CERTIFICATE=" + certificate}, nil)
	r.end()
	if len(r.metrics) == 0 || len(r.logs) == 0 {
		t.Errorf("%d metrics, %d logs", len(r.metrics), len(r.logs))
	}
}
