package bridge

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/sourcegraph/jsonrpc2"

	"github.com/loopbreaker/loopbreaker/bridge/config"
	"github.com/loopbreaker/loopbreaker/guard"
)

// settingsList answers what a person may change while the session runs.
func (s *server) settingsList(params []byte) (any, *fault) {
	var p SettingsParams
	if bad := decode(params, &p); bad != nil {
		return nil, bad
	}
	s.refresh()
	list := s.config.Live()
	if p.Path != "" {
		one, known := s.config.Setting(p.Path)
		if !known {
			return nil, &fault{jsonrpc2.CodeInvalidParams, "params/path: is not a setting"}
		}
		list = []config.Live{one}
	}
	return SettingsResult{Settings: list, Notify: s.tell(""), Status: s.session.Status()}, nil
}

// settingsSet changes a setting for a person.
func (s *server) settingsSet(params []byte) (any, *fault) {
	var p SettingsSetParams
	if bad := decode(params, &p); bad != nil {
		return nil, bad
	}
	if p.Path == "" {
		return nil, missing("path")
	}
	s.refresh()
	text, saved := s.set(p.Path, p.Value)
	return SettingsSetResult{Saved: saved, Text: text, Notify: s.tell(""), Status: s.session.Status(), Chosen: s.chosen}, nil
}

// set has a setting be what a person wants from now on, and says what has become
// of it. What the person chose for this session gives way.
func (s *server) set(path string, value jsontext.Value) (text string, ok bool) {
	sources, chosen := s.sources, s.chosen
	switch path {
	case "preset":
		sources.Flags.Preset, chosen.Preset = s.Flags.Preset, ""
	case "enabled":
		chosen.On, chosen.Off = false, false
	}
	saved, err := sources.Save(path, value)
	if err != nil {
		return guard.SettingRefused(err), false
	}
	s.sources, s.chosen = sources, chosen
	s.take(saved.Config)
	s.Log.Info().Str("setting", path).Bytes("value", value).Msg("a setting was saved")
	now := saved.Now
	switch {
	case saved.Overruled:
		return guard.SettingOverruled(path, now.Shown, saved.File, now.From), true
	case value == nil:
		return guard.SettingSaved(path, now.Shown, saved.File, now.From), true
	}
	return guard.SettingSaved(path, now.Shown, saved.File, ""), true
}

// settingsText lists the settings for a host that has no view for them.
func (s *server) settingsText() string {
	var b strings.Builder
	b.WriteString(guard.SettingsTitle + "\n")
	columns := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, l := range s.config.Live() {
		fmt.Fprintf(columns, "%s\t%s\t%s\t%s\n", l.Path, l.Shown, l.From, l.Help)
	}
	columns.Flush()
	b.WriteString(guard.SettingsHint)
	return b.String()
}
