package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// packageName is the name in the package.json of the Pi package.
const packageName = "pi-loopbreaker"

// installation is one that Pi's settings, or the folders it looks through, name.
type installation struct {
	source string // as the settings have it
	file   string // the settings, or the folder, that name it
	folder string // of the package, "" where there is none
	// version is that of the package.
	version string
	project bool // named by the project: counts only where Pi trusts that
}

func (e *examination) checkPackage(context.Context) Check {
	if _, err := os.Stat(e.AgentDir); err != nil {
		return Check{Status: Failed, Found: []string{"Pi has no folder for this user yet: " + bare(e.AgentDir, err)}, Advice: e.adviseInstall()}
	}
	var c Check
	for _, base := range []struct {
		folder  string
		project bool
	}{{e.AgentDir, false}, {filepath.Join(e.CWD, ".pi"), true}} {
		found, err := installations(base.folder, e.Home, base.project)
		if err != nil {
			c = Check{Status: Failed, Found: append(c.Found, err.Error()), Advice: "Correct that file: Pi cannot read it either."}
		}
		e.installed = append(e.installed, found...)
	}
	if c.Status == Failed {
		return c
	}
	if len(e.installed) == 0 {
		return Check{Status: Failed, Found: []string{packageName + " is named neither by " + filepath.Join(e.AgentDir, "settings.json") + " nor by the project"}, Advice: e.adviseInstall()}
	}
	c.Status = OK
	for _, i := range e.installed {
		where := "named by " + i.file
		if i.project {
			where += ", which counts where Pi trusts the project"
		}
		switch {
		case i.folder == "":
			c.Status, c.Advice = Failed, "Install it anew, or take it out of the settings with pi remove."
			c.Found = append(c.Found, fmt.Sprintf("%s is not there, though it is %s", i.source, where))
		case i.version != e.Version:
			c.Status, c.Advice = Failed, "Install program and package of one version."
			c.Found = append(c.Found, fmt.Sprintf("%s, but this program is %s: %s, %s", i.version, e.Version, i.folder, where))
		default:
			c.Found = append(c.Found, fmt.Sprintf("%s: %s, %s", i.version, i.folder, where))
		}
	}
	if c.Status == OK && len(e.installed) > 1 {
		c.Status, c.Advice = Warning, "Keep one of them: Pi does not start with two different ones."
	}
	return c
}

// adviseInstall says how to install the package that this program belongs to.
func (e *examination) adviseInstall() string {
	folder := filepath.Dir(filepath.Dir(e.Program)) // it stands in bin/
	if _, _, ok := packageIn(folder); ok {
		return "pi install " + folder
	}
	return "Install it with pi install; the README says how."
}

// installations are those that a folder of Pi's settings names: the user's, or a
// project's.
func installations(base, home string, project bool) (found []installation, err error) {
	file := filepath.Join(base, "settings.json")
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New(bare(file, err))
	}
	var settings struct {
		Packages   []jsontext.Value `json:"packages"`
		Extensions []string         `json:"extensions"`
	}
	if err == nil {
		if err := jsonv2.Unmarshal(text, &settings, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	sources := settings.Extensions
	for _, p := range settings.Packages {
		var source string
		var filtered struct {
			Source string `json:"source"`
		}
		if jsonv2.Unmarshal(p, &source) != nil && jsonv2.Unmarshal(p, &filtered) == nil {
			source = filtered.Source
		}
		sources = append(sources, source)
	}
	for _, source := range sources {
		at := place(base, home, source)
		folder, version, ok := packageIn(at)
		switch {
		case ok:
			found = append(found, installation{source, file, folder, version, project})
		case strings.Contains(source, "loopbreaker") && missing(at):
			found = append(found, installation{source: source, file: file, project: project})
		}
	}
	// What lies in this folder needs no settings.
	extensions := filepath.Join(base, "extensions")
	entries, _ := os.ReadDir(extensions) // there need be none
	for _, entry := range entries {
		if folder, version, ok := packageIn(filepath.Join(extensions, entry.Name())); ok {
			found = append(found, installation{entry.Name(), extensions, folder, version, project})
		}
	}
	return found, nil
}

var (
	gitSource  = regexp.MustCompile(`^(git:|(https?|ssh|git)://)`)
	gitAddress = regexp.MustCompile(`^(?:(?:https?|ssh|git)://)?(?:[^@/]*@)?([^/:]+)(?::\d+)?[/:](.+?)(?:\.git)?(?:[@#].*)?$`)
)

// place is where Pi has what a source in the settings in base names.
func place(base, home, source string) string {
	source = strings.TrimSpace(source)
	if name, ok := strings.CutPrefix(source, "npm:"); ok {
		if at := strings.LastIndex(name, "@"); at > 0 {
			name = name[:at]
		}
		return filepath.Join(base, "npm", "node_modules", filepath.FromSlash(name))
	}
	if gitSource.MatchString(source) {
		if m := gitAddress.FindStringSubmatch(strings.TrimPrefix(source, "git:")); m != nil {
			host := map[string]string{"github": "github.com", "gitlab": "gitlab.com"}[m[1]]
			if host == "" {
				host = m[1]
			}
			return filepath.Join(base, "git", host, filepath.FromSlash(m[2]))
		}
	}
	switch path := filepath.FromSlash(source); {
	case source == "~" || strings.HasPrefix(source, "~/"):
		return filepath.Join(home, path[1:])
	case filepath.IsAbs(path):
		return filepath.Clean(path)
	default:
		return filepath.Join(base, path)
	}
}

// packageIn finds the package in a folder, in the folder of one of its files, or in
// a clone of the repository.
func packageIn(path string) (folder, version string, ok bool) {
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		path = filepath.Dir(path)
	}
	for _, folder := range []string{path, filepath.Join(path, "shim")} {
		text, err := os.ReadFile(filepath.Join(folder, "package.json"))
		if err != nil {
			continue
		}
		var manifest struct {
			Name    string `json:"name"`
			Version string `json:"version"`
		}
		if jsonv2.Unmarshal(text, &manifest) == nil && manifest.Name == packageName {
			return folder, manifest.Version, true
		}
	}
	return "", "", false
}

func missing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// bare is a path and what is wrong with it, without the path once more.
func bare(path string, err error) string {
	var of *fs.PathError
	if errors.As(err, &of) {
		err = of.Err
	}
	return fmt.Sprintf("%s: %v", path, err)
}
