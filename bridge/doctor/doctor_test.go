package doctor

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/loopbreaker/loopbreaker/bridge"
	"github.com/loopbreaker/loopbreaker/bridge/config"
	"github.com/loopbreaker/loopbreaker/bridge/otlp"
)

// version is that of this program, under test.
const version = "1.2.3"

// This test program is also the programs that the doctor starts: a real guard, and
// what stands in for Node and Pi.
func TestMain(m *testing.M) {
	switch role := os.Getenv("DOCTOR_TEST_ROLE"); {
	case role != "":
		act(role)
	case len(os.Args) > 1 && os.Args[1] == "serve":
		o := bridge.Options{Flags: config.Flags{Preset: "default"}, Environ: os.Environ(), Version: version, Log: zerolog.New(os.Stderr).Level(zerolog.WarnLevel)}
		o.Export = otlp.New(otlp.Read(o.Environ), version, o.Log)
		if err := bridge.Serve(context.Background(), stdio{os.Stdin, os.Stdout}, o); err != nil {
			os.Exit(1)
		}
	default:
		os.Exit(m.Run())
	}
}

type stdio struct {
	io.Reader
	io.Writer
}

func (stdio) Close() error { return os.Stdin.Close() }

const (
	ours    = `{"name":"loopbreaker","source":"extension","sourceInfo":{"path":"/pkg/index.js"}}`
	another = `{"name":"loopbreaker:2","source":"extension","sourceInfo":{"path":"/other/index.js"}}`
	foreign = `{"name":"loopbreaker","source":"prompt","sourceInfo":{"path":"/p"}},{"name":"mcp","source":"extension","sourceInfo":{"path":"x"}}`
)

// act plays a part. A word of it is what the program does first.
func act(role string) {
	role, rest, _ := strings.Cut(role, " ")
	switch role {
	case "say": // and no more
		fmt.Println(rest)
	case "fail":
		fmt.Fprintln(os.Stderr, "Warning: nothing")
		fmt.Fprintln(os.Stderr, rest)
		fmt.Fprintln(os.Stderr, "Hint: nothing")
		os.Exit(1)
	case "hang":
		time.Sleep(time.Hour)
	case "pi": // in rpc mode, with these commands; it fails if a model is asked
		in := bufio.NewScanner(os.Stdin)
		next := func() string {
			if !in.Scan() {
				os.Exit(0)
			}
			return in.Text()
		}
		fmt.Println(`rubbish`)
		fmt.Println(`{"type":"extension_ui_request","method":"notify","message":"Another extension says token=hunter2"}`)
		fmt.Println(`{"type":"extension_ui_request","method":"confirm","id":"a\"b","title":"?"}`)
		next()
		if answer := next(); answer != `{"type":"extension_ui_response","id":"a\"b","cancelled":true}` {
			fmt.Fprintln(os.Stderr, "Error: the dialog was answered with "+answer)
			os.Exit(1)
		}
		commands, notice, _ := strings.Cut(rest, "|")
		fmt.Printf(`{"type":"response","id":"commands","success":true,"data":{"commands":[%s]}}`+"\n", commands)
		if prompt := next(); strings.Contains(commands, `"extension","sourceInfo":{"path":"/`) && strings.Contains(prompt, `"message":"/loopbreaker`) {
			fmt.Printf(`{"type":"extension_ui_request","method":"notify","message":%q}`+"\n", notice)
			fmt.Println(`{"type":"response","id":"status","success":true,"data":{"disposition":"handled"}}`)
			next()
		}
		fmt.Fprintln(os.Stderr, "Error: what was a model asked?")
		os.Exit(1)
	}
}

// world is an examination in folders of its own.
func world(t *testing.T) *examination {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	e := &examination{Options: Options{
		Program: program, Version: version, AgentDir: filepath.Join(root, "agent"), CWD: filepath.Join(root, "project"), Home: root, Patience: time.Minute,
	}}
	for _, folder := range []string{e.AgentDir, e.CWD, filepath.Join(root, "path")} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", filepath.Join(root, "path"))
	return e
}

// write writes a file below the world's root, and returns its path.
func (e *examination) write(t *testing.T, path, text string, mode os.FileMode) string {
	t.Helper()
	path = filepath.Join(e.Home, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	return path
}

// stand puts a program on PATH that plays a part.
func (e *examination) stand(t *testing.T, name, role string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	return e.write(t, "path/"+name, "#!/bin/sh\nDOCTOR_TEST_ROLE='"+role+"' exec '"+e.Program+"' \"$@\"\n", 0o700)
}

func (c Check) text() string { return string(c.Status) + ": " + strings.Join(c.Found, "; ") }

func TestWhatIsShownIsFitForStrangers(t *testing.T) {
	e := &examination{Options: Options{Home: "/home/ann"}}
	for in, want := range map[string]string{
		"/home/ann":                              "~",
		"/home/ann/x, /home/ann/y":               "~/x, ~/y",
		"/home/anna/x /home/ann-2":               "/home/anna/x /home/ann-2",
		"https://ann:secret@host/x":              "https://...@host/x",
		"git:ssh://git@host":                     "git:ssh://...@host",
		"a\x1b[31mb\nc\t":                        "a [31mb c",
		strings.Repeat("é", longest+1):           strings.Repeat("é", longest) + "...",
		"npm i @earendil-works/pi-coding-agent.": "npm i @earendil-works/pi-coding-agent.",
	} {
		if got := e.shown(in); got != want {
			t.Errorf("%q is shown as %q, want %q", in, got, want)
		}
	}
	e.Home = ""
	if got := e.shown("/a"); got != "/a" {
		t.Errorf("without a home: %q", got)
	}
}

func TestVersions(t *testing.T) {
	e := world(t)
	if _, c := e.checkVersion(t.Context(), "node", leastNode); c.text() != "failed: node is not on PATH" {
		t.Errorf("none: %s", c.text())
	}
	path := filepath.Join(e.Home, "path", "node")
	for role, want := range map[string]string{
		"say v22.19.0":         "ok: 22.19.0: " + path,
		"say v24.0.0":          "ok: 24.0.0: " + path,
		"say v22.18.9":         "failed: 22.18.9: " + path + " is too old, 22.19.0 is needed",
		"say v22.19.0-nightly": "failed: 22.19.0-nightly: " + path + " is too old, 22.19.0 is needed",
		"say hello":            "failed: " + path + " does not tell its version",
		"fail Error: no":       "failed: " + path + " does not tell its version: exit status 1: Error: no",
	} {
		e.stand(t, "node", role)
		if got, c := e.checkVersion(t.Context(), "node", leastNode); c.text() != want || (got == path) != (c.Status == OK) {
			t.Errorf("%s: %q, %s", role, got, c.text())
		}
	}
	e.stand(t, "node", "hang")
	e.Patience = 200 * time.Millisecond
	if _, c := e.checkVersion(t.Context(), "node", leastNode); !strings.HasSuffix(c.text(), "does not tell its version: signal: killed (it had 200ms)") {
		t.Errorf("hanging: %s", c.text())
	}
}

func TestWhatIsNeededIsWhatThePackageSays(t *testing.T) {
	text, err := os.ReadFile("../../shim/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Name             string
		Engines          struct{ Node string }
		PeerDependencies map[string]string
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	if manifest.Name != packageName || manifest.Engines.Node != ">="+leastNode || manifest.PeerDependencies["@earendil-works/pi-coding-agent"] != ">="+leastPi {
		t.Errorf("%+v", manifest)
	}
}

func TestSelfTest(t *testing.T) {
	e := world(t)
	trace := filepath.Join(e.Home, "trace")
	// Nothing of the user's has a say in it.
	e.Environ = append(os.Environ(), "LOOPBREAKER_ENABLED=false", "LOOPBREAKER_TRACE="+trace, "LOOP_GUARD_ENABLED=false")
	if c := e.checkSelf(t.Context()); c.Status != OK || !strings.Contains(c.text(), "refused call 5 of a loop, and ended: ") {
		t.Error(c.text())
	}
	e.Version = "1.2.4"
	if c := e.checkSelf(t.Context()); c.Status != Failed || !strings.HasSuffix(c.text(), "it says that it is 1.2.3") {
		t.Error(c.text())
	}
	e.Program = e.stand(t, "loopbreaker", "fail Error: broken")
	if c := e.checkSelf(t.Context()); c.Status != Failed {
		t.Error(c.text())
	}
	e.Program, _ = os.Executable()
	e.Program = e.stand(t, "loopbreaker", "say {}")
	if c := e.checkSelf(t.Context()); c.Status != Failed || !strings.HasSuffix(c.text(), "it answered initialize with {}") {
		t.Error(c.text())
	}
	e.Program = filepath.Join(e.Home, "nothing")
	if c := e.checkSelf(t.Context()); c.Status != Failed {
		t.Error(c.text())
	}
}

func TestPlaces(t *testing.T) {
	base, home := filepath.FromSlash("/b"), filepath.FromSlash("/h")
	for source, want := range map[string]string{
		"npm:pi-loopbreaker":                       "/b/npm/node_modules/pi-loopbreaker",
		"npm:@a/b@^1.0.0":                          "/b/npm/node_modules/@a/b",
		"git:github.com/a/b":                       "/b/git/github.com/a/b",
		"git:github.com/a/b@v1":                    "/b/git/github.com/a/b",
		"git:github:a/b":                           "/b/git/github.com/a/b",
		"git:git@host.example:a/b.git@main":        "/b/git/host.example/a/b",
		"https://ann:secret@host.example/a/b.git":  "/b/git/host.example/a/b",
		"ssh://git@host.example:22/a/b/c.git#main": "/b/git/host.example/a/b/c",
		"../clone/shim":                            "/clone/shim",
		"~/clone":                                  "/h/clone",
		"/x/y/":                                    "/x/y",
	} {
		if got := filepath.ToSlash(place(base, home, source)); got != want {
			t.Errorf("%s is at %s, want %s", source, got, want)
		}
	}
}

func TestPackages(t *testing.T) {
	manifest := func(version string) string { return `{"name":"pi-loopbreaker","version":"` + version + `"}` }
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"none", nil, "failed: pi-loopbreaker is named neither by ~/agent/settings.json nor by the project"},
		{"others", map[string]string{"agent/settings.json": `{"packages":["npm:other","./x",{"source":"npm:y"},7]}`, "agent/x/package.json": `{"name":"x"}`},
			"failed: pi-loopbreaker is named neither by ~/agent/settings.json nor by the project"},
		{"a clone", map[string]string{"agent/settings.json": `{"packages":["../clone"]}`, "clone/shim/package.json": manifest(version)},
			"ok: 1.2.3: ~/clone/shim, named by ~/agent/settings.json"},
		{"npm, with a filter", map[string]string{"agent/settings.json": `{"packages":[{"source":"npm:pi-loopbreaker"}]}`, "agent/npm/node_modules/pi-loopbreaker/package.json": manifest(version)},
			"ok: 1.2.3: ~/agent/npm/node_modules/pi-loopbreaker, named by ~/agent/settings.json"},
		{"an extension's file", map[string]string{"agent/settings.json": `{"extensions":["~/shim/index.js"]}`, "shim/package.json": manifest(version), "shim/index.js": ""},
			"ok: 1.2.3: ~/shim, named by ~/agent/settings.json"},
		{"in the folder of extensions", map[string]string{"agent/extensions/lb/package.json": manifest(version)},
			"ok: 1.2.3: ~/agent/extensions/lb, named by ~/agent/extensions"},
		{"the project's", map[string]string{"project/.pi/settings.json": `{"packages":["../../shim"]}`, "shim/package.json": manifest(version)},
			"ok: 1.2.3: ~/shim, named by ~/project/.pi/settings.json, which counts where Pi trusts the project"},
		{"another version", map[string]string{"agent/settings.json": `{"packages":["../shim"]}`, "shim/package.json": manifest("1.2.2")},
			"failed: 1.2.2, but this program is 1.2.3: ~/shim, named by ~/agent/settings.json"},
		{"gone", map[string]string{"agent/settings.json": `{"packages":["git:https://ann:secret@host.example/a/loopbreaker"]}`},
			"failed: git:https://...@host.example/a/loopbreaker is not there, though it is named by ~/agent/settings.json"},
		{"two", map[string]string{"agent/settings.json": `{"packages":["../a","../b"]}`, "a/package.json": manifest(version), "b/package.json": manifest(version)},
			"warning: 1.2.3: ~/a, named by ~/agent/settings.json; 1.2.3: ~/b, named by ~/agent/settings.json"},
		{"settings that are none", map[string]string{"agent/settings.json": `{"packages":`}, "failed: ~/agent/settings.json: "},
	} {
		e := world(t)
		for path, text := range tt.files {
			e.write(t, path, text, 0o600)
		}
		c := e.checkPackage(t.Context())
		for i := range c.Found {
			c.Found[i] = e.shown(c.Found[i])
		}
		if got := c.text(); got != tt.want && !(strings.HasSuffix(tt.want, ": ") && strings.HasPrefix(got, tt.want)) {
			t.Errorf("%s: %s", tt.name, got)
		}
		if (c.Advice == "") != (c.Status == OK) {
			t.Errorf("%s: advice %q", tt.name, c.Advice)
		}
	}
	e := world(t)
	e.AgentDir = filepath.Join(e.Home, "none")
	if c := e.checkPackage(t.Context()); c.Status != Failed || !strings.Contains(c.text(), "Pi has no folder") {
		t.Error(c.text())
	}
	// What this program stands in is what to install.
	shim := filepath.Dir(e.write(t, "clone/shim/package.json", manifest(version), 0o600))
	e.Program = filepath.Join(shim, "bin", "loopbreaker")
	if c := e.checkPackage(t.Context()); c.Advice != "pi install "+shim {
		t.Error(c.Advice)
	}
}

func TestExtension(t *testing.T) {
	e := world(t)
	e.Environ = os.Environ()
	if c := e.checkExtension(t.Context()); c.Status != Skipped {
		t.Errorf("without Pi: %s", c.text())
	}
	for role, want := range map[string]string{
		"pi " + ours + "|Loopbreaker is on, preset default.":            "ok: Pi loads /pkg/index.js; Loopbreaker is on, preset default.",
		"pi " + ours + "," + another + "|Loopbreaker is OFF: so it is.": "ok: Pi loads /pkg/index.js and /other/index.js; Loopbreaker is OFF: so it is.",
		"pi " + ours + "|Loopbreaker is not guarding: no program.":      "failed: Pi loads /pkg/index.js; Loopbreaker is not guarding: no program.",
		"pi " + ours + "|Loopbreaker is building its program, once.":    "failed: Pi loads /pkg/index.js; Loopbreaker is building its program, once.",
		"pi " + foreign + "|":          "failed: Pi starts, but does not load it",
		"fail Error: Failed to load x": "failed: pi does not start: exit status 1: Error: Failed to load x",
		"say {\"type\":\"session\"}":   "failed: pi ended without an answer",
	} {
		e.pi = e.stand(t, "pi", role)
		if c := e.checkExtension(t.Context()); c.text() != want || (c.Advice == "") != (c.Status == OK) {
			t.Errorf("%s: %s, advice %q", role, c.text(), c.Advice)
		}
	}
	e.pi, e.installed = e.stand(t, "pi", "pi "+foreign), []installation{{project: true}}
	if c := e.checkExtension(t.Context()); c.Status != Warning || !strings.Contains(c.Advice, "trust the project") {
		t.Errorf("installed for the project: %s, advice %q", c.text(), c.Advice)
	}
	e.pi, e.Patience = e.stand(t, "pi", "hang"), 200*time.Millisecond
	if c := e.checkExtension(t.Context()); c.text() != "failed: pi does not start: signal: killed (it had 200ms)" {
		t.Errorf("hanging: %s", c.text())
	}
}

func TestGuard(t *testing.T) {
	e := world(t)
	e.Environ = os.Environ()
	if c := e.checkGuard(t.Context()); c.text() != "skipped: needs the package" {
		t.Error(c.text())
	}
	e.entry = filepath.Join(e.Home, "index.js")
	if c := e.checkGuard(t.Context()); c.text() != "skipped: needs Node" {
		t.Error(c.text())
	}
	same := e.stand(t, "same", "say "+VersionLine(version))
	other := e.stand(t, "other", "say loopbreaker 1.2.2 (protocol 0)")
	for role, want := range map[string]string{
		`say {"path":"` + e.Program + `"}`:                                     "ok: the extension starts this program",
		`say {"path":"` + same + `"}`:                                          "ok: the extension starts another file of the same version: " + same,
		`say {"path":"` + other + `"}`:                                         `failed: the extension starts ` + other + `, which says "loopbreaker 1.2.2 (protocol 0)" where this program says "` + VersionLine(version) + `"`,
		`say {"missing":"No program."}`:                                        "failed: No program.",
		`say {"sources":{"root":"/pkg","target":"/pkg/shim/bin/loopbreaker"}}`: "failed: it is not built yet, from /pkg",
		`fail Error: no such file`:                                             "failed: " + e.Home + " does not tell which program it starts: exit status 1: Error: no such file",
	} {
		e.node = e.stand(t, "node", role)
		if c := e.checkGuard(t.Context()); c.text() != want {
			t.Errorf("%s: %s", role, c.text())
		}
	}
}

func TestConfiguration(t *testing.T) {
	e := world(t)
	if c := e.checkConfiguration(t.Context()); c.text() != "ok: preset default" {
		t.Error(c.text())
	}
	user := e.write(t, "agent/extensions/loopbreaker.json", `{"preset":"streak","streak":{"warn":2}}`, 0o600)
	project := e.write(t, "project/.pi/extensions/loopbreaker.json", `{"streak":{"blok":9,"block":7}}`, 0o600)
	e.Environ = []string{"SECRET=hunter2", "LOOPBREAKER_MEASURES_HOST_ALIASES=hunter2=a"}
	c := e.checkConfiguration(t.Context())
	want := "warning: preset streak; set by " + user + ": preset, streak.warn; set by " + project + ": streak.block (counts where Pi trusts the project); " +
		"set by LOOPBREAKER_MEASURES_HOST_ALIASES: measures.hostAliases; " + project + ": streak.blok is not a setting (did you mean streak.block?)."
	if c.text() != want || c.Advice == "" {
		t.Errorf("%s\nwant %s", c.text(), want)
	}
	e.write(t, "agent/extensions/loopbreaker.json", "{\n  \"preset\": \"streak\",\n}", 0o600)
	if c := e.checkConfiguration(t.Context()); c.Status != Failed || !strings.Contains(c.text(), user+" is not valid JSON at line 3, column 1") {
		t.Error(c.text())
	}
	e.write(t, "agent/extensions/loopbreaker.json", `{"enabled":false}`, 0o600)
	if c := e.checkConfiguration(t.Context()); c.Status != Warning {
		t.Error(c.text())
	}
}

func TestExport(t *testing.T) {
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests++ }))
	defer server.Close()
	to := "OTEL_EXPORTER_OTLP_ENDPOINT=http://user:hunter2@" + server.Listener.Addr().String() + "/hunter2?key=hunter2"
	for _, tt := range []struct {
		environ []string
		file    string
		want    string
	}{
		{nil, "", "ok: nothing leaves the machine"},
		{[]string{to, "OTEL_EXPORTER_OTLP_HEADERS=authorization=hunter2"}, "", "ok: metrics go to " + server.URL + " (OTEL_EXPORTER_OTLP_*); events go to " + server.URL + " (OTEL_EXPORTER_OTLP_*)"},
		{[]string{to, "OTEL_LOGS_EXPORTER=none"}, "", "ok: metrics go to " + server.URL + " (OTEL_EXPORTER_OTLP_*)"},
		{[]string{to, "OTEL_SDK_DISABLED=true"}, "", "ok: nothing leaves the machine"},
		{[]string{to}, `{"export":{"enabled":false}}`, "ok: nothing leaves the machine: export.enabled is off"},
		{[]string{to, "OTEL_EXPORTER_OTLP_METRICS_HEADERS=hunter2"}, "", "; OTEL_EXPORTER_OTLP_METRICS_HEADERS does not count: its member 1 is not key=value, percent-encoded"},
	} {
		e := world(t)
		e.Environ = append(e.Environ, tt.environ...)
		if tt.file != "" {
			e.write(t, "agent/extensions/loopbreaker.json", tt.file, 0o600)
		}
		c := e.checkExport(t.Context())
		if got := c.text(); !strings.HasSuffix(got, tt.want) || strings.Contains(got+c.Advice, "hunter2") {
			t.Errorf("%q: %q, want %q", tt.environ, got, tt.want)
		}
		if c := e.checkSelf(t.Context()); c.Status != OK {
			t.Errorf("%q: %q", tt.environ, c.text())
		}
	}
	if requests > 0 {
		t.Errorf("the self-test is no session, and %d requests tell of it", requests)
	}
}

func TestAccess(t *testing.T) {
	e := world(t)
	temp := filepath.Join(e.Home, "temp")
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp)
	if err := os.Mkdir(temp, 0o700); err != nil {
		t.Fatal(err)
	}
	if c := e.checkAccess(t.Context()); c.text() != "ok: settings: "+e.AgentDir+"; a trace: "+temp {
		t.Error(c.text())
	}
	for _, folder := range []string{e.AgentDir, temp} {
		if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
			t.Errorf("left in %s: %v, %v", folder, left, err)
		}
	}
	e.write(t, "agent/extensions", "a file", 0o600)
	e.Environ = []string{"LOOPBREAKER_TRACE=none/trace"}
	c := e.checkAccess(t.Context())
	if c.Status != Warning || !strings.Contains(c.text(), "settings: "+filepath.Join(e.AgentDir, "extensions")+": ") ||
		!strings.Contains(c.text(), "LOOPBREAKER_TRACE: "+filepath.Join(e.CWD, "none")+": ") {
		t.Error(c.text())
	}
	e.AgentDir, e.Environ = filepath.Join(e.Home, "none"), nil
	if c := e.checkAccess(t.Context()); c.text() != "ok: settings: there is no folder yet; a trace: "+temp {
		t.Error(c.text())
	}
}

func TestAReport(t *testing.T) {
	e := world(t)
	shim := filepath.Dir(e.write(t, "shim/package.json", `{"name":"pi-loopbreaker","version":"1.2.3"}`, 0o600))
	e.write(t, "agent/settings.json", `{"packages":["../shim"]}`, 0o600)
	e.stand(t, "node", `say v22.19.0`)
	e.stand(t, "pi", `say 1.2.9`)
	e.Environ = append(os.Environ(), "API_KEY=hunter2")
	r := Examine(t.Context(), e.Options)
	var text, encoded bytes.Buffer
	if err := r.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	if err := r.WriteJSON(&encoded); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"pi             failed   1.2.9: ~/path/pi is too old, 1.3.0 is needed\n" + strings.Repeat(" ", 24) + "-> Install Pi 1.3.0 or later",
		"package        ok       1.2.3: ~/shim, named by ~/agent/settings.json\n",
		"extension      skipped  needs Pi\n",
		"guard          failed   ~/shim does not tell which program it starts",
		"\n\n7 ok, 2 failed, 1 skipped\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	for _, out := range []string{text.String(), encoded.String()} {
		if strings.Contains(out, e.Home) || strings.Contains(out, shim) || strings.Contains(out, "hunter2") {
			t.Errorf("it shows what it should not:\n%s", out)
		}
	}
	var back Report
	if err := json.Unmarshal(encoded.Bytes(), &back); err != nil || back.Version != version || len(back.Checks) != 10 || back.Count(Failed) != 2 || back.Count(OK) != 7 {
		t.Errorf("%v: %s", err, encoded.String())
	}
}
