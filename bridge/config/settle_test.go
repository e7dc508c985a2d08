package config

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/loopbreaker/loopbreaker/guard"
)

func TestContradictions(t *testing.T) {
	const rejected = `{"rejected":{"calls":20,"note":3,"steer":4,"abort":6}}`
	for _, tt := range []struct {
		name    string
		preset  string
		file    string
		environ []string
		set     []string
		says    []string
		change  func(*guard.Policy) // what the policy is, from the preset's on
	}{
		{name: "warn below block", preset: "streak", set: []string{"streak.warn=4"},
			change: func(p *guard.Policy) { p.Streak.Warn = 4 }},
		{name: "warn equal to block", preset: "streak", set: []string{"streak.warn=5"},
			says:   []string{"flag: --set streak.warn is 5 but must be below streak.block, which is 5 (preset streak); the streak rule is off."},
			change: func(p *guard.Policy) { p.Streak.Warn, p.Streak.Block = 0, 0 }},
		{name: "block below warn", preset: "streak", file: `{"streak":{"block":2,"ignoreErrors":true}}`,
			says:   []string{"USER: streak.block is 2 but must be above streak.warn, which is 3 (preset streak); the streak rule is off."},
			change: func(p *guard.Policy) { p.Streak = guard.Streak{IgnoreErrors: true} }},
		{name: "both set, the stronger is named first", preset: "streak", file: `{"streak":{"block":8}}`, environ: []string{"LOOP_GUARD_WARN_THRESHOLD=9"},
			says:   []string{"environment: LOOP_GUARD_WARN_THRESHOLD is 9 but must be below streak.block, which is 8 (USER); the streak rule is off."},
			change: func(p *guard.Policy) { p.Streak = guard.Streak{} }},
		{name: "a stronger layer makes it right", preset: "streak", file: `{"streak":{"block":2}}`, set: []string{"streak.warn=1"},
			change: func(p *guard.Policy) { p.Streak = guard.Streak{Warn: 1, Block: 2} }},
		{name: "no warn, no contradiction", preset: "streak", set: []string{"streak.warn=0", "streak.block=1"},
			change: func(p *guard.Policy) { p.Streak = guard.Streak{Block: 1} }},
		{name: "no block, no contradiction", preset: "streak", set: []string{"streak.warn=9", "streak.block=0"},
			change: func(p *guard.Policy) { p.Streak = guard.Streak{Warn: 9} }},

		{name: "note equal to steer", preset: "window", file: rejected, set: []string{"rejected.note=4"},
			says:   []string{"flag: --set rejected.note is 4 but must be below rejected.steer, which is 4 (USER); the rejected rule is off."},
			change: func(p *guard.Policy) { p.Rejected = guard.Rejected{Calls: 20} }},
		{name: "abort below both", preset: "window", file: rejected, set: []string{"rejected.abort=1"},
			says:   []string{"flag: --set rejected.abort is 1 but must be above rejected.steer, which is 4 (USER); the rejected rule is off."},
			change: func(p *guard.Policy) { p.Rejected = guard.Rejected{Calls: 20} }},
		{name: "abort below note, no steer", preset: "window", file: rejected, set: []string{"rejected.abort=2", "rejected.steer=0"},
			says:   []string{"flag: --set rejected.abort is 2 but must be above rejected.note, which is 3 (USER); the rejected rule is off."},
			change: func(p *guard.Policy) { p.Rejected = guard.Rejected{Calls: 20} }},
		{name: "all descend, one problem", preset: "window", file: rejected, set: []string{"rejected.note=9", "rejected.steer=8", "rejected.abort=7"},
			says:   []string{"flag: --set rejected.steer is 8 but must be above rejected.note, which is 9 (--set); the rejected rule is off."},
			change: func(p *guard.Policy) { p.Rejected = guard.Rejected{Calls: 20} }},
		{name: "off in between", preset: "window", file: rejected, set: []string{"rejected.steer=0"},
			change: func(p *guard.Policy) { p.Rejected = guard.Rejected{Calls: 20, Note: 3, Abort: 6} }},

		{name: "as many as the window", preset: "window", set: []string{"window.calls=5"},
			change: func(p *guard.Policy) { p.Window.Calls = 5 }},
		{name: "more than the window", preset: "window", set: []string{"window.calls=4"},
			says:   []string{"flag: --set window.calls is 4 but must be at least window.block, which is 5 (preset window); off: window.block."},
			change: func(p *guard.Policy) { p.Window.Calls, p.Window.Block = 4, 0 }},
		{name: "a window beside the preset's rule", preset: "streak", set: []string{"window.block=5"},
			change: func(p *guard.Policy) { p.Window.Block = 5 }},
		{name: "some out of reach", preset: "window", file: rejected, set: []string{"rejected.calls=3"},
			says:   []string{"flag: --set rejected.calls is 3 but must be at least rejected.abort, which is 6 (USER); off: rejected.steer, rejected.abort."},
			change: func(p *guard.Policy) { p.Rejected = guard.Rejected{Calls: 3, Note: 3} }},
		{name: "neither contradicts twice", preset: "window", file: rejected, set: []string{"rejected.calls=3", "rejected.note=7"},
			says:   []string{"flag: --set rejected.note is 7 but must be below rejected.steer, which is 4 (USER); the rejected rule is off."},
			change: func(p *guard.Policy) { p.Rejected = guard.Rejected{Calls: 3} }},
	} {
		h := newHost(t)
		s := Sources{AgentDir: h.agent, Environ: tt.environ, Flags: Flags{Preset: tt.preset, Set: tt.set}}
		if tt.file != "" {
			h.write(h.userFile(), tt.file)
		}
		c := Load(s)
		preset, _ := guard.FindPreset(tt.preset)
		tt.change(&preset.Policy)
		if told := h.told(c); !slices.Equal(told, tt.says) {
			t.Errorf("%s: %q, want %q", tt.name, told, tt.says)
		}
		if !reflect.DeepEqual(c.Policy, preset.Policy) {
			t.Errorf("%s: %+v, want %+v", tt.name, c.Policy, preset.Policy)
		}
	}
}

func TestWhatAContradictionSwitchedOffSaysSo(t *testing.T) {
	c := Load(Sources{Flags: Flags{Preset: "streak", Set: []string{"streak.warn=5"}}})
	for _, path := range []string{"streak.warn", "streak.block"} {
		if s := effective(t, c, path); s.Value != 0 || s.From != "contradiction" {
			t.Errorf("%+v", s)
		}
	}
	if s := effective(t, c, "streak.ignoreErrors"); s.From != "preset streak" {
		t.Errorf("%+v", s)
	}
}

func TestHostsThatAreNoneAreNamed(t *testing.T) {
	c := Load(Sources{Flags: Flags{Set: []string{"fetch.allowPrivateHosts=localhost,10.0.0.0/33,*.lab.example,300.1.1.1,a*b,http://x"}}})
	var got []string
	for _, p := range c.Problems {
		got = append(got, p.String())
	}
	var want []string
	for _, text := range []string{"10.0.0.0/33", "300.1.1.1", "a*b", "http://x"} {
		want = append(want, fmt.Sprintf("flag: --set fetch.allowPrivateHosts is %q but is no host, address or network; it does not count.", text))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
