package command

import (
	"strings"
	"testing"
)

var benchTexts = []struct{ name, text string }{
	{"small", "cd /testbed && python -m pytest -q tests/test_x.py 2>&1 | tail -30"},
	{"sed", "sed -n '1,220p' src/components/view.ts"},
	{"curl", `curl -sSL --max-time 30 -H "Accept: text/html" -o /tmp/page.html "https://example.org/a?b=1"`},
	{"shell", `bash -lc 'set -a; code=$(curl -sS -o "$tmp" -w "%{http_code}" "https://example.org/models" || true); echo "$code"'`},
	{"heredoc", "cat > x.py <<'EOF'\n" + strings.Repeat("print(\"a line of (ordinary) code\") # 1\n", 40) + "EOF\npython x.py"},
	{"100KB-words", strings.Repeat("echo some words | cat; ", 4500)},
	{"100KB-heredoc", "cat > x.py <<'EOF'\n" + strings.Repeat("print(\"a line of (ordinary) code\") # 1\n", 2600) + "EOF\npython x.py"},
	{"100KB-quoted", "echo '" + strings.Repeat("x y ", 25000) + "'"},
	{"deep-parens", strings.Repeat("(", 10000) + "a" + strings.Repeat(")", 10000)},
	{"deep-subst", strings.Repeat("$(", 1900) + "a" + strings.Repeat(")", 1900)},
	{"open-quotes", strings.Repeat(`'"`, 10000) + "'"},
}

func BenchmarkAll(b *testing.B) {
	for _, c := range benchTexts {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				s := Parse(c.text)
				_, _, _, _, _, _ = s.Canonical(), s.Verb(), s.Sinks(), s.Fetches(), s.AsksStatus(), s.Effect()
			}
		})
	}
}

func BenchmarkCanonicalAndVerb(b *testing.B) {
	for _, c := range benchTexts[:5] {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s := Parse(c.text)
				_, _ = s.Canonical(), s.Verb()
			}
		})
	}
}
