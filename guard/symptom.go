package guard

import (
	"bytes"
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

// Words by which results tell. They are of Pi's tools and of those
// of the agents in the recordings.
var (
	anchorWords  = phrasesOf("could not find the exact", "could not find", "not found in", "no match", "did not match", "does not match", "changed since", "modified since", "occurrences", "must be unique")
	appliedWords = phrasesOf("no changes", "already applied", "already exists", "already been", "identical")
	missingWords = phrasesOf("no such file", "enoent", "not found", "does not exist", "cannot find", "unknown command", "is not recognized")
	nothingWords = phrasesOf("no matches", "no match", "no files found", "no results", "0 results", "nothing found", "(no output)")
	refusedWords = phrasesOf("error", "fail", "not found", "no changes", "could not", "cannot", "can't", "invalid", "rejected", "unable", "denied", "refused", "occurrences", "no replacement", "not applied", "not updated")
	madeWords    = phrasesOf("success", "updated", "applied", "replaced", "been edited", "wrote", "written", "created", "inserted", "saved")
	failedWords  = phrasesOf("error", "failed", "failure", "fatal", "mcp error", "exception", "traceback")
	errorWords   = phrasesOf("error", "fail", "fatal", "cannot", "could not", "not found", "no such", "denied", "invalid", "unexpected", "undefined", "exception", "panic", "traceback")
)

// refusalOf is how much of the answer to an edit is read for whether it was made,
// in bytes. Further down stands what was written.
const refusalOf = 200

// saysRefused reports whether the answer to an edit says that it was not made: an
// editor that checks what it is given may refuse it without an error. It says so
// before it says that anything was made, for what follows may be the file's own text,
// and not in the name of a file.
func saysRefused(text []byte) bool {
	text = text[:min(len(text), refusalOf)]
	if !refusedWords.in(text) {
		return false // nor does it without the names
	}
	var buf [refusalOf]byte
	text = withoutNames(append(buf[:0], text...))
	refused := refusedWords.first(text)
	return refused >= 0 && !madeWords.in(text[:refused])
}

// saysFailed reports whether the answer of a tool begins as that to a call that failed,
// which not every host calls one. Further down, or in other words, it may be a finding.
func saysFailed(text []byte) bool {
	return failedWords.start(bytes.TrimSpace(text[:min(len(text), refusalOf)]))
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

// saysHowFar reports whether a result tells how far something is of how much: 30 %,
// 12/40, 3 of 8.
func saysHowFar(text []byte) bool {
	digit := func(i int) bool { return i >= 0 && i < len(text) && '0' <= text[i] && text[i] <= '9' }
	blank := func(i int) bool { return i >= 0 && i < len(text) && text[i] == ' ' }
	for i, c := range text {
		switch c {
		case '%', '/':
			if (digit(i-1) || blank(i-1) && digit(i-2)) && (c == '%' || digit(i+1) || blank(i+1) && digit(i+2)) {
				return true
			}
		case 'o', 'O':
			if blank(i-1) && digit(i-2) && i+1 < len(text) && text[i+1]|0x20 == 'f' && blank(i+2) && digit(i+3) {
				return true
			}
		}
	}
	return false
}

// saying reads the result of a call.
func (a *action) saying(e evidence) saying {
	text := a.beginning()
	return saying{symptomOf(a.meaning, e, text), quote(text, e.isError), saysHowFar(text)}
}

// foundNothing is what Pi's shell adds where grep, or a test, says no.
var foundNothing = []byte("Command exited with code 1")

func symptomOf(m meaning, e evidence, text []byte) Symptom {
	switch {
	case m.polls:
		return SymptomWaiting
	case m.effect == edits && e.failed && anchorWords.in(text):
		return SymptomAnchor
	case m.effect == edits && appliedWords.in(text):
		return SymptomApplied
	case m.effect == looksOnly && (e.empty || !m.checks && silent(bytes.TrimSuffix(text, foundNothing))):
		return SymptomNothing
	case m.kind == canonical.ToolSearch || m.kind == canonical.ToolList:
		if e.empty || nothingWords.in(text) {
			return SymptomNothing
		}
	}
	switch {
	case m.kind != canonical.ToolShell && e.isError && missingWords.in(text):
		return SymptomMissing
	case e.isError:
		return SymptomFailing
	case m.effect == looksOnly && nothingWords.in(text[:min(len(text), refusalOf)]):
		return SymptomNothing
	}
	return SymptomNone
}

// quote returns a line of a result that says what it is about: of a failure the
// first that names an error, else the first at all.
func quote(text []byte, isError bool) string {
	var first []byte
	for len(text) > 0 {
		var line []byte
		line, text, _ = bytes.Cut(text, []byte{'\n'})
		line = bytes.TrimSpace(line)
		if !bytes.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			continue
		}
		if first == nil {
			if first = line; !isError {
				break
			}
		}
		if errorWords.in(line) {
			first = line
			break
		}
	}
	return string(first[:min(len(first), 4*quotedLimit)])
}
