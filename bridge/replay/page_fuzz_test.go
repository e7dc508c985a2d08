package replay

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/net/html"

	"github.com/loopbreaker/loopbreaker/bridge"
	"github.com/loopbreaker/loopbreaker/guard"
)

// words are all that a page shows and did not make up itself.
type words struct {
	name, label, stage, preset, tool, input, result, said, rule string
}

// page draws two sessions that consist of them.
func (w words) page(t *testing.T) string {
	t.Helper()
	p, s, one := NewPage(), &Session{}, 1
	content, err := json.Marshal([]map[string]string{{"type": "text", "text": w.result}})
	if err != nil {
		t.Fatal(err)
	}
	presets := []string{w.preset, w.preset + "2"}
	for _, preset := range presets {
		for i, fate := range []Fate{Ran, Refused, Rejected, Saved} {
			p.Watch(s, preset, Step{
				Number: i + 1, Same: uint64(i) / 2, Fate: fate, Tool: w.tool, Input: jsontext.Value(w.input), Content: content,
				IsError: fate == Rejected, Said: []string{w.said, w.said}, Why: &bridge.Why{Rule: guard.Rule(w.rule), Stage: w.stage},
			})
		}
	}
	for _, preset := range presets {
		p.Take(Played{Session: s, Outcome: Outcome{
			Name: w.name, Label: w.label, Preset: preset, Calls: 4, Blocked: 1, FirstBlock: &one, Worst: Worst{w.tool, 2},
		}})
	}
	p.Take(Played{Outcome: Outcome{Name: w.name, Preset: w.preset, Expect: &Expectation{Stage: w.stage}}})
	return rendered(t, p, []*Score{{Preset: w.preset, Stuck: 1}})
}

// tame returns words of the same lengths that say nothing.
func (w words) tame() words {
	tame := func(text string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(" \t\r\n", r) {
				return r
			}
			return 'x'
		}, text)
	}
	return words{
		tame(w.name), tame(w.label), tame(w.stage), tame(w.preset), tame(w.tool),
		tame(readable(jsontext.Value(w.input))), tame(w.result), tame(w.said), tame(w.rule),
	}
}

// shown is what must stand on the page, each by itself.
func (w words) shown() []excerpt {
	return []excerpt{
		cut(w.name, pageName), cut(w.label, 40), cut("expect "+w.stage, 40), cut((&Score{Preset: w.preset}).Name(), pageName), cut(w.tool, 100),
		cut(readable(jsontext.Value(w.input)), pageText), cut(w.result, pageText), cut(w.said, pageSaid),
		cut(fmt.Sprintf("rule %s, stage %s: 0, due from 0", w.rule, w.stage), pageName),
	}
}

// tree lists the nodes of a page as a browser would see them, and its texts apart.
func tree(t *testing.T, page string) (nodes, texts []string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var walk func(n *html.Node, path string)
	walk = func(n *html.Node, path string) {
		if n.Type == html.TextNode {
			texts = append(texts, n.Data)
			path += " text"
		} else {
			path += fmt.Sprintf(" %d %q %q", n.Type, n.Data, n.Attr)
		}
		nodes = append(nodes, path)
		for child := range n.ChildNodes() {
			walk(child, path)
		}
	}
	walk(root, "")
	return nodes, texts
}

// Whatever the words are, the page has the elements, attributes and comments that
// it has with tame ones, and says each word to the letter.
func FuzzPage(f *testing.F) {
	for _, seed := range []string{
		"", "a", " ", "\n\nx", "\r\n\r", "&lt;&amp", "a\x00b\xff\xfe\u202e\u2028\ufeff\u0085", "{{scoreboard}}{{.Policy}}${x}",
		`</bdi></td></tr></table></details></main><script>pwned=1</script>`,
		`"><img src=x onerror=pwned=1>`, `' onclick='pwned=1`, "</pre><plaintext>", "<!--", "--><![CDATA[", "]]>", "<?xml",
		"</title></style><style>*{}</style>", "</script><svg onload=pwned=1><use href=//a>", "<base href=//a><meta http-equiv=refresh content=0>",
		"<template><table><select><math><annotation-xml encoding=text/html>", "javascript:pwned=1", "\u00bcscript\u00be", "+ADw-script+AD4-",
		strings.Repeat("<b>é", 400),
	} {
		f.Add(seed, seed, seed, seed, seed, seed, seed, seed, seed)
		quoted, _ := json.Marshal(seed)
		f.Add("n", "stuck", "block", "window", "bash", fmt.Sprintf(`{%s:%[1]s,"a":[%[1]s]}`, quoted), "r", "s", "streak")
	}
	f.Fuzz(func(t *testing.T, name, label, stage, preset, tool, input, result, said, rule string) {
		w := words{name, label, stage, preset, tool, input, result, said, rule}
		page := w.page(t)
		if !utf8.ValidString(page) {
			t.Error("not UTF-8")
		}
		got, texts := tree(t, page)
		want, _ := tree(t, w.tame().page(t))
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Fatalf("a node is\n%s, want\n%s", got[i], want[i])
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%d nodes, want %d", len(got), len(want))
		}
		for _, e := range w.shown() {
			if e.Text != "" && !slices.Contains(texts, e.Text) {
				t.Errorf("%q is not shown", e.Text)
			}
		}
	})
}
