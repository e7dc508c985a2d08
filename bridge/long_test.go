package bridge

import (
	"bytes"
	"context"
	"io"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/loopbreaker/loopbreaker/guard"
)

// A session may last for days. However many events there were, its memory is
// what it was early on, and it decides as a guard does that has only seen the last
// of them. LOOPBREAKER_TEST_EVENTS has it be a million.
func TestALongSession(t *testing.T) {
	const remembered, compared = 9_000, 3_000 // the last events that the other guard sees, and of them those whose answers are compared
	events := 15_000
	if text := os.Getenv("LOOPBREAKER_TEST_EVENTS"); text != "" {
		var err error
		if events, err = strconv.Atoi(text); err != nil || events < 15_000 {
			t.Fatalf("LOOPBREAKER_TEST_EVENTS is %q", text)
		}
	}
	for _, preset := range guard.PresetNames() {
		t.Run(preset, func(t *testing.T) {
			run := func(skip int) *longHost {
				h := &longHost{says: newChatter(42), preset: preset, skip: skip, events: events, kept: compared}
				if err := Serve(context.Background(), h, options); err != nil {
					t.Fatal(err)
				}
				return h
			}
			whole, late := run(0), run(events-remembered)
			t.Logf("%d events, the heap after a tenth %d KiB, at the end %d KiB", events, whole.early>>10, whole.late>>10)
			// What a session holds wavers, with the prompts, by far less.
			if growth := int64(whole.late) - int64(whole.early); growth > 2<<20 {
				t.Errorf("the heap has grown by %d KiB", growth>>10)
			}
			all, last := whole.decisions(), late.decisions()
			if n := strings.Count(strings.Join(all, ""), `"why"`); len(all) < compared/3 || n < 5 {
				t.Fatalf("%d answers, %d findings: that shows little", len(all), n)
			}
			for i := range max(len(all), len(last)) {
				if i >= min(len(all), len(last)) || all[i] != last[i] {
					t.Fatalf("answer %d of %d and %d differs\nafter all:      %s\nafter the last: %s", i, len(all), len(last), all[min(i, len(all)-1)], last[min(i, len(last)-1)])
				}
			}
		})
	}
}

// longHost says so many events, but for those it skips, and keeps the answers to
// the last. It makes each as it is read, so that it holds nothing.
type longHost struct {
	says                     *chatter
	preset                   string
	skip, events, kept, said int
	early, late              uint64 // the heap
	unread                   []byte
	answers                  bytes.Buffer
}

func (h *longHost) Read(p []byte) (int, error) {
	for len(h.unread) == 0 {
		switch h.said {
		case 0:
			h.unread = append(h.unread, h.says.hello(h.preset)+"\n"...)
		case h.events:
			h.late = heap()
			return 0, io.EOF
		case h.events / 10:
			h.early = heap()
			fallthrough
		default:
			if event := h.says.event(); h.said > h.skip {
				h.unread = append(append(h.unread[:0], event...), '\n')
			}
		}
		h.said++
	}
	n := copy(p, h.unread)
	h.unread = h.unread[n:]
	return n, nil
}

func (h *longHost) Write(p []byte) (int, error) {
	if h.said > h.events-h.kept {
		h.answers.Write(p)
	}
	return len(p), nil
}

func (h *longHost) Close() error { return nil }

// sums are what goes on counting for all of a session, on purpose.
var sums = regexp.MustCompile(`"ask-\d+"|,?"status":"[^"]*"|, \d+ in this session|Loop risk of [^;]*|.*How far measures have come.*`)

func (h *longHost) decisions() []string {
	return strings.Split(sums.ReplaceAllString(h.answers.String(), ""), "\n")
}

// heap is what is in use when all garbage is gone.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
