package guard

import "github.com/loopbreaker/loopbreaker/canonical"

// traits are what the name of a tool tells.
type traits struct {
	kind   canonical.ToolKind
	origin canonical.Origin // of its results
	polls  bool             // whether it answers the same each time it does something
}

// knownTools are those that were called last, so that their names are read once.
type knownTools map[string]traits

// mostTools is how many are remembered, longestTool the longest name of one.
const mostTools, longestTool = 256, 256

// of returns what a tool is under a policy, which is always the same one.
func (t knownTools) of(p *Policy, name string) traits {
	known, ok := t[name]
	if !ok {
		known = traits{canonical.ToolKindOf(name), canonical.OriginOf(name), p.Polling.of(name)}
		if len(t) >= mostTools {
			clear(t)
		}
		if len(name) <= longestTool {
			t[name] = known
		}
	}
	return known
}
