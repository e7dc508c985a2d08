package canonical

import (
	"fmt"
	"strings"
	"testing"
)

func text(s string) Block { return Block{Data: []byte(s)} }

func image(mediaType, data string) Block { return Block{MediaType: mediaType, Data: []byte(data)} }

// digest is what a host sends in place of a long text of so many units.
func digest(s string, length int) Block {
	return Block{Long: &LongText{SHA256: sum(s), Length: length}}
}

func blocks(b ...Block) []Block { return b }

func TestResultFingerprintsTellResultsApart(t *testing.T) {
	long := strings.Repeat("a", LongTextOver+1)
	results := []struct {
		isError bool
		blocks  []Block
	}{
		{false, nil},
		{true, nil},
		{false, blocks(text(""))},
		{false, blocks(text(""), text(""))},
		{true, blocks(text(""))},
		{false, blocks(text("ab"), text("c"))},
		{false, blocks(text("a"), text("bc"))},
		{false, blocks(text("abc"))},
		{false, blocks(text("c"), text("ab"))},
		{false, blocks(text("1:a"))},
		{false, blocks(image("image/png", ""))},
		{false, blocks(image("image/png", "abc"))},
		{false, blocks(image("image/gif", "abc"))},
		{false, blocks(image("image/png", "ab"), text("c"))},
		{false, blocks(text("image/png"), text("abc"))},
		{false, blocks(text("9:image/png"))},
		{false, blocks(image("image/png", "took 5s"))},
		{false, blocks(image("image/png", "took 6s"))},
		{false, blocks(text(long))},
		{false, blocks(text(long + "a"))},
		{false, blocks(text(long), text(""))},
		{false, blocks(image("image/png", long))},
		{false, blocks(text("#" + sumHex(long) + ":4097"))},
		{false, blocks(text("a\nb"))},
		{false, blocks(text("b\na"))},
	}
	exacts, quiets := map[Fingerprint]int{}, map[Fingerprint]int{}
	for i, r := range results {
		exact, quiet := ResultFingerprints(Ran, r.isError, r.blocks)
		if j, ok := exacts[exact]; ok {
			t.Errorf("results %d and %d have the same exact fingerprint", i, j)
		}
		if j, ok := quiets[quiet]; ok {
			t.Errorf("results %d and %d have the same quiet fingerprint", i, j)
		}
		exacts[exact], quiets[quiet] = i, i
		if again, _ := ResultFingerprints(Ran, r.isError, r.blocks); again != exact {
			t.Errorf("result %d has two exact fingerprints", i)
		}
	}
}

func TestResultFingerprintsAndNoise(t *testing.T) {
	noisy := strings.Repeat("in 5s\n", LongTextOver)
	tests := []struct {
		name         string
		origin       Origin
		a, b         Block
		exact, quiet bool // are they the same
	}{
		{"no noise", Ran, text("2 failed"), text("2 failed"), true, true},
		{"noise", Ran, text("2 failed in 5s"), text("2 failed in 6s"), false, true},
		{"a change", Ran, text("2 failed in 5s"), text("1 failed in 5s"), false, false},
		{"another order", Ran, text("b\na\n"), text("a\nb\n"), false, false},
		{"a long text", Ran, text(noisy + "in 7s"), text(noisy + "in 8s"), false, true},
		{"a long text with a change", Ran, text(noisy + "1 failed"), text(noisy + "2 failed"), false, false},
		{"a long image", Ran, image("image/png", noisy+"in 7s"), image("image/png", noisy+"in 8s"), false, false},

		{"a file has no noise", Read, text("const wait = 5s"), text("const wait = 6s"), false, false},
		{"nor has a long one", Read, text(noisy + "in 7s"), text(noisy + "in 8s"), false, false},
		{"a file", Read, text(noisy), text(noisy), true, true},

		{"a search in another order", Searched, text("b:2: y\na:1: x\n"), text("a:1: x\nb:2: y\n"), false, true},
		{"a search that took longer", Searched, text("a:1: x\n(1 hit in 5ms)"), text("a:1: x\n(1 hit in 6ms)"), false, true},
		{"a search with another line", Searched, text("a:1: x\nb:2: y\n"), text("a:1: x\nb:3: y\n"), false, false},
		{"a search with a line twice", Searched, text("a:1: x\na:1: x\n"), text("a:1: x\n"), false, false},
		{"a search with lines joined", Searched, text("a\nb"), text("ab"), false, false},

		{"a digest", Ran, digest(noisy, len(noisy)), digest(noisy, len(noisy)), true, true},
		{"a digest of another text", Ran, digest(noisy, len(noisy)), digest(noisy+"x", len(noisy)), false, false},
		{"a text and its digest", Ran, text(noisy), digest(noisy, len(noisy)), true, false},
		{"a file and its digest", Read, text(noisy), digest(noisy, len(noisy)), true, true},
		{"the length of a digest counts UTF-16 units", Read, text(strings.Repeat("é\U0001F600", 2000)), digest(strings.Repeat("é\U0001F600", 2000), 6000), true, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			exactA, quietA := ResultFingerprints(tt.origin, false, blocks(text("first"), tt.a))
			exactB, quietB := ResultFingerprints(tt.origin, false, blocks(text("first"), tt.b))
			if same := exactA == exactB; same != tt.exact {
				t.Errorf("exact: same is %v, want %v", same, tt.exact)
			}
			if same := quietA == quietB; same != tt.quiet {
				t.Errorf("quiet: same is %v, want %v", same, tt.quiet)
			}
		})
	}
}

// A text of LongTextOver units enters as it is, the next longer one as its
// digest, and a host may send that digest itself.
func TestResultFingerprintsAtTheLimit(t *testing.T) {
	short := strings.Repeat("x", LongTextOver)
	long := short + "x"
	whole, _ := ResultFingerprints(Ran, false, blocks(text(long)))
	if sent, _ := ResultFingerprints(Ran, false, blocks(digest(long, len(long)))); sent != whole {
		t.Error("a text of one unit more than LongTextOver is not known by its digest")
	}
	whole, _ = ResultFingerprints(Ran, false, blocks(text(short)))
	if sent, _ := ResultFingerprints(Ran, false, blocks(digest(short, len(short)))); sent == whole {
		t.Error("a text of LongTextOver units is known by its digest")
	}
}

func TestOriginOf(t *testing.T) {
	for tool, want := range map[string]Origin{
		"read": Read, "Read": Read, "read_file": Read, "view": Read,
		"grep": Searched, "Grep": Searched, "rg": Searched, "search": Searched,
		"bash": Ran, "ls": Ran, "find": Ran, "edit": Ran, "reader": Ran, "": Ran,
	} {
		if got := OriginOf(tool); got != want {
			t.Errorf("OriginOf(%q) = %v, want %v", tool, got, want)
		}
	}
}

func TestResultFingerprintsDoNotAllocate(t *testing.T) {
	result := blocks(text(strings.Repeat("2 failed in 5s\n", 1000)), image("image/png", "abc"))
	if n := leastAllocs(func() { ResultFingerprints(Ran, true, result) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func ExampleResultFingerprints() {
	result := func(text string) (exact, quiet Fingerprint) {
		return ResultFingerprints(OriginOf("bash"), true, []Block{{Data: []byte(text)}})
	}
	exactA, quietA := result("2 failed, 5 passed in 0.12s\n")
	exactB, quietB := result("2 failed, 5 passed in 0.19s\n")
	_, quietC := result("1 failed, 6 passed in 0.14s\n")
	fmt.Println(exactA == exactB, quietA == quietB, quietA == quietC)
	// Output: false true false
}

func TestNoiseThatIsTheAnswer(t *testing.T) {
	quiet := func(text string) Fingerprint {
		_, q := ResultFingerprints(Ran, false, []Block{{Data: []byte(text)}})
		return q
	}
	for _, pair := range [][3]string{
		{"17:06:11\n", "17:06:12\n", "other"},
		{"0.31s", "0.32s", "other"},
		{"6f1c8a52-1c2d-4e3f-8a9b-000000000001", "6f1c8a52-1c2d-4e3f-8a9b-000000000002", "other"},
		{"up at 17:06:11\n", "up at 17:06:12\n", "same"},
		{"5 in 0.31s", "5 in 0.32s", "same"},
		{"", "", "same"}, {"--\n", "--\n", "same"},
	} {
		if same := quiet(pair[0]) == quiet(pair[1]); same != (pair[2] == "same") {
			t.Errorf("%q and %q: same is %v", pair[0], pair[1], same)
		}
	}
}
