package doctor

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopbreaker/loopbreaker/bridge/config"
)

// checkConfiguration reads every layer, the project's too, as if it were trusted.
// Of what is set it tells the names; the values are the user's business.
func (e *examination) checkConfiguration(context.Context) Check {
	c := config.Load(config.Sources{AgentDir: e.AgentDir, CWD: e.CWD, ProjectTrusted: true, Environ: e.Environ})
	ofProject := func(file string) bool { return filepath.Dir(file) == filepath.Join(e.CWD, ".pi", "extensions") }
	check := Check{Status: OK, Found: []string{"preset " + c.Preset}}

	var layers []string
	set := map[string][]string{}
	for _, s := range c.Settings() {
		if !slices.Contains([]string{"default", "preset " + c.Preset, "contradiction"}, s.From) {
			if len(set[s.From]) == 0 {
				layers = append(layers, s.From)
			}
			set[s.From] = append(set[s.From], s.Path)
		}
	}
	for _, from := range layers {
		text := fmt.Sprintf("set by %s: %s", from, strings.Join(set[from], ", "))
		if ofProject(from) {
			text += " (counts where Pi trusts the project)"
		}
		check.Found = append(check.Found, text)
	}
	if !c.Enabled {
		check.Status, check.Advice = Warning, "The guard is switched off; /loopbreaker on, or the setting enabled, switches it on."
	}
	for _, p := range c.Problems {
		check.Found = append(check.Found, p.String())
		check.Advice = "Correct it; loopbreaker config shows what holds."
		if !ofProject(p.Origin) {
			check.Status = Failed
		} else if check.Status == OK {
			check.Status = Warning
		}
	}
	return check
}
