// Package doctor looks for what keeps Loopbreaker from guarding: this program, Node,
// Pi, the installed package, the configuration. It says what it found and what to do.
//
// It changes nothing of the user's, and what it says is meant to be shown to
// strangers: of the environment no values but the host of an export, no passwords in
// addresses, and ~ for the home folder.
package doctor

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Status is how a check ended.
type Status string

// The ways a check ends.
const (
	OK      Status = "ok"
	Warning Status = "warning" // worth knowing; the guard works
	Failed  Status = "failed"  // the guard does not work, or not as it was told to
	Skipped Status = "skipped" // it could not be checked
)

// Check is what was looked at, and how it is.
type Check struct {
	Name   string `json:"name"`
	Status Status `json:"status"`
	// Found is what there is, a line each.
	Found []string `json:"found"`
	// Advice is what to do, "" where there is nothing to.
	Advice string `json:"advice,omitzero"`
}

// Options are what to examine.
type Options struct {
	// Program is the path of this program; a copy of it is started for the self-test.
	// Version is its version.
	Program, Version string
	// AgentDir is Pi's folder of the user's settings, CWD the project.
	AgentDir, CWD string
	// Home is the folder that is shown as ~.
	Home string
	// Environ is the environment, as os.Environ returns it.
	Environ []string
	// Patience is how long one program that is started may take; 0 is half a minute.
	Patience time.Duration
}

const patience = 30 * time.Second

// Report is all that was found.
type Report struct {
	Version string  `json:"version"`
	Checks  []Check `json:"checks"`
}

// examination is the state of one: what a check found out that later ones go by.
type examination struct {
	Options
	node, pi  string         // the programs, "" where there is none that will do
	installed []installation // the packages that Pi's settings name
	entry     string         // the extension that Pi has loaded, "" if none
}

// Examine makes every check, one after the other.
func Examine(ctx context.Context, o Options) Report {
	if o.Patience == 0 {
		o.Patience = patience
	}
	e := &examination{Options: o}
	r := Report{Version: o.Version}
	for _, check := range []struct {
		name string
		make func(context.Context) Check
	}{
		{"program", e.checkProgram},
		{"self-test", e.checkSelf},
		{"node", e.checkNode},
		{"pi", e.checkPi},
		{"package", e.checkPackage},
		{"extension", e.checkExtension},
		{"guard", e.checkGuard},
		{"configuration", e.checkConfiguration},
		{"export", e.checkExport},
		{"access", e.checkAccess},
	} {
		c := check.make(ctx)
		c.Name = check.name
		for i := range c.Found {
			c.Found[i] = e.shown(c.Found[i])
		}
		c.Advice = e.shown(c.Advice)
		r.Checks = append(r.Checks, c)
	}
	return r
}

// Count returns how many checks ended so.
func (r Report) Count(s Status) (n int) {
	for _, c := range r.Checks {
		if c.Status == s {
			n++
		}
	}
	return n
}

// WriteJSON writes the report as one JSON object:
//
//	{"version", "checks": [{"name", "status", "found": [...], "advice"}...]}
func (r Report) WriteJSON(w io.Writer) error {
	text, err := jsonv2.Marshal(r, jsontext.WithIndent("  "))
	if err == nil {
		_, err = w.Write(append(text, '\n'))
	}
	return err
}

// WriteText writes the report as a table, with what to do below each row.
func (r Report) WriteText(w io.Writer) error {
	var b strings.Builder
	row := func(name string, status Status, text string) {
		fmt.Fprintf(&b, "%-15s%-9s%s\n", name, status, text)
	}
	for _, c := range r.Checks {
		name, status := c.Name, c.Status
		for _, text := range c.Found {
			row(name, status, text)
			name, status = "", ""
		}
		if c.Advice != "" {
			row("", "", "-> "+c.Advice)
		}
	}
	fmt.Fprintf(&b, "\n%d ok", r.Count(OK))
	for _, s := range []Status{Warning, Failed, Skipped} {
		if n := r.Count(s); n > 0 {
			fmt.Fprintf(&b, ", %d %s", n, s)
		}
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}
