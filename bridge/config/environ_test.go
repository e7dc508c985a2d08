package config

import (
	"reflect"
	"slices"
	"testing"
)

func TestVariable(t *testing.T) {
	for path, want := range map[string]string{
		"preset":              "LOOPBREAKER_PRESET",
		"streak.warn":         "LOOPBREAKER_STREAK_WARN",
		"streak.ignoreTools":  "LOOPBREAKER_STREAK_IGNORE_TOOLS",
		"window.perPrompt":    "LOOPBREAKER_WINDOW_PER_PROMPT",
		"ladder.refusals":     "LOOPBREAKER_LADDER_REFUSALS",
		"streak.ignoreErrors": "LOOPBREAKER_STREAK_IGNORE_ERRORS",
	} {
		if got := variable(path); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
		if find(path) < 0 {
			t.Errorf("%s is no setting", path)
		}
	}
	seen := map[string]bool{}
	for _, s := range settings {
		for _, name := range append(slices.Clone(s.old), variable(s.path)) {
			if seen[name] || slices.Contains(foreign, name) {
				t.Errorf("%s has two meanings", name)
			}
			seen[name] = true
		}
	}
}

// plainly is a user whose preset has no number but those of a window, so that
// tests do not depend on those of the default.
func plainly(t *testing.T) (host, Sources) {
	h := newHost(t)
	h.write(h.userFile(), `{"preset":"window"}`)
	return h, Sources{AgentDir: h.agent}
}

func TestOldNames(t *testing.T) {
	_, s := plainly(t)
	s.Environ = []string{
		"LOOP_GUARD_ENABLED=false", "LOOP_GUARD_WARN_THRESHOLD=4", "LOOP_GUARD_BLOCK_THRESHOLD=6", "LOOP_GUARD_ABORT_THRESHOLD=7",
		"LOOP_GUARD_IGNORE_TOOLS=todo,bash", "LOOP_GUARD_IGNORE_ERRORS=1", "LOOP_GUARD_USE_TERMINATE=yes",
		"PI_LOOP_GUARD_MAX_DUP_PER_TURN=2", "PI_LOOP_GUARD_MAX_CONSEC_TURNS=9",
		"PI_LOOP_GUARD_TEXT_GUARD=1", "PI_LOOP_GUARD_MIN_UNIT=30", "PI_LOOP_GUARD_MIN_REPEATS=5",
	}
	c := Load(s)
	p := c.Policy
	if c.Enabled || p.Streak.Warn != 4 || p.Streak.Block != 6 || p.Ladder.Refusals != 7 ||
		!slices.Equal(p.Streak.IgnoreTools, []string{"todo", "bash"}) || !p.Streak.IgnoreErrors || !p.Ladder.Terminate ||
		p.Turns.Duplicates != 2 || p.Turns.Consecutive != 9 ||
		!p.Text.Guard || p.Text.MinUnit != 30 || p.Text.MinRepeats != 5 || len(c.Problems) != 0 {
		t.Errorf("%+v", c)
	}
}

func TestTheNewNameWins(t *testing.T) {
	_, s := plainly(t)
	for _, environ := range [][]string{
		{"LOOP_GUARD_WARN_THRESHOLD=4", "LOOPBREAKER_STREAK_WARN=6"},
		{"LOOPBREAKER_STREAK_WARN=6", "LOOP_GUARD_WARN_THRESHOLD=4"},
	} {
		s.Environ = environ
		if c := Load(s); c.Policy.Streak.Warn != 6 || effective(t, c, "streak.warn").From != "LOOPBREAKER_STREAK_WARN" {
			t.Errorf("%q: %d", environ, c.Policy.Streak.Warn)
		}
	}
	s.Environ = []string{"LOOP_GUARD_WARN_THRESHOLD=4", "LOOPBREAKER_STREAK_WARN=six"}
	c := Load(s)
	if c.Policy.Streak.Warn != 4 || len(c.Problems) != 1 {
		t.Errorf("an unsound new name: %d, %q", c.Policy.Streak.Warn, c.Problems)
	}
}

func TestBooleansInText(t *testing.T) {
	for text, want := range map[string]any{
		"true": true, "TRUE": true, "1": true, "yes": true, "Yes": true, "on": true, "oN": true, " on ": true,
		"false": false, "False": false, "0": false, "no": false, "NO": false, "off": false, "OFF": false,
		"2": nil, "y": nil, "t": nil, "enabled": nil, "truefalse": nil,
	} {
		got, ok := boolean{}.text(text)
		if ok != (want != nil) || ok && got != want {
			t.Errorf("%q is %v, %v", text, got, ok)
		}
	}
}

// What the environment and the flags say, the problems they give, and the value
// of streak.warn and streak.ignoreTools that holds in the end.
func TestProblemsOfEnvironmentAndFlags(t *testing.T) {
	const integers = " but must be an integer from 0 (off) to 1000."
	for _, tt := range []struct {
		environ []string
		flags   Flags
		says    []string
		warn    int
		tools   []string
	}{
		{environ: []string{"LOOPBREAKER_STREAK_WARN=many"}, says: []string{`environment: LOOPBREAKER_STREAK_WARN is "many"` + integers}},
		{environ: []string{"LOOPBREAKER_STREAK_WARN=2.0"}, says: []string{`environment: LOOPBREAKER_STREAK_WARN is "2.0"` + integers}},
		{environ: []string{"LOOPBREAKER_STREAK_WARN=1001"}, says: []string{`environment: LOOPBREAKER_STREAK_WARN is "1001"` + integers}},
		{environ: []string{"LOOPBREAKER_STREAK_WARN=99999999999999999999"}, says: []string{`environment: LOOPBREAKER_STREAK_WARN is "99999999999999999999"` + integers}},
		{environ: []string{"LOOPBREAKER_STREAK_WARN=\x1b[2J"}, says: []string{`environment: LOOPBREAKER_STREAK_WARN is "\x1b[2J"` + integers}},
		{environ: []string{"LOOP_GUARD_WARN_THRESHOLD=-1"}, says: []string{`environment: LOOP_GUARD_WARN_THRESHOLD is "-1"` + integers}},
		{environ: []string{"LOOPBREAKER_ENABLED=maybe"}, says: []string{`environment: LOOPBREAKER_ENABLED is "maybe" but must be true or false (or yes, no, on, off, 1, 0).`}},
		{environ: []string{"LOOPBREAKER_PRESET=turn"}, says: []string{`environment: LOOPBREAKER_PRESET is "turn" but must be ` + allPresets + ` (did you mean turns?).`}},
		{environ: []string{"LOOPBREAKER_STREAK_IGNORE_TOOLS=a,a"}, says: []string{`environment: LOOPBREAKER_STREAK_IGNORE_TOOLS is "a,a" but must be a list of names with commas between them, none twice.`}},

		// Nothing said.
		{environ: []string{"LOOPBREAKER_STREAK_WARN=", "LOOPBREAKER_PRESET=", "LOOP_GUARD_ENABLED=", "PI_LOOP_GUARD_MIN_UNIT="}},
		{environ: []string{"LOOP_GUARD_IGNORE_TOOLS=a", "LOOPBREAKER_STREAK_IGNORE_TOOLS="}, tools: []string{}},
		{environ: []string{"", "=", "x", "LOOPBREAKER", "LOOP_GUARD_LIKE=1", "MY_LOOP_GUARD_ENABLED=0", "loopbreaker_preset=x", "=LOOPBREAKER_X=1"}},
		{environ: []string{"LOOPBREAKER_BINARY=x", "LOOPBREAKER_TRACE=x", "LOOPBREAKER_DEADLINE_MS=x", "LOOPBREAKER_RECORDINGS=x", "LOOPBREAKER_TEST_BINARY=x", "LOOPBREAKER_TEST_MARK=x"}},

		// Names.
		{environ: []string{"LOOPBREAKER_STREAK_WRAN=1"}, says: []string{"environment: LOOPBREAKER_STREAK_WRAN is not a setting (did you mean LOOPBREAKER_STREAK_WARN?)."}},
		{environ: []string{"LOOPBREAKER_STREAK_IGNORETOOLS=1"}, says: []string{"environment: LOOPBREAKER_STREAK_IGNORETOOLS is not a setting (did you mean LOOPBREAKER_STREAK_IGNORE_TOOLS?)."}},
		{environ: []string{"LOOPBREAKER_BINRAY=1"}, says: []string{"environment: LOOPBREAKER_BINRAY is not a setting (did you mean LOOPBREAKER_BINARY?)."}},
		{environ: []string{"LOOPBREAKER_ZZZ=", "LOOPBREAKER_AAA=1"}, says: []string{"environment: LOOPBREAKER_AAA is not a setting.", "environment: LOOPBREAKER_ZZZ is not a setting."}},
		{environ: []string{"LOOPBREAKER_\x1b=1"}, says: []string{`environment: "LOOPBREAKER_\x1b" is not a setting.`}},

		// Flags.
		{flags: Flags{Preset: "sterak"}, says: []string{`flag: --preset is "sterak" but must be ` + allPresets + ` (did you mean streak?).`}},
		{flags: Flags{Set: []string{"streak.warn=x", "streak.warn=8"}}, says: []string{`flag: --set streak.warn is "x"` + integers}, warn: 8},
		{flags: Flags{Set: []string{"streak.warn="}}, says: []string{`flag: --set streak.warn is ""` + integers}},
		{flags: Flags{Set: []string{"streak.warn"}}, says: []string{`flag: --set is "streak.warn" but must be PATH=VALUE, such as streak.warn=3.`}},
		{flags: Flags{Set: []string{"streak.wran=1"}}, says: []string{"flag: --set streak.wran is not a setting (did you mean streak.warn?)."}},
		{flags: Flags{Set: []string{"warn=1"}}, says: []string{"flag: --set warn is not a setting (did you mean streak.warn?)."}},
		{flags: Flags{Set: []string{"streak=1", "=1"}}, says: []string{"flag: --set streak is not a setting.", `flag: --set "" is not a setting.`}},
		{flags: Flags{Set: []string{"streak.ignoreTools=a=b,c"}}, tools: []string{"a=b", "c"}},
		{environ: []string{"LOOPBREAKER_STREAK_IGNORE_TOOLS=a"}, flags: Flags{Set: []string{"streak.ignoreTools="}}, tools: []string{}},
	} {
		h, s := plainly(t)
		s.Environ, s.Flags = tt.environ, tt.flags
		c := Load(s)
		if told := h.told(c); !slices.Equal(told, tt.says) {
			t.Errorf("%q, %+v:\n%q\nwant\n%q", tt.environ, tt.flags, told, tt.says)
		}
		if c.Policy.Streak.Warn != tt.warn || !reflect.DeepEqual(c.Policy.Streak.IgnoreTools, tt.tools) {
			t.Errorf("%q, %+v: %+v", tt.environ, tt.flags, c.Policy.Streak)
		}
	}
}
