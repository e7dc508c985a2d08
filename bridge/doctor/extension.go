package doctor

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
)

// checkExtension starts Pi, as the user would but offline and without a session
// file, and has the extension say what its guard is doing. No model takes part.
func (e *examination) checkExtension(ctx context.Context) Check {
	switch {
	case e.pi == "":
		return Check{Status: Skipped, Found: []string{"needs Pi"}}
	case missing(e.AgentDir):
		return Check{Status: Skipped, Found: []string{"Pi would make its folder"}}
	}
	heard, err := e.askPi(ctx)
	if err != nil {
		return Check{Status: Failed, Found: []string{err.Error()}, Advice: "Start Pi by itself in this folder; what it says there has to be mended first."}
	}
	if len(heard.extensions) == 0 {
		c := Check{Status: Failed, Found: []string{"Pi starts, but does not load it"}}
		ofUser := func(i installation) bool { return !i.project }
		switch {
		case len(e.installed) == 0:
			c.Advice = e.adviseInstall()
		case slices.ContainsFunc(e.installed, ofUser):
			c.Advice = "Look whether it is switched off in pi config."
		default:
			c.Status, c.Advice = Warning, "It is installed for this project only: start Pi here and trust the project, or install it without --local."
		}
		return c
	}
	e.entry = heard.extensions[0]
	c := Check{Status: OK, Found: []string{"Pi loads " + strings.Join(heard.extensions, " and ")}}
	c.Found = append(c.Found, slices.Compact(heard.notices)...)
	says := func(what *regexp.Regexp) bool { return slices.ContainsFunc(heard.notices, what.MatchString) }
	switch {
	case says(guardInTheMaking):
		c.Status, c.Advice = Failed, untilBuilt
	case !says(guardSpeaks):
		c.Status, c.Advice = Failed, "Mend what it says; its guard does not answer."
	}
	return c
}

// guardInTheMaking is how the extension says that it has begun to build a program.
var guardInTheMaking = regexp.MustCompile(`^Loopbreaker is building its program\b`)

// untilBuilt is what to do then: the build ends with the session.
const untilBuilt = "Start Pi, leave it open until it says that Loopbreaker is built, and look again."

// guardSpeaks is how the guard's answer to /loopbreaker status begins.
var guardSpeaks = regexp.MustCompile(`^Loopbreaker is (on|OFF)\b`)

// heard is what Pi said.
type heard struct {
	extensions []string // the files that register the command
	notices    []string // what Loopbreaker told the user
}

// said is a line of Pi's rpc mode.
type said struct {
	Type    string `json:"type"`
	ID      string `json:"id"`
	Success bool   `json:"success"`
	Error   string `json:"error"`
	Method  string `json:"method"`
	Message string `json:"message"`
	Data    struct {
		Commands []struct {
			Name       string `json:"name"`
			Source     string `json:"source"`
			SourceInfo struct {
				Path string `json:"path"`
			} `json:"sourceInfo"`
		} `json:"commands"`
	} `json:"data"`
}

// dialogs wait for an answer, which here is that they are cancelled.
var dialogs = []string{"select", "confirm", "input", "editor"}

// loopCommand is the extension's command, or one of several of that name.
var loopCommand = regexp.MustCompile(`^loopbreaker(:\d+)?$`)

func (e *examination) askPi(ctx context.Context) (h heard, err error) {
	cmd, cancel := e.command(ctx, e.pi, "--mode", "rpc", "--no-session", "--offline", "--no-mcp",
		"--no-skills", "--no-prompt-templates", "--no-themes", "--no-context-files")
	defer cancel()
	if !slices.ContainsFunc(cmd.Env, func(v string) bool { return strings.HasPrefix(v, "LOOPBREAKER_DEADLINE_MS=") }) {
		cmd.Env = append(cmd.Env, "LOOPBREAKER_DEADLINE_MS=10000") // a machine may be busy
	}
	p, err := start(cmd)
	if err != nil {
		return h, err
	}
	say := func(text string) { p.in.Write([]byte(text + "\n")) } // that it has ended is seen where it is read
	say(`{"id":"commands","type":"get_commands"}`)
	answered := false
	for !answered {
		line, err := p.out.ReadBytes('\n')
		if err != nil {
			break
		}
		var m said
		if jsonv2.Unmarshal(line, &m) != nil {
			continue // not for us
		}
		switch {
		case m.Type == "extension_ui_request" && m.Method == "notify" && strings.HasPrefix(m.Message, "Loopbreaker"):
			h.notices = append(h.notices, m.Message)
		case m.Type == "extension_ui_request" && slices.Contains(dialogs, m.Method):
			id, _ := jsonv2.Marshal(m.ID) // a string
			say(`{"type":"extension_ui_response","id":` + string(id) + `,"cancelled":true}`)
		case m.ID == "commands":
			command := ""
			for _, c := range m.Data.Commands {
				if c.Source == "extension" && loopCommand.MatchString(c.Name) {
					command = c.Name
					h.extensions = append(h.extensions, filepath.Clean(c.SourceInfo.Path))
				}
			}
			// Without such a command a model would be asked.
			if answered = command == ""; !answered {
				say(`{"id":"status","type":"prompt","message":"/` + command + ` status"}`)
			}
		case m.ID == "status":
			answered = true
		}
	}
	err = e.failure(cmd, p.end(), p.words.String())
	switch {
	case answered: // how it ended does not matter
		return h, nil
	case err != nil:
		return h, fmt.Errorf("pi does not start: %w", err)
	}
	return h, errors.New("pi ended without an answer")
}
