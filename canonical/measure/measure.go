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
	// HostAliases maps names of hosts to the one name they are all counted under.
	HostAliases map[string]string
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
// the host may have taken out long texts. The error is that of
// canonical.AppendJSON, and means that the call is not countable.
func Of(tool string, input []byte, elided []canonical.LongText, r Rules) (s Set, err error) {
	rest, left := canonical.WithoutMembers(input, elided, slices.Concat(r.IgnoreArgs["*"], r.IgnoreArgs[tool]))
	text, err := canonical.AppendJSON(nil, rest, left)
	if err != nil {
		return Set{}, err
	}
	s.add(Exact, tool+":"+string(text))
	return s, nil
}
