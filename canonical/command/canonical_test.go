package command

import "testing"

var canonicalRows = []struct{ text, want string }{
	{"ls   -la", "ls -la"},
	{" \tls -la \n", "ls -la"},
	{"ls '-la'", "ls -la"},
	{`grep "foo bar" x`, "grep 'foo bar' x"},
	{`grep foo\ bar x`, "grep 'foo bar' x"},
	{`grep "don't" x`, `grep 'don'\''t' x`},
	{"ls # a comment", "ls"},
	{"# a comment\nls", "ls"},
	{"a\nb\n\nc", "a; b; c"},
	{"a;b ; c;", "a; b; c"},
	{"a&&b||c", "a && b || c"},
	{"a |\n b", "a | b"},
	{"a \\\n -x", "a -x"},
	{"echo $x", "echo ${x}"},
	{"echo ${x}", "echo ${x}"},
	{`echo "$x"`, `echo "${x}"`},
	{`echo "a b $x"`, `echo 'a b '"${x}"`},
	{`echo 'a b '"$x"`, `echo 'a b '"${x}"`},
	{"echo '$x'", "echo '$x'"},
	{"echo `date`", "echo $(date)"},
	{"echo $( date )", "echo $(date)"},
	{`ls *.go "*.go"`, "ls *.go '*.go'"},
	{"git show HEAD@{1}", "git show HEAD@{1}"},
	{"find . -exec grep -l x '{}' ';'", "find . -exec grep -l x {} ';'"},
	{`find . -exec grep -l x {} \;`, "find . -exec grep -l x {} ';'"},
	{"cat <<EOF\na\nb\nEOF\n", "cat <<<'a\nb'"},
	{"cat <<'X'\na\nb\nX", "cat <<<'a\nb'"},
	{"cat > f <<EOF\nhi $x\nEOF", `cat >f <<<'hi '"${x}"`},
	{"cat <<-EOF\n\ta\n\tEOF", "cat <<<a"},
	{"ls 1>x", "ls >x"},
	{"2>/dev/null ls", "ls 2>/dev/null"},
	{"ls 2> /dev/null", "ls 2>/dev/null"},
	{"(a; b)", "(a; b)"},
	{"( (a) )", "( (a))"},
	{"{ a;b; }", "{ a; b; }"},
	{"if a;then b;else c;fi", "if a; then b; else c; fi"},
	{"if a\nthen\n b\nfi", "if a; then b; fi"},
	{"while a; do b; done", "while a; do b; done"},
	{"for f in *.go;do cat $f;done", "for f in *.go; do cat ${f}; done"},
	{"a & b", "a & b"},
	{"! a", "! a"},
	{"[[ -f  x ]]&&cat x", "[[ -f x ]] && cat x"},

	// curl: patience and loudness go, substance stays.
	{"curl -s https://a.example", "curl https://a.example"},
	{"curl -sSL https://a.example", "curl https://a.example"},
	{"curl -fsSL https://a.example", "curl https://a.example"},
	{"curl --silent --show-error https://a.example", "curl https://a.example"},
	{"curl --max-time 60 https://a.example", "curl https://a.example"},
	{"curl --max-time=60 https://a.example", "curl https://a.example"},
	{"curl -m 60 https://a.example", "curl https://a.example"},
	{"curl -m60 https://a.example", "curl https://a.example"},
	{"curl -sm 60 https://a.example", "curl https://a.example"},
	{"curl --connect-timeout 5 --retry 3 --retry-delay 2 -s https://a.example", "curl https://a.example"},
	{"curl -sSo out https://a.example", "curl -o out https://a.example"},
	{"curl -sSoout https://a.example", "curl -oout https://a.example"},
	{"curl -o -s https://a.example", "curl -o -s https://a.example"}, // -s is a file here
	{`curl -H "X: -s" https://a.example`, "curl -H 'X: -s' https://a.example"},
	{"curl -X POST -d '{\"a\":1}' -s https://a.example", "curl -X POST -d '{\"a\":1}' https://a.example"},
	{"curl -I https://a.example", "curl -I https://a.example"},
	{"curl -k https://a.example", "curl -k https://a.example"},
	{"timeout 30 curl https://a.example", "curl https://a.example"},
	{"timeout -k 5 30s curl https://a.example", "curl https://a.example"},
	{"timeout 5 timeout 5 curl https://a.example", "curl https://a.example"},
	{"nice -n 5 curl https://a.example", "curl https://a.example"},
	{"time curl https://a.example", "curl https://a.example"},
	{"/usr/bin/time -v curl https://a.example", "curl https://a.example"},
	{"stdbuf -oL curl https://a.example", "curl https://a.example"},
	{"FOO=1 BAR=2 curl https://a.example", "curl https://a.example"},
	{"env FOO=1 curl https://a.example", "curl https://a.example"},
	{"env -i FOO=1 curl https://a.example", "env -i FOO=1 curl https://a.example"},
	{"FOO=1 timeout 3 env BAR=2 nice curl -s https://a.example", "curl https://a.example"},
	{"sudo curl -s https://a.example", "sudo curl https://a.example"},
	{"sudo timeout 5 curl -s https://a.example", "sudo curl https://a.example"},
	{"xargs -n 1 curl -s", "xargs -n 1 curl"},
	{"cd x && curl -s https://a.example | head -5", "cd x && curl https://a.example | head -5"},
	{`x=$(curl -s --max-time 3 https://a.example)`, "x=$(curl https://a.example)"},
	{"bash -lc 'curl -s  --retry 2 https://a.example'", "bash -lc 'curl https://a.example'"},
	{`bash -c "timeout 5 ls   -la"`, "bash -c 'ls -la'"},

	// The same letters mean other things elsewhere.
	{"wget -q --tries=3 -T 5 -O x https://a.example", "wget -O x https://a.example"},
	{"ls -s -S -L -m", "ls -s -S -L -m"},
	{"grep -s -L x y", "grep -s -L x y"},
	{"pytest -s --timeout 5", "pytest -s --timeout 5"},
	{"http --timeout 5 GET a.example", "http GET a.example"},
	{"pip install -q --timeout 5 x", "pip install x"},
	{"Invoke-WebRequest -Uri https://a.example -TimeoutSec 5 -UseBasicParsing", "Invoke-WebRequest -Uri https://a.example"},

	// An assignment on its own is substance.
	{"A=1", "A=1"},
	{"A=1; echo $A", "A=1; echo ${A}"},
	{"export A=1", "export A=1"},

	// What only looks like grammar stays a word.
	{"'if' x", "'if' x"},
	{"'a=b' c", "'a=b' c"},
	{`\export x`, "'export' x"},
	{"echo 'a  b'", "echo 'a  b'"},
	{"echo ''", "echo ''"},
	{`echo ""`, "echo ''"},
	{`echo $'a\tb'`, "echo 'a\tb'"},

	// No grammar at all.
	{"echo 'unclosed", `echo ''\''unclosed'`},
	{"grep  x )", "grep x )"},
}

func TestCanonical(t *testing.T) {
	for _, r := range canonicalRows {
		if got := Parse(r.text).Canonical(); got != r.want {
			t.Errorf("Canonical(%q)\n got %q\nwant %q", r.text, got, r.want)
		}
	}
}
