package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The host in Python of the protocol page, with the program as it is.
func TestTheHostOfTheProtocolPageWorks(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	page, err := os.ReadFile("bridge/PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	block := func(kind string) string {
		_, rest, found := strings.Cut(string(page), "\n```"+kind+"\n")
		text, _, ended := strings.Cut(rest, "\n```\n")
		if !found || !ended || strings.Contains(rest, "\n```"+kind+"\n") {
			t.Fatalf("the page has not one block of %s", kind)
		}
		return text + "\n"
	}
	host := block("python")
	if n := strings.Count(host, "\n"); n > 60 {
		t.Errorf("the host has %d lines", n)
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "host.py")
	if err := os.WriteFile(path, []byte(host), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, path, program)
	cmd.Dir, cmd.Env = folder, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + folder}
	out, err := cmd.CombinedOutput()
	if want := block("text"); err != nil || string(out) != want {
		t.Errorf("%v, it prints\n%s\nthe page says\n%s", err, out, want)
	}
}
