package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Save has a setting be what a person wants from now on, or, where there is no
// value, what it is where nothing sets it. It goes into the user's file, and
// without one into s.Flags, for the time of the session. The value is of the
// setting's type, or a string as a person types it: JSON, or as in the environment.
// Entries of a table are put to those that are there.
//
// An error is a Problem, and nothing is changed: a value is not allowed,
// contradicts what else is set, or the file cannot be changed.
func (s *Sources) Save(path string, value jsontext.Value) (Saved, error) {
	index := find(path)
	if index < 0 {
		reason := unknown(path)
		if reason == notSetting {
			reason += didYouMean(path, paths)
		}
		return Saved{}, Problem{"", plain(shorten(path)), "", reason}
	}
	var wanted any
	if value != nil {
		var ok bool
		if wanted, ok = settings[index].read(value); !ok {
			json, allowed := settings[index].kind.allowed()
			if value.Kind() != '"' {
				allowed = json
			}
			return Saved{}, Problem{"", path, shown(value), "must be " + allowed + meant(unquote(value), index)}
		}
	}
	file := s.UserFile()
	var c *Config
	var err error
	if file == "" {
		c, err = s.keep(index, wanted)
	} else {
		c, err = s.write(file, index, wanted)
	}
	if err != nil {
		return Saved{}, err
	}
	saved := Saved{Config: c, Now: c.live(index)}
	if file != "" {
		saved.File = plain(file)
		saved.Overruled = wanted != nil && c.from[index].origin != file
	}
	return saved, nil
}

// Saved is what has become of a setting that was saved.
type Saved struct {
	// Config holds from now on.
	Config *Config
	// Now is the setting in it. Overruled is whether that is not as it was saved,
	// for a stronger layer sets it.
	Now       Live
	Overruled bool
	// File is where it was saved, "" if it holds for the session only.
	File string
}

// read takes a value of the setting's type, or a text that is one, or that means
// one.
func (s *setting) read(value jsontext.Value) (any, bool) {
	if v, ok := s.kind.json(value); ok {
		return v, true
	}
	if value.Kind() != '"' {
		return nil, false
	}
	text := unquote(value)
	if typed, _, err := parse([]byte(text)); err == nil {
		if v, ok := s.kind.json(typed); ok {
			return v, true
		}
	}
	return s.kind.text(text)
}

// keep changes a setting for the session only.
func (s *Sources) keep(index int, wanted any) (*Config, error) {
	path := settings[index].path
	after := *s
	after.Flags.Set = slices.Clone(s.Flags.Set)
	if wanted == nil {
		after.Flags.Set = slices.DeleteFunc(after.Flags.Set, func(set string) bool { return strings.HasPrefix(set, path+"=") })
	} else {
		after.Flags.Set = append(after.Flags.Set, Setting{Path: path, Value: settings[index].outward(wanted)}.String())
	}
	c := Load(after)
	if err := c.newProblem(Load(*s)); err != nil {
		return nil, err
	}
	*s = after
	return c, nil
}

// write changes a setting in the user's file.
func (s *Sources) write(file string, index int, wanted any) (*Config, error) {
	failed := func(err error) error { return Problem{file, "", "", "cannot be changed: " + bare(err).Error()} }
	text, err := readOrBegin(file)
	if err != nil {
		return nil, failed(err)
	}
	root, _, err := parse(text)
	if err != nil || root.Kind() != '{' {
		return nil, failed(errors.New("it is not a valid JSON object"))
	}
	group, _, deeper := strings.Cut(settings[index].path, ".")
	for _, m := range members(root) {
		if deeper && m.name == group && m.value.Kind() != '{' {
			return nil, Problem{file, group, shown(m.value), "must be an object"}
		}
	}
	before := Load(*s)
	if entries, ok := before.setBy(file, index).(map[string]any); ok && wanted != nil {
		entries = maps.Clone(entries)
		maps.Copy(entries, wanted.(map[string]any))
		wanted = entries
	}
	var value jsontext.Value
	if wanted != nil {
		if value, err = jsonv2.Marshal(settings[index].outward(wanted), jsonv2.Deterministic(true)); err != nil {
			return nil, failed(err)
		}
	}
	edited := edit(text, settings[index].path, value)

	after := *s
	after.draft = draft{file, edited}
	c := Load(after)
	if err := c.newProblem(before); err != nil {
		return nil, err
	}
	if !reflect.DeepEqual(c.setBy(file, index), wanted) {
		return nil, failed(fmt.Errorf("it states %s more than once", settings[index].path))
	}
	if err := replace(file, edited); err != nil {
		return nil, failed(err)
	}
	return Load(*s), nil
}

// newProblem returns a problem that the configuration has and the other has not:
// what must be, without what follows where it is not.
func (c *Config) newProblem(other *Config) error {
	for _, p := range c.Problems {
		if !slices.Contains(other.Problems, p) {
			must, _, _ := strings.Cut(p.Reason, ";")
			return Problem{"", p.Path, p.Value, must}
		}
	}
	return nil
}

// setBy returns the value that a layer sets, nil if it sets none.
func (c *Config) setBy(origin string, index int) (value any) {
	for _, g := range c.given {
		if g.index == index && g.origin == origin {
			value = g.value
		}
	}
	return value
}

// draft is the text of a file that is not written yet.
type draft struct {
	path string
	text []byte
}

// UserFile is the path of the user's own file, "" if there can be none.
func (s Sources) UserFile() string {
	if s.AgentDir == "" {
		return ""
	}
	return filepath.Join(s.AgentDir, "extensions", fileName)
}

// readOrBegin returns a file's text, and an empty object where there is none.
func readOrBegin(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return []byte("{}\n"), nil
	} else if err != nil {
		return nil, err
	}
	text, err := readFile(stamp{path, info})
	if err == nil && len(strings.TrimSpace(string(text))) == 0 {
		text = []byte("{}\n")
	}
	return text, err
}

// replace puts a file's new text in its place in one step, so that whoever reads
// it meanwhile reads the old or the new one whole. A link stays one, and a file
// keeps its mode.
func replace(path string, text []byte) (err error) {
	mode := os.FileMode(0o644)
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), fileName+".*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(temp.Name())
		}
	}()
	_, err = temp.Write(text)
	err = errors.Join(err, temp.Chmod(mode), temp.Sync(), temp.Close())
	if err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}
