package command

import "strings"

// Effect is what running a command may do to the state a loop is about. The zero value
// is the mildest.
type Effect uint8

const (
	// Looks: it only reads, or changes nothing but the shell that runs it.
	Looks Effect = iota
	// Waits: it looks, and lets time pass (sleep 5, kubectl wait).
	Waits
	// Checks: it tests, builds or lints, and changes nothing but build output.
	Checks
	// Changes: it may change anything. A command nobody knows belongs here.
	Changes
)

func (e Effect) String() string {
	return [...]string{"looks", "waits", "checks", "changes"}[e]
}

// Effect returns the strongest effect of the script's commands. It errs towards
// Changes: writing to any file does, and so does an unknown command. It serves the
// preset `default`.
func (s *Script) Effect() Effect {
	if s.opaque {
		return Changes
	}
	worst := Looks
	for i := range s.Commands {
		c := &s.Commands[i]
		if s.functions[c.Name] && len(c.Redirects) == 0 {
			continue // its body is among the commands
		}
		if worst = max(worst, c.Effect()); worst == Changes {
			break
		}
	}
	return worst
}

// Effect returns the effect of one simple command.
func (c *Simple) Effect() Effect {
	if !c.judged {
		c.effect, c.judged = c.judge(), true
	}
	return c.effect
}

func (c *Simple) judge() Effect {
	for _, rd := range c.Redirects {
		if rd.Op == ">&" && strings.Trim(rd.Target.Text, "0123456789-") == "" {
			continue
		}
		if strings.IndexByte(rd.Op, '>') >= 0 && !generic(rd.Target.Text) {
			return Changes
		}
	}
	if c.Name == "" {
		return Looks
	}
	return effect(c.program(), c.Words, c)
}

// effect judges the words of a command by the name of its program. c is the command
// they stand in, for what it reads.
func effect(name string, words []Word, c *Simple) Effect {
	args := words[1:]
	if e, ok := plainEffects[name]; ok {
		return e
	}
	if f := effects[name]; f != nil {
		return f(args, c)
	}
	if len(args) == 1 && asksHelp(words) {
		return Looks
	}
	if len(args) > 0 && args[len(args)-1].Text == "--help" && interpreterOf(name) == nil {
		return Looks
	}
	if in := interpreterOf(name); in != nil {
		return interpreterEffect(name, args)
	}
	if cmdlet(name) {
		return cmdletEffect(name, args)
	}
	if base, ok := strings.CutSuffix(name, ".py"); ok && (base == "runtests" || strings.HasPrefix(base, "test_")) {
		return Checks
	}
	return Changes
}

// first is the first argument that is no option, and the arguments after it.
func first(args []Word) (string, []Word) {
	for i, a := range args {
		if !strings.HasPrefix(a.Text, "-") {
			return a.Text, args[i+1:]
		}
	}
	return "", nil
}

// has tells whether one of the options is among the arguments, alone or with a value
// joined by "=".
func has(args []Word, options ...string) bool {
	for _, a := range args {
		for _, o := range options {
			if rest, ok := strings.CutPrefix(a.Text, o); ok && (rest == "" || rest[0] == '=') {
				return true
			}
		}
	}
	return false
}

// letter tells whether a one-letter option is among the arguments, alone or in a
// cluster.
func letter(args []Word, c byte) bool {
	for _, a := range args {
		if t := a.Text; len(t) > 1 && t[0] == '-' && t[1] != '-' && strings.IndexByte(t, c) > 0 {
			return true
		}
	}
	return false
}

// either is yes where the condition holds, else Changes.
func either(ok bool, yes Effect) Effect {
	if ok {
		return yes
	}
	return Changes
}

// scriptEffect judges the name of a project's own script or target: "test:unit", "lint".
func scriptEffect(name string) Effect {
	head := name
	if i := strings.IndexAny(name, ":-_./"); i > 0 {
		head = name[:i]
	}
	switch head {
	case "test", "tests", "lint", "build", "check", "checks", "typecheck", "types", "type", "tsc", "ci", "verify",
		"e2e", "unit", "integration", "coverage", "cov", "compile", "vet", "spec", "bench", "benchmark", "all",
		"validate", "typings", "pytest", "jest", "vitest", "eslint", "mypy", "ruff":
		if strings.Contains(name, "fix") || strings.Contains(name, "write") || strings.Contains(name, "update") {
			return Changes
		}
		return Checks
	case "help", "list":
		return Looks
	}
	for _, tail := range [...]string{":check", "-check", ":test", "-test", ":lint", "-lint", ":build", ":types", ":typecheck"} {
		if strings.HasSuffix(name, tail) {
			return Checks
		}
	}
	return Changes
}

// inner judges a command that a runner such as npx or "uv run" is given.
func inner(args []Word, c *Simple, valued string) Effect {
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		if t == "--" {
			continue
		}
		if strings.HasPrefix(t, "-") {
			if listed(valued, t) {
				i++
			}
			continue
		}
		name := program(base(t))
		if k := strings.LastIndexByte(name, '@'); k > 0 {
			name = name[:k]
		}
		return effect(name, args[i:], c)
	}
	return Changes
}

func interpreterEffect(name string, args []Word) Effect {
	if len(args) == 0 {
		return Changes
	}
	if strings.HasPrefix(name, "py") || strings.HasPrefix(name, "ipython") {
		for i, a := range args {
			if t := a.Text; t == "-m" && i+1 < len(args) {
				return moduleEffect(args[i+1:])
			} else if !strings.HasPrefix(t, "-") {
				return pythonScript(base(t), args[i+1:])
			} else if t == "-c" {
				return Changes
			}
		}
	}
	switch {
	case args[0].Text == "--test" || args[0].Text == "--check" || name == "ruby" && args[0].Text == "-c" ||
		name == "php" && args[0].Text == "-l":
		return Checks
	case name == "bun":
		return packageEffect(args, nil)
	case name == "deno":
		switch sub, _ := first(args); sub {
		case "test", "check", "lint", "bench":
			return either(!has(args, "--fix"), Checks)
		case "info", "doc":
			return Looks
		}
	case name == "perl" && (letter(args, 'n') || letter(args, 'p')) && !letter(args, 'i'):
		for _, a := range args {
			for _, call := range [...]string{"open", "system", "unlink", "rename", "exec", "`", "mkdir", "qx"} {
				if strings.Contains(a.Text, call) {
					return Changes
				}
			}
		}
		return Looks
	}
	return Changes
}

func moduleEffect(args []Word) Effect {
	switch m := args[0].Text; m {
	case "pytest", "unittest", "mypy", "flake8", "pylint", "pyflakes", "compileall", "py_compile", "doctest", "tox",
		"nox", "nose", "nose2", "pycodestyle", "pyright", "bandit", "trial", "coverage", "timeit":
		return Checks
	case "json.tool", "site", "tokenize", "ast", "dis", "platform", "sysconfig", "pydoc", "this":
		return either(len(args) < 3, Looks)
	case "django":
		return either(len(args) > 1 && djangoCheck(args[1].Text), Checks)
	default:
		if f := effects[m]; f != nil {
			return f(args[1:], nil)
		}
	}
	return Changes
}

func djangoCheck(command string) bool { return command == "test" || command == "check" }

func pythonScript(script string, args []Word) Effect {
	switch script {
	case "runtests.py", "runtests", "run_tests.py":
		return Checks
	case "manage.py":
		return either(len(args) > 0 && djangoCheck(args[0].Text), Checks)
	}
	return Changes
}

func cmdletEffect(name string, args []Word) Effect {
	verb, noun, _ := strings.Cut(strings.ToLower(name), "-")
	switch verb {
	case "get", "select", "measure", "resolve", "compare", "convertto", "convertfrom", "format", "sort", "where",
		"foreach", "group", "test", "join", "split", "show", "find":
		return Looks
	case "write":
		return either(noun != "eventlog", Looks)
	case "out":
		return either(noun == "string" || noun == "null" || noun == "host" || noun == "default", Looks)
	case "push", "pop", "set":
		return either(noun == "location", Looks)
	case "start":
		return either(noun == "sleep", Waits)
	case "wait":
		return Waits
	case "invoke":
		if noun == "webrequest" || noun == "restmethod" {
			for _, a := range args {
				switch t := strings.ToLower(a.Text); t {
				case "-outfile", "-body", "-infile", "-form", "-method":
					return Changes
				}
			}
			return Looks
		}
	}
	return Changes
}
