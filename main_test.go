package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
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
	commands := []string{"serve", "replay", "sweep", "fetches", "config", "doctor", "version"}
	pages := [][]string{{"help"}, {"--help"}, {"-h"}, {"help", "help"}, {"help", "--help"}, {"help", "-h"}, {"serve", "-h"}}
	for _, command := range commands {
		pages = append(pages, []string{"help", command}, []string{command, "--help"})
	}
	for _, args := range pages {
		out, err, code := loopbreaker(t, "", args...)
		if code != 0 || err != "" || !strings.HasPrefix(out, "Usage: loopbreaker ") || !strings.Contains(out, "\nExit codes:\n") {
			t.Errorf("%q: exit %d, %q, stderr %q", args, code, out, err)
		}
		page, _, _ := strings.Cut(out, "\nExamples:\n") // which are in one piece, to be copied
		for line := range strings.Lines(page) {
			if len(line) > 81 || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' && r != '\n' }) {
				t.Errorf("%q: %d characters, or a colour: %q", args, len(line), line)
			}
		}
	}
	overview, _, _ := loopbreaker(t, "", "help")
	for _, command := range commands {
		if !strings.Contains(overview, "\n  "+command+" ") {
			t.Errorf("help does not list %s", command)
		}
		if page, _, _ := loopbreaker(t, "", "help", command); command != "version" && !strings.Contains(page, "\nExamples:\n") {
			t.Errorf("help %s gives no example", command)
		}
	}
	if page, _, _ := loopbreaker(t, "", "serve", "--help"); !regexp.MustCompile(`(?m)^  --trace FILE +append `).MatchString(page) || !strings.Contains(page, "LOOPBREAKER_TRACE") {
		t.Errorf("serve --help says not all: %s", page)
	}
}

// The pages' examples are command lines that this program takes.
func TestExamplesOfTheHelp(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	t.Setenv("PI_CODING_AGENT_DIR", t.TempDir())
	recordings, err := filepath.Abs(scenarios(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	t.Setenv("PATH", filepath.Dir(program)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	for _, c := range commands() {
		for _, e := range pageOf(c).Examples {
			line := strings.NewReplacer("recordings/", recordings, "~/.pi/agent/sessions", recordings, "FILE", recordings).Replace(e.Name)
			cmd := exec.Command("sh", "-c", line)
			if out, err := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 0 && c.name != "doctor" || cmd.ProcessState.ExitCode() == 2 {
				t.Errorf("%s: %v, %s", e.Name, err, out)
			}
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
	for _, arg := range []string{"version", "--version"} {
		out, _, code := loopbreaker(t, "", arg)
		if want := "loopbreaker " + manifest.Version + " (protocol 1)\n"; code != 0 || out != want {
			t.Errorf("%s: exit %d, %q, want %q", arg, code, out, want)
		}
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

func TestTraceInANewFile(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, folder)
	}
	for range 2 {
		out, err, code := loopbreaker(t, hello, "serve", "--trace", "true")
		if code != 0 || err != "" || !strings.Contains(out, "Loopbreaker writes a trace to ") {
			t.Fatalf("code %d, stdout %q, stderr %q", code, out, err)
		}
	}
	traces, _ := filepath.Glob(filepath.Join(folder, "loopbreaker-*.jsonl"))
	if len(traces) != 2 {
		t.Fatalf("traces: %q", traces)
	}
	for _, path := range traces {
		info, err := os.Stat(path)
		if err != nil || info.Size() == 0 || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", path, err, info)
		}
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

// What files are called, and what is in them, steers no terminal.
func TestNoFileSteersATerminal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such names")
	}
	const steers = "\x1b[2J\x1b]0;owned\x07\u009b31m\u202e"
	folder := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	quoted := func(text string) string { b, _ := json.Marshal(text); return string(b) }
	var events []string
	for i := range 9 {
		id := quoted(fmt.Sprint(steers, i))
		events = append(events, `{"ev":"turn"},{"ev":"call","id":`+id+`,"tool":`+quoted("bash"+steers)+`,"input":{"command":`+quoted("curl https://a.example/"+steers)+`}},{"ev":"result","id":`+id+`,"isError":true,"text":`+quoted("Error: "+steers)+`}`)
	}
	write("a"+steers+".jsonl", `{"id":`+quoted("loop"+steers)+`,"expect":"block","by":5,"events":[`+strings.Join(events, ",")+"]}\n")
	write("bad"+steers+".jsonl", "{"+steers)
	page := filepath.Join(t.TempDir(), "page.html")
	for _, args := range [][]string{
		{"replay", "--explain", folder}, {"replay", "--explain", "--preset", "measures", folder}, {"replay", "--html", page, "--explain", folder},
		{"sweep", "--vary", "streak.block=3..4", folder}, {"fetches", folder},
	} {
		out, err, code := loopbreaker(t, "", args...)
		if args[0] == "fetches" {
			out = "" // it is JSON
		}
		if code != 1 || !strings.Contains(err, "bad") || strings.ContainsAny(out+err, "\x1b\x07\u009b\u202e") {
			t.Errorf("%q: exit %d, %q, %q", args, code, out, err)
		}
	}
	if text, err := os.ReadFile(page); err != nil || len(text) == 0 || strings.ContainsAny(string(text), "\x1b\x07\u009b\u202e") {
		t.Errorf("the page: %v", err)
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
	if out, err, code := loopbreaker(t, "", "config", "--from-env", "--preset", "streak"); code != 0 || err != "" || !strings.HasPrefix(out, "{\n  \"preset\": \"streak\",") {
		t.Errorf("with a preset: exit %d, %q, %s", code, err, out)
	}
	if out, err, code := loopbreaker(t, "", "config", "--from-env", "--preset", "strek"); code != 2 || !strings.Contains(err, "strek") {
		t.Errorf("with a wrong one: exit %d, %q, %s", code, err, out)
	}
	t.Setenv("LOOP_GUARD_BLOCK_THRESHOLD", "x")
	again, err, code := loopbreaker(t, "", "config", "--from-env")
	if code != 1 || again != out || !strings.Contains(err, "LOOP_GUARD_BLOCK_THRESHOLD") {
		t.Errorf("with an unsound one: exit %d, %q, %s", code, err, again)
	}
}

// pages are all that there is to read, by their paths.
func pages(t *testing.T) map[string]string {
	t.Helper()
	out, err := exec.Command("git", "ls-files", "*.md").Output()
	if err != nil {
		t.Skip("no clone: ", err)
	}
	all := map[string]string{}
	for _, path := range strings.Fields(string(out)) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all[path] = string(text)
	}
	if all["README.md"] == "" {
		t.Fatalf("only %d pages, and no README", len(all))
	}
	return all
}

// npm looks for what the README links to in the repository, from its root, as long
// as the package names no folder of it.
func TestLinksOfThePagesLeadSomewhere(t *testing.T) {
	all := pages(t)
	notSlug := regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	links := 0
	for path, text := range all {
		for _, m := range regexp.MustCompile(`\]\(([^)\s]+)\)`).FindAllStringSubmatch(text, -1) {
			if strings.HasPrefix(m[1], "https://") {
				continue
			}
			links++
			file, heading, toHeading := strings.Cut(m[1], "#")
			target := path
			if file != "" {
				target = filepath.ToSlash(filepath.Join(filepath.Dir(path), file))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: %v", path, m[1], err)
			}
			var slugs []string
			for line := range strings.Lines(all[target]) {
				if title := strings.TrimLeft(line, "#"); title != line {
					slug := notSlug.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
					slugs = append(slugs, strings.ReplaceAll(slug, " ", "-"))
				}
			}
			if toHeading && !slices.Contains(slugs, heading) {
				t.Errorf("%s links to %s, which has no such heading", path, m[1])
			}
		}
	}
	if links < 20 {
		t.Errorf("only %d links were found", links)
	}
	manifest, err := os.ReadFile("shim/package.json")
	if err != nil || strings.Contains(string(manifest), `"directory"`) {
		t.Errorf("the package names a folder of the repository, so the README's links lead nowhere on npm (%v)", err)
	}
}

// A command line on a page is one that the program takes, and a script on it is there.
func TestCommandsOfThePages(t *testing.T) {
	byName := map[string]command{}
	for _, c := range commands() {
		byName[c.name] = c
	}
	lines := 0
	for path, text := range pages(t) {
		for line := range strings.Lines(text) {
			for _, m := range regexp.MustCompile("(?:^|`)(?:npx pi-)?loopbreaker ([a-z]+)([^`#>|\n]*)").FindAllStringSubmatch(line, -1) {
				c, known := byName[m[1]]
				if !known {
					if m[1] != "help" {
						t.Errorf("%s: there is no command %s", path, m[1])
					}
					continue
				}
				lines++
				flags := newFlagSet(c)
				c.define(flags)
				if err := flags.Parse(strings.Fields(m[2])); err != nil {
					t.Errorf("%s: loopbreaker %s%s: %v", path, m[1], m[2], err)
				}
			}
			for _, m := range regexp.MustCompile("(?:^|`)(scripts/[a-z]+)\\b").FindAllStringSubmatch(line, -1) {
				if info, err := os.Stat(m[1]); err != nil || info.Mode()&0o111 == 0 && runtime.GOOS != "windows" {
					t.Errorf("%s: %s cannot be run: %v", path, m[1], err)
				}
			}
		}
	}
	if lines < 20 {
		t.Errorf("only %d command lines were found", lines)
	}
}

// The row of the README that everybody can have again, by the command beneath it.
func TestFiguresOfTheReadme(t *testing.T) {
	const row, command = "\n| sequences made to break ours, done right by, of ", "replay --preset all --score bridge/replay/testdata/scenarios"
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(readme), row)
	said, _, _ := strings.Cut(rest, " |\n")
	if !found || !strings.Contains(string(readme), "loopbreaker "+command) {
		t.Fatal("the README has no such row, or not its command")
	}
	out, stderr, code := loopbreaker(t, "", strings.Fields(command)...)
	var have []string
	for line := range strings.Lines(out) {
		var counted struct {
			Score struct {
				Scenarios map[string]struct{ Met, Of int }
			}
		}
		if err := json.Unmarshal([]byte(line), &counted); err != nil {
			t.Fatal(err)
		}
		met, of := 0, 0
		for _, kind := range counted.Score.Scenarios {
			met, of = met+kind.Met, of+kind.Of
		}
		switch {
		case of > 0 && len(have) == 0:
			have = []string{strconv.Itoa(of), strconv.Itoa(met)}
		case of > 0:
			have = append(have, strconv.Itoa(met))
		}
	}
	if got := strings.Join(have, " | "); code != 0 || stderr != "" || got != said {
		t.Errorf("exit %d, %q: %s; the README says %s", code, stderr, got, said)
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

// The host in Python of the protocol page, with the program as it is.
func TestTheHostOfTheProtocolPageWorks(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip(err)
	}
	page, err := os.ReadFile("bridge/PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	block := func(kind string) string {
		_, rest, found := strings.Cut(string(page), "\n```"+kind+"\n")
		text, _, ended := strings.Cut(rest, "\n```\n")
		if !found || !ended || strings.Contains(rest, "\n```"+kind+"\n") {
			t.Fatalf("the page has not one block of %s", kind)
		}
		return text + "\n"
	}
	host := block("python")
	if n := strings.Count(host, "\n"); n > 60 {
		t.Errorf("the host has %d lines", n)
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "host.py")
	if err := os.WriteFile(path, []byte(host), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, path, program)
	cmd.Dir, cmd.Env = folder, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + folder}
	out, err := cmd.CombinedOutput()
	if want := block("text"); err != nil || string(out) != want {
		t.Errorf("%v, it prints\n%s\nthe page says\n%s", err, out, want)
	}
}

// The linker leaves out every method that nothing can call. Once any function that
// is built in finds methods by a name or number known only at run time, as
// text/template does, that could be any exported method of any type, and all are
// kept; html/template cost 1.9 of 10 MB. One import is enough, of whatever
// depth, and nothing but the size would tell; so the linker is asked.
func TestNothingFindsMethodsByName(t *testing.T) {
	if found := findsMethods(t, "."); len(found) > 0 {
		t.Errorf("every exported method is kept for the sake of %q", found)
	}
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"text/template", "html/template"} {
		if slices.Contains(strings.Fields(string(out)), path) {
			t.Errorf("%s is built in", path)
		}
	}

	// The linker would say so if it were otherwise.
	file := filepath.Join(t.TempDir(), "finds.go")
	const finds = `package main

import (
	"os"
	"reflect"
)

func main() { reflect.ValueOf(os.Stdout).MethodByName(os.Args[1]) }
`
	if err := os.WriteFile(file, []byte(finds), 0o600); err != nil {
		t.Fatal(err)
	}
	if found := findsMethods(t, file); !slices.Contains(found, "main.main") {
		t.Errorf("the linker does not tell what finds methods: %q", found)
	}
}

var findsMethod = regexp.MustCompile(`(\S+)(?: <\w+>)* <ReflectMethod>`)

// findsMethods names the functions in a program that find methods by name.
func findsMethods(t *testing.T, program string) (found []string) {
	t.Helper()
	out, err := exec.Command("go", "build", "-o", os.DevNull, "-ldflags=-dumpdep", program).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, match := range findsMethod.FindAllStringSubmatch(string(out), -1) {
		if !slices.Contains(found, match[1]) {
			found = append(found, match[1])
		}
	}
	return found
}

// The fetcher speaks HTTP/1.1 only. What builds the program leaves the rest out.
func TestEveryBuildLeavesOutHTTP2(t *testing.T) {
	for _, path := range []string{"scripts/bench", "scripts/release.mjs", "scripts/setup", "shim/build.js"} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		builds := regexp.MustCompile(`(?m)^.*(\bgo build -|"build", ").*$`).FindAllString(string(text), -1)
		if len(builds) == 0 {
			t.Errorf("%s builds nothing", path)
		}
		for _, line := range builds {
			if !strings.Contains(line, "-tags=nethttpomithttp2") {
				t.Errorf("%s: %s", path, line)
			}
		}
	}
}

// What SECURITY.md promises of the program; config, bridge and the shim test the rest.

// Whoever imports one of these packages could do what the package does.
func TestOnlyTheFetcherAndTheExportGoToTheNetworkAndOnlyTheDoctorStartsPrograms(t *testing.T) {
	const module = "github.com/loopbreaker/loopbreaker/"
	allowed := map[string][]string{
		"net/http": {module + "bridge/fetch", module + "bridge/otlp"},
		"os/exec":  {module + "bridge/doctor"},
		// All but the fetcher for types of addresses, to write and to parse them.
		"net": {module + "bridge/fetch", "github.com/rs/zerolog", "github.com/rs/zerolog/internal/json", "github.com/spf13/pflag", "golang.org/x/net/http/httpguts", "golang.org/x/sys/windows"},
	}
	for _, goos := range []string{"linux", "darwin", "windows"} {
		list := exec.Command("go", "list", "-deps", "-f", `{{if not .Standard}}{{.ImportPath}}{{range .Imports}} {{.}}{{end}}{{end}}`, ".")
		list.Env = append(os.Environ(), "GOOS="+goos)
		out, err := list.Output()
		if err != nil {
			t.Fatal(err)
		}
		found := map[string][]string{}
		for line := range strings.Lines(string(out)) {
			imports := strings.Fields(line)
			for _, path := range imports[min(1, len(imports)):] {
				if _, watched := allowed[path]; watched {
					found[path] = append(found[path], imports[0])
				}
			}
		}
		for path, by := range found {
			for _, importer := range by {
				if !slices.Contains(allowed[path], importer) {
					t.Errorf("%s: %s is imported by %s", goos, path, importer)
				}
			}
		}
		if len(found) != len(allowed) {
			t.Errorf("%s: only %q were found", goos, found)
		}
	}
}

// session is a running program, asked line by line.
type session struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startSession(t *testing.T, args ...string) *session {
	t.Helper()
	s := &session{t: t, cmd: exec.Command(program, append([]string{"serve"}, args...)...)}
	s.cmd.Stderr = os.Stderr
	in, err := s.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.in, s.out = in, bufio.NewReader(out)
	t.Cleanup(func() {
		in.Close()
		s.cmd.Wait()
	})
	return s
}

func (s *session) send(line string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, line+"\n"); err != nil {
		s.t.Fatal(err)
	}
}

func (s *session) ask(line string) string {
	s.t.Helper()
	s.send(line)
	answer, err := s.out.ReadString('\n')
	if err != nil || strings.Contains(answer, `"error"`) {
		s.t.Fatalf("%s: %v %s", line, err, answer)
	}
	return answer
}

// sockets counts those that the program has open.
func (s *session) sockets() (n int) {
	s.t.Helper()
	folder := fmt.Sprintf("/proc/%d/fd", s.cmd.Process.Pid)
	fds, err := os.ReadDir(folder)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, fd := range fds {
		if link, _ := os.Readlink(filepath.Join(folder, fd.Name())); strings.HasPrefix(link, "socket:") {
			n++
		}
	}
	return n
}

const callOfCurl = `{"jsonrpc":"2.0","id":1,"method":"tool/call","params":{"toolCallId":"1","toolName":"bash","input":{"command":"curl https://example.com"}}}`

func TestServeOpensNoSocketButToFetch(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc")
	}
	s := startSession(t)
	s.ask(strings.TrimSpace(hello))
	for range 10 {
		s.ask(callOfCurl)
		if n := s.sockets(); n != 0 {
			t.Fatalf("%d sockets", n)
		}
	}

	// One that fetches shows that they would be seen.
	asked, answer := make(chan bool), make(chan bool)
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		asked <- true
		<-answer
	}))
	defer server.Close()
	s = startSession(t, "--set", "fetch.enabled=true", "--set", "fetch.allowPrivateHosts=127.0.0.1")
	s.ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":1,"cwd":%q}}`, t.TempDir()))
	s.ask(callOfCurl)
	if n := s.sockets(); n != 0 {
		t.Errorf("%d sockets before the fetch", n)
	}
	s.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"tool/run","params":{"toolCallId":"2","toolName":"web_fetch_file","input":{"url":%q}}}`, server.URL))
	<-asked
	if n := s.sockets(); n != 1 {
		t.Errorf("%d sockets while it fetches", n)
	}
	close(answer)
	if _, err := s.out.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
}

// noCall is what strace says of a thread that ends, or is left, before it has made one.
var noCall = regexp.MustCompile(`(?m)^\d+ \?\?\?\(.*\n`)

// Nor one that is closed before anybody looks: the system says so.
func TestServeAsksTheSystemForNoNetwork(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip(err)
	}
	folder := t.TempDir()
	// Its input ends when it has answered with so many lines: what is under way then ends.
	calls := func(in string, answers int, args ...string) string {
		t.Helper()
		path := filepath.Join(folder, "calls")
		cmd := exec.Command(strace, append([]string{"-f", "-qq", "-e", "trace=%network", "-e", "signal=none", "-o", path, program}, args...)...)
		cmd.Dir = folder
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		io.WriteString(stdin, in)
		lines := bufio.NewScanner(stdout)
		for range answers {
			lines.Scan()
		}
		stdin.Close()
		io.Copy(io.Discard, stdout)
		if err := cmd.Wait(); err != nil {
			t.Skip(err) // a container may forbid it
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return noCall.ReplaceAllString(string(text), "")
	}
	for _, preset := range []string{"default", "measures"} {
		if made := calls(hello+strings.Repeat(callOfCurl+"\n", 10), 11, "serve", "--preset", preset); made != "" {
			t.Errorf("%s: %s", preset, made)
		}
	}
	for _, args := range [][]string{{"replay"}, {"config"}, {"version"}} {
		if made := calls("", 0, args...); made != "" {
			t.Errorf("%q: %s", args, made)
		}
	}

	// A fetch, of nobody, shows that they would be seen.
	fetch := hello + `{"jsonrpc":"2.0","id":2,"method":"tool/run","params":{"toolCallId":"2","toolName":"web_fetch_file","input":{"url":"http://127.0.0.1:9/"}}}` + "\n"
	fetch = strings.Replace(fetch, `"protocol":1`, fmt.Sprintf(`"protocol":1,"cwd":%q`, folder), 1)
	if made := calls(fetch, 2, "serve", "--set", "fetch.enabled=true", "--set", "fetch.allowPrivateHosts=127.0.0.1"); !strings.Contains(made, "socket(") {
		t.Errorf("a fetch is not seen: %q", made)
	}
}

func TestATraceIsForTheUserOnly(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such modes")
	}
	folder := t.TempDir()
	made, found := filepath.Join(folder, "made"), filepath.Join(folder, "found")
	if err := os.WriteFile(found, []byte("before\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(found, 0o666); err != nil { // whatever the umask
		t.Fatal(err)
	}
	for _, path := range []string{made, found} {
		if _, err, code := loopbreaker(t, hello, "serve", "--trace", path); code != 0 || err != "" {
			t.Fatalf("exit %d, %s", code, err)
		}
		info, err := os.Stat(path)
		if err != nil || info.Mode() != 0o600 || info.Size() < 200 {
			t.Errorf("%s: %v, %v, %d bytes", path, err, info.Mode(), info.Size())
		}
	}
	// Nor does a link, which somebody else may have put there, choose what is written to.
	link, target := filepath.Join(folder, "link"), filepath.Join(folder, "target")
	for _, content := range []string{"", "theirs\n"} {
		if content != "" {
			if err := os.WriteFile(target, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		os.Remove(link)
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
		out, _, code := loopbreaker(t, hello, "serve", "--trace", link)
		if text, _ := os.ReadFile(target); code != 0 || string(text) != content || !strings.Contains(out, `"notify":["Loopbreaker cannot write the trace`) {
			t.Errorf("exit %d, %q was written, %s", code, text, out)
		}
	}
	// What is no file is not for us to close to others.
	if _, err, code := loopbreaker(t, hello, "serve", "--trace", os.DevNull); code != 0 || err != "" {
		t.Errorf("exit %d, %s", code, err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().Perm()&0o066 != 0o066 {
		t.Errorf("%s: %v, %v", os.DevNull, err, info.Mode())
	}
}

func TestASessionLeavesNothing(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"HOME", "TMPDIR", "TMP", "TEMP", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "PI_CODING_AGENT_DIR"} {
		t.Setenv(name, filepath.Join(root, name))
		if err := os.Mkdir(filepath.Join(root, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("LOOPBREAKER_TRACE", "")
	t.Chdir(root)
	s := startSession(t)
	s.ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":1,"cwd":%q,"agentDir":%q,"projectTrusted":true}}`, root, filepath.Join(root, "PI_CODING_AGENT_DIR")))
	for range 10 {
		s.ask(callOfCurl)
	}
	s.ask(`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`)
	var left []string
	filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			left = append(left, path)
		}
		return nil
	})
	if len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}
