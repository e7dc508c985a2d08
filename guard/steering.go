package guard

import (
	"errors"
	"slices"

	"github.com/loopbreaker/loopbreaker/canonical/address"
)

// OfferFetch tells that the host has a tool of that name that fetches from the web,
// to which commands that fetch can be sent; "" that it has none.
func (s *Session) OfferFetch(tool string) { s.fetchTool = tool }

// steered is what more there is to say of a command that fetches.
type steered struct {
	verb    string // what fetches
	instead string // the tool for it
}

// steer refuses a command that fetches something from far away, where there is a
// tool for it (system `measures`). A text that only holds an address is none.
func (m *Measures) steer(fetchTool string, r *reading) *finding {
	if fetchTool == "" || !m.BlockShellHttp {
		return nil
	}
	script := r.command()
	if script == nil {
		return nil
	}
	for _, f := range script.Fetches() {
		if slices.Contains(m.ShellHttpAllow, f.Verb) {
			continue
		}
		if where, far := m.far(f.Addresses); far {
			return &finding{rule: RuleSteering, stage: StageBlock, tool: r.Tool, quote: where, steered: &steered{f.Verb, fetchTool}}
		}
	}
	return nil
}

// far returns the first address that the fetch tool is for. One that is not written
// out, or comes from elsewhere, is taken to be far.
func (m *Measures) far(addresses []string) (where string, far bool) {
	if len(addresses) == 0 {
		return "", true
	}
	for _, text := range addresses {
		a, err := address.ParseArgument(text)
		switch {
		case errors.Is(err, address.ErrPlaceholder), err == nil && (m.BlockLocalHttp || !a.Local()):
			return text, true
		}
	}
	return "", false
}
