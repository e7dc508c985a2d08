package bridge

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

func TestATraceHoldsWhatWentOverTheWire(t *testing.T) {
	var out bytes.Buffer
	o := options
	o.Trace = NewTrace(&out, "s")
	o.Trace.now = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 6_000_000, time.UTC) }
	odd := `{"jsonrpc":"2.0", "id":1,"method":"tool/call","params":{"toolCallId":"1","toolName":"t","input":{"b":1.50,"b":"\ud800<\u0061"}}}`
	got := serve(t, io.MultiReader(lines(hello, odd, "rub\tbish", "\xff", strings.Repeat(" ", MaxLine+1)), lines(probe)), o)

	at := `{"at":"2026-01-02T03:04:05.006Z","session":"s","from":`
	want := []string{
		at + `"host","message":` + hello + `}`,
		at + `"guard","message":` + got[0] + `}`,
		at + `"host","message":` + strings.Replace(odd, ", ", ",", 1) + `}`,
		at + `"guard","message":` + got[1] + `}`,
		at + `"host","text":"rub\tbish"}`,
		at + `"guard","message":` + got[2] + `}`,
		at + `"host","bytes":"/w=="}`,
		at + `"guard","message":` + got[3] + `}`,
		at + `"host","tooLong":true}`,
		at + `"guard","message":` + got[4] + `}`,
		at + `"host","message":` + probe + `}`,
		at + `"guard","message":` + got[5] + `}`,
		"",
	}
	if have := strings.Split(out.String(), "\n"); strings.Join(have, "\n") != strings.Join(want, "\n") {
		t.Errorf("traced\n%s\nwant\n%s", out.String(), strings.Join(want, "\n"))
	}
}

// fullDisk takes some lines and no more.
type fullDisk struct{ room int }

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.room--; d.room < 0 {
		return 0, errors.New("no space left on device")
	}
	return len(p), nil
}

func TestATraceThatEndsIsToldOnceAndGuardsOn(t *testing.T) {
	o := options
	o.Trace = NewTrace(&fullDisk{room: 3}, "s")
	o.Notices = []string{"told at once"}
	in := []string{hello}
	for range 7 {
		in = append(in, probe)
	}
	var told []string
	var last Decision
	for _, line := range serve(t, lines(in...), o) {
		var d Decision
		if err := json.Unmarshal(read(t, line).Result, &d); err != nil {
			t.Fatal(err)
		}
		told = append(told, d.Notify...)
		last = d
	}
	if len(told) != 2 || told[0] != "told at once" || !strings.Contains(told[1], "no space left on device") {
		t.Errorf("the user is told %q", told)
	}
	if !last.Block {
		t.Error("the loop was not broken")
	}
}
