package command

import (
	"strconv"
	"strings"
	"time"
)

// Awaits tells whether the script returns when something has come about, however long
// that takes: it has a command that waits for it (kubectl wait, gh run watch, wait-for-it,
// tail -f), or a loop that sleeps between its looks. A sleep by itself waits for nothing.
func (s *Script) Awaits() bool {
	for i := range s.Commands {
		c := &s.Commands[i]
		sleeps := c.program() == "sleep" || c.program() == "usleep" || c.Name == "Start-Sleep"
		if sleeps && c.Looped || !sleeps && (c.Effect() == Waits || strings.Contains(c.Name, "wait") || c.follows()) {
			return true
		}
	}
	return false
}

// follows tells whether the command shows what comes to a log as it comes.
func (c *Simple) follows() bool {
	switch c.program() {
	case "tail":
		return letter(c.Words[1:], 'f') || letter(c.Words[1:], 'F') || has(c.Words[1:], "--follow")
	case "journalctl", "kubectl", "docker", "podman":
		return c.Effect() == Looks && (has(c.Words[1:], "-f", "--follow"))
	}
	return false
}

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
		default:
			total += c.codeSleep()
		}
		if total > longest {
			return longest
		}
	}
	return total
}

// codeSleep is how long the code sleeps that an interpreter is given, by the first
// call that says so: time.sleep(60).
func (c *Simple) codeSleep() time.Duration {
	in := interpreterOf(c.program())
	if in == nil {
		return 0
	}
	_, rest, found := strings.Cut(c.code(in), "sleep(")
	if !found {
		return 0
	}
	seconds, _, _ := strings.Cut(rest, ")")
	return span(strings.TrimSpace(seconds))
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
