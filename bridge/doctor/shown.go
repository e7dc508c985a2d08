package doctor

import (
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
)

// longest is how many characters of one line are shown.
const longest = 300

var userinfo = regexp.MustCompile(`://[^/@\s]*@`)

// shown is text as strangers may read it, and a terminal.
func (e *examination) shown(text string) string {
	for _, home := range []string{e.Home, resolved(e.Home)} {
		text = withoutHome(text, home)
	}
	text = userinfo.ReplaceAllString(text, "://...@")
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
	if r := []rune(text); len(r) > longest {
		text = string(r[:longest]) + "..."
	}
	return strings.TrimSpace(text)
}

// withoutHome has ~ for the home folder wherever a text names it, but not where the
// name of another folder only begins with its name.
func withoutHome(text, home string) string {
	if len(home) < 2 { // / is nobody's
		return text
	}
	return regexp.MustCompile(regexp.QuoteMeta(home)+`([^\p{L}\p{N}_-]|$)`).ReplaceAllString(text, "~$1")
}

// resolved is a path without links, or as it was where that cannot be told.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
