package otlp

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/rs/zerolog"
	metrics "go.opentelemetry.io/proto/slim/otlp/metrics/v1"
	"google.golang.org/protobuf/encoding/protowire"
)

// exporter is one that sends to r.
func (r *receiver) exporter(environ ...string) *Exporter {
	e := New(Read(append(environ, "OTEL_EXPORTER_OTLP_ENDPOINT="+r.url)), "test", zerolog.Nop())
	e.Open("5e55", "test")
	r.t.Cleanup(e.cancel)
	return e
}

var refusal = Finding{Preset: "default", Rule: "repeat", Stage: "block", Tool: "bash", Count: 4, Limit: 4, Broken: &Broken{4, 1}}

func TestWhatIsRefusedForNowIsSentAgain(t *testing.T) {
	for _, status := range []int{429, 502, 503, 504} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			t.Parallel()
			r := newReceiver(t)
			r.answer = func(w http.ResponseWriter, q *http.Request) bool {
				if len(r.requests) == 1 {
					w.Header().Set("Retry-After", "1")
					w.WriteHeader(status)
				}
				return len(r.requests) == 1
			}
			e := r.exporter("OTEL_METRICS_EXPORTER=none")
			e.Found(refusal)
			r.wait("the event", func() bool { return len(r.records()) == 1 })
			e.Close()
			r.end()
			if len(r.requests) != 2 {
				t.Errorf("%d requests", len(r.requests))
			}
		})
	}
}

func TestWhatIsRefusedForGoodIsDroppedAndCounted(t *testing.T) {
	r := newReceiver(t)
	r.answer = func(w http.ResponseWriter, q *http.Request) bool {
		if strings.HasSuffix(q.URL.Path, "/logs") {
			http.Redirect(w, q, r.url+"/elsewhere", http.StatusTemporaryRedirect)
			return true
		}
		return false
	}
	e := r.exporter()
	e.Found(refusal)
	r.wait("the request", func() bool { return len(r.requests) == 1 })
	r.wait("its loss", func() bool {
		e.mu.Lock()
		defer e.mu.Unlock()
		return len(e.series[droppedEvents]) > 0
	})
	e.Close()
	r.end()
	if n := r.total("loopbreaker.events.dropped"); n != 1 {
		t.Errorf("%d events were dropped", n)
	}
	if len(r.requests) != 2 || len(r.records()) != 0 { // one for each signal: no redirect is followed, nothing tried again
		t.Errorf("%d requests, %d events", len(r.requests), len(r.records()))
	}
}

func TestWhatWaitsIsBounded(t *testing.T) {
	r := newReceiver(t)
	e := New(Read([]string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + r.url}), "test", zerolog.Nop())
	for range queueLength + 7 {
		e.Found(refusal)
	}
	for i := range 2 * maxSeries {
		e.Answered(fmt.Sprint(i), 1, 0)
	}
	for i := range 2 * maxTools {
		e.Called(fmt.Sprint(i))
	}
	e.Open("", "")
	r.wait("all that had room", func() bool { return len(r.records()) == queueLength })
	e.Close()
	r.end()
	if got, dropped := len(r.records()), r.total("loopbreaker.events.dropped"); got != queueLength || dropped != 7 {
		t.Errorf("%d events, %d dropped", got, dropped)
	}
	points := r.last()["loopbreaker.decision.duration"].GetHistogram().DataPoints
	i := slices.IndexFunc(points, func(p *metrics.HistogramDataPoint) bool { return texts(p.Attributes)["otel.metric.overflow"] == "true" })
	if len(points) != maxSeries+1 || i < 0 || points[i].Count != maxSeries {
		t.Errorf("%d series, %v", len(points), points[max(0, i)])
	}
	if n := len(r.last()["loopbreaker.tool.calls"].GetSum().DataPoints); n != maxTools+1 || r.total("loopbreaker.tool.calls") != 2*maxTools {
		t.Errorf("%d tools, %d calls", n, r.total("loopbreaker.tool.calls"))
	}
}

func TestDifferences(t *testing.T) {
	r := newReceiver(t)
	failing := true
	r.answer = func(w http.ResponseWriter, q *http.Request) bool {
		if failing {
			w.WriteHeader(http.StatusBadRequest)
		}
		return failing
	}
	e := r.exporter("OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE=Delta", "OTEL_METRIC_EXPORT_INTERVAL=20", "OTEL_LOGS_EXPORTER=none")
	e.Found(refusal)
	r.wait("a failure", func() bool { return len(r.requests) > 0 })
	r.mu.Lock()
	failing = false
	r.mu.Unlock()
	r.wait("what was not delivered", func() bool { return r.total("loopbreaker.refusals") == 1 })
	e.Found(refusal)
	e.Found(refusal)
	e.Answered("tool/call", 1, 0)
	e.Close()
	r.end()
	sum, from := int64(0), uint64(0)
	for _, rm := range r.metrics {
		for _, m := range rm.ScopeMetrics[0].Metrics {
			if m.Name != "loopbreaker.refusals" {
				continue
			}
			p := m.GetSum().DataPoints[0]
			sum += p.GetAsInt()
			if m.GetSum().AggregationTemporality != metrics.AggregationTemporality_AGGREGATION_TEMPORALITY_DELTA || p.StartTimeUnixNano < from || p.TimeUnixNano < p.StartTimeUnixNano {
				t.Errorf("%v", m)
			}
			from = p.TimeUnixNano
		}
	}
	if sum != 3 {
		t.Errorf("the differences add up to %d", sum)
	}
}

func TestStopSendsNothingMore(t *testing.T) {
	r := newReceiver(t)
	e := r.exporter()
	e.Found(refusal)
	e.Stop()
	e.Found(refusal)
	e.Called("bash")
	e.Close()
	r.end()
	if len(r.requests) > 0 {
		t.Errorf("%d requests", len(r.requests))
	}
}

func TestNobodyExportsWithoutAnExporter(t *testing.T) {
	var e *Exporter
	e.Open("", "")
	e.Called("bash")
	e.Rejected("bash")
	e.Found(refusal)
	e.Answered("tool/call", 1, 0)
	e.Stop()
	e.Close()
	if e := New(Read([]string{"PATH=/bin", "OTEL_SERVICE_NAME=x"}), "test", zerolog.Nop()); e != nil {
		t.Error("there is one although no endpoint is set")
	}
}

// A text that is not UTF-8 would spoil the whole request.
func TestIllFormedText(t *testing.T) {
	r := newReceiver(t)
	e := r.exporter()
	e.Called("a\xff")
	f := refusal
	f.Tool, f.Parts = "a\xff", "\xff"
	e.Found(f)
	e.Close()
	r.end()
	if len(r.records()) != 1 || texts(r.records()[0].Attributes)["gen_ai.tool.name"] != "a\uFFFD" {
		t.Errorf("%v", r.records())
	}
}

func TestReadProblems(t *testing.T) {
	for _, tt := range []struct {
		variables string
		says      string
		on        bool
	}{
		{"OTEL_EXPORTER_OTLP_COMPRESSION=zstd", "OTEL_EXPORTER_OTLP_COMPRESSION is neither gzip nor none", true},
		{"OTEL_EXPORTER_OTLP_LOGS_COMPRESSION=gzip", "", true},
		{"OTEL_EXPORTER_OTLP_TIMEOUT=soon", "OTEL_EXPORTER_OTLP_TIMEOUT is no whole number of milliseconds above 0; it is 10000", true},
		{"OTEL_METRIC_EXPORT_INTERVAL=0", "OTEL_METRIC_EXPORT_INTERVAL is no whole number", true},
		{"OTEL_EXPORTER_OTLP_HEADERS=hunter2", "OTEL_EXPORTER_OTLP_HEADERS does not count: its member 1", true},
		{"OTEL_EXPORTER_OTLP_HEADERS=Authorization: Bearer hunter2=", "OTEL_EXPORTER_OTLP_HEADERS does not count: not all of it is name=value", true},
		{"OTEL_EXPORTER_OTLP_HEADERS=a=b,authorization=hunter2%0a", "OTEL_EXPORTER_OTLP_HEADERS does not count: not all of it is name=value", true},
		{"OTEL_RESOURCE_ATTRIBUTES=a=b,c=%hunter2", "OTEL_RESOURCE_ATTRIBUTES does not count: its member 2", true},
		{"OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE=x", "is none of cumulative, delta, lowmemory", true},
		{"OTEL_EXPORTER_OTLP_PROTOCOL=carrier-pigeon", "is none of http/protobuf, http/json, grpc", true},
		{"OTEL_EXPORTER_OTLP_PROTOCOL=grpc", "set OTEL_EXPORTER_OTLP_LOGS_PROTOCOL=http/protobuf and OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", false},
		{"OTEL_EXPORTER_OTLP_LOGS_PROTOCOL=grpc", "so logs are not exported", true},
		{"OTEL_EXPORTER_OTLP_CERTIFICATE=exporter_test.go", "OTEL_EXPORTER_OTLP_CERTIFICATE names a file without a certificate", false},
		{"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=://hunter2", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT is no address", true},
	} {
		s := Read([]string{"OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:1", tt.variables})
		said := strings.Join(s.Problems, "\n")
		if s.On() != tt.on || !strings.Contains(said, tt.says) || (said == "") != (tt.says == "") || strings.Contains(said, secret) {
			t.Errorf("%s: on %t, %q", tt.variables, s.On(), said)
		}
	}
}

func TestAddresses(t *testing.T) {
	for _, tt := range []struct{ variable, want string }{
		{"OTEL_EXPORTER_OTLP_ENDPOINT=http://h:4318", "http://h:4318/v1/metrics http://h:4318/v1/logs"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT=https://h/a/", "https://h/a/v1/metrics https://h/a/v1/logs"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT=https://h/a?k=v", "https://h/a/v1/metrics?k=v https://h/a/v1/logs?k=v"},
		{"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=http://h", "http://h/ <nil>"},
		{"OTEL_EXPORTER_OTLP_LOGS_ENDPOINT=http://h/x", "<nil> http://h/x"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT=http://[::1]:4318/", "http://[::1]:4318/v1/metrics http://[::1]:4318/v1/logs"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT=http://h\nOTEL_METRICS_EXPORTER=console, otlp\nOTEL_LOGS_EXPORTER=console", "http://h/v1/metrics <nil>"},
	} {
		if s := Read(strings.Split(tt.variable, "\n")); fmt.Sprint(s.Metrics.URL, " ", s.Logs.URL) != tt.want {
			t.Errorf("%s: %v %v, want %s", tt.variable, s.Metrics.URL, s.Logs.URL, tt.want)
		}
	}
}

func TestPartialSuccess(t *testing.T) {
	var partial, answer message
	partial.varint(1, 5)
	partial.text(2, "too old")
	answer.bytes(1, partial)
	for text, want := range map[string]int64{"": 0, string(answer): 5, "\n\x00": 0, "{}": 0, string(answer[:3]): 0, string(protowire.AppendVarint(nil, 1<<62)): 0} {
		if got := rejected([]byte(text)); got != want {
			t.Errorf("%x: %d, want %d", text, got, want)
		}
	}
}
