package config

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

// The file does what the variables did.
func TestFromEnviron(t *testing.T) {
	environ := []string{
		"HOME=/nowhere", "LOOPBREAKER_STREAK_WARN=9", "MY_LOOP_GUARD_ENABLED=0", "LOOP_GUARD_USE_TERMINATE=",
		"LOOP_GUARD_ENABLED=off", "LOOP_GUARD_WARN_THRESHOLD=4", "LOOP_GUARD_BLOCK_THRESHOLD=6", "LOOP_GUARD_ABORT_THRESHOLD=7",
		"LOOP_GUARD_IGNORE_TOOLS=todo,bash", "LOOP_GUARD_IGNORE_ERRORS=1",
		"PI_LOOP_GUARD_MAX_DUP_PER_TURN=2", "PI_LOOP_GUARD_MAX_CONSEC_TURNS=9", "PI_LOOP_GUARD_MIN_UNIT=30",
	}
	text, problems := FromEnviron(environ, Flags{})
	const want = `{
  "enabled": false,
  "streak": {
    "warn": 4,
    "block": 6,
    "ignoreTools": ["todo","bash"],
    "ignoreErrors": true
  },
  "turns": {
    "duplicates": 2,
    "consecutive": 9
  },
  "text": {
    "minUnit": 30
  },
  "ladder": {
    "refusals": 7
  }
}
`
	if string(text) != want || len(problems) != 0 {
		t.Errorf("%s\nproblems %q", text, problems)
	}
	agent := t.TempDir()
	file := Sources{AgentDir: agent}.UserFile()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	older := slices.DeleteFunc(slices.Clone(environ), func(v string) bool { return v == "LOOPBREAKER_STREAK_WARN=9" })
	before, after := Load(Sources{Environ: older}), Load(Sources{AgentDir: agent})
	if before.Enabled != after.Enabled || !reflect.DeepEqual(before.Policy, after.Policy) || len(after.Problems) != 0 {
		t.Errorf("the file is %+v\nthe variables are %+v", after, before)
	}
}

func TestFromEnvironWithoutAnything(t *testing.T) {
	if text, problems := FromEnviron([]string{"LOOPBREAKER_STREAK_WARN=9", "X=LOOP_GUARD_ENABLED=0"}, Flags{}); string(text) != "{}\n" || len(problems) != 0 {
		t.Errorf("%s, %q", text, problems)
	}
}

func TestFromEnvironTellsWhatDoesNotCount(t *testing.T) {
	text, problems := FromEnviron([]string{"LOOP_GUARD_WARN_THRESHOLD=many", "PI_LOOP_GUARD_COLOUR=red", "LOOP_GUARD_WARN_AT=", "LOOP_GUARD_ENABLED=0"}, Flags{})
	var told []string
	for _, p := range problems {
		told = append(told, p.String())
	}
	want := []string{
		`environment: LOOP_GUARD_WARN_THRESHOLD is "many" but must be an integer from 0 (off) to 1000.`,
		`environment: PI_LOOP_GUARD_COLOUR is not a setting.`,
	}
	if string(text) != "{\n  \"enabled\": false\n}\n" || !slices.Equal(told, want) {
		t.Errorf("%s\n%q", text, told)
	}
}

// A person who moves says which guard it was, in the same breath.
func TestFromEnvironWithFlags(t *testing.T) {
	flags := Flags{Preset: "streak", Set: []string{"streak.block=9", "measures.limits=exact=5"}}
	text, problems := FromEnviron([]string{"LOOP_GUARD_WARN_THRESHOLD=4", "LOOP_GUARD_BLOCK_THRESHOLD=6"}, flags)
	const want = `{
  "preset": "streak",
  "streak": {
    "warn": 4,
    "block": 9
  },
  "measures": {
    "limits": {"exact":5}
  }
}
`
	if string(text) != want || len(problems) != 0 {
		t.Errorf("%s\n%q", text, problems)
	}
	if _, problems := FromEnviron(nil, Flags{Preset: "strek"}); len(problems) != 1 || problems[0].Origin != originFlag {
		t.Errorf("%q", problems)
	}
}
