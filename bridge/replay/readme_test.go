package replay

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/loopbreaker/loopbreaker/guard"
)

// figures are the rows of a page's table that compares the presets: what each has,
// by the first cell, up to its comma.
func figures(t *testing.T, path string) map[string]map[string]int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", path))
	if err != nil {
		t.Fatal(err)
	}
	head := "| | `" + strings.Join(guard.PresetNames(), "` | `") + "` |\n"
	_, rest, found := strings.Cut(string(text), head)
	if !found {
		t.Fatalf("%s has no table %s", path, head)
	}
	rows := map[string]map[string]int{}
	for line := range strings.Lines(rest) {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		if !strings.HasPrefix(line, "| ") {
			if strings.HasPrefix(line, "|--") {
				continue
			}
			break
		}
		what, _, _ := strings.Cut(cells[0], ", of")
		rows[what] = map[string]int{}
		for i, name := range guard.PresetNames() {
			if n, err := strconv.Atoi(cells[1+i]); err == nil {
				rows[what][name] = n
			}
		}
	}
	return rows
}

// right is how many scenarios a guard meets.
func (s *Score) right() (n int) {
	for _, kind := range s.Scenarios {
		n += kind.Met
	}
	return n
}

// checkFigures holds both tables about the recordings to what was measured on them.
func checkFigures(t *testing.T, scores map[string]*Score) {
	t.Helper()
	readme, policy := figures(t, "README.md"), figures(t, "guard/POLICY.md")
	for preset, s := range scores {
		for what, have := range map[string]int{
			"healthy sessions refused or ended":         s.HealthyForced,
			"stuck sessions refused or ended":           s.StuckForced,
			"stuck sessions ended":                      s.StuckEnded,
			"calls that ran in loops":                   s.RanInLoops,
			"retold complaints done right by":           s.right(),
			"healthy sessions with a remark":            s.HealthyNoted,
			"healthy sessions with a refusal or an end": s.HealthyForced,
			"complaints: to be ended":                   s.Scenarios["abort"].Met,
			"to be refused":                             s.Scenarios["block"].Met,
			"to be spoken of":                           s.Scenarios["warn"].Met,
			"to be let alone":                           s.Scenarios["allow"].Met,
			"loops without a word":                      s.ScenariosSilent,
		} {
			for page, rows := range map[string]map[string]map[string]int{"README.md": readme, "guard/POLICY.md": policy} {
				if said, stated := rows[what][preset]; stated && said != have {
					t.Errorf("%s: %s under %s is %d, and %s says %d", what, page, preset, have, page, said)
				}
			}
			if readme[what] == nil && policy[what] == nil {
				t.Errorf("no page has a row %q", what)
			}
		}
	}
}
