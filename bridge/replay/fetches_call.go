package replay

import (
	"errors"

	"github.com/loopbreaker/loopbreaker/canonical"
	"github.com/loopbreaker/loopbreaker/canonical/address"
	"github.com/loopbreaker/loopbreaker/canonical/command"
	"github.com/loopbreaker/loopbreaker/guard"
)

// shellCall is a call of a shell that came to the guard, as far as it has to do
// with the web.
type shellCall struct {
	number  int
	refused bool // for what it fetches
	// remote is whether it holds an address that counts, anywhere, or runs a fetch
	// of one; written is whether one that is fetched is written out.
	remote, written bool
	programs        []shellProgram // each once
}

// shellProgram is a program in it that was given an address that counts, or
// fetched.
type shellProgram struct {
	name     string
	segments int
	fetches  bool
}

// refusedFetch is the number of a call that was refused for what it fetches.
func refusedFetch(s Step) (number int, refused bool) {
	return s.Number, s.Fate == Refused && s.Why != nil && s.Why.Rule == guard.RuleSteering
}

// scope says which addresses count: those far away, and with near those of this
// machine and the networks around it too.
type scope struct{ near bool }

// has reports whether an address counts, with the error of reading it. One that is
// not written out may lead anywhere.
func (s scope) has(a address.Address, err error) bool {
	return errors.Is(err, address.ErrPlaceholder) || err == nil && (s.near || !a.Local())
}

// call reads a step; false where it is no call of a shell that came to the guard.
func (s scope) call(step Step) (c shellCall, ok bool) {
	text, given := canonical.ShellCommand(step.Input)
	if !given || step.Fate != Ran && step.Fate != Refused || canonical.ToolKindOf(step.Tool) != canonical.ToolShell {
		return c, false
	}
	c.number, c.refused = refusedFetch(step)
	c.remote = s.mentioned(text)
	script := command.Parse(text)
	fetching := map[int]bool{} // by the index of the command
	for _, f := range script.Fetches() {
		counts := len(f.Addresses) == 0 // they come from elsewhere
		for _, text := range f.Addresses {
			a, err := address.ParseArgument(text)
			if s.has(a, err) {
				counts, c.written = true, c.written || err == nil
			}
		}
		if counts {
			c.remote, fetching[f.Command] = true, true
		}
	}
	for i := range script.Commands {
		one := &script.Commands[i]
		if one.Name != "" && (fetching[i] || s.carried(one)) {
			c.add(one.Name, fetching[i])
		}
	}
	return c, true
}

func (c *shellCall) add(name string, fetches bool) {
	for i := range c.programs {
		if p := &c.programs[i]; p.name == name {
			p.segments++
			p.fetches = p.fetches || fetches
			return
		}
	}
	c.programs = append(c.programs, shellProgram{name, 1, fetches})
}

// fetchesBeside reports whether a program fetches that is none of that name.
func (c *shellCall) fetchesBeside(name string) bool {
	for _, p := range c.programs {
		if p.fetches && p.name != name {
			return true
		}
	}
	return false
}

// program returns the program of that name, nil where the call has none.
func (c *shellCall) program(name string) *shellProgram {
	for i := range c.programs {
		if c.programs[i].name == name {
			return &c.programs[i]
		}
	}
	return nil
}

// mentioned reports whether a text holds an address that counts.
func (s scope) mentioned(text string) bool {
	for m := range address.Find(text) {
		if s.has(m.Address, m.Err) {
			return true
		}
	}
	return false
}

// carried reports whether a command is given an address that counts: among its
// words, in a variable set for it, or in what it reads and writes.
func (s scope) carried(c *command.Simple) bool {
	for _, words := range [][]command.Word{c.Words, c.Assigns} {
		for _, w := range words {
			if s.mentioned(w.Text) {
				return true
			}
		}
	}
	for _, r := range c.Redirects {
		if s.mentioned(r.Target.Text) {
			return true
		}
	}
	return false
}
