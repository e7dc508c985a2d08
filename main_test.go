package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The real program, built once for all tests of this file.
var program string

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "loopbreaker-test-")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(folder, "loopbreaker")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		panic(string(out))
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// loopbreaker runs the program.
func loopbreaker(t *testing.T, stdin string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.Command(program, args...)
	var out, err bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &err
	if e := cmd.Run(); e != nil && cmd.ProcessState == nil {
		t.Fatal(e)
	}
	return out.String(), err.String(), cmd.ProcessState.ExitCode()
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{
		{"help"}, {"--help"}, {"-h"}, {"help", "help"},
		{"help", "serve"}, {"serve", "--help"}, {"serve", "-h"},
		{"help", "replay"}, {"replay", "--help"},
		{"help", "fetches"}, {"fetches", "--help"},
		{"help", "doctor"}, {"doctor", "--help"},
		{"help", "version"}, {"version", "--help"},
	} {
		out, err, code := loopbreaker(t, "", args...)
		if code != 0 || err != "" || !strings.Contains(out, "Usage: loopbreaker") {
			t.Errorf("%q: exit %d, %q, stderr %q", args, code, out, err)
		}
		if n := strings.Count(out, "\n"); n > 24 {
			t.Errorf("%q: %d lines do not fit one screen", args, n)
		}
		for line := range strings.Lines(out) {
			if len(line) > 81 {
				t.Errorf("%q: a line of %d characters: %s", args, len(line), line)
			}
		}
	}
	for _, command := range []string{"serve", "replay", "fetches", "doctor"} {
		if out, _, _ := loopbreaker(t, "", command, "--help"); !strings.Contains(out, "Example:\n") {
			t.Errorf("%s --help gives no example", command)
		}
	}
}

func TestWrongUsage(t *testing.T) {
	for _, tt := range []struct {
		args []string
		says string
	}{
		{nil, "a command is missing"},
		{[]string{"sevre"}, `unknown command "sevre"`},
		{[]string{"--trace", "x"}, `unknown command "--trace"`},
		{[]string{"help", "sevre"}, `unknown command "sevre"`},
		{[]string{"serve", "--tarce", "x"}, "unknown flag: --tarce"},
		{[]string{"serve", "--trace"}, "flag needs an argument"},
		{[]string{"serve", "now"}, `unexpected argument "now"`},
		{[]string{"serve", "--log-level", "loud"}, `invalid argument "loud" for "--log-level"`},
		{[]string{"replay", "-x"}, "unknown shorthand flag"},
		{[]string{"version", "2"}, `unexpected argument "2"`},
	} {
		out, err, code := loopbreaker(t, "", tt.args...)
		if code != 2 || out != "" || !strings.Contains(err, tt.says) || !strings.Contains(err, "Usage: loopbreaker") {
			t.Errorf("%q: exit %d, stdout %q, stderr %q; want exit 2 and %q", tt.args, code, out, err, tt.says)
		}
	}
}

func TestTheVersionIsThatOfThePackage(t *testing.T) {
	text, err := os.ReadFile("shim/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct{ Version string }
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	out, _, code := loopbreaker(t, "", "version")
	if want := "loopbreaker " + manifest.Version + " (protocol 1)\n"; code != 0 || out != want {
		t.Errorf("exit %d, %q, want %q", code, out, want)
	}
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":1}}` + "\n"

func TestServe(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "a.trace")
	for range 2 { // a trace is appended to
		out, err, code := loopbreaker(t, hello, "serve", "--trace", trace)
		if code != 0 || err != "" || !strings.HasPrefix(out, `{"jsonrpc":"2.0","id":1,"result":{"protocol":1,`) {
			t.Fatalf("exit %d, %q, %q", code, out, err)
		}
	}
	if out, err, code := loopbreaker(t, "", "replay", trace); code != 0 || strings.Count(out, "\n") != 2 {
		t.Errorf("replay of the trace: exit %d, %q, %q", code, out, err)
	}
}

func TestServeGuardsWithoutATraceItCannotWrite(t *testing.T) {
	out, err, code := loopbreaker(t, hello, "serve", "--trace", filepath.Join(t.TempDir(), "none", "a.trace"))
	if code != 0 || !strings.Contains(out, `"notify":["Loopbreaker cannot write the trace`) || !strings.Contains(err, "no trace") {
		t.Errorf("exit %d, %q, %q", code, out, err)
	}
}

func TestReplay(t *testing.T) {
	out, err, code := loopbreaker(t, "", "replay")
	if code != 0 || err != "" || strings.Count(out, "\n") != 6 || !strings.Contains(out, `{"name":"runaway","calls":6,"blocked":1,"firstBlock":6,"entries":1}`) {
		t.Errorf("the built-in fixtures: exit %d, %q, %q", code, out, err)
	}
	out, err, code = loopbreaker(t, "", "replay", "fixtures/healthy.json", "fixtures/none.json", "main.go", "fixtures/runaway.json")
	if code != 1 || strings.Count(out, "\n") != 2 || !strings.Contains(err, "fixtures/none.json") || !strings.Contains(err, "main.go: neither a fixture, a trace") {
		t.Errorf("with broken ones between: exit %d, %q, %q", code, out, err)
	}
}

// scenarios are two of the form that replay reads: a loop of nine, and a pair.
func scenarios(t *testing.T) string {
	t.Helper()
	events := func(n int) string {
		var all []string
		for i := range n {
			id := strconv.Itoa(i)
			all = append(all, `{"ev":"turn"},{"ev":"call","id":"`+id+`","tool":"bash","input":{"command":"ls"}},{"ev":"result","id":"`+id+`","isError":false,"text":"same"}`)
		}
		return strings.Join(all, ",")
	}
	path := filepath.Join(t.TempDir(), "scenarios.jsonl")
	text := `{"id":"loop","expect":"block","by":5,"events":[` + events(9) + `]}` + "\n" +
		`{"id":"pair","expect":"allow","by":null,"events":[` + events(2) + `]}` + "\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReplayComparesAndScores(t *testing.T) {
	path := scenarios(t)
	page := filepath.Join(t.TempDir(), "page.html")
	out, err, code := loopbreaker(t, "", "replay", "--preset", "window", "--preset", "streak", "--score", "--html", page, path)
	if code != 0 || err != "" || strings.Count(out, "\n") != 4+2 {
		t.Errorf("exit %d, %q, %s", code, err, out)
	}
	for _, want := range []string{
		`{"name":"loop","preset":"window","calls":9,"blocked":4,"firstBlock":6,`, `{"name":"loop","preset":"streak","calls":9,"blocked":3,"firstBlock":5,`,
		`"scenarios":{"allow":{"met":1,"of":1},"block":{"met":0,"of":1}}`, `"scenarios":{"allow":{"met":1,"of":1},"block":{"met":1,"of":1}}`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
	if text, e := os.ReadFile(page); e != nil || !strings.Contains(string(text), "What the guard would have done") {
		t.Errorf("the page: %v", e)
	}
	out, _, code = loopbreaker(t, "", "replay", "--explain", "--preset", "streak", path)
	if code != 0 || !strings.Contains(out, "loop\n") || !strings.Contains(out, "(rule streak, stage block: 4, due from 4)") {
		t.Errorf("--explain: exit %d, %s", code, out)
	}
	for preset, want := range map[string]int{"window": 1, "streak": 0} {
		if _, err, code := loopbreaker(t, "", "replay", "--preset", preset, "--fail-under", "80", path); code != want || (err != "") != (want == 1) {
			t.Errorf("--fail-under, %s: exit %d, %q", preset, code, err)
		}
	}
	if _, _, code := loopbreaker(t, "", "replay", "--html", filepath.Join(page, "no"), path); code != 1 {
		t.Errorf("a page that cannot be written: exit %d", code)
	}
}

func TestReplayRefusesWrongSettings(t *testing.T) {
	for _, args := range [][]string{{"--preset", "strek"}, {"--set", "window.blok=3"}, {"--config", "none.json"}} {
		out, err, code := loopbreaker(t, "", append([]string{"replay"}, args...)...)
		if code != 2 || out != "" || !strings.Contains(err, args[1][:4]) {
			t.Errorf("%q: exit %d, %q, %q", args, code, out, err)
		}
	}
}

func TestSweep(t *testing.T) {
	path := scenarios(t)
	out, err, code := loopbreaker(t, "", "sweep", "--preset", "streak", "--vary", "streak.block=3..6", path)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != 0 || err != "" || len(lines) != 2+4 || !strings.Contains(lines[2], "cannot act") {
		t.Fatalf("exit %d, %q, %s", code, err, out)
	}
	for i, right := range []string{"50.0 %", "100.0 %", "100.0 %", "50.0 %"} {
		if !strings.Contains(lines[2+i], right) {
			t.Errorf("%q, want %s", lines[2+i], right)
		}
	}
	for _, args := range [][]string{
		{"--vary", "streak.block=3..6"}, {path}, {"--vary", "streak.blok=1", path}, {"--vary", "streak.block", path},
		{"--vary", "a=1", "--vary", "b=1", "--vary", "c=1", path},
	} {
		if _, err, code := loopbreaker(t, "", append([]string{"sweep"}, args...)...); code != 2 || err == "" {
			t.Errorf("%q: exit %d, %q", args, code, err)
		}
	}
}

func TestFetches(t *testing.T) {
	const path = "bridge/replay/testdata/fetches/session.jsonl"
	out, err, code := loopbreaker(t, "", "fetches", path)
	if code != 0 || err != "" || !strings.Contains(out, `"refused":10,`) || !strings.Contains(out, `{"exemption":{"program":"curl","exempt":false,"passes":7,`) {
		t.Errorf("exit %d, %q, %s", code, err, out)
	}
	text, e := os.ReadFile(path)
	if e != nil {
		t.Fatal(e)
	}
	if piped, err, code := loopbreaker(t, string(text), "fetches", "-"); piped != out || err != "" || code != 0 {
		t.Errorf("from a pipe: exit %d, %q, %s", code, err, piped)
	}
	out, err, code = loopbreaker(t, "", "fetches", "--set", "measures.shellHttpAllow=curl,wget", path, "main.go")
	if code != 1 || !strings.Contains(err, "main.go: neither") || !strings.Contains(out, `"refused":3,`) {
		t.Errorf("with a broken one, and another list: exit %d, %q, %s", code, err, out)
	}
	for _, args := range [][]string{nil, {"--set", "measures.shellHttpAlow=curl", path}} {
		if out, err, code := loopbreaker(t, "", append([]string{"fetches"}, args...)...); code != 2 || out != "" || err == "" {
			t.Errorf("%q: exit %d, %q", args, code, err)
		}
	}
}

func TestConfig(t *testing.T) {
	t.Setenv("PI_CODING_AGENT_DIR", t.TempDir())
	out, err, code := loopbreaker(t, "", "config", "--preset", "streak", "--set", "streak.warn=2")
	if code != 0 || err != "" || !regexp.MustCompile(`streak\.warn +2 +--set\n`).MatchString(out) {
		t.Errorf("exit %d, %q, %s", code, err, out)
	}
	out, _, code = loopbreaker(t, "", "config", "--json", "--set", "streak.wran=2")
	var c struct{ Problems []struct{ Text string } }
	if e := json.Unmarshal([]byte(out), &c); e != nil || code != 2 || len(c.Problems) != 1 || !strings.Contains(c.Problems[0].Text, "did you mean streak.warn") {
		t.Errorf("exit %d, %v, %s", code, e, out)
	}
}

func TestConfigFromEnv(t *testing.T) {
	t.Setenv("LOOP_GUARD_WARN_THRESHOLD", "4")
	out, err, code := loopbreaker(t, "", "config", "--from-env")
	if want := "{\n  \"streak\": {\n    \"warn\": 4\n  }\n}\n"; code != 0 || err != "" || out != want {
		t.Errorf("exit %d, %q, %s", code, err, out)
	}
	t.Setenv("LOOP_GUARD_BLOCK_THRESHOLD", "x")
	again, err, code := loopbreaker(t, "", "config", "--from-env")
	if code != 1 || again != out || !strings.Contains(err, "LOOP_GUARD_BLOCK_THRESHOLD") {
		t.Errorf("with an unsound one: exit %d, %q, %s", code, err, again)
	}
}

// With real Pi: shim/test/pi-doctor.test.js.
func TestDoctor(t *testing.T) {
	home := t.TempDir()
	t.Setenv("PATH", home)
	t.Setenv("HOME", home)
	t.Setenv("PI_CODING_AGENT_DIR", "~/agent")
	if err := os.Mkdir(filepath.Join(home, "agent"), 0o700); err != nil {
		t.Fatal(err)
	}
	out, err, code := loopbreaker(t, "", "doctor")
	if code != 1 || err != "" || !regexp.MustCompile(`(?m)^self-test +ok +a guard started, refused call 5 of a loop, and ended: \d+ ms$`).MatchString(out) ||
		!regexp.MustCompile(`(?m)^pi +failed +pi is not on PATH$`).MatchString(out) || !strings.Contains(out, "~/agent") || strings.Contains(out, home) {
		t.Errorf("exit %d, %q, %s", code, err, out)
	}
	out, err, code = loopbreaker(t, "", "doctor", "--json")
	var r struct {
		Version string
		Checks  []struct{ Name, Status string }
	}
	if e := json.Unmarshal([]byte(out), &r); e != nil || code != 1 || err != "" || r.Version == "" || len(r.Checks) < 9 || r.Checks[1].Status != "ok" {
		t.Errorf("exit %d, %q, %v, %s", code, err, e, out)
	}
	if out, err, code := loopbreaker(t, "", "doctor", "everything"); code != 2 || out != "" || err == "" {
		t.Errorf("exit %d, %q, %q", code, out, err)
	}
}
