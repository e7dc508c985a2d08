package command

import (
	"reflect"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// read is Parse of a tree that is given.
func read(text string, file *syntax.File) *Script {
	s := &Script{text: text, file: file}
	r := reader{script: s, text: text}
	r.stmts(file.Stmts, place{})
	return s
}

// comparePlain tells whether a text is plain, and fails where it is read otherwise
// than by the parser.
func comparePlain(t *testing.T, text string) bool {
	file := new(tree).build(text)
	if file == nil {
		return false
	}
	parsed := parseAny(text)
	if parsed == nil {
		t.Fatalf("%q is no command, but was taken for a plain one", text)
	}
	got, want := read(text, file), read(text, parsed)
	if !reflect.DeepEqual(got.Commands, want.Commands) || !reflect.DeepEqual(got.values, want.values) {
		t.Fatalf("%q\nread  %+v\nwant  %+v", text, got.Commands, want.Commands)
	}
	if got.Text() != want.Text() || got.Canonical() != want.Canonical() {
		t.Fatalf("%q\nprints %q, %q\nwant   %q, %q", text, got.Text(), got.Canonical(), want.Text(), want.Canonical())
	}
	return true
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]bool{
		"ls": true,
		"cd /src && go test ./... 2>&1 | tail -30; echo done >> log": true,
		`grep -rn "a\.b" --include='*.go' . | head -20`:              true,
		`find . -name '*.go' -exec wc -l {} \;`:                      true,
		`a'b'"c"\d || timeout 5 sleep 3;`:                            true,
		"bash -c 'curl -sS https://example.com > x'":                 true,
		"[ -f x ] && cat x":                                          true,
		"echo a#b '# c'":                                             true,
		"FOO=1 ls":                                                   false,
		"echo $x":                                                    false,
		`echo "$x"`:                                                  false,
		"if a; then b; fi":                                           false,
		"a & b":                                                      false,
		"a |& b":                                                     false,
		"a ;; b":                                                     false,
		"! a":                                                        false,
		"a # b":                                                      false,
		"a <b":                                                       false,
		">b a":                                                       false,
		"a &>b":                                                      false,
		"(a)":                                                        false,
		"a\nb":                                                       false,
		"a >":                                                        false,
		"a | ":                                                       false,
		"":                                                           false,
		`a "`:                                                        false,
		`a \`:                                                        false,
	} {
		if got := comparePlain(t, text); got != want {
			t.Errorf("%q is plain: %v", text, got)
		}
	}
}

// A tree holds one text after the other.
func TestPlainTreesAreUsedAgain(t *testing.T) {
	var shared tree
	for _, text := range []string{"a 'b' \"c\" > d | e && f; g", "x", "ls -la /tmp 2>&1 | wc", `a "" b`, "one two three four five six seven > eight"} {
		file := shared.build(text)
		if file == nil {
			t.Fatal(text)
		}
		if got, want := read(text, file).Text(), read(text, parseAny(text)).Text(); got != want {
			t.Errorf("%q prints %q, want %q", text, got, want)
		}
	}
}

func FuzzPlain(f *testing.F) {
	for _, c := range benchTexts {
		if len(c.text) < 4096 {
			f.Add(c.text)
		}
	}
	for _, r := range canonicalRows {
		f.Add(r.text)
	}
	f.Fuzz(func(t *testing.T, text string) { comparePlain(t, text) })
}
