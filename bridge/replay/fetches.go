package replay

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/loopbreaker/loopbreaker/bridge/config"
)

// Fetches is what the shells of recorded sessions had to do with the web: what the
// list of programs that may fetch (measures.shellHttpAllow, of the system
// `measures`) can be chosen by. An address counts if it is far away, or not written
// out; with measures.blockLocalHttp every one does.
type Fetches struct {
	Totals FetchTotals
	// Programs are those that were given such an address or fetched one, the one
	// of most calls first.
	Programs []FetchProgram
	// Exemptions are what the list decides on: the programs of it that came, and
	// all others that had to do with a refused call. The one that matters most is
	// the first.
	Exemptions []Exemption
}

// FetchTotals counts calls of shells, those that came to the guard.
type FetchTotals struct {
	Sessions int `json:"sessions"`
	Calls    int `json:"calls"`
	// Remote is how many hold an address that counts, or fetch one.
	Remote int `json:"remote"`
	// Refused is how many the guard refuses for what they fetch, Fetching how many
	// of them run a downloader, or code that makes a request, and Incidental how
	// many run neither.
	Refused    int `json:"refused"`
	Fetching   int `json:"fetching"`
	Incidental int `json:"incidental"`
	// Unwritten is how many of Refused do not say what they fetch: it comes from a
	// variable, a pipe or a file.
	Unwritten int `json:"unwritten"`
}

// FetchProgram is a program, by the name it was called by.
type FetchProgram struct {
	Program string `json:"program"`
	// Segments is how many of the simple commands with it have to do with the web,
	// Calls how many calls they are of.
	Segments int `json:"segments"`
	Calls    int `json:"calls"`
	// Fetched is how many of Calls ran a fetch by it, Mentioned how many only gave
	// it an address.
	Fetched   int `json:"fetched"`
	Mentioned int `json:"mentioned"`
	// Exempt is whether the list has it.
	Exempt bool `json:"exempt"`
}

// Exemption is what it would change to put a program on the list; or, if it is
// there, what it changes.
type Exemption struct {
	Program string `json:"program"`
	Exempt  bool   `json:"exempt"`
	// Passes is how many calls run because of it, ItFetches how many of them fetch
	// by the program, and OthersFetch how many by another: an exemption that lets
	// those pass is a way around the rule.
	Passes      int     `json:"passes"`
	ItFetches   int     `json:"itFetches"`
	OthersFetch int     `json:"othersFetch"`
	Verdict     Verdict `json:"verdict"`
}

// Verdict is what speaks for or against an exemption.
type Verdict string

// Verdicts. A guard that judges each fetch by its own program has neither Bypass nor
// Harmless; that this one is such a guard is for the sessions to show.
const (
	Unnamable Verdict = "unnamable" // the list cannot name the program
	Needless  Verdict = "needless"  // it changes nothing
	Bypass    Verdict = "bypass"    // fetches by others pass with it
	Fetching  Verdict = "fetching"  // what passes are fetches of its own
	Harmless  Verdict = "harmless"  // what passes fetches nothing
)

func (e Exemption) verdict() Verdict {
	switch {
	case e.Passes == 0:
		return Needless
	case e.ItFetches == e.Passes:
		return Fetching
	case e.OthersFetch > 0:
		return Bypass
	case e.ItFetches > 0:
		return Fetching
	}
	return Harmless
}

// Fetches plays the files once with the tool that fetches on offer, and with nothing
// refused but what a shell fetches; then the files that a program of the list, or
// one of a refused call, occurs in once more, with that program off the list or on
// it. faults are those of the files, told once; a trace or a fixture is one of them,
// as its calls cannot be looked at.
func (l *Lab) Fetches(ctx context.Context, files []File) (f Fetches, faults []string) {
	one := l.steering()
	allowed := one.policy().ShellHttpAllow
	in := scope{one.policy().BlockLocalHttp}
	sessions, faults := watched(ctx, one, files, in.call)
	f.count(sessions, allowed)
	for _, p := range f.Programs {
		if !p.Exempt && !refusedWith(sessions, p.Program) {
			continue
		}
		e := one.exemption(ctx, files, sessions, p)
		if ctx.Err() != nil {
			break // only some of the sessions were played
		}
		f.Exemptions = append(f.Exemptions, e)
	}
	slices.SortStableFunc(f.Exemptions, func(a, b Exemption) int { return cmp.Compare(b.Passes, a.Passes) })
	return f, faults
}

// steering is the lab with a guard that sends fetches to the tool, and does nothing
// else by itself.
func (l *Lab) steering() Lab {
	one := *l
	one.Presets = nil
	one.Options.Flags.Preset = "measures"
	one.Options.Flags.Set = append(slices.Clone(l.Options.Flags.Set), "fetch.enabled=true",
		"measures.limits="+everything("null"), "ladder.refusals=0", "ladder.strikes=0")
	return one
}

// kept is what was kept of the calls of a session, and the path of its file.
type kept[T any] struct {
	path  string
	calls []T
}

// watched plays files and returns what keep kept of each session, in their order.
func watched[T any](ctx context.Context, l Lab, files []File, keep func(Step) (T, bool)) (sessions []kept[T], faults []string) {
	var mu sync.Mutex
	calls := map[*Session][]T{}
	l.Watch = func(s *Session, _ string, step Step) {
		if c, ok := keep(step); ok {
			mu.Lock()
			calls[s] = append(calls[s], c)
			mu.Unlock()
		}
	}
	l.Play(ctx, files, func(p Played) {
		faults = append(faults, p.Faults...)
		switch {
		case p.Session != nil:
			mu.Lock()
			sessions = append(sessions, kept[T]{p.Path, calls[p.Session]})
			delete(calls, p.Session)
			mu.Unlock()
		case p.Outcome.Name != "":
			faults = append(faults, p.Path+": only the calls of sessions are counted, not those of traces and fixtures")
		}
	})
	return sessions, faults
}

// count counts the calls and their programs.
func (f *Fetches) count(sessions []kept[shellCall], allowed []string) {
	programs := map[string]*FetchProgram{}
	f.Totals.Sessions = len(sessions)
	for _, s := range sessions {
		for _, c := range s.calls {
			f.Totals.count(c, allowed)
			for _, p := range c.programs {
				of := programs[p.name]
				if of == nil {
					of = &FetchProgram{Program: p.name, Exempt: slices.Contains(allowed, p.name)}
					programs[p.name] = of
				}
				of.Segments += p.segments
				of.Calls++
				if p.fetches {
					of.Fetched++
				} else {
					of.Mentioned++
				}
			}
		}
	}
	often := func(a, b *FetchProgram) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Program, b.Program))
	}
	for _, p := range slices.SortedFunc(maps.Values(programs), often) {
		f.Programs = append(f.Programs, *p)
	}
}

func (t *FetchTotals) count(c shellCall, allowed []string) {
	t.Calls++
	if c.remote {
		t.Remote++
	}
	if !c.refused {
		return
	}
	t.Refused++
	if slices.ContainsFunc(c.programs, func(p shellProgram) bool { return p.fetches && !slices.Contains(allowed, p.name) }) {
		t.Fetching++
	} else {
		t.Incidental++
	}
	if !c.written {
		t.Unwritten++
	}
}

// refusedWith reports whether a refused call has to do with a program.
func refusedWith(sessions []kept[shellCall], program string) bool {
	return slices.ContainsFunc(sessions, func(s kept[shellCall]) bool {
		return slices.ContainsFunc(s.calls, func(c shellCall) bool { return c.refused && c.program(program) != nil })
	})
}

// exemption plays the sessions of the files that a program occurs in, with it off
// the list if it is there, else on it, and compares what is refused now with what
// was.
func (l *Lab) exemption(ctx context.Context, files []File, sessions []kept[shellCall], p FetchProgram) Exemption {
	e := Exemption{Program: p.Program, Exempt: p.Exempt}
	list := slices.Clone(l.policy().ShellHttpAllow)
	if p.Exempt {
		list = slices.DeleteFunc(list, func(name string) bool { return name == p.Program })
	} else {
		list = append(list, p.Program)
	}
	one := *l
	one.Options.Flags.Set = append(slices.Clone(l.Options.Flags.Set), "measures.shellHttpAllow="+strings.Join(list, ","))
	if c := config.Load(config.Sources{Flags: one.Options.Flags}); !slices.Equal(c.Policy.Measures.ShellHttpAllow, list) {
		e.Verdict = Unnamable // its name has a comma in it
		return e
	}

	with := map[string]bool{} // paths
	for _, s := range sessions {
		if slices.ContainsFunc(s.calls, func(c shellCall) bool { return c.program(p.Program) != nil }) {
			with[s.path] = true
		}
	}
	before := slices.DeleteFunc(slices.Clone(sessions), func(s kept[shellCall]) bool { return !with[s.path] })
	files = slices.DeleteFunc(slices.Clone(files), func(f File) bool { return !with[f.Path] })
	after, _ := watched(ctx, one, files, refusedFetch)
	for i, now := range after[:min(len(after), len(before))] { // one that is still written to may have grown
		for _, c := range before[i].calls {
			if slices.Contains(now.calls, c.number) == c.refused {
				continue
			}
			e.Passes++
			if own := c.program(p.Program); own != nil && own.fetches {
				e.ItFetches++
			}
			if c.fetchesBeside(p.Program) {
				e.OthersFetch++
			}
		}
	}
	e.Verdict = e.verdict()
	return e
}
