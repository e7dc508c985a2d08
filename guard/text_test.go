package guard

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// sample is a text of the corpus. Honest ones are whole documents of one kind each, as
// models are asked to write them, or as they are pasted; degenerate ones begin like a
// text and end in a unit that goes on and on.
type sample struct {
	name         string
	channel      Channel
	before, unit string
	times        int
}

var header = regexp.MustCompile(`(?m)^-- (.+) \((text|thinking|arguments)(?:, (\d+) times)?\) --\n`)

// samples reads a file of the corpus: texts one after another, each behind a line with
// its name; the unit of a degenerate one between brackets.
func samples(t *testing.T, path string) (all []sample) {
	t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(file)
	heads := header.FindAllStringSubmatchIndex(text, -1)
	for i, h := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		s := sample{name: text[h[2]:h[3]], channel: Channel(text[h[4]:h[5]]), before: text[h[1]:end]}
		if h[6] >= 0 {
			s.times, _ = strconv.Atoi(text[h[6]:h[7]])
			s.before, s.unit, _ = strings.Cut(strings.TrimSuffix(s.before, "⟧\n"), "⟦")
		}
		all = append(all, s)
	}
	return all
}

// text is the whole of it.
func (s sample) text() string {
	if !strings.Contains(s.unit, "{") || s.times == 0 {
		return s.before + strings.Repeat(s.unit, s.times)
	}
	var b strings.Builder
	b.WriteString(s.before)
	for n := range s.times {
		b.WriteString(strings.NewReplacer(
			"{n}", fmt.Sprint(n+1), "{ten}", fmt.Sprint(10*n+10), "{word}", spelledOut(n+1, false), "{ordinal}", spelledOut(n+1, true),
		).Replace(s.unit))
	}
	return b.String()
}

// spelledOut is an English number below a hundred in words.
func spelledOut(n int, ordinal bool) string {
	ones := strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen")
	nths := strings.Fields("zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth")
	tens := strings.Fields("- - twenty thirty forty fifty sixty seventy eighty ninety")
	last := ones
	if ordinal {
		last = nths
	}
	switch {
	case n > 99:
		return fmt.Sprint(n)
	case n < 20:
		return last[n]
	case n%10 == 0 && ordinal:
		return strings.TrimSuffix(tens[n/10], "y") + "ieth"
	case n%10 == 0:
		return tens[n/10]
	}
	return tens[n/10] + "-" + last[n%10]
}

// stream writes a text as a model does, in pieces of a size, and returns what the guard
// decided, after how many bytes, and what it has to say at the end of the message.
func stream(p Policy, channel Channel, text string, size int) (d Decision, after int, end Decision) {
	s := NewSession(p)
	s.TurnStart()
	for i := 0; i < len(text) && d.Abort == nil; i += size {
		after = min(len(text), i+size)
		d = s.Write(Written{Channel: channel, Text: text[i:after]})
	}
	end = s.MessageEnd()
	if d.Abort == nil {
		d = end
	}
	return d, after, end
}

func preset(t *testing.T, name string) Policy {
	t.Helper()
	p, ok := FindPreset(name)
	if !ok {
		t.Fatalf("no preset %s", name)
	}
	return p.Policy
}

func TestWhatIsHonestIsNeverCut(t *testing.T) {
	files, err := filepath.Glob("testdata/text/honest/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	n := 0
	for _, file := range files {
		for _, s := range samples(t, file) {
			n++
			for _, channel := range []Channel{s.channel, ChannelArguments} {
				if d, after, _ := stream(preset(t, "default"), channel, s.text(), 100); d.Abort != nil {
					t.Errorf("%s, %s, as %s: cut after %d bytes: %s", filepath.Base(file), s.name, channel, after, d.Abort.Told)
				}
			}
		}
	}
	if n < 120 {
		t.Errorf("only %d texts", n)
	}
	t.Logf("%d honest texts", n)
}

func TestWhatIsDegenerateIsCut(t *testing.T) {
	all := samples(t, "testdata/text/degenerate.txt")
	if len(all) < 60 {
		t.Errorf("only %d texts", len(all))
	}
	for _, s := range all {
		text := s.text()
		d, after, end := stream(preset(t, "default"), s.channel, text, 16)
		if d.Abort == nil {
			t.Errorf("%s: not cut, of %d characters", s.name, len([]rune(text)))
			continue
		}
		delay := len([]rune(text[:after])) - len([]rune(s.before))
		t.Logf("%-45s unit %5d, cut after %6d characters of repetition, %4d copies", s.name, len([]rune(s.unit)), delay, d.Why.Count)
		if d.Why.Rule != RuleText || end.Cut == nil || end.Cut.Mark == "" {
			t.Errorf("%s: %+v, %+v", s.name, d.Why, end.Cut)
			continue
		}
		// What is kept is what came before, and one copy of the unit.
		kept := text[:end.Cut.Keep]
		if len(kept) < len(s.before) || len(kept) > len(s.before)+2*len(s.unit)+16 {
			t.Errorf("%s: %d bytes are kept, %d came before a unit of %d", s.name, len(kept), len(s.before), len(s.unit))
		}
	}
}

// The rule of the system `turns`: a chunk of 24 characters or more, eight times in a
// row, at the end of what was written so far.
func TestTheTextRuleOfTurnsIsExact(t *testing.T) {
	turns := preset(t, "turns")
	sentence := "I will look at the file. " // 25 characters
	for _, test := range []struct {
		name, text string
		channel    Channel
		cut        bool
	}{
		{"eight times", "Fine! " + strings.Repeat(sentence, 8), ChannelText, true},
		{"seven times", "Fine! " + strings.Repeat(sentence, 7), ChannelText, false},
		{"seven times and the most of one more", "Fine!" + strings.Repeat(sentence, 8)[:25*8-1], ChannelText, false},
		{"in thought", "Fine! " + strings.Repeat(sentence, 8), ChannelThinking, true},
		{"in arguments, which that system does not read", strings.Repeat(sentence, 50), ChannelArguments, false},
		{"and then something else", strings.Repeat(sentence, 8) + "And so on and on, in other words.", ChannelText, true},
		{"23 characters, eight times", strings.Repeat(sentence[2:], 8), ChannelText, false},
		{"23 characters, sixteen times: a chunk of 46, eight times", strings.Repeat(sentence[2:], 16), ChannelText, true},
		{"a rule of 191 dashes", "Title\n" + strings.Repeat("-", 191) + "\nText", ChannelText, false},
		{"a rule of 192 dashes: a chunk of 24, eight times", "Title\n" + strings.Repeat("-", 192), ChannelText, true},
		{"blanks only", "x" + strings.Repeat(" \t\n", 400), ChannelText, false},
		{"a chunk of over 400 characters, which that system missed", strings.Repeat(strings.Repeat("word ", 100)+"end. ", 8), ChannelText, true},
		{"characters, not bytes: 8 of 3 bytes, 23 times", strings.Repeat("我看一看文件吧。", 23), ChannelText, false},
		{"characters, not bytes: 8 of 3 bytes, 24 times", strings.Repeat("我看一看文件吧。", 24), ChannelText, true},
		{"blanks of two bytes", "x" + strings.Repeat("\u00a0", 2000), ChannelText, false},
		{"signs of two code units: 12, eight times", strings.Repeat("🎉", 12*8), ChannelText, true},
	} {
		for _, size := range []int{1, 7, 500} {
			d, after, _ := stream(turns, test.channel, test.text, size)
			if (d.Abort != nil) != test.cut {
				t.Errorf("%s, in pieces of %d: %+v after %d of %d", test.name, size, d.Why, after, len(test.text))
			}
		}
	}
}

func TestACutIsToldOnceAndTakenUpOnce(t *testing.T) {
	s := NewSession(preset(t, "default"))
	cut := func() Decision {
		t.Helper()
		s.TurnStart()
		d := s.Write(Written{Channel: ChannelText, Text: "Fine. "})
		d = s.Write(Written{Channel: ChannelText, Text: strings.Repeat("I will look at the file. ", 500)})
		if d.Abort == nil || !strings.HasPrefix(d.Abort.Told, "Loopbreaker ended the run: the response repeated the same text") || d.Abort.Recovery != "" {
			t.Fatalf("%+v", d.Abort)
		}
		if more := s.Write(Written{Channel: ChannelText, Text: strings.Repeat("I will look at the file. ", 500)}); more.Abort != nil {
			t.Fatal("told twice")
		}
		return s.MessageEnd()
	}
	s.Prompt()
	if d := cut(); d.Cut == nil || !d.Cut.Seen || d.Cut.Keep != len("Fine. I will look at the file.") || d.Abort != nil {
		t.Fatalf("%+v", d.Cut)
	}
	if d := s.TurnEnd(); d.Abort == nil || d.Abort.Told != "" || !strings.Contains(d.Abort.Recovery, "without the repetition") ||
		strings.Contains(d.Abort.Recovery, "look at the file") {
		t.Fatalf("%+v", d.Abort)
	}
	// In the turn that it is given it may not call.
	s.TurnStart()
	if d, err := s.Call(Call{ID: "1", Tool: "bash", Input: []byte(`{}`)}); err != nil || !d.Block {
		t.Fatalf("%+v, %v", d, err)
	}
	s.TurnEnd()
	s.Prompt()
	cut()
	s.TurnEnd()
	// Again in that turn: no other.
	if d := cut(); d.Cut == nil || d.Cut.Seen {
		t.Fatalf("%+v", d.Cut)
	}
	if d := s.TurnEnd(); d.Abort == nil || d.Abort.Recovery != "" {
		t.Fatalf("%+v", d.Abort)
	}
	if why := s.Explain(); !strings.Contains(why, "repeated the same text") {
		t.Error(why)
	}
}

func TestARepetitionInArgumentsLeavesNothingButItsMark(t *testing.T) {
	s := NewSession(preset(t, "default"))
	s.TurnStart()
	d := s.Write(Written{Channel: ChannelArguments, Block: 2, Tool: "write", Text: `{"content":"` + strings.Repeat("All is well here. ", 1000)})
	if d.Abort == nil || !strings.Contains(d.Abort.Told, "a call of write, in its arguments,") {
		t.Fatalf("%+v", d.Abort)
	}
	if c := s.MessageEnd().Cut; c.Block != 2 || strings.Count(c.Mark, "All is well here.") != 1 {
		t.Errorf("%+v", c)
	}
}

func TestBlocksAreReadEachForItself(t *testing.T) {
	s := NewSession(preset(t, "turns"))
	s.TurnStart()
	for block := range 40 {
		if d := s.Write(Written{Channel: ChannelText, Block: block, Text: "I will look at the file. "}); d.Abort != nil {
			t.Fatalf("block %d", block)
		}
	}
	if d := s.MessageEnd(); d.Cut != nil {
		t.Errorf("%+v", d)
	}
}

func TestWhenTheTextRuleSaysNothing(t *testing.T) {
	text := strings.Repeat("I will look at the file. ", 500)
	quiet := func(name string, s *Session) {
		t.Helper()
		s.TurnStart()
		if d := s.Write(Written{Channel: ChannelText, Text: text}); d.Abort != nil {
			t.Errorf("%s: %+v", name, d)
		}
		if d := s.MessageEnd(); d.Abort != nil || d.Cut != nil {
			t.Errorf("%s, at the end: %+v", name, d)
		}
	}
	for _, name := range []string{"window", "streak"} {
		quiet(name, NewSession(preset(t, name)))
	}
	off := NewSession(preset(t, "default"))
	off.SetOn(false)
	quiet("switched off", off)
	p := preset(t, "turns")
	p.Text.Guard = false
	quiet("without the rule", NewSession(p))
	changed := NewSession(preset(t, "default"))
	changed.TurnStart()
	changed.Write(Written{Channel: ChannelText, Text: text[:200]})
	changed.SetPolicy(p)
	quiet("under another policy", changed)
}
