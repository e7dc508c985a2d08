package replay

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/loopbreaker/loopbreaker/bridge"
)

// Outcome is what a recording led to.
type Outcome struct {
	Name string `json:"name"`
	// Calls is how many calls were put to the guard, Blocked how many it
	// refused.
	Calls   int `json:"calls"`
	Blocked int `json:"blocked"`
	// FirstBlock is the number of the first refused call, counted from 1.
	FirstBlock *int `json:"firstBlock"`
	// Entries is how many entries the session file was given.
	Entries int `json:"entries"`
}

func (o *Outcome) count(d bridge.Decision) {
	o.Calls++
	o.Entries += len(d.Entries)
	if d.Block {
		o.Blocked++
		if o.FirstBlock == nil {
			first := o.Calls
			o.FirstBlock = &first
		}
	}
}

// File is a recording to be played.
type File struct {
	// Path is what it is called in messages; Text is what it holds.
	Path string
	Text []byte
}

// Player plays files, one after another, each on a fresh connection.
type Player struct {
	Options bridge.Options
	// Out takes one JSON line an outcome, Err a line for every fault.
	Out, Err io.Writer
}

// Play plays one file: a fixture or a trace, told apart by content. It reports
// whether the evidence was sound and everything as it should be; the error is
// that of writing the report.
func (p *Player) Play(ctx context.Context, f File) (ok bool, err error) {
	if isTrace(f.Text) {
		return p.playTraces(ctx, f)
	}
	fixture, err := LoadFixture(f.Text)
	if err != nil {
		return false, p.fault(f, err.Error())
	}
	outcome, err := fixture.Play(ctx, p.Options)
	if err != nil {
		return false, p.fault(f, err.Error())
	}
	return p.report(f, outcome, fixture.Compare(outcome))
}

func (p *Player) playTraces(ctx context.Context, f File) (ok bool, err error) {
	name := strings.TrimSuffix(filepath.Base(f.Path), filepath.Ext(f.Path))
	traces, err := LoadTraces(name, f.Text)
	if err != nil {
		return false, p.fault(f, err.Error())
	}
	ok = true
	for _, t := range traces {
		outcome, faults, err := t.Play(ctx, p.Options)
		if err != nil {
			return false, p.fault(f, err.Error())
		}
		sound, err := p.report(f, outcome, faults)
		if err != nil {
			return false, err
		}
		ok = ok && sound
	}
	return ok, nil
}

// isTrace reports whether the first line of a file is one of a trace.
func isTrace(text []byte) bool {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	var l struct {
		At   jsontext.Value `json:"at"`
		From string         `json:"from"`
	}
	return jsonv2.Unmarshal(first, &l, lenient) == nil && l.At != nil && l.From != ""
}

func (p *Player) report(f File, o Outcome, faults []string) (ok bool, err error) {
	line, err := jsonv2.Marshal(o)
	if err != nil {
		return false, fmt.Errorf("encoding an outcome: %w", err)
	}
	if _, err := p.Out.Write(append(line, '\n')); err != nil {
		return false, fmt.Errorf("writing an outcome: %w", err)
	}
	for _, fault := range faults {
		if err := p.fault(f, fault); err != nil {
			return false, err
		}
	}
	return len(faults) == 0, nil
}

func (p *Player) fault(f File, what string) error {
	_, err := fmt.Fprintf(p.Err, "%s: %s\n", f.Path, what)
	return err
}
