package repetition

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// atLeast judges every exact unit by a number of copies.
func atLeast(copies int) Judge {
	return func(u Unit) int {
		if u.Counting {
			return 0
		}
		return copies
	}
}

// feed feeds a text in pieces of a size and returns what is found, and how much had
// been written by then.
func feed(d *Detector, text string, size int) (*Run, int) {
	for i := 0; i < len(text); i += size {
		end := min(len(text), i+size)
		if r := d.WriteString(text[i:end]); r != nil {
			return r, end
		}
	}
	return d.End(), len(text)
}

// units are texts of every make that could be repeated, of about so many bytes.
var units = map[string]func(r *rand.Rand, size int) string{
	"random bytes": func(r *rand.Rand, size int) string {
		b := make([]byte, size)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return string(b)
	},
	"two letters": func(r *rand.Rand, size int) string {
		b := make([]byte, size)
		for i := range b {
			b[i] = "ab"[r.IntN(2)]
		}
		return string(b)
	},
	"digits": func(r *rand.Rand, size int) string {
		b := make([]byte, size)
		for i := range b {
			b[i] = "0123456789, "[r.IntN(12)]
		}
		return string(b)
	},
	"few words": func(r *rand.Rand, size int) string {
		var b strings.Builder
		for b.Len() < size {
			b.WriteString([]string{"go ", "on ", "again ", "and ", "then. "}[r.IntN(5)])
		}
		return b.String()
	},
	"a block twice and an end": func(r *rand.Rand, size int) string {
		block := strings.Repeat("x", 1+r.IntN(3)) + fmt.Sprint(r.Uint64())
		return strings.Repeat(block, max(1, size/len(block))) + "."
	},
	"dashes and a title": func(r *rand.Rand, size int) string {
		return strings.Repeat("-", size) + fmt.Sprintf("\n%d\n", r.IntN(10))
	},
	"one byte": func(r *rand.Rand, size int) string { return strings.Repeat("a", size) },
}

func TestARepeatedUnitIsFoundSoonAndByItsEndAtTheLatest(t *testing.T) {
	for name, unit := range units {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for n := range 400 {
				size := 1 + r.IntN([]int{8, 64, 512, 8000}[n%4])
				u := unit(r, size)
				copies := 4 + Shortest/len(u)
				before := "Some text before it, which is not repeated. "[:r.IntN(45)] + units["random bytes"](r, r.IntN(2*History*(n%2)+1))
				text := before + strings.Repeat(u, copies)
				run, at := feed(NewDetector(atLeast(copies)), text, 1+r.IntN(300))
				if run == nil {
					t.Fatalf("%d copies of %q are not found, after %d bytes", copies, shortened(u), len(before))
				}
				sound(t, text[:at], run, copies)

				// And when it goes on, soon after.
				long := before + strings.Repeat(u, copies+4+1000/len(u))
				_, at = feed(NewDetector(atLeast(copies)), long, 16)
				if late := at - len(text); late > 512+3*len(u) {
					t.Fatalf("%d copies of %q are found %d bytes late", copies, shortened(u), late)
				}
			}
		})
	}
}

// sound fails unless a run is what it says.
func sound(t *testing.T, text string, r *Run, copies int) {
	t.Helper()
	run := text[r.Start:r.End]
	if r.Copies < copies || len(run)/len(r.Unit) != r.Copies || run[len(r.Unit):] != run[:len(run)-len(r.Unit)] {
		t.Fatalf("%d copies of %q are none", r.Copies, shortened(r.Unit))
	}
	if root([]byte(r.Unit)) != len(r.Unit) {
		t.Fatalf("%q is a unit several times", shortened(r.Unit))
	}
}

func shortened(s string) string { return s[:min(len(s), 60)] }

func TestNothingIsFoundOneCopyBefore(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		u := units["random bytes"](r, 1+r.IntN(3000))
		u += "."
		text := "!" + strings.Repeat(u, 4+Shortest/len(u)) // "." and "!" differ
		judge := atLeast(5 + Shortest/len(u))
		if run, _ := feed(NewDetector(judge), text, 50); run != nil {
			t.Fatalf("%q: %d copies", shortened(u), run.Copies)
		}
		if run, _ := feed(NewDetector(judge), text+u, 50); run == nil {
			t.Fatalf("%q: not found", shortened(u))
		}
	}
}

func TestARunIsFoundInTheMiddleOfAPieceToo(t *testing.T) {
	text := strings.Repeat("over and over again. ", 12) + "And on it goes with something else."
	if r := NewDetector(atLeast(10)).WriteString(text); r == nil || r.Copies != 12 {
		t.Fatalf("%+v", r)
	}
}

func TestAUnitIsCutAsItsFirstCopyIs(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, size := range []int{10, 1000, 5000, History/2 + 1, History - 100, History} {
		u := "<" + units["random bytes"](r, size-2) + ">"
		run, _ := feed(NewDetector(atLeast(5+20*History/size/20)), "!"+strings.Repeat(u, 6+200_000/size), 1000)
		if run == nil || run.Start != 1 || run.Second != 1+int64(size) || len(run.Unit) != size {
			t.Fatalf("%d bytes: %+v", size, run)
		}
		// The first copy may have been forgotten, and with it how it was cut.
		if size < History/2 && run.Unit != u {
			t.Errorf("%d bytes: %q", size, shortened(run.Unit))
		}
	}
	if run, _ := feed(NewDetector(atLeast(3)), strings.Repeat(units["random bytes"](r, History+1), 5), 1000); run != nil {
		t.Errorf("longer than what is remembered: %d copies of %d", run.Copies, len(run.Unit))
	}
}

func TestCounting(t *testing.T) {
	const copies = 3
	judge := func(u Unit) int {
		if u.Counting {
			return copies
		}
		return 0
	}
	repeated := func(format string, values ...any) string {
		var b strings.Builder
		for _, v := range values {
			fmt.Fprintf(&b, format, v)
		}
		return b.String()
	}
	from := func(first, n, step int) (values []any) {
		for i := range n {
			values = append(values, first+i*step)
		}
		return values
	}
	words := []any{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}
	ordinals := []any{"Eighteenth", "Nineteenth", "Twentieth", "Twenty-first", "Twenty-second", "Twenty-third", "Twenty-fourth"}
	for _, test := range []struct {
		name, text string
		found      bool
	}{
		{"a sentence", repeated("I will try that again now, this is attempt %d. ", from(1, 16, 1)...), true},
		{"from nine to ten", repeated("I will try that again now, this is attempt %d. ", from(7, 16, 1)...), true},
		{"a sentence with the number in front", repeated("%d times I have tried that command so far. ", from(95, 16, 1)...), true},
		{"in steps of ten", repeated("Now I wait for %d seconds and look once more! ", from(10, 16, 10)...), true},
		{"in words", repeated("I will look at the file again, this is time %s. ", words...), true},
		{"in ordinals", repeated("%s time that I look at this very file now. ", ordinals...), true},
		{"a paragraph of several sentences", repeated("Let me look at the file again. Nothing has changed since then.\nThis was look number %d, so I go on and do it again.\n", from(1, 16, 1)...), true},
		{"in Chinese", repeated("我将再次尝试运行这个命令并查看输出结果，第%d次。", from(1, 16, 1)...), true},
		{"short ones", repeated("Attempt %d. ", from(100, 40, 1)...), true},
		{"a countdown", repeated("%d green bottles are hanging on the wall now.\n", from(99, 60, -1)...), false},
		{"figures", repeated("The town had %d people in the year after that.\n", 120, 135, 90, 400, 380, 200, 201, 205, 100, 18), false},
		{"no number", strings.Repeat("I will try that once more, and then once more. ", 20), false},
		{"different letters", repeated("Now I open the file with the name part%s.go again.\n", "a", "b", "c", "d", "e", "f", "g", "h", "i"), false},
	} {
		r, _ := feed(NewDetector(judge), "First of all, I have a look around here. "+test.text, 7)
		if (r != nil) != test.found {
			t.Errorf("%s: %+v", test.name, r)
		}
		if r != nil && (!r.Counting || r.Copies < copies) {
			t.Errorf("%s: %+v", test.name, r)
		}
	}
}

func TestADetectorBeginsAnew(t *testing.T) {
	d := NewDetector(atLeast(4))
	text := strings.Repeat("the same again, ", 10)
	if d.WriteString(text) == nil || d.WriteString("x") == nil {
		t.Fatal("not found, or forgotten")
	}
	d.Reset()
	if r, _ := feed(d, "One, two, three. Nothing is written twice.", 5); r != nil || d.Len() != 42 {
		t.Fatalf("%+v, %d", r, d.Len())
	}
	d.Reset()
	if d.WriteString(text) == nil {
		t.Fatal("not found the second time")
	}
}

func TestMemoryIsBounded(t *testing.T) {
	d := NewDetector(func(Unit) int { return 0 })
	r := rand.New(rand.NewPCG(5, 6))
	block := []byte(units["few words"](r, 10_000) + strings.Repeat("=", 5000) + strings.Repeat("Try 5. ", 500))
	for range 20 { // all that is ever needed has been needed
		d.Write(block)
	}
	if n := testing.AllocsPerRun(50, func() { d.Write(block) }); n > 40 {
		t.Errorf("%.0f allocations for %d bytes", n, len(block))
	}
	if n := cap(d.text) + cap(d.exact.anchors)*12 + cap(d.exact.head)*4 + cap(d.counting.segments)*32; n > 4*History {
		t.Errorf("%d bytes are held", n)
	}
}

func TestNumbersInWords(t *testing.T) {
	for word, want := range map[string]int{
		"zero": 0, "twelve": 12, "Nineteen": 19, "forty": 40, "ninety-nine": 99, "first": 1, "thirtieth": 30, "twenty-first": 21,
		"": -1, "none": -1, "forty-": -1, "forty-ten": -1, "five-one": -1, "tenderly": -1,
	} {
		if got, _ := number([]byte(word), len(word)); got != want {
			t.Errorf("%q: %d, not %d", word, got, want)
		}
	}
}

func FuzzDetector(f *testing.F) {
	f.Add([]byte("abc"), []byte("again and again. "), byte(5), byte(3))
	f.Add([]byte("Attempt 1. Attempt 2. "), []byte("x9"), byte(200), byte(1))
	f.Fuzz(func(t *testing.T, before, unit []byte, times, size byte) {
		text := string(before) + string(bytes.Repeat(unit, int(times)))
		d := NewDetector(atLeast(5))
		run, at := feed(d, text, int(size)+1)
		if run != nil {
			sound(t, text[:at], run, 5)
		} else if int(times) >= 5 && int(times)*len(unit) >= Shortest+len(unit) {
			// A longer unit of the text may hold them for once, but not for long.
			more := text + string(bytes.Repeat(unit, (len(text)+Shortest)/len(unit)))
			if run, _ := feed(NewDetector(atLeast(5)), more, int(size)+1); run == nil {
				t.Fatalf("%d copies of %q are not found, nor are more", times, unit)
			}
		}
	})
}

// What a detector has read before has no part in what it finds.
func TestADetectorIsUsedAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	judge := func(Unit) int { return 5 }
	used := NewDetector(judge)
	found := 0
	for range 40 {
		for name, unit := range units {
			u := unit(r, 1+r.IntN(300))
			text := unit(r, 200) + strings.Repeat(u, r.IntN(12))
			if r.IntN(3) == 0 {
				for i := range 12 {
					text += fmt.Sprintf("And then we look at part %d of all.\n", i)
				}
			}
			size := 1 + r.IntN(3000)
			used.Reset()
			got, gotAt := feed(used, text, size)
			want, wantAt := feed(NewDetector(judge), text, size)
			if (got == nil) != (want == nil) || got != nil && *got != *want || gotAt != wantAt {
				t.Fatalf("%s: %+v at %d; a new one finds %+v at %d in\n%q", name, got, gotAt, want, wantAt, text)
			}
			if want != nil {
				found++
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d texts repeated anything", found)
	}
}
