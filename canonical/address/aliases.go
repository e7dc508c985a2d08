package address

import (
	"fmt"
	"maps"
	"slices"
)

// Aliases says which hosts are other names of which: hostAliases of the system
// `measures`. The zero value folds nothing.
type Aliases struct {
	targets map[string]string
}

// ParseAliases reads a table from host to host. Both may be in any spelling.
// An alias of an alias leads to where that one leads; the error names a host
// that is none, one that leads back to itself, or one with two targets.
func ParseAliases(table map[string]string) (Aliases, error) {
	direct := make(map[string]string, len(table))
	for _, from := range slices.Sorted(maps.Keys(table)) {
		alias, err := canonicalHost(from)
		if err != nil {
			return Aliases{}, fmt.Errorf("alias %q: %w", from, err)
		}
		target, err := canonicalHost(table[from])
		if err != nil {
			return Aliases{}, fmt.Errorf("alias %q to %q: %w", from, table[from], err)
		}
		if other, ok := direct[alias]; ok && other != target {
			return Aliases{}, fmt.Errorf("alias %q leads to %q and to %q", alias, other, target)
		}
		if alias != target { // as www.example.com and example.com are not
			direct[alias] = target
		}
	}
	targets := make(map[string]string, len(direct))
	for alias, target := range direct {
		for steps := 0; direct[target] != ""; steps++ {
			if steps > len(direct) {
				return Aliases{}, fmt.Errorf("alias %q leads in a circle", alias)
			}
			target = direct[target]
		}
		targets[alias] = target
	}
	return Aliases{targets}, nil
}

// Fold returns the address with its host replaced by what it is an alias of.
func (al Aliases) Fold(a Address) Address {
	if target, ok := al.targets[a.Host]; ok {
		a.Host = target
	}
	return a
}
