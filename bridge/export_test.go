package bridge

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/rs/zerolog"

	"github.com/loopbreaker/loopbreaker/bridge/config"
	"github.com/loopbreaker/loopbreaker/bridge/otlp"
)

// What leaves the machine is the user's to say: a project can only switch it off.
func TestWhoMaySwitchTheExport(t *testing.T) {
	const on, off = `{"export":{"enabled":true}}`, `{"export":{"enabled":false}}`
	for _, tt := range []struct {
		name, user, project string
		trusted             bool
		set                 string // in the middle of the session
		exported            bool
	}{
		{"nobody", "", "", true, "", true},
		{"the user", off, "", true, "", false},
		{"the project", "", off, true, "", false},
		{"a project that is not trusted", "", off, false, "", true},
		{"the project, on again", off, on, true, "", false},
		{"the user, at once", "", on, true, "false", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var requests atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
			defer server.Close()
			agent, project := t.TempDir(), t.TempDir()
			for folder, text := range map[string]string{agent: tt.user, filepath.Join(project, ".pi"): tt.project} {
				if text == "" {
					continue
				}
				if err := os.MkdirAll(filepath.Join(folder, "extensions"), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(folder, "extensions", "loopbreaker.json"), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			in := []string{fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":1,"cwd":%q,"agentDir":%q,"projectTrusted":%t}}`, project, agent, tt.trusted)}
			if tt.set != "" {
				in = append(in, fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"settings/set","params":{"path":"export.enabled","value":%s}}`, tt.set))
			}
			export := otlp.New(otlp.Read([]string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + server.URL}), "test", zerolog.Nop())
			serve(t, lines(append(in, probe)...), Options{Flags: config.Flags{Preset: "window"}, Log: zerolog.Nop(), Export: export})
			server.CloseClientConnections()
			if got := requests.Load() > 0; got != tt.exported {
				t.Errorf("%d requests", requests.Load())
			}
		})
	}
}

// A preset that is chosen takes in what was saved before it, the end of the export too.
func TestAPresetDoesNotHideThatTheExportWasSwitchedOff(t *testing.T) {
	var requests atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
	defer server.Close()
	h, file := settled(t, Options{Export: otlp.New(otlp.Read([]string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + server.URL}), "test", zerolog.Nop())})
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(`{"export":{"enabled":false}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	h.command("preset window")
	h.call()
	h.conn.Close()
	<-h.done
	if n := requests.Load(); n > 0 {
		t.Errorf("%d requests", n)
	}
}
