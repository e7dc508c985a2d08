package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"

	"github.com/rs/zerolog"
	"github.com/spf13/pflag"

	"github.com/loopbreaker/loopbreaker/bridge"
	"github.com/loopbreaker/loopbreaker/bridge/config"
	"github.com/loopbreaker/loopbreaker/bridge/replay"
)

const fetchesHelp = `Shows what the shells of recorded sessions fetched from the web, by program;
which calls are refused for it where web_fetch_file is on offer; and which would
pass if a program were exempt (measures.shellHttpAllow), found by playing the
sessions again with it. PATH is a file, a folder, or - for stdin. Without a
terminal: prints JSON. Exit code: 0 fine, 1 unsound evidence.

Example:
  loopbreaker fetches ~/.pi/agent/sessions
`

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
		for _, fault := range faults {
			fmt.Fprintln(os.Stderr, fault)
		}
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
