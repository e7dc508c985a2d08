package command

import (
	"maps"
	"strings"
)

// wrapping is how a command word runs another command: the command that begins at
// words[inner], or the script that stands in words[script]. Both are 0 where the
// command is its own.
type wrapping struct {
	inner   int
	script  int
	joined  bool // the script goes on to the last word
	remote  bool
	dialect Dialect
}

// text is the script the wrapper runs.
func (u wrapping) text(words []Word) string {
	if !u.joined {
		return words[u.script].Text
	}
	var b strings.Builder
	for i, w := range words[u.script:] {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.Text)
	}
	return b.String()
}

// wrapper says how the words of a wrapper are passed over.
type wrapper struct {
	short    string // letters of options with a value
	long     string // long options with a value, each between blanks
	operands int    // words of its own before the command
	assigns  bool   // NAME=value words are its own
	volatile bool   // says how long or how nicely, not what
}

var wrappers = map[string]wrapper{
	"sudo": {short: "CDghpRrTtUu", assigns: true,
		long: " chdir chroot close-from command-timeout group host other-user prompt role type user "},
	"doas":         {short: "Cu"},
	"env":          {short: "CSu", long: " chdir unset ", assigns: true, volatile: true},
	"timeout":      {short: "ks", long: " kill-after signal ", operands: 1, volatile: true},
	"gtimeout":     {short: "ks", long: " kill-after signal ", operands: 1, volatile: true},
	"nice":         {short: "n", long: " adjustment ", volatile: true},
	"ionice":       {short: "cn", long: " class classdata ", volatile: true},
	"chrt":         {operands: 1, volatile: true},
	"nohup":        {},
	"setsid":       {},
	"time":         {short: "fo", long: " format output ", volatile: true},
	"stdbuf":       {short: "eio", long: " error input output ", volatile: true},
	"unbuffer":     {volatile: true},
	"command":      {volatile: true},
	"builtin":      {volatile: true},
	"exec":         {short: "a"},
	"caffeinate":   {short: "tw", volatile: true},
	"chroot":       {operands: 1},
	"flock":        {short: "wE", operands: 1},
	"busybox":      {},
	"proxychains":  {short: "f"},
	"proxychains4": {short: "f"},
	"torsocks":     {},
	"xargs": {short: "adEILnPsJRS",
		long: " arg-file delimiter max-args max-chars max-lines max-procs process-slot-var "},
	"parallel": {short: "jNnaS", long: " jobs arg-file sshlogin colsep max-args joblog delay "},
}

var shells = map[string]bool{
	"sh": true, "bash": true, "zsh": true, "dash": true, "ash": true, "ksh": true, "mksh": true, "fish": true,
}

// runs are all programs that run another command.
var runs = func() map[string]bool {
	all := maps.Clone(shells)
	for name := range wrappers {
		all[name] = true
	}
	for _, name := range []string{"su", "runuser", "eval", "watch", "ssh", "pwsh", "powershell", "cmd"} {
		all[name] = true
	}
	return all
}()

// unwrap tells what a command runs in its place.
func unwrap(words []Word) wrapping {
	name := program(base(words[0].Text))
	if !runs[name] {
		return wrapping{}
	}
	if w, ok := wrappers[name]; ok {
		if (name == "command" || name == "exec") && len(words) > 1 &&
			(words[1].Text == "-v" || words[1].Text == "-V") {
			return wrapping{}
		}
		i := w.pass(words)
		if i >= len(words) {
			return wrapping{}
		}
		return wrapping{inner: i}
	}
	switch {
	case shells[name]:
		return shellScript(words, 'c', wrapper{short: "oO", long: " rcfile init-file "})
	case name == "su" || name == "runuser":
		return shellScript(words, 'c', wrapper{short: "gGswu"})
	}
	switch name {
	case "eval":
		if len(words) > 1 {
			return wrapping{script: 1, joined: true}
		}
	case "watch":
		if i := (wrapper{short: "nq", long: " interval "}).pass(words); i < len(words) {
			return wrapping{script: i, joined: true}
		}
	case "ssh":
		i := wrapper{short: "BbcDEeFIiJLlmOopPQRSWw"}.pass(words) + 1
		if i < len(words) {
			return wrapping{script: i, joined: true, remote: true}
		}
	case "pwsh", "powershell":
		for i := 1; i < len(words); i++ {
			switch t := strings.ToLower(words[i].Text); {
			case t == "-command" || t == "-c":
				if i+1 < len(words) {
					return wrapping{script: i + 1, joined: true, dialect: PowerShell}
				}
			case t == "-file" || t == "-f" || t == "-encodedcommand" || t == "-e":
				return wrapping{}
			case t == "-executionpolicy" || t == "-ep" || t == "-version" || t == "-windowstyle":
				i++
			case !strings.HasPrefix(t, "-"):
				return wrapping{script: i, joined: true, dialect: PowerShell}
			}
		}
	case "cmd":
		for i := 1; i+1 < len(words); i++ {
			if t := strings.ToLower(words[i].Text); t == "/c" || t == "/k" || t == "//c" {
				return wrapping{script: i + 1, joined: true, dialect: Batch}
			}
		}
	}
	return wrapping{}
}

// pass is the index of the first word that is not the wrapper's own.
func (w wrapper) pass(words []Word) int {
	operands := w.operands
	for i := 1; i < len(words); i++ {
		t := words[i].Text
		switch {
		case t == "--":
			return i + 1 + operands
		case strings.HasPrefix(t, "--"):
			if strings.Contains(w.long, " "+t[2:]+" ") {
				i++
			}
		case len(t) > 1 && t[0] == '-':
			for k := 1; k < len(t); k++ {
				if strings.IndexByte(w.short, t[k]) >= 0 {
					if k+1 == len(t) {
						i++
					}
					break
				}
			}
		case w.assigns && isAssignment(t):
		case operands > 0:
			operands--
		default:
			return i
		}
	}
	return len(words)
}

func isAssignment(text string) bool {
	_, ok := assignment(text)
	return ok
}

// shellScript finds the script a shell is given by an option such as -c, -lc or -ec.
func shellScript(words []Word, letter byte, w wrapper) wrapping {
	asked := false
	for i := 1; i < len(words); i++ {
		t := words[i].Text
		switch {
		case t == "--command":
			asked = true
		case strings.HasPrefix(t, "--"):
			if strings.Contains(w.long, " "+t[2:]+" ") {
				i++
			}
		case len(t) > 1 && (t[0] == '-' || t[0] == '+'):
			asked = asked || t[0] == '-' && strings.IndexByte(t, letter) > 0
			if strings.IndexByte(w.short, t[len(t)-1]) >= 0 {
				i++
			}
		case asked:
			return wrapping{script: i}
		case w.short != "oO": // su takes the user first
		default:
			return wrapping{}
		}
	}
	return wrapping{}
}
