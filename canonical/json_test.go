package canonical

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

func TestAppendJSON(t *testing.T) {
	long := strings.Repeat("a", LongTextOver+1)
	tests := []struct{ name, in, want string }{
		{"blanks", " { \"a\" : [ 1 , 2 ] }\t\n", `{"a":[1,2]}`},
		{"names sorted at every depth", `{"b":{"z":1,"a":2},"a":[{"d":3,"c":4}]}`, `{"a":[{"c":4,"d":3}],"b":{"a":2,"z":1}}`},
		{"arrays keep their order", `[3,1,2]`, `[3,1,2]`},
		{"every own property", `{"constructor":1,"":2,"__proto__":{"a":3},"toString":4}`, `{"":2,"__proto__":{"a":3},"constructor":1,"toString":4}`},
		{"names by UTF-16 units, not code points", "{\"\uE000\":1,\"\U0001F600\":2}", "{\"\U0001F600\":2,\"\uE000\":1}"},
		{"a name that is the start of another", `{"ab":1,"a":2}`, `{"a":2,"ab":1}`},
		{"escaped names", `{"\u0062":1,"\u0061":2}`, `{"a":2,"b":1}`},
		{"escapes", `"\u0041\/\u00e9\n\u000b\u001f\"\\\ud83d\ude00"`, "\"A/é\\n\\u000b\\u001f\\\"\\\\\U0001F600\""},
		{"literals", `[null,true,false]`, `[null,true,false]`},
		{"integers", `[0,-0,1,-1,10,9007199254740993]`, `[0,0,1,-1,10,9007199254740992]`},
		{"fractions", `[1.0,1.50,0.1e1,1e-6,1e-7,0.0000001234]`, `[1,1.5,1,0.000001,1e-7,1.234e-7]`},
		{"large", `[1e20,1e21,123456789012345678901234,1E+100,1.7976931348623157e308]`, `[100000000000000000000,1e+21,1.2345678901234569e+23,1e+100,1.7976931348623157e+308]`},
		{"small", `[5e-324,1e-400,-1e-400,2.5e-10]`, `[5e-324,0,0,2.5e-10]`},
		{"a long text becomes its digest", `"` + long + `"`, "#" + sumHex(long) + ":4097"},
		{"the longest short text stays", `"` + long[1:] + `"`, `"` + long[1:] + `"`},
		{"length counts UTF-16 units", `"` + strings.Repeat("é", LongTextOver) + `"`, `"` + strings.Repeat("é", LongTextOver) + `"`},
		{"two units above the BMP", `"` + strings.Repeat("\U0001F600", LongTextOver/2+1) + `"`, "#" + sumHex(strings.Repeat("\U0001F600", LongTextOver/2+1)) + ":4098"},
		{"a long text with escapes", `"\u0061` + long[1:] + `"`, "#" + sumHex(long) + ":4097"},
		{"the deepest", strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth), strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := AppendJSON([]byte("before:"), []byte(tt.in), nil)
			if err != nil || string(got) != "before:"+tt.want {
				t.Errorf("AppendJSON(%.80q) = %.120q, %v; want %.120q", tt.in, got, err, tt.want)
			}
		})
	}
}

func TestAppendJSONNotCountable(t *testing.T) {
	tests := []struct {
		name, in string
		reason   error
		at       string
	}{
		{"duplicate names", `{"a":{"b":1,"b":1}}`, ErrDuplicateName, "/a/b"},
		{"duplicate names in two spellings", `{"a":1,"\u0061":1}`, ErrDuplicateName, "/a"},
		{"a lone surrogate", `{"a":["x","\ud800"]}`, ErrIllFormed, "/a/1"},
		{"a lone surrogate in a name", `{"\udc00":1}`, ErrIllFormed, "/\uFFFD"},
		{"bytes that are not UTF-8", "[\"\xff\"]", ErrIllFormed, "/0"},
		{"not finite", `{"a":1e400}`, ErrNotFinite, "/a"},
		{"not finite, negative", `-1e400`, ErrNotFinite, ""},
		{"too deep", strings.Repeat("[", MaxDepth+1) + strings.Repeat("]", MaxDepth+1), ErrTooDeep, ""},
		{"far too deep", strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000), ErrTooDeep, ""},
		{"nothing", ``, ErrSyntax, ""},
		{"cut off", `{"a":[1,`, ErrSyntax, ""},
		{"a word", `{"a":nil}`, ErrSyntax, "/a"},
		{"no JSON after another fault", `{"a":1,"a":2,]`, ErrSyntax, ""},
		{"two values", `1 2`, ErrSyntax, ""},
		{"a leading zero", `[01]`, ErrSyntax, ""},
		{"NaN", `NaN`, ErrSyntax, ""},
		{"a control character", "\"\n\"", ErrSyntax, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := AppendJSON([]byte("kept"), []byte(tt.in), nil)
			var e *Error
			if !errors.As(err, &e) || !errors.Is(err, tt.reason) {
				t.Fatalf("AppendJSON(%.60q) gave %v, want an *Error for %v", tt.in, err, tt.reason)
			}
			if tt.at != "" && e.At != tt.at {
				t.Errorf("at %q, want %q", e.At, tt.at)
			}
			if string(got) != "kept" {
				t.Errorf("dst became %q", got)
			}
		})
	}
}

func TestElidedTextsGiveTheSameForm(t *testing.T) {
	long := strings.Repeat("long text, ", 1000)
	other := strings.Repeat("é\U0001F600", 5000)
	whole, _ := json.Marshal(map[string]any{"path": "x", "edits": []any{map[string]any{"oldText": long, "newText": other}}, "none": nil})
	want, err := AppendJSON(nil, whole, nil)
	if err != nil {
		t.Fatal(err)
	}
	src := []byte(`{"none":null,"edits":[{"oldText":null,"newText":null}],"path":"x"}`)
	texts := []LongText{
		{At: "/edits/0/oldText", SHA256: sum(long), Length: len(long)},
		{At: "/edits/0/newText", SHA256: sum(other), Length: 3 * 5000},
	}
	got, err := AppendJSON(nil, src, texts)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("elided: %s, %v\nwhole:  %s", got, err, want)
	}

	for name, bad := range map[string][]LongText{
		"no such place":    {{At: "/edits/1/oldText"}},
		"not a null":       {{At: "/path"}},
		"listed twice":     {texts[0], texts[0]},
		"nothing is there": {{At: "/edits/0"}},
	} {
		if _, err := AppendJSON(nil, src, bad); !errors.Is(err, ErrElision) {
			t.Errorf("%s: %v, want ErrElision", name, err)
		}
	}
}

func TestATextCannotPassForADigest(t *testing.T) {
	long := strings.Repeat("x", LongTextOver+1)
	digest, _ := AppendJSON(nil, []byte(`"`+long+`"`), nil)
	forged, err := AppendJSON(nil, []byte(strconv.Quote(string(digest))), nil)
	if err != nil || bytes.Equal(digest, forged) {
		t.Errorf("the text %s has the form of the long text it names", forged)
	}
}

func FuzzAppendJSON(f *testing.F) {
	for _, seed := range []string{
		`{"command":"ls -R"}`, `{"b":[1.5e3,{"\u00e9":null}],"a":"\ud83d\ude00"}`, `[-0,1e-7,1e21,1e400]`,
		`{"a":1,"a":2}`, `"\ud800"`, `{"__proto__":{},"":[]}`, `[[[[]]]]`, "\"\xff\"", `{`, `1 2`,
	} {
		f.Add([]byte(seed), uint64(1))
	}
	f.Fuzz(func(t *testing.T, src []byte, seed uint64) {
		got, err := AppendJSON(nil, src, nil)
		for _, loose := range []bool{false, true} {
			w := &writer{loose: loose}
			want, wrong := w.walk(nil, src)
			if form, other := appendForm(nil, src, nil, loose); (other == nil) != (wrong == nil) || !bytes.Equal(form, want) {
				t.Fatalf("%q became %q, %v; step by step (loose: %v) %q, %v", src, form, other, loose, want, wrong)
			}
		}
		if err != nil {
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("%T is no *Error: %v", err, err)
			}
			if !errors.Is(err, ErrTooDeep) && errors.Is(err, ErrSyntax) == json.Valid(src) {
				t.Fatalf("%q: %v, but encoding/json calls it valid: %v", src, err, json.Valid(src))
			}
			return
		}
		var value any
		if err := json.Unmarshal(src, &value); err != nil {
			t.Fatalf("accepted what encoding/json refuses: %v", err)
		}

		// Any other spelling of the value has the same form.
		spelled := respell(rand.New(rand.NewPCG(seed, 1)), nil, value)
		again, err := AppendJSON(nil, spelled, nil)
		if err != nil || !bytes.Equal(got, again) {
			t.Fatalf("%q\nrespelled %q\ngave %q, %v\nnot   %q", src, spelled, again, err, got)
		}
		if hasLongText(value) {
			return
		}
		// The form reads back as the value, so no other value has it.
		var back any
		if err := json.Unmarshal(got, &back); err != nil || !reflect.DeepEqual(value, back) {
			t.Fatalf("%q became %q, which reads %#v, not %#v (%v)", src, got, back, value, err)
		}
		// A second opinion.
		want := jsontext.Value(bytes.Clone(src))
		if err := want.Canonicalize(); err == nil && !bytes.Equal(got, want) {
			t.Fatalf("%q became %q, RFC 8785 says %q", src, got, want)
		}
	})
}

// respell writes a value in a random spelling.
func respell(r *rand.Rand, out []byte, value any) []byte {
	blank := func() {
		for r.IntN(3) == 0 {
			out = append(out, " \t\r\n"[r.IntN(4)])
		}
	}
	blank()
	switch v := value.(type) {
	case map[string]any:
		out = append(out, '{')
		names := make([]string, 0, len(v))
		for name := range v { // Go's own random order
			names = append(names, name)
		}
		for i, name := range names {
			if i > 0 {
				out = append(out, ',')
			}
			blank()
			out = respellString(r, out, name)
			blank()
			out = append(out, ':')
			out = respell(r, out, v[name])
		}
		out = append(out, '}')
	case []any:
		out = append(out, '[')
		for i, e := range v {
			if i > 0 {
				out = append(out, ',')
			}
			out = respell(r, out, e)
		}
		out = append(out, ']')
	case string:
		out = respellString(r, out, v)
	case float64:
		out = strconv.AppendFloat(out, v, "efg"[r.IntN(3)], -1, 64)
	default:
		out = fmt.Append(out, map[any]string{nil: "null", true: "true", false: "false"}[v])
	}
	blank()
	return out
}

func respellString(r *rand.Rand, out []byte, s string) []byte {
	out = append(out, '"')
	for _, c := range s {
		switch {
		case c > 0xFFFF && r.IntN(2) == 0:
			out = fmt.Appendf(out, `\u%04x\u%04X`, 0xD800+(c-0x10000)>>10, 0xDC00+(c-0x10000)&0x3FF)
		case c <= 0xFFFF && (c < ' ' || c == '"' || c == '\\' || r.IntN(2) == 0):
			out = fmt.Appendf(out, `\u%04x`, c)
		default:
			out = utf8.AppendRune(out, c)
		}
	}
	return append(out, '"')
}

func hasLongText(value any) bool {
	switch v := value.(type) {
	case string:
		return longLength([]byte(v)) > 0
	case []any:
		for _, e := range v {
			if hasLongText(e) {
				return true
			}
		}
	case map[string]any:
		for _, e := range v {
			if hasLongText(e) {
				return true
			}
		}
	}
	return false
}
