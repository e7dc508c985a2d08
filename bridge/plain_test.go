package bridge

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// bothWays says params to a guard of the preset streak six times, as a call and as
// its result, once on lines that are read without reflection, and once on lines
// with one more member, that are not. It returns the answers.
func bothWays(t *testing.T, method, params string) (plain, decoded []string) {
	t.Helper()
	say := func(more string) []string {
		in := []string{hello}
		for range 6 {
			in = append(in, `{"jsonrpc":"2.0","method":"turn/start"}`,
				`{"jsonrpc":"2.0","id":1,"method":"tool/call","params":{"toolCallId":"1","toolName":"t","input":{}}}`,
				fmt.Sprintf(`{"jsonrpc":"2.0"%s,"id":2,"method":%q,"params":%s}`, more, method, params))
		}
		return serve(t, lines(in...), preset("streak"))
	}
	return say(""), say(`,"more":0`)
}

var paramsOfBoth = []string{
	`{"toolCallId":"1","isError":false,"content":[{"type":"text","text":"same"}]}`,
	`{"toolCallId":"1","content":[]}`,
	`{"content":[{"text":"a\n\"b\"\t\\ \u00e9 é 𝄞","type":"text"},{"mimeType":"image/png","data":"aGk=","type":"image"}],"toolCallId":"1","isError":true}`,
	`{"toolCallId":"1","content":[{"type":"text","text":"` + strings.Repeat("long ", 2000) + `"}]}`,
	`{"toolCallId":"1","content":[{"type":"text","text":null}],"elided":[{"at":"/0/text","sha256":"` + strings.Repeat("ab", 32) + `","length":5000}]}`,
	`{"toolCallId":"1","elided":[{"at":"/0/text","sha256":"` + strings.Repeat("ab", 32) + `","length":5000,"head":"a\n\"b\" é","tail":"\u00e9"}],"content":[{"type":"text","text":null}]}`,
	`{"toolCallId":"1","elided":[{"at":"/1/text","sha256":"` + strings.Repeat("Ab", 32) + `","length":5000}],"content":[{"type":"text","text":null},{"type":"text","text":"whole"}]}`,
	`{"toolCallId":"1","elided":[{"at":"/0/data","sha256":"` + strings.Repeat("ab", 32) + `","length":5000}],"content":[{"type":"image","data":null}]}`,
	`{"toolCallId":"1","elided":[{"at":"/0/data","sha256":"` + strings.Repeat("ab", 32) + `","length":5000}],"content":[{"type":"image","data":"a"}]}`,
	`{"toolCallId":"1","elided":[{"at":"/0/text","sha256":"` + strings.Repeat("ab", 32) + `","length":4096}],"content":[{"type":"text","text":null}]}`,
	`{"toolCallId":"1","elided":[{"at":"/0/text","sha256":"` + strings.Repeat("ab", 31) + `","length":5000}],"content":[{"type":"text","text":null}]}`,
	`{"toolCallId":"1","elided":[{"at":"/0/text","sha256":"` + strings.Repeat("xy", 32) + `","length":5000}],"content":[{"type":"text","text":null}]}`,
	`{"toolCallId":"1","elided":[{"at":"/0/text","length":5000}],"content":[{"type":"text","text":null}]}`,
	`{"toolCallId":"1","elided":[{"at":"/0/text","at":"/0/text","sha256":"` + strings.Repeat("ab", 32) + `","length":5e3}],"content":[{"type":"text","text":null}]}`,
	`{"toolCallId":"1","elided":[{"at":"/0/text","sha256":"` + strings.Repeat("ab", 32) + `","length":5e3,"new":1}],"content":[{"type":"text","text":nul}]}`,
	`{"toolCallId":"1","elided":[{"at":"/0/text","sha256":"` + strings.Repeat("ab", 32) + `","length":5000}],"elided":[],"content":[{"type":"text","text":null}]}`,
	`{"toolCallId":"1","elided":[],"content":[{"type":"text","text":null}]}`, `{"toolCallId":"1","elided":[1],"content":[]}`, `{"toolCallId":"1","elided":{},"content":[]}`, `{"toolCallId":"1","elided":null,"content":[]}`,
	`{"toolCallId":"1","content":[{"type":"text"}]}`,
	`{"toolCallId":"1","content":[{"type":"text","text":"a","text":"b"}]}`,
	`{"toolCallId":"1","content":[{"type":"text","text":"a","data":"b"}]}`,
	`{"toolCallId":"1","content":[{"type":"text","text":"a","mimeType":"b"}]}`,
	`{"toolCallId":"1","content":[{"type":"image","text":"a"}]}`,
	`{"toolCallId":"1","content":[{"type":"image","data":"a"}]}`,
	`{"toolCallId":"1","content":[{"type":"sound","data":"a"},null]}`,
	`{"toolCallId":"1","content":[{"type":"text","text":"` + "\x01" + `"}]}`,
	`{"toolCallId":"1","content":[{"type":"text","text":"` + "\xff" + `"}]}`,
	`{"toolCallId":"1","content":[{"type":"text","text":"\ud800"}]}`,
	`{"toolCallId":"1","content":[{"type":"text","text":"\x"}]}`,
	`{"toolCallId":"1","content":[[]]}`, `{"toolCallId":"1","content":[{]}`, `{"toolCallId":"1","content":{}}`, `{"toolCallId":"1","content":[],"content":[]}`,
	`{"toolCallId":"1","isError":null,"content":[]}`, `{"toolCallId":"1","isError":1,"content":[]}`, `{"toolCallId":"1","isError":true,"isError":true,"content":[]}`,
	`{"toolCallId":"","content":[]}`, `{"content":[]}`, `{}`, `[]`, `null`, `{"toolCallId":"1","content":[]`, `{"toolCallId":"1","content":[]}}`,
	`{"toolCallId":"1","uncountable":"x","content":[]}`,
	`{"toolCallId":"1","toolName":"t","input":{}}`,
	`{"parentToolCallId":"0","toolCallId":"1","toolName":"t","input":{"a":[1,2]}}`,
	`{"parentToolCallId":"","toolCallId":"1","toolName":"t","input":null}`,
	`{"toolCallId":"1","toolName":"\u0074","\u0069nput":{}}`,
	`{"toolCallId":"1","toolName":"t","input":{"a":nul}}`, `{"toolCallId":"1","toolName":"t","input":{},"input":{}}`, `{"toolCallId":"1","toolCallId":"1","toolName":"t","input":{}}`,
	`{"toolCallId":"1","toolName":"t","elided":[{"at":"/a~1b","sha256":"` + strings.Repeat("ab", 32) + `","length":5000,"head":"a\n","tail":"\ud800"}],"input":{"a/b":null}}`,
	`{"toolCallId":"1","toolName":"t","elided":[{"at":"/a","sha256":"` + strings.Repeat("ab", 32) + `","length":5000,"head":"a\n","tail":"b"}],"input":{"a":1}}`,
	`{"toolCallId":"1","toolName":"t","input":{"a":null},"elided":[{"at":"/a","sha256":"` + strings.Repeat("ab", 32) + `","length":5000}]}`,
	`{"channel":"text","block":0,"text":"a\n\"b\" é"}`, `{"channel":"arguments","block":12,"toolName":"t","text":"{\"a"}`,
	`{"channel":"text","text":"a"}`, `{"channel":"text","block":-1,"text":"a"}`, `{"channel":"text","block":1.5,"text":"a"}`, `{"channel":"text","block":"1","text":"a"}`,
	`{"channel":"text","block":01,"text":"a"}`, `{"channel":"text","block":12345678901234567890,"text":"a"}`, `{"channel":"text","block":1,"block":1,"text":"a"}`, `{"channel":"text","block":null,"text":"a"}`,
	`{"channel":"odd","block":1,"text":"a"}`, `{"channel":"text","block":1}`, `{"channel":"text","block":1,"text":"\ud800"}`, `{"channel":"text","block":1,"text":"` + "\xff" + `"}`, `{"channel":"","text":""}`,
	`{"toolCallId":"1","toolName":"é","input":{}}`, `{"toolCallId":"1","toolName":"t","input":{},"new":1}`, `{"toolCallId":"1","toolName":5,"input":{}}`,
}

func TestPlainParamsMeanWhatDecodedOnesDo(t *testing.T) {
	for _, params := range paramsOfBoth {
		for _, method := range []string{MethodToolCall, MethodToolResult, MethodStreamDelta} {
			if plain, decoded := bothWays(t, method, params); !slices.Equal(plain, decoded) {
				t.Errorf("%s %.200s\nread plainly: %.900q\ndecoded:      %.900q", method, params, plain, decoded)
			}
		}
	}
}

func TestMostMessagesArePlain(t *testing.T) {
	for line, want := range map[string]bool{
		`{"jsonrpc":"2.0","id":7,"method":"tool/call","params":{"toolCallId":"1","toolName":"t","input":{"a":"é\n"}}}`:                                                                                                              true,
		`{"jsonrpc":"2.0","id":7,"method":"tool/result","params":{"toolCallId":"1","isError":false,"content":[{"type":"text","text":"é\n\u001b"}]}}`:                                                                                true,
		`{"jsonrpc":"2.0","method":"stream/delta","params":{"channel":"text","block":0,"text":"é\n"}}`:                                                                                                                              true,
		`{"jsonrpc":"2.0","id":7,"method":"tool/call","params":{"toolCallId":"1","toolName":"t","elided":[{"at":"/a","sha256":"` + strings.Repeat("ab", 32) + `","length":5000,"head":"\"a\"","tail":"b"}],"input":{"a":null}}}`:    true,
		`{"jsonrpc":"2.0","id":7,"method":"tool/result","params":{"toolCallId":"1","isError":false,"elided":[{"at":"/0/text","sha256":"` + strings.Repeat("ab", 32) + `","length":5000}],"content":[{"type":"text","text":null}]}}`: true,
		`{"jsonrpc":"2.0","id":7,"method":"turn/end"}`:                                                                 false, // nothing to read
		`{"jsonrpc":"2.0","id":7,"method":"tool/call","params":{"toolCallId":"1","toolName":"t","input":{},"more":1}}`: false,
	} {
		s := newStream(nil, nil, options.Log)
		if opened := s.openPlain([]byte(line)); (opened && s.plain != nil) != want {
			t.Errorf("%s: plain %v", line, s.plain != nil)
		}
	}
}

func FuzzPlain(f *testing.F) {
	for _, params := range paramsOfBoth {
		f.Add(params)
	}
	f.Fuzz(func(t *testing.T, params string) {
		if bytes.ContainsAny([]byte(params), "\n") || !jsontext.Value(params).IsValid(lenient) && strings.Contains(params, `"more"`) {
			t.Skip("more than one line, or one that may mean something else with one more member")
		}
		for _, method := range []string{MethodToolCall, MethodToolResult, MethodStreamDelta} {
			if plain, decoded := bothWays(t, method, params); !slices.Equal(plain, decoded) {
				t.Fatalf("%s %s\nread plainly: %q\ndecoded:      %q", method, params, plain, decoded)
			}
		}
	})
}
