package bridge

import (
	"strings"

	"github.com/loopbreaker/loopbreaker/bridge/config"
	"github.com/loopbreaker/loopbreaker/guard"
)

// open reads the configuration and begins the session.
func (s *server) open(p InitializeParams) {
	s.sources = config.Sources{Environ: s.Environ, Flags: s.Flags}
	if !s.NoFiles {
		s.sources.AgentDir, s.sources.CWD, s.sources.ProjectTrusted = p.AgentDir, p.CWD, p.ProjectTrusted
		s.folder = p.CWD
	}
	if p.Chosen.Preset != "" {
		s.sources.Flags.Preset = p.Chosen.Preset
	}
	s.chosen = p.Chosen
	s.config = s.load()
	s.session = guard.NewSession(s.config.Policy)
	s.session.SetAttended(p.HasUI)
	s.session.SetOn(s.wantedOn())
	s.offered = s.config.Fetch.Enabled
	s.offerFetch()
}

// wantedOn is whether the guard is to be on: as the person chose, or else as it
// is configured.
func (s *server) wantedOn() bool {
	return s.chosen.On || s.config.Enabled && !s.chosen.Off
}

// settings are what differs from the preset, as --set takes it. They go into the
// answer to initialize, and so into a trace, which can then be replayed.
func (s *server) settings() (set []string) {
	for _, v := range s.config.Settings() {
		if v.Path != "preset" && v.From != "default" && !strings.HasPrefix(v.From, "preset ") {
			set = append(set, v.String())
		}
	}
	return set
}

// load reads the configuration and queues for the user what is newly wrong with
// it.
func (s *server) load() *config.Config {
	c := config.Load(s.sources)
	for _, problem := range c.Problems {
		if text := problem.String(); !s.problems[text] {
			s.problems[text] = true
			s.notices = append(s.notices, guard.ConfigProblem(text))
		}
	}
	return c
}

// refresh takes in what has been saved since, so that it holds from this call on.
func (s *server) refresh() {
	if !s.config.Changed() {
		return
	}
	s.take(s.load())
	s.Log.Info().Str("preset", s.config.Preset).Msg("configuration read again")
}

// take goes by a configuration from now on, with what is remembered.
func (s *server) take(c *config.Config) {
	s.config = c
	s.session.SetPolicy(c.Policy)
	s.offerFetch()
	s.mayExport()
	s.session.SetOn(s.wantedOn())
}

// switchTo switches the guard on or off for this session.
func (s *server) switchTo(on bool) {
	s.chosen.On, s.chosen.Off = on, !on
	s.session.SetOn(on)
}

// choose takes another preset for this session, above all that is configured.
func (s *server) choose(preset string) {
	s.chosen.Preset, s.sources.Flags.Preset = preset, preset
	s.take(s.load()) // also what was saved since the last call
}
