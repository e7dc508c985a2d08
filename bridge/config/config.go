package config

import (
	"os"
	"path/filepath"

	"github.com/loopbreaker/loopbreaker/guard"
)

// Sources are where a session's configuration comes from.
type Sources struct {
	// AgentDir is the folder of the user's own settings, CWD that of the
	// project. Without one its file is not looked for.
	AgentDir, CWD string
	// ProjectTrusted is whether the project may configure the guard. If not,
	// its file is not opened.
	ProjectTrusted bool
	// Environ is the environment, as os.Environ returns it.
	Environ []string
	Flags   Flags

	draft draft // read in the place of what is there
}

// Flags are the flags of a command line that configure; the zero value is none.
type Flags struct {
	// Preset is --preset NAME.
	Preset string
	// Config is --config FILE, a layer above the files of Sources and below the
	// environment. It must exist.
	Config string
	// Set is every --set PATH=VALUE, values written as in the environment. Of
	// two for one path the last counts.
	Set []string
}

// Config is what a session goes by. It does not change once loaded.
type Config struct {
	Preset  string
	Enabled bool
	Policy  guard.Policy
	Fetch   Fetch
	Export  Export
	// Problems is everything that did not count, in the order of the layers.
	Problems []Problem

	from  []source // where each setting has its value from
	given []given  // all that the layers set, weakest first
	files []stamp
}

// Fetch is what web_fetch_file may do. It is no policy of the guard, so no preset
// says any of it.
type Fetch struct {
	// Enabled is whether there is such a tool.
	Enabled bool
	// OutputDir is the folder of the workspace that takes the files.
	OutputDir string
	// MaxBytes is how large a file may be.
	MaxBytes int
	// TimeoutMs is how long one fetch may take, in milliseconds.
	TimeoutMs int
	// MaxRedirects is how many redirects are followed.
	MaxRedirects int
	// AllowPrivateHosts are hosts, addresses and networks, as fetch.ParseHosts
	// reads them.
	AllowPrivateHosts []string
	// Cookies is whether cookies are kept for the session, Proxy whether the
	// environment's proxies are used.
	Cookies, Proxy bool
}

// defaultFetch holds where nothing is set. OutputDir and MaxBytes are those of
// the system measures.
func defaultFetch() Fetch {
	return Fetch{OutputDir: "fetched", MaxBytes: 8 << 20, TimeoutMs: 60_000, MaxRedirects: 5, AllowPrivateHosts: []string{}}
}

// Export is what may leave the machine, where the environment says where to. It is no
// policy either.
type Export struct {
	// Enabled is whether metrics and events may be exported.
	Enabled bool
}

// source is where a value was set.
type source struct {
	// rank orders sources by strength.
	rank int
	// origin and label are Problem.Origin and Problem.Path.
	origin, label string
	// from is Setting.From.
	from string
}

// Load reads the configuration. It always returns a whole one: what is wrong
// does not count, is a Problem, and leaves the weaker layer in force.
//
// The layers, weakest first: the preset's numbers, the user's file, the
// project's file, the file of --config, the environment, the flags. Which
// preset that is, is settled through all layers first, so that a number which is
// set anywhere holds, whoever chose the preset.
func Load(s Sources) *Config {
	l := loader{}
	l.readFiles(s)
	l.readEnviron(s.Environ)
	l.readFlags(s.Flags)

	c := &Config{Preset: guard.DefaultPreset, Enabled: true, Fetch: defaultFetch(), Export: Export{Enabled: true}, Problems: l.problems, given: l.given, files: l.stamps}
	chosen := find("preset")
	for _, g := range l.given {
		if g.index == chosen {
			c.Preset = g.value.(string)
		}
	}
	preset, _ := guard.FindPreset(c.Preset)
	c.Policy = preset.Policy
	c.from = make([]source, len(settings))
	for i := range settings {
		from := "preset " + c.Preset
		if settings[i].ofNoPreset() {
			from = "default"
		}
		c.from[i] = source{origin: from, label: settings[i].path, from: from}
	}
	for rank, g := range l.given {
		settings[g.index].set(c, g.value)
		c.from[g.index] = g.source
		c.from[g.index].rank = rank + 1
	}
	c.settle()
	return c
}

// Known reports whether there is a setting of that path.
func Known(path string) bool { return find(path) >= 0 }

// loader gathers what the layers say, weakest first.
type loader struct {
	given    []given
	problems []Problem
	stamps   []stamp
}

// given is one value that a layer sets.
type given struct {
	index int // of the setting
	value any
	source
}

func (l *loader) give(index int, value any, origin, label, from string) {
	l.given = append(l.given, given{index, value, source{origin: origin, label: label, from: from}})
}

// giveText gives what a variable or a flag says.
func (l *loader) giveText(index int, text, origin, label, from string) {
	k := settings[index].kind
	if value, ok := k.text(text); ok {
		l.give(index, value, origin, label, from)
		return
	}
	_, allowed := k.allowed()
	l.problem(origin, label, quoted(text), "must be "+allowed+meant(text, index))
}

func (l *loader) problem(origin, path, value, reason string) {
	l.problems = append(l.problems, Problem{origin, path, value, reason})
}

// Changed tells whether a file that the configuration comes from, or one that
// was not there, is another than when it was read. It costs one look at the
// metadata of each. Two saves in place of as many bytes within one tick of the
// file system's clock are not told apart.
func (c *Config) Changed() bool {
	for _, s := range c.files {
		if !s.current() {
			return true
		}
	}
	return false
}

// stamp is a file as it was before it was read. Without info there was none, or
// none to be seen.
type stamp struct {
	path string
	info os.FileInfo
}

func (s stamp) current() bool {
	info, err := os.Stat(s.path)
	if err != nil || s.info == nil {
		return err != nil && s.info == nil
	}
	return os.SameFile(s.info, info) && s.info.ModTime().Equal(info.ModTime()) &&
		s.info.Size() == info.Size() && s.info.Mode() == info.Mode()
}

const fileName = "loopbreaker.json"

// files are the paths of those to read, weakest first.
func (s Sources) files() []string {
	var paths []string
	if user := s.UserFile(); user != "" {
		paths = append(paths, user)
	}
	if s.CWD != "" && s.ProjectTrusted {
		paths = append(paths, filepath.Join(s.CWD, ".pi", "extensions", fileName))
	}
	if s.Flags.Config != "" {
		paths = append(paths, s.Flags.Config)
	}
	return paths
}
