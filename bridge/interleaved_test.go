package bridge

import (
	"context"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/loopbreaker/loopbreaker/guard"
)

// Two connections of one process share nothing: whatever comes on the other one
// meanwhile, each answers as it does alone.
func TestConnectionsAnswerAsEachAlone(t *testing.T) {
	const pairs, events = 12, 400
	refused := 0
	for pair := range uint64(pairs) {
		presets := guard.PresetNames()
		var said [2][]string
		for i := range said {
			says := newChatter(2*pair + uint64(i))
			said[i] = append(said[i], says.hello(presets[(int(pair)+i*5)%len(presets)]))
			for range events {
				if says.r.IntN(40) == 0 {
					said[i] = append(said[i], says.choice())
				} else {
					said[i] = append(said[i], says.event())
				}
			}
		}
		var alone [2][]string
		for i := range said {
			alone[i] = serve(t, lines(said[i]...), options)
		}
		for i, together := range serveInterleaved(t, said, rand.New(rand.NewPCG(pair, 1))) {
			if !slices.Equal(together, alone[i]) {
				t.Errorf("pair %d: connection %d answered otherwise beside another:\n%s", pair, i, firstDifference(together, alone[i]))
			}
		}
		refused += strings.Count(strings.Join(slices.Concat(alone[:]...), ""), `"block":true`)
	}
	if refused < 10*pairs {
		t.Errorf("only %d calls were refused, so little was shown", refused)
	}
}

// serveInterleaved says lines on two connections, now on the one, now on the
// other, at random, and returns what each answered.
func serveInterleaved(t *testing.T, said [2][]string, r *rand.Rand) (answers [2][]string) {
	t.Helper()
	var books [2]*closedBook
	var in [2]*io.PipeWriter
	served := make(chan error, len(books))
	for i := range books {
		reader, writer := io.Pipe()
		books[i], in[i] = &closedBook{Reader: reader}, writer
		go func() { served <- Serve(context.Background(), books[i], options) }()
	}
	for at := [2]int{}; at[0] < len(said[0]) || at[1] < len(said[1]); {
		i := r.IntN(2)
		if at[i] == len(said[i]) {
			i = 1 - i
		}
		if _, err := io.WriteString(in[i], said[i][at[i]]+"\n"); err != nil {
			t.Fatal(err)
		}
		at[i]++
	}
	for i := range in {
		in[i].Close()
	}
	for range books {
		if err := <-served; err != nil {
			t.Fatal(err)
		}
	}
	for i := range books {
		answers[i] = strings.Split(strings.TrimSuffix(books[i].String(), "\n"), "\n")
	}
	return answers
}

func firstDifference(got, want []string) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return "got  " + got[i] + "\nwant " + want[i]
		}
	}
	return "one of them answered more often"
}
