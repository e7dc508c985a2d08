package bridge

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/loopbreaker/loopbreaker/guard"
)

// command does what a person asks for after /loopbreaker.
func (s *server) command(params []byte) (any, *fault) {
	var p CommandParams
	if bad := decode(params, &p); bad != nil {
		return nil, bad
	}
	s.refresh()
	var text string
	var peaks []Peak
	switch words := strings.Fields(p.Args); {
	case len(words) == 0, words[0] == "status" && len(words) == 1:
		text = s.session.Report(s.config.Preset)
	case words[0] == "on" && len(words) == 1:
		s.switchTo(true)
		text = s.session.Report(s.config.Preset)
	case words[0] == "off" && len(words) == 1:
		s.switchTo(false)
		text = s.session.Report(s.config.Preset)
	case words[0] == "reset" && len(words) == 1:
		s.session.Reset()
		text = guard.ResetDone
	case words[0] == "why" && len(words) == 1:
		text = s.session.Explain()
	case words[0] == "measures" && len(words) == 1:
		text = s.session.ExplainMeasures()
		for _, p := range s.session.Peaks() {
			peaks = append(peaks, Peak{Kind: string(p.Kind), Count: p.Count, Failures: p.Failures})
		}
	case words[0] == "preset" && len(words) == 2:
		if _, ok := guard.FindPreset(words[1]); !ok {
			text = guard.UnknownPreset(words[1])
			break
		}
		s.choose(words[1])
		text = s.session.Report(s.config.Preset)
	case words[0] == "settings" && len(words) == 1:
		text = s.settingsText()
	case words[0] == "set" && len(words) > 2:
		value, _ := jsontext.AppendQuote(nil, strings.Join(words[2:], " "))
		text, _ = s.set(words[1], value)
	case words[0] == "unset" && len(words) == 2:
		text, _ = s.set(words[1], nil)
	case words[0] == "help" && len(words) == 1:
		text = guard.CommandHelp()
	default:
		text = guard.UnknownCommand(p.Args)
	}
	return CommandResult{Text: strings.Join(append([]string{text}, s.tell("")...), "\n"), Status: s.session.Status(), Chosen: s.chosen, Peaks: peaks}, nil
}
