// Guard measures a guard session alone, without a wire, and writes its rows for
// the table of scripts/bench as JSON.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/loopbreaker/loopbreaker/canonical"
	"github.com/loopbreaker/loopbreaker/guard"
)

// row is a line of the table: Ratio is to be at most Goal.
type row struct {
	What   string  `json:"what"`
	Than   string  `json:"than"`
	Ratio  float64 `json:"ratio"`
	Goal   float64 `json:"goal"`
	Unit   string  `json:"unit,omitempty"`
	Detail string  `json:"detail"`
}

// batch is how many events are timed at once, and calls a turn has.
const batch = 8

func main() {
	rounds := flag.Int("rounds", 2000, "rounds of each measurement")
	long := flag.Int("long", 100_000, "events of a long session")
	most := flag.Int("most", 1<<20, "bytes of the longest input of the doubling experiment")
	flag.Parse()
	rows := events(*rounds)
	rows = append(rows, lengths(*rounds, *long), memory(*long), presets(*rounds))
	rows = append(rows, doublings(*most)...)
	rows = append(rows, sessions(*long)...)
	if err := json.NewEncoder(os.Stdout).Encode(rows); err != nil {
		log.Fatal(err)
	}
}

// event is a kind of call and its result; n makes each another one.
type event struct {
	name, tool string
	input      func(n int) string
	result     func(n int) string
}

// page is a result of some 1,300 bytes, as a search has it.
var page = func() string {
	var b strings.Builder
	for i := range 20 {
		fmt.Fprintf(&b, "./internal/parser/file%d.go:%d:func ParseThing(s string) error {\n", i, i*17)
	}
	return b.String()
}()

func paged(n int) string { return fmt.Sprint(page, n) }

var kinds = []event{
	{"shell", "bash", func(n int) string {
		return fmt.Sprintf(`{"command":"cd /src && grep -rn 'func Parse%d' --include='*.go' . | head -20","timeout":30,"description":"find the parser"}`, n)
	}, paged},
	{"read", "read", func(n int) string {
		return fmt.Sprintf(`{"path":"internal/parser/file%d.go","offset":1,"limit":200}`, n)
	}, paged},
	{"edit", "edit", func(n int) string {
		return fmt.Sprintf(`{"path":"internal/parser/file.go","oldText":"func Parse%d(s string) error {\n\treturn nil\n}","newText":"func Parse%d(s string) error {\n\treturn parse(s)\n}"}`, n, n)
	}, func(n int) string { return fmt.Sprintf("Applied 1 edit to internal/parser/file.go (%d)", n) }},
	{"other", "jira_create", func(n int) string {
		return fmt.Sprintf(`{"title":"Fix the parser (%d)","project":"GO","labels":["bug","parser"],"fields":{"priority":3,"assignee":null}}`, n)
	}, func(n int) string { return fmt.Sprintf(`{"id":%d,"state":"open"}`, n) }},
}

// stopwatch gathers the times and allocations of one kind of event. It is held
// against the key of the call; what a result or a text says goes into no key of a
// call, so that is held against the key of a call which says as much.
type stopwatch struct {
	name   string
	ns     []float64 // of one event
	allocs float64
	key    *stopwatch
}

func (w *stopwatch) ratio() float64 { return w.median() / w.key.median() }

func (w *stopwatch) time(events int, do func()) {
	start := time.Now()
	do()
	w.ns = append(w.ns, float64(time.Since(start).Nanoseconds())/float64(events))
}

func (w *stopwatch) median() float64 { return median(w.ns) }

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}

// allocations counts those of do.
func allocations(do func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs - before.Mallocs)
}

// player tells a session of calls and results, each another one.
type player struct {
	s      *guard.Session
	kind   event
	n      int
	calls  []guard.Call
	result []guard.Result
	alike  []guard.Call // calls that say what the results do
}

func play(preset string, kind event) *player {
	p, ok := guard.FindPreset(preset)
	if !ok {
		log.Fatal("no preset ", preset)
	}
	return &player{s: guard.NewSession(p.Policy), kind: kind}
}

// prepare makes the next calls and results, so that making them costs no event.
func (p *player) prepare() {
	p.calls, p.result, p.alike = p.calls[:0], p.result[:0], p.alike[:0]
	for range batch {
		p.n++
		id := fmt.Sprint(p.n)
		p.calls = append(p.calls, guard.Call{ID: id, Tool: p.kind.tool, Input: []byte(p.kind.input(p.n))})
		text := p.kind.result(p.n)
		p.result = append(p.result, guard.Result{ID: id, Content: []canonical.Block{{Data: []byte(text)}}})
		p.alike = append(p.alike, saying(p.kind.tool, text))
	}
}

// saying is a call with a text as its input.
func saying(tool, text string) guard.Call {
	input, err := json.Marshal(text)
	if err != nil {
		log.Fatal(err)
	}
	return guard.Call{Tool: tool, Input: input}
}

func (p *player) call() {
	for _, c := range p.calls {
		if d, err := p.s.Call(c); err != nil || d.Block {
			log.Fatal("a call was not admitted: ", d.Reason, err)
		}
	}
}

func (p *player) take() {
	for _, r := range p.result {
		p.s.Result(r)
	}
}

// keys computes the keys of calls.
func keys(calls []guard.Call) {
	for _, c := range calls {
		if _, err := canonical.CallKey(c.Tool, c.Input, nil); err != nil {
			log.Fatal(err)
		}
	}
}

func (p *player) turn() {
	p.s.TurnStart()
	p.call()
	p.take()
	p.s.TurnEnd()
}

// past fills the ledger.
func (p *player) past(events int) {
	for range events / (2 * batch) {
		p.prepare()
		p.turn()
	}
}

// events measures each kind of event under default against the key of its call.
func events(rounds int) (rows []row) {
	var worst, most *stopwatch
	var costs, allocs []string
	note := func(w *stopwatch) {
		if worst == nil || w.ratio() > worst.ratio() {
			worst = w
		}
		if most == nil || w.allocs > most.allocs {
			most = w
		}
		costs = append(costs, fmt.Sprintf("%s %.1f", w.name, w.ratio()))
		allocs = append(allocs, fmt.Sprintf("%s %.1f", w.name, w.allocs))
	}
	for _, kind := range kinds {
		p := play(guard.DefaultPreset, kind)
		p.past(2000)
		call := &stopwatch{name: kind.name + " call", key: &stopwatch{}}
		result := &stopwatch{name: kind.name + " result", key: &stopwatch{}}
		for i := range rounds {
			p.prepare()
			p.s.TurnStart()
			if i%20 == 19 { // counted apart, for that takes long
				call.allocs += allocations(p.call) / batch / float64(rounds/20)
				result.allocs += allocations(p.take) / batch / float64(rounds/20)
			} else {
				call.key.time(batch, func() { keys(p.calls) })
				call.time(batch, p.call)
				result.key.time(batch, func() { keys(p.alike) })
				result.time(batch, p.take)
			}
			p.s.TurnEnd()
		}
		note(call)
		note(result)
	}

	// What says nothing is held against the key of a command.
	p := play(guard.DefaultPreset, kinds[0])
	p.past(2000)
	key, written := &stopwatch{}, &stopwatch{}
	prose := strings.Repeat("The parser reads one statement at a time. ", 48)[:2000]
	others := []struct {
		name string
		do   func(n int)
	}{
		{"turn", func(int) { p.s.TurnStart(); p.s.TurnEnd() }},
		{"prompt", func(int) { p.s.Prompt() }},
		{"compact", func(int) { p.s.Compact() }},
		{"rejected", func(n int) {
			p.s.Rejected(guard.Rejection{Call: guard.Call{ID: "r", Tool: fmt.Sprint("tool", n%64), Input: p.calls[0].Input}, Text: "Tool x not found"})
		}},
		{"2 KB of text", func(n int) {
			p.s.Write(guard.Written{Channel: guard.ChannelText, Text: prose[n%1000:]})
			p.s.MessageEnd()
		}},
	}
	watches := make([]*stopwatch, len(others))
	for i, o := range others {
		watches[i] = &stopwatch{name: o.name, key: key}
	}
	watches[len(watches)-1].key = written
	for i := range rounds {
		p.prepare()
		p.turn()
		key.time(batch, func() { keys(p.calls) })
		said := []guard.Call{saying("", prose[i%1000:])}
		written.time(1, func() { keys(said) })
		for k, o := range others {
			all := func() {
				for j := range batch {
					o.do(i*batch + j)
				}
			}
			if i%20 == 19 {
				watches[k].allocs += allocations(all) / batch / float64(rounds/20)
			} else {
				watches[k].time(batch, all)
			}
		}
	}
	for _, w := range watches {
		note(w)
	}
	return []row{
		{"guard alone, the dearest event (" + worst.name + ")", "key of the same", worst.ratio(), 4, "×", strings.Join(costs, ", ")},
		{"  allocations of the worst event (" + most.name + ")", "", most.allocs, 12, "", strings.Join(allocs, ", ")},
	}
}

// lengths measures a turn of a long session against one of a short one.
func lengths(rounds, long int) row {
	var short, far stopwatch
	a, b := play(guard.DefaultPreset, kinds[0]), play(guard.DefaultPreset, kinds[0])
	b.past(long)
	for i := range rounds {
		if i%8 == 0 { // it is to stay short
			*a = *play(guard.DefaultPreset, kinds[0])
			a.past(1000)
		}
		a.prepare()
		b.prepare()
		if i%2 == 0 {
			short.time(2*batch, a.turn)
			far.time(2*batch, b.turn)
		} else {
			far.time(2*batch, b.turn)
			short.time(2*batch, a.turn)
		}
	}
	return row{fmt.Sprintf("  the same after %d events", long), "after 1000", far.median() / short.median(), 1.1, "×",
		fmt.Sprintf("%.0f and %.0f ns an event", far.median(), short.median())}
}

// memory measures what a long session remembers.
func memory(long int) row {
	return row{fmt.Sprintf("  what it remembers after %d events", long), "", held(long) / 1024, 64, "KiB",
		fmt.Sprintf("%.0f KiB after 1000", held(1000)/1024)}
}

// held is how many bytes a session of so many events keeps from being collected.
func held(events int) float64 {
	before := live()
	p := play(guard.DefaultPreset, kinds[0])
	p.past(events)
	p.calls, p.result, p.alike = nil, nil, nil // the host's
	after := live()
	runtime.KeepAlive(p)
	return float64(after) - float64(before)
}

// live is how many bytes are in use. What pools keep is gone after two collections.
func live() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// presets measures default against window over a mix of calls.
func presets(rounds int) row {
	var ratios []string
	var all [2]float64
	for _, kind := range kinds {
		var w [2]stopwatch
		p := [2]*player{play(guard.DefaultPreset, kind), play("window", kind)}
		p[0].past(2000)
		p[1].past(2000)
		for i := range rounds {
			for k := range 2 {
				k := (k + i) % 2
				p[k].prepare()
				w[k].time(2*batch, p[k].turn)
			}
		}
		all[0] += w[0].median()
		all[1] += w[1].median()
		ratios = append(ratios, fmt.Sprintf("%s %.1f", kind.name, w[0].median()/w[1].median()))
	}
	return row{"  default, an event of a mix", "window", all[0] / all[1], 4, "×", strings.Join(ratios, ", ")}
}
