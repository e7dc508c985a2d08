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
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/rs/zerolog"
	"github.com/spf13/pflag"
	"github.com/vbauerster/cupwriter"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/loopbreaker/loopbreaker/bridge"
	"github.com/loopbreaker/loopbreaker/bridge/config"
	"github.com/loopbreaker/loopbreaker/bridge/doctor"
	"github.com/loopbreaker/loopbreaker/bridge/manual"
	"github.com/loopbreaker/loopbreaker/bridge/otlp"
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

// command is a subcommand. Its flags are defined on the set it is given, and its
// page says all but those.
type command struct {
	name, args, summary string
	page                manual.Page
	define              func(*pflag.FlagSet) func(ctx context.Context, args []string) int
}

func commands() []command {
	return []command{
		{"serve", "", "guard one session over stdin and stdout", servePage, serve},
		{"replay", "[PATH...]", "play recorded sessions through the guard", replayPage, replayFiles},
		{"sweep", "PATH...", "try a range of values of a setting on recorded sessions", sweepPage, sweep},
		{"fetches", "PATH...", "show what shells fetched, and what an exemption would let pass", fetchesPage, fetches},
		{"config", "", "show every setting and where its value is from", configPage, showConfig},
		{"doctor", "", "look for what keeps the guard from working", doctorPage, examine},
		{"version", "", "print the version", versionPage, printVersion},
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
	case "--version": // as most programs have it
		name = "version"
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

// overview is the page about all commands.
func overview() manual.Page {
	list := manual.Section{Title: "Commands"}
	for _, c := range commands() {
		list.Entries = append(list.Entries, manual.Entry{Name: c.name, Text: c.summary})
	}
	list.Entries = append(list.Entries, manual.Entry{Name: "help", Text: "explain a command: its flags, files, environment and exit codes"})
	return manual.Page{
		Synopsis: "loopbreaker COMMAND [FLAGS]",
		About: []string{
			"Loopbreaker stops a coding agent that is stuck in a loop. Pi starts this program by itself, as its guard; " +
				"the commands are for looking at recorded sessions, settings and what is wrong.",
		},
		Sections: []manual.Section{list, exitCodes("", "something is wrong, or failed")},
		Examples: []manual.Entry{
			{Name: "loopbreaker replay", Text: "what the guard would have done in your own Pi sessions"},
			{Name: "loopbreaker help replay", Text: "all that there is to say of a command"},
		},
	}
}

// pageOf is all that there is to say of a command.
func pageOf(c command) manual.Page {
	flags := newFlagSet(c)
	c.define(flags)
	flags.BoolP("help", "h", false, "explain this command")
	page := c.page
	page.Synopsis = strings.TrimSpace("loopbreaker " + c.name + " [FLAGS] " + c.args)
	page.Sections = append([]manual.Section{manual.Flags(flags)}, page.Sections...)
	return page
}

// exitCodes are the same for all commands, but for what makes them. Some commands
// cannot fail.
func exitCodes(fine, wrong string) manual.Section {
	s := manual.Section{Title: "Exit codes", Entries: []manual.Entry{{Name: "0", Text: "fine" + fine}}}
	if wrong != "" {
		s.Entries = append(s.Entries, manual.Entry{Name: "1", Text: wrong})
	}
	s.Entries = append(s.Entries, manual.Entry{Name: "2", Text: "the command line is wrong"})
	return s
}

// Where commands look for settings.
var (
	settingsFiles = manual.Section{Title: "Files", Entries: []manual.Entry{
		{Name: "extensions/loopbreaker.json", Text: "in Pi's agent folder, ~/.pi/agent: your settings"},
		{Name: ".pi/extensions/loopbreaker.json", Text: "in the project: its settings, where Pi trusts it"},
	}}
	settingsVariables = []manual.Entry{
		{Name: "LOOPBREAKER_...", Text: "a setting each: streak.ignoreTools is LOOPBREAKER_STREAK_IGNORE_TOOLS"},
		{Name: "LOOP_GUARD_..., PI_LOOP_GUARD_...", Text: "the names that two older guards had for some of them"},
	}
	agentFolder = manual.Entry{Name: "PI_CODING_AGENT_DIR", Text: "Pi's agent folder, where it is not ~/.pi/agent"}
)

// help prints to stdout: it was asked for.
func help(args []string) int {
	page := overview()
	if len(args) > 0 && !slices.Contains([]string{"help", "--help", "-h"}, args[0]) {
		all := commands()
		i := slices.IndexFunc(all, func(c command) bool { return c.name == args[0] })
		if i < 0 {
			return usageError(fmt.Sprintf("unknown command %q", args[0]))
		}
		page = pageOf(all[i])
	}
	columns := 80
	if isTerminal(os.Stdout) {
		if width, _, err := cupwriter.New(os.Stdout, false).GetTermSize(); err == nil {
			columns = width
		}
	}
	if err := page.Write(os.Stdout, columns); err != nil {
		fmt.Fprintf(os.Stderr, "loopbreaker help: %v\n", err)
		return exitWrong
	}
	return exitOK
}

func usageError(what string) int {
	fmt.Fprintf(os.Stderr, "loopbreaker: %s\n\n", what)
	overview().Write(os.Stderr, 80)
	return exitUsage
}

func commandError(c command, what string) int {
	fmt.Fprintf(os.Stderr, "loopbreaker %s: %s\n\nUsage: %s\n\n\"loopbreaker help %s\" explains the flags.\n", c.name, what, pageOf(c).Synopsis, c.name)
	return exitUsage
}

var servePage = manual.Page{
	About: []string{
		"Guards one session: reads JSON-RPC 2.0 requests from stdin, one a line, and writes the answers to stdout. " +
			"Ends when stdin does, or at SIGTERM. Hosts start it; by hand it is good for a look at the protocol (bridge/PROTOCOL.md).",
		"The host says where Pi's agent folder and the project are, and whether the project is trusted. A file with settings that changes holds from the next call on.",
	},
	Sections: []manual.Section{
		settingsFiles,
		{Title: "Environment", Entries: append([]manual.Entry{
			{Name: "LOOPBREAKER_TRACE", Text: "what --trace says, where it says nothing"},
			{Name: "OTEL_EXPORTER_OTLP_ENDPOINT", Text: "where metrics and events are exported to; nowhere, where it is not set (bridge/otlp/EXPORT.md has the others)"},
		}, settingsVariables...)},
		exitCodes(": the host ended the session", "the connection failed"),
	},
	Examples: []manual.Entry{{
		Name: `echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":1}}' | loopbreaker serve`,
		Text: "what a guard says first",
	}},
}

// collectAt is the GC percentage of a guard. Its heap is small, under a megabyte, so
// that less than half of the default costs no time that shows in an answer and holds
// 2.5 MiB less; less still holds no less, and collects before the first call. A memory
// limit of 16 MiB holds no less after calls of 5 MB than giving their memory back does;
// one of 3 MiB takes 13 times the processor. One processor instead of all holds 0.3 MiB
// less and answers no sooner. Both stay as they are. scripts/bench --runtime measures it.
const collectAt = 40

func serve(flags *pflag.FlagSet) func(context.Context, []string) int {
	tracePath := flags.String("trace", os.Getenv("LOOPBREAKER_TRACE"), "append every message both ways to `FILE`, to be replayed; true picks a new one in the temp folder")
	var level zerolog.Level
	flags.TextVar(&level, "log-level", zerolog.WarnLevel, "log to stderr from `LEVEL` up: debug, info, warn (as by default) or error")
	settings := configFlags(flags)
	return func(ctx context.Context, _ []string) int {
		if os.Getenv("GOGC") == "" {
			debug.SetGCPercent(collectAt)
		}
		log := zerolog.New(os.Stderr).Level(level).With().Timestamp().Logger()
		o := bridge.Options{Flags: *settings, Environ: os.Environ(), Version: version, Log: log}
		o.Export = otlp.New(otlp.Read(o.Environ), version, log)
		if *tracePath != "" {
			// A trace that cannot be written is told to the user, and no reason
			// to leave the session unguarded.
			file, err := openTrace(*tracePath)
			if err != nil {
				log.Error().Err(err).Msg("no trace")
				o.Notices = append(o.Notices, guard.TraceFailed(err))
			} else {
				if *tracePath == pickTrace {
					o.Notices = append(o.Notices, guard.Tracing(file.Name()))
				}
				defer file.Close()
				// Process ids come again; with the time they do not.
				o.Trace = bridge.NewTrace(file, fmt.Sprintf("%d-%x", os.Getpid(), time.Now().UnixNano()))
			}
		}
		if err := bridge.Serve(ctx, stdio{os.Stdin, os.Stdout}, o); err != nil {
			log.Error().Err(err).Msg("serving")
			return exitWrong
		}
		return exitOK
	}
}

// pickTrace in the place of a path asks for a new file in the temp folder.
const pickTrace = "true"

// openTrace opens a file to append to, which nobody but the user may read: one
// that is there already, and that others may read, is closed to them. A pipe would
// hold up the session until somebody reads it. A link, as anybody can put into a
// shared folder, would choose the file. Windows has no such modes; there a file is
// as private as its folder.
func openTrace(path string) (*os.File, error) {
	if path == pickTrace {
		return os.CreateTemp("", "loopbreaker-*.jsonl")
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&(os.ModeNamedPipe|os.ModeSymlink) != 0 {
		return nil, fmt.Errorf("%s is a pipe or a link", path)
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if named, e := os.Lstat(path); err == nil && (e != nil || !os.SameFile(named, info)) {
		err = errors.New("it has become another")
	}
	if err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		err = file.Chmod(0o600)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("keeping %s from others: %w", path, err), file.Close())
	}
	return file, nil
}

// configFlags defines the flags that configure a session.
func configFlags(flags *pflag.FlagSet) *config.Flags {
	var f config.Flags
	flags.StringVar(&f.Preset, "preset", "", "go by preset `NAME`: "+strings.Join(guard.PresetNames(), ", "))
	flags.StringVar(&f.Config, "config", "", "read settings from `FILE` too")
	flags.StringArrayVar(&f.Set, "set", nil, "set one `PATH=VALUE`, as in streak.warn=4 (repeatable)")
	return &f
}

// stdio is the host's end of the wire.
type stdio struct {
	in  *os.File
	out *os.File
}

func (s stdio) Read(p []byte) (int, error)  { return s.in.Read(p) }
func (s stdio) Write(p []byte) (int, error) { return s.out.Write(p) }
func (s stdio) Close() error                { return errors.Join(s.in.Close(), s.out.Close()) }

var replayPage = manual.Page{
	About: []string{
		"Plays recorded sessions through a guard, over a real connection in memory, and shows what it would have done. " +
			"PATH is a file, a folder, or - for stdin: Pi sessions, the output of \"pi --mode json\", labelled recordings; and traces and fixtures, which it compares. " +
			"Without PATH it plays your Pi sessions on a terminal, else six fixtures that are built in. Nothing is written to a session.",
		"On a terminal it prints a table, else one JSON object a session: name, calls, blocked, firstBlock, entries, and what became of the run. " +
			"Neither your files with settings nor the environment count, so that a replay is the same everywhere; --config and --set do.",
	},
	Sections: []manual.Section{
		{Title: "Files", Entries: []manual.Entry{{Name: "sessions/", Text: "in Pi's agent folder, ~/.pi/agent: your Pi sessions"}}},
		{Title: "Environment", Entries: []manual.Entry{agentFolder}},
		exitCodes("", "a mismatch, unsound evidence, or less than --fail-under"),
	},
	Examples: []manual.Entry{
		{Name: "loopbreaker replay ~/.pi/agent/sessions", Text: "what the guard would have done in your sessions"},
		{Name: "loopbreaker replay --explain --preset streak FILE", Text: "every decision, and the calls around it"},
		{Name: "loopbreaker replay --html page.html FILE", Text: "the same as a page"},
		{Name: "loopbreaker replay --preset all --score recordings/", Text: "the presets side by side, on labelled recordings"},
	},
}

//go:embed fixtures/*.json
var fixtures embed.FS

func replayFiles(flags *pflag.FlagSet) func(context.Context, []string) int {
	var settings config.Flags
	flags.StringVar(&settings.Config, "config", "", "read settings from `FILE`")
	flags.StringArrayVar(&settings.Set, "set", nil, "set one `PATH=VALUE` (repeatable)")
	presets := flags.StringArray("preset", nil, "go by preset `NAME` (repeatable, or all)")
	asJSON := flags.Bool("json", false, "print JSON on a terminal too")
	branches := flags.Bool("all-branches", false, "play every branch of a Pi session")
	explain := flags.Bool("explain", false, "print every decision and the calls around it")
	html := flags.String("html", "", "write a page that shows every call to `FILE`")
	score := flags.Bool("score", false, "print a scoreboard of what is labelled")
	failUnder := flags.Float64("fail-under", 0, "exit 1 if less than `PERCENT` was done right by")
	return func(ctx context.Context, paths []string) int {
		files, err := recordings(ctx, paths)
		if err != nil {
			fmt.Fprintf(os.Stderr, "loopbreaker replay: %v\n", err)
			return exitWrong
		}
		chosen, err := choosePresets(*presets)
		if err != nil {
			fmt.Fprintf(os.Stderr, "loopbreaker replay: %v\n", err)
			return exitUsage
		}
		if len(chosen) == 1 {
			settings.Preset, chosen = chosen[0], nil
		}
		if problems := config.Load(config.Sources{Flags: settings}).Problems; len(problems) > 0 {
			fmt.Fprintf(os.Stderr, "loopbreaker replay: %v\n", problems[0])
			return exitUsage
		}
		lab := replay.Lab{
			// Neither files nor environment: a replay is the same everywhere.
			Options:     bridge.Options{Flags: settings, NoFiles: true, Version: version, Log: zerolog.Nop()},
			Presets:     chosen,
			Workers:     runtime.GOMAXPROCS(0),
			AllBranches: *branches,
		}
		report := replay.Report{Out: os.Stdout, Err: os.Stderr, Table: isTerminal(os.Stdout) && !*asJSON || *explain, SideBySide: len(chosen) > 0}
		report.Quiet = report.Table && *score && !*explain
		if *html != "" {
			report.Page = replay.NewPage()
			lab.Watch = report.Page.Watch
		}
		finish := func() {}
		if *explain {
			lab.Workers, lab.Watch = 1, replay.Both(replay.ExplainAll(os.Stdout, aroundDecisions), lab.Watch)
		} else if isTerminal(os.Stderr) {
			bars, bar := progress(files)
			lab.Progress, report.Err, finish = bar.IncrInt64, bars, bars.Shutdown
			if isTerminal(os.Stdout) {
				report.Out = bars // so that the bar stays below what is printed
			}
		}
		lab.Play(ctx, files, report.Take)
		finish()
		report.Out, report.Err = os.Stdout, os.Stderr

		scores := report.Scores()
		if *score {
			report.WriteScores()
		}
		err = report.Failed()
		if report.Page != nil && err == nil {
			err = writePage(report.Page, *html, scores)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "loopbreaker replay: %v\n", err)
			return exitWrong
		}
		for _, s := range scores {
			if right := s.Right(); right < *failUnder {
				fmt.Fprintf(os.Stderr, "loopbreaker replay: %s: %.1f %% was done right by, less than %.1f %%\n", s.Name(), right, *failUnder)
				return exitWrong
			}
		}
		if report.Faults > 0 || ctx.Err() != nil || *failUnder > 0 && len(scores) == 0 {
			return exitWrong
		}
		return exitOK
	}
}

// aroundDecisions is how many calls --explain shows before and after each.
const aroundDecisions = 2

// recordings are the files to play.
func recordings(ctx context.Context, paths []string) ([]replay.File, error) {
	switch {
	case len(paths) > 0:
		return replay.Files(ctx, paths, os.Stdin), nil
	case isTerminal(os.Stdout):
		return replay.Files(ctx, []string{filepath.Join(agentDir(), "sessions")}, nil), nil
	}
	var files []replay.File
	names, _ := fs.Glob(fixtures, "fixtures/*.json") // the pattern is sound
	for _, name := range names {
		text, err := fixtures.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, replay.InMemory(name, text))
	}
	return files, nil
}

func choosePresets(names []string) ([]string, error) {
	var chosen []string
	for _, name := range names {
		if name == "all" {
			return guard.PresetNames(), nil
		}
		if _, ok := guard.FindPreset(name); !ok {
			return nil, fmt.Errorf("--preset: %q is none of %s, all", name, strings.Join(guard.PresetNames(), ", "))
		}
		if !slices.Contains(chosen, name) {
			chosen = append(chosen, name)
		}
	}
	return chosen, nil
}

// progress draws a bar on stderr, and what is printed beside it above.
func progress(files []replay.File) (*mpb.Progress, *mpb.Bar) {
	var total int64
	for _, f := range files {
		total += f.Size
	}
	p := mpb.New(mpb.WithOutput(os.Stderr))
	return p, p.AddBar(total, mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name("playing ")),
		mpb.AppendDecorators(decor.CountersKibiByte("% .1f / % .1f"), decor.AverageETA(decor.ET_STYLE_GO)))
}

// writePage writes a page to its file.
func writePage(page *replay.Page, path string, scores []*replay.Score) error {
	file, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	if err := errors.Join(page.Render(file, scores), file.Close()); err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	return nil
}

var sweepPage = manual.Page{
	About: []string{
		"Plays recorded sessions once for every value of a setting (of two, for every pair) and shows how each did: healthy sessions refused or ended, " +
			"the calls refused in them, those only noted; stuck ones acted on and ended; calls that ran after a loop began; scenarios met. Only labelled sessions count. " +
			"PATH is a file, a folder, or - for stdin.",
		"VALUES is A..B, A..B:STEP or V,V,V.",
		"For settings of the measures it also shows in how many sessions each kind of measure came so often, and failed so often in a row, when nothing is refused, " +
			"and marks the values that can never act.",
	},
	Sections: []manual.Section{exitCodes("", "unsound evidence")},
	Examples: []manual.Entry{
		{Name: "loopbreaker sweep --vary stale.block=2..6 recordings/", Text: "a setting of the default"},
		{Name: "loopbreaker sweep --preset streak --vary streak.block=3..8 recordings/", Text: "one of a preset"},
	},
}

func sweep(flags *pflag.FlagSet) func(context.Context, []string) int {
	settings := configFlags(flags)
	vary := flags.StringArray("vary", nil, "the setting and its values, `PATH=VALUES` (up to two)")
	asJSON := flags.Bool("json", false, "print one JSON object a combination")
	return func(ctx context.Context, paths []string) int {
		wrong := func(err error) int {
			fmt.Fprintf(os.Stderr, "loopbreaker sweep: %v\n", err)
			return exitUsage
		}
		var ranges []replay.Range
		for _, text := range *vary {
			r, err := replay.ParseRange(text)
			if err != nil {
				return wrong(fmt.Errorf("--vary: %w", err))
			}
			if problems := config.Load(config.Sources{Flags: config.Flags{Set: []string{r.Path + "=" + r.Values[0]}}}).Problems; len(problems) > 0 && !config.Known(r.Path) {
				return wrong(fmt.Errorf("--vary: %v", problems[0]))
			}
			ranges = append(ranges, r)
		}
		if problems := config.Load(config.Sources{Flags: *settings}).Problems; len(problems) > 0 {
			return wrong(errors.New(problems[0].String()))
		}
		switch {
		case len(ranges) == 0 || len(ranges) > 2:
			return wrong(errors.New("--vary: one or two settings are needed"))
		case len(paths) == 0:
			return wrong(errors.New("PATH is missing"))
		}
		lab := replay.Lab{
			Options: bridge.Options{Flags: *settings, NoFiles: true, Version: version, Log: zerolog.Nop()},
			Workers: runtime.GOMAXPROCS(0),
		}
		var points []replay.Point
		var failed error
		files := replay.Files(ctx, paths, os.Stdin)
		if slices.ContainsFunc(ranges, func(r replay.Range) bool { return strings.HasPrefix(r.Path, "measures.") }) {
			r := lab.Reach(ctx, files)
			lab.Known = &r
			if *asJSON {
				failed = replay.WriteJSON(os.Stdout, struct {
					Reach replay.Reach `json:"reach"`
				}{r})
			}
		}
		faults := lab.Sweep(ctx, files, ranges, func(p replay.Point) {
			points = append(points, p)
			if *asJSON {
				failed = errors.Join(failed, replay.WriteJSON(os.Stdout, p))
			} else if isTerminal(os.Stderr) {
				fmt.Fprintf(os.Stderr, "tried %s\n", strings.Join(p.Set, " "))
			}
		})
		if !*asJSON {
			failed = errors.Join(failed, replay.WriteSweep(os.Stdout, points))
			if lab.Known != nil {
				fmt.Println()
				failed = errors.Join(failed, replay.WriteReach(os.Stdout, *lab.Known))
			}
		}
		replay.WriteFaults(os.Stderr, faults)
		if failed != nil {
			fmt.Fprintf(os.Stderr, "loopbreaker sweep: %v\n", failed)
		}
		if failed != nil || len(faults) > 0 || ctx.Err() != nil {
			return exitWrong
		}
		return exitOK
	}
}

var configPage = manual.Page{
	About: []string{
		"Shows every setting, its value and where that is from. Weakest first: the preset, your file, the project's file, --config, the environment, flags. " +
			"What is wrong is said with what would be right; the rest counts.",
		"With --from-env it prints a file instead: what the variables of two older guards say, and the flags beside it.",
	},
	Sections: []manual.Section{
		settingsFiles,
		{Title: "Environment", Entries: append([]manual.Entry{agentFolder}, append(settingsVariables, manual.Entry{Name: "NO_COLOR", Text: "no colours on a terminal; elsewhere there are none"})...)},
		exitCodes("", "something in the configuration does not count"),
	},
	Examples: []manual.Entry{
		{Name: "loopbreaker config --preset streak --set streak.warn=4", Text: "what would hold"},
		{Name: "loopbreaker config --from-env --preset streak > loopbreaker.json", Text: "move from an older guard"},
	},
}

func showConfig(flags *pflag.FlagSet) func(context.Context, []string) int {
	settings := configFlags(flags)
	asJSON := flags.Bool("json", false, "print one JSON object")
	trusted := flags.Bool("trust-project", false, "read the project's file too")
	fromEnv := flags.Bool("from-env", false, "print a file that says what LOOP_GUARD_..., PI_LOOP_GUARD_... and the flags say")
	return func(context.Context, []string) int {
		if *fromEnv {
			return printFromEnviron(*settings)
		}
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
		case slices.ContainsFunc(c.Problems, func(p config.Problem) bool { return p.Origin == "flag" }):
			return exitUsage
		case len(c.Problems) > 0:
			return exitWrong
		}
		return exitOK
	}
}

func printFromEnviron(flags config.Flags) int {
	text, problems := config.FromEnviron(os.Environ(), flags)
	os.Stdout.Write(text)
	for _, p := range problems {
		fmt.Fprintf(os.Stderr, "loopbreaker config: %v\n", p)
	}
	switch {
	case slices.ContainsFunc(problems, func(p config.Problem) bool { return p.Origin == "flag" }):
		return exitUsage
	case len(problems) > 0:
		return exitWrong
	}
	return exitOK
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

func isTerminal(f *os.File) bool { return isatty.IsTerminal(f.Fd()) }

var versionPage = manual.Page{
	About:    []string{"Prints the version of this program and of the protocol it speaks."},
	Sections: []manual.Section{exitCodes("", "")},
}

func printVersion(*pflag.FlagSet) func(context.Context, []string) int {
	return func(context.Context, []string) int {
		fmt.Println(doctor.VersionLine(version))
		return exitOK
	}
}

var fetchesPage = manual.Page{
	About: []string{
		"Shows what the shells of recorded sessions fetched from the web, by program; which calls are refused for it where web_fetch_file is on offer; " +
			"and which would pass if a program were exempt (measures.shellHttpAllow), found by playing the sessions again with it. " +
			"PATH is a file, a folder, or - for stdin.",
	},
	Sections: []manual.Section{exitCodes("", "unsound evidence")},
	Examples: []manual.Entry{{Name: "loopbreaker fetches ~/.pi/agent/sessions", Text: "in your own sessions"}},
}

func fetches(flags *pflag.FlagSet) func(context.Context, []string) int {
	settings := config.Flags{Preset: "measures"}
	flags.StringVar(&settings.Config, "config", "", "read settings from `FILE`")
	flags.StringArrayVar(&settings.Set, "set", nil, "set one `PATH=VALUE` (repeatable)")
	asJSON := flags.Bool("json", false, "print JSON on a terminal too")
	return func(ctx context.Context, paths []string) int {
		problem := error(nil)
		if problems := config.Load(config.Sources{Flags: settings}).Problems; len(problems) > 0 {
			problem = errors.New(problems[0].String())
		} else if len(paths) == 0 {
			problem = errors.New("PATH is missing")
		}
		if problem != nil {
			fmt.Fprintf(os.Stderr, "loopbreaker fetches: %v\n", problem)
			return exitUsage
		}
		lab := replay.Lab{
			Options: bridge.Options{Flags: settings, NoFiles: true, Version: version, Log: zerolog.Nop()},
			Workers: runtime.GOMAXPROCS(0),
		}
		found, faults := lab.Fetches(ctx, replay.Files(ctx, paths, os.Stdin))
		replay.WriteFaults(os.Stderr, faults)
		write := replay.WriteFetchesJSON
		if isTerminal(os.Stdout) && !*asJSON {
			write = replay.WriteFetches
		}
		err := write(os.Stdout, found)
		if err != nil {
			fmt.Fprintf(os.Stderr, "loopbreaker fetches: %v\n", err)
		}
		if err != nil || len(faults) > 0 || ctx.Err() != nil {
			return exitWrong
		}
		return exitOK
	}
}

var doctorPage = manual.Page{
	About: []string{
		"Checks this program (a guard is started and must refuse a loop), the versions of Node and Pi, where the package is installed, " +
			"whether Pi loads it and its guard answers, which program it starts, the configuration, whether anything is exported, and write access; and says what to do.",
		"Pi is started once, offline, with your extensions, as you would start it here. No model takes part, and nothing is saved. " +
			"The output has ~ for your home folder, and of the environment no values but the host that an export goes to: paste it into a report.",
	},
	Sections: []manual.Section{
		settingsFiles,
		{Title: "Environment", Entries: append([]manual.Entry{
			{Name: "PATH", Text: "where Pi and Node are looked for"}, agentFolder,
			{Name: "LOOPBREAKER_BINARY", Text: "the guard's program, where the extension shall not look for it"},
		}, settingsVariables...)},
		exitCodes(", or only warnings", "something failed"),
	},
	Examples: []manual.Entry{{Name: "loopbreaker doctor", Text: "before you report something"}},
}

func examine(flags *pflag.FlagSet) func(context.Context, []string) int {
	asJSON := flags.Bool("json", false, "print one JSON object")
	return func(ctx context.Context, _ []string) int {
		failed := func(err error) int {
			fmt.Fprintf(os.Stderr, "loopbreaker doctor: %v\n", err)
			return exitWrong
		}
		program, err := os.Executable()
		if err != nil {
			return failed(err)
		}
		cwd, err := os.Getwd()
		if err != nil {
			return failed(err)
		}
		home, _ := os.UserHomeDir() // without one nothing is hidden
		r := doctor.Examine(ctx, doctor.Options{
			Program: program, Version: version, AgentDir: agentDir(), CWD: cwd, Home: home, Environ: os.Environ(),
		})
		write := r.WriteText
		if *asJSON {
			write = r.WriteJSON
		}
		switch err := write(os.Stdout); {
		case err != nil:
			return failed(err)
		case r.Count(doctor.Failed) > 0 || ctx.Err() != nil:
			return exitWrong
		}
		return exitOK
	}
}
