package guard

import (
	"fmt"
	"strings"
	"testing"

	"github.com/loopbreaker/loopbreaker/canonical"
)

// deed is one call of a test, and what it showed; a text that begins with ! is a
// failure's.
type deed struct{ tool, input, shows string }

func sh(command, shows string) deed {
	return deed{"bash", fmt.Sprintf(`{"command":%q}`, command), shows}
}
func read(path, shows string) deed { return deed{"read", fmt.Sprintf(`{"path":%q}`, path), shows} }
func edit(path, old, new, shows string) deed {
	return deed{"edit", fmt.Sprintf(`{"path":%q,"edits":[{"oldText":%q,"newText":%q}]}`, path, old, new), shows}
}

// play makes the calls, each in a turn of its own, and returns a letter a call: r
// ran, n ran and was noted, b was refused, and E where the run was then ended, with
// which it stops.
func (s *script) play(calls ...deed) string {
	s.t.Helper()
	var b strings.Builder
	for _, c := range calls {
		s.TurnStart()
		s.calls++
		id, letter := fmt.Sprint(s.calls), "r"
		d, err := s.Call(Call{ID: id, Tool: c.tool, Input: []byte(c.input)})
		if err != nil {
			s.t.Fatal(err)
		}
		if d.Block {
			letter = "b"
		} else {
			text, failed := strings.CutPrefix(c.shows, "!")
			if s.Result(Result{ID: id, IsError: failed, Content: []canonical.Block{{Data: []byte(text)}}}).Note != "" {
				letter = "n"
			}
		}
		if s.TurnEnd().Abort != nil {
			return b.String() + letter + "E"
		}
		b.WriteString(letter)
	}
	return b.String()
}

// over repeats a row of calls, where $ stands for the number of the round.
func over(n int, calls ...deed) (all []deed) {
	for i := range n {
		for _, c := range calls {
			all = append(all, deed{c.tool, strings.ReplaceAll(c.input, "$", fmt.Sprint(i)), strings.ReplaceAll(c.shows, "$", fmt.Sprint(i))})
		}
	}
	return all
}

// changes are calls whose results differ, and not only by their numbers.
func changes(n int, command string) (all []deed) {
	for i := range n {
		all = append(all, sh(command, strings.Repeat("x", i)))
	}
	return all
}

// looking clicks on and looks, with these to see.
func looking(pages ...string) (all []deed) {
	for _, page := range pages {
		all = append(all, deed{"browser_click", `{"ref":"next"}`, "Clicked"}, deed{"browser_snapshot", `{}`, page})
	}
	return all
}

func TestDefault(t *testing.T) {
	const missed = "!Could not find the exact text in f.txt."
	for _, test := range []struct {
		name  string
		calls []deed
		want  string
	}{
		{"the same look with the same result is noted, then refused, then ends the run",
			over(7, sh("ls -R", "a\nb")), "rrnnbbbE"},
		{"a result that changes is an observation",
			changes(30, "git log -1"), strings.Repeat("r", 30)},
		{"one that only counts is spoken of, and goes on for long",
			over(64, sh("wc -l out.log", "$ lines")), strings.Repeat("r", 7) + "n" + strings.Repeat("r", 16) + "bbbE"},
		{"unless it says how far it is of how much",
			over(64, sh("cat progress", "step $ of 100")), strings.Repeat("r", 7) + "n" + strings.Repeat("r", 56)},
		{"a file written in between makes the next look new",
			over(10, edit("f.go", "a$", "b$", "Applied 1 edit"), sh("go test ./...", "!FAIL")), strings.Repeat("r", 20)},
		{"a command that may change something does too, as long as it shows something new",
			over(10, sh("./migrate $", "step $ done, see above"), sh("git status", "clean")), strings.Repeat("r", 20)},
		{"and none when it shows what it has shown",
			over(5, sh("./migrate", "nothing to do"), sh("git status", "clean")), "rrrrnnbbbE"},
		{"noise is no change",
			over(7, sh("make check", "!FAIL in 0.$3 s at 2026-11-30T10:00:0$Z")), "rrnnbbbE"},
		{"cosmetics are not a new call",
			[]deed{
				{"bash", `{"command":"ls  src","description":"1st"}`, "x"},
				{"bash", `{"description":"2nd","command":"ls src","timeout":5}`, "x"},
				{"bash", `{"command":" ls src ","timeout":6}`, "x"},
				sh("ls src", "x"), sh("ls src #", "x"),
			}, "rrnnb"},
		{"an alternation is a loop",
			over(5, read("a", "x"), read("b", "y")), "rrrrnnbbbE"},
		{"so is a rotation of five",
			over(4, read("a", "1"), read("b", "2"), read("c", "3"), read("d", "4"), read("e", "5")), "rrrrrrrnrrbbbE"},
		{"a second look at each of many files is none",
			append(over(1, read("a", "1"), read("b", "2"), read("c", "3"), read("d", "4"), read("e", "5")),
				read("a", "1"), read("b", "2")), "rrrrrrr"},
		{"an edit that fails the same way",
			over(7, edit("f.txt", "a", "b", missed)), "rrnnbbbE"},
		{"may be made after the file was read again, when it changed",
			[]deed{edit("f.txt", "a", "b", missed), edit("f.txt", "a", "b", missed), read("f.txt", "c"), edit("f.txt", "c", "b", "Applied 1 edit"), edit("f.txt", "a", "b", missed)}, "rrrrr"},
		{"the recovery is let through after the refusal",
			append(over(5, edit("f.txt", "a", "b", missed)), read("f.txt", "c"), edit("f.txt", "c", "b", "Applied 1 edit")), "rrnnbrr"},
		{"an edit that succeeds again and again, the file growing",
			over(7, edit("f.txt", "a", "ab", "Applied; the file now has line x$y")), "rrnrbbbE"},
		{"an edit that is made and undone, over and over",
			over(14, edit("f", "a", "b", "Applied"), sh("make", "!1 failed"), edit("f", "b", "a", "Applied"), sh("make", "!1 failed")),
			"rrrrrrrrrrrn" + "rrnrrrrrrrrn" + "brrnbbE"},
		{"waiting is healthy for long",
			over(43, sh("sleep 10; cat state", "running")), strings.Repeat("r", 11) + "n" + strings.Repeat("r", 28) + "bbbE"},
		{"and so is a wait without a command",
			over(12, deed{"write_stdin", `{"session_id":7,"chars":"","yield_time_ms":30000}`, "running"}), strings.Repeat("r", 11) + "n"},
		{"a second of sleep does not make a poll",
			over(5, sh("sleep 1; cat state", "running")), "rrnnb"},
		{"keys pressed in a row are no loop",
			over(11, deed{"browser_press_key", `{"key":"Tab"}`, "Pressed Tab"}), strings.Repeat("r", 11)},
		{"many searches that find nothing are spoken of only",
			over(40, deed{"grep", `{"pattern":"p$x"}`, "No matches found"}), strings.Repeat("r", 7) + "n" + strings.Repeat("r", 32)},
		{"a tool of another kind that answers one thing is not let go on",
			over(19, deed{"yield", `{"status":"still $ waiting"}`, "no news"}), strings.Repeat("r", 7) + "n" + strings.Repeat("r", 8) + "bbbE"},
		{"a counter is spoken of",
			over(20, deed{"task_list", `{}`, "job-1 $%"}), strings.Repeat("r", 7) + "n" + strings.Repeat("r", 12)},
		{"a tool that confirms each of many different calls",
			over(30, deed{"mcp__x__close", `{"id":$}`, "ok"}), strings.Repeat("r", 7) + "n" + strings.Repeat("r", 22)},
		{"notes between are no change",
			over(8, deed{"think", `{"thought":"perhaps $"}`, "noted"}, sh("make check", "!FAIL")), "rrrrrnrnrbrbrbE"},
		{"a look after each edit that fails in a new way",
			over(8, read("f", "x"), edit("f", "a$", "b", missed)), strings.Repeat("r", 15) + "n"},
		{"the first look after a wait is a poll",
			over(8, sh("sleep 30", ""), sh("cat state", "running")), strings.Repeat("r", 16)},
		{"what a look beside it shows to do something goes on",
			looking("amber", "birch", "cedar", "delta", "elder", "fern", "grove", "hazel"), strings.Repeat("r", 16)},
		{"edits that fail the same way, each another",
			over(19, edit("f", "a$", "b", missed)), strings.Repeat("r", 7) + "n" + strings.Repeat("r", 8) + "bbbE"},
		{"many edits of one document are none",
			over(20, edit("README.md", "sec $x", "Section $x", "Applied 1 edit")), strings.Repeat("r", 20)},
	} {
		s := newScript(t, DefaultPreset)
		if got := s.play(test.calls...); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}

func TestRefusalsAreForgivenByWorkThatGetsOn(t *testing.T) {
	fresh := func(n, from int) (all []deed) {
		for i := range n {
			all = append(all, read(fmt.Sprint("f", from+i), fmt.Sprint("new ", strings.Repeat("x", from+i))))
		}
		return all
	}
	loop := func(file string) []deed { return over(5, read(file, "x")) }

	s := newScript(t, DefaultPreset)
	for i := range 6 { // far more than three, far apart
		s.want(s.play(loop(fmt.Sprint("loop", i))...), "rrnnb")
		s.want(s.play(fresh(24, 100*i)...), strings.Repeat("r", 24))
	}

	s = newScript(t, DefaultPreset) // close together
	got := s.play(loop("a")...) + s.play(fresh(4, 0)...) + s.play(read("a", "x"), read("b", "y"), read("a", "x"))
	s.want(got, "rrnnb"+"rrrr"+"brbE")
}

// Calls within a call run one after the other, each with a result before the next.
func TestEqualCallsOfOneTurnCountUntilTheyAreAnswered(t *testing.T) {
	s := newScript(t, DefaultPreset)
	s.TurnStart()
	for i := range 6 {
		id, d := s.call("cat f")
		if d.Block {
			t.Fatalf("the call %d was refused", i+1)
		}
		s.result(id, strings.Repeat("line\n", i))
	}
	for i, want := range []bool{false, false, true, true} {
		if _, d := s.call("cat g"); d.Block != want {
			t.Errorf("the parallel call %d: refused %v", i+1, d.Block)
		}
	}
}

func TestRefusalsOfACallAreCounted(t *testing.T) {
	s := newScript(t, DefaultPreset)
	s.play(over(4, read("a", "x"))...)
	for i := 1; i <= 3; i++ {
		d, _ := s.Call(Call{ID: fmt.Sprint("x", i), Tool: "read", Input: []byte(`{"path":"a"}`)})
		if len(d.Entries) != 1 || d.Entries[0].BlockedSoFar != i {
			t.Errorf("refusal %d: %+v", i, d.Entries)
		}
	}
}

func TestCommandsThatSayNothingAreNotOneAnswer(t *testing.T) {
	s := newScript(t, DefaultPreset)
	s.want(s.play(over(20, sh("mv $a $b", "(no output)"))...), strings.Repeat("r", 20))
}

func TestWhatSaysThatAnEditWasNotMade(t *testing.T) {
	for text, want := range map[string]bool{
		"Successfully replaced 1 block(s) in src/errors.ts.":                                            false,
		"The file /a/invalid_input.rb has been updated. Here is a snippet:\n1 raise Error(\"invalid\")": false,
		"Success. Updated the following files:\nM src/error.rs":                                         false,
		"Text replaced. Please review that there is no error.":                                          false,
		"error.go: 2 blocks": false,
		"Your proposed edit has introduced new syntax error(s).":                    true,
		"apply_patch verification failed: Failed to find expected lines in /a/b.go": true,
		"No replacement was performed, the text did not appear in a.py.":            true,
		"Your edit was not applied: the file was updated meanwhile.":                true,
		"Could not find the exact text in updated.md.":                              true,
		"": false,
	} {
		if got := saysRefused([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
