package replay

import (
	"bytes"
	"context"
	"os"
	"testing"
)

// BenchmarkReader reads the lines of a Pi session into events, and plays none.
func BenchmarkReader(b *testing.B) {
	text := benchSession(b)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for line := range bytes.Lines(text) {
			n++
			if _, fault := piEvents(line, n, func(Event) bool { return true }); fault != "" {
				b.Fatal(fault)
			}
		}
	}
}

// BenchmarkPlay plays it.
func BenchmarkPlay(b *testing.B) {
	text := benchSession(b)
	for _, preset := range []string{"window", "default"} {
		b.Run(preset, func(b *testing.B) {
			l := Lab{Options: under(preset)}
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				l.Play(context.Background(), []File{InMemory("session.jsonl", text)}, func(p Played) {
					if len(p.Faults) > 0 {
						b.Fatal(p.Faults)
					}
				})
			}
		})
	}
}

func benchSession(b *testing.B) []byte {
	text, err := os.ReadFile("testdata/session.jsonl")
	if err != nil {
		b.Fatal(err)
	}
	return text
}
