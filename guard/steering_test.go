package guard

import (
	"fmt"
	"strings"
	"testing"
)

// The system's own examples of what fetches, and of what only holds an address.
func TestSteering(t *testing.T) {
	const refused, let = true, false
	for _, test := range []struct {
		command string
		want    bool
	}{
		{`curl -s https://example.org/x`, refused},
		{`curl example.org`, refused},
		{`wget -q http://example.org/a.tgz`, refused},
		{`aria2c https://example.org/a.iso`, refused},
		{`cd /tmp && curl https://example.org | jq .`, refused},
		{`bash -c 'curl https://example.org'`, refused},
		{`sudo timeout 5 curl https://example.org`, refused},
		{`python3 -c 'import urllib.request as u; u.urlopen("https://example.org")'`, refused},
		{"python3 - <<'E'\nimport requests\nrequests.get('https://example.org')\nE", refused},
		{`node -e 'fetch("https://example.org").then(r => r.text())'`, refused},
		{`U=$(grep -oE 'https?://[^"]+' f); curl -s "$U"`, refused},
		{`curl "https://$HOST/x"`, refused},
		{`cat urls | xargs curl`, refused},
		{`echo see https://example.org`, let},
		{`grep -r 'https://example.org' .`, let},
		{`rg 'curl https://example.org' docs`, let},
		{`git commit -m 'fetch with curl https://example.org'`, let},
		{`git clone https://example.org/x.git`, let},
		{`docker run x curl https://example.org`, let},
		{"cat > README.md <<'E'\nsee https://example.org\nE", let},
		{`# curl https://example.org`, let},
		{`curl -s -w 'https://example.org %{http_code}' localhost:3000/health`, let},
		{`curl -s http://127.0.0.1:8080/x`, let},
		{`curl http://[::1]:3000/`, let},
		{`curl -H 'Referer: https://example.org' http://localhost/`, let},
		{`curl --version`, let},
		{`npm install`, let},
		{`ls`, let},
	} {
		s := newScript(t, "measures")
		s.OfferFetch(FetchTool)
		if _, d := s.call(test.command); d.Block != test.want {
			t.Errorf("%s: refused %v", test.command, d.Block)
		}
	}
}

func TestSteeringSaysWhatInstead(t *testing.T) {
	s := newScript(t, DefaultPreset)
	s.OfferFetch(FetchTool)
	_, d := s.call("curl -s https://example.org/x")
	if want := "Loopbreaker refused this call: this bash call fetches from the web with curl (https://example.org/x). Use the tool web_fetch_file"; !strings.HasPrefix(d.Reason, want) {
		t.Error(d.Reason)
	}
	if d.Why.Rule != RuleSteering || len(d.Reason) > 500 {
		t.Errorf("%+v", d)
	}
}

func TestSteeringNeedsTheTool(t *testing.T) {
	for _, preset := range PresetNames() {
		s := newScript(t, preset)
		if _, d := s.call("curl https://example.org"); d.Block {
			t.Errorf("%s refuses without a tool to use", preset)
		}
	}
	for _, preset := range []string{"window", "streak", "turns", "risk"} { // which know nothing of it
		s := newScript(t, preset)
		s.OfferFetch(FetchTool)
		if _, d := s.call("curl https://example.org"); d.Block {
			t.Errorf("%s refuses", preset)
		}
	}
}

func TestSteeringByThePolicy(t *testing.T) {
	for _, test := range []struct {
		command string
		change  func(*Measures)
		want    bool
	}{
		{"curl localhost:3000", func(m *Measures) { m.BlockLocalHttp = true }, true},
		{"curl https://example.org", func(m *Measures) { m.BlockShellHttp = false }, false},
		{"curl https://example.org", func(m *Measures) { m.ShellHttpAllow = []string{"curl"} }, false},
		{"git clone https://example.org/x", func(m *Measures) { m.ShellHttpAllow = nil }, true},
	} {
		s := newScript(t, "measures", func(p *Policy) { test.change(&p.Measures) })
		s.OfferFetch(FetchTool)
		if _, d := s.call(test.command); d.Block != test.want {
			t.Errorf("%s: refused %v", test.command, d.Block)
		}
	}
}

// A shell used for a fetch is no loop, but refusals that are not heeded are.
func TestRefusedFetchesEndTheRunOnlyWhenTheyGoOn(t *testing.T) {
	s := newScript(t, DefaultPreset)
	s.OfferFetch(FetchTool)
	var got string
	for i := range 6 {
		got += s.turn(fmt.Sprintf("curl https://example.org/%d", i))
	}
	s.want(got, "bbbbbbE")
}
