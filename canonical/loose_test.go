package canonical

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestLooseKeys(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		// The order of members, at every depth.
		{`{"a":1,"b":{"c":2,"d":3}}`, `{"b":{"d":3,"c":2},"a":1}`, true},
		{`[1,2]`, `[2,1]`, false},
		// Blanks around strings, not in them, however they are spelled.
		{`{"command":"npm test"}`, `{"command":"  npm test\n"}`, true},
		{`{"command":"npm test"}`, `{"command":"\u0020npm test\u00a0"}`, true},
		{`{"command":"npm test"}`, `{"command":"npm  test"}`, false},
		{`{"command":"npm test"}`, `{"command":"NPM test"}`, false},
		{`["a",["  b "]]`, `[" a",["b"]]`, true},
		{`""`, `"  "`, true},
		// Names stand as they are.
		{`{"a":1}`, `{" a":1}`, false},
		// Types.
		{`{"limit":5}`, `{"limit":"5"}`, true},
		{`{"limit":5}`, `{"limit":" 5 "}`, true},
		{`{"limit":5}`, `{"limit":5.0}`, true},
		{`{"limit":-0.5}`, `{"limit":"-0.5"}`, true},
		{`{"limit":1e+21}`, `{"limit":"1e+21"}`, true},
		{`{"all":true}`, `{"all":"true"}`, true},
		{`{"all":false}`, `{"all":" false"}`, true},
		{`{"all":true}`, `{"all":"True"}`, false},
		{`{"all":true}`, `{"all":1}`, false},
		// Two strings stay two.
		{`"1.10"`, `"1.1"`, false},
		{`"1.10"`, `1.1`, false},
		{`"007"`, `"7"`, false},
		{`"007"`, `7`, false},
		{`"1e3"`, `1000`, false},
		{`"-0"`, `0`, false},
		{`"+5"`, `5`, false},
		{`"0x10"`, `16`, false},
		{`"5."`, `5`, false},
		{`"12345678901234567890"`, `12345678901234567890`, false},
		{`"-Infinity"`, `"-Inf"`, false},
		{`"null"`, `null`, false},
		{`{"a":null}`, `{}`, false},
		{`"[1]"`, `[1]`, false},
		{`"\"5\""`, `"5"`, false},
	} {
		a, _, err1 := Loose("bash", []byte(tt.a), nil)
		b, _, err2 := Loose("bash", []byte(tt.b), nil)
		if err1 != nil || err2 != nil || (a == b) != tt.same {
			t.Errorf("%s and %s: same %v, want %v (%v, %v)", tt.a, tt.b, a == b, tt.same, err1, err2)
		}
	}
}

func TestLooseKeysOfLongTexts(t *testing.T) {
	long := strings.Repeat("é ", LongTextOver)
	whole, w1, err := Loose("write", fmt.Appendf(nil, `{"path":" a ","content":%q}`, long), nil)
	if err != nil {
		t.Fatal(err)
	}
	digest, w2, err := Loose("write", []byte(`{"content":null,"path":"a"}`), []LongText{{At: "/content", SHA256: sha256.Sum256([]byte(long)), Length: 2 * LongTextOver}})
	if err != nil || whole != digest {
		t.Errorf("whole and by digest are not the same: %v", err)
	}
	if both, either := Overlap(w1, w2); both != 2 || either != 2 {
		t.Errorf("%d of %d words shared", both, either)
	}
}

func TestLooseIsCountableWhereKeysAre(t *testing.T) {
	for _, input := range []string{``, `{`, `{"a":1,"a":2}`, `"\ud800"`, `1e999`, strings.Repeat("[", MaxDepth+1)} {
		_, want := CallKey("bash", []byte(input), nil)
		_, words, got := Loose("bash", []byte(input), nil)
		if want == nil || got == nil || !errors.Is(got, errors.Unwrap(want)) || words != nil {
			t.Errorf("%.20q: %v, want %v", input, got, want)
		}
	}
}

func TestAnotherToolIsAnotherLooseKey(t *testing.T) {
	a, _, _ := Loose("a", []byte(`{}`), nil)
	b, _, _ := Loose("b", []byte(`{}`), nil)
	if a == b {
		t.Error("they are the same")
	}
}
