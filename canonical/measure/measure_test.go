package measure

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/loopbreaker/loopbreaker/canonical"
	"github.com/loopbreaker/loopbreaker/canonical/address"
)

func rules(t testing.TB) Rules {
	t.Helper()
	aliases, err := address.ParseAliases(map[string]string{"open-data.canada.ca": "open.canada.ca"})
	if err != nil {
		t.Fatal(err)
	}
	return Rules{
		IgnoreArgs: map[string][]string{"*": {"description", "timeoutMs"}, "bash": {"timeout"}},
		Aliases:    aliases,
	}
}

func of(t testing.TB, r Rules, tool, input string) []string {
	t.Helper()
	s, err := Of(tool, []byte(input), nil, r)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, id := range s.IDs {
		ids = append(ids, string(id))
	}
	return ids
}

func shell(command string) string {
	text, _ := json.Marshal(map[string]string{"command": command})
	return string(text)
}

func TestOf(t *testing.T) {
	local, spared := rules(t), rules(t)
	local.IncludeLocal, spared.SpareLocal = true, true
	for _, test := range []struct {
		name, tool, input string
		rules             Rules
		want              []string
	}{
		{"a file at a place", "read", `{"offset":200,"path":"a.go","description":"again"}`, rules(t), []string{`exact:read:{"offset":200,"path":"a.go"}`}},
		{"decoys of this tool and of all", "bash", `{"timeout":3,"timeoutMs":9,"description":"1st","command":"ls"}`, rules(t),
			[]string{`exact:bash:{"command":"ls"}`, "cmd:ls:ls", "verb:ls"}},
		{"a decoy of another tool counts", "sleep", `{"timeout":3}`, rules(t), []string{`exact:sleep:{"timeout":3}`}},
		{"a fetch in a shell", "bash", shell("FOO=1 timeout 30 curl --max-time 60 -sSL -o out/d.json https://Open-Data.canada.ca:443/d/?b=2#top"), rules(t), []string{
			"cmd:curl:curl -o out/d.json https://Open-Data.canada.ca:443/d/?b=2#top",
			"net:open.canada.ca/d?b=2", "site:canada.ca", "host:open.canada.ca", "sink:out/d.json", "verb:curl", "family:http-fetch",
		}},
		{"a quoted address", "bash", shell(`curl -s 'https://www.example.com/d/?b=2&utm_source=x&a=1#top'`), rules(t), []string{
			`cmd:curl:curl 'https://www.example.com/d/?b=2&utm_source=x&a=1#top'`,
			"net:example.com/d?a=1&b=2", "site:example.com", "host:example.com", "verb:curl", "family:http-fetch",
		}},
		{"a fetch that goes where a variable says", "bash", shell("B=https://a.example; curl $B/x b.example/y"), rules(t), []string{
			"cmd:curl:B=https://a.example; curl ${B}/x b.example/y",
			"net:a.example/", "site:a.example", "host:a.example", "net:a.example/x", "net:b.example/y", "site:b.example", "host:b.example", "verb:curl", "family:http-fetch",
		}},
		{"no sink that says nothing", "bash", shell("curl -s -o /dev/null -w '%{http_code}' https://a.example/ > /dev/stderr"), rules(t), []string{
			`cmd:curl:curl -o /dev/null -w %{http_code} https://a.example/ >/dev/stderr`,
			"net:a.example/", "site:a.example", "host:a.example", "verb:curl", "family:http-fetch",
		}},
		{"a near host", "bash", shell("curl http://localhost:3000/x"), rules(t), []string{
			"cmd:curl:curl http://localhost:3000/x", "net:localhost:3000/x", "site:localhost", "verb:curl", "family:http-fetch",
		}},
		{"a near host that counts", "bash", shell("curl http://localhost:3000/x"), local, []string{
			"cmd:curl:curl http://localhost:3000/x", "net:localhost:3000/x", "site:localhost", "host:localhost", "verb:curl", "family:http-fetch",
		}},
		{"a near host that is spared", "bash", shell("curl http://10.0.0.7/x > out.txt"), spared, []string{"cmd:curl:curl http://10.0.0.7/x >out.txt"}},
		{"near and far", "bash", shell("curl http://10.0.0.7/x https://a.example/"), spared, []string{
			"cmd:curl:curl http://10.0.0.7/x https://a.example/", "net:10.0.0.7/x", "site:10.0.0.7",
			"net:a.example/", "site:a.example", "host:a.example", "verb:curl", "family:http-fetch",
		}},
		{"a command without an address", "bash", shell("go test ./... 2>&1 | tee -a log.txt"), spared, []string{
			"cmd:go:go test ./... 2>&1 | tee -a log.txt", "sink:log.txt", "verb:go",
		}},
		{"options of one dash", "bash", shell("go test -count=1 -timeout 5m -run x ./... && gcc -fopenmp -o a.out a.c"), rules(t), []string{
			"cmd:go:go test -count=1 -timeout 5m -run x ./... && gcc -fopenmp -o a.out a.c", "sink:a.out", "verb:go",
		}},
		{"a mention is a target", "bash", shell(`grep -c 'https://a.example/x' notes.md`), rules(t), []string{
			`cmd:grep:grep -c https://a.example/x notes.md`, "net:a.example/x", "site:a.example", "host:a.example", "verb:grep",
		}},
		{"a tool that fetches", "web_fetch", `{"url":"A.example/x?page=2","prompt":"see"}`, rules(t), []string{
			`exact:web_fetch:{"prompt":"see","url":"A.example/x?page=2"}`, "net:a.example/x?page=2", "site:a.example", "host:a.example", "family:http-fetch",
		}},
		{"a tool that searches without an address", "web_search", `{"query":"x"}`, rules(t), []string{`exact:web_search:{"query":"x"}`}},
		{"what is no address", "web_fetch", `{"url":"./x"}`, rules(t), []string{`exact:web_fetch:{"url":"./x"}`}},
		{"an address of another tool", "todo", `{"url":"https://a.example/"}`, rules(t), []string{`exact:todo:{"url":"https://a.example/"}`}},
		{"a shell by another name", "exec_command", `{"cmd":"ls"}`, rules(t), []string{`exact:exec_command:{"cmd":"ls"}`, "cmd:ls:ls", "verb:ls"}},
		{"no command", "bash", `{"command":"# nothing"}`, rules(t), []string{`exact:bash:{"command":"# nothing"}`}},
	} {
		got := of(t, test.rules, test.tool, test.input)
		if test.tool == "bash" && !strings.HasPrefix(test.want[0], "exact:") {
			got = got[1:]
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s:\n got %q\nwant %q", test.name, got, test.want)
		}
	}
}

// No decoy is in any measure of a call, wherever it stands in the input.
func TestDecoysAreInNoMeasure(t *testing.T) {
	for _, nth := range []string{"1st", "2nd", "3rd"} {
		for _, input := range []string{
			fmt.Sprintf(`{"command":"curl https://a.example/","description":%q,"timeoutMs":60000}`, nth),
			fmt.Sprintf(`{"timeoutMs":60000,"command":"curl https://a.example/","description":{"deep":[%q]}}`, nth),
		} {
			for _, id := range of(t, rules(t), "bash", input) {
				if strings.Contains(id, nth) || strings.Contains(id, "60000") {
					t.Errorf("%s is in %s", nth, id)
				}
			}
		}
	}
}

func TestLongIdentitiesAreCutAndTellApart(t *testing.T) {
	long := strings.Repeat("é", 600)
	a := of(t, rules(t), "bash", shell("echo "+long+"a"))
	b := of(t, rules(t), "bash", shell("echo "+long+"b"))
	for i := range a {
		if len(a[i]) > longest+100 {
			t.Errorf("%d bytes", len(a[i]))
		}
		if strings.HasPrefix(a[i], "verb:") == (a[i] != b[i]) {
			t.Errorf("%s and %s", a[i], b[i])
		}
	}
}

// Of a command that the host has taken out of the input, beginning and end tell what
// it writes and which addresses it mentions.
func TestAnElidedCommand(t *testing.T) {
	for _, test := range []struct {
		head, tail string
		want       []string
	}{
		{"cat > src/x.py <<'EOF'\nimport os\nprint('a > b', \"", "print(1)\nEOF\npython3 src/x.py", []string{"sink:src/x.py", "verb:cat"}},
		{"python3 - <<'EOF'\nget('https://a.example/1')\n", "get('https://b.example/2')\nEOF", []string{
			"net:a.example/1", "site:a.example", "host:a.example", "net:b.example/2", "site:b.example", "host:b.example", "verb:python3",
		}},
		{"", "", nil},
	} {
		elided := []canonical.LongText{{At: "/command", Length: 5000, Head: test.head, Tail: test.tail}, {At: "/description", Length: 9000}}
		s, err := Of("bash", []byte(`{"command":null,"description":null}`), elided, rules(t))
		var got []string
		for _, id := range s.IDs[1:] {
			got = append(got, string(id))
		}
		if err != nil || s.IDs[0].Kind() != Exact || !s.Shell || s.AsksStatus || !slices.Equal(got, test.want) {
			t.Errorf("%q: %q %v, want %q", test.head, got, err, test.want)
		}
	}
	if _, err := Of("bash", []byte(`{"a":1,"a":2}`), nil, rules(t)); err == nil {
		t.Error("an input with a name stated twice is countable")
	}
}

func TestRank(t *testing.T) {
	var last int
	for _, id := range []ID{"host:a", "net:a/", "site:a", "sink:a", "cmd:ls:ls", "exact:x:{}", "family:http-fetch", "verb:ls", "other:x", ""} {
		if id.Rank() < last {
			t.Errorf("%s comes before the one before it", id)
		}
		last = id.Rank()
	}
	if !ID("host:a").less("net:b") || ID("").less("verb:x") {
		t.Error("the order is not that of Kinds")
	}
}

func (id ID) less(other ID) bool { return id.Rank() < other.Rank() }

func BenchmarkOf(b *testing.B) {
	r := rules(b)
	for name, input := range map[string]string{
		"fetch": shell("timeout 30 curl --max-time 60 -sSL -o out/d.json 'https://open-data.canada.ca/d/?b=2&a=1' | jq ."),
		"words": shell("go test ./... 2>&1 | tail -20"),
		"long":  shell("python3 - <<'EOF'\n" + strings.Repeat("print('https://a.example/x')\n", 130) + "EOF"),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Of("bash", []byte(input), nil, r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Whatever the input, there are measures or an error, and the same each time.
func FuzzOf(f *testing.F) {
	f.Add("bash", []byte(shell("curl https://a.example/ > x")))
	f.Add("web_fetch", []byte(`{"url":"https://a.example/"}`))
	f.Add("read", []byte(`[1,2]`))
	r := rules(f)
	f.Fuzz(func(t *testing.T, tool string, input []byte) {
		s, err := Of(tool, input, nil, r)
		again, _ := Of(tool, input, nil, r)
		switch {
		case err != nil && len(s.IDs) > 0, err == nil && (len(s.IDs) == 0 || s.IDs[0].Kind() != Exact):
			t.Errorf("%v, %v", s, err)
		case !slices.Equal(s.IDs, again.IDs):
			t.Errorf("%v, then %v", s, again)
		}
		for i, id := range s.IDs {
			if id.Rank() == len(Kinds) || slices.Contains(s.IDs[:i], id) {
				t.Errorf("%v", s)
			}
		}
	})
}
