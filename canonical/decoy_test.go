package canonical

import (
	"reflect"
	"testing"
)

func TestWithoutMembers(t *testing.T) {
	decoys := []string{"description", "a/b~"}
	for _, test := range []struct {
		input, want string
		elided      []string
		left        []string
	}{
		{input: `{"command":"ls","description":"1st"}`, want: `{"command":"ls"}`},
		{input: `{"description":"1st","command":"ls"}`, want: `{"command":"ls"}`},
		{input: `{"description":{"description":1}}`, want: `{}`},
		{input: `{ "a" : [1, {"description":2}] , "descr\u0069ption":null }`, want: `{"a":[1, {"description":2}]}`},
		{input: `{"command":"ls"}`, want: `{"command":"ls"}`},
		{input: `{}`, want: `{}`},
		{input: `["description"]`, want: `["description"]`},
		{input: `"x"`, want: `"x"`},
		{input: `{"description":1`, want: `{"description":1`},
		{input: `{"description"`, want: `{"description"`},
		{input: ``, want: ``},
		{
			input: `{"command":null,"description":null,"a/b~":{"x":null}}`, want: `{"command":null}`,
			elided: []string{"/command", "/description", "/a~1b~0/x"}, left: []string{"/command"},
		},
	} {
		var elided []LongText
		for _, at := range test.elided {
			elided = append(elided, LongText{At: at})
		}
		got, rest := WithoutMembers([]byte(test.input), elided, decoys)
		var left []string
		for _, l := range rest {
			left = append(left, l.At)
		}
		if string(got) != test.want || !reflect.DeepEqual(left, test.left) {
			t.Errorf("%s: %s %v, want %s %v", test.input, got, left, test.want, test.left)
		}
	}
}
