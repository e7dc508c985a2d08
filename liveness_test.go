package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The linker leaves out every method that nothing can call. Once any function that
// is built in finds methods by a name or number known only at run time, as
// text/template does, that could be any exported method of any type, and all are
// kept; html/template cost 1.9 of 10 MB. One import is enough, of whatever
// depth, and nothing but the size would tell; so the linker is asked.
func TestNothingFindsMethodsByName(t *testing.T) {
	if found := findsMethods(t, "."); len(found) > 0 {
		t.Errorf("every exported method is kept for the sake of %q", found)
	}
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"text/template", "html/template"} {
		if slices.Contains(strings.Fields(string(out)), path) {
			t.Errorf("%s is built in", path)
		}
	}

	// The linker would say so if it were otherwise.
	file := filepath.Join(t.TempDir(), "finds.go")
	const finds = `package main

import (
	"os"
	"reflect"
)

func main() { reflect.ValueOf(os.Stdout).MethodByName(os.Args[1]) }
`
	if err := os.WriteFile(file, []byte(finds), 0o600); err != nil {
		t.Fatal(err)
	}
	if found := findsMethods(t, file); !slices.Contains(found, "main.main") {
		t.Errorf("the linker does not tell what finds methods: %q", found)
	}
}

var findsMethod = regexp.MustCompile(`(\S+)(?: <\w+>)* <ReflectMethod>`)

// findsMethods names the functions in a program that find methods by name.
func findsMethods(t *testing.T, program string) (found []string) {
	t.Helper()
	out, err := exec.Command("go", "build", "-o", os.DevNull, "-ldflags=-dumpdep", program).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, match := range findsMethod.FindAllStringSubmatch(string(out), -1) {
		if !slices.Contains(found, match[1]) {
			found = append(found, match[1])
		}
	}
	return found
}
