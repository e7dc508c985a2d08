package command

import (
	"strconv"
	"strings"
	"time"
)

// Sleep returns how long the script sleeps as far as its text says: the sum of its
// literal sleeps, each counted once, loops or not. It is at most a year.
func (s *Script) Sleep() time.Duration {
	var total time.Duration
	for i := range s.Commands {
		c := &s.Commands[i]
		switch c.program() {
		case "sleep":
			for _, w := range c.Words[1:] {
				total += span(s.resolve(w)[0])
			}
		case "usleep":
			if len(c.Words) > 1 {
				total += span(c.Words[1].Text) / 1e6
			}
		case "Start-Sleep":
			total += startSleep(c.Words)
		case "timeout": // of cmd.exe; the other runs a command
			if s.Dialect == Batch && len(c.Words) > 1 {
				total += span(c.Words[len(c.Words)-1].Text)
			}
		}
		if total > longest {
			return longest
		}
	}
	return total
}

const longest = 365 * 24 * time.Hour

// span reads a number with an optional unit s, m, h or d.
func span(text string) time.Duration {
	unit := time.Second
	switch {
	case strings.HasSuffix(text, "s"):
		text = text[:len(text)-1]
	case strings.HasSuffix(text, "m"):
		text, unit = text[:len(text)-1], time.Minute
	case strings.HasSuffix(text, "h"):
		text, unit = text[:len(text)-1], time.Hour
	case strings.HasSuffix(text, "d"):
		text, unit = text[:len(text)-1], 24*time.Hour
	}
	if text == "" || strings.Trim(text, "0123456789.") != "" {
		return 0
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || n < 0 {
		return 0
	}
	return time.Duration(min(n*float64(unit), float64(longest)))
}

func startSleep(words []Word) time.Duration {
	g := grammar{cmdlet: true, long: " seconds s milliseconds m "}
	for o := range g.options(words) {
		switch o.name {
		case "", "seconds", "s":
			return span(o.value.Text)
		case "milliseconds", "m":
			return span(o.value.Text) / 1000
		}
	}
	return 0
}
