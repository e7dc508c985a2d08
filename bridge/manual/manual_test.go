package manual

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/pflag"
)

var page = Page{
	Synopsis: "tool cut [FLAGS] FILE...",
	About:    []string{"Cuts files, each where it should be cut, and leaves the rest of them as it was.", "A second paragraph."},
	Sections: []Section{
		{"Environment", []Entry{{"TOOL_A_NAME_THAT_IS_LONG", "what it does, in more words than fit in a line of a narrow terminal"}, {"X", "short"}}},
	},
	Examples: []Entry{{"tool cut --at 3 a-file-with-a-name-that-is-too-long-for-a-narrow-terminal", "one cut"}},
}

func TestWrite(t *testing.T) {
	for columns, want := range map[int]string{
		80: `Usage: tool cut [FLAGS] FILE...

Cuts files, each where it should be cut, and leaves the rest of them as it was.

A second paragraph.

Environment:
  TOOL_A_NAME_THAT_IS_LONG
      what it does, in more words than fit in a line of a narrow terminal
  X   short

Examples:
  one cut:
    tool cut --at 3 a-file-with-a-name-that-is-too-long-for-a-narrow-terminal
`,
		0: `Usage: tool cut [FLAGS] FILE...

Cuts files, each where it should be cut,
and leaves the rest of them as it was.

A second paragraph.

Environment:
  TOOL_A_NAME_THAT_IS_LONG
      what it does, in more words than
      fit in a line of a narrow terminal
  X   short

Examples:
  one cut:
    tool cut --at 3 a-file-with-a-name-that-is-too-long-for-a-narrow-terminal
`,
	} {
		var b strings.Builder
		if err := page.Write(&b, columns); err != nil || b.String() != want {
			t.Errorf("%d columns: %v\n%s", columns, err, b.String())
		}
	}
}

func TestNoLineIsTooWide(t *testing.T) {
	for columns := range 140 {
		var b strings.Builder
		p := page
		p.Examples = nil // which are never broken
		p.Write(&b, columns)
		for line := range strings.Lines(b.String()) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > max(narrowest, min(columns, widest)) {
				t.Errorf("%d columns: %d in %q", columns, n, line)
			}
		}
	}
}

func TestFlags(t *testing.T) {
	flags := pflag.NewFlagSet("cut", pflag.ContinueOnError)
	flags.BoolP("help", "h", false, "explain")
	flags.Int("at", 0, "cut at `LINE`")
	want := Section{"Flags", []Entry{{"--at LINE", "cut at LINE"}, {"-h, --help", "explain"}}}
	if got := Flags(flags); got.Title != want.Title || len(got.Entries) != 2 || got.Entries[0] != want.Entries[0] || got.Entries[1] != want.Entries[1] {
		t.Errorf("%+v", got)
	}
}
