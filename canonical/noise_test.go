package canonical

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func quiet(text string) string { return string(AppendQuiet(nil, []byte(text))) }

func TestAppendQuiet(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"plain text", "all good\n", "all good\n"},

		{"RFC 3339", `{"at":"2026-01-23T16:58:57.123Z"}`, `{"at":"‹time›"}`},
		{"RFC 3339 with an offset", "2026-01-23T16:58:57+01:00 up", "‹time› up"},
		{"ISO with a space", "2026-01-23 16:58:57,123 INFO start", "‹time› INFO start"},
		{"ISO with an offset behind a space", "Modify: 2026-01-23 16:58:57.123456789 +0100", "Modify: ‹time›"},
		{"ISO without seconds", "2026-01-23 16:58 a.txt", "‹time› a.txt"},
		{"a bare date", "on 2026-01-23.", "on ‹time›."},
		{"a bare date with slashes", "on 2026/01/23, done", "on ‹time›, done"},
		{"Go's log", "2026/01/23 16:58:57 listening", "‹time› listening"},
		{"gin's log", "[GIN] 2026/01/23 - 16:58:57 | 200 |", "[GIN] ‹time› | 200 |"},
		{"a compact timestamp", "at 20260123T165857Z ok", "at ‹time› ok"},
		{"another", "at 20260123_165857 ok", "at ‹time› ok"},
		{"npm's log name", "in: /home/me/.npm/_logs/2026-01-23T16_58_57_072Z-debug-0.log", "in: /home/me/.npm/_logs/‹time›-debug-0.log"},
		{"git's date", "Date:   Fri Jan 23 16:58:57 2026 +0100", "Date:   ‹time›"},
		{"date's output", "Fri Jan 23 16:58:57 CET 2026", "‹time›"},
		{"JavaScript's date", "Fri Jan 23 2026 16:58:57 GMT+0100 (Central European Standard Time)", "‹time› (Central European Standard Time)"},
		{"HTTP's date", "< date: Fri, 23 Jan 2026 16:58:57 GMT", "< date: ‹time›"},
		{"a cookie's date", "Expires=Fri, 23-Jan-2026 16:58:57 GMT; Path=/", "Expires=Fri, ‹time›; Path=/"},
		{"syslog", "Jan 23 16:58:57 host cron", "‹time› host cron"},
		{"ls, this year", "-rw-r--r-- 1 me me 120 Jan  3 16:58 a.txt", "-rw-r--r-- 1 me me 120 ‹time› a.txt"},
		{"ls, another year", "-rw-r--r-- 1 me me 120 Jan  3  2024 a.txt", "-rw-r--r-- 1 me me 120 ‹time› a.txt"},
		{"a long month", "January 23, 2026 at 4:58 PM", "‹time›"},
		{"an access log", `10.0.0.1 - - [23/Jan/2026:16:58:57 +0000] "GET / HTTP/1.1" 200 5`, `10.0.0.1 - - [‹time›] "GET / HTTP/1.1" 200 5`},
		{"US date", "01/23/2026  04:58 PM    <DIR>  x", "‹time›    <DIR>  x"},
		{"klog", "E0123 16:58:57.123456   12345 memcache.go:265] x", "E‹time› memcache.go:265] x"},
		{"Chrome's log", "[31511:0409/212241.585203:ERROR:net/trust.cc:807] x", "[‹time›:ERROR:net/trust.cc:807] x"},
		{"Chrome's log with a thread", "[31511:259:0409/212241.585203:ERROR:a.cc(7)] x", "[‹time›:ERROR:a.cc(7)] x"},
		{"the kernel's log", "[   12.345678] usb 1-1: new device", "[   ‹time›] usb 1-1: new device"},
		{"US date alone", "on 1/23/2026, and 1/23/2026.", "on ‹time›, and ‹time›."},
		{"a clock time", "[16:58:57] build done", "[‹time›] build done"},
		{"a clock time with a half of the day", "saved at 4:58 pm", "saved at ‹time›"},
		{"minutes and seconds", "Time: 00:00.123, Memory: 6.00 MB", "Time: ‹time›, Memory: 6.00 MB"},
		{"epoch seconds", `{"created_at": 1769187537, "n": 1}`, `{"created_at": ‹time›, "n": 1}`},
		{"epoch milliseconds", "timestamp=1769187537123 ok", "timestamp=‹time› ok"},
		{"epoch with a fraction", "ts: 1769187537.123456", "ts: ‹time›"},
		{"epoch behind camel case", `"startedAt":1769187537123`, `"startedAt":‹time›`},

		{"seconds", "5 passed in 0.12s", "5 passed in ‹took›"},
		{"seconds in words", "Ran 3 tests in 3.4 seconds", "Ran 3 tests in ‹took›"},
		{"one second", "took 1 second", "took ‹took›"},
		{"milliseconds", "GET /x 200 12ms", "GET /x 200 ‹took›"},
		{"microseconds", "1.5µs, 3us and 7 μs", "‹took›, ‹took› and ‹took›"},
		{"thousands", "in 1,234 ms", "in ‹took›"},
		{"a compound", "built in 1m 3s.", "built in ‹took›."},
		{"a compound in words", "2 hours, 5 minutes and 1 second left", "‹took› left"},
		{"the shell's time", "real\t0m0.123s\nuser\t1m2.003s", "real\t‹took›\nuser\t‹took›"},
		{"columns are no compound", "12ms 13ms", "‹took› ‹took›"},
		{"ago", "started 13m ago, 2 days ago, 3h ago", "started ‹took› ago, ‹took› ago, ‹took› ago"},
		{"docker's status", "Up 2 weeks (healthy)", "Up ‹took› (healthy)"},
		{"kubectl's compound age", "web-1   1/1   Running   0   5m3s", "web-1   1/1   Running   0   ‹took›"},
		{"a label with its unit", "duration_ms: 1.370349", "duration_ms: ‹took›"},
		{"the same in a comment", "# duration_ms 12.5", "# duration_ms ‹took›"},
		{"a label without a unit", `{"elapsed":0.5,"took":12}`, `{"elapsed":‹took›,"took":‹took›}`},
		{"JUnit", `<testcase name="a" time="0.012">`, `<testcase name="a" time="‹took›">`},
		{"ping", "rtt min/avg/max/mdev = 0.034/0.041/0.052/0.007 ms", "rtt min/avg/max/mdev = ‹took›"},
		{"pytest tells long ones twice", "in 61.02s (0:01:01) ===", "in ‹took› ==="},
		{"jest tells short ones twice", "Time:        0.5 s, estimated 1 s", "Time:        ‹took›"},
		{"docker build", "#12 3.456 npm warn\n#12 DONE 5.3s", "#12 ‹took› npm warn\n#12 DONE ‹took›"},
		{"an aside", "  ✓ adds (12 ms)\n  ✓ subtracts\n", "  ✓ adds\n  ✓ subtracts\n"},
		{"an aside behind a number", "took 5 (12 ms)\n", "took 5 (‹took›)\n"},
		{"an aside in a line", "adds (12 ms) and more\n", "adds (‹took›) and more\n"},
		{"an aside at the end", "--- FAIL: TestAdd (0.00s)", "--- FAIL: TestAdd"},
		{"a speed", "Fetched 6348 kB in 3s (1869 kB/s)", "Fetched 6348 kB in ‹took› (‹speed›)"},

		{"a pid", "server started with pid 4321.", "server started with pid ‹pid›."},
		{"a pid in JSON", `{"pid": 77, "childPid":78, "ppid":1}`, `{"pid": ‹pid›, "childPid":‹pid›, "ppid":‹pid›}`},
		{"a pid in capitals", "PID: 77 PID=78", "PID: ‹pid› PID=‹pid›"},
		{"a process id", "Process ID 4321", "Process ID ‹pid›"},
		{"node's warnings", "(node:61234) Warning: x", "(node:‹pid›) Warning: x"},
		{"valgrind", "==12345== Invalid read of size 4", "==‹pid›== Invalid read of size 4"},
		{"Rust's thread", "thread 'main' (2087403) panicked at src/main.rs:2:5:", "thread 'main' (‹pid›) panicked at src/main.rs:2:5:"},
		{"syslog's process", "Jan 23 16:58:57 host sshd[812]: ok", "‹time› host sshd[‹pid›]: ok"},
		{"a job", "[1] 12345\nready\n", "[1] ‹pid›\nready\n"},
		{"a killed process", "bash: line 1: 12345 Segmentation fault      (core dumped) ./a.out", "bash: line ‹line›: ‹pid› Segmentation fault      (core dumped) ./a.out"},
		{"a process killed in a script", "./run.sh: line 3: 12345 Killed  sleep 9", "./run.sh: line 3: ‹pid› Killed  sleep 9"},

		{"a request id", "x-request-id: 7f3a-22b1", "x-request-id: ‹id›"},
		{"a request id in a sentence", "failed (Request ID: req_011CSHo)", "failed (Request ID: ‹id›)"},
		{"camel case", `{"requestId":"abc123","traceId":"4bf92f"}`, `{"requestId":"‹id›","traceId":"‹id›"}`},
		{"XML", "<RequestId>4442587FB7D0A2F9</RequestId>", "<RequestId>‹id›</RequestId>"},
		{"a session id", "Process running with session ID 9527", "Process running with session ID ‹id›"},
		{"a chunk id", "Chunk ID: bbcd4d\nChunk ID: facade", "Chunk ID: ‹id›\nChunk ID: ‹id›"},
		{"a trace's parent", "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "traceparent: ‹id›"},
		{"Cloudflare's id", "< cf-ray: 8a1b2c3d4e5f-AMS", "< cf-ray: ‹id›"},
		{"an object id", `"_id": ObjectId("65f1a2b3c4d5e6f7a8b9c0d1")`, `"_id": ObjectId("‹id›")`},
		{"a goroutine", "goroutine 20 [running]:", "goroutine ‹id› [running]:"},
		{"a seed", "Randomized with seed 31337", "Randomized with seed ‹id›"},
		{"a UUID", "job 123e4567-e89b-12d3-a456-426614174000 queued", "job ‹id› queued"},
		{"a UUID that begins with a letter, in a name", "x-FBCDEF01-e89b-12d3-a456-426614174000.json", "x-‹id›.json"},

		{"a Python object", "<Foo object at 0x7f8b1c2d3e50>", "<Foo object at ‹addr›>"},
		{"a padded address", "rip 0x00007ff6a1b2c3d4", "rip ‹addr›"},
		{"a kernel address", "at 0xffffffff81a0c3d4", "at ‹addr›"},
		{"a short address with a label", "pc=0x4a3f21 sp=0xc00003", "pc=‹addr› sp=‹addr›"},
		{"Go's arguments", "main.f({0x1004e2fc0?, 0xc})\n\t/src/a.go:12 +0x1c", "main.f({‹addr›?, 0xc})\n\t/src/a.go:12 +0x1c"},
		{"Java's identity hash", "got com.example.Thing@1b6d3586 and [I@6d06d69c", "got com.example.Thing@‹addr› and [I@‹addr›"},

		{"Pi's full output", "Full output: /tmp/pi-bash-9f8e7d6c5b4a3f2e.log]", "Full output: /tmp/pi-bash-‹temp›.log]"},
		{"the same elsewhere", "/scratch/pi-bash-9f8e7d6c5b4a3f2e.log", "/scratch/pi-bash-‹temp›.log"},
		{"Python's", "/tmp/tmpab12cd/x.py and /tmp/tmpqwertyui", "/tmp/tmp‹temp›/x.py and /tmp/tmp‹temp›"},
		{"mktemp's", "/tmp/tmp.AbCdEfGhIj/out", "/tmp/tmp.‹temp›/out"},
		{"Node's", "/tmp/build-x7Yz2Q/a.js", "/tmp/build-‹temp›/a.js"},
		{"Node's without a digit", "/tmp/build-bGgPqz/a.js", "/tmp/build-‹temp›/a.js"},
		{"Go's, with capitals", "/tmp/TestReadsSQLite3812345678/001/a", "/tmp/TestReadsSQLite‹temp›/001/a"},
		{"Go's", "/tmp/TestThing3812345678/001/a", "/tmp/TestThing‹temp›/001/a"},
		{"pytest's", "/tmp/pytest-of-me/pytest-12/test_a0/db", "/tmp/pytest-of-me/pytest-‹temp›/test_a0/db"},
		{"macOS", "/var/folders/20/76km_m352m390m49yn4j7yjm0000gq/T/tmpab12cd34/x", "/var/folders/20/76km_m352m390m49yn4j7yjm0000gq/T/tmp‹temp›/x"},
		{"Windows", `C:\Users\me\AppData\Local\Temp\tmpab12cd34\x`, `C:\Users\me\AppData\Local\Temp\tmp‹temp›\x`},

		{"bash", "bash: line 12: foo: command not found", "bash: line ‹line›: foo: command not found"},
		{"bash by its path", "/bin/bash: line 42515: cd..: command not found", "/bin/bash: line ‹line›: cd..: command not found"},
		{"bash -c", "bash: -c: line 3: syntax error", "bash: -c: line ‹line›: syntax error"},
		{"sh", "/bin/sh: 3: foo: not found", "/bin/sh: ‹line›: foo: not found"},
		{"zsh", "zsh:12: command not found: foo", "zsh:‹line›: command not found: foo"},
		{"zsh's eval", "(eval):5: parse error near `end'", "(eval):‹line›: parse error near `end'"},

		{"attempts", "Attempt 3 of 5 failed, attempt #4", "Attempt ‹run› of 5 failed, attempt #‹run›"},
		{"runs", "Run #17 of the suite", "Run #‹run› of the suite"},
		{"prompts", "In [12]: x\nOut[12]: 5", "In [‹run›]: x\nOut[‹run›]: 5"},

		{"colours", "\x1b[1;31mFAIL\x1b[0m \x1b[38;5;12mx\x1b[K", "FAIL x"},
		{"a colour inside of a duration", "in 0.\x1b[1m12\x1b[0ms", "in ‹took›"},
		{"a link", "\x1b]8;;http://x/\x1b\\text\x1b]8;;\x07", "text"},
		{"a title", "\x1b]0;make\adone", "done"},
		{"a character set", "\x1b(Bdone", "done"},
		{"an escape alone", "a\x1bb\x1b", "ab"},
		{"a sequence without an end", "\x1b]0;text\n\x1b[31\n", "]0;text\n[31\n"},
		{"CRLF", "a\r\nb\r\n", "a\nb\n"},
		{"blanks at the end of lines", "a \t\n\n  b  ", "a\n\n  b"},
		{"a progress bar", "get:  10% 1/9\rget:  60% 5/9\rget: 100% 9/9, done\n", "get: 100% 9/9, done\n"},
		{"a progress bar that goes on", "get:  10%\rget:  60%\r", "get:  60%"},
		{"curl's meter", "\r  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0\r100    84  100    84    0     0   9333      0 --:--:--  0:00:01 --:--:-- 10.5k\n", "\r100    84  100    84    0     0   ‹meter›\n"},

		{"bytes that are not UTF-8", "\xff 5s \xe2\x80", "\xff ‹took› \xe2\x80"},
		{"a marker in the text", "‹took› 5s‹x 5s›", "‹took› 5s‹x ‹took››"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := string(AppendQuiet([]byte("before "), []byte(tt.in)))
			if want := "before " + tt.want; got != want {
				t.Errorf("AppendQuiet(%q)\n gave %q\n want %q", tt.in, got, want)
			}
		})
	}
}

func TestWhatIsNoNoise(t *testing.T) {
	for _, text := range []string{
		"Command exited with code 1",
		"exit status 137",
		"3 failed, 5 passed, 2 skipped",
		"Found 12 errors in 3 files.",
		"progress 42% of 1000",
		"rows written: 1500",
		"epoch 3/40 loss 0.667",
		"1500",
		"-rw-r--r-- 1 me me 4096 a.txt",
		"12K\t./src\n1.5 GB",
		"v1.2.3 1.2.3-rc.4 OpenSSL 1.1.1s",
		"a1b2c3d4 fix the parser\nd15f942e1c0ffee5",
		"8af9240..d15f942  main -> main",
		"listening on http://127.0.0.1:3000/ and [::1]:3001",
		"192.168.1.17 fe80::1c2:3d4 2001:db8::12:34:56",
		"00:1a:2b:3c:4d:5e 12:30:45:ab:cd:ef",
		"HTTP/1.1 404 Not Found",
		"pkg/foo.go:12:3: undefined: bar",
		"  12:30  error  'x' is not defined  no-undef",
		"src/service.ts(40,3): error TS2304: Cannot find name",
		"  File \"a.py\", line 12, in <module>",
		"main.c:10: error: unknown type name t0",
		"Makefile:12: *** missing separator.  Stop.",
		"make[1]: *** [Makefile:12: all] Error 2",
		"@@ -12,7 +12,9 @@ func main()",
		"     120 README.md",
		"total $12.50, was $13",
		"3 + 4 = 7",
		"Up to date; 5m fibre, 100m CPU, 3d model, 7 days, 2 weeks",
		"timeout: 30s, interval=\"10s\" sleep 5s every 3 minutes",
		"BenchmarkX-8   1000   1234 ns/op   12 B/op",
		"5s-old 1.2s.log a/5s",
		"gpt-4o-2024-08-06 backup-2026-01-23.tar logs/2026/01/23/app.log",
		"artifacts/2026-03-20T12-30-20/FAIL backup-20260123-165857.tgz",
		"v0.0.0-20260123165857-abcdef123456",
		"12:30 16:9 1:2:3",
		"1769187537 created 5, id 1769187537, 17691875370",
		"\"id\": 5, \"userId\": \"u12\", order id 77, ids 5, did 5, valid 5",
		"session id required, request id is missing",
		"rapid 5 stupid 1 pids 12, kill $APP_PID 2>/dev/null",
		"it%27s%205s",
		"error 0x80070005, flags 0x0001, sum 0xcbf29ce484222325",
		"0x742d35Cc6634C0532925a3b844Bc454e4438f44e",
		"me@abc1234 actions/checkout@11bd71901 Pkg@20240101",
		"/tmp/out2.txt /tmp/sessionID.json /tmp/myTestCase2 /tmp/build/main.o /tmp/test_results.json /template/tmpab12cd34",
		"./deploy.sh: line 12: foo: command not found",
		"fish: 3 bash: 12 push: 3: x",
		"failed after 3 attempts; run 3 tests; Run 3",
		"[1] 150\n[1] 12 345 678",
		"a[12]: 5 make[2]: x",
		"state=running \"restarts\": 3",
		"Requests: 17 total",
		"old line\rnew line",
		"a  b\n\n\tc\n",
	} {
		if got := quiet(text); got != text {
			t.Errorf("%q\nbecame %q", text, got)
		}
	}
}

func TestNamesOfTimes(t *testing.T) {
	for _, month := range strings.Fields("January February March April May June July August September October November December") {
		for _, name := range []string{month, month[:3]} {
			if got := quiet(name + " 3 2026"); got != "‹time›" {
				t.Errorf("%s: %q", name, got)
			}
			if got := quiet(name + "x 3 2026"); got != name+"x 3 2026" {
				t.Errorf("%sx: %q", name, got)
			}
		}
	}
	for _, day := range strings.Fields("Monday Tuesday Wednesday Thursday Friday Saturday Sunday") {
		for _, name := range []string{day, day[:3]} {
			if got := quiet(name + ", 3 Jan 2026"); got != "‹time›" {
				t.Errorf("%s: %q", name, got)
			}
		}
	}
	for _, unit := range strings.Fields("s ms us µs μs ns nanosecond microseconds usec msec milliseconds sec secs Second seconds min mins Minutes hr hrs hours") {
		if got := quiet("took 3" + unit); got != "took ‹took›" {
			t.Errorf("%s: %q", unit, got)
		}
	}
	for _, unit := range strings.Fields("m h d w days weeks months years") {
		if got := quiet("took 3" + unit); got != "took 3"+unit {
			t.Errorf("%s: %q", unit, got)
		}
		if got := quiet("3" + unit + " ago"); got != "‹took› ago" {
			t.Errorf("%s ago: %q", unit, got)
		}
	}
	for _, unit := range strings.Fields("m h d w us x S MS kB lines secondses") {
		if got := quiet("3 " + unit + " ago"); got != "3 "+unit+" ago" {
			t.Errorf(" %s ago: %q", unit, got)
		}
	}
}

// Each pair is the last text on the one side of a bound, and the first on the
// other: noise, and not.
func TestBoundsOfNoise(t *testing.T) {
	for _, tt := range []struct{ noise, not string }{
		{"0x123456789", "0x12345678"},
		{"0x123456789abc", "0x123456789abcd"},
		{"0xffff123456789abc", "0xfffe123456789abc"},
		{"at 0x123456", "at 0x12345"},
		{"[1] 1234", "[1] 123"},
		{"[1] 1234567", "[1] 12345678"},
		{"[1] 1234 ", "[1] 1234 5"},
		{"ts=1000000000", "ts=100000000"},
		{"ts=1999999999", "ts=2000000000"},
		{"ts=1999999999999", "ts=199999999999"},
		{"seed 1000", "seed 999"},
		{"request id abcdef", "request id abcde"},
		{"request id " + strings.Repeat("1", maxID), "request id " + strings.Repeat("1", maxID+1)},
		{"Foo@12345a", "Foo@1234a"},
		{"Foo@1234567a", "Foo@12345678a"},
		{"/x/pi-bash-1234567a", "/x/pi-bash-123456a"},
		{"/tmp/a123456", "/tmp/a12345"},
		{"/tmp/tmp12ab", "/tmp/tmp1ab"},
		{"/tmp/tmp.abcdefghij", "/tmp/tmp.abcdefghi"},
		{"/tmp/a/b/x1y2z3w4", "/tmp/a/b/c/x1y2z3w4"},
		{"1900-01-01", "1899-12-31"},
		{"2099-12-31", "2100-01-01"},
		{"2026-12-31", "2026-13-31"},
		{"2026-01-31", "2026-01-32"},
		{"1/31/2026", "1/32/2026"},
		{"Jan 31 2026", "Jan 32 2026"},
		{"23:59:60", "24:59:60"},
		{"23:59:00", "23:60:00"},
		{"23:59:60 ", "23:59:61"},
		{"00:00.12", "00:00.1"},
		{"[    1.234567]", "[    1.23456]"},
		{"1/2/3 ms", "1/2 ms"},
		{"[7:0409/212241.585:E", "[7:0409/212241.58:E"},
		{"E1231 00:00:00 1 a", "E1331 100:00:00 1 a"},
		{"ends (5ms)", "ends (5x)"},
		{"5 times (5ms)", "5 times (5)"},
		{"10%\r20%", "%\r20%"},
	} {
		if got := quiet(tt.noise); got == tt.noise {
			t.Errorf("%q is no noise", tt.noise)
		}
		if got := quiet(tt.not); got != tt.not {
			t.Errorf("%q became %q", tt.not, got)
		}
	}
}

// The quiet form of a quiet text is that text, whatever it is made of.
func TestQuietIsStable(t *testing.T) {
	fragments := strings.Fields("2026-01-23 T 16:58:57 .123 ,123 Z +01:00 Jan Fri , 5 23 2026 ms s m h d 3 1.5 ( ) [ ] : = - / _ . \\ ' \"" +
		" pid request id ID 0x 7ffe12345678 abcdef 12345678 1234 -1234-1234-1234-123456789abc bash sh zsh line eval /tmp/ tmp ab12cd34" +
		" /var/folders/a/b/T/ pytest- 12 attempt # run In Out ago up timeout time ts 1769187537 duration_ms elapsed MB/s B/s /s --:--:--" +
		" 0:00:01 0 100 % k ‹ › ‹time› x é goroutine node == @ Foo Killed and AM PM GMT UTC E0123 I estimated Jan/2026 seed" +
		" 0123/165857.123456 ObjectId µs sshd cf-ray pi-bash- traceparent seconds minutes hours 0.1/0.2/0.3")
	fragments = append(fragments, " ", "  ", "\t", "\n", "\r", "\r\n", "\x1b", "\x1b[0m", "\x1b]0;x\a", "\xff", ", estimated ", "panicked at ")
	r := rand.New(rand.NewPCG(1, 2))
	for range 50_000 {
		var text []byte
		for range 1 + r.IntN(14) {
			text = append(text, fragments[r.IntN(len(fragments))]...)
			if r.IntN(3) == 0 {
				text = append(text, ' ')
			}
		}
		once := AppendQuiet(nil, text)
		if again := AppendQuiet(nil, once); !bytes.Equal(once, again) {
			t.Fatalf("%q\nonce  %q\nagain %q", text, once, again)
		}
	}
}

// Texts that would take hours if anything were looked at more than a few times. The
// test does not measure; it would not end.
func TestQuietIsLinear(*testing.T) {
	for _, part := range []string{
		"a", "1", " ", "\r", "\n", "\x1b]", "\x1b[", "\x1b[1", "1,234", ",123", "1/", "1.", "1:", "(1", "(1s ", "1s ", "1m ", "--:--:-- ", "1 ",
		"/tmp/", "/tmp/a", "\\tmp", "/var/folders/a/b/T", "id=", "pid:", "request-id=", "request id", "a_", "A@", "A@a", "$@", "Jan ", "Jan 1 ", "Fri, ",
		"2026-01-23", "0x", "0x1", "[1", "[1] ", "#1 1.234", "==", "==1", "line 1: ", "sh: ", "bash: -c: ", "5%\r", "%\r", "‹", "›", "12345678-", "1769187537",
	} {
		AppendQuiet(nil, bytes.Repeat([]byte(part), 1<<20/len(part)))
	}
}

func TestAppendQuietDoesNotAllocate(t *testing.T) {
	text := []byte(strings.Join(outputs(), "\n"))
	dst := make([]byte, 0, 2*len(text))
	if n := leastAllocs(func() { AppendQuiet(dst, text) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// leastAllocs returns the least allocations of several runs: the race detector
// has pools lose a part of what they are given.
func leastAllocs(f func()) float64 {
	least := testing.AllocsPerRun(1, f)
	for range 50 {
		least = min(least, testing.AllocsPerRun(1, f))
	}
	return least
}

func FuzzAppendQuiet(f *testing.F) {
	for _, text := range outputs() {
		f.Add([]byte(text))
	}
	for _, seed := range []string{
		"sh:0:0s", "10%\r20%\rdone\n  0     0    0     0    0     0      0      0 --:--:--  0:00:01 --:--:--     0\r100 84",
		"bash: line 12: 345 Killed ./x\nzsh:12: x\n[1] 12345\n==12==\nJan 1 00:00:00 sshd[12]: pid 12 request_id=abc12",
		"/tmp/tmpab12cd34/x /var/folders/a/b/T/TestX1234567/001 C:\\Temp\\x-Ab12cd\\y pytest-of-u/pytest-12/",
		"0x7ffe12345678 at 0x55d0c8 Foo@1b6d3586 12345678-1234-1234-1234-123456789abc attempt #3 In [3]: run #2",
		"ts=1769187537 duration_ms: 1.5 took 1m 3s 5m ago up 3 days 1.2 MB/s [   12.345678] x E0123 16:58:57.123456   77 f.go:1]",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		before := bytes.Clone(text)
		once := AppendQuiet([]byte("kept  "), text)
		if !bytes.HasPrefix(once, []byte("kept  ")) || !bytes.Equal(text, before) {
			t.Fatalf("%q: what came before, or the text itself, was changed: %q", text, once)
		}
		once = once[len("kept  "):]
		if again := AppendQuiet(nil, once); !bytes.Equal(once, again) {
			t.Fatalf("%q\nonce  %q\nagain %q", text, once, again)
		}
	})
}

func ExampleAppendQuiet() {
	a := []byte("16:58:57 pid 4321: 2 failed, 5 passed in 0.12s\n")
	b := []byte("17:03:12 pid 4377: 2 failed, 5 passed in 0.19s\n")
	c := []byte("17:04:40 pid 4391: 1 failed, 6 passed in 0.14s\n")
	fmt.Printf("%s%s%s", AppendQuiet(nil, a), AppendQuiet(nil, b), AppendQuiet(nil, c))
	// Output:
	// ‹time› pid ‹pid›: 2 failed, 5 passed in ‹took›
	// ‹time› pid ‹pid›: 2 failed, 5 passed in ‹took›
	// ‹time› pid ‹pid›: 1 failed, 6 passed in ‹took›
}

func BenchmarkAppendQuiet(b *testing.B) {
	mixed := strings.Join(outputs(), "\n")
	for name, unit := range map[string]string{
		"outputs": mixed,
		"code":    "func (s *Session) Handle(event Event) (Decision, error) {\n\tif err := s.check(event); err != nil {\n\t\treturn Decision{}, err\n\t}\n}\n",
		"log":     "2026-01-23 16:58:57,123 INFO [worker-3] handled request_id=7f3a22b1 in 12.5ms status=200\n",
		"numbers": "1234, 5678.9, 12, 0, 77 | 100 200 300 400\n",
	} {
		text := []byte(strings.Repeat(unit, 50_000/len(unit)+1))[:50_000]
		dst := make([]byte, 0, 2*len(text))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				AppendQuiet(dst, text)
			}
		})
	}
}
