package command

import "strings"

func gitEffect(args []Word, _ *Simple) Effect {
	sub, rest := subcommand(append([]Word{{}}, args...), gitGlobal)
	next, _ := first(rest)
	switch sub {
	case "":
		return Looks
	case "status", "log", "diff", "show", "blame", "annotate", "grep", "ls-files", "ls-tree", "ls-remote", "cat-file",
		"rev-parse", "rev-list", "describe", "shortlog", "merge-base", "name-rev", "for-each-ref", "show-ref",
		"count-objects", "whatchanged", "cherry", "check-ignore", "check-attr", "diff-tree", "diff-index", "diff-files",
		"var", "version", "help", "fsck", "range-diff", "verify-commit", "verify-tag", "merge-tree", "show-branch",
		"check-ref-format", "patch-id", "--version", "--help":
		return either(!has(rest, "--output"), Looks)
	case "branch":
		if has(rest, "-d", "-D", "-m", "-M", "-c", "-C", "-u", "-f", "--delete", "--move", "--copy", "--set-upstream-to",
			"--unset-upstream", "--edit-description", "--force") {
			return Changes
		}
		return either(next == "" || letter(rest, 'v') || letter(rest, 'a') || letter(rest, 'r') ||
			has(rest, "-l", "--list", "--contains", "--no-contains", "--merged", "--no-merged", "--show-current", "--points-at", "--all"), Looks)
	case "tag":
		if has(rest, "-d", "--delete", "-a", "-s", "-m", "-f") {
			return Changes
		}
		return either(next == "" || letter(rest, 'l') || letter(rest, 'n') ||
			has(rest, "--list", "--contains", "--points-at", "--merged", "--sort"), Looks)
	case "remote":
		return either(next == "" || next == "show" || next == "get-url", Looks)
	case "stash", "worktree", "notes":
		return either(next == "list" || next == "show", Looks)
	case "reflog":
		return either(next != "expire" && next != "delete", Looks)
	case "config":
		return either(has(rest, "-l", "--list", "--get", "--get-all", "--get-regexp", "--get-urlmatch", "get", "list") ||
			len(plainArgs(rest)) == 1 && !has(rest, "--unset", "--unset-all", "--edit", "-e", "--remove-section"), Looks)
	case "submodule":
		return either(next == "" || next == "status" || next == "summary", Looks)
	case "bisect":
		return either(next == "log" || next == "view", Looks)
	case "symbolic-ref":
		return either(len(plainArgs(rest)) < 2 && !has(rest, "-d", "--delete"), Looks)
	case "lfs":
		return either(next == "ls-files" || next == "env" || next == "status", Looks)
	case "format-patch":
		return either(has(rest, "--stdout"), Looks)
	case "apply":
		return either(has(rest, "--check", "--stat", "--numstat", "--summary"), Looks)
	case "archive", "bundle":
		return either(next == "verify" || next == "list-heads", Looks)
	}
	return Changes
}

func ghEffect(args []Word, _ *Simple) Effect {
	sub, rest := first(args)
	next, _ := first(rest)
	switch sub {
	case "search", "status", "help", "version", "":
		return Looks
	case "api":
		for i, a := range rest {
			t := a.Text
			switch {
			case t == "-X" || t == "--method":
				if i+1 < len(rest) && !strings.EqualFold(rest[i+1].Text, "GET") {
					return Changes
				}
			case strings.HasPrefix(t, "-X") || strings.HasPrefix(t, "--method="):
				return either(strings.HasSuffix(strings.ToUpper(t), "GET"), Looks)
			case t == "-f" || t == "-F" || t == "--field" || t == "--raw-field" || t == "--input":
				return either(has(rest, "-X", "--method") && has(rest, "GET"), Looks)
			}
		}
		return Looks
	}
	switch next {
	case "view", "list", "ls", "diff", "status", "checks", "get", "field-list", "item-list":
		if has(rest, "--watch") {
			return Waits
		}
		return Looks
	case "watch":
		return Waits
	}
	return Changes
}
