package lazy

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

var texts = []string{
	`""`, `"a"`, `"eight by"`, `"a longer one, without anything to it"`, `"\""`, `"\\"`, `"\n\t\r\b\f\/"`, `"seven l\nines\nof\ntext\nthat go\non\n"`,
	`"é€𝄞 and ünïcödé"`, `"\u00e9\ud834\udd1e"`, `"\ud800"`, "\"\xff\"", "\"caf\xc3\"", "\"a\nb\"", "\"1234567\x00\"", "\"\x7f\"",
	`"\"`, `"\u12"`, `"\x"`, `"a"b"`, `a`, `"`, ``, `"a`, `a"`, `"\`, `1`, "\"1234567\xe2\x80\"",
}

func TestAppendUnquote(t *testing.T) {
	for _, text := range texts {
		for _, pad := range []string{"", "x", "seven by", strings.Repeat("long ", 20)} {
			quoted := []byte(strings.Replace(text, `"`, `"`+pad, 1))
			checkUnquote(t, quoted)
		}
	}
}

func checkUnquote(t *testing.T, quoted []byte) {
	t.Helper()
	got, err := AppendUnquote([]byte("before"), quoted)
	want, wanted := jsontext.AppendUnquote([]byte("before"), quoted)
	if !bytes.Equal(got, want) || (err == nil) != (wanted == nil) {
		t.Fatalf("%q: %q, %v; jsontext: %q, %v", quoted, got, err, want, wanted)
	}
}

func FuzzAppendUnquote(f *testing.F) {
	for _, text := range texts {
		f.Add([]byte(text))
	}
	f.Fuzz(checkUnquote)
}

func BenchmarkAppendUnquote(b *testing.B) {
	quoted, err := jsontext.AppendQuote(nil, strings.Repeat("	a line as a tool's result has them: \"quoted\", and no more\n", 1000))
	if err != nil {
		b.Fatal(err)
	}
	var out []byte
	for name, unquote := range map[string]func(dst, quoted []byte) ([]byte, error){
		"lazy":     AppendUnquote,
		"jsontext": jsontext.AppendUnquote[[]byte],
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(quoted)))
			for b.Loop() {
				out, _ = unquote(out[:0], quoted)
			}
		})
	}
}
