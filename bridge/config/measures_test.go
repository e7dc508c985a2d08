package config

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/loopbreaker/loopbreaker/guard"
)

// The settings of the system `measures` are checked loudly, one by one, and none of
// them by another.
func TestMeasuresAreChecked(t *testing.T) {
	const stages = "an integer up to 1000, or null; null, 0 and less are off"
	const limits = "measures (exact, cmd, net, sink, host, site, family or verb, alone or with : and what)"
	for _, tt := range []struct {
		text string // in the file, for "measures"
		says []string
	}{
		{`{"window":4,"limits":{"exact":2,"host:a.example":1000,"site":null,"net":null},"warnAt":99,"summarizeAt":1,"failWarnAt":9,"failLimit":2,
		   "onLimit":"deny","localHosts":"allow","includeLocal":true,"include":["read*"],"exclude":[],"previewChars":1,"resultPreviewChars":1,
		   "ignoreArgs":{"*":[],"bash":["a"],"x":null},"hostAliases":{"a.example":"b.example","open-data.canada.ca":null},"askSeconds":5}`, nil},
		{`{"warnAt":0,"summarizeAt":-3,"failWarnAt":null,"failLimit":null}`, nil},

		{`{"window":3}`, []string{`measures.window is 3 but must be an integer from 4 to 1000.`}},
		{`{"window":null}`, []string{`measures.window is null but must be an integer from 4 to 1000.`}},
		{`{"warnAt":2.5}`, []string{`measures.warnAt is 2.5 but must be ` + stages + `.`}},
		{`{"summarizeAt":"7"}`, []string{`measures.summarizeAt is "7" but must be ` + stages + `.`}},
		{`{"failWarnAt":1001}`, []string{`measures.failWarnAt is 1001 but must be ` + stages + `.`}},
		{`{"failLimit":1}`, []string{`measures.failLimit is 1 but must be an integer from 2 to 1000, or null (off).`}},
		{`{"failLimit":0}`, []string{`measures.failLimit is 0 but must be an integer from 2 to 1000, or null (off).`}},
		{`{"onLimit":"block"}`, []string{`measures.onLimit is "block" but must be ask or deny.`}},
		{`{"includeLocal":"yes"}`, []string{`measures.includeLocal is "yes" but must be true or false.`}},
		{`{"previewChars":0}`, []string{`measures.previewChars is 0 but must be an integer from 1 to 10000.`}},
		{`{"exclude":"todo_write"}`, []string{`measures.exclude is "todo_write" but must be a list of names, none twice.`}},

		// A table: each entry for itself.
		{`{"limits":7}`, []string{`measures.limits is 7 but must be an object of ` + limits + `, for each an integer from 2 to 1000, or null.`}},
		{`{"limits":{"exact":1,"cmd":5}}`, []string{`measures.limits.exact is 1 but must be an integer from 2 to 1000, or null.`}},
		{`{"limits":{"exact":"12"}}`, []string{`measures.limits.exact is "12" but must be an integer from 2 to 1000, or null.`}},
		{`{"limits":{"exat":12,"host":5}}`, []string{`measures.limits.exat is none of ` + limits + ` (did you mean exact?).`}},
		{`{"limits":{"volume":12}}`, []string{`measures.limits.volume is none of ` + limits + `.`}},
		{`{"limits":{"cmd":3,"cmd":4}}`, []string{`measures.limits.cmd is stated more than once, so it does not count.`}},
		{`{"ignoreArgs":{"bash":"description"}}`, []string{`measures.ignoreArgs.bash is "description" but must be a list of names, none twice, or null.`}},
		{`{"hostAliases":{"a.example":7}}`, []string{`measures.hostAliases.a.example is 7 but must be a name, or null.`}},
		{`{"hostAliases":{"a.example":"b.example","b.example":"c.example","c.example":"b.example"}}`, []string{`measures.hostAliases is wrong: alias "?.example" leads in a circle; those of the preset count.`}},
		{`{"hostAliases":{"a b":"c.example"}}`, []string{`measures.hostAliases.a b is none of hosts.`}},
		{`{"hostAliases":{"a.example":"https://b.example/"}}`, []string{`measures.hostAliases is wrong: alias "a.example" to "https://b.example/": not a host: character ':'; those of the preset count.`}},

		// What that system has removed.
		{`{"denyAfter":2}`, []string{`measures.denyAfter was removed: use measures.limits, for one kind of measure each.`}},
		{`{"warnAfter":2,"registerAdvisory":true}`, []string{
			`measures.warnAfter was removed: use measures.warnAt to warn and measures.limits to refuse.`,
			`measures.registerAdvisory was removed: use measures.warnAt to warn and measures.limits to refuse.`}},
		{`{"maxSamePath":2}`, []string{`measures.maxSamePath was removed: a file is counted by its place in it, with measures.limits.exact.`}},
		{`{"readTools":[],"matchReadBySubstring":true}`, []string{
			`measures.readTools was removed: tools are told by their names; see measures.include and measures.exclude.`,
			`measures.matchReadBySubstring was removed: tools are told by their names; see measures.include and measures.exclude.`}},
		{`{"pathAliases":{}}`, []string{`measures.pathAliases was removed: it had no effect any more, leave it out.`}},
		{`{"gateAt":9}`, []string{`measures.gateAt was removed: use measures.limits, for one kind of measure each.`}},
		{`{"localHosts":"ask"}`, []string{`measures.localHosts is "ask" but must be deny or allow (ask was removed: use measures.onLimit, which is about all hosts).`}},
	} {
		h := newHost(t)
		h.write(h.userFile(), `{"preset":"measures","measures":`+tt.text+`}`)
		var want []string
		for _, says := range tt.says {
			want = append(want, "USER: "+says)
		}
		c := Load(Sources{AgentDir: h.agent})
		told := h.told(c)
		for i := range told { // any host of a circle is the one that is named
			told[i] = regexp.MustCompile(`"[abc]\.example" leads`).ReplaceAllString(told[i], `"?.example" leads`)
		}
		if !slices.Equal(told, want) {
			t.Errorf("%s:\n%s\nwant\n%s", tt.text, strings.Join(told, "\n"), strings.Join(want, "\n"))
		}
	}
}

// The other entries of a table with a wrong one count.
func TestASoundEntryCountsBesideAWrongOne(t *testing.T) {
	h := newHost(t)
	h.write(h.userFile(), `{"preset":"measures","measures":{"limits":{"exact":1,"cmd":5,"sink":null}}}`)
	l := Load(Sources{AgentDir: h.agent}).Policy.Measures.Limits
	if l["exact"] != 12 || l["cmd"] != 5 || l["sink"] != 0 || l["host"] != 16 {
		t.Errorf("%v", l)
	}
}

// Tables are merged entry by entry through all layers, lists are replaced.
func TestTablesAreMerged(t *testing.T) {
	h := newHost(t)
	h.write(h.userFile(), `{"preset":"measures","measures":{"limits":{"exact":5,"cmd":6,"net":7},"exclude":["a"],"ignoreArgs":{"bash":["x"],"mine":["y"]},"hostAliases":{"a.example":"b.example"}}}`)
	h.write(h.projectFile(), `{"measures":{"limits":{"cmd":8},"exclude":["b","c"],"hostAliases":{"open-data.canada.ca":null}}}`)
	s := h.trusted()
	s.Environ = []string{"LOOPBREAKER_MEASURES_LIMITS=net=null,host:a.example=3", "LOOPBREAKER_MEASURES_IGNORE_ARGS=bash=p q"}
	s.Flags.Set = []string{"measures.limits=sink=4"}
	c := Load(s)
	if len(c.Problems) != 0 {
		t.Errorf("%q", c.Problems)
	}
	m := c.Policy.Measures
	if want := map[string]int{"exact": 5, "cmd": 8, "net": 0, "sink": 4, "host": 16, "host:a.example": 3, "site": 0, "family:http-fetch": 0, "verb:curl": 0, "verb:wget": 0}; !maps.Equal(m.Limits, want) {
		t.Errorf("%v", m.Limits)
	}
	if !slices.Equal(m.Exclude, []string{"b", "c"}) || !slices.Equal(m.IgnoreArgs["bash"], []string{"p", "q"}) || !slices.Equal(m.IgnoreArgs["mine"], []string{"y"}) || len(m.IgnoreArgs["*"]) == 0 {
		t.Errorf("%v %v", m.Exclude, m.IgnoreArgs)
	}
	if m.HostAliases["a.example"] != "b.example" || m.HostAliases["open-data.canada.ca"] != "" || m.HostAliases["www.open.canada.ca"] == "" {
		t.Errorf("%v", m.HostAliases)
	}
	if from := effective(t, c, "measures.limits").From; from != "--set" {
		t.Error(from)
	}

	// What is shown can be set again, to the same effect.
	set := []string{}
	for _, setting := range c.Settings() {
		if strings.HasPrefix(setting.Path, "measures.") {
			set = append(set, setting.String())
		}
	}
	again := Load(Sources{Flags: Flags{Preset: "measures", Set: set}})
	if len(again.Problems) != 0 || !maps.Equal(again.Policy.Measures.Limits, m.Limits) || !maps.Equal(again.Policy.Measures.HostAliases, m.HostAliases) ||
		!maps.EqualFunc(again.Policy.Measures.IgnoreArgs, m.IgnoreArgs, slices.Equal) {
		t.Errorf("%+v %q", again.Policy.Measures, again.Problems)
	}

	// The preset itself has not changed.
	if p, _ := guard.FindPreset("measures"); p.Policy.Measures.Limits["exact"] != 12 {
		t.Errorf("%v", p.Policy.Measures.Limits)
	}
}

func TestTablesInText(t *testing.T) {
	const must = "must be a text such as exact=12,host:api.example=16,site=null."
	for text, says := range map[string]string{
		"exact=5":                            "",
		" exact = 5 ,, cmd=6 ":               "",
		"":                                   "",
		"net:a.example/?x=1=9":               "",
		"exact":                              `flag: --set measures.limits is "exact" but ` + must,
		"exact=1":                            `flag: --set measures.limits is "exact=1" but ` + must,
		"exact=5,exact=6":                    `flag: --set measures.limits is "exact=5,exact=6" but ` + must,
		"exat=5":                             `flag: --set measures.limits is "exat=5" but ` + must,
		"exact=" + strings.Repeat("9", 1000): `flag: --set measures.limits is "exact=` + strings.Repeat("9", 54) + `..." but ` + must,
	} {
		c := Load(Sources{Flags: Flags{Set: []string{"measures.limits=" + text}}})
		got := ""
		for _, p := range c.Problems {
			got += p.String()
		}
		if got != says {
			t.Errorf("%q: %q, want %q", text, got, says)
		}
	}
	c := Load(Sources{Environ: []string{"LOOPBREAKER_MEASURES_DENY_AFTER=2"}, Flags: Flags{Set: []string{"measures.warnAfter=3"}}})
	if len(c.Problems) != 2 || !strings.Contains(c.Problems[0].String(), "was removed: use measures.limits") || !strings.Contains(c.Problems[1].String(), "was removed: use measures.warnAt") {
		t.Errorf("%q", c.Problems)
	}
}
