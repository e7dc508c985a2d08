// Package verdict tells from a result whether a call did what it was to do
// (system `measures`). That a host calls a result an error is only one sign: a
// pipeline hides a failure behind the exit code of its last command, and a request
// answered with 404 has come to an end as it should.
//
// It is pure and holds no threshold.
package verdict

import (
	"regexp"
	"strings"

	"github.com/loopbreaker/loopbreaker/canonical"
)

// Outcome is whether a call did what it was to do.
type Outcome uint8

const (
	// Open: nobody knows. The call was aborted, or goes on in the background.
	Open Outcome = iota
	// Succeeded: nothing says otherwise.
	Succeeded
	// Failed: it did not.
	Failed
)

// Reason is the kind of sign that a failure was known by.
type Reason string

// Reasons, and what Verdict.Detail says beside each.
const (
	Error     Reason = "error"     // the host's error: its first line, or two
	Exit      Reason = "exit"      // a command's exit code, not 0
	Status    Reason = "status"    // an HTTP status of 400 or more
	Timeout   Reason = "timeout"   // the time that was allowed, with its unit, or nothing
	Signal    Reason = "signal"    // what killed the command, or nothing
	Sandbox   Reason = "sandbox"   // a sandbox denied something: nothing
	Exception Reason = "exception" // the name of what was raised, or nothing
	Curl      Reason = "curl"      // curl's own error code
)

// Verdict is how a call ended.
type Verdict struct {
	Outcome Outcome
	// Reason and Detail are those of a failure.
	Reason Reason
	Detail string
}

// Call is what there is to know of a call to judge its result.
type Call struct {
	Kind canonical.ToolKind
	// AsksStatus is whether a shell's command has curl print the status of a
	// response.
	AsksStatus bool
}

var (
	open      = Verdict{}
	succeeded = Verdict{Outcome: Succeeded}
)

func failed(reason Reason, detail string) Verdict { return Verdict{Failed, reason, detail} }

// Of judges the result of a call. Of a text that the host sent in part, beginning
// and end are looked at.
func Of(c Call, isError bool, content []canonical.Block) Verdict {
	text, last := textOf(content)
	first, _, _ := strings.Cut(text, "\n")
	switch {
	case isError && aborted(last):
		return open
	case c.Kind == canonical.ToolShell && !isError && inBackground(first):
		return open
	case c.Kind == canonical.ToolShell:
		if v := shellSays(first, last, isError); v.Outcome == Failed {
			return v
		}
	case c.Kind == canonical.ToolFetch:
		// A status says all there is to say, whatever words the page has.
		switch status := statusIn(first); {
		case status >= "400":
			return failed(Status, status)
		case status != "" && !isError:
			return succeeded
		}
	}
	switch {
	case isError:
		if strings.HasSuffix(first, ":") { // which announces what is next
			next, _, _ := strings.Cut(strings.TrimSpace(text[len(first):]), "\n")
			first += " " + strings.TrimSpace(next)
		}
		return failed(Error, strings.TrimSpace(first))
	case c.Kind == canonical.ToolShell:
		return shellShows(c, text)
	}
	return succeeded // the text of other tools is not guessed at
}

// textOf returns all text of a result, and its last line.
func textOf(content []canonical.Block) (text, last string) {
	var b strings.Builder
	for _, block := range content {
		if block.MediaType != "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		if block.Long != nil {
			b.WriteString(block.Long.Head)
			b.WriteByte('\n')
			b.WriteString(block.Long.Tail)
			continue
		}
		b.Write(block.Data)
	}
	text = strings.TrimSpace(b.String())
	return text, text[strings.LastIndexByte(text, '\n')+1:]
}

// aborted reports whether a result says that somebody stopped the call.
func aborted(last string) bool {
	return last == "Command aborted" || last == "Operation aborted" || strings.HasPrefix(last, "[Request interrupted by user")
}

// inBackground reports whether a result says that the command goes on.
func inBackground(first string) bool {
	return strings.HasPrefix(first, "Command running in background") || strings.HasPrefix(first, "Process running with session ID")
}

// shellSays reads what a host adds to the output of a command: Pi below it, and
// only to that of a failed one; others above.
func shellSays(first, last string, isError bool) Verdict {
	if isError {
		if code, ok := strings.CutPrefix(last, "Command exited with code "); ok {
			return failed(Exit, code)
		}
		if rest, ok := strings.CutPrefix(last, "Command timed out after "); ok {
			limit, _, _ := strings.Cut(rest, ".")
			return failed(Timeout, limit)
		}
		if last == "Command terminated without an exit code" {
			return failed(Signal, "")
		}
	}
	for _, prefix := range []string{"Exit code: ", "Exit code ", "Process exited with code ", "<returncode>"} {
		if rest, ok := strings.CutPrefix(first, prefix); ok {
			if code := number(rest); code != "" && strings.Trim(code, "0") != "" {
				return failed(Exit, code)
			}
		}
	}
	return succeeded
}

// sign is a text that shows a failure; what is in its group is the detail.
type sign struct {
	text   *regexp.Regexp
	reason Reason
}

var (
	// marks are what hosts add to an output, said what urllib and curl say in it.
	marks = []sign{
		{regexp.MustCompile(`\[exit code: (-?0*[1-9]\d*)\]`), Exit},
		{regexp.MustCompile(`\(HTTP ([4-9]\d\d)\)`), Status},
		{regexp.MustCompile(`\[timed out after (\d+ms)\]`), Timeout},
		{regexp.MustCompile(`\[killed by signal: ([^\]]+)\]`), Signal},
		{regexp.MustCompile(`\[sandbox: file access denied()`), Sandbox},
	}
	said = []sign{
		{regexp.MustCompile(`HTTP Error (\d{3})`), Status},
		{regexp.MustCompile(`curl: \((\d+)\)`), Curl},
	}
	// leading is a status of failure at the very beginning of an output. Numbers
	// that come later may be sizes.
	leading = sign{regexp.MustCompile(`^([45]\d\d)\b`), Status}
	// exception is one of Python or JavaScript that nobody caught.
	exception = regexp.MustCompile(`(?m)^\s*(?:[A-Za-z_][\w.]*\.)?([A-Za-z_]\w*(?:Error|Exception)): `)
)

// shellShows looks for a failure in the output of a command that ended well: the
// last command of a pipeline did, or a script that caught its own error.
func shellShows(c Call, text string) Verdict {
	if v := show(text, marks...); v.Outcome == Failed {
		return v
	}
	if v := raised(text); v.Outcome == Failed {
		return v
	}
	if v := show(text, said...); v.Outcome == Failed {
		return v
	}
	if c.AsksStatus {
		return show(text, leading)
	}
	return succeeded
}

// show returns the failure of the first of these signs that text has.
func show(text string, signs ...sign) Verdict {
	for _, s := range signs {
		if found := s.text.FindStringSubmatch(text); found != nil {
			return failed(s.reason, found[1])
		}
	}
	return succeeded
}

// raised looks for an exception: below a traceback the last one is what went
// wrong in the end.
func raised(text string) Verdict {
	traced := strings.Contains(text, "Traceback (most recent call last)")
	if !traced && !strings.Contains(text, "Error: ") && !strings.Contains(text, "Exception: ") {
		return succeeded // spares the slower look
	}
	all := exception.FindAllStringSubmatch(text, -1)
	switch {
	case traced && len(all) == 0:
		return failed(Exception, "")
	case traced:
		return failed(Exception, all[len(all)-1][1])
	case len(all) > 0:
		return failed(Exception, all[0][1])
	}
	return succeeded
}

// statusIn returns the HTTP status in the first line of what a tool fetched, as
// "Fetched https://… (HTTP 404)" and "HTTP/1.1 404 Not Found" have it; "" where
// there is none.
func statusIn(first string) string {
	rest, found := after(first, "(HTTP ")
	if !found {
		if rest, found = strings.CutPrefix(first, "HTTP"); found && strings.HasPrefix(rest, "/") {
			_, rest, found = strings.Cut(rest, " ")
		} else if found {
			rest, found = strings.CutPrefix(rest, " ")
		}
	}
	if !found {
		rest, found = strings.CutPrefix(first, "Status: ")
	}
	if status := number(rest); found && len(status) == 3 && status >= "100" && status <= "599" {
		return status
	}
	return ""
}

// after returns what follows the first mark in text.
func after(text, mark string) (string, bool) {
	_, rest, found := strings.Cut(text, mark)
	return rest, found
}

// number returns the digits, and a minus before them, that s begins with.
func number(s string) string {
	n := 0
	for n < len(s) && (s[n] >= '0' && s[n] <= '9' || n == 0 && s[n] == '-') {
		n++
	}
	if s[:n] == "-" {
		return ""
	}
	return s[:n]
}
