package command

import (
	"slices"
	"strings"
)

// Sinks returns the files the script writes: the targets of redirections, of -o,
// --output and -O (for curl -O the last segment of the address), of tee and of dd
// of=, cleaned like paths, each once, in order. Streams and devices (/dev/null,
// /dev/stdout, "-", &1) say nothing about what was written and are left out, and so is
// a target that is only an unknown variable. This is the measure `sink` of the system
// `measures`.
func (s *Script) Sinks() []string {
	var sinks []string
	for i := range s.Commands {
		for _, w := range s.Commands[i].writes() {
			for _, t := range s.resolve(w) {
				if t = clean(t); t != "" && !generic(t) && !(strings.HasPrefix(t, "$") && !w.Literal && unknown(t)) &&
					!slices.Contains(sinks, t) {
					sinks = append(sinks, t)
				}
			}
		}
	}
	return sinks
}

// unknown tells that a text is nothing but one expansion.
func unknown(text string) bool {
	if strings.HasPrefix(text, "$(") {
		return true
	}
	_, _, end := variable(text)
	return end == len(text)
}

// generic tells a target that is no file.
func generic(target string) bool {
	switch target {
	case "-", "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty", "/dev/zero", "/dev/full",
		"NUL", "nul", "$null", "CON":
		return true
	}
	return strings.HasPrefix(target, "/dev/fd/") || strings.HasPrefix(target, "/proc/self/fd/") ||
		strings.HasPrefix(target, "&")
}

// writes are the words that name what the command writes, streams included.
func (c *Simple) writes() []Word {
	var out []Word
	for _, rd := range c.Redirects {
		switch rd.Op {
		case ">", ">>", ">|", "&>", "&>>", "<>":
			out = append(out, rd.Target)
		case ">&":
			if t := rd.Target.Text; strings.Trim(t, "0123456789-") != "" { // >&file
				out = append(out, rd.Target)
			}
		}
	}
	if len(c.Words) == 0 {
		return out
	}
	name := c.program()
	switch name {
	case "tee", "sponge":
		return append(out, operands(c.Words)...)
	case "dd":
		for _, w := range c.Words[1:] {
			if file, ok := strings.CutPrefix(w.Text, "of="); ok {
				out = append(out, Word{file, w.Literal})
			}
		}
		return out
	case "Out-File", "Set-Content", "Add-Content", "Tee-Object", "Export-Csv", "Export-Clixml":
		return append(out, cmdletFile(c.Words)...)
	}
	if listed(formats, name) {
		return out
	}
	g := grammarOf(name)
	if g == nil {
		g = joined
		if listed(compilers, name) {
			g = output
		}
	}
	remote := false
	for o := range g.options(c.Words) {
		// Programs of long options with one dash (-timeout, -fopenmp) have no clusters.
		if (g == output || name == "go") && !strings.HasPrefix(c.Words[o.word].Text, "-"+o.name) {
			continue
		}
		switch {
		case g.cmdlet && (o.name == "outfile" || o.name == "destination"):
		case o.long && (o.name == "output" || o.name == "output-document" || o.name == "out") && !g.cmdlet:
			if !o.valued && o.word+1 < len(c.Words) {
				o.value, o.valued = c.Words[o.word+1], true
			}
		case o.name == "o" && !o.long && strings.IndexByte(g.short, 'o') >= 0 && name != "ssh" && name != "wget":
		case o.name == "O" && !o.long && name == "wget":
		case (o.name == "O" || o.name == "remote-name") && name == "curl":
			remote = true
			continue
		default:
			continue
		}
		if o.valued && o.value.Text != "" {
			out = append(out, o.value)
		}
	}
	if remote {
		for _, a := range c.addresses(g) {
			t, _, _ := strings.Cut(a.Text, "?")
			if k := strings.LastIndexByte(t, '/'); k >= 0 && k+1 < len(t) {
				out = append(out, Word{t[k+1:], a.Literal})
			}
		}
	}
	return out
}

// formats are programs whose -o or --output names a format or a setting.
const formats = " kubectl oc helm aws az gcloud docker podman gh terraform grep egrep fgrep rg ag ack ps ls find set " +
	"shopt ssh scp sftp mount pytest golangci-lint cargo ruff mypy jq yq journalctl systemctl lsof stat pip npm pnpm yarn " +
	"echo printf bash sh test [ nmap du lsblk fzf python python3 node conda uv "

// compilers are programs whose -o names the file they write.
const compilers = " gcc cc g++ c++ clang clang++ ld rustc ghc ocamlc nasm as pandoc dot sort yt-dlp youtube-dl esbuild " +
	"protoc swiftc tcc zig nvcc gfortran age gpg jpegoptim rst2html xmllint xsltproc "

var output = &grammar{short: "o"}

// cmdletFile is the file a PowerShell cmdlet writes: -FilePath, -Path, or the first
// operand.
func cmdletFile(words []Word) []Word {
	g := grammar{cmdlet: true, long: " filepath path literalpath encoding value width inputobject delimiter "}
	var operand []Word
	for o := range g.options(words) {
		switch o.name {
		case "filepath", "path", "literalpath":
			if o.valued {
				return []Word{o.value}
			}
		case "":
			if operand == nil {
				operand = []Word{o.value}
			}
		}
	}
	return operand
}
