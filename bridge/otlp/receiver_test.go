package otlp

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	collectorlogs "go.opentelemetry.io/proto/slim/otlp/collector/logs/v1"
	collectormetrics "go.opentelemetry.io/proto/slim/otlp/collector/metrics/v1"
	common "go.opentelemetry.io/proto/slim/otlp/common/v1"
	logs "go.opentelemetry.io/proto/slim/otlp/logs/v1"
	metrics "go.opentelemetry.io/proto/slim/otlp/metrics/v1"
	resource "go.opentelemetry.io/proto/slim/otlp/resource/v1"
	"go.uber.org/goleak"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// The real program, built once.
var program string

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "loopbreaker-otlp-")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(folder, "loopbreaker")
	if out, err := exec.Command("go", "build", "-o", program, "../..").CombinedOutput(); err != nil {
		panic(string(out))
	}
	code := m.Run()
	os.RemoveAll(folder)
	if err := goleak.Find(); code == 0 && err != nil {
		fmt.Println(err)
		code = 1
	}
	os.Exit(code)
}

// receiver takes OTLP on loopback as a collector does, and reads it with the official
// definitions.
type receiver struct {
	t      *testing.T
	url    string
	server *httptest.Server
	// answer, if not nil, answers in its place; it returns whether it did.
	answer func(w http.ResponseWriter, r *http.Request) bool

	mu       sync.Mutex
	raw      string // all bodies
	requests []*http.Request
	metrics  []*metrics.ResourceMetrics
	logs     []*logs.ResourceLogs
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{t: t}
	r.server = httptest.NewServer(r)
	t.Cleanup(r.server.Close)
	r.url = r.server.URL
	return r
}

// end takes nothing more, and waits until all that has come has been read.
func (r *receiver) end() { r.server.Close() }

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	in := io.Reader(request.Body)
	if request.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(in)
		if err != nil {
			r.t.Error(err)
			return
		}
		in = z
	}
	body, err := io.ReadAll(in)
	if err != nil {
		r.t.Error(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests = append(r.requests, request)
	r.raw += string(body)
	if r.answer != nil && r.answer(w, request) {
		return
	}
	if request.Method != "POST" || request.Header.Get("Content-Type") != "application/x-protobuf" {
		r.t.Errorf("%s, content type %q", request.Method, request.Header.Get("Content-Type"))
	}
	switch {
	case strings.HasSuffix(request.URL.Path, "metrics"):
		var m collectormetrics.ExportMetricsServiceRequest
		r.read(body, &m)
		r.metrics = append(r.metrics, m.ResourceMetrics...)
	case strings.HasSuffix(request.URL.Path, "logs"):
		var m collectorlogs.ExportLogsServiceRequest
		r.read(body, &m)
		r.logs = append(r.logs, m.ResourceLogs...)
	default:
		http.NotFound(w, request)
	}
}

// read is strict: what the definitions do not know is an error.
func (r *receiver) read(body []byte, m proto.Message) {
	if err := proto.Unmarshal(body, m); err != nil {
		r.t.Errorf("%T: %v", m, err)
	}
	known(r.t, m.ProtoReflect())
}

func known(t *testing.T, m protoreflect.Message) {
	if unknown := m.GetUnknown(); len(unknown) > 0 {
		t.Errorf("%s has fields that nobody knows: %x", m.Descriptor().FullName(), unknown)
	}
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.IsList() && f.Message() != nil:
			for i := range v.List().Len() {
				known(t, v.List().Get(i).Message())
			}
		case !f.IsList() && f.Message() != nil:
			known(t, v.Message())
		}
		return true
	})
}

// wait waits until something holds of what has come.
func (r *receiver) wait(what string, holds func() bool) {
	r.t.Helper()
	for range 1000 {
		r.mu.Lock()
		ok := holds()
		r.mu.Unlock()
		if ok {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	r.t.Fatalf("%s: this has not come about", what)
}

// texts are attributes as "key=value".
func texts(all []*common.KeyValue) map[string]string {
	m := map[string]string{}
	for _, a := range all {
		switch v := a.Value.Value.(type) {
		case *common.AnyValue_StringValue:
			m[a.Key] = v.StringValue
		case *common.AnyValue_IntValue:
			m[a.Key] = fmt.Sprint(v.IntValue)
		default:
			m[a.Key] = fmt.Sprintf("%T", v)
		}
	}
	return m
}

func resourceOf(r *resource.Resource) map[string]string { return texts(r.Attributes) }

// records are all events that have come.
func (r *receiver) records() (all []*logs.LogRecord) {
	for _, rl := range r.logs {
		for _, sl := range rl.ScopeLogs {
			all = append(all, sl.LogRecords...)
		}
	}
	return all
}

// last is the last of the metrics of each name.
func (r *receiver) last() map[string]*metrics.Metric {
	m := map[string]*metrics.Metric{}
	for _, rm := range r.metrics {
		for _, sm := range rm.ScopeMetrics {
			for _, one := range sm.Metrics {
				m[one.Name] = one
			}
		}
	}
	return m
}

// total is what the last of a sum adds up to.
func (r *receiver) total(name string) (n int64) {
	for _, p := range r.last()[name].GetSum().GetDataPoints() {
		n += p.GetAsInt()
	}
	return n
}
