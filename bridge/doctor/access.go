package doctor

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// checkAccess looks whether what the guard writes when it is asked to could be
// written: the user's settings, and a trace. The guard works without.
func (e *examination) checkAccess(context.Context) Check {
	folders := []struct{ path, what, advice string }{
		{e.settingsFolder(), "settings", "/loopbreaker set cannot save: give yourself the right to write there."},
		{os.TempDir(), "a trace", "--loop-trace=true cannot write: give yourself the right to write there, or name a file."},
	}
	if path := e.variable("LOOPBREAKER_TRACE"); path != "" {
		if !filepath.IsAbs(path) {
			path = filepath.Join(e.CWD, path)
		}
		folders = append(folders, struct{ path, what, advice string }{filepath.Dir(path), "the trace of LOOPBREAKER_TRACE", "No trace is written: correct or unset LOOPBREAKER_TRACE."})
	}
	c := Check{Status: OK}
	for _, f := range folders {
		switch err := writable(f.path); {
		case f.path == "" || missing(f.path) && f.what == "settings":
			c.Found = append(c.Found, f.what+": there is no folder yet")
		case err != nil:
			c.Status, c.Advice = Warning, f.advice
			c.Found = append(c.Found, f.what+": "+bare(f.path, err))
		default:
			c.Found = append(c.Found, f.what+": "+f.path)
		}
	}
	return c
}

// settingsFolder is where settings are saved, as far as it is there.
func (e *examination) settingsFolder() string {
	if folder := filepath.Join(e.AgentDir, "extensions"); !missing(folder) {
		return folder
	}
	return e.AgentDir
}

// writable makes a file in a folder, and removes it.
func writable(folder string) error {
	file, err := os.CreateTemp(folder, ".loopbreaker-doctor-*")
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}

// variable is the value of a variable of the environment.
func (e *examination) variable(name string) string {
	i := slices.IndexFunc(e.Environ, func(v string) bool { return strings.HasPrefix(v, name+"=") })
	if i < 0 {
		return ""
	}
	return e.Environ[i][len(name)+1:]
}
