package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
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
	for _, command := range []string{"serve", "replay"} {
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
