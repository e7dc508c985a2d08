package config

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Setting is one effective value.
type Setting struct {
	Path string `json:"path"`
	// Value is an int, a bool, a string, a []string, nil for a limit that is off,
	// or a map[string]any of such values.
	Value any `json:"value"`
	// From is where it is from: "default", "preset" and its name, a file, a
	// variable, "--preset", "--set", or "contradiction" where it was switched
	// off because of another.
	From string `json:"from"`
}

// String returns the setting as --set takes it.
func (s Setting) String() string {
	switch value := s.Value.(type) {
	case nil:
		return s.Path + "=null"
	case []string:
		return s.Path + "=" + strings.Join(value, ",")
	case map[string]any:
		return s.Path + "=" + strings.Join(entryTexts(value), ",")
	}
	return fmt.Sprintf("%s=%v", s.Path, s.Value)
}

// Settings returns every effective value, in the order of the table.
func (c *Config) Settings() []Setting {
	all := make([]Setting, len(settings))
	for i := range settings {
		all[i] = Setting{settings[i].path, settings[i].get(c), c.from[i].from}
	}
	return all
}

// WriteJSON writes every effective value and every problem as one JSON object:
//
//	{"settings": [{"path", "value", "from"}...], "problems": [{"origin", "path", "value", "reason", "text"}...]}
func (c *Config) WriteJSON(w io.Writer) error {
	type problem struct {
		Problem
		Text string `json:"text"`
	}
	out := struct {
		Settings []Setting `json:"settings"`
		Problems []problem `json:"problems"`
	}{Settings: c.Settings()}
	for _, p := range c.Problems {
		out.Problems = append(out.Problems, problem{p, p.String()})
	}
	// A path of a file system need not be UTF-8.
	text, err := jsonv2.Marshal(out, jsontext.WithIndent("  "), jsontext.AllowInvalidUTF8(true), jsonv2.Deterministic(true))
	if err == nil {
		_, err = w.Write(append(text, '\n'))
	}
	return err
}

// Colours of a terminal.
const (
	bold   = "\x1b[1m"
	faint  = "\x1b[2m"
	yellow = "\x1b[33m"
	normal = "\x1b[0m"
)

// Table writes every effective value in aligned columns, and the problems below
// them. With colour, what was set stands out from what is as the preset has it.
func (c *Config) Table(w io.Writer, colour bool) error {
	rows := [][3]string{{"setting", "value", "from"}}
	paints := []string{bold}
	for i, s := range c.Settings() {
		paint := ""
		switch {
		case s.From == fromContradiction:
			paint = yellow
		case c.from[i].rank == 0:
			paint = faint
		}
		for n, value := range words(s.Value) {
			row := [3]string{s.Path, value, plain(s.From)}
			if n > 0 { // one more entry of a table
				row = [3]string{1: value}
			}
			rows, paints = append(rows, row), append(paints, paint)
		}
	}
	var width [2]int
	for _, row := range rows {
		width[0] = max(width[0], utf8.RuneCountInString(row[0]))
		if !strings.Contains(row[1], "=") { // entries may be long
			width[1] = max(width[1], utf8.RuneCountInString(row[1]))
		}
	}
	var out bytes.Buffer
	line := func(paint, text string) {
		if colour && paint != "" {
			text = paint + text + normal
		}
		out.WriteString(text + "\n")
	}
	for i, row := range rows {
		line(paints[i], strings.TrimRight(fmt.Sprintf("%-*s  %-*s  %s", width[0], row[0], width[1], row[1], row[2]), " "))
	}
	if len(c.Problems) > 0 {
		line("", "")
		line(bold, "problems")
	}
	for _, p := range c.Problems {
		line(yellow, p.String())
	}
	_, err := w.Write(out.Bytes())
	return err
}

// words is a value as the table shows it: one line, or one for each entry.
func words(value any) []string {
	switch v := value.(type) {
	case nil:
		return []string{"null (off)"}
	case []string:
		if len(v) == 0 {
			return []string{"none"}
		}
		return []string{plain(strings.Join(v, ", "))}
	case map[string]any:
		if len(v) == 0 {
			return []string{"none"}
		}
		texts := entryTexts(v)
		for i := range texts {
			texts[i] = plain(texts[i])
		}
		return texts
	case int:
		if v == 0 {
			return []string{"0 (off)"}
		}
		return []string{strconv.Itoa(v)}
	}
	return []string{fmt.Sprint(value)}
}
