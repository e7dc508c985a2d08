package guard

import (
	"github.com/loopbreaker/loopbreaker/canonical"
	"github.com/loopbreaker/loopbreaker/canonical/command"
)

// reading is a call that is being decided on, read once for all rules. It is kept
// for its memory.
type reading struct {
	Call
	tool   traits
	form   canonical.Form
	parser *command.Parser
	script *command.Script // nil where it has not been asked for, or there is none
	parsed bool
	line   []byte // the last command line, in one spelling
}

// read takes in a call. The error is that of canonical.Form.
func (r *reading) read(c Call, t traits) error {
	*r = reading{Call: c, tool: t, form: r.form, parser: r.parser, line: r.line}
	return r.form.Read(c.Tool, c.Input, c.LongTexts)
}

// done lets go of what belongs to the caller.
func (r *reading) done() {
	if cap(r.line) > keptLine {
		r.line, r.parser = nil, nil
	}
	r.form.Forget()
	*r = reading{form: r.form, parser: r.parser, line: r.line}
}

// keptLine is how long a line is, in bytes, whose memory, and that of its tree, is kept.
const keptLine = 64 << 10

// command returns the command line of a shell's call, nil where it has none.
func (r *reading) command() *command.Script {
	if !r.parsed && r.tool.kind == canonical.ToolShell {
		if text, given := r.form.ShellCommand(r.Input); given {
			if r.parser == nil {
				r.parser = new(command.Parser)
			}
			r.script = r.parser.Parse(text)
		}
	}
	r.parsed = true
	return r.script
}
