package command

import "strings"

// Fetch is one request a script makes over the network.
type Fetch struct {
	// Verb is the program that makes it: "curl", "python3", "Invoke-WebRequest".
	Verb string
	// Addresses are the addresses as written, with variables the script itself sets
	// filled in. Empty where the script does not say (they come from a pipe or a
	// file).
	Addresses []string
	// Command is the index of the command in [Script.Commands].
	Command int
}

// Fetches returns what the script fetches: runs of curl, wget and their kin, of git and
// containers where they are given an address, and of interpreters whose one-liner or
// here-document calls a request API. A text that only holds an address (echo, grep, a
// comment, a commit message, a here-document for cat, a request body or header) is
// none. It serves `blockShellHttp`, `net`, `host` and `family:http-fetch` of the system
// `measures`.
func (s *Script) Fetches() []Fetch {
	var fetches []Fetch
	for i := range s.Commands {
		c := &s.Commands[i]
		words, ok := c.fetch()
		if !ok {
			continue
		}
		f := Fetch{Verb: c.Name, Command: i}
		for _, w := range words {
			f.Addresses = append(f.Addresses, s.resolve(w)...)
		}
		fetches = append(fetches, f)
	}
	return fetches
}

// AsksStatus tells whether a curl of the script is asked to print the HTTP status, by
// %{http_code} or %{response_code}: then a leading 4xx or 5xx in the output is the
// status (system `measures`).
func (s *Script) AsksStatus() bool {
	for i := range s.Commands {
		c := &s.Commands[i]
		if c.program() != "curl" && c.program() != "curlie" {
			continue
		}
		for o := range grammars["curl"].options(c.Words) {
			if (o.name == "w" || o.name == "write-out") && o.valued &&
				(strings.Contains(o.value.Text, "%{http_code}") || strings.Contains(o.value.Text, "%{response_code}")) {
				return true
			}
		}
	}
	return false
}

// fetch tells whether the command runs a fetch, and the words that say of what.
func (c *Simple) fetch() ([]Word, bool) {
	if len(c.Words) == 0 {
		return nil, false
	}
	name := c.program()
	switch name {
	case "curl", "curlie", "wget", "aria2c", "axel", "http", "https", "httpie", "xh", "xhs":
		if len(c.Words) > 1 && asksHelp(c.Words) {
			return nil, false
		}
		return c.addresses(grammarOf(name)), true
	case "lynx", "w3m", "links", "elinks":
		for _, w := range c.Words[1:] {
			if t := w.Text; t == "-dump" || t == "-source" || t == "-dump_source" || t == "--dump" || t == "-mime_header" {
				return web(operands(c.Words)), true
			}
		}
		return nil, false
	case "git":
		return c.gitFetch()
	case "docker", "podman", "kubectl", "nerdctl", "oc":
		return c.containerFetch()
	}
	if g := grammarOf(name); g != nil && g.cmdlet {
		return c.addresses(g), true
	}
	if how, ok := runners[name]; ok {
		return c.runnerFetch(how)
	}
	return c.codeFetch(name)
}

// addresses are the operands of a fetching program, and the values of the options that
// name an address.
func (c *Simple) addresses(g *grammar) []Word {
	if g == nil {
		g = joined
	}
	name := c.program()
	httpie := name == "http" || name == "https" || name == "httpie" || name == "xh" || name == "xhs"
	var out []Word
	for o := range g.options(c.Words) {
		switch {
		case o.name == "":
			if httpie && len(out) == 0 && upper(o.value.Text) {
				continue // the method
			}
			if httpie && len(out) > 0 {
				return out // request items
			}
			out = append(out, o.value)
		case o.name == "url" || g.cmdlet && (o.name == "uri" || o.name == "source"):
			if o.valued {
				out = append(out, o.value)
			}
		}
	}
	return out
}

func upper(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] < 'A' || text[i] > 'Z' {
			return false
		}
	}
	return text != ""
}

// web keeps the words that are, or may become, addresses of the web.
func web(words []Word) []Word {
	var out []Word
	for _, w := range words {
		if i := strings.Index(w.Text, "://"); i >= 0 && i < 8 || strings.HasPrefix(w.Text, "$") {
			out = append(out, w)
		}
	}
	return out
}

func http(words []Word) []Word {
	var out []Word
	for _, w := range words {
		if strings.HasPrefix(w.Text, "http://") || strings.HasPrefix(w.Text, "https://") {
			out = append(out, w)
		}
	}
	return out
}

func (c *Simple) gitFetch() ([]Word, bool) {
	sub, rest := subcommand(c.Words, gitGlobal)
	switch sub {
	case "clone", "fetch", "pull", "ls-remote", "submodule":
		if a := http(rest); len(a) > 0 {
			return a, true
		}
	}
	return nil, false
}

// runners start another program by name, after the word given here if there is one.
var runners = map[string]string{"npx": "", "bunx": "", "pnpx": "", "uvx": "", "uv": "run", "poetry": "run", "pipenv": "run",
	"pdm": "run", "hatch": "run", "rye": "run", "conda": "run", "mamba": "run", "mise": "exec", "pnpm": "exec", "yarn": "exec",
	"npm": "exec", "bundle": "exec", "direnv": "exec"}

// runnerFetch finds a fetch that a runner starts.
func (c *Simple) runnerFetch(how string) ([]Word, bool) {
	started := how == ""
	for i := 1; i < len(c.Words); i++ {
		t := c.Words[i].Text
		switch name := program(base(t)); {
		case !started:
			started = t == how
		case name == "curl" || name == "wget" || name == "http" || name == "https" || interpreterOf(name) != nil:
			inner := Simple{Name: base(t), Words: c.Words[i:], Redirects: c.Redirects}
			return inner.fetch()
		case !strings.HasPrefix(t, "-") && !strings.HasPrefix(c.Words[i-1].Text, "-"):
			return nil, false // another program
		}
	}
	return nil, false
}

// containerFetch finds a fetch that runs inside a container.
func (c *Simple) containerFetch() ([]Word, bool) {
	sub, _ := subcommand(c.Words, wrapper{short: "Hnf", long: " context namespace kubeconfig host "})
	if sub != "exec" && sub != "run" && sub != "compose" {
		return nil, false
	}
	for i := 2; i < len(c.Words); i++ {
		inner := Simple{Words: c.Words[i:], Name: base(c.Words[i].Text)}
		switch inner.Name {
		case "curl", "wget", "http", "https":
			return inner.addresses(grammarOf(inner.Name)), true
		}
		if u := unwrap(inner.Words); u.script > 0 {
			var found []Word
			s := Parse(u.text(inner.Words))
			fetches := s.Fetches()
			for _, f := range fetches {
				for _, a := range f.Addresses {
					found = append(found, Word{a, true})
				}
			}
			return found, len(fetches) > 0
		}
	}
	return nil, false
}

// subcommand is the first operand of a program such as git, and the words after it.
func subcommand(words []Word, global wrapper) (string, []Word) {
	if i := global.pass(words); i < len(words) {
		return words[i].Text, words[i+1:]
	}
	return "", nil
}

var gitGlobal = wrapper{short: "Cc", long: " git-dir work-tree namespace exec-path "}

// asksHelp tells that a command only prints its help or version.
func asksHelp(words []Word) bool {
	for _, w := range words[1:] {
		if w.Text == "--help" || w.Text == "--version" {
			return true
		}
	}
	return len(words) == 2 && (words[1].Text == "-V" || words[1].Text == "-h" || words[1].Text == "-v" || words[1].Text == "version" || words[1].Text == "help")
}
