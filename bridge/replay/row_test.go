package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/rs/zerolog"

	"github.com/loopbreaker/loopbreaker/bridge"
	"github.com/loopbreaker/loopbreaker/bridge/config"
)

// printed plays files and returns the lines that replay prints.
func printed(t *testing.T, paths ...string) (rows []map[string]any) {
	t.Helper()
	var out bytes.Buffer
	report := Report{Out: &out, Err: os.Stderr}
	lab := Lab{Options: bridge.Options{Flags: config.Flags{Preset: "default"}, NoFiles: true, Log: zerolog.Nop()}, AllBranches: true}
	lab.Play(context.Background(), Files(t.Context(), paths, nil), report.Take)
	for line := range bytes.Lines(out.Bytes()) {
		row := map[string]any{}
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}

// A column has one type, and is in every line of a session, whatever is known of it.
func TestEveryColumnIsInEveryLine(t *testing.T) {
	rows := printed(t, "testdata")
	if len(rows) < 200 {
		t.Fatalf("%d sessions show nothing", len(rows))
	}
	var columns []string
	row := reflect.TypeFor[Row]()
	for i := range row.NumField() {
		columns = append(columns, row.Field(i).Tag.Get("json"))
	}
	types := map[string]string{}
	for _, r := range rows {
		for _, name := range columns {
			v, there := r[name]
			if !there || len(r) != len(columns) {
				t.Fatalf("%v has not all of %q", r, columns)
			}
			kind := reflect.TypeOf(v)
			if kind == nil {
				continue
			}
			if types[name] == "" {
				types[name] = kind.String()
			}
			if types[name] != kind.String() {
				t.Errorf("%s is %s and %s", name, types[name], kind)
			}
		}
		calls, blocked, saved := r["calls"].(float64), r["blocked"].(float64), r["saved"].(float64)
		after := 0.0
		if at, ended := r["endedAt"].(float64); ended {
			after = calls - at
		}
		sums := map[string]float64{}
		for _, tool := range r["tools"].([]any) {
			for name, v := range tool.(map[string]any) {
				n, _ := v.(float64)
				sums[name] += n
			}
		}
		if sums["calls"] != calls || sums["blocked"] != blocked || sums["saved"] != saved || saved < max(blocked, after) {
			t.Errorf("%v does not add up: %v", r, sums)
		}
	}
	for _, name := range []string{"firstBlock", "endedAt", "started", "expect", "session"} {
		if types[name] == "" {
			t.Errorf("%s is null everywhere, which shows nothing", name)
		}
	}
}

func TestWhatALineSaysOfASession(t *testing.T) {
	const session = `{"type":"session","version":3,"id":"5e55","timestamp":"2026-01-02T03:04:05.678Z","cwd":"/home/ada/ä"}` + "\n" +
		`{"type":"message","id":"1","parentId":null,"message":{"role":"user","content":"go"}}` + "\n" +
		`{"type":"message","id":"2","parentId":"1","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"ls","arguments":{}}],"model":"first","usage":{"totalTokens":5,"cost":{"total":0.5}}}}` + "\n" +
		`{"type":"message","id":"3","parentId":"2","message":{"role":"assistant","content":[],"model":"last","usage":{"totalTokens":7,"cost":{"total":0.25}}}}` + "\n"
	path := filepath.Join(t.TempDir(), "a.jsonl")
	if err := os.WriteFile(path, []byte(session+session), 0o600); err != nil {
		t.Fatal(err)
	}
	rows := printed(t, path)
	if len(rows) != 2 {
		t.Fatalf("%d sessions", len(rows))
	}
	for _, r := range rows {
		for name, want := range map[string]any{
			"session": "5e55", "started": "2026-01-02T03:04:05.678Z", "project": "/home/ada/ä", "model": "last", "tokens": 12.0, "cost": 0.75,
			"preset": "default", "looped": false, "label": nil, "expect": nil,
		} {
			if r[name] != want {
				t.Errorf("%s is %v, want %v", name, r[name], want)
			}
		}
	}
}

// Fixtures and traces have the columns that they always had, and no other.
func TestFixturesKeepTheirLines(t *testing.T) {
	for _, r := range printed(t, "../../fixtures") {
		names := []string{}
		for name := range r {
			names = append(names, name)
		}
		slices.Sort(names)
		if !slices.Equal(names, []string{"blocked", "calls", "entries", "firstBlock", "name"}) {
			t.Errorf("%q", names)
		}
	}
}
