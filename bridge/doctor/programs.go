package doctor

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/semver"

	"github.com/loopbreaker/loopbreaker/bridge"
)

// What the package needs, as its package.json has it.
const (
	leastNode = "22.19.0"
	leastPi   = "1.3.0"
)

func (e *examination) checkProgram(context.Context) Check {
	return Check{Status: OK, Found: []string{fmt.Sprintf("%s, protocol %d, %s/%s, %s: %s",
		e.Version, bridge.Protocol, runtime.GOOS, runtime.GOARCH, runtime.Version(), e.Program)}}
}

func (e *examination) checkNode(ctx context.Context) (c Check) {
	e.node, c = e.checkVersion(ctx, "node", leastNode)
	if c.Status == Failed {
		c.Advice = "Install Node " + leastNode + " or later, and have it on PATH."
	}
	return c
}

func (e *examination) checkPi(ctx context.Context) (c Check) {
	e.pi, c = e.checkVersion(ctx, "pi", leastPi)
	if c.Status == Failed {
		c.Advice = "Install Pi " + leastPi + " or later (npm install -g @earendil-works/pi-coding-agent), and have it on PATH."
	}
	return c
}

var versionPattern = regexp.MustCompile(`\d+\.\d+\.\d+[-+.0-9A-Za-z]*`)

// checkVersion looks for a program on PATH; path is "" unless it is recent enough.
func (e *examination) checkVersion(ctx context.Context, name, least string) (path string, c Check) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", Check{Status: Failed, Found: []string{name + " is not on PATH"}}
	}
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	out, err := e.output(ctx, path, "--version")
	version := versionPattern.FindString(out)
	switch {
	case err != nil:
		return "", Check{Status: Failed, Found: []string{fmt.Sprintf("%s does not tell its version: %v", path, err)}}
	case version == "":
		return "", Check{Status: Failed, Found: []string{path + " does not tell its version"}}
	case semver.Compare("v"+version, "v"+least) < 0:
		return "", Check{Status: Failed, Found: []string{fmt.Sprintf("%s: %s is too old, %s is needed", version, path, least)}}
	}
	return path, Check{Status: OK, Found: []string{version + ": " + path}}
}

// command is a program to be started, of whose environment the part is taken that
// would have it write something, or tell somebody of sessions that are none.
func (e *examination) command(ctx context.Context, path string, args ...string) (*exec.Cmd, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, e.Patience)
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = e.CWD
	cmd.WaitDelay = time.Second // a child of it may hold its output
	cmd.Env = append(without(e.Environ, "LOOPBREAKER_TRACE", "OTEL_*"), "PI_OFFLINE=1", "NODE_DISABLE_COMPILE_CACHE=1", "JITI_FS_CACHE=false")
	return cmd, cancel
}

// output runs a program and returns what it writes.
func (e *examination) output(ctx context.Context, path string, args ...string) (string, error) {
	cmd, cancel := e.command(ctx, path, args...)
	defer cancel()
	var out, words bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &words
	err := cmd.Run()
	return strings.TrimSpace(out.String()), e.failure(cmd, err, words.String())
}

// failure says why a program ended as it did, in its own words if it had any.
func (e *examination) failure(cmd *exec.Cmd, err error, words string) error {
	if err == nil || errors.Is(err, exec.ErrWaitDelay) {
		return nil
	}
	if cmd.ProcessState != nil && cmd.ProcessState.ExitCode() < 0 {
		return fmt.Errorf("%w (it had %v)", err, e.Patience)
	}
	lines := strings.FieldsFunc(words, func(r rune) bool { return r == '\n' || r == '\r' })
	if i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "Error") }); i >= 0 {
		return fmt.Errorf("%w: %s", err, lines[i])
	}
	if len(lines) > 0 {
		return fmt.Errorf("%w: %s", err, lines[len(lines)-1])
	}
	return err
}

// process is a program that is talked with.
type process struct {
	in    io.WriteCloser
	out   *bufio.Reader
	words *bytes.Buffer // what it writes to stderr; to be read after its end
	ended chan error
}

// start starts a program. Its output ends when it does, or is killed, whoever else
// may hold it.
func start(cmd *exec.Cmd) (*process, error) {
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	read, write := io.Pipe()
	p := &process{in: in, out: bufio.NewReader(read), words: &bytes.Buffer{}, ended: make(chan error, 1)}
	cmd.Stdout, cmd.Stderr = write, p.words
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		err := cmd.Wait()
		write.Close()
		p.ended <- err
	}()
	return p, nil
}

// end closes the input of the program, which asks it to end, and waits until it has.
func (p *process) end() error {
	p.in.Close()
	io.Copy(io.Discard, p.out)
	return <-p.ended
}

// without leaves variables of these names, or that begin with those that end in *,
// out of an environment.
func without(environ []string, names ...string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.ContainsFunc(names, func(n string) bool {
			prefix, many := strings.CutSuffix(n, "*")
			return many && strings.HasPrefix(name, prefix) || n == name
		})
	})
}
