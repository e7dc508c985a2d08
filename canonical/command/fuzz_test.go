package command

import (
	"strings"
	"testing"
)

// FuzzParse reads any text as a command: nothing panics, every answer is bounded by the
// text, and a canonical command is its own canonical command.
func FuzzParse(f *testing.F) {
	for _, c := range benchTexts {
		if len(c.text) < 4096 {
			f.Add(c.text)
		}
	}
	for _, r := range canonicalRows {
		f.Add(r.text)
	}
	for _, text := range []string{
		"", " ", "\x00", "a\x00b", "中文 参数 '引号' | grep 😀", "echo 'unclosed", `echo "unclosed $(`, "cat <<EOF\nbody",
		"cat <<-'E' <<F | sh\n\ta\n\tE\n$x\nF\n", "((1+2)) && [[ -f x ]]", "case $x in a) b;; *) c;; esac", "f() { curl x; }; f",
		"a=(1 2 $(b)); echo ${a[@]:1:2} ${x:-$(y)} `z \\`w\\``", "$x=1; iwr -Uri 'http://a''b' | Out-File c", "@echo off\r\ndir /b %TEMP% > x",
		"timeout timeout 5 5 curl -s-s --max-time", "env -i A=1 bash -c 'bash -c \"eval x\"'", "coproc x { y; }", "!(a) @(b|c) {a,b}{1..3} [a-z]* ~/x",
		`echo $'a\x41\u4e2d\'' $"b"`, "find . -exec find . -exec rm {} + \\; -o -print", "x >a 2>&1 <b >>c &>d <<<e", "if a; then b; elif c; then d; else e; fi",
		"for ((i=0;i<3;i++)); do sleep $i; done & wait", "'if' 'a=b' \\! \\#c", "select x in a; do b; done", "time -p ! a | b",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := Parse(text)
		once := s.Canonical()
		if len(once) > 8*len(text)+64 {
			t.Errorf("canonical of %d bytes has %d", len(text), len(once))
		}
		// The dialect is a guess, which other blanks may turn.
		if again := Parse(once); again.Dialect == s.Dialect && again.Canonical() != once {
			twice := again.Canonical()
			t.Errorf("canonical changes:\n text %q\n once %q\ntwice %q", text, once, twice)
		}
		plain := s.Text()
		if again := Parse(plain); again.Dialect == s.Dialect && again.Text() != plain {
			t.Errorf("text changes:\n text %q\n once %q\ntwice %q", text, plain, again.Text())
		}
		for _, file := range s.Sinks() {
			if file == "" || generic(file) {
				t.Errorf("sink %q of %q", file, text)
			}
		}
		for _, fetch := range s.Fetches() {
			if fetch.Command >= len(s.Commands) || s.Commands[fetch.Command].Name != fetch.Verb {
				t.Errorf("fetch %v of %q", fetch, text)
			}
		}
		if s.Sleep() < 0 || s.Sleep() > longest {
			t.Errorf("sleep %v of %q", s.Sleep(), text)
		}
		if n := len(s.Commands); n > 8*len(text) {
			t.Errorf("%d commands in %d bytes", n, len(text))
		}
		_, _ = s.AsksStatus(), s.Effect()
		_ = strings.ToValidUTF8(s.Verb(), "")
	})
}
