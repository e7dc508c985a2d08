package command

import (
	"slices"
	"strings"
)

// interpreter says where a program takes its code from, and which calls in it make a
// request.
type interpreter struct {
	code    string   // letters of short options whose value is code
	long    string   // long options whose value is code, between blanks
	verbs   string   // subcommands after which the code follows
	valued  string   // options with a value of another kind, between blanks
	comment string   // what begins a comment
	calls   []string // what a request looks like
}

var (
	pythonCalls = []string{"urlopen(", "urlretrieve(", "urllib.request", "urllib2", "requests.get", "requests.post",
		"requests.put", "requests.patch", "requests.delete", "requests.head", "requests.request", "requests.Session",
		"import requests", "from requests", "httpx", "aiohttp", "http.client", "urllib3", "pycurl"}
	scriptCalls = []string{"fetch(", "axios", "http.get(", "https.get(", "http.request(", "https.request(", "got(",
		"undici", "superagent", "XMLHttpRequest", "node-fetch"}
	rubyCalls = []string{"Net::HTTP", "open-uri", "URI.open", "HTTParty", "Faraday", "RestClient", "HTTPX"}
	perlCalls = []string{"LWP::", "HTTP::Tiny", "WWW::Mechanize", "Mojo::UserAgent"}
	phpCalls  = []string{"file_get_contents(", "curl_exec", "curl_init", "fopen(", "GuzzleHttp", "copy("}
)

var interpreters = map[string]*interpreter{
	"python":  {code: "c", valued: " -W -X ", comment: "#", calls: pythonCalls},
	"pypy":    {code: "c", valued: " -W -X ", comment: "#", calls: pythonCalls},
	"ipython": {code: "c", valued: " -W -X ", comment: "#", calls: pythonCalls},
	"py":      {code: "c", valued: " -W -X ", comment: "#", calls: pythonCalls},
	"node":    {code: "ep", long: " eval print ", valued: " -r --require --import --loader -C ", comment: "//", calls: scriptCalls},
	"nodejs":  {code: "ep", long: " eval print ", valued: " -r --require --import --loader -C ", comment: "//", calls: scriptCalls},
	"tsx":     {code: "ep", long: " eval print ", valued: " -r --require --import --loader -C ", comment: "//", calls: scriptCalls},
	"ts-node": {code: "ep", long: " eval print ", valued: " -r --require --import --loader -C ", comment: "//", calls: scriptCalls},
	"bun":     {code: "ep", long: " eval print ", valued: " -r --require --import --loader -C ", comment: "//", calls: scriptCalls},
	"deno":    {verbs: " eval ", comment: "//", calls: scriptCalls},
	"ruby":    {code: "er", valued: " -I ", comment: "#", calls: rubyCalls},
	"perl":    {code: "eEMm", valued: " -I ", comment: "#", calls: perlCalls},
	"php":     {code: "rBRE", valued: " -d ", comment: "//", calls: phpCalls},
}

// interpreterOf returns the interpreter a name stands for, whatever its version
// (python3.11), or nil.
func interpreterOf(name string) *interpreter {
	return interpreters[strings.TrimRight(name, "0123456789.")]
}

// code is the program text an interpreter is given on its command line or by a
// here-document.
func (c *Simple) code(in *interpreter) string {
	var b strings.Builder
	reads := true // no file named: standard input is the program
scan:
	for i := 1; i < len(c.Words); i++ {
		t := c.Words[i].Text
		switch {
		case t == "-":
			break scan
		case listed(in.valued, t):
			i++
		case strings.HasPrefix(t, "--"):
			name, value, eq := strings.Cut(t[2:], "=")
			if listed(in.long, name) {
				reads = false
				if !eq && i+1 < len(c.Words) {
					i++
					value = c.Words[i].Text
				}
				b.WriteString(value)
				b.WriteByte('\n')
			}
		case len(t) > 1 && t[0] == '-':
			for k := 1; k < len(t); k++ {
				if strings.IndexByte(in.code, t[k]) < 0 {
					continue
				}
				reads = false
				if k+1 < len(t) {
					b.WriteString(t[k+1:])
				} else if i+1 < len(c.Words) {
					i++
					b.WriteString(c.Words[i].Text)
				}
				b.WriteByte('\n')
				break
			}
		case listed(in.verbs, t) && i+1 < len(c.Words):
			for _, w := range c.Words[i+1:] {
				b.WriteString(w.Text)
				b.WriteByte('\n')
			}
			return b.String()
		case reads:
			return "" // a file
		}
	}
	if text, ok := c.Input(); ok && reads {
		return text.Text
	}
	return b.String()
}

// codeFetch finds a request in the code an interpreter runs.
func (c *Simple) codeFetch(name string) ([]Word, bool) {
	in := interpreterOf(name)
	if in == nil {
		return nil, false
	}
	code := c.code(in)
	if code == "" {
		return nil, false
	}
	calls := slices.ContainsFunc(in.calls, func(call string) bool { return strings.Contains(code, call) })
	if calls && in == interpreters["php"] { // its file functions fetch only what has a scheme
		calls = strings.Contains(code, "://") || strings.Contains(code, "curl_")
	}
	if !calls && !spawns(code) {
		return nil, false
	}
	return append(literals(code, in.comment), http(c.Words[1:])...), true
}

// spawns tells code that starts a downloader of its own.
func spawns(code string) bool {
	if !strings.Contains(code, "curl ") && !strings.Contains(code, "wget ") &&
		!strings.Contains(code, `curl"`) && !strings.Contains(code, "curl'") &&
		!strings.Contains(code, `wget"`) && !strings.Contains(code, "wget'") {
		return false
	}
	for _, call := range []string{"os.system(", "subprocess.", "popen(", "execSync(", "child_process", "spawn(", "system(", "shell_exec("} {
		if strings.Contains(code, call) {
			return true
		}
	}
	return false
}

// literals are the addresses written in code outside comments, each once.
func literals(code, comment string) []Word {
	var out []Word
	seen := map[string]bool{}
	for at := 0; ; {
		i := strings.Index(code[at:], "://")
		if i < 0 {
			return out
		}
		i += at
		at = i + 3
		from := i
		for from > 0 && i-from < 6 && code[from-1] >= 'a' && code[from-1] <= 'z' {
			from--
		}
		if s := code[from:i]; s != "http" && s != "https" || commented(code[:from], comment) {
			continue
		}
		to := at
		for to < len(code) && code[to] > ' ' && strings.IndexByte("'\"`<>\\^|", code[to]) < 0 {
			to++
		}
		text := strings.TrimRight(code[from:to], ").,;")
		if !seen[text] && to > at {
			seen[text] = true
			out = append(out, Word{text, true})
		}
		at = to
	}
}

// commented tells whether what follows the text stands in a comment that begins on its
// last line.
func commented(text, comment string) bool {
	line := text[strings.LastIndexByte(text, '\n')+1:]
	line = line[max(0, len(line)-512):]
	i := strings.LastIndex(line, comment)
	if i < 0 || i > 0 && line[i-1] > ' ' && line[i-1] != ';' {
		return false
	}
	before := line[:i]
	return strings.Count(before, `"`)%2 == 0 && strings.Count(before, "'")%2 == 0
}
