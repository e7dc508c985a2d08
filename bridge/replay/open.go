package replay

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/loopbreaker/loopbreaker/bridge/lazy"
)

// format is what a file holds.
type format int

const (
	formatUnknown format = iota
	formatFixture
	formatTrace
	formatPiSession
	formatPiStream
	formatRecording
	formatScenarios
	formatIndex // labels of other files, nothing to play
)

var errUnknownFormat = errors.New("neither a fixture, a trace, a Pi session, a Pi JSON stream, a recording nor scenarios")

// sniffLines is how many lines are looked at to tell what a file is. The first
// may be broken, and a stream's first line is that of a session file.
const sniffLines = 20

// sniff tells a file by its content.
func sniff(r io.Reader) format {
	l := readLines(r)
	defer l.close()
	otherwise := formatUnknown
	for range sniffLines {
		line, err := l.next()
		if err != nil {
			break
		}
		names := map[string][]byte{}
		s := lazy.Scan(line)
		for s.Next() {
			for _, name := range []string{"at", "from", "ev", "events", "expect", "type", "parentId", "file", "label", "calls", "name", "message"} {
				if s.Named(name) {
					names[name] = s.Value()
				}
			}
		}
		has := func(wanted ...string) bool {
			for _, name := range wanted {
				if names[name] == nil {
					return false
				}
			}
			return true
		}
		kind := unquoted(names["type"])
		switch {
		case has("at", "from"):
			return formatTrace
		case has("ev"):
			return formatRecording
		case has("events", "expect"):
			return formatScenarios
		case has("file", "label"):
			return formatIndex
		case has("name", "calls"):
			return formatFixture
		case l.number == 1 && s.Err() != nil && bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")):
			otherwise = formatFixture // spread over several lines; or a broken line of something else
		case kind == "session":
			// A stream begins with one too.
		case has("parentId"), kind == "message" && has("message"):
			return formatPiSession
		case strings.HasSuffix(kind, "_start"), strings.HasSuffix(kind, "_end"):
			return formatPiStream
		}
	}
	return otherwise
}

// sessions yields the sessions of a file of one of the session formats.
func sessions(f format, path string, file io.ReaderAt, size int64, allBranches bool, labels *labels, yield func(*Session) bool) error {
	whole := func() io.Reader { return io.NewSectionReader(file, 0, size) }
	switch f {
	case formatPiSession:
		return piSessions(path, file, size, allBranches, labels, yield)
	case formatPiStream:
		s := labels.of(path)
		if first, err := newLineReader(whole(), fileBuffer).next(); err == nil {
			s.About = about(first)
		}
		s.Events = func(yield func(Event) bool) []string { return eachLine(whole(), nil, yield, streamEvents) }
		yield(&s)
	case formatRecording:
		s := labels.of(path)
		s.Events = func(yield func(Event) bool) []string { return eachLine(whole(), nil, yield, recordedEvent) }
		yield(&s)
	case formatScenarios:
		return scenarios(whole(), yield)
	}
	return nil
}

// eachLine turns the lines of a session into events; of those in on, if it is
// given. A broken line is a fault, and the rest goes on.
func eachLine(r io.Reader, on []bool, yield func(Event) bool, turn func([]byte, int, func(Event) bool) (bool, string)) (faults []string) {
	l := readLines(r)
	defer l.close()
	for {
		line, err := l.next()
		if err == io.EOF || err == nil && on != nil && l.number > len(on) {
			return faults
		}
		if err != nil {
			return append(faults, err.Error())
		}
		if on != nil && !on[l.number-1] || len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		goOn, fault := turn(line, l.number, yield)
		if fault != "" {
			faults = append(faults, faultAt(l.number, fault))
		}
		if !goOn {
			return faults
		}
	}
}

// piSessions yields the session of a file, or the several that stand in it one
// after another; of each the active branch, or every branch as one of its own.
func piSessions(path string, file io.ReaderAt, size int64, allBranches bool, labels *labels, yield func(*Session) bool) error {
	for start, n := int64(0), 1; start < size; n++ {
		l := readLines(io.NewSectionReader(file, start, size-start))
		next := size
		var header About
		entries, err := piIndex(l, func(line []byte) bool {
			if l.number == 1 {
				header = about(line)
			}
			if l.number == 1 || !isHeader(line) {
				return false
			}
			next = start + l.start
			return true
		})
		l.close()
		if err != nil {
			return fmt.Errorf("reading: %w", err)
		}
		s := labels.of(path)
		s.About = header
		if n > 1 {
			s.Name = fmt.Sprintf("%s#%d", s.Name, n)
		}
		from := start
		for i, leaf := range leaves(entries, allBranches) {
			b := s
			if i > 0 {
				b.Name = fmt.Sprintf("%s, branch %d", s.Name, i+1)
			}
			b.Events = func(yield func(Event) bool) []string {
				return eachLine(io.NewSectionReader(file, from, next-from), branch(entries, leaf), yield, piEvents)
			}
			if !yield(&b) {
				return nil
			}
		}
		start = next
	}
	return nil
}

// isHeader reports whether a line begins a session.
func isHeader(line []byte) bool {
	const shortest = `{"type":"session"`
	if len(line) < len(shortest) || !bytes.Contains(line[:min(len(line), 200)], []byte(`"session"`)) {
		return false
	}
	s := lazy.Scan(line)
	for s.Next() {
		if s.Named("type") {
			return unquoted(s.Value()) == "session"
		}
	}
	return false
}

// scenarios yields a session a line.
func scenarios(r io.Reader, yield func(*Session) bool) error {
	l := readLines(r)
	defer l.close()
	for {
		line, err := l.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading: %w", err)
		}
		s := Session{Expect: &Expectation{}}
		var events []byte
		var unknown string
		m := lazy.Scan(line)
		for m.Next() {
			switch {
			case m.Named("id"):
				s.Name = unquoted(m.Value())
			case m.Named("expect"):
				s.Expect.Stage = unquoted(m.Value())
				if !slices.Contains(stages, s.Expect.Stage) {
					unknown = fmt.Sprintf("expect: %q is none of %s", s.Expect.Stage, strings.Join(stages, ", "))
					s.Expect = nil
				}
			case m.Named("by") && s.Expect != nil:
				s.Expect.By, _ = strconv.Atoi(string(m.Value())) // null: at any time
			case m.Named("events"):
				events = bytes.Clone(m.Value())
			}
		}
		number, broken := l.number, m.Err()
		s.Events = func(yield func(Event) bool) (faults []string) {
			if broken != nil {
				return []string{faultAt(number, broken.Error())}
			}
			if unknown != "" {
				return []string{faultAt(number, unknown)}
			}
			each := lazy.Scan(events)
			for each.Next() {
				goOn, fault := recordedEvent(each.Value(), number, yield)
				if fault != "" {
					faults = append(faults, faultAt(number, fault))
				}
				if !goOn {
					return faults
				}
			}
			if each.Err() != nil {
				faults = append(faults, faultAt(number, each.Err().Error()))
			}
			return faults
		}
		if !yield(&s) {
			return nil
		}
	}
}

// labels knows what people have judged of recordings, from an index.jsonl beside
// them or one folder above.
type labels struct {
	mu       sync.Mutex
	byFolder map[string]map[string]label
}

type label struct {
	File      string `json:"file"`
	Label     string `json:"label"`
	LoopStart int    `json:"loop_start"`
}

// of returns the session of a file, with its name and label.
func (ls *labels) of(path string) Session {
	base := filepath.Base(path)
	s := Session{Name: strings.TrimSuffix(base, filepath.Ext(base))}
	for _, folder := range []string{filepath.Dir(path), filepath.Dir(filepath.Dir(path))} {
		if l, ok := ls.in(folder)[base]; ok {
			s.Label, s.LoopStart = l.Label, l.LoopStart
			break
		}
	}
	return s
}

func (ls *labels) in(folder string) map[string]label {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	if known, ok := ls.byFolder[folder]; ok {
		return known
	}
	found := map[string]label{}
	if text, err := os.ReadFile(filepath.Join(folder, "index.jsonl")); err == nil {
		for line := range bytes.Lines(text) {
			var l label
			if jsonv2.Unmarshal(line, &l, jsontext.AllowInvalidUTF8(true)) == nil {
				found[l.File] = l
			}
		}
	}
	if ls.byFolder == nil {
		ls.byFolder = map[string]map[string]label{}
	}
	ls.byFolder[folder] = found
	return found
}
