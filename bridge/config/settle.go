package config

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/loopbreaker/loopbreaker/bridge/fetch"
	"github.com/loopbreaker/loopbreaker/canonical/address"
	"github.com/loopbreaker/loopbreaker/guard"
)

// fromContradiction is where the 0 of a rule comes from that is switched off
// because its settings contradict each other.
const fromContradiction = "contradiction"

// settle switches off what contradicts itself when all layers are merged: a rule
// whose stages do not ascend, and stages that can never be reached. It names what
// only a look at the merged list shows to be wrong.
func (c *Config) settle() {
	c.settleAliases()
	for _, rule := range rules {
		last := -1
		for _, path := range rule.stages {
			stage := find(path)
			if c.number(stage) == 0 {
				continue
			}
			if last >= 0 && c.number(last) >= c.number(stage) {
				c.contradiction(last, "below", stage, "above", "the "+rule.name+" rule is off")
				c.switchOff(rule.stages)
				break
			}
			last = stage
		}
		if rule.calls == "" {
			continue
		}
		calls := find(rule.calls)
		if c.number(calls) == 0 {
			continue // the rule is off
		}
		var over []string
		for _, path := range rule.stages {
			if c.number(find(path)) > c.number(calls) {
				over = append(over, path)
			}
		}
		if len(over) > 0 {
			// Stages ascend, so what the last needs is enough for all.
			c.contradiction(find(over[len(over)-1]), "at most", calls, "at least", "off: "+strings.Join(over, ", "))
			c.switchOff(over)
		}
	}
	hosts := find("fetch.allowPrivateHosts")
	_, wrong := fetch.ParseHosts(c.Fetch.AllowPrivateHosts)
	for _, text := range wrong {
		c.Problems = append(c.Problems, Problem{c.from[hosts].origin, c.from[hosts].label, quoted(text),
			"is no host, address or network; it does not count"})
	}
}

// contradiction tells that a should be of some relation to b, and b of the
// converse to a, and what follows as they are not. The one that was set last, as
// the layers go, is named first.
func (c *Config) contradiction(a int, relation string, b int, converse, off string) {
	if c.from[a].rank < c.from[b].rank {
		a, relation, b = b, converse, a
	}
	c.Problems = append(c.Problems, Problem{c.from[a].origin, c.from[a].label, strconv.Itoa(c.number(a)),
		fmt.Sprintf("must be %s %s, which is %d (%s); %s", relation, settings[b].path, c.number(b), plain(c.from[b].from), off)})
}

func (c *Config) number(index int) int { return settings[index].get(c).(int) }

func (c *Config) switchOff(stages []string) {
	for _, path := range stages {
		index := find(path)
		settings[index].set(c, 0)
		c.from[index].from = fromContradiction
	}
}

// settleAliases goes back to the preset's aliases of hosts if those that were set
// are no hosts, or lead back to themselves.
func (c *Config) settleAliases() {
	table := maps.Clone(c.Policy.Measures.HostAliases)
	maps.DeleteFunc(table, func(_, host string) bool { return host == "" })
	if _, err := address.ParseAliases(table); err != nil {
		index := find("measures.hostAliases")
		c.Problems = append(c.Problems, Problem{c.from[index].origin, c.from[index].label, "", "is wrong: " + plain(err.Error()) + "; those of the preset count"})
		preset, _ := guard.FindPreset(c.Preset)
		c.Policy.Measures.HostAliases = preset.Policy.Measures.HostAliases
		c.from[index].from = fromContradiction
	}
}
