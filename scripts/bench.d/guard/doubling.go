package main

import (
	"encoding/json"
	"fmt"
	"log"
	"math"
	"strings"
	"time"

	"github.com/loopbreaker/loopbreaker/canonical"
	"github.com/loopbreaker/loopbreaker/canonical/address"
	"github.com/loopbreaker/loopbreaker/canonical/command"
	"github.com/loopbreaker/loopbreaker/canonical/repetition"
	"github.com/loopbreaker/loopbreaker/guard"
)

// subject is something whose cost may grow with its input: prepare makes an input
// of n bytes, and returns what is to be timed.
type subject struct {
	name    string
	prepare func(n int) func()
	// less is by how much the longest input is shorter than those of others.
	less int
}

var subjects = []subject{
	{"canonical form", func(n int) func() {
		code := filled("\tif err := parse(s[i:], 42); err != nil { // \"quoted\" é\n", n/2)
		input, err := json.Marshal(map[string]any{"b": code, "a": strings.Split(code, "\t")})
		if err != nil {
			log.Fatal(err)
		}
		return func() {
			if _, err := canonical.CallKey("x", input, nil); err != nil {
				log.Fatal(err)
			}
		}
	}, 1},
	{"noise", func(n int) func() {
		text := []byte(filled("2026-01-02T03:04:05.678Z [4711] GET /index.html 200 in 12.5ms\n", n))
		return func() { canonical.AppendQuiet(nil, text) }
	}, 1},
	{"command", func(n int) func() {
		line := filled("grep -n 'a b' x.go | head -3; ", n)
		return func() { command.Parse(line).Canonical() }
	}, 8}, // what is longer than 128 KiB is not read
	{"address", func(n int) func() {
		text := filled("see https://www.example.com/a/b?c=d&e=f for more. ", n)
		return func() {
			for range address.Find(text) {
			}
		}
	}, 1},
	{"detector", func(n int) func() {
		text := varied(n)
		return func() {
			d := repetition.NewDetector(func(repetition.Unit) int { return 0 })
			d.WriteString(text)
			d.End()
		}
	}, 1},
	{"wire", wire, 1},
	{"call and result", func(n int) func() {
		s := guard.NewSession(guard.Presets()[0].Policy)
		input, err := json.Marshal(map[string]any{"path": "a.go", "lines": strings.Split(filled("some words of a file\n", n/2), "\n")})
		if err != nil {
			log.Fatal(err)
		}
		text, i := []byte(varied(n/2)), 0
		return func() {
			i++
			id := fmt.Sprint(i)
			s.Prompt()
			s.TurnStart()
			if _, err := s.Call(guard.Call{ID: id, Tool: "apply", Input: input}); err != nil {
				log.Fatal(err)
			}
			s.Result(guard.Result{ID: id, Content: []canonical.Block{{Data: text}}})
			s.TurnEnd()
		}
	}, 1},
}

// filled is n bytes of a text over and over.
func filled(text string, n int) string { return strings.Repeat(text, 1+n/len(text))[:n] }

// varied is n bytes in which no line comes twice.
func varied(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "line %d of a text that goes on: %x\n", i, i*2654435761)
	}
	return b.String()[:n]
}

// doublings measures each subject with an input twice as long each time. The slope
// of the cost over the length, both as logarithms, is 1 where that is linear.
func doublings(most int) (rows []row) {
	for _, s := range subjects {
		most := most / s.less
		var x, y []float64
		for n := most >> 6; n <= most; n *= 2 {
			x = append(x, math.Log(float64(n)))
			y = append(y, math.Log(float64(fastest(s.prepare(n)))))
		}
		rows = append(rows, row{"cost over length: " + s.name, "linear: 1", slope(x, y), 1.15, "slope",
			fmt.Sprintf("%d KiB to %d KiB", most>>16, most>>10)})
	}
	return rows
}

// sessions measures a turn of each preset, which together have every rule, with a
// ledger of twice as many events each time. The slope is 0 where what is remembered
// costs nothing.
func sessions(long int) (rows []row) {
	turns := max(1, (long>>6)/(2*batch)) // that are timed, so that the shortest is no longer by them
	for _, preset := range guard.PresetNames() {
		p := play(preset, kinds[1])
		p.past(long >> 6)
		var x, y []float64
		for n := long >> 6; n <= long; n *= 2 {
			var w stopwatch
			for range turns {
				p.prepare()
				w.time(2*batch, p.turn)
			}
			x, y = append(x, math.Log(float64(n))), append(y, math.Log(w.median()))
			p.past(n - turns*2*batch) // and the next has twice as many
		}
		rows = append(rows, row{"cost over length of session: " + preset, "none: 0", slope(x, y), 0.1, "slope",
			fmt.Sprintf("%d to %d events", long>>6, long)})
	}
	return rows
}

// fastest is the time that do takes undisturbed. What is short is done so often that
// the clock can tell it.
func fastest(do func()) (best time.Duration) {
	times := 1
	for start := worked(); worked()-start < 2*time.Millisecond; times++ {
		do()
	}
	for i := range 7 {
		start := worked()
		for range times {
			do()
		}
		if took := (worked() - start) / time.Duration(times); i == 0 || took < best {
			best = took
		}
	}
	return best
}

// slope fits a line.
func slope(x, y []float64) float64 {
	mx, my := mean(x), mean(y)
	var xy, xx float64
	for i := range x {
		xy += (x[i] - mx) * (y[i] - my)
		xx += (x[i] - mx) * (x[i] - mx)
	}
	return xy / xx
}

func mean(v []float64) (m float64) {
	for _, x := range v {
		m += x / float64(len(v))
	}
	return m
}
