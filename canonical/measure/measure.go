// Package measure says what a call means: which things it does that another call
// may do too, however that one is spelled (system `measures`).
//
// It is pure and holds no threshold. How often a measure may come is the guard's
// business.
package measure

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/loopbreaker/loopbreaker/canonical"
	"github.com/loopbreaker/loopbreaker/canonical/address"
	"github.com/loopbreaker/loopbreaker/canonical/command"
)

// ID is one measure of a call, its kind and its identity with a colon between
// them, as in host:api.example. Equal ids are equal measures.
type ID string

// Kind is what a measure looks at.
type Kind string

// Kinds of measures.
const (
	Exact   Kind = "exact"  // the tool and its whole input but for decoys
	Command Kind = "cmd"    // a shell command but for what is volatile in it
	Net     Kind = "net"    // an address, path and query included
	Sink    Kind = "sink"   // where a shell command writes
	Host    Kind = "host"   // the host of an address
	Site    Kind = "site"   // the registrable domain of an address
	Family  Kind = "family" // a way of acting: http-fetch
	Verb    Kind = "verb"   // the first real word of a shell command
)

// Kinds are all of them, the most telling first: where several measures say the
// same, this is the order in which to name one to a model. A target says what to
// do otherwise, a whole command line does not.
var Kinds = []Kind{Host, Net, Site, Sink, Command, Exact, Family, Verb}

// Kind returns the kind.
func (id ID) Kind() Kind {
	kind, _, _ := strings.Cut(string(id), ":")
	return Kind(kind)
}

// Rank orders ids as Kinds does.
func (id ID) Rank() int {
	if i := slices.Index(Kinds, id.Kind()); i >= 0 {
		return i
	}
	return len(Kinds)
}

// Rules are what sameness goes by beyond the text of a call.
type Rules struct {
	// IgnoreArgs are, by the name of a tool, members of its input that mean
	// nothing; those under "*" are of every tool.
	IgnoreArgs map[string][]string
	// Aliases are hosts that are counted as another.
	Aliases address.Aliases
	// SpareLocal leaves calls that only go to near hosts (this machine, the
	// networks around it) without any measure of a target; IncludeLocal has near
	// hosts count as hosts too.
	SpareLocal, IncludeLocal bool
}

// Set is what a call means.
type Set struct {
	// IDs are its measures, none twice.
	IDs []ID
	// Shell is whether the call runs a command line, and AsksStatus whether that
	// has curl print the status of a response.
	Shell, AsksStatus bool
}

// longest is how many bytes of an identity are kept as they are.
const longest = 1024

// add adds a measure. A long identity is kept as its beginning and a digest.
func (s *Set) add(kind Kind, identity string) {
	if len(identity) > longest {
		sum := sha256.Sum256([]byte(identity))
		identity = strings.ToValidUTF8(identity[:longest/2], "") + "…#" + hex.EncodeToString(sum[:])
	}
	id := ID(string(kind) + ":" + identity)
	if !slices.Contains(s.IDs, id) {
		s.IDs = append(s.IDs, id)
	}
}

// Of returns the measures of a call of tool with the JSON value input, from which
// the host may have taken out long texts; a command that is one of these has no
// cmd, and the others as far as its beginning and end show. The error is that of canonical.AppendJSON, and means that the
// call is not countable.
//
// A file is counted by its place in it, which exact does: reading on, or changing
// another part, is another call.
func Of(tool string, input []byte, elided []canonical.LongText, r Rules) (s Set, err error) {
	rest, left := canonical.WithoutMembers(input, elided, slices.Concat(r.IgnoreArgs["*"], r.IgnoreArgs[tool]))
	text, err := canonical.AppendJSON(nil, rest, left)
	if err != nil {
		return Set{}, err
	}
	s.add(Exact, tool+":"+string(text))

	switch canonical.ToolKindOf(tool) {
	case canonical.ToolShell:
		s.Shell = true
		if text, ok := canonical.ShellCommand(input); ok {
			s.command(text, r)
		} else if long := canonical.LongCommand(elided); long != nil {
			s.longCommand(long, r)
		}
	case canonical.ToolFetch, canonical.ToolSearch:
		if text, ok := canonical.InputAddress(input); ok {
			if a, err := address.ParseArgument(text); err == nil {
				s.fetch(r.Aliases.Fold(a), r)
			}
		}
	}
	return s, nil
}

// fetch adds the measures of a tool that gets one address.
func (s *Set) fetch(a address.Address, r Rules) {
	if r.SpareLocal && a.Local() {
		return
	}
	s.target(a, r)
	s.add(Family, httpFetch)
}

const httpFetch = "http-fetch"

// command adds the measures of a shell command.
func (s *Set) command(text string, r Rules) {
	script := command.Parse(text)
	s.AsksStatus = script.AsksStatus()
	verb := strings.ToLower(script.Verb())
	if verb != "" {
		s.add(Command, verb+":"+script.Canonical())
	}
	s.does(script, verb, text, r)
}

// longCommand adds the measures of a command of which only beginning and end are
// known: most often a here-document, whose first line says where it goes.
func (s *Set) longCommand(long *canonical.LongText, r Rules) {
	first, _, _ := strings.Cut(long.Head, "\n")
	script := command.Parse(first)
	s.does(script, strings.ToLower(script.Verb()), long.Head+"\n"+long.Tail, r)
}

// does adds the measures of what a script does, and of the addresses in text.
func (s *Set) does(script *command.Script, verb, text string, r Rules) {
	fetches := script.Fetches()
	targets := addresses(text, fetches, r.Aliases)
	if r.SpareLocal && len(targets) > 0 && !slices.ContainsFunc(targets, func(a address.Address) bool { return !a.Local() }) {
		return
	}
	for _, a := range targets {
		s.target(a, r)
	}
	for _, sink := range script.Sinks() {
		s.add(Sink, sink)
	}
	if verb != "" {
		s.add(Verb, verb)
	}
	if len(fetches) > 0 {
		s.add(Family, httpFetch)
	}
}

// addresses are all that a text mentions, and those that a fetch in it goes to
// without spelling them out.
func addresses(text string, fetches []command.Fetch, aliases address.Aliases) (all []address.Address) {
	add := func(a address.Address, err error) {
		if a = aliases.Fold(a); err == nil && !slices.Contains(all, a) {
			all = append(all, a)
		}
	}
	for m := range address.Find(text) {
		add(m.Address, m.Err)
	}
	for _, f := range fetches {
		for _, written := range f.Addresses {
			if !strings.Contains(written, "://") || !strings.Contains(text, written) { // else it was found
				add(address.ParseArgument(written))
			}
		}
	}
	return all
}

// target adds the measures of an address.
func (s *Set) target(a address.Address, r Rules) {
	s.add(Net, a.Identity())
	s.add(Site, a.Site())
	if r.IncludeLocal || !a.Local() {
		s.add(Host, a.Host)
	}
}
