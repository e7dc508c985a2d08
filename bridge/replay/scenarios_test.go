package replay

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"testing"

	jsonv2 "github.com/go-json-experiment/json"
)

// Event sequences of our own, all values invented: what coding agents do that is
// healthy, and loops, each with what a person who watches would want of the guard.
// Those with a note are not met, and the note says why; the list is to stay true.
func TestOurScenarios(t *testing.T) {
	for _, name := range []string{"healthy.jsonl", "loops.jsonl"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join("testdata", "scenarios", name)
			notes := notesOf(t, path)
			outcomes, faults := lab(t, Lab{Options: under("default"), Workers: 2}, Files(context.Background(), []string{path}, nil)...)
			if len(faults) > 0 || len(outcomes) != len(notes) {
				t.Fatalf("%d of %d scenarios, %q", len(outcomes), len(notes), faults)
			}
			for _, o := range outcomes {
				switch met := o.meets(); {
				case !met && notes[o.Name] == "":
					t.Errorf("%s: %s by %d is not met: first noted at %v, refused at %v (%d of %d), ended at %v",
						o.Name, o.Expect.Stage, o.Expect.By, at1(o.FirstNote), at1(o.FirstBlock), o.Blocked, o.Calls, at1(o.EndedAt))
				case met && notes[o.Name] != "":
					t.Errorf("%s is met, and noted as one that is not: %s", o.Name, notes[o.Name])
				case !met:
					t.Logf("known not to be met: %s: %s", o.Name, notes[o.Name])
				}
			}
		})
	}
}

// notesOf reads the notes of a file of scenarios, by their ids.
func notesOf(t *testing.T, path string) map[string]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	notes := map[string]string{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var s struct {
			ID   string `json:"id"`
			Note string `json:"note"`
		}
		if err := jsonv2.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		if _, twice := notes[s.ID]; twice || s.ID == "" {
			t.Fatalf("%q is no name of one scenario", s.ID)
		}
		notes[s.ID] = s.Note
	}
	if lines.Err() != nil {
		t.Fatal(lines.Err())
	}
	return notes
}
