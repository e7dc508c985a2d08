package command

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// names tells the commands of a script the short way: wrappers>name, with | for one that
// feeds a pipe, < for one that reads a here-document, @ for a remote one.
func names(s *Script) string {
	var out []string
	for i := range s.Commands {
		c := &s.Commands[i]
		if c.Name == "" {
			continue
		}
		n := strings.Join(append(slices.Clone(c.Wrappers), c.Name), ">")
		if c.Remote {
			n += "@"
		}
		if _, ok := c.Input(); ok {
			n += "<"
		}
		if c.Feeds {
			n += "|"
		}
		out = append(out, n)
	}
	return strings.Join(out, " ")
}

func TestCommands(t *testing.T) {
	for _, r := range []struct{ text, want string }{
		{"", ""},
		{"ls", "ls"},
		{"/usr/bin/ls -la", "ls"},
		{"./node_modules/.bin/tsc", "tsc"},
		{"A=1 B=2 ls", "ls"},
		{"A=1", ""},
		{"a; b && c || d", "a b c d"},
		{"a | b | c", "a| b| c"},
		{"a |& b", "a| b"},
		{"(a; b) | c", "a| b| c"},
		{"{ a; b; }", "a b"},
		{"a & b", "a b"},
		{"! a", "a"},
		{"if a; then b; elif c; then d; else e; fi", "a b c d e"},
		{"while a; do b; done", "a b"},
		{"until a; do b; done", "a b"},
		{"for i in $(a) b; do c; done", "a c"},
		{"case $(a) in x) b;; *) c;; esac", "a b c"},
		{"f() { a; }; f", "a f"},
		{"[[ -f x ]] && a", "a"},
		{"[ -f x ] && a", "[ a"},
		{"(( x = 1 )) && a", "a"},
		{"echo $(a $(b))", "echo a b"},
		{"echo `a`", "echo a"},
		{`echo "x $(a) y"`, "echo a"},
		{"echo ${x:-$(a)}", "echo a"},
		{"diff <(a) <(b)", "diff a b"},
		{"x=$(a)", "a"},
		{"x=$(a) b", "b a"},
		{"export x=$(a)", "export a"},
		{"echo '$(a)'", "echo"},
		{"cat <<EOF\n$(a)\nEOF", "cat< a"},
		{"cat <<'EOF'\n$(a)\nEOF", "cat<"},
		{"python3 - <<'EOF'\nimport os\nEOF", "python3<"},
		{"cat <<EOF | sh\nls\nEOF", "cat<| sh"},
		{"sudo a", "sudo>a"},
		{"sudo -u me -E a", "sudo>a"},
		{"sudo -u me A=1 a", "sudo>a"},
		{"doas -u me a", "doas>a"},
		{"env A=1 -u B a", "env>a"},
		{"env", "env"},
		{"env A=1", "env"},
		{"timeout 5 a", "timeout>a"},
		{"timeout -s KILL -k 5 30s a", "timeout>a"},
		{"timeout --signal=KILL 30s a", "timeout>a"},
		{"nice -n 5 a", "nice>a"},
		{"nohup a &", "nohup>a"},
		{"time a", "time>a"},
		{"time -p a", "time>a"},
		{"/usr/bin/time -f %e a", "time>a"},
		{"stdbuf -oL -eL a", "stdbuf>a"},
		{"setsid a", "setsid>a"},
		{"command a", "command>a"},
		{"command -v a", "command"},
		{"exec a", "exec>a"},
		{"sudo timeout 5 nice a", "sudo>timeout>nice>a"},
		{"xargs a", "xargs>a"},
		{"xargs -0 -n 1 -P4 a b", "xargs>a"},
		{"xargs -I {} a {}", "xargs>a"},
		{"xargs -I{} sh -c 'a {} | b'", "xargs>sh>a| xargs>sh>b"},
		{"bash -c 'a; b'", "bash>a bash>b"},
		{"bash -lc 'a'", "bash>a"},
		{"sh -ec 'a' x y", "sh>a"},
		{"bash -o pipefail -c 'a | b'", "bash>a| bash>b"},
		{`bash -c "a $(b)"`, "bash>a bash>b"},
		{"bash x.sh", "bash"},
		{"bash <<'EOF'\na\nb\nEOF", "bash< bash>a bash>b"},
		{"bash -s <<< 'a'", "bash< bash>a"},
		{"su - me -c 'a'", "su>a"},
		{"eval 'a b'", "eval>a"},
		{"eval a b", "eval>a"},
		{`eval "$(a)"`, "eval>$(a) eval>a"},
		{"ssh host a b", "ssh>a@"},
		{"ssh -p 22 -o X=y me@host 'a | b'", "ssh>a@| ssh>b@"},
		{"ssh host", "ssh"},
		{"watch -n 1 a", "watch>a"},
		{"find . -exec a {} \\; -o -exec b {} +", "find find>a find>b"},
		{"find . -name x", "find"},
		{`"$PY" -m x`, "$PY"},
		{"PY=python3; $PY -m x", "python3"},
		{"a > b 2>&1", "a"},
		{"> b", ""},
		{"for x in 1; do a; done > b", "a"},
		{"coproc a", "a"},
		{"# only a comment", ""},
		{"a # b", "a"},
		{"a\\\nb", "ab"},
		{"pwsh -NoProfile -Command 'Get-Date'", "pwsh>Get-Date"},
		{"powershell.exe Get-ChildItem", "powershell.exe>Get-ChildItem"},
		{"cmd /c dir /b", "cmd>dir"},
	} {
		s := Parse(r.text)
		if got := names(s); got != r.want {
			t.Errorf("commands of %q\n got %s\nwant %s", r.text, got, r.want)
		}
		if s.Guessed {
			t.Errorf("%q was guessed", r.text)
		}
	}
}

// A text that is no shell still has commands.
func TestGuessed(t *testing.T) {
	for _, r := range []struct{ text, want string }{
		{"echo don't; a", "echo a"},
		{"a )", "a"},
		{"a | b )", "a| b"},
		{"if a; b", "a b"},
		{"a && ; b", "a b"},
		{`a "x | b`, "a| b"},
		{"echo $(a", "echo a"},
		{"edit 1:1\nclass A {\n}\nend_of_edit", "edit class end_of_edit"},
		{"cat <<'EOF' )\na; b\nEOF\nc", "cat< c"},
		{"sudo timeout 5 a )", "sudo>timeout>a"},
		{"X=1 a )", "a"},
		{`echo "$(b c)" )`, "echo b"},
	} {
		s := Parse(r.text)
		if got := names(s); got != r.want || !s.Guessed {
			t.Errorf("commands of %q\n got %s (guessed %t)\nwant %s", r.text, got, s.Guessed, r.want)
		}
	}
}

func TestDialects(t *testing.T) {
	for _, r := range []struct {
		text    string
		dialect Dialect
		want    string
	}{
		{"Get-ChildItem -Path . | Select-Object Name", PowerShell, "Get-ChildItem| Select-Object"},
		{"Invoke-WebRequest -Uri 'https://a.example' -OutFile x", PowerShell, "Invoke-WebRequest"},
		{"$env:FOO = 'x'; npm test", PowerShell, "npm"},
		{"$env:FOO='x'; npm test", PowerShell, "npm"},
		{"$r = Invoke-RestMethod https://a.example; $r.x", PowerShell, "Invoke-RestMethod $r.x"},
		{"Get-Content x `\n  -Tail 5", PowerShell, "Get-Content"},
		{"Get-ChildItem | ForEach-Object { Remove-Item $_ }", PowerShell, "Get-ChildItem| ForEach-Object Remove-Item"},
		{"Write-Output 'it''s; fine'", PowerShell, "Write-Output"},
		{"Write-Output \"$(Get-Date)\"", PowerShell, "Write-Output Get-Date"},
		{"dir /b C:\\x", Batch, "dir"},
		{"type %TEMP%\\x | findstr /i y", Batch, "type| findstr"},
		{"@echo off\r\ndel /q x", Batch, "echo del"},
		{"C:\\tools\\curl.exe x", Batch, "curl.exe"},
		{"ls", Shell, "ls"},
		{"apt-get update", Shell, "apt-get"},
		{"for f in *; do stat -f%z $f; done", Shell, "stat"},
		{"type ls", Shell, "type"},
		{"set -e; ls", Shell, "set ls"},
	} {
		s := Parse(r.text)
		if got := names(s); got != r.want || s.Dialect != r.dialect {
			t.Errorf("commands of %q\n got %s (dialect %d)\nwant %s (dialect %d)", r.text, got, s.Dialect, r.want, r.dialect)
		}
	}
}

func TestWords(t *testing.T) {
	for _, r := range []struct {
		text string
		want []Word
	}{
		{"a b", []Word{{"a", true}, {"b", true}}},
		{`a 'b c' "d e" f\ g`, []Word{{"a", true}, {"b c", true}, {"d e", true}, {"f g", true}}},
		{`a "b\"c" 'd\e' "f\g"`, []Word{{"a", true}, {`b"c`, true}, {`d\e`, true}, {`f\g`, true}}},
		{"a $b ${c}d \"$e f\"", []Word{{"a", true}, {"$b", false}, {"${c}d", false}, {"$e f", false}}},
		{"a *.go '*.go' ~/x {a,b} {}", []Word{{"a", true}, {"*.go", false}, {"*.go", true}, {"~/x", false}, {"{a,b}", false}, {"{}", true}}},
		{"a $(b c) `d`", []Word{{"a", true}, {"$(b c)", false}, {"`d`", false}}},
		{`a $'b\nc\x41\u4e2d' ""`, []Word{{"a", true}, {"b\ncA中", true}, {"", true}}},
		{"a 中文 '😀 x'", []Word{{"a", true}, {"中文", true}, {"😀 x", true}}},
	} {
		s := Parse(r.text)
		if got := s.Commands[0].Words; !reflect.DeepEqual(got, r.want) {
			t.Errorf("words of %q\n got %v\nwant %v", r.text, got, r.want)
		}
	}
}

func TestRedirects(t *testing.T) {
	s := Parse("a >b 2>>c 2>&1 <d &>e <<'X'\nf $g\nX")
	want := []Redirect{
		{">", "", Word{"b", true}}, {">>", "2", Word{"c", true}}, {">&", "2", Word{"1", true}},
		{"<", "", Word{"d", true}}, {"&>", "", Word{"e", true}}, {"<<<", "", Word{"f $g", true}},
	}
	if got := s.Commands[0].Redirects; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
	if text, ok := s.Commands[0].Input(); !ok || text.Text != "f $g" {
		t.Errorf("input %v %t", text, ok)
	}
	if text, _ := Parse("a <<X\nf $g\nX").Commands[0].Input(); text != (Word{"f $g", false}) {
		t.Errorf("input %v", text)
	}
}

func TestVerb(t *testing.T) {
	for _, r := range []struct{ text, want string }{
		{"curl -s x", "curl"},
		{"sudo -u me timeout 30 curl -s x", "curl"},
		{"FOO=1 timeout 30 curl -s x", "curl"},
		{"env A=1 nice -n 3 nohup curl x", "curl"},
		{"x=$(curl y)", "curl"},
		{"bash -lc 'cd /x && ls'", "cd"},
		{"if true; then curl x; fi", "true"},
		{"# c\n\n  ls", "ls"},
		{"A=1", ""},
		{"", ""},
		{"/usr/local/bin/python3.11 x", "python3.11"},
		{"Get-ChildItem", "Get-ChildItem"},
		{"time (a; b)", "a"},
		{"> x; y", "y"},
	} {
		if got := Parse(r.text).Verb(); got != r.want {
			t.Errorf("Verb(%q) = %q, want %q", r.text, got, r.want)
		}
	}
}

func TestSinks(t *testing.T) {
	for _, r := range []struct{ text, want string }{
		{"ls", ""},
		{"ls > out", "out"},
		{"ls >> ./out", "out"},
		{"ls >| out", "out"},
		{"ls &> out", "out"},
		{"ls >& out", "out"},
		{"ls 2> err > out", "err out"},
		{"ls > /dev/null 2>&1", ""},
		{"ls 2>/dev/stderr >/dev/stdout >/dev/fd/3", ""},
		{"ls < in", ""},
		{"> out", "out"},
		{"(a; b) > out", "out"},
		{"for x in 1; do a; done > out", "out"},
		{"bash -c 'a > in' > out", "in out"},
		{"a | tee out", "out"},
		{"a | tee -a out other", "out other"},
		{"a | sudo tee /etc/x > /dev/null", "/etc/x"},
		{"a | tee /dev/null", ""},
		{"dd if=/dev/zero of=x bs=1M", "x"},
		{"dd if=x of=/dev/null", ""},
		{"curl -o out https://a.example/x", "out"},
		{"curl -oout https://a.example/x", "out"},
		{"curl -sSLo out https://a.example/x", "out"},
		{"curl --output out https://a.example/x", "out"},
		{"curl --output=out https://a.example/x", "out"},
		{"curl -o /dev/null https://a.example/x", ""},
		{"curl -o - https://a.example/x", ""},
		{"curl -O https://a.example/x/y.tgz?z=1", "y.tgz"},
		{"curl -o a https://a.example/1 -o b https://a.example/2", "a b"},
		{"curl -d -o https://a.example", ""},
		{"curl -H '-o x' https://a.example", ""},
		{"wget -O out https://a.example", "out"},
		{"wget -qO- https://a.example", ""},
		{"wget --output-document=out https://a.example", "out"},
		{"wget -o log https://a.example", ""},
		{"http -o out GET a.example", "out"},
		{"aria2c -o out https://a.example", "out"},
		{"sort -o out in", "out"},
		{"gcc -o prog x.c", "prog"},
		{"go build -o bin/x ./...", "bin/x"},
		{"pandoc x.md -o x.pdf", "x.pdf"},
		{"git log --output=x", "x"},
		{"grep -o x y", ""},
		{"ps -o pid", ""},
		{"kubectl get pods -o yaml", ""},
		{"kubectl get pods --output json", ""},
		{"aws s3 ls --output json", ""},
		{"ssh -o A=b host true", ""},
		{"set -o pipefail", ""},
		{"find . -o -name x", ""},
		{"echo '> x'", ""},
		{`echo "a > b"`, ""},
		{"echo hi > $f", ""},
		{"f=out.txt; echo hi > $f", "out.txt"},
		{"f=out.txt; curl -o \"$f\" https://a.example", "out.txt"},
		{"echo hi > $HOME/x", "$HOME/x"},
		{"tmp=$(mktemp); curl -o \"$tmp\" https://a.example", ""},
		{"cat > f.py <<'EOF'\nx > y\nEOF", "f.py"},
		{"a > x; b > x", "x"},
		{"ls > '/tmp/a b'", "/tmp/a b"},
		{"Invoke-WebRequest -Uri https://a.example -OutFile out.zip", "out.zip"},
		{"Get-Date | Out-File -FilePath x.txt", "x.txt"},
		{"Set-Content x.txt 'hi'", "x.txt"},
		{"Get-Date > x.txt", "x.txt"},
		{"Get-Date > $null", ""},
		{"dir /b > NUL", ""},
		{"dir /b > x.txt", "x.txt"},
		{"ssh host 'a > x'", "x"},
		{"echo $(a > x)", "x"},
	} {
		if got := strings.Join(Parse(r.text).Sinks(), " "); got != r.want {
			t.Errorf("Sinks(%q) = %q, want %q", r.text, got, r.want)
		}
	}
}

func TestFetches(t *testing.T) {
	for _, r := range []struct{ text, want string }{
		// What runs a fetch.
		{"curl https://a.example", "curl https://a.example"},
		{"curl -sSL -H 'A: b' -o x https://a.example", "curl https://a.example"},
		{"curl https://a.example https://b.example", "curl https://a.example https://b.example"},
		{"curl --url https://a.example", "curl https://a.example"},
		{"curl a.example/x", "curl a.example/x"},
		{"curl.exe https://a.example", "curl.exe https://a.example"},
		{"/usr/bin/curl https://a.example", "curl https://a.example"},
		{"wget -q https://a.example", "wget https://a.example"},
		{"wget -O - https://a.example", "wget https://a.example"},
		{"aria2c -x 4 https://a.example/f", "aria2c https://a.example/f"},
		{"http GET https://a.example x==1 Y:z", "http https://a.example"},
		{"http https://a.example a=1", "http https://a.example"},
		{"https a.example", "https a.example"},
		{"xh post https://a.example", "xh post"},
		{"xh POST https://a.example", "xh https://a.example"},
		{"lynx -dump https://a.example", "lynx https://a.example"},
		{"w3m -dump https://a.example", "w3m https://a.example"},
		{"git clone https://a.example/r.git", "git https://a.example/r.git"},
		{"git -C x ls-remote https://a.example/r.git", "git https://a.example/r.git"},
		{"docker run --rm img curl https://a.example", "docker https://a.example"},
		{"docker exec c sh -c 'curl -s https://a.example'", "docker https://a.example"},
		{"sudo timeout 5 curl https://a.example", "curl https://a.example"},
		{"cd x && FOO=1 curl https://a.example | jq .", "curl https://a.example"},
		{"bash -c 'curl https://a.example'", "curl https://a.example"},
		{`bash -lc "cd x; curl -s \"https://a.example\""`, "curl https://a.example"},
		{"echo $(curl https://a.example)", "curl https://a.example"},
		{`x="$(curl -s https://a.example)"`, "curl https://a.example"},
		{"diff <(curl https://a.example) x", "curl https://a.example"},
		{"while true; do curl https://a.example; sleep 1; done", "curl https://a.example"},
		{"f() { curl https://a.example; }; f", "curl https://a.example"},
		{"ssh host curl https://a.example", "curl https://a.example"},
		{"eval 'curl https://a.example'", "curl https://a.example"},
		{"cat urls | xargs curl", "curl"},
		{"cat urls | xargs -n1 curl -s", "curl"},
		{"find . -name u -exec curl {} \\;", "curl {}"},
		{"bash <<'EOF'\ncurl https://a.example\nEOF", "curl https://a.example"},
		{"curl https://a.example | sh", "curl https://a.example"},
		{"U=https://a.example; curl -s \"$U/x\"", "curl https://a.example/x"},
		{"U=https://a.example; curl -s ${U}", "curl https://a.example"},
		{"for u in https://a.example https://b.example; do curl -s $u; done", "curl https://a.example https://b.example"},
		{"for p in 1 2; do curl -s \"https://a.example?p=$p\"; done", "curl https://a.example?p=1 https://a.example?p=2"},
		{`curl -s "$UNKNOWN"`, "curl $UNKNOWN"},
		{"curl -K file", "curl"},
		{"iwr https://a.example", "iwr https://a.example"},
		{"Invoke-WebRequest -Uri https://a.example -OutFile x", "Invoke-WebRequest https://a.example"},
		{"Invoke-RestMethod -Method Get -Uri 'https://a.example'", "Invoke-RestMethod https://a.example"},
		{"$r = iwr -Uri https://a.example -UseBasicParsing; $r.Content", "iwr https://a.example"},
		{"powershell -Command \"Invoke-WebRequest https://a.example\"", "Invoke-WebRequest https://a.example"},
		{"python3 -c 'import urllib.request; print(urllib.request.urlopen(\"https://a.example\").read())'", "python3 https://a.example"},
		{"python -c \"import requests; print(requests.get('https://a.example/x').text)\"", "python https://a.example/x"},
		{"python3 - <<'EOF'\nimport requests\nrequests.get('https://a.example')\nEOF", "python3 https://a.example"},
		{"python3 <<EOF\nimport httpx\nhttpx.get('https://a.example')\nEOF", "python3 https://a.example"},
		{"python3 -c 'import aiohttp'", "python3"},
		{".venv/bin/python -c 'from urllib.request import urlopen; urlopen(\"https://a.example\")'", "python https://a.example"},
		{"python3 -c 'import os; os.system(\"curl https://a.example\")'", "python3 https://a.example"},
		{"node -e 'fetch(\"https://a.example\").then(r=>r.text()).then(console.log)'", "node https://a.example"},
		{"node --input-type=module -e 'await fetch(`https://a.example`)'", "node https://a.example"},
		{"node <<'EOF'\nrequire('https').get('https://a.example'); https.get('https://b.example')\nEOF", "node https://a.example https://b.example"},
		{"bun -e 'await fetch(\"https://a.example\")'", "bun https://a.example"},
		{"deno eval 'await fetch(\"https://a.example\")'", "deno https://a.example"},
		{"ruby -rnet/http -e 'puts Net::HTTP.get(URI(\"https://a.example\"))'", "ruby https://a.example"},
		{"perl -MLWP::Simple -e 'print get(\"https://a.example\")'", "perl https://a.example"},
		{"php -r 'echo file_get_contents(\"https://a.example\");'", "php https://a.example"},
		{"uv run python -c 'import requests; requests.get(\"https://a.example\")'", "uv https://a.example"},
		{"npx tsx -e 'fetch(\"https://a.example\")'", "npx https://a.example"},
		{"poetry run python - <<'EOF'\nimport httpx\nhttpx.get('https://a.example')\nEOF", "poetry https://a.example"},
		{"python3 - https://b.example <<'EOF'\nimport requests # https://c.example\n# https://d.example\nrequests.get('https://a.example')\nEOF", "python3 https://a.example https://b.example"},
		{"python3 -W ignore - <<'EOF'\nimport requests\nrequests.get(\"https://a.example/#x\")\nEOF", "python3 https://a.example/#x"},
		{"node -r x -e '// https://b.example\nfetch(\"https://a.example\") // https://c.example'", "node https://a.example"},
		{"uv run python -c 'x'", ""},
		{"uv run pytest -k curl", ""},
		{"git push https://a.example/r.git main", ""},

		// What only holds an address.
		{"echo https://a.example", ""},
		{"echo curl https://a.example", ""},
		{"printf 'curl https://a.example'", ""},
		{"grep -r https://a.example .", ""},
		{"grep -oE 'https://[a-z]+' f", ""},
		{"rg 'curl https://a.example'", ""},
		{"sed -i 's#https://a.example#https://b.example#' f", ""},
		{"awk '/https:\\/\\/a.example/' f", ""},
		{"cat > README.md <<'EOF'\ncurl https://a.example\nEOF", ""},
		{"cat <<EOF > x.py\nimport requests\nrequests.get('https://a.example')\nEOF", ""},
		{"ls # curl https://a.example", ""},
		{"git commit -m 'see https://a.example'", ""},
		{"git commit -m \"curl https://a.example\"", ""},
		{"git remote add origin https://a.example/r.git", ""},
		{"git log --grep https://a.example", ""},
		{"gh pr create --body 'https://a.example'", ""},
		{"curl -H 'Referer: https://b.example' https://a.example", "curl https://a.example"},
		{"curl -e https://b.example https://a.example", "curl https://a.example"},
		{"curl -d 'u=https://b.example' https://a.example", "curl https://a.example"},
		{"curl --data-raw '{\"u\":\"https://b.example\"}' https://a.example", "curl https://a.example"},
		{"curl -w 'https://b.example %{http_code}' https://a.example", "curl https://a.example"},
		{"curl -x http://proxy:80 https://a.example", "curl https://a.example"},
		{"curl -A 'https://b.example bot' -b x=y https://a.example", "curl https://a.example"},
		{"curl --version", ""},
		{"wget --help", ""},
		{"man curl", ""},
		{"which curl wget", ""},
		{"apt-get install -y curl", ""},
		{"command -v curl", ""},
		{"python3 -c 'print(\"https://a.example\")'", ""},
		{"python3 -c 'print(\"curl https://a.example\")'", ""},
		{"python3 x.py https://a.example", ""},
		{"node -e 'console.log(\"https://a.example\")'", ""},
		{"node -e 'x' https://a.example", ""},
		{"php -r 'echo file_get_contents(\"x.txt\");'", ""},
		{"echo 'x' | mail -s https://a.example me", ""},
		{"docker ps", ""},
		{"docker pull img", ""},
		{"docker run img echo https://a.example", ""},
		{"export U=https://a.example", ""},
		{"U=https://a.example", ""},
		{"jq -r .url f", ""},
		{"lynx https://a.example", ""},
		{"open https://a.example", ""},
		{"Write-Output https://a.example", ""},
	} {
		var got []string
		for _, f := range Parse(r.text).Fetches() {
			got = append(got, strings.Join(append([]string{f.Verb}, f.Addresses...), " "))
		}
		if g := strings.Join(got, "; "); g != r.want {
			t.Errorf("Fetches(%q)\n got %s\nwant %s", r.text, g, r.want)
		}
	}
}

func TestAsksStatus(t *testing.T) {
	for _, r := range []struct {
		text string
		want bool
	}{
		{"curl -s -o /dev/null -w '%{http_code}' https://a.example", true},
		{`curl -sw "%{http_code}\n" https://a.example`, true},
		{"curl --write-out '%{response_code}' https://a.example", true},
		{"curl --write-out=%{response_code} https://a.example", true},
		{"curl -w%{http_code} https://a.example", true},
		{`code=$(curl -s -o /dev/null -w "%{http_code}" x)`, true},
		{"bash -c \"curl -w '%{http_code}' x\"", true},
		{"sudo curl -w '%{http_code}' x", true},
		{"curl https://a.example", false},
		{"curl -w '%{size_download}' https://a.example", false},
		{"curl -d '%{http_code}' https://a.example", false},
		{"echo '%{http_code}'", false},
		{"wc -c x", false},
	} {
		if got := Parse(r.text).AsksStatus(); got != r.want {
			t.Errorf("AsksStatus(%q) = %t", r.text, got)
		}
	}
}

func TestSleep(t *testing.T) {
	for _, r := range []struct {
		text string
		want time.Duration
	}{
		{"sleep 5", 5 * time.Second},
		{"sleep 0.5", 500 * time.Millisecond},
		{"sleep 2m 3s", 2*time.Minute + 3*time.Second},
		{"sleep 1h; sleep 1d", 25 * time.Hour},
		{"a; sleep 5 && b; sleep 6", 11 * time.Second},
		{"sleep $n", 0},
		{"n=7; sleep $n", 7 * time.Second},
		{"sleep infinity", 0},
		{"sleep 99999999999999999999", longest},
		{"echo sleep 5", 0},
		{"bash -c 'sleep 5'", 5 * time.Second},
		{"timeout 5 sleep 3", 3 * time.Second},
		{"usleep 500000", 500 * time.Millisecond},
		{"Start-Sleep -Seconds 5; Get-Date", 5 * time.Second},
		{"Start-Sleep 5", 5 * time.Second},
		{"Start-Sleep -Milliseconds 500", 500 * time.Millisecond},
		{`python3 -c "import time; time.sleep(60)"; cat x`, time.Minute},
		{"python3 -c 'import time; time.sleep(n)'", 0},
		{"node -e 'sleep(2)'", 2 * time.Second},
		{"ls", 0},
	} {
		if got := Parse(r.text).Sleep(); got != r.want {
			t.Errorf("Sleep(%q) = %v, want %v", r.text, got, r.want)
		}
	}
}

func TestAwaits(t *testing.T) {
	for text, want := range map[string]bool{
		"kubectl rollout status deploy/x --timeout=60s": true,
		"timeout 280 gh run watch 5 --exit-status":      true,
		"make & wait": true,
		"for i in $(seq 30); do nc -z h 1 && break; sleep 2; done": true,
		"until curl -fs h; do sleep 1; done; echo up":              true,
		"bash -c 'while ! test -e x; do sleep 1; done'":            true,
		"timeout 60 tail -n 0 -f x.log":                            true,
		"kubectl logs -f deploy/x":                                 true,
		"./scripts/wait-for-it.sh db:5432 -t 60":                   true,
		"inotifywait -e modify x":                                  true,
		"tail -5 f":                                                false,
		"docker build -f Dockerfile .":                             false,
		"sleep 2; ls":                                              false,
		"kubectl get pods":                                         false,
		"for f in *; do cat $f; done; sleep 1":                     false,
		"gh run view 5":                                            false,
	} {
		if got := Parse(text).Awaits(); got != want {
			t.Errorf("Awaits(%q) = %v", text, got)
		}
	}
}

func TestText(t *testing.T) {
	for _, r := range []struct{ text, want string }{
		{"FOO=1  timeout 5 curl   -s  x # c", "FOO=1 timeout 5 curl -s x"},
		{"time ls", "time ls"},
		{`ls "a b"`, "ls 'a b'"},
	} {
		if got := Parse(r.text).Text(); got != r.want {
			t.Errorf("Text(%q) = %q, want %q", r.text, got, r.want)
		}
	}
}

func TestArgv(t *testing.T) {
	s := Argv([]string{"bash", "-lc", "cd x && curl -s 'https://a.example'"})
	if got := names(s); got != "bash>cd bash>curl" {
		t.Errorf("commands %s", got)
	}
	if a, b := s.Canonical(), Parse(`bash -lc "cd x && curl https://a.example"`).Canonical(); a != b {
		t.Errorf("%q is not %q", a, b)
	}
	if s := Argv([]string{"echo", "$x", "a;b", "*"}); !reflect.DeepEqual(s.Commands[0].Words, []Word{{"echo", true}, {"$x", true}, {"a;b", true}, {"*", true}}) {
		t.Errorf("words %v", s.Commands[0].Words)
	}
}

// What differs in substance keeps a canonical command of its own.
func TestCanonicalDiffers(t *testing.T) {
	texts := []string{
		"curl https://a.example", "curl https://b.example", "curl -I https://a.example", "curl -X POST https://a.example",
		"curl -o x https://a.example", "curl -o y https://a.example", "curl https://a.example | head", "curl https://a.example > x",
		"wget https://a.example", "sudo curl https://a.example", "echo 'a b'", "echo a b", "echo 'a  b'", "echo $x", "echo '$x'",
		`echo "$x"`, "ls *.go", "ls '*.go'", "a && b", "a || b", "a; b", "a | b", "a & b", "b; a", "cd x && ls", "cd y && ls",
		"sed -n 1,5p f", "sed -n 1,6p f", "A=1; b", "A=2; b", "cat <<<a", "cat <<<b", "a 2>&1", "a", "(a)", "! a",
	}
	seen := map[string]string{}
	for _, text := range texts {
		c := Parse(text).Canonical()
		if other, ok := seen[c]; ok {
			t.Errorf("%q and %q are both %q", text, other, c)
		}
		seen[c] = text
	}
}

// Hostile texts are answered, by the same code, without the recursive parser.
func TestLongerThanAShellTakes(t *testing.T) {
	line := strings.Repeat("a | ", maxText/4)
	if s := Parse(line); len(s.Commands) == 0 {
		t.Error("the longest command is not read")
	}
	long := "ls  " + line
	s := Parse(long)
	if len(s.Commands) > 0 || !s.Guessed || s.Effect() != Changes || s.Verb() != "" {
		t.Errorf("%d commands, guessed %v, %v, %q", len(s.Commands), s.Guessed, s.Effect(), s.Verb())
	}
	if s.Canonical() != long || s.Text() != long {
		t.Error("it is not told apart by what it says")
	}
}

func TestHostile(t *testing.T) {
	n := 10000
	for name, text := range map[string]string{
		"parentheses":  strings.Repeat("(", n) + "ls" + strings.Repeat(")", n),
		"substitution": strings.Repeat("$(", n) + "ls" + strings.Repeat(")", n),
		"quoted":       strings.Repeat(`"$(`, n) + "ls" + strings.Repeat(`)"`, n),
		"braces":       strings.Repeat("{ ", n) + "ls" + strings.Repeat("; }", n),
		"ifs":          strings.Repeat("if ", n/2) + "ls" + strings.Repeat("; then a; fi", n/2),
		"quotes":       strings.Repeat(`'"`, n),
		"heredocs":     strings.Repeat("cat <<a ", n) + "\n" + strings.Repeat("x\n", n),
		"wrappers":     strings.Repeat("sudo ", n) + "ls",
		"evals":        strings.Repeat("eval ", n) + "ls",
		"finds":        strings.Repeat("find -exec ", n) + "ls",
		"brackets":     strings.Repeat("[", 20*n),
		"globs":        "ls " + strings.Repeat("{", 20*n),
		"dollars":      "U=x; curl " + strings.Repeat("$U", n),
		"long":         "echo " + strings.Repeat("word ", 4*n),
		"chinese":      strings.Repeat("中文", n) + " | " + strings.Repeat("😀", n),
		"nul":          strings.Repeat("a\x00b ", n),
		"powershell":   "Get-Item " + strings.Repeat("@{", n) + strings.Repeat("$(", n),
		"backslashes":  strings.Repeat(`\`, 20*n+1),
		"addresses":    "python3 -c 'import requests " + strings.Repeat("http://a ", n) + "'",
	} {
		s := Parse(text)
		_, _, _, _, _, _ = s.Canonical(), s.Text(), s.Sinks(), s.Fetches(), s.Effect(), s.Sleep()
		if strings.Contains(text, "ls") && len(text) <= maxText && len(s.Commands) == 0 {
			t.Errorf("%s: no commands", name)
		}
	}
}
