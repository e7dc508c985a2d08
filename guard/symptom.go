package guard

import (
	"bytes"
	"regexp"
	"unicode"

	"github.com/loopbreaker/loopbreaker/canonical"
)

// Symptom is what a result shows of why a call does not get on. The advice to the
// model goes by it.
type Symptom uint8

// Symptoms.
const (
	SymptomNone    Symptom = iota
	SymptomAnchor          // an edit whose text is not in the file
	SymptomApplied         // an edit that is in the file already
	SymptomMissing         // what the call is about does not exist
	SymptomNothing         // a search that finds nothing
	SymptomFailing         // a command that fails
	SymptomWaiting         // a poll
)

// saying is what there is to say about a result.
type saying struct {
	symptom Symptom
	quote   string
	// nears is whether it says how far something is of how much: 30 %, 12/40.
	nears bool
}

// Words by which results tell, in lower case. They are of Pi's tools and of those
// of the agents in the recordings.
var (
	anchorWords  = words("could not find the exact", "could not find", "not found in", "no match", "did not match", "does not match", "changed since", "modified since", "occurrences", "must be unique")
	appliedWords = words("no changes", "already applied", "already exists", "already been", "identical")
	missingWords = words("no such file", "enoent", "not found", "does not exist", "cannot find", "unknown command", "is not recognized")
	nothingWords = words("no matches", "no match", "no files found", "no results", "0 results", "nothing found", "(no output)")
	refusedWords = words("error", "fail", "not found", "no changes", "could not", "cannot", "can't", "invalid", "rejected", "unable", "denied", "refused", "occurrences", "no replacement", "not applied", "not updated")
	madeWords    = words("success", "updated", "applied", "replaced", "been edited", "wrote", "written", "created", "inserted", "saved")
	failedWords  = words("error", "failed", "failure", "fatal", "mcp error", "exception", "traceback")
	errorWords   = words("error", "fail", "fatal", "cannot", "could not", "not found", "no such", "denied", "invalid", "unexpected", "undefined", "exception", "panic", "traceback")
)

func words(w ...string) (all [][]byte) {
	for _, s := range w {
		all = append(all, []byte(s))
	}
	return all
}

func saysAny(lower []byte, words [][]byte) bool {
	for _, w := range words {
		if bytes.Contains(lower, w) {
			return true
		}
	}
	return false
}

// lowered returns a text with its ASCII letters in lower case, as long as it was.
func lowered(text []byte) []byte { return appendLowered(make([]byte, 0, len(text)), text) }

func appendLowered(out, text []byte) []byte {
	for _, c := range text {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		out = append(out, c)
	}
	return out
}

// refusalOf is how much of the answer to an edit is read for whether it was made,
// in bytes. Further down stands what was written.
const refusalOf = 200

// saysRefused reports whether the answer to an edit says that it was not made: an
// editor that checks what it is given may refuse it without an error. It says so
// before it says that anything was made, for what follows may be the file's own text,
// and not in the name of a file.
func saysRefused(text []byte) bool {
	var buf [refusalOf]byte
	lower := appendLowered(buf[:0], text[:min(len(text), refusalOf)])
	if refusedFirst.in(lower, refusedWords) < 0 {
		return false // nor does it without the names
	}
	lower = withoutNames(lower)
	refused := refusedFirst.in(lower, refusedWords)
	return refused >= 0 && madeFirst.in(lower[:refused], madeWords) < 0
}

// saysFailed reports whether the answer of a tool begins as that to a call that failed,
// which not every host calls one. Further down, or in other words, it may be a finding.
func saysFailed(text []byte) bool {
	var buf [refusalOf]byte
	lower := appendLowered(buf[:0], bytes.TrimSpace(text[:min(len(text), refusalOf)]))
	for _, w := range failedWords {
		if bytes.HasPrefix(lower, w) {
			return true
		}
	}
	return false
}

// firsts are the letters that some words begin with.
type firsts [256]bool

var refusedFirst, madeFirst = firstsOf(refusedWords), firstsOf(madeWords)

func firstsOf(words [][]byte) *firsts {
	f := new(firsts)
	for _, w := range words {
		f[w[0]] = true
	}
	return f
}

// in returns where the first of the words begins, -1 where there is none.
func (f *firsts) in(lower []byte, words [][]byte) int {
	for i, c := range lower {
		if !f[c] {
			continue
		}
		for _, w := range words {
			if c == w[0] && bytes.HasPrefix(lower[i:], w) {
				return i
			}
		}
	}
	return -1
}

// withoutNames leaves blanks in the place of what looks like the name of a file.
func withoutNames(text []byte) []byte {
	for word := range bytes.FieldsSeq(text) {
		if bytes.ContainsAny(word, `/\\`) || bytes.IndexByte(bytes.TrimRight(word, ".,:;!?)'\"`"), '.') > 0 {
			for i := range word {
				word[i] = ' '
			}
		}
	}
	return text
}

// farOf is how a result tells how far something is of how much.
var farOf = regexp.MustCompile(`\d ?%|\d ?/ ?\d|\d of \d`)

// saying reads the result of a call.
func (a *action) saying(e evidence) saying {
	text := a.beginning()
	lower := lowered(text)
	return saying{symptomOf(a.meaning, e, lower), quote(text, lower, e.isError), farOf.Match(lower)}
}

func symptomOf(m meaning, e evidence, lower []byte) Symptom {
	switch {
	case m.polls:
		return SymptomWaiting
	case m.effect == edits && e.failed && saysAny(lower, anchorWords):
		return SymptomAnchor
	case m.effect == edits && saysAny(lower, appliedWords):
		return SymptomApplied
	case m.kind == canonical.ToolSearch || m.kind == canonical.ToolList || m.effect == looksOnly && e.empty:
		if e.empty || saysAny(lower, nothingWords) {
			return SymptomNothing
		}
	}
	switch {
	case m.kind != canonical.ToolShell && e.isError && saysAny(lower, missingWords):
		return SymptomMissing
	case e.isError:
		return SymptomFailing
	case m.effect == looksOnly && saysAny(lower[:min(len(lower), refusalOf)], nothingWords):
		return SymptomNothing
	}
	return SymptomNone
}

// quote returns a line of a result that says what it is about: of a failure the
// first that names an error, else the first at all.
func quote(text, lower []byte, isError bool) string {
	var first []byte
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte{'\n'})
		low := lower[:len(line)]
		lower, text = lower[len(lower)-len(rest):], rest
		line = bytes.TrimSpace(line)
		if !bytes.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			continue
		}
		if first == nil {
			if first = line; !isError {
				break
			}
		}
		if saysAny(low, errorWords) {
			first = line
			break
		}
	}
	return string(first[:min(len(first), 4*quotedLimit)])
}
