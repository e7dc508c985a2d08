package replay

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/loopbreaker/loopbreaker/bridge"
)

// Lab plays files, several at a time, under one policy or several side by side.
type Lab struct {
	// Options are what every session is served with.
	Options bridge.Options
	// Presets are compared side by side; without any, Options say it all.
	Presets []string
	// AllBranches plays every branch of a Pi session, not just the active one.
	AllBranches bool
	// Known, if not nil, is how far measures come in the files, for a sweep to mark
	// what can never act.
	Known *Reach
	// Workers is how many files are played at a time; below 1 means 1. A single one is
	// not shown the next file before the last is reported, so that Watch may write to
	// where the report goes.
	Workers int
	// Watch, if not nil, is given every call of every session, with the outcome
	// so far; calls of one session come in order.
	Watch func(session *Session, preset string, s Step)
	// Progress, if not nil, is told of every byte of a file that is done with.
	Progress func(bytes int64)
}

// File is a recording to be played: what it is called, and how it is opened.
type File struct {
	Path string
	Size int64
	Open func() (io.ReaderAt, io.Closer, error)
}

// Played is what came of one session under one policy. Faults are what is wrong
// with the evidence or not as expected, a sentence each, with the file's path.
type Played struct {
	// Path is that of the file.
	Path    string
	Outcome Outcome
	Faults  []string
	// Session is the one that Lab.Watch was shown, nil for a fixture or a trace.
	Session *Session
}

// Play plays files and gives report what came of each, in the order of the files
// and their sessions. When ctx ends it returns with what was done so far.
func (l *Lab) Play(ctx context.Context, files []File, report func(Played)) {
	known := &labels{}
	if l.Workers <= 1 {
		for _, f := range files {
			for _, p := range l.played(ctx, f, known) {
				report(p)
			}
		}
		return
	}
	type job struct {
		file File
		done chan []Played
	}
	jobs := make(chan job)
	queue := make(chan job, 2*l.Workers) // files whose turn it will be
	go func() {
		defer close(jobs)
		defer close(queue)
		for _, f := range files {
			j := job{f, make(chan []Played, 1)}
			select {
			case <-ctx.Done():
				return
			case queue <- j:
			}
			jobs <- j
		}
	}()
	var workers sync.WaitGroup
	for range l.Workers {
		workers.Go(func() {
			for j := range jobs {
				j.done <- l.played(ctx, j.file, known)
			}
		})
	}
	for j := range queue {
		for _, p := range <-j.done {
			report(p)
		}
	}
	workers.Wait()
}

// played plays one file, and tells that it is done with.
func (l *Lab) played(ctx context.Context, f File, known *labels) []Played {
	all := l.file(ctx, f, known)
	if l.Progress != nil {
		l.Progress(f.Size)
	}
	return all
}

// file plays one file under every policy.
func (l *Lab) file(ctx context.Context, f File, known *labels) (all []Played) {
	fail := func(err error) []Played { return append(all, Played{Faults: []string{f.Path + ": " + err.Error()}}) }
	if ctx.Err() != nil {
		return nil
	}
	in, closer, err := f.Open()
	if err != nil {
		return append(all, Played{Faults: []string{err.Error()}})
	}
	defer closer.Close()

	kind := sniff(io.NewSectionReader(in, 0, f.Size))
	switch kind {
	case formatIndex:
		return nil
	case formatUnknown:
		return fail(errUnknownFormat)
	case formatFixture, formatTrace:
		text, err := io.ReadAll(io.NewSectionReader(in, 0, f.Size))
		if err != nil {
			return fail(err)
		}
		for _, preset := range l.presets() {
			if kind == formatTrace {
				all = append(all, l.traces(ctx, f.Path, text, preset)...)
			} else {
				all = append(all, l.fixture(ctx, f.Path, text, preset))
			}
		}
		return all
	}
	err = sessions(kind, f.Path, in, f.Size, l.AllBranches, known, func(s *Session) bool {
		for _, preset := range l.presets() {
			all = append(all, l.session(ctx, f.Path, s, preset))
		}
		return ctx.Err() == nil
	})
	if err != nil {
		return fail(err)
	}
	return all
}

// presets are what each session is played under: "" for that of Options alone.
func (l *Lab) presets() []string {
	if len(l.Presets) == 0 {
		return []string{""}
	}
	return l.Presets
}

func (l *Lab) options(preset string) bridge.Options {
	o := l.Options
	if preset != "" {
		o.Flags.Preset = preset
	}
	return o
}

func (l *Lab) session(ctx context.Context, path string, s *Session, preset string) Played {
	var watch func(Step)
	if l.Watch != nil {
		watch = func(step Step) { l.Watch(s, preset, step) }
	}
	outcome, faults, err := s.Play(ctx, l.options(preset), watch)
	outcome.Preset = preset
	if ctx.Err() != nil {
		return played(path, Outcome{}, []string{s.Name + ": interrupted"})
	}
	if err != nil {
		faults = append(faults, err.Error())
	}
	p := played(path, outcome, faults)
	p.Session = s
	return p
}

func (l *Lab) fixture(ctx context.Context, path string, text []byte, preset string) Played {
	f, err := LoadFixture(text)
	if err != nil {
		return Played{Faults: []string{path + ": " + err.Error()}}
	}
	outcome, err := f.Play(ctx, l.options(preset))
	outcome.Preset = preset
	if err != nil {
		return played(path, outcome, []string{err.Error()})
	}
	// What a fixture expects is what the window rule does.
	if o := l.options(preset).Flags; o.Preset != "" && o.Preset != "window" && o.Preset != "default" || len(o.Set) > 0 || o.Config != "" {
		return played(path, outcome, nil)
	}
	return played(path, outcome, f.Compare(outcome))
}

func (l *Lab) traces(ctx context.Context, path string, text []byte, preset string) (all []Played) {
	traces, err := LoadTraces(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), text)
	if err != nil {
		return []Played{{Faults: []string{path + ": " + err.Error()}}}
	}
	for _, t := range traces {
		outcome, faults, err := t.Play(ctx, l.options(preset))
		outcome.Preset = preset
		if err != nil {
			faults = append(faults, err.Error())
		}
		all = append(all, played(path, outcome, faults))
	}
	return all
}

func played(path string, o Outcome, faults []string) Played {
	for i, f := range faults {
		faults[i] = path + ": " + f
	}
	return Played{Path: path, Outcome: o, Faults: faults}
}

// Files returns the recordings that paths name, in order: files as they are, of
// folders every .json and .jsonl file below them, and for "-" what stdin holds. A
// path that cannot be read is one that cannot be opened.
func Files(ctx context.Context, paths []string, stdin io.Reader) (files []File) {
	for _, path := range paths {
		if path == "-" {
			files = append(files, spooled(ctx, "stdin", stdin))
			continue
		}
		info, err := os.Stat(path)
		if err != nil || !info.IsDir() {
			files = append(files, single(ctx, path, info, err))
			continue
		}
		err = filepath.WalkDir(path, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !slices.Contains([]string{".json", ".jsonl"}, filepath.Ext(path)) {
				return err
			}
			info, err := os.Stat(path) // of what a link leads to
			files = append(files, single(ctx, path, info, err))
			return nil
		})
		if err != nil {
			files = append(files, unreadable(path, err))
		}
	}
	return files
}

// single is one file. What is none of the file system's own, such as a pipe, is
// copied first.
func single(ctx context.Context, path string, info fs.FileInfo, err error) File {
	if err != nil {
		return unreadable(path, err)
	}
	if info.Mode().IsRegular() {
		return OnDisk(path, info.Size())
	}
	in, err := os.Open(path)
	if err != nil {
		return unreadable(path, err)
	}
	defer in.Close()
	return spooled(ctx, path, in)
}

func unreadable(path string, err error) File {
	return File{path, 0, func() (io.ReaderAt, io.Closer, error) { return nil, nil, err }}
}

// OnDisk is a file of the file system.
func OnDisk(path string, size int64) File {
	return File{path, size, func() (io.ReaderAt, io.Closer, error) {
		f, err := os.Open(path)
		return f, f, err
	}}
}

// InMemory is a file that is held in memory.
func InMemory(path string, text []byte) File {
	return File{path, int64(len(text)), func() (io.ReaderAt, io.Closer, error) {
		return bytes.NewReader(text), io.NopCloser(nil), nil
	}}
}

// spooled copies a stream to a temporary file, for sessions are read twice. The
// file has no name any more when this returns, or loses it with the process.
func spooled(ctx context.Context, name string, in io.Reader) File {
	keep := func(err error) File { return unreadable(name, fmt.Errorf("%s: keeping it: %w", name, err)) }
	f, err := os.CreateTemp("", "loopbreaker-stdin-")
	if err != nil {
		return keep(err)
	}
	os.Remove(f.Name())
	copied := make(chan error, 1)
	var size int64
	go func() {
		n, err := io.Copy(f, in)
		size = n
		copied <- err
	}()
	select {
	case <-ctx.Done(): // whoever writes to us may never end
		return keep(ctx.Err())
	case err := <-copied:
		if err != nil {
			return keep(err)
		}
	}
	return File{name, size, func() (io.ReaderAt, io.Closer, error) { return f, io.NopCloser(nil), nil }}
}
