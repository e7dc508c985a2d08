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
	// Value is an int, a bool, a string or a []string.
	Value any `json:"value"`
	// From is where it is from: "default", "preset" and its name, a file, a
	// variable, "--preset", "--set", or "contradiction" where it was switched
	// off because of another.
	From string `json:"from"`
}

// String returns the setting as --set takes it.
func (s Setting) String() string {
	if list, ok := s.Value.([]string); ok {
		return s.Path + "=" + strings.Join(list, ",")
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
	text, err := jsonv2.Marshal(out, jsontext.WithIndent("  "), jsontext.AllowInvalidUTF8(true))
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
	for _, s := range c.Settings() {
		rows = append(rows, [3]string{s.Path, word(s.Value), plain(s.From)})
	}
	var width [2]int
	for _, row := range rows {
		for i := range width {
			width[i] = max(width[i], utf8.RuneCountInString(row[i]))
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
		paint := ""
		switch {
		case i == 0:
			paint = bold
		case row[2] == fromContradiction:
			paint = yellow
		case c.from[i-1].rank == 0:
			paint = faint
		}
		line(paint, fmt.Sprintf("%-*s  %-*s  %s", width[0], row[0], width[1], row[1], row[2]))
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

// word is a value as the table shows it.
func word(value any) string {
	switch v := value.(type) {
	case []string:
		if len(v) == 0 {
			return "none"
		}
		return plain(strings.Join(v, ", "))
	case int:
		if v == 0 {
			return "0 (off)"
		}
		return strconv.Itoa(v)
	}
	return fmt.Sprint(value)
}
