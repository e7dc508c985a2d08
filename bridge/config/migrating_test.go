package config

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	ticked     = regexp.MustCompile("`([^`\n]+)`")
	beginsWith = regexp.MustCompile(`^(\d+|on|ask|deny)\b`)
)

// What the page for users of earlier guards says of settings is so.
func TestMigratingPage(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "MIGRATING.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)

	// Whatever looks like a setting is one.
	for _, m := range ticked.FindAllStringSubmatch(page, -1) {
		if group, _, dotted := strings.Cut(m[1], "."); dotted && groups[group] != "" && !Known(m[1]) {
			t.Errorf("there is no setting %s", m[1])
		}
	}
	// Nothing is missing that the earlier guards had.
	for _, s := range settings {
		for _, name := range s.old {
			if !strings.Contains(page, "| `"+name+"` | `"+s.path+"` |") {
				t.Errorf("the page has no row for %s, which is %s", name, s.path)
			}
		}
		if strings.HasPrefix(s.path, "measures.") && !strings.Contains(page, "`"+s.path+"`") {
			t.Errorf("the page says nothing of %s", s.path)
		}
	}
	for path := range removed {
		if name := strings.TrimPrefix(path, "measures."); strings.Contains(page, "`"+name+"` | `"+path) {
			t.Errorf("%s was removed", path)
		}
	}

	// The rows, and the values that they state.
	presetOf := map[string]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| \\[(.+)\\]\\(#.+\\) \\| .+ \\| `(\\w+)` \\|$").FindAllStringSubmatch(page, -1) {
		presetOf[row[1]] = row[2]
	}
	rows, stated := 0, 0
	for _, section := range strings.Split(page, "\n## ")[1:] {
		title, body, _ := strings.Cut(section, "\n")
		preset, ok := presetOf[title]
		if !ok {
			t.Errorf("%q is no guard of the first table", title)
			continue
		}
		c := Load(Sources{Flags: Flags{Preset: preset}})
		for line := range strings.Lines(body) {
			cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
			if !strings.HasPrefix(line, "| ") || len(cells) != 3 {
				continue
			}
			old, ours, says := strings.TrimSpace(cells[0]), ticked.FindStringSubmatch(cells[1]), strings.TrimSpace(cells[2])
			index := -1
			if ours != nil {
				index = find(ours[1])
			}
			if index < 0 {
				continue
			}
			rows++
			if name := ticked.FindStringSubmatch(old); name != nil && strings.Contains(name[1], "LOOP_GUARD_") && !slices.Contains(settings[index].old, name[1]) {
				t.Errorf("%s is not %s", name[1], ours[1])
			}
			if value := beginsWith.FindString(says); value != "" {
				stated++
				if have := fmt.Sprint(c.Settings()[index].Value); have != map[string]string{"on": "true"}[value] && have != value {
					t.Errorf("%s is %s under %s, and not %s", ours[1], have, preset, value)
				}
			}
		}
	}
	if len(presetOf) != 5 || rows < 40 || stated < 20 {
		t.Errorf("%d presets, %d rows, %d values: the tables cannot be read", len(presetOf), rows, stated)
	}

	// The file that it shows is one.
	_, rest, _ := strings.Cut(page, "\n```json\n")
	file, _, _ := strings.Cut(rest, "\n```\n")
	var l loader
	l.readFile("file", []byte(file))
	if len(l.given) < 4 || len(l.problems) > 0 {
		t.Errorf("%s: %q", file, l.problems)
	}
}
