package fetch

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestNoFileTakesThePlaceOfAnother(t *testing.T) {
	w := newWeb(t)
	at := w.serve(func(out http.ResponseWriter, in *http.Request) { io.WriteString(out, in.URL.RawQuery) })
	var mu sync.Mutex
	var wait sync.WaitGroup
	saved := map[string]string{}
	for n := range 8 {
		wait.Go(func() {
			got, err := w.get(fmt.Sprintf("%s/a.tar.gz?%d", at, n))
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			saved[got.Path] = fmt.Sprint(n)
		})
	}
	wait.Wait()
	files := w.files()
	for n := range 8 {
		path := fmt.Sprintf("fetched/a.tar-%d.gz", n+1)
		if n == 0 {
			path = "fetched/a.tar.gz"
		}
		if files[path] == "" || files[path] != saved[path] {
			t.Errorf("%s holds %q, not %q", path, files[path], saved[path])
		}
	}
	if len(files) != 8 {
		t.Errorf("%q", files)
	}
}

func TestThereIsAnEndToCopies(t *testing.T) {
	w := newWeb(t)
	folder := filepath.Join(w.Workspace, w.Folder)
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for n := range maxCopies {
		name := "x"
		if n > 0 {
			name = fmt.Sprintf("x-%d", n+1)
		}
		if err := os.Mkdir(filepath.Join(folder, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if path, _, err := w.save(strings.NewReader("x"), "x"); err == nil {
		t.Errorf("saved as %s", path)
	}
	w.nothing()
}

// Whatever stands in the workspace, nothing outside of it is touched.
func TestLinksDoNotLeadOut(t *testing.T) {
	for name, tt := range map[string]struct {
		links map[string]string // by path in the workspace; OUT is a folder outside
		want  string            // the path of the file, "" for a refusal
	}{
		"the folder leads out":            {map[string]string{"fetched": "OUT"}, ""},
		"the folder leads out, relative":  {map[string]string{"fetched": "../OUT"}, ""},
		"the folder leads out and in":     {map[string]string{"fetched": "../WORKSPACE/in"}, ""},
		"the folder leads to nothing":     {map[string]string{"fetched": "nowhere"}, ""},
		"the folder leads to itself":      {map[string]string{"fetched": "fetched"}, ""},
		"the folder leads within":         {map[string]string{"fetched": "in"}, "fetched/x.txt"},
		"the name leads to a file":        {map[string]string{"fetched/x.txt": "OUT/kept"}, "fetched/x-2.txt"},
		"the name leads to a new file":    {map[string]string{"fetched/x.txt": "OUT/new"}, "fetched/x-2.txt"},
		"the name leads nowhere":          {map[string]string{"fetched/x.txt": "nowhere"}, "fetched/x-2.txt"},
		"the name and the next lead away": {map[string]string{"fetched/x.txt": "OUT/kept", "fetched/x-2.txt": "OUT"}, "fetched/x-3.txt"},
	} {
		w := newWeb(t)
		out := t.TempDir()
		if err := errors.Join(os.WriteFile(filepath.Join(out, "kept"), []byte("kept"), 0o600), os.Mkdir(filepath.Join(w.Workspace, "in"), 0o755)); err != nil {
			t.Fatal(err)
		}
		for at, to := range tt.links {
			at = filepath.Join(w.Workspace, at)
			relative, _ := filepath.Rel(w.Workspace, out)
			to = strings.NewReplacer("../OUT", relative, "OUT", out, "WORKSPACE", filepath.Base(w.Workspace)).Replace(to)
			os.MkdirAll(filepath.Dir(at), 0o755)
			if err := os.Symlink(to, at); err != nil {
				t.Skip(err)
			}
		}
		got, _, err := w.save(strings.NewReader("fetched"), "x.txt")
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if tt.want != "" {
			if text, err := os.ReadFile(filepath.Join(w.Workspace, tt.want)); string(text) != "fetched" {
				t.Errorf("%s: %q, %v", name, text, err)
			}
		}
		entries, err := os.ReadDir(out)
		kept, _ := os.ReadFile(filepath.Join(out, "kept"))
		if err != nil || len(entries) != 1 || string(kept) != "kept" {
			t.Errorf("%s: outside there is %v, %q", name, entries, kept)
		}
	}
}

func TestAWorkspaceThatIsALinkIsOne(t *testing.T) {
	w := newWeb(t)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(w.Workspace, link); err != nil {
		t.Skip(err)
	}
	l := w.Limits
	l.Workspace, l.Folder = link, "data/web"
	if got, _, err := l.save(strings.NewReader("x"), "x"); got != "data/web/x" || err != nil || w.files()[got] != "x" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestPlacesThatCannotBeWritten(t *testing.T) {
	w := newWeb(t)
	if err := os.WriteFile(filepath.Join(w.Workspace, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, l := range []Limits{
		{Workspace: filepath.Join(w.Workspace, "missing"), Folder: "x"},
		{Workspace: w.Workspace, Folder: "file"},
		{Workspace: w.Workspace, Folder: "file/x"},
		{Workspace: w.Workspace, Folder: "../x"},
		{Workspace: w.Workspace, Folder: os.TempDir()},
	} {
		l.MaxBytes = 10
		if got, _, err := l.save(strings.NewReader("x"), "x"); err == nil {
			t.Errorf("%+v: %q", l, got)
		}
	}
	if files := w.files(); len(files) != 1 {
		t.Errorf("%q", files)
	}
}

type reader func([]byte) (int, error)

func (r reader) Read(p []byte) (int, error) { return r(p) }

func TestNothingIsLeftOfWhatFailed(t *testing.T) {
	w := newWeb(t)
	broken := errors.New("broken")
	body := io.MultiReader(strings.NewReader("half"), reader(func([]byte) (int, error) { return 0, broken }))
	if _, _, err := w.save(body, "x"); !errors.Is(err, broken) {
		t.Error(err)
	}
	w.nothing()
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		w.save(io.MultiReader(strings.NewReader("half"), reader(func([]byte) (int, error) { panic("broken") })), "x")
	}()
	w.nothing()
}

func TestPartsOfKilledProcessesAreCleared(t *testing.T) {
	w := newWeb(t)
	folder := filepath.Join(w.Workspace, w.Folder)
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, age := range map[string]time.Duration{
		partPrefix + "OLD" + partSuffix: 2 * staleAfter,
		partPrefix + "NEW" + partSuffix: time.Minute, // another process may be writing it
		partPrefix + "notes":            2 * staleAfter,
		"mine" + partSuffix:             2 * staleAfter,
	} {
		at := time.Now().Add(-age)
		if err := errors.Join(os.WriteFile(filepath.Join(folder, name), nil, 0o600), os.Chtimes(filepath.Join(folder, name), at, at)); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := w.save(strings.NewReader("x"), "x"); err != nil {
		t.Fatal(err)
	}
	var names []string
	for name := range w.files() {
		names = append(names, strings.TrimPrefix(name, "fetched/"))
	}
	slices.Sort(names)
	if want := []string{partPrefix + "NEW" + partSuffix, partPrefix + "notes", "mine" + partSuffix, "x"}; !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
}
