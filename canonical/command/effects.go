package command

import "strings"

// plainEffects are the programs that have one effect whatever their arguments.
var plainEffects = map[string]Effect{}

// effects are the programs whose effect depends on their arguments. c is the command as
// a whole, nil where a module is judged by itself.
var effects map[string]func(args []Word, c *Simple) Effect

func init() {
	for _, w := range strings.Fields(`
		: [ [[ true false test cd pushd popd dirs pwd echo printf export unset set shopt alias unalias local declare
		typeset readonly trap return exit break continue shift read umask ulimit type hash getopts jobs let bind
		complete bg fg caller enable logout times times
		ls ll la dir vdir exa eza lsd tree cat bat batcat tac nl head tail less more most zcat zless bzcat xzcat gzcat
		grep egrep fgrep zgrep rg rga ag ack ast-grep-search wc cut tr paste column fold fmt rev join comm cmp diff
		colordiff sdiff diff3 expand unexpand od xxd hexdump strings basename dirname realpath readlink seq yes expr bc
		dc factor numfmt jq gron stat file du df free uptime who w whoami id groups users last lastlog ps pstree pgrep
		pidof top htop lsof fuser env printenv locale uname arch nproc lscpu lsblk lsusb lspci lsmod vmstat iostat
		netstat ss getent which whereis whence where whatis apropos man info help tldr history cal md5sum sha1sum
		sha224sum sha256sum sha384sum sha512sum shasum md5 b2sum cksum sum base32 nm objdump readelf ldd otool size
		dig nslookup host whois ping ping6 traceroute tracepath mtr cloc tokei scc sloccount fzf look ts getconf
		tty stty clear reset tput sw_vers system_profiler xclip pbpaste ifconfig arp locate mdfind lspath identify
		exiftool ffprobe mediainfo pdfinfo pdftotext_ shfmt_ delta glow mdcat apt-cache apt-file dpkg-query
		open goto scroll_up scroll_down search_dir search_file find_file
		findstr ver tasklist systeminfo gci gc sls gcm gps cls`) {
		plainEffects[w] = Looks
	}
	for _, w := range strings.Fields(`
		pytest py.test unittest nosetests nose2 tox nox mypy pyright pyre flake8 pylint pyflakes pycodestyle bandit vulture
		jest vitest mocha ava tap jasmine karma cypress tsc tsgo vue-tsc svelte-check tsd depcheck knip attw publint
		ctest rspec minitest phpunit pest phpstan psalm shellcheck hadolint yamllint markdownlint markdownlint-cli2
		actionlint staticcheck govulncheck revive errcheck gocyclo gotestsum javac kotlinc scalac gcc cc g++ c++ clang
		clang++ rustc ghc swiftc clang-tidy cppcheck cpplint bats busted luacheck spectral vale codespell typos
		checkstyle pmd ktlint detekt swiftlint webpack rollup esbuild tsup ninja`) {
		plainEffects[w] = Checks
	}
	plainEffects["wait"] = Waits

	effects = map[string]func([]Word, *Simple) Effect{
		"sleep":   func([]Word, *Simple) Effect { return Waits },
		"usleep":  func([]Word, *Simple) Effect { return Waits },
		"find":    findEffect,
		"fd":      func(args []Word, _ *Simple) Effect { return Looks },
		"fdfind":  func(args []Word, _ *Simple) Effect { return Looks },
		"xargs":   func(args []Word, _ *Simple) Effect { return Looks }, // alone it echoes
		"git":     gitEffect,
		"gh":      ghEffect,
		"hub":     ghEffect,
		"sed":     sedEffect,
		"gsed":    sedEffect,
		"awk":     awkEffect,
		"gawk":    awkEffect,
		"mawk":    awkEffect,
		"curl":    curlEffect,
		"wget":    wgetEffect,
		"http":    httpEffect,
		"https":   httpEffect,
		"xh":      httpEffect,
		"iwr":     func(args []Word, _ *Simple) Effect { return cmdletEffect("Invoke-WebRequest", args) },
		"irm":     func(args []Word, _ *Simple) Effect { return cmdletEffect("Invoke-WebRequest", args) },
		"kubectl": kubectlEffect,
		"oc":      kubectlEffect,
		"docker":  dockerEffect,
		"podman":  dockerEffect,
		"npm":     packageEffect,
		"pnpm":    packageEffect,
		"yarn":    packageEffect,
		"npx":     func(args []Word, c *Simple) Effect { return inner(args, c, " -p --package -c ") },
		"bunx":    func(args []Word, c *Simple) Effect { return inner(args, c, " -p --package ") },
		"pnpx":    func(args []Word, c *Simple) Effect { return inner(args, c, " ") },
		"uvx":     func(args []Word, c *Simple) Effect { return inner(args, c, " --from --with --python -p ") },
		"uv":      uvEffect,
		"poetry":  uvEffect,
		"pipenv":  uvEffect,
		"pdm":     uvEffect,
		"hatch":   uvEffect,
		"rye":     uvEffect,
		"conda":   uvEffect,
		"mamba":   uvEffect,
		"bundle":  uvEffect,
		"mise":    miseEffect,
		"asdf":    uvEffect,
		"direnv":  uvEffect,
		"pip":     pipEffect,
		"pip3":    pipEffect,
		"gem":     pipEffect,
		"brew":    pipEffect,
		"apt":     pipEffect,
		"snap":    pipEffect,
		"go":      goEffect,
		"gofmt":   func(args []Word, _ *Simple) Effect { return either(!has(args, "-w"), Looks) },
		"goimports": func(args []Word, _ *Simple) Effect {
			return either(!has(args, "-w"), Looks)
		},
		"gofumpt": func(args []Word, _ *Simple) Effect { return either(!has(args, "-w"), Looks) },
		"shfmt":   func(args []Word, _ *Simple) Effect { return either(!letter(args, 'w'), Looks) },
		"cargo":   cargoEffect,
		"make":    makeEffect,
		"gmake":   makeEffect,
		"just":    makeEffect,
		"task":    makeEffect,
		"mvn":     mavenEffect,
		"mvnw":    mavenEffect,
		"gradle":  mavenEffect,
		"gradlew": mavenEffect,
		"sbt":     mavenEffect,
		"dotnet":  verbs(" build test ", " --info --version --list-sdks list "),
		"swift":   verbs(" build test ", ""),
		"mix":     verbs(" test compile credo dialyzer ", " help "),
		"rake":    func(args []Word, _ *Simple) Effect { sub, _ := first(args); return scriptEffect(sub) },
		"bazel":   verbs(" build test coverage ", " query cquery aquery info version "),
		"cmake":   func(args []Word, _ *Simple) Effect { return either(has(args, "--build"), Checks) },
		"turbo":   scriptRunner,
		"nx":      scriptRunner,
		"lerna":   scriptRunner,
		"wireit":  scriptRunner,
		"eslint":  fixable, "oxlint": fixable, "biome": fixable, "stylelint": fixable, "standard": fixable, "xo": fixable,
		"rubocop": fixable, "golangci-lint": fixable, "ruff": ruffEffect, "tslint": fixable, "playwright": verbs(" test ", ""),
		"prettier": func(args []Word, _ *Simple) Effect {
			return either(!has(args, "--write", "-w"), Checks)
		},
		"oxfmt": func(args []Word, _ *Simple) Effect {
			return either(has(args, "--check", "-c", "--list-different"), Checks)
		},
		"dprint": verbs(" check ", ""),
		"black":  func(args []Word, _ *Simple) Effect { return either(has(args, "--check", "--diff"), Checks) },
		"isort": func(args []Word, _ *Simple) Effect {
			return either(has(args, "--check", "--check-only", "-c", "--diff"), Checks)
		},
		"rustfmt":   func(args []Word, _ *Simple) Effect { return either(has(args, "--check"), Checks) },
		"coverage":  verbs(" run report html xml ", ""),
		"vite":      verbs(" build ", ""),
		"next":      verbs(" build lint ", " info "),
		"astro":     verbs(" check build ", ""),
		"terraform": verbs(" plan validate ", " show output version providers graph "),
		"helm":      verbs(" lint template ", " list ls status get history show search version "),
		"aws":       cloudEffect,
		"gcloud":    cloudEffect,
		"az":        cloudEffect,
		"systemctl": verbs("", " status is-active is-enabled is-failed list-units list-unit-files list-timers show cat "),
		"service":   func(args []Word, _ *Simple) Effect { return either(has(args, "status", "--status-all"), Looks) },
		"journalctl": func(args []Word, _ *Simple) Effect {
			return either(!has(args, "--vacuum-size", "--vacuum-time", "--rotate"), Looks)
		},
		"dmesg":   func(args []Word, _ *Simple) Effect { return either(!letter(args, 'C') && !letter(args, 'c'), Looks) },
		"crontab": func(args []Word, _ *Simple) Effect { return either(has(args, "-l"), Looks) },
		"dpkg": func(args []Word, _ *Simple) Effect {
			return either(has(args, "-l", "-L", "-s", "-S", "--list", "--listfiles", "--status", "--search"), Looks)
		},
		"rpm": func(args []Word, _ *Simple) Effect { return either(letter(args, 'q') || has(args, "--query"), Looks) },
		"pacman": func(args []Word, _ *Simple) Effect {
			return either(letter(args, 'Q') || has(args, "-Ss", "-Si"), Looks)
		},
		"tmux":   verbs("", " ls list-sessions list-windows list-panes capture-pane show-options display-message info "),
		"screen": func(args []Word, _ *Simple) Effect { return either(has(args, "-ls", "-list"), Looks) },
		"sort": func(args []Word, _ *Simple) Effect {
			return either(!letter(args, 'o') && !has(args, "--output"), Looks)
		},
		"uniq":     func(args []Word, _ *Simple) Effect { return either(len(plainArgs(args)) < 2, Looks) },
		"date":     func(args []Word, _ *Simple) Effect { return either(!has(args, "-s", "--set"), Looks) },
		"hostname": func(args []Word, _ *Simple) Effect { return either(len(plainArgs(args)) == 0, Looks) },
		"ip": func(args []Word, _ *Simple) Effect {
			return either(!has(args, "add", "del", "set", "flush", "replace", "change"), Looks)
		},
		"mount": func(args []Word, _ *Simple) Effect { return either(len(plainArgs(args)) == 0, Looks) },
		"tar":   func(args []Word, _ *Simple) Effect { return either(listsArchive(args), Looks) },
		"unzip": func(args []Word, _ *Simple) Effect {
			return either(letter(args, 'l') || letter(args, 't') || letter(args, 'p'), Looks)
		},
		"zipinfo": func([]Word, *Simple) Effect { return Looks },
		"gzip": func(args []Word, _ *Simple) Effect {
			return either(letter(args, 'c') || letter(args, 'l') || letter(args, 't'), Looks)
		},
		"gunzip":  func(args []Word, _ *Simple) Effect { return either(letter(args, 'c') || letter(args, 't'), Looks) },
		"base64":  func([]Word, *Simple) Effect { return Looks },
		"openssl": verbs("", " version x509 s_client dgst verify "),
		"nc":      func(args []Word, _ *Simple) Effect { return either(letter(args, 'z'), Looks) },
		"mktemp":  func(args []Word, _ *Simple) Effect { return either(letter(args, 'u'), Looks) },
		"yq": func(args []Word, _ *Simple) Effect {
			return either(!letter(args, 'i') && !has(args, "--inplace"), Looks)
		},
		"xmllint":   func(args []Word, _ *Simple) Effect { return either(!has(args, "--output", "-o"), Looks) },
		"pdftotext": func(args []Word, _ *Simple) Effect { return either(has(args, "-"), Looks) },
		"command":   func(args []Word, _ *Simple) Effect { return either(has(args, "-v", "-V"), Looks) },
		"time":      func(args []Word, _ *Simple) Effect { return either(len(args) == 0, Looks) },
		"exec":      func(args []Word, _ *Simple) Effect { return either(len(args) == 0, Looks) },
		"source":    sourceEffect,
		".":         sourceEffect,
		"sudo":      func(args []Word, _ *Simple) Effect { return either(has(args, "-l", "-v", "-n"), Looks) },
		"tee":       teeEffect, "sponge": teeEffect,
		"dd": func(args []Word, c *Simple) Effect {
			for _, a := range args {
				if f, ok := strings.CutPrefix(a.Text, "of="); ok && !generic(f) {
					return Changes
				}
			}
			return Looks
		},
		"bash": shellEffect, "sh": shellEffect, "zsh": shellEffect, "dash": shellEffect,
		"lynx": func(args []Word, _ *Simple) Effect { return either(has(args, "-dump", "-source"), Looks) },
		"w3m":  func(args []Word, _ *Simple) Effect { return either(has(args, "-dump", "-dump_source"), Looks) },
	}
}

// verbs judges a program by its first operand, or by the first word if that is an
// option.
func verbs(checks, looks string) func([]Word, *Simple) Effect {
	return func(args []Word, _ *Simple) Effect {
		sub, _ := first(args)
		if sub == "" && len(args) > 0 {
			sub = args[0].Text
		}
		switch {
		case sub == "--help" || sub == "--version" || sub == "version" || sub == "help":
			return Looks
		case listed(checks, sub):
			return Checks
		case listed(looks, sub):
			return Looks
		}
		return Changes
	}
}

func plainArgs(args []Word) []Word {
	var out []Word
	for _, a := range args {
		if !strings.HasPrefix(a.Text, "-") {
			out = append(out, a)
		}
	}
	return out
}

func listsArchive(args []Word) bool {
	if len(args) == 0 {
		return false
	}
	mode := args[0].Text
	return has(args, "--list") || strings.IndexByte(mode, 't') >= 0 && !strings.ContainsAny(mode, "xcru/.")
}

func findEffect(args []Word, _ *Simple) Effect {
	for _, a := range args {
		switch a.Text {
		case "-delete", "-fprint", "-fprint0", "-fprintf", "-fls":
			return Changes
		}
	}
	return Looks // what it runs is a command of its own
}

func teeEffect(args []Word, _ *Simple) Effect {
	for _, a := range plainArgs(args) {
		if !generic(a.Text) {
			return Changes
		}
	}
	return Looks
}

func shellEffect(args []Word, c *Simple) Effect {
	if has(args, "-n") {
		return Checks
	}
	if c != nil && len(plainArgs(args)) == 0 {
		if _, ok := c.Input(); ok {
			return Looks // what it reads is among the commands
		}
	}
	return either(has(args, "--version"), Looks)
}

func sourceEffect(args []Word, _ *Simple) Effect {
	if len(args) == 0 {
		return Looks
	}
	switch n := base(args[0].Text); n {
	case "activate", ".env", ".bashrc", ".zshrc", ".profile", ".bash_profile", "nvm.sh", "env", "conda.sh", "activate.fish":
		return Looks
	}
	return Changes
}

func sedEffect(args []Word, _ *Simple) Effect {
	script := false
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		switch {
		case strings.HasPrefix(t, "--"):
			if strings.HasPrefix(t, "--in-place") {
				return Changes
			}
		case len(t) > 1 && t[0] == '-':
			for k := 1; k < len(t); k++ {
				if t[k] == 'i' {
					return Changes
				}
				if t[k] == 'e' || t[k] == 'f' {
					script = true
					code := t[k+1:]
					if code == "" && i+1 < len(args) {
						i++
						code = args[i].Text
					}
					if t[k] == 'e' && sedWrites(code) {
						return Changes
					}
					break
				}
			}
		case !script:
			script = true
			if sedWrites(t) {
				return Changes
			}
		}
	}
	return Looks
}

// sedWrites tells a sed script that writes a file (w) or runs a command (e).
func sedWrites(code string) bool {
	for i := 0; i+1 < len(code); i++ {
		if (code[i] == 'w' || code[i] == 'W' || code[i] == 'e') && code[i+1] == ' ' &&
			(i == 0 || strings.IndexByte("/;{}|#,0123456789$gp\n ", code[i-1]) >= 0) && (i == 0 || code[i-1] != ' ' || i == 1) {
			return true
		}
	}
	return false
}

func awkEffect(args []Word, _ *Simple) Effect {
	for i, a := range args {
		t := a.Text
		if t == "-i" && i+1 < len(args) && args[i+1].Text == "inplace" {
			return Changes
		}
		if strings.Contains(t, "system(") || strings.Contains(t, `>"`) || strings.Contains(t, `> "`) ||
			strings.Contains(t, `>>`) || strings.Contains(t, `| "`) && !strings.Contains(t, `|| "`) {
			return Changes
		}
		// print > name
		if k := strings.Index(t, "print"); k >= 0 {
			statement, _, _ := strings.Cut(t[k:], "}")
			statement, _, _ = strings.Cut(statement, ";")
			if g := strings.IndexByte(statement, '>'); g >= 0 && !strings.Contains(statement, "(") && !strings.Contains(statement, ">=") && strings.Count(statement, `"`) == 0 {
				return Changes
			}
		}
	}
	return Looks
}

func curlEffect(args []Word, c *Simple) Effect {
	words := append([]Word{{"curl", true}}, args...)
	get := false
	for o := range grammars["curl"].options(words) {
		switch o.name {
		case "X", "request":
			if m := strings.ToUpper(o.value.Text); m != "GET" && m != "HEAD" && m != "OPTIONS" {
				return Changes
			}
		case "G", "get":
			get = true
		case "o", "output", "D", "dump-header", "c", "cookie-jar", "trace", "trace-ascii", "stderr", "etag-save":
			if o.valued && !generic(o.value.Text) {
				return Changes
			}
		case "O", "J", "remote-name", "remote-name-all", "remote-header-name", "F", "form", "form-string", "T", "upload-file", "json",
			"Q", "quote", "K", "config":
			return Changes
		}
	}
	if get {
		return Looks
	}
	for o := range grammars["curl"].options(words) {
		if o.name == "d" || strings.HasPrefix(o.name, "data") {
			return Changes
		}
	}
	return Looks
}

func wgetEffect(args []Word, _ *Simple) Effect {
	if has(args, "--spider", "--help", "--version") {
		return Looks
	}
	words := append([]Word{{"wget", true}}, args...)
	to := Changes
	for o := range grammars["wget"].options(words) {
		switch o.name {
		case "O", "output-document":
			to = either(generic(o.value.Text), Looks)
		case "post-data", "post-file", "method", "body-data", "body-file":
			return Changes
		}
	}
	return to
}

func httpEffect(args []Word, _ *Simple) Effect {
	for i, a := range plainArgs(args) {
		t := a.Text
		if i == 0 && upper(t) {
			if t != "GET" && t != "HEAD" && t != "OPTIONS" {
				return Changes
			}
			continue
		}
		if i > 0 && strings.IndexByte(t, '=') > 0 && !strings.Contains(t, "==") {
			return Changes
		}
	}
	return either(!has(args, "-o", "--output", "-d", "--download"), Looks)
}

func kubectlEffect(args []Word, _ *Simple) Effect {
	i := wrapper{short: "ns", long: " namespace context kubeconfig cluster user "}.pass(append([]Word{{}}, args...))
	if i > len(args) {
		return Looks
	}
	sub := args[i-1].Text
	next := ""
	if i < len(args) {
		next = args[i].Text
	}
	switch sub {
	case "get", "describe", "logs", "top", "explain", "version", "api-resources", "api-versions", "cluster-info", "diff", "events", "help", "options":
		return Looks
	case "config":
		return either(next == "view" || strings.HasPrefix(next, "get-") || next == "current-context", Looks)
	case "auth":
		return either(next == "can-i" || next == "whoami", Looks)
	case "rollout":
		if next == "status" {
			return Waits
		}
		return either(next == "history", Looks)
	case "wait":
		return Waits
	}
	return Changes
}

func dockerEffect(args []Word, _ *Simple) Effect {
	sub, rest := first(args)
	next, _ := first(rest)
	switch sub {
	case "ps", "logs", "inspect", "images", "version", "info", "stats", "top", "port", "history", "diff", "search", "events", "":
		return Looks
	case "image", "container", "volume", "network", "context", "system", "manifest", "buildx", "stack", "service", "node":
		switch next {
		case "ls", "list", "inspect", "logs", "history", "top", "ps", "df", "info", "stats", "port", "show":
			return Looks
		}
	case "compose":
		for _, a := range rest {
			switch a.Text {
			case "ps", "logs", "config", "ls", "images", "top", "version":
				return Looks
			case "up", "down", "run", "exec", "build", "restart", "start", "stop", "rm", "pull":
				return Changes
			}
		}
	case "wait":
		return Waits
	}
	return Changes
}

func packageEffect(args []Word, c *Simple) Effect {
	valued := " -C --dir --prefix --filter -F -w --workspace --cwd --loglevel "
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		if strings.HasPrefix(t, "-") {
			if listed(valued, t) {
				i++
			} else if t == "--version" || t == "-v" || t == "--help" {
				return Looks
			}
			continue
		}
		if has(args[i:], "--fix", "--write", "-u", "--update", "--updateSnapshot", "--watch") {
			return Changes
		}
		rest := args[i+1:]
		switch t {
		case "ls", "list", "ll", "la", "view", "v", "info", "show", "outdated", "search", "why", "explain", "root",
			"prefix", "whoami", "ping", "help", "bin", "docs", "fund", "licenses", "explore":
			return Looks
		case "audit":
			return either(!has(rest, "fix"), Looks)
		case "config":
			return either(has(rest, "get", "list", "ls"), Looks)
		case "pack", "publish":
			return either(has(rest, "--dry-run"), Looks)
		case "test", "t", "tst":
			return Checks
		case "run", "run-script", "rum":
			for len(rest) > 0 && strings.HasPrefix(rest[0].Text, "-") {
				if listed(valued, rest[0].Text) && len(rest) > 1 {
					rest = rest[1:]
				}
				rest = rest[1:]
			}
			if len(rest) == 0 {
				return Looks // lists the scripts
			}
			return scriptEffect(rest[0].Text)
		case "exec", "dlx", "x":
			return inner(rest, c, valued)
		case "workspace":
			if len(rest) > 1 {
				return packageEffect(rest[1:], c)
			}
			return Changes
		}
		if e := scriptEffect(t); e != Changes {
			return e
		}
		// pnpm and yarn run binaries by name.
		if e, ok := plainEffects[t]; ok && e == Checks {
			return e
		}
		if f := effects[t]; f != nil && t != "npm" && t != "pnpm" && t != "yarn" {
			return f(rest, c)
		}
		return Changes
	}
	return Changes
}

func uvEffect(args []Word, c *Simple) Effect {
	valued := " -n --name -p --prefix --with --python --extra --group --directory --project -C -e --env --from "
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		rest := args[i+1:]
		switch {
		case listed(valued, t):
			i++
		case strings.HasPrefix(t, "-"):
			if t == "--version" || t == "--help" {
				return Looks
			}
		case t == "run" || t == "r":
			sub, _ := first(rest)
			if e := scriptEffect(sub); e != Changes {
				return e
			}
			return inner(rest, c, valued)
		case t == "exec" || t == "x":
			for k, a := range rest { // mise exec tool@1 -- command
				if a.Text == "--" {
					rest = rest[k+1:]
					break
				}
			}
			return inner(rest, c, valued)
		case t == "pip":
			return pipEffect(rest, nil)
		case t == "tool":
			if len(rest) > 1 && rest[0].Text == "run" {
				return inner(rest[1:], c, valued)
			}
			return either(len(rest) > 0 && rest[0].Text == "list", Looks)
		case t == "tasks" || t == "current" || t == "where" || t == "which" || t == "doctor":
			return either(len(rest) == 0 || rest[0].Text != "run", Looks)
		default:
			return pipEffect(args[i:], nil)
		}
	}
	return Changes
}

// miseEffect: "mise run" names a task, never a program.
func miseEffect(args []Word, c *Simple) Effect {
	sub, rest := first(args)
	if sub == "run" || sub == "r" {
		task, _ := first(rest)
		return scriptEffect(task)
	}
	return uvEffect(args, c)
}

func pipEffect(args []Word, _ *Simple) Effect {
	return verbs(" check ", " list show freeze index search info policy debug env query leaves deps uses outdated tree ls config-list ")(args, nil)
}

func goEffect(args []Word, _ *Simple) Effect {
	i := wrapper{short: "C"}.pass(append([]Word{{}}, args...))
	if i > len(args) {
		return Looks
	}
	next := ""
	if i < len(args) {
		next = args[i].Text
	}
	switch args[i-1].Text {
	case "list", "version", "doc", "help":
		return Looks
	case "env":
		return either(next != "-w" && next != "-u", Looks)
	case "mod":
		return either(next == "graph" || next == "why" || next == "verify", Looks)
	case "tool":
		return either(next == "cover" || next == "pprof" || next == "vet", Checks)
	case "build", "test", "vet":
		return Checks
	}
	return Changes
}

func cargoEffect(args []Word, _ *Simple) Effect {
	if has(args, "--fix") {
		return Changes
	}
	for _, a := range args {
		switch t := a.Text; t {
		case "build", "b", "check", "c", "test", "t", "clippy", "bench", "doc", "nextest", "audit", "deny", "machete":
			return Checks
		case "tree", "metadata", "search", "version", "info", "--version", "--list", "pkgid", "locate-project":
			return Looks
		case "fmt":
			return either(has(args, "--check"), Checks)
		default:
			if !strings.HasPrefix(t, "-") && !strings.HasPrefix(t, "+") {
				return Changes
			}
		}
	}
	return Changes
}

func makeEffect(args []Word, _ *Simple) Effect {
	if has(args, "-n", "--dry-run", "--just-print", "--list", "-l") {
		return Looks
	}
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		if t == "-C" || t == "-f" || t == "-d" {
			i++
		} else if !strings.HasPrefix(t, "-") && strings.IndexByte(t, '=') < 0 {
			if e := scriptEffect(t); e == Changes {
				return Changes
			}
		}
	}
	return Checks
}

func mavenEffect(args []Word, _ *Simple) Effect {
	worst := Looks
	any := false
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		if t == "-f" || t == "-pl" || t == "-p" || t == "-P" || t == "--tests" || t == "-x" {
			i++
			continue
		}
		if strings.HasPrefix(t, "-") {
			if t == "--version" || t == "-v" || t == "-version" {
				any = true
			}
			continue
		}
		any = true
		task := t[strings.LastIndexByte(t, ':')+1:]
		switch {
		case t == "dependency:tree" || task == "tasks" || task == "dependencies" || task == "projects" || task == "properties":
		case task == "clean" || task == "package" || task == "assemble" || task == "classes" || task == "testClasses" || task == "jar" || task == "check" ||
			strings.HasPrefix(task, "test") || strings.HasPrefix(task, "compile") || strings.HasPrefix(task, "build") ||
			strings.HasPrefix(task, "lint") || strings.HasSuffix(task, "Check") || strings.HasSuffix(task, "Test") || task == "verify" || task == "validate":
			worst = max(worst, Checks)
		default:
			return Changes
		}
	}
	return either(any, worst)
}

func scriptRunner(args []Word, _ *Simple) Effect {
	sub, rest := first(args)
	if sub == "run" {
		sub, _ = first(rest)
	}
	if sub == "run-many" || sub == "affected" {
		return either(has(rest, "--target", "-t"), Checks)
	}
	return scriptEffect(sub)
}

func fixable(args []Word, _ *Simple) Effect {
	if has(args, "--fix", "--write", "--apply", "-a", "-A", "--autocorrect", "--fix-dry-run", "format", "migrate", "init") {
		return either(has(args, "format") && !has(args, "--write", "--fix"), Checks)
	}
	return Checks
}

func ruffEffect(args []Word, _ *Simple) Effect {
	sub, _ := first(args)
	if sub == "format" {
		return either(has(args, "--check", "--diff"), Checks)
	}
	return either(!has(args, "--fix"), Checks)
}

func cloudEffect(args []Word, _ *Simple) Effect {
	for _, a := range args {
		t := a.Text
		switch {
		case t == "wait":
			return Waits
		case t == "ls" || t == "list" || t == "describe" || t == "show" || t == "get-caller-identity" ||
			strings.HasPrefix(t, "describe-") || strings.HasPrefix(t, "list-") || strings.HasPrefix(t, "get-"):
			return Looks
		case t == "rm" || t == "cp" || t == "mv" || t == "sync" || t == "create" || t == "delete" || t == "update" || t == "set":
			return Changes
		}
	}
	return Changes
}
