// Loopbreaker stops a coding agent that is stuck in a loop. This program is the
// guard: a host, such as the Pi extension in shim/, runs `loopbreaker serve` and
// asks it about every tool call. See README.md.
package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/rs/zerolog"
	"github.com/spf13/pflag"

	"github.com/loopbreaker/loopbreaker/bridge"
	"github.com/loopbreaker/loopbreaker/bridge/config"
	"github.com/loopbreaker/loopbreaker/bridge/replay"
	"github.com/loopbreaker/loopbreaker/guard"
)

// version is that of the release, the same as shim/package.json's.
const version = "0.1.0"

// Exit codes.
const (
	exitOK    = 0 // fine
	exitWrong = 1 // evidence or result is wrong, or something failed
	exitUsage = 2 // the command line is wrong
)

// command is a subcommand. Its flags are defined on the set it is given.
type command struct {
	name, args, summary, help string
	define                    func(*pflag.FlagSet) func(ctx context.Context, args []string) int
}

func commands() []command {
	return []command{
		{"serve", "", "guard one session over stdin and stdout", serveHelp, serve},
		{"replay", "[FILE...]", "play recordings through the guard and compare", replayHelp, replayFiles},
		{"config", "", "show every setting and where its value is from", configHelp, showConfig},
		{"version", "", "print the version", "Prints the version of this program and of the protocol it speaks.\n", printVersion},
	}
}

func main() {
	// SIGTERM and Ctrl-C end a session as the host's end of input does.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:]))
}

func run(ctx context.Context, args []string) int {
	if len(args) == 0 {
		return usageError("a command is missing")
	}
	name, args := args[0], args[1:]
	switch name {
	case "help", "--help", "-h":
		return help(args)
	}
	for _, c := range commands() {
		if c.name != name {
			continue
		}
		flags := newFlagSet(c)
		action := c.define(flags)
		switch err := flags.Parse(args); {
		case errors.Is(err, pflag.ErrHelp):
			return help([]string{name})
		case err != nil:
			return commandError(c, err.Error())
		case c.args == "" && flags.NArg() > 0:
			return commandError(c, fmt.Sprintf("unexpected argument %q", flags.Arg(0)))
		}
		return action(ctx, flags.Args())
	}
	return usageError(fmt.Sprintf("unknown command %q", name))
}

func newFlagSet(c command) *pflag.FlagSet {
	flags := pflag.NewFlagSet(c.name, pflag.ContinueOnError)
	flags.SetOutput(io.Discard) // errors are printed with the usage, once
	flags.Usage = func() {}
	return flags
}

func usage() string {
	var b strings.Builder
	b.WriteString("Loopbreaker stops a coding agent that is stuck in a loop.\n\nUsage: loopbreaker COMMAND [FLAGS]\n\nCommands:\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "  %-10s%s\n", c.name, c.summary)
	}
	b.WriteString("  help      explain a command\n\nExample: loopbreaker help replay\n\n" +
		"Exit codes: 0 fine, 1 something is wrong or failed, 2 wrong usage.\n")
	return b.String()
}

func commandUsage(c command) string {
	flags := newFlagSet(c)
	c.define(flags)
	flags.BoolP("help", "h", false, "explain this command")
	synopsis := strings.TrimSpace(c.name + " [FLAGS] " + c.args)
	return fmt.Sprintf("Usage: loopbreaker %s\n\n%s\nFlags:\n%s", synopsis, c.help, flags.FlagUsagesWrapped(80))
}

// help prints to stdout: it was asked for.
func help(args []string) int {
	if len(args) == 0 || args[0] == "help" {
		fmt.Print(usage())
		return exitOK
	}
	for _, c := range commands() {
		if c.name == args[0] {
			fmt.Print(commandUsage(c))
			return exitOK
		}
	}
	return usageError(fmt.Sprintf("unknown command %q", args[0]))
}

func usageError(what string) int {
	fmt.Fprintf(os.Stderr, "loopbreaker: %s\n\n%s", what, usage())
	return exitUsage
}

func commandError(c command, what string) int {
	fmt.Fprintf(os.Stderr, "loopbreaker %s: %s\n\n%s", c.name, what, commandUsage(c))
	return exitUsage
}

const serveHelp = `Guards one session: reads JSON-RPC 2.0 requests from stdin, one a line, and
writes the answers to stdout. Ends when stdin does. Hosts start it; by hand it
is good for a look at the protocol (bridge/PROTOCOL.md).

Example:
  echo '{"jsonrpc":"2.0","id":1,"method":"initialize",' \
    '"params":{"protocol":1}}' | loopbreaker serve
`

func serve(flags *pflag.FlagSet) func(context.Context, []string) int {
	tracePath := flags.String("trace", os.Getenv("LOOPBREAKER_TRACE"), "append every message both ways to `FILE`, to be replayed (environment: LOOPBREAKER_TRACE)")
	var level zerolog.Level
	flags.TextVar(&level, "log-level", zerolog.WarnLevel, "log to stderr from `LEVEL` up: debug, info, warn or error")
	settings := configFlags(flags)
	return func(ctx context.Context, _ []string) int {
		log := zerolog.New(os.Stderr).Level(level).With().Timestamp().Logger()
		o := bridge.Options{Flags: *settings, Environ: os.Environ(), Version: version, Log: log}
		if *tracePath != "" {
			// A trace that cannot be written is told to the user, and no reason
			// to leave the session unguarded.
			file, err := os.OpenFile(*tracePath, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
			if err != nil {
				log.Error().Err(err).Msg("no trace")
				o.Notices = append(o.Notices, guard.TraceFailed(err))
			} else {
				defer file.Close()
				o.Trace = bridge.NewTrace(file)
			}
		}
		if err := bridge.Serve(ctx, stdio{os.Stdin, os.Stdout}, o); err != nil {
			log.Error().Err(err).Msg("serving")
			return exitWrong
		}
		return exitOK
	}
}

// configFlags defines the flags that configure a session.
func configFlags(flags *pflag.FlagSet) *config.Flags {
	var f config.Flags
	flags.StringVar(&f.Preset, "preset", "", "go by preset `NAME`: "+strings.Join(presetNames(), ", "))
	flags.StringVar(&f.Config, "config", "", "read settings from `FILE` too")
	flags.StringArrayVar(&f.Set, "set", nil, "set one setting, as in streak.warn=4 (repeatable)")
	return &f
}

func presetNames() (names []string) {
	for _, p := range guard.Presets() {
		names = append(names, p.Name)
	}
	return names
}

// stdio is the host's end of the wire.
type stdio struct {
	in  *os.File
	out *os.File
}

func (s stdio) Read(p []byte) (int, error)  { return s.in.Read(p) }
func (s stdio) Write(p []byte) (int, error) { return s.out.Write(p) }
func (s stdio) Close() error                { return errors.Join(s.in.Close(), s.out.Close()) }

const replayHelp = `Plays recordings through a guard, over a real connection in memory, each on a
fresh session, and compares: a fixture with what it expects, a trace (see
serve --trace) with what was decided then. Prints one JSON object a recording:
name, calls, blocked, firstBlock, entries. What differs is said on stderr.
Without FILE it plays the fixtures built into this program.

Exit code: 0 all as it should be, 1 a mismatch or unsound evidence.

Example:
  loopbreaker replay fixtures/runaway.json session.trace
`

//go:embed fixtures/*.json
var fixtures embed.FS

func replayFiles(flags *pflag.FlagSet) func(context.Context, []string) int {
	settings := configFlags(flags)
	return func(ctx context.Context, paths []string) int {
		read := os.ReadFile
		if len(paths) == 0 {
			paths, _ = fs.Glob(fixtures, "fixtures/*.json") // the pattern is sound
			read = fixtures.ReadFile
		}
		player := replay.Player{
			// Neither files nor environment: a replay is the same everywhere.
			Options: bridge.Options{Flags: *settings, NoFiles: true, Version: version, Log: zerolog.Nop()},
			Out:     os.Stdout,
			Err:     os.Stderr,
		}
		code := exitOK
		for _, path := range paths {
			text, err := read(path)
			if err != nil {
				fmt.Fprintf(os.Stderr, "loopbreaker replay: %v\n", err)
				code = exitWrong
				continue
			}
			ok, err := player.Play(ctx, replay.File{Path: path, Text: text})
			if err != nil {
				fmt.Fprintf(os.Stderr, "loopbreaker replay: %v\n", err)
				return exitWrong
			}
			if !ok {
				code = exitWrong
			}
		}
		return code
	}
}

const configHelp = `Shows every setting, its value and where that is from. Weakest first: the
preset, the user's file, the project's file, --config, the environment, flags.

  user     extensions/loopbreaker.json in Pi's agent folder
  project  .pi/extensions/loopbreaker.json, only where Pi trusts the project

Exit code: 0 fine, 1 something in the configuration does not count.

Example:
  loopbreaker config --preset streak --set streak.warn=4
`

func showConfig(flags *pflag.FlagSet) func(context.Context, []string) int {
	settings := configFlags(flags)
	asJSON := flags.Bool("json", false, "print one JSON object")
	trusted := flags.Bool("trust-project", false, "read the project's file too")
	return func(context.Context, []string) int {
		c := config.Load(config.Sources{
			AgentDir: agentDir(), CWD: ".", ProjectTrusted: *trusted, Environ: os.Environ(), Flags: *settings,
		})
		err := error(nil)
		if *asJSON {
			err = c.WriteJSON(os.Stdout)
		} else {
			err = c.Table(os.Stdout, isTerminal(os.Stdout) && os.Getenv("NO_COLOR") == "")
		}
		switch {
		case err != nil:
			fmt.Fprintf(os.Stderr, "loopbreaker config: %v\n", err)
			return exitWrong
		case len(c.Problems) > 0:
			return exitWrong
		}
		return exitOK
	}
}

// agentDir is Pi's folder of the user's settings, found as Pi finds it.
func agentDir() string {
	home, _ := os.UserHomeDir()
	switch dir := os.Getenv("PI_CODING_AGENT_DIR"); {
	case dir == "":
		return filepath.Join(home, ".pi", "agent")
	case dir == "~" || strings.HasPrefix(dir, "~/"):
		return filepath.Join(home, dir[1:])
	default:
		return dir
	}
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func printVersion(*pflag.FlagSet) func(context.Context, []string) int {
	return func(context.Context, []string) int {
		fmt.Printf("loopbreaker %s (protocol %d)\n", version, bridge.Protocol)
		return exitOK
	}
}
