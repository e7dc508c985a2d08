package command_test

import (
	"fmt"

	"github.com/loopbreaker/loopbreaker/canonical/command"
)

func ExampleParse() {
	s := command.Parse(`cd /src && sudo timeout 30 curl -sSL -o page.html "https://example.org/a" | tee log`)
	for _, c := range s.Commands {
		fmt.Println(c.Name, c.Wrappers, c.Effect())
	}
	fmt.Println(s.Verb(), s.Sinks(), s.Effect())
	// Output:
	// cd [] looks
	// curl [sudo timeout] changes
	// tee [] changes
	// cd [page.html log] changes
}

func ExampleScript_Canonical() {
	for _, text := range []string{
		`curl -s --max-time 30 "https://example.org/a"`,
		`TOKEN=x timeout 60 curl -sSL   'https://example.org/a'   # try again`,
		`curl -sSL https://example.org/b`,
	} {
		fmt.Println(command.Parse(text).Canonical())
	}
	// Output:
	// curl https://example.org/a
	// curl https://example.org/a
	// curl https://example.org/b
}

func ExampleScript_Fetches() {
	s := command.Parse(`grep https://example.org/doc README.md; U=https://example.org; curl -H "Referer: https://other.example" "$U/a"`)
	for _, f := range s.Fetches() {
		fmt.Println(f.Verb, f.Addresses)
	}
	// Output:
	// curl [https://example.org/a]
}

func ExampleScript_Effect() {
	for _, text := range []string{
		"git status && rg -n TODO src | head",
		"sleep 30; tail -5 build.log",
		"go test ./... 2>&1 | tail -20",
		"sed -i s/a/b/ x.go",
	} {
		s := command.Parse(text)
		fmt.Println(s.Effect(), s.Sleep())
	}
	// Output:
	// looks 0s
	// waits 30s
	// checks 0s
	// changes 0s
}
