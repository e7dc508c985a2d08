package command

import "testing"

func TestVerb(t *testing.T) {
	for text, want := range map[string]string{
		"ls -la":                                "ls",
		"sudo -u me timeout 30 FOO=1 curl -s x": "FOO=1",
		"FOO=1 timeout 30 curl -s x":            "curl",
		"bash -lc 'cd /x && ls'":                "cd",
	} {
		if got := Parse(text).Verb(); got != want {
			t.Errorf("Verb(%q) = %q, want %q", text, got, want)
		}
	}
}
