package verdict

import (
	"strings"
	"testing"

	"github.com/loopbreaker/loopbreaker/canonical"
)

func text(s string) []canonical.Block { return []canonical.Block{{Data: []byte(s)}} }

// What Pi 1.6 writes, and what the others whose sessions we have do.
func TestOf(t *testing.T) {
	shell, asks := Call{Kind: canonical.ToolShell}, Call{Kind: canonical.ToolShell, AsksStatus: true}
	fetch, read, other := Call{Kind: canonical.ToolFetch}, Call{Kind: canonical.ToolRead}, Call{}
	ran := Verdict{Outcome: Succeeded}
	for _, test := range []struct {
		name    string
		call    Call
		isError bool
		text    string
		want    Verdict
	}{
		{"pi: exit 0", shell, false, "README.md\n", ran},
		{"pi: no output", shell, false, "(no output)", ran},
		{"pi: exit 1", shell, true, "no\n\nCommand exited with code 1", failed(Exit, "1")},
		{"pi: exit 127, without output", shell, true, "Command exited with code 127", failed(Exit, "127")},
		{"pi: a file is shown that says so", shell, false, "Command exited with code 1", ran},
		{"pi: not the last line", shell, true, "Command exited with code 1\n\nCommand exited with code 2", failed(Exit, "2")},
		{"pi: timeout", shell, true, "...\n\nCommand timed out after 5 seconds", failed(Timeout, "5 seconds")},
		{"pi: timeout of what it left behind", shell, true, "x\n\nCommand timed out after 5 seconds. The shell exited with code 0 after 1 seconds, but background processes it started kept writing output until the timeout.", failed(Timeout, "5 seconds")},
		{"pi: killed", shell, true, "x\n\nCommand terminated without an exit code", failed(Signal, "")},
		{"pi: aborted", shell, true, "x\n\nCommand aborted", open},
		{"pi: aborted before it began", read, true, "Operation aborted", open},
		{"pi: an edit that does not fit", other, true, "Could not find the exact text in f.txt. It must match.", failed(Error, "Could not find the exact text in f.txt. It must match.")},
		{"pi: no such file", read, true, "ENOENT: no such file or directory, access '/x'\nmore", failed(Error, "ENOENT: no such file or directory, access '/x'")},
		{"pi: a call that does not fit", other, true, "Validation failed for tool \"edit\":\n  - path: must have required properties path\n\nReceived arguments:", failed(Error, "Validation failed for tool \"edit\": - path: must have required properties path")},
		{"pi: a line that announces nothing", other, true, "it failed:", failed(Error, "it failed:")},
		{"pi: a shell that did not start", shell, true, "spawn bash ENOENT", failed(Error, "spawn bash ENOENT")},
		{"pi: nothing found", other, false, "No matches found", ran},

		{"claude: exit 2", shell, true, "Exit code 2\nmake: *** no rule", failed(Exit, "2")},
		{"claude: interrupted", shell, true, "x\n[Request interrupted by user for tool use]", open},
		{"claude: in the background", shell, false, "Command running in background with ID: b1\nTraceback (most recent call last)", open},
		{"codex: exit 1 that is no error", shell, false, "Exit code: 1\nWall time: 1 seconds\nOutput:\nx", failed(Exit, "1")},
		{"codex: exit 0", shell, false, "Exit code: 0\nWall time: 1 seconds\nOutput:\nx", ran},
		{"codex: exit 0, and an exception", shell, false, "Exit code: 0\nOutput:\nTypeError: x is not a function", failed(Exception, "TypeError")},
		{"codex: goes on", shell, false, "Process running with session ID 7\nx", open},
		{"mini-swe: exit 1", shell, false, "<returncode>1</returncode>\n<output>\n</output>", failed(Exit, "1")},
		{"mini-swe: exit 0", shell, false, "<returncode>0</returncode>\n<output>\n</output>", ran},

		{"mark: exit", shell, false, "x\n[exit code: 3]", failed(Exit, "3")},
		{"mark: exit -1", shell, false, "[exit code: -1]", failed(Exit, "-1")},
		{"mark: exit 0", shell, false, "x\n[exit code: 0]", ran},
		{"mark: exit 0 of one, 10 of another", shell, false, "[exit code: 0]\n[exit code: 10]", failed(Exit, "10")},
		{"mark: status", shell, false, "Fetched https://a.example/ (HTTP 503)", failed(Status, "503")},
		{"mark: good status", shell, false, "(HTTP 204)", ran},
		{"mark: timeout", shell, false, "x [timed out after 1500ms]", failed(Timeout, "1500ms")},
		{"mark: signal", shell, false, "[killed by signal: SIGKILL]", failed(Signal, "SIGKILL")},
		{"mark: sandbox", shell, false, "[sandbox: file access denied: /x]", failed(Sandbox, "")},

		{"a pipeline hides a traceback", shell, false, "Traceback (most recent call last):\n  File \"x\"\nKeyError: 'a'\n\nDuring handling of the above exception, another exception occurred:\n\nmy.mod.LoadError: b", failed(Exception, "LoadError")},
		{"a traceback without its end", shell, false, "Traceback (most recent call last):\n  File \"x\"", failed(Exception, "")},
		{"a script that does not compile", shell, false, "  File \"x\", line 1\n    a b\nSyntaxError: invalid syntax", failed(Exception, "SyntaxError")},
		{"an exception of a package", shell, false, "x\n urllib.error.URLError: <urlopen error>", failed(Exception, "URLError")},
		{"an exception in a sentence", shell, false, "raises ValueError: see below", ran},
		{"an exception at a place", shell, false, "a.py:3:ValueError: x", ran},
		{"no name of an exception", shell, false, "Error: no\nException: no", ran},
		{"no colon", shell, false, "ValueError\nTypeError:x", ran},
		{"a script that caught its error", shell, false, "skipping: HTTP Error 404: Not Found", failed(Status, "404")},
		{"curl in a pipeline", shell, false, "curl: (6) Could not resolve host: a.invalid", failed(Curl, "6")},

		{"the status that was asked for", asks, false, "404", failed(Status, "404")},
		{"the same, and more", asks, false, "\n500 0.12\n", failed(Status, "500")},
		{"a good status", asks, false, "200", ran},
		{"nobody asked", shell, false, "404", ran},
		{"a size that begins so", asks, false, "532261 x.html", ran},
		{"a size that comes later", asks, false, "200\n4040 bytes, 404 lines", ran},

		{"a page that was not found", fetch, false, "Fetched https://a.example/ (HTTP 404)\nNot Found", failed(Status, "404")},
		{"a page about errors", fetch, false, "Fetched https://a.example/ (HTTP 200)\nHTTP Error 404\nTraceback (most recent call last)", ran},
		{"a redirect that is an answer", fetch, false, "HTTP/1.1 302 Found", ran},
		{"a status line", fetch, false, "HTTP/2 410", failed(Status, "410")},
		{"what web_fetch_file says", fetch, false, "HTTP 404 Not Found, text/html, 312 bytes from https://a.example/x saved as fetched/x.html", failed(Status, "404")},
		{"the same of a page that is there", fetch, false, "HTTP 200 OK, no type stated, 9 bytes from https://a.example/x saved as fetched/404", ran},
		{"a status in words", fetch, false, "HTTP 500 Internal Server Error", failed(Status, "500")},
		{"a status with a label", fetch, false, "Status: 403", failed(Status, "403")},
		{"a page that says HTTP", fetch, false, "HTTPS explained", ran},
		{"no status", fetch, false, "# Title\n(HTTP 404)", ran},
		{"a fetch that failed", fetch, true, "getaddrinfo ENOTFOUND a.invalid", failed(Error, "getaddrinfo ENOTFOUND a.invalid")},
		{"a fetch that failed in spite of a status", fetch, true, "HTTP 200 but the body is too large", failed(Error, "HTTP 200 but the body is too large")},
		{"prose of another tool", read, false, "ValueError: x\nTraceback (most recent call last)\ncurl: (7)\n[exit code: 1]", ran},
		{"nothing", shell, false, "", ran},
		{"nothing, and an error", other, true, "", failed(Error, "")},
	} {
		if got := Of(test.call, test.isError, text(test.text)); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

func TestOfBlocks(t *testing.T) {
	shell := Call{Kind: canonical.ToolShell}
	long := canonical.LongText{Length: 99999, Head: "Exit code: 0\n", Tail: "...\n\nCommand exited with code 4"}
	for _, test := range []struct {
		name    string
		content []canonical.Block
		want    Verdict
	}{
		{"a text that was sent in part", []canonical.Block{{Long: &long}}, failed(Exit, "4")},
		{"an image before", []canonical.Block{{MediaType: "image/png", Data: []byte("x")}, {Data: []byte("Command exited with code 5")}}, failed(Exit, "5")},
		{"two texts", []canonical.Block{{Data: []byte("a")}, {Data: []byte("Command exited with code 6")}}, failed(Exit, "6")},
		{"none", nil, failed(Error, "")},
	} {
		if got := Of(shell, true, test.content); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

func BenchmarkOf(b *testing.B) {
	shell := Call{Kind: canonical.ToolShell}
	for name, s := range map[string]string{
		"short": "ok  	example.com/a	0.01s\n",
		"64KiB": strings.Repeat("ok  	example.com/a	0.01s (HTTP ) [x] curl: HTTP Error\n", 1200),
		"error": strings.Repeat("a.go:3: Error: x\n", 4000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				Of(shell, false, text(s))
			}
		})
	}
}

// Whatever the text, a failure has a reason and nothing else has.
func FuzzOf(f *testing.F) {
	f.Add(uint8(1), true, "Command exited with code 1")
	f.Add(uint8(7), false, "Fetched x (HTTP 404)")
	f.Add(uint8(9), false, "404 x")
	f.Fuzz(func(t *testing.T, kind uint8, isError bool, s string) {
		v := Of(Call{Kind: canonical.ToolKind(kind % 8), AsksStatus: kind > 7}, isError, text(s))
		if (v.Outcome == Failed) != (v.Reason != "") || v.Outcome != Failed && v.Detail != "" || isError && v.Outcome == Succeeded {
			t.Errorf("%+v", v)
		}
	})
}
