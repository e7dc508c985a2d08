package replay

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/loopbreaker/loopbreaker/bridge/config"
	"github.com/loopbreaker/loopbreaker/canonical"
	"github.com/loopbreaker/loopbreaker/guard"
)

// fetching are sessions of our own, one of them with all that there is to tell
// apart; the others show that calls are told apart by session.
func fetching(t *testing.T) []File {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "fetches", "session.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return []File{
		InMemory("idle.jsonl", measured("ls=a", "make=b")),
		InMemory("two.jsonl", []byte(piSession(2)+piSession(3))),
		InMemory("fetches.jsonl", text),
		InMemory("wget.jsonl", measured("ls=a", "wget https://a.example/c.tgz=ok")),
	}
}

func TestFetches(t *testing.T) {
	lab := Lab{Options: under("", "measures.warnAt=7"), Workers: 2}
	got, faults := lab.Fetches(context.Background(), fetching(t))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	want := Fetches{
		// Of the 19 calls recorded in fetches.jsonl one is none of a shell, and one never came.
		Totals: FetchTotals{Sessions: 5, Calls: 17 + 2 + 5 + 2, Remote: 16, Refused: 11, Fetching: 11, Unwritten: 1},
		Programs: []FetchProgram{
			{"curl", 9, 8, 8, 0, false},
			{"wget", 3, 3, 3, 0, false},
			{"echo", 2, 2, 0, 2, false},
			{"git", 2, 2, 2, 0, true},
			{"a,b", 1, 1, 0, 1, false},
			{"cat", 1, 1, 0, 1, false},
			{"grep", 1, 1, 0, 1, true},
			{"python3", 1, 1, 1, 0, false},
		},
		Exemptions: []Exemption{
			// Not the call that wget fetches in too; and in one of them git does.
			{"curl", false, 7, 7, 1, Fetching},
			{"wget", false, 2, 2, 0, Fetching},
			{"git", true, 1, 1, 0, Fetching},
			{"python3", false, 1, 1, 0, Fetching},
			{"echo", false, 0, 0, 0, Needless},
			{"a,b", false, 0, 0, 0, Unnamable},
			{"grep", true, 0, 0, 0, Needless},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// The list and the reach of the rule are those that are configured.
func TestFetchesUnderOtherSettings(t *testing.T) {
	for _, test := range []struct {
		set        string
		refused    int
		exemptions string
	}{
		{"measures.shellHttpAllow=", 12, "curl 6 wget 2 git 1 python3 1 echo 0 a,b 0"},
		{"measures.shellHttpAllow=curl,wget", 3, "curl 7 wget 3 git 2 python3 1"},
		{"measures.blockLocalHttp=true", 12, "curl 8 wget 2 git 1 python3 1 echo 0 a,b 0 grep 0"},
		{"measures.blockShellHttp=false", 0, "git 0 grep 0"},
	} {
		lab := Lab{Options: under("", test.set)}
		got, faults := lab.Fetches(context.Background(), fetching(t))
		if text := passes(got); text != test.exemptions || got.Totals.Refused != test.refused || got.Totals.Incidental != 0 || len(faults) > 0 {
			t.Errorf("%s: %d refused, %s, %q", test.set, got.Totals.Refused, text, faults)
		}
	}
}

func passes(f Fetches) string {
	var all []string
	for _, e := range f.Exemptions {
		all = append(all, e.Program, orDash(e.Passes))
	}
	return strings.ReplaceAll(strings.Join(all, " "), "-", "0")
}

// The settings that the sessions are played with are sound, whatever else is set:
// nothing but the fetches is refused, and no run is ended.
func TestFetchesAreAllThatIsRefused(t *testing.T) {
	lab := Lab{Options: under("risk", "ladder.strikes=2", "measures.limits=exact=2,host=2")}
	lab = lab.steering()
	if problems := config.Load(config.Sources{Flags: lab.Options.Flags}).Problems; len(problems) > 0 {
		t.Fatal(problems)
	}
	calls := append(calledTimes(30, "make=!no"), calledTimes(30, "curl https://a.example=ok")...)
	all, faults := watched(context.Background(), lab, []File{InMemory("a.jsonl", measured(calls...))}, func(s Step) (Fate, bool) { return s.Fate, true })
	if len(faults) > 0 || len(all) != 1 || len(all[0].calls) != 60 {
		t.Fatalf("%v, %q", all, faults)
	}
	for i, fate := range all[0].calls {
		if want := map[bool]Fate{true: Refused, false: Ran}[i >= 30]; fate != want {
			t.Errorf("call %d: %s", i+1, fate)
		}
	}
}

func TestVerdicts(t *testing.T) {
	for _, test := range []struct {
		passes, itFetches, othersFetch int
		want                           Verdict
	}{
		{0, 0, 0, Needless},
		{2, 2, 0, Fetching},
		{2, 2, 2, Fetching}, // beside it programs that are exempt already
		{2, 0, 2, Bypass},
		{2, 1, 1, Bypass},
		{2, 1, 0, Fetching},
		{2, 0, 0, Harmless},
	} {
		e := Exemption{Passes: test.passes, ItFetches: test.itFetches, OthersFetch: test.othersFetch}
		if got := e.verdict(); got != test.want || verdictWords[got] == [2]string{} {
			t.Errorf("%+v: %s", test, got)
		}
	}
}

func TestFetchesTellWhatIsNotCounted(t *testing.T) {
	fixture, err := os.ReadFile(filepath.Join("..", "..", "fixtures", "healthy.json"))
	if err != nil {
		t.Fatal(err)
	}
	lab := Lab{Options: under("")}
	got, faults := lab.Fetches(context.Background(), append(fetching(t), InMemory("f.json", fixture), InMemory("no.txt", []byte("no"))))
	if len(faults) != 2 || !strings.HasPrefix(faults[0], "f.json: only the calls of sessions") || got.Totals.Sessions != 5 {
		t.Errorf("%d sessions, %q", got.Totals.Sessions, faults)
	}
}

func TestFetchesThatAreInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	lab := Lab{Options: under("")}
	if got, _ := lab.Fetches(ctx, fetching(t)); len(got.Exemptions) > 0 {
		t.Errorf("%+v", got)
	}
}

func TestWriteFetches(t *testing.T) {
	lab := Lab{Options: under("")}
	f, _ := lab.Fetches(context.Background(), fetching(t))
	f.Programs[0].Program = "cu\x1b[2Jrl" // what a model wrote does not steer a terminal
	var table, lines strings.Builder
	if err := WriteFetches(&table, f); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"  11  refused for a fetch, with web_fetch_file on offer\n", "         9      8        8          -       -  cu[2Jrl\n", "         2      2        2          -     yes  git\n",
		"     7           7       1       -       curl  no: it would let its own fetches pass\n", "     -           -       -     yes       grep  changes nothing here\n",
	} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("no %q in\n%s", want, table.String())
		}
	}
	if err := WriteFetchesJSON(&lines, f); err != nil {
		t.Fatal(err)
	}
	if text := lines.String(); strings.Count(text, "\n") != 1+len(f.Programs)+len(f.Exemptions) ||
		!strings.HasPrefix(text, `{"total":{"sessions":5,`) || !strings.Contains(text, `{"program":{"program":"git",`) ||
		!strings.Contains(text, `{"exemption":{"program":"curl","exempt":false,"passes":7,"itFetches":7,"othersFetch":1,"verdict":"fetching"}}`) {
		t.Error(text)
	}

	table.Reset()
	if err := WriteFetches(&table, Fetches{}); err != nil || strings.Contains(table.String(), "program") {
		t.Errorf("%v\n%s", err, table.String())
	}
}

// Where recordings are at hand: what the guard decides over the wire it decides
// without one, and of each call by itself.
func TestFetchesOfRecordings(t *testing.T) {
	paths := recordedPiSessions(t)
	if found, _ := filepath.Glob(filepath.Join(recordingsFolder(), "..", "scenarios", "*.jsonl")); len(found) > 0 {
		paths = append(paths, found...)
	}
	if len(paths) == 0 {
		t.Skip("no recordings in ", recordingsFolder())
	}
	files := Files(context.Background(), paths, nil)
	preset, _ := guard.FindPreset("measures")
	lab := Lab{Options: under("measures"), Workers: 2}
	var calls, refused atomic.Int64
	one := lab.steering()
	watched(context.Background(), one, files, func(s Step) (none struct{}, keep bool) {
		_, given := canonical.ShellCommand(s.Input)
		if given && s.Fate != Rejected && s.Fate != Saved && canonical.ToolKindOf(s.Tool) == canonical.ToolShell {
			alone := guard.NewSession(preset.Policy)
			alone.OfferFetch(guard.FetchTool)
			d, err := alone.Call(guard.Call{ID: "1", Tool: s.Tool, Input: s.Input})
			if err != nil {
				t.Error(err)
			}
			calls.Add(1)
			if d.Block {
				refused.Add(1)
			}
		}
		return none, false
	})
	got, _ := lab.Fetches(context.Background(), files)
	if got.Totals.Calls != int(calls.Load()) || got.Totals.Refused != int(refused.Load()) || got.Totals.Incidental != 0 {
		t.Errorf("%+v, of %d calls one by one %d are refused", got.Totals, calls.Load(), refused.Load())
	}
	for _, p := range got.Programs {
		if p.Calls != p.Fetched+p.Mentioned || p.Segments < p.Calls {
			t.Errorf("%+v", p)
		}
	}
	t.Logf("%+v; %s", got.Totals, passes(got))
}
