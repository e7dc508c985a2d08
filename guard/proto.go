package guard

import (
	"regexp"
	"strconv"
	"strings"
)

type pm struct {
	plain  string
	effect effect
	waits  int
}

var blank = regexp.MustCompile(`\s+`)
var sleeps = regexp.MustCompile(`\bsleep (\d+)`)
var looksVerb = regexp.MustCompile(`^(ls|cat|head|tail|grep|rg|find|git (status|log|diff|show|blame|branch)|sed -n|awk|wc|stat|ps|env|which|file|du|df|tree|jq|diff|curl|kubectl get|docker ps|pwd|echo|cd|open|goto|search_\w+|find_file|scroll_\w+|true|systemctl is-active|printf|date|test|\[|sleep|nl|sort|uniq|xargs|tr|cut|python3? -c .print|gh (pr|run|api|issue) ?(view|list|checks|diff)?)\b`)
var checksVerb = regexp.MustCompile(`^(pytest|python -m pytest|npm test|npm run (test|lint|build|typecheck)|npx tsc|cargo (check|test|build)|make|mvn|go (test|vet|build)|gradle|tsc|eslint|uv run pytest)`)
var splitter = regexp.MustCompile(`&&|\|\||[;|\n]`)
var redirect = regexp.MustCompile(`(^|[^0-9&])>[^&]`)

func protoShell(cmd string) (m pm) {
	for _, s := range sleeps.FindAllStringSubmatch(cmd, -1) {
		n, _ := strconv.Atoi(s[1])
		m.waits += n
	}
	m.plain = strings.TrimSpace(blank.ReplaceAllString(cmd, " "))
	m.effect = looksOnly
	for _, part := range splitter.Split(cmd, -1) {
		part = strings.TrimSpace(part)
		switch {
		case part == "" || strings.HasPrefix(part, "#"):
		case strings.HasPrefix(cmd, "edit ") || strings.HasPrefix(cmd, "create ") || strings.HasPrefix(cmd, "insert "):
			m.effect = edits
		case redirect.MatchString(part) && !strings.Contains(part, "/dev/null"):
			m.effect = mayChange
		case looksVerb.MatchString(part):
		case checksVerb.MatchString(part):
		default:
			m.effect = mayChange
		}
		if m.effect != looksOnly {
			break
		}
	}
	return m
}
