package doctor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/loopbreaker/loopbreaker/bridge"
)

// find has the extension's own code say which program it starts.
const find = `import { pathToFileURL } from "node:url";
const { findBinary } = await import(pathToFileURL(process.argv[1]).href);
process.stdout.write(JSON.stringify(findBinary()));`

// checkGuard looks at the program that the extension starts, which need not be this.
func (e *examination) checkGuard(ctx context.Context) Check {
	folder := e.shim()
	switch {
	case folder == "":
		return Check{Status: Skipped, Found: []string{"needs the package"}}
	case e.node == "":
		return Check{Status: Skipped, Found: []string{"needs Node"}}
	}
	out, err := e.output(ctx, e.node, "--input-type=module", "-e", find, filepath.Join(folder, "binary.js"))
	var found struct {
		Path    string `json:"path"`
		Missing string `json:"missing"`
		Sources struct {
			Root string `json:"root"`
		} `json:"sources"`
	}
	if err == nil {
		err = jsonv2.Unmarshal([]byte(out), &found)
	}
	switch {
	case err != nil:
		return Check{Status: Failed, Found: []string{fmt.Sprintf("%s does not tell which program it starts: %v", folder, err)}, Advice: "Install the package anew."}
	case found.Sources.Root != "":
		return Check{Status: Failed, Found: []string{"it is not built yet, from " + found.Sources.Root}, Advice: untilBuilt}
	case found.Path == "":
		return Check{Status: Failed, Found: []string{found.Missing}, Advice: "Do what it says."}
	}
	ours, err1 := os.Stat(e.Program)
	theirs, err2 := os.Stat(found.Path)
	if err1 == nil && err2 == nil && os.SameFile(ours, theirs) {
		return Check{Status: OK, Found: []string{"the extension starts this program"}}
	}
	version, err := e.output(ctx, found.Path, "version")
	want := VersionLine(e.Version)
	switch {
	case err != nil:
		return Check{Status: Failed, Found: []string{fmt.Sprintf("the extension starts %s, which does not run: %v", found.Path, err)}, Advice: "Build or install that program anew."}
	case version != want:
		return Check{Status: Failed, Found: []string{fmt.Sprintf("the extension starts %s, which says %q where this program says %q", found.Path, version, want)},
			Advice: "Install program and package of one version."}
	}
	return Check{Status: OK, Found: []string{"the extension starts another file of the same version: " + found.Path}}
}

// VersionLine is what `loopbreaker version` prints, without the end of the line.
func VersionLine(version string) string {
	return fmt.Sprintf("loopbreaker %s (protocol %d)", version, bridge.Protocol)
}

// shim is the folder of the extension: of what Pi loads, else of what it should.
func (e *examination) shim() string {
	if e.entry != "" {
		return filepath.Dir(e.entry)
	}
	for _, i := range e.installed {
		if i.folder != "" {
			return i.folder
		}
	}
	folder, _, _ := packageIn(filepath.Dir(filepath.Dir(e.Program)))
	return folder
}
