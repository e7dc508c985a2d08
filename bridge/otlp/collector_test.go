package otlp

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	collectorlogs "go.opentelemetry.io/proto/slim/otlp/collector/logs/v1"
	collectormetrics "go.opentelemetry.io/proto/slim/otlp/collector/metrics/v1"
	"google.golang.org/protobuf/encoding/protojson"
)

// A real Collector takes what the real program sends. scripts/collector builds one.
func TestACollectorTakesIt(t *testing.T) {
	collector := os.Getenv("LOOPBREAKER_TEST_COLLECTOR")
	if collector == "" {
		t.Skip("LOOPBREAKER_TEST_COLLECTOR names no Collector; scripts/collector does")
	}
	for _, compression := range []string{"none", "gzip"} {
		t.Run(compression, func(t *testing.T) {
			free, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			at := free.Addr().String()
			free.Close()
			cmd := exec.Command(collector, "--config=yaml:"+fmt.Sprintf(`{receivers: {otlp: {protocols: {http: {endpoint: "%s"}}}}, exporters: {print: },`+
				`service: {telemetry: {metrics: {level: none}}, pipelines: {metrics: {receivers: [otlp], exporters: [print]}, logs: {receivers: [otlp], exporters: [print]}}}}`, at))
			var out, words bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &words
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer cmd.Process.Kill()
			listening := func() bool {
				conn, err := net.Dial("tcp", at)
				if err == nil {
					conn.Close()
				}
				return err == nil
			}
			for n := 0; !listening(); n++ {
				if n > 3000 {
					t.Fatalf("the Collector does not listen: %s", words.String())
				}
				time.Sleep(10 * time.Millisecond)
			}
			a := serve(t, []string{"OTEL_EXPORTER_OTLP_ENDPOINT=http://" + at, "OTEL_EXPORTER_OTLP_COMPRESSION=" + compression}, nil)
			cmd.Process.Signal(os.Interrupt)
			if err := cmd.Wait(); err != nil {
				t.Fatalf("the Collector: %v, %s", err, words.String())
			}
			if strings.Contains(a.stderr, "otlp: ") {
				t.Error(a.stderr)
			}
			// What it passes on is read as what it was sent.
			r := &receiver{t: t, raw: out.String()}
			for line := range bytes.Lines(out.Bytes()) {
				var m collectormetrics.ExportMetricsServiceRequest
				var l collectorlogs.ExportLogsServiceRequest
				if protojson.Unmarshal(line, &m) == nil {
					r.metrics = append(r.metrics, m.ResourceMetrics...)
				} else if err := protojson.Unmarshal(line, &l); err == nil {
					r.logs = append(r.logs, l.ResourceLogs...)
				} else {
					t.Errorf("%v: %s", err, line)
				}
			}
			if len(r.metrics) == 0 {
				t.Fatalf("the Collector passes on %q", out.String())
			}
			check(t, r, a, "default")
		})
	}
}
