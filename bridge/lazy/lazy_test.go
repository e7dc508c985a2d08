package lazy

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestCut(t *testing.T) {
	deep := strings.Repeat("[", 50_000) + strings.Repeat("]", 50_000)
	for _, tt := range []struct{ text, rest, value string }{
		{`{"a":1,"x":2,"b":3}`, `{"a":1,"b":3}`, `2`},
		{`{"x":{"x":"}"}}`, `{}`, `{"x":"}"}`},
		{` { "a" : [1,"]"] , "x" : "\\\"" } `, `{"a" : [1,"]"]}`, `"\\\""`},
		{`{"\u0078":null}`, `{}`, `null`},
		{`{"a":1}`, `{"a":1}`, ``},
		{`{}`, `{}`, ``},
		{`{"x":` + deep + `,"a":1}`, `{"a":1}`, deep},
	} {
		rest, value, err := Cut([]byte(tt.text), "x", []byte(nil))
		if err != nil || string(rest) != tt.rest || string(value) != tt.value {
			t.Errorf("%.60s: %.60s, %.60s, %v", tt.text, rest, value, err)
		}
	}
	for text, want := range map[string]error{
		`[]`: ErrNotObject, `1`: ErrNotObject, ``: ErrNotObject,
		`{"x":1,"x":2}`: ErrTwice,
		`{`:             ErrNotJSON, `{"a"`: ErrNotJSON, `{"a":`: ErrNotJSON, `{"a":1`: ErrNotJSON, `{"a":1,}`: ErrNotJSON,
		`{"a":"\"}`: ErrNotJSON, `{"a":[}`: ErrNotJSON, `{"a":1}x`: ErrNotJSON, `{a:1}`: ErrNotJSON, `{"a" 1}`: ErrNotJSON, `{,}`: ErrNotJSON,
	} {
		if _, _, err := Cut([]byte(text), "x", nil); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", text, err, want)
		}
	}
}

func TestElements(t *testing.T) {
	var got []string
	s := Scan([]byte(` [ 1 , "a,]" , {"b":[2]} , null ] `))
	for s.Next() {
		got = append(got, string(s.Value()))
		if s.Named("b") {
			t.Error("an element has a name")
		}
	}
	if s.Err() != nil || strings.Join(got, " ") != `1 "a,]" {"b":[2]} null` {
		t.Errorf("%q, %v", got, s.Err())
	}
}

func TestEnter(t *testing.T) {
	for _, tt := range []struct {
		text, want string
		broken     bool
	}{
		{`{"a":{"x":1,"y":[2]},"b":3}`, `a( x=1 y=[2] ) b=3`, false},
		{` { "a" : [ { "x" : [ ] , "y" : { } } , [ "]" ] , null ] , "b" : "}" } `, `a( ( x( ) y( ) ) ( "]" ) null ) b="}"`, false},
		{`{"a":{},"b":[[[[[1]]]]]}`, `a( ) b( ( ( ( [1] ) ) ) )`, false}, // one more than Levels
		{`{"a":{"x":1},}`, `a( x=1 )`, true},
		{`{"a":{"x":1]`, `a( x=1`, true},
		{`{"a":[1 2]}`, `a( 1`, true},
		{`{"a":{"x":1}`, `a( x=1 )`, true},
		{`{"a":{"x":1}}}`, `a( x=1 )`, true},
	} {
		s := Scan([]byte(tt.text))
		var got []string
		var walk func()
		walk = func() {
			for s.Next() {
				name := ""
				for _, n := range []string{"a", "b", "x", "y"} {
					if s.Named(n) {
						name = n
					}
				}
				if (name != "y" || s.level > 1) && (s.Enter('{') || s.Enter('[')) {
					got = append(got, name+"(")
					walk()
					if s.Err() == nil {
						got = append(got, ")")
					}
					continue
				}
				if name != "" {
					name += "="
				}
				got = append(got, name+string(s.Value()))
			}
		}
		walk()
		if g := strings.Join(got, " "); g != tt.want || (s.Err() != nil) != tt.broken {
			t.Errorf("%s: %s, %v; want %s", tt.text, g, s.Err(), tt.want)
		}
	}
}

// FuzzScan: what encoding/json reads is stepped over member by member.
func FuzzScan(f *testing.F) {
	for _, seed := range []string{`{"a":1,"b":[{}]}`, `[1,"\\",{"a":"}"}]`, `{`, `{"a":"\u0022"}`, ` [ ] `} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s := Scan(text)
		n := 0
		for s.Next() {
			n++
			s.Named("a")
			if json.Valid(text) && !json.Valid(s.Value()) {
				t.Fatalf("%q: a part %q", text, s.Value())
			}
		}
		var object map[string]json.RawMessage
		var array []json.RawMessage
		switch {
		case json.Unmarshal(text, &object) == nil && object != nil && (s.Err() != nil || n < len(object)):
			t.Fatalf("%q: %d members, %v", text, n, s.Err())
		case json.Unmarshal(text, &array) == nil && array != nil && (s.Err() != nil || n != len(array)):
			t.Fatalf("%q: %d elements, %v", text, n, s.Err())
		}
	})
}
