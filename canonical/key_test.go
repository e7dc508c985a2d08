package canonical

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"testing"
)

func sum(s string) [sha256.Size]byte { return sha256.Sum256([]byte(s)) }

func sumHex(s string) string {
	d := sum(s)
	return hex.EncodeToString(d[:])
}

func TestCallKeyTellsCallsApart(t *testing.T) {
	calls := []struct{ tool, input string }{
		{"bash", `{"command":"ls"}`},
		{"Bash", `{"command":"ls"}`},
		{"bash", `{"command":"ls "}`},
		{"bash", `{"command":["ls"]}`},
		{"bash", `{}`},
		{"bash", `null`},
		{"bash{}", `null`},
		{"", `{}`},
		{`a"{}`, `{}`},
		{"bash", `{"command":"ls","x":null}`},
		{"bash", `{"a":1,"b":[2,1]}`},
		{"bash", `{"a":1,"b":[1,2]}`},
		{"bash", `{"a":"1","b":[1,2]}`},
	}
	seen := map[Key]int{}
	for i, c := range calls {
		key, err := CallKey(c.tool, []byte(c.input), nil)
		if err != nil {
			t.Fatalf("%v: %v", c, err)
		}
		if j, ok := seen[key]; ok {
			t.Errorf("%v and %v have the same key", calls[j], c)
		}
		seen[key] = i
	}
}

func TestCallKeyNotCountable(t *testing.T) {
	if _, err := CallKey("bash", []byte(`{"a":1,"a":1}`), nil); !errors.Is(err, ErrDuplicateName) {
		t.Errorf("duplicate names: %v", err)
	}
	if _, err := CallKey("ba\xffsh", []byte(`{}`), nil); !errors.Is(err, ErrIllFormed) {
		t.Errorf("a tool name that is not UTF-8: %v", err)
	}
}

func ExampleCallKey() {
	a, _ := CallKey("edit", []byte(`{"path":"main.go","line":10}`), nil)
	b, _ := CallKey("edit", []byte(`{ "line": 1e1, "path": "main\u002ego" }`), nil)
	c, _ := CallKey("edit", []byte(`{"path":"main.go","line":11}`), nil)
	fmt.Println(a == b, a == c)
	// Output: true false
}
