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

func TestAppendText(t *testing.T) {
	for _, text := range texts {
		for _, pad := range []string{"", "x", "seven by", strings.Repeat("long ", 20)} {
			checkText(t, []byte(strings.Replace(text, `"`, `"`+pad, 1)))
		}
	}
}

// checkText reads a text where a member of an object should have it.
func checkText(t *testing.T, quoted []byte) {
	t.Helper()
	s := Scan(append(append([]byte(`{"a":`), quoted...), `,"b":1}`...))
	if !s.Next() {
		return
	}
	got, err := s.AppendText([]byte("before"))
	value := s.Value()
	if value == nil {
		if err == nil {
			t.Fatalf("%q has no end, and says %q", quoted, got)
		}
		return
	}
	want, wanted := jsontext.AppendUnquote([]byte("before"), value)
	if !bytes.Equal(got, want) || (err == nil) != (wanted == nil) {
		t.Fatalf("%q: %q, %v; jsontext: %q, %v", quoted, got, err, want, wanted)
	}
	// It ends where it would if it were stepped over.
	other := Scan(s.text)
	other.Next()
	if !bytes.Equal(other.Value(), value) {
		t.Fatalf("%q: read as %q, stepped over as %q", quoted, value, other.Value())
	}
}

func FuzzAppendText(f *testing.F) {
	for _, text := range texts {
		f.Add([]byte(text))
	}
	f.Fuzz(checkText)
}

func BenchmarkAppendText(b *testing.B) {
	quoted, err := jsontext.AppendQuote(nil, strings.Repeat("	a line as a tool's result has them: \"quoted\", and no more\n", 1000))
	if err != nil {
		b.Fatal(err)
	}
	text := append(append([]byte("["), quoted...), ']')
	var out []byte
	for name, read := range map[string]func(s *Scanner) ([]byte, error){
		"lazy":     func(s *Scanner) ([]byte, error) { return s.AppendText(out[:0]) },
		"jsontext": func(s *Scanner) ([]byte, error) { return jsontext.AppendUnquote(out[:0], s.Value()) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				s := Scan(text)
				s.Next()
				out, _ = read(&s)
			}
		})
	}
}
