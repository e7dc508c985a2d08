package doctor

import (
	"context"

	"github.com/loopbreaker/loopbreaker/bridge/config"
	"github.com/loopbreaker/loopbreaker/bridge/otlp"
)

// checkExport says whether anything leaves the machine, and where to: of the addresses
// it tells the hosts alone. It sends nothing.
func (e *examination) checkExport(context.Context) Check {
	s := otlp.Read(e.Environ)
	check := Check{Status: OK}
	for _, signal := range []struct {
		what string
		otlp.Signal
	}{{"metrics", s.Metrics}, {"events", s.Logs}} {
		if signal.URL != nil {
			check.Found = append(check.Found, signal.what+" go to "+signal.Host()+" (OTEL_EXPORTER_OTLP_*)")
		}
	}
	switch own := config.Load(config.Sources{AgentDir: e.AgentDir, Environ: e.Environ}); {
	case !s.On():
		check.Found = append(check.Found, "nothing leaves the machine")
	case !own.Export.Enabled:
		check.Found = []string{"nothing leaves the machine: export.enabled is off"}
	default:
		check.Advice = "This is as the environment says. OTEL_SDK_DISABLED=true, or the setting export.enabled, switches it off."
	}
	if len(s.Problems) > 0 {
		check.Status, check.Advice = Warning, "Correct the environment."
		check.Found = append(check.Found, s.Problems...)
	}
	return check
}
