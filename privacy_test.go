package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// What SECURITY.md promises of the program; config, bridge and the shim test the rest.

// Whoever imports one of these packages could do what the package does.
func TestOnlyTheFetcherGoesToTheNetworkAndOnlyTheDoctorStartsPrograms(t *testing.T) {
	const module = "github.com/loopbreaker/loopbreaker/"
	allowed := map[string][]string{
		"net/http": {module + "bridge/fetch"},
		"os/exec":  {module + "bridge/doctor"},
		// Both for types of addresses, to write and to parse them.
		"net": {module + "bridge/fetch", "github.com/rs/zerolog", "github.com/rs/zerolog/internal/json", "github.com/spf13/pflag", "golang.org/x/sys/windows"},
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
