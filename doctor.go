package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"github.com/loopbreaker/loopbreaker/bridge/doctor"
)

const doctorHelp = `Checks this program (a guard is started and must refuse a loop), the versions of
Node and Pi, where the package is installed, whether Pi loads it and its guard
answers, which program it starts, the configuration, and write access.

Pi is started once, offline, with your extensions, as you would start it here.
No model takes part, and nothing is saved. The output has ~ for your home folder
and no values of the environment: paste it into a report.

Exit code: 0 fine (warnings allowed), 1 something failed, 2 wrong usage.

Example:
  loopbreaker doctor
`

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
