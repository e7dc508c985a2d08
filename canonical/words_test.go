package canonical

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func words(t *testing.T, input string) Words {
	t.Helper()
	_, w, err := Loose("bash", []byte(input), nil)
	if err != nil {
		t.Fatalf("%s: %v", input, err)
	}
	return w
}

func command(text string) string { return fmt.Sprintf(`{"command":%q}`, text) }

func TestOverlap(t *testing.T) {
	for _, tt := range []struct {
		a, b         string
		both, either int
	}{
		// The two examples of the system: another spelling of a path, and options
		// that make no difference.
		{command("npm test -- test/foo.ts"), command("npm test -- test/foo.test.ts"), 4, 4},
		{command("grep -r needle src"), command("grep -rnI needle src"), 3, 3},
		// What is an option, and what is not.
		{command("ls -la"), command("ls"), 1, 1},
		{command("ls\t-la\n-h"), command("ls"), 1, 1},
		{command("curl \\\n-s \\\n x"), command("curl x"), 2, 2},
		{command("find -name x"), command("find x"), 2, 3},
		{command("find --name x"), command("find x"), 2, 3},
		{command("a-b"), command("a"), 1, 2},
		{command("a -1"), command("a"), 1, 2},
		{command("a -b=c"), command("a"), 1, 3},
		{command("a -"), command("a"), 1, 1},
		{command("a=-b"), command("a"), 1, 2},
		// Words.
		{command("one two"), command("two one"), 2, 2},
		{command("one two"), command("three"), 0, 3},
		{command("One"), command("one"), 0, 2},
		{command("some_name"), command("some-name"), 0, 3},
		{command(`"a"\b'c'`), command("a b c"), 3, 3},
		{`"a\nb\u0001nc"`, `"a b nc"`, 3, 3},
		{command(`a\nb`), command("a nb"), 2, 2}, // a backslash, then nb
		{command("größe ファイル"), command("größe"), 1, 2},
		// Scalars, by the names of their members.
		{`{"all":true}`, `{"force":true}`, 0, 2},
		{`{"path":"a","offset":100}`, `{"path":"a","offset":"100"}`, 2, 2},
		{`{"path":"a","offset":100}`, `{"path":"a","offset":200}`, 1, 3},
		{`{"path":"a","offset":100}`, `{"path":"a","limit":100}`, 1, 3},
		{`{"a":[1,2,{"b":null}]}`, `{"a":[2,1,{"b":null}]}`, 3, 3},
		// Names alone are no words.
		{`{"path":"a"}`, `{"file":"a"}`, 1, 1},
		{`{}`, `{"a":""}`, 0, 0},
		{`"a b"`, `["b","a"]`, 2, 2},
		{`5`, `"5"`, 1, 1},
		{`{"a":"007"}`, `{"b":"007"}`, 1, 1},
		{`{"a":"7"}`, `{"b":"7"}`, 0, 2},
	} {
		a, b := words(t, tt.a), words(t, tt.b)
		if both, either := Overlap(a, b); both != tt.both || either != tt.either {
			t.Errorf("%s and %s: %d of %d, want %d of %d", tt.a, tt.b, both, either, tt.both, tt.either)
		}
		if both, either := Overlap(b, a); both != tt.both || either != tt.either {
			t.Errorf("%s and %s: %d of %d the other way", tt.b, tt.a, both, either)
		}
	}
}

func TestWordsAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range maxWords {
		fmt.Fprintf(&b, `"w%d",`, i)
	}
	most := "[" + b.String() + `"w0"]`
	if w := words(t, strings.Replace(most, `,"w0"]`, "]", 1)); len(w) != maxWords || !slices.IsSorted(w) {
		t.Errorf("%d words of %d", len(w), maxWords)
	}
	if w := words(t, most); w != nil {
		t.Errorf("%d words where there are too many", len(w))
	}
	// A megabyte in short strings, and in one.
	if w := words(t, "["+strings.Repeat(`"a b c d e f",`, 80_000)+"0]"); w != nil {
		t.Errorf("%d words", len(w))
	}
	if w := words(t, command(strings.Repeat("word ", 200_000))); len(w) != 1 {
		t.Errorf("%d words of a long text", len(w))
	}
}

func FuzzWords(f *testing.F) {
	for _, seed := range []string{`{"command":"grep -rn \\\n a\"b"}`, `["-", "-a", " -a\\", "\u0000-ab"]`, `{"a":[1,{"b":"c"},true]}`, `"\\"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		key, w, err := Loose("bash", input, nil)
		if err != nil {
			return
		}
		if !slices.IsSorted(w) || len(slices.Compact(slices.Clone(w))) != len(w) || len(w) > maxWords {
			t.Errorf("%q: words are not in order, or repeat, or are too many", input)
		}
		// The loose form is read as itself, but for long texts, which are no JSON.
		form, _ := appendForm(nil, input, nil, true)
		if again, w2, err := Loose("bash", form, nil); err == nil && (again != key || !slices.Equal(w, w2)) {
			t.Errorf("%q: another key or other words for its form %q", input, form)
		}
	})
}

func BenchmarkLoose(b *testing.B) {
	for name, input := range map[string]string{
		"command":          command("go test -run 'TestA|TestB' ./guard/... 2>&1 | tail -40"),
		"1 MB, one text":   command(strings.Repeat("some words in a file ", 50_000)),
		"1 MB, many texts": "[" + strings.Repeat(`"some words in a file",`, 45_000) + "0]",
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(input)))
			b.ReportAllocs()
			for b.Loop() {
				Loose("bash", []byte(input), nil)
			}
		})
	}
}
