package bridge

import (
	"encoding/hex"
	"time"

	"github.com/loopbreaker/loopbreaker/bridge/config"
	"github.com/loopbreaker/loopbreaker/bridge/otlp"
)

// answerTimed answers a message and tells the export how long that took.
func (s *server) answerTimed(name string, params []byte) (any, *fault) {
	if s.Export == nil {
		return s.answer(name, params)
	}
	start := time.Now()
	result, bad := s.answer(name, params)
	took, code := time.Since(start), int64(0)
	if bad != nil {
		code = bad.code
	}
	if _, known := methods[name]; !known {
		name = otlp.Other
	}
	s.Export.Answered(name, took, code)
	return result, bad
}

// openExport begins the export, unless the settings say otherwise.
func (s *server) openExport(p InitializeParams) {
	if s.Export == nil {
		return
	}
	s.mayExport()
	s.Export.Open(p.SessionID, p.Host.Name)
}

// mayExport ends the export for this session where the settings say so. Those of a
// project can only switch it off, for what leaves the machine is the user's to say.
func (s *server) mayExport() {
	if s.Export == nil {
		return
	}
	may := s.config.Export.Enabled
	if may && s.sources.ProjectTrusted {
		own := s.sources
		own.ProjectTrusted = false
		may = config.Load(own).Export.Enabled
	}
	if !may {
		s.Export.Stop()
	}
}

// export tells of a decision, if it is more than to let something pass. It goes by what
// a session file keeps: names, counts and digests.
func (s *server) export(d *Decision) {
	if s.Export == nil || d.Why == nil {
		return
	}
	w := d.Why
	f := otlp.Finding{
		Preset: s.config.Preset, Rule: string(w.Rule), Stage: w.Stage, Tool: w.Tool,
		Count: w.Count, Limit: w.Limit, Window: w.Window, Parts: w.Parts, Measure: string(w.Measure),
	}
	if w.Measure != "" {
		f.MeasureSHA256 = hex.EncodeToString(w.MeasureSHA256[:])
	}
	for _, e := range d.Entries {
		f.Broken = &otlp.Broken{Repeats: e.Data.Repeats, BlockedSoFar: e.Data.BlockedSoFar}
	}
	s.Export.Found(f)
}
