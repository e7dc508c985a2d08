package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// maxFile is how large a file may be.
const maxFile = 1 << 20

// maxProblems is how many problems of one file are told one by one.
const maxProblems = 20

// nothing ends the reason of a problem that spoils a whole file.
const nothing = "; nothing in it counts"

func (l *loader) readFiles(s Sources) {
	var failed []error
	for _, path := range s.files() {
		info, err := os.Stat(path)
		l.stamps = append(l.stamps, stamp{path, info})
		failed = append(failed, err)
	}
	for i, f := range l.stamps {
		err := failed[i]
		missing := errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
		// A file that stands in two places counts at the stronger one only,
		// which comes to the same, and is read once.
		again := slices.ContainsFunc(l.stamps[i+1:], func(g stamp) bool {
			return f.path == g.path || f.info != nil && g.info != nil && os.SameFile(f.info, g.info)
		})
		if f.path == s.draft.path && s.draft.text != nil {
			l.readFile(f.path, s.draft.text)
			continue
		}
		if missing && f.path != s.Flags.Config || again {
			continue
		}
		var text []byte
		if err == nil {
			text, err = readFile(f)
		}
		if err != nil {
			l.problem(f.path, "", "", "cannot be read: "+bare(err).Error()+nothing)
			continue
		}
		l.readFile(f.path, text)
	}
}

var (
	errTooLarge   = fmt.Errorf("it is larger than %d MiB", maxFile>>20)
	errNotRegular = errors.New("it is not a regular file")
)

func readFile(f stamp) ([]byte, error) {
	// Opening a pipe would wait for a writer.
	if !f.info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	file, err := os.Open(f.path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if len(text) > maxFile {
		return nil, errTooLarge
	}
	return text, err
}

// bare returns an error without the path that the problem names already.
func bare(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// readFile takes the settings from a file's text.
func (l *loader) readFile(origin string, text []byte) {
	if len(bytes.TrimSpace(text)) == 0 {
		l.problem(origin, "", "", "is empty but must hold an object, {} at the least")
		return
	}
	value, at, err := parse(text)
	if err != nil {
		line, column := position(text, at)
		l.problem(origin, "", "", fmt.Sprintf("is not valid JSON at line %d, column %d: %v%s", line, column, err, nothing))
		return
	}
	if value.Kind() != '{' {
		l.problem(origin, "", shown(value), "must be an object"+nothing)
		return
	}
	most := len(l.problems) + maxProblems
	l.readObject(origin, "", value, most)
	if over := len(l.problems) - most; over > 0 {
		l.problems = l.problems[:most]
		l.problem(origin, "", "", fmt.Sprintf("has more problems than these, %d", over))
	}
}

// readObject takes the settings whose paths begin with prefix. Problems over most
// need not be worded well.
func (l *loader) readObject(origin, prefix string, object jsontext.Value, most int) {
	all := members(object)
	times := map[string]int{}
	for _, m := range all {
		times[m.name]++
	}
	for _, m := range all {
		path := prefix + m.name
		index := find(path)
		if strings.Contains(m.name, ".") {
			index = -1
		}
		_, group := groups[path]
		schema := path == "$schema"
		switch {
		case times[m.name] == 0: // told already
		case index < 0 && !group && !schema:
			times[m.name] = 0
			reason := unknown(path)
			if reason == notSetting && len(l.problems) < most {
				reason += hint(path)
			}
			l.problem(origin, prefix+plain(shorten(m.name)), "", reason)
		case times[m.name] > 1:
			times[m.name] = 0
			l.problem(origin, path, "", "is stated more than once, so it does not count")
		case schema:
			if m.value.Kind() != '"' {
				l.problem(origin, path, shown(m.value), "must be a string")
			}
		case group:
			if m.value.Kind() != '{' {
				l.problem(origin, path, shown(m.value), "must be an object")
				continue
			}
			l.readObject(origin, path+".", m.value, most)
		default:
			k := settings[index].kind
			if _, table := k.(mapping); table && m.value.Kind() == '{' {
				l.readMapping(origin, index, m.value, most)
				continue
			}
			value, ok := k.json(m.value)
			if !ok {
				allowed, _ := k.allowed()
				l.problem(origin, path, shown(m.value), "must be "+allowed+meant(unquote(m.value), index))
				continue
			}
			l.give(index, value, origin, path, origin)
		}
	}
}

// hint says what a path may have been meant for that is none in a file.
func hint(path string) string {
	if group, name, dotted := strings.Cut(path, "."); dotted && find(path) >= 0 {
		return fmt.Sprintf(` (write {"%s": {"%s": ...}})`, group, name)
	}
	return didYouMean(path, slices.Concat(paths, slices.Sorted(maps.Keys(groups))))
}

// parse returns the one JSON value that text is, else where it is not and why.
// It lets names pass that stand twice in an object.
func parse(text []byte) (value jsontext.Value, at int, err error) {
	dec := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true))
	value, err = dec.ReadValue()
	var where *jsontext.SyntacticError
	switch {
	case errors.As(err, &where):
		return nil, int(where.ByteOffset), where.Err
	case err != nil:
		return nil, len(text), err
	}
	if rest := bytes.TrimLeft(text[dec.InputOffset():], " \t\r\n"); len(rest) > 0 {
		return nil, len(text) - len(rest), errors.New("more text after the value")
	}
	return value, 0, nil
}

// position returns the line and the column, in characters, of an offset.
func position(text []byte, at int) (line, column int) {
	before := text[:min(max(at, 0), len(text))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte{'\n'}) + 1, utf8.RuneCount(before[start:]) + 1
}

// member is one name and value of an object.
type member struct {
	name  string
	value jsontext.Value
}

// members returns those of a valid object, in order.
func members(object jsontext.Value) []member {
	var all []member
	dec := decoder(object)
	for dec.PeekKind() == '"' {
		name, _ := dec.ReadToken()
		m := member{name: name.String()}
		value, _ := dec.ReadValue()
		m.value = value.Clone()
		all = append(all, m)
	}
	return all
}

// elements returns those of a valid array, in order.
func elements(array jsontext.Value) []jsontext.Value {
	var all []jsontext.Value
	dec := decoder(array)
	for dec.PeekKind() != ']' {
		value, _ := dec.ReadValue()
		all = append(all, value.Clone())
	}
	return all
}

// decoder returns one that stands behind the first brace or bracket.
func decoder(v jsontext.Value) *jsontext.Decoder {
	dec := jsontext.NewDecoder(bytes.NewReader(v), jsontext.AllowDuplicateNames(true))
	dec.ReadToken()
	return dec
}

// unquote returns the string that v is, "" if it is none.
func unquote(v jsontext.Value) string {
	text, err := jsontext.AppendUnquote(nil, v)
	if err != nil {
		return ""
	}
	return string(text)
}

// shown is a value for a person to read.
func shown(v jsontext.Value) string {
	if v.Kind() == '"' {
		return quoted(unquote(v))
	}
	v = v.Clone()
	v.Compact()
	return plain(shorten(string(v)))
}
