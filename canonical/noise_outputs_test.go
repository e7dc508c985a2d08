package canonical

import "testing"

// output is what one command printed twice. Where again differs from first, it
// differs by noise alone; each of changed differs in substance.
type output struct {
	name, first, again string
	changed            []string
}

func TestOutputsOfTheSameCall(t *testing.T) {
	for _, o := range realOutputs {
		t.Run(o.name, func(t *testing.T) {
			first := quiet(o.first)
			if again := quiet(o.again); again != first {
				t.Errorf("noise is left:\n%s\n---\n%s", first, again)
			}
			for _, text := range o.changed {
				if quiet(text) == first {
					t.Errorf("a change is lost:\n%s\n---\n%s", o.first, text)
				}
			}
		})
	}
}

func outputs() (texts []string) {
	for _, o := range realOutputs {
		texts = append(texts, o.first, o.again)
	}
	return texts
}

var realOutputs = []output{
	{
		name: "pytest",
		first: `============================= test session starts ==============================
platform linux -- Python 3.12.1, pytest-8.0.0, pluggy-1.4.0
rootdir: /srv/shop
collected 7 items

tests/test_cart.py ..F....                                               [100%]

=================================== FAILURES ===================================
__________________________________ test_total __________________________________

cart = <shop.cart.Cart object at 0x7f8b1c2d3e50>, tmp_path = PosixPath('/tmp/pytest-of-me/pytest-41/test_total0')

>       assert cart.total() == 30
E       assert 29 == 30
E        +  where 29 = <bound method Cart.total of <shop.cart.Cart object at 0x7f8b1c2d3e50>>()

tests/test_cart.py:21: AssertionError
=========================== short test summary info ============================
FAILED tests/test_cart.py::test_total - assert 29 == 30
========================= 1 failed, 6 passed in 0.12s ==========================
`,
		again: `============================= test session starts ==============================
platform linux -- Python 3.12.1, pytest-8.0.0, pluggy-1.4.0
rootdir: /srv/shop
collected 7 items

tests/test_cart.py ..F....                                               [100%]

=================================== FAILURES ===================================
__________________________________ test_total __________________________________

cart = <shop.cart.Cart object at 0x7fa2900b1710>, tmp_path = PosixPath('/tmp/pytest-of-me/pytest-42/test_total0')

>       assert cart.total() == 30
E       assert 29 == 30
E        +  where 29 = <bound method Cart.total of <shop.cart.Cart object at 0x7fa2900b1710>>()

tests/test_cart.py:21: AssertionError
=========================== short test summary info ============================
FAILED tests/test_cart.py::test_total - assert 29 == 30
========================= 1 failed, 6 passed in 1.07s ==========================
`,
		changed: []string{
			"========================= 1 failed, 6 passed in 0.12s ==========================\n",
			`============================= test session starts ==============================
platform linux -- Python 3.12.1, pytest-8.0.0, pluggy-1.4.0
rootdir: /srv/shop
collected 7 items

tests/test_cart.py ..F....                                               [100%]

=================================== FAILURES ===================================
__________________________________ test_total __________________________________

cart = <shop.cart.Cart object at 0x7f8b1c2d3e50>, tmp_path = PosixPath('/tmp/pytest-of-me/pytest-41/test_total0')

>       assert cart.total() == 30
E       assert 31 == 30
E        +  where 31 = <bound method Cart.total of <shop.cart.Cart object at 0x7f8b1c2d3e50>>()

tests/test_cart.py:21: AssertionError
=========================== short test summary info ============================
FAILED tests/test_cart.py::test_total - assert 31 == 30
========================= 1 failed, 6 passed in 0.12s ==========================
`,
		},
	},
	{
		name:  "go test",
		first: "=== RUN   TestAdd\n--- PASS: TestAdd (0.00s)\n=== RUN   TestWait\n    wait_test.go:14: waited\n--- FAIL: TestWait (1.20s)\nFAIL\nFAIL\texample.test/shop\t1.234s\nok  \texample.test/shop/cart\t0.007s\nFAIL\n",
		again: "=== RUN   TestAdd\n--- PASS: TestAdd (0.01s)\n=== RUN   TestWait\n    wait_test.go:14: waited\n--- FAIL: TestWait (1.31s)\nFAIL\nFAIL\texample.test/shop\t1.341s\nok  \texample.test/shop/cart\t0.011s\nFAIL\n",
		changed: []string{
			"=== RUN   TestAdd\n--- PASS: TestAdd (0.00s)\n=== RUN   TestWait\n    wait_test.go:15: waited\n--- FAIL: TestWait (1.20s)\nFAIL\nFAIL\texample.test/shop\t1.234s\nok  \texample.test/shop/cart\t0.007s\nFAIL\n",
			"=== RUN   TestAdd\n--- PASS: TestAdd (0.00s)\n=== RUN   TestWait\n    wait_test.go:14: waited\n--- PASS: TestWait (1.20s)\nok  \texample.test/shop\t1.234s\nok  \texample.test/shop/cart\t0.007s\n",
		},
	},
	{
		name:  "a Go panic",
		first: "panic: runtime error: index out of range [5] with length 3\n\ngoroutine 7 [running]:\nmain.pick({0xc000012345, 0x3, 0x3}, 0x5)\n\t/srv/shop/main.go:12 +0x1c\ncreated by main.main in goroutine 1\n\t/srv/shop/main.go:20 +0x85\nexit status 2\n",
		again: "panic: runtime error: index out of range [5] with length 3\n\ngoroutine 9 [running]:\nmain.pick({0xc0000a8f00, 0x3, 0x3}, 0x5)\n\t/srv/shop/main.go:12 +0x1c\ncreated by main.main in goroutine 1\n\t/srv/shop/main.go:20 +0x85\nexit status 2\n",
		changed: []string{
			"panic: runtime error: index out of range [6] with length 3\n\ngoroutine 7 [running]:\nmain.pick({0xc000012345, 0x3, 0x3}, 0x6)\n\t/srv/shop/main.go:12 +0x1c\ncreated by main.main in goroutine 1\n\t/srv/shop/main.go:20 +0x85\nexit status 2\n",
		},
	},
	{
		name:    "npm",
		first:   "npm error code E404\nnpm error 404 Not Found - GET https://registry.example.test/shopp - Not found\nnpm error A complete log of this run can be found in: /home/me/.npm/_logs/2026-01-23T16_58_57_072Z-debug-0.log\n",
		again:   "npm error code E404\nnpm error 404 Not Found - GET https://registry.example.test/shopp - Not found\nnpm error A complete log of this run can be found in: /home/me/.npm/_logs/2026-01-23T17_01_02_915Z-debug-0.log\n",
		changed: []string{"npm error code E403\nnpm error 403 Forbidden - GET https://registry.example.test/shopp - Forbidden\nnpm error A complete log of this run can be found in: /home/me/.npm/_logs/2026-01-23T16_58_57_072Z-debug-0.log\n"},
	},
	{
		name:    "npm install",
		first:   "added 57 packages, and audited 58 packages in 2s\n\nfound 0 vulnerabilities\n",
		again:   "added 57 packages, and audited 58 packages in 934ms\n\nfound 0 vulnerabilities\n",
		changed: []string{"added 56 packages, and audited 58 packages in 2s\n\nfound 0 vulnerabilities\n", "added 57 packages, and audited 58 packages in 2s\n\nfound 1 vulnerabilities\n"},
	},
	{
		name:  "docker ps",
		first: "CONTAINER ID   IMAGE        COMMAND    CREATED         STATUS                     PORTS                    NAMES\n3f2a1b0c9d8e   shop:1.2.3   \"./shop\"   2 minutes ago   Up 2 minutes (unhealthy)   0.0.0.0:8080->80/tcp     web\n",
		again: "CONTAINER ID   IMAGE        COMMAND    CREATED         STATUS                     PORTS                    NAMES\n3f2a1b0c9d8e   shop:1.2.3   \"./shop\"   3 minutes ago   Up 3 minutes (unhealthy)   0.0.0.0:8080->80/tcp     web\n",
		changed: []string{
			"CONTAINER ID   IMAGE        COMMAND    CREATED         STATUS                     PORTS                    NAMES\n3f2a1b0c9d8e   shop:1.2.3   \"./shop\"   2 minutes ago   Up 2 minutes (healthy)     0.0.0.0:8080->80/tcp     web\n",
			"CONTAINER ID   IMAGE        COMMAND    CREATED         STATUS                     PORTS                    NAMES\n3f2a1b0c9d8e   shop:1.2.4   \"./shop\"   2 minutes ago   Up 2 minutes (unhealthy)   0.0.0.0:8080->80/tcp     web\n",
			"CONTAINER ID   IMAGE        COMMAND    CREATED         STATUS                     PORTS                    NAMES\n3f2a1b0c9d8e   shop:1.2.3   \"./shop\"   2 minutes ago   Exited (1) 2 minutes ago   0.0.0.0:8080->80/tcp     web\n",
			"CONTAINER ID   IMAGE        COMMAND    CREATED         STATUS                     PORTS                    NAMES\n4e5d6c7b8a90   shop:1.2.3   \"./shop\"   2 minutes ago   Up 2 minutes (unhealthy)   0.0.0.0:8080->80/tcp     web\n",
		},
	},
	{
		name:  "ps aux", // its columns of numbers have no labels: all of them count
		first: "USER  PID %CPU %MEM    VSZ   RSS TTY  STAT START   TIME COMMAND\nme   4321  0.3  1.2 812340 50112 ?    Sl   16:58   0:01 node server.js\n",
		again: "USER  PID %CPU %MEM    VSZ   RSS TTY  STAT START   TIME COMMAND\r\nme   4321  0.3  1.2 812340 50112 ?    Sl   16:58   0:01 node server.js  \r\n",
		changed: []string{
			"USER  PID %CPU %MEM    VSZ   RSS TTY  STAT START   TIME COMMAND\nme   4377  0.3  1.2 812340 50112 ?    Sl   16:58   0:01 node server.js\n",
			"USER  PID %CPU %MEM    VSZ   RSS TTY  STAT START   TIME COMMAND\nme   4321 99.0  1.2 812340 50112 ?    Rl   16:58   0:01 node server.js\n",
		},
	},
	{
		name:    "git log",
		first:   "commit a1b2c3d4e5f60718293a4b5c6d7e8f9001122334\nAuthor: Me <me@example.test>\nDate:   Fri Jan 23 16:58:57 2026 +0100\n\n    Fix the cart\n",
		again:   "commit a1b2c3d4e5f60718293a4b5c6d7e8f9001122334\nAuthor: Me <me@example.test>\nDate:   Fri Jan 23 15:58:57 2026 +0000\n\n    Fix the cart\n",
		changed: []string{"commit b1b2c3d4e5f60718293a4b5c6d7e8f9001122334\nAuthor: Me <me@example.test>\nDate:   Fri Jan 23 16:58:57 2026 +0100\n\n    Fix the cart\n"},
	},
	{
		name:  "make",
		first: "make[1]: Entering directory '/srv/shop/src'\ncc -c main.c -o /tmp/ccAb12Cd.o\nmain.c:10: error: unknown type name t0\nmake[1]: *** [Makefile:12: main.o] Error 1\nmake: *** [all] Error 2\n\nreal\t0m1.203s\nuser\t0m0.988s\nsys\t0m0.101s\n",
		again: "make[1]: Entering directory '/srv/shop/src'\ncc -c main.c -o /tmp/ccXy98Zw.o\nmain.c:10: error: unknown type name t0\nmake[1]: *** [Makefile:12: main.o] Error 1\nmake: *** [all] Error 2\n\nreal\t0m1.311s\nuser\t0m0.990s\nsys\t0m0.098s\n",
		changed: []string{
			"make[1]: Entering directory '/srv/shop/src'\ncc -c main.c -o /tmp/ccAb12Cd.o\nmain.c:11: error: unknown type name t0\nmake[1]: *** [Makefile:12: main.o] Error 1\nmake: *** [all] Error 2\n\nreal\t0m1.203s\nuser\t0m0.988s\nsys\t0m0.101s\n",
			"make[1]: Entering directory '/srv/shop/src'\ncc -c main.c -o /tmp/ccAb12Cd.o\nmain.c:10: error: unknown type name t0\nmake[1]: *** [Makefile:12: main.o] Error 2\nmake: *** [all] Error 2\n\nreal\t0m1.203s\nuser\t0m0.988s\nsys\t0m0.101s\n",
		},
	},
	{
		name:  "curl -v",
		first: "*   Trying 127.0.0.1:3000...\n* Connected to localhost (127.0.0.1) port 3000 (#0)\n> GET /health HTTP/1.1\n> Host: localhost:3000\n> \n< HTTP/1.1 503 Service Unavailable\n< Date: Fri, 23 Jan 2026 16:58:57 GMT\n< X-Request-Id: 6f1d2c3b4a59\n< Content-Length: 15\n< \n{\"ready\":false}\n",
		again: "*   Trying 127.0.0.1:3000...\n* Connected to localhost (127.0.0.1) port 3000 (#0)\n> GET /health HTTP/1.1\n> Host: localhost:3000\n> \n< HTTP/1.1 503 Service Unavailable\n< Date: Fri, 23 Jan 2026 16:59:27 GMT\n< X-Request-Id: 0a9b8c7d6e5f\n< Content-Length: 15\n< \n{\"ready\":false}\n",
		changed: []string{
			"*   Trying 127.0.0.1:3000...\n* Connected to localhost (127.0.0.1) port 3000 (#0)\n> GET /health HTTP/1.1\n> Host: localhost:3000\n> \n< HTTP/1.1 200 OK\n< Date: Fri, 23 Jan 2026 16:58:57 GMT\n< X-Request-Id: 6f1d2c3b4a59\n< Content-Length: 15\n< \n{\"ready\":false}\n",
			"*   Trying 127.0.0.1:3001...\n* Connected to localhost (127.0.0.1) port 3001 (#0)\n> GET /health HTTP/1.1\n> Host: localhost:3000\n> \n< HTTP/1.1 503 Service Unavailable\n< Date: Fri, 23 Jan 2026 16:58:57 GMT\n< X-Request-Id: 6f1d2c3b4a59\n< Content-Length: 15\n< \n{\"ready\":false}\n",
		},
	},
	{
		name:    "curl's meter and its error",
		first:   "  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current\n                                 Dload  Upload   Total   Spent    Left  Speed\n\r  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0\r  0     0    0     0    0     0      0      0 --:--:--  0:00:01 --:--:--     0\rcurl: (7) Failed to connect to localhost port 3000 after 1003 ms: Could not connect to server\n",
		again:   "  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current\n                                 Dload  Upload   Total   Spent    Left  Speed\n\r  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0\rcurl: (7) Failed to connect to localhost port 3000 after 0 ms: Could not connect to server\n",
		changed: []string{"  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current\n                                 Dload  Upload   Total   Spent    Left  Speed\n\r  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0\rcurl: (28) Failed to connect to localhost port 3000 after 0 ms: Could not connect to server\n"},
	},
	{
		name:    "ls -la",
		first:   "total 16\ndrwxr-xr-x 2 me me 4096 Jan 23 16:58 .\n-rw-r--r-- 1 me me  812 Jan 23 16:58 cart.db\n-rw-r--r-- 1 me me   12 Mar  3  2024 notes\n",
		again:   "total 16\ndrwxr-xr-x 2 me me 4096 Jan 23 17:02 .\n-rw-r--r-- 1 me me  812 Jan 23 17:02 cart.db\n-rw-r--r-- 1 me me   12 Mar  3  2024 notes\n",
		changed: []string{"total 16\ndrwxr-xr-x 2 me me 4096 Jan 23 16:58 .\n-rw-r--r-- 1 me me  813 Jan 23 16:58 cart.db\n-rw-r--r-- 1 me me   12 Mar  3  2024 notes\n", "total 16\ndrwxr-xr-x 2 me me 4096 Jan 23 16:58 .\n-rw-r--r-- 1 me me  812 Jan 23 16:58 cart.db\n-rwxr-xr-x 1 me me   12 Mar  3  2024 notes\n"},
	},
	{
		name:    "bash",
		first:   "/bin/bash: line 12: javac: command not found\n",
		again:   "/bin/bash: line 27: javac: command not found\n",
		changed: []string{"/bin/bash: line 12: java: command not found\n", "/bin/bash: line 12: javac: Permission denied\n"},
	},
	{
		name:  "a Python traceback",
		first: "Traceback (most recent call last):\n  File \"/tmp/tmpk3j2h1g0/job.py\", line 12, in <module>\n    run(<Job 7 at 0x7f11a0b2c3d0>)\n  File \"job.py\", line 40, in run\n    raise ValueError(n)\nValueError: 404\n",
		again: "Traceback (most recent call last):\n  File \"/tmp/tmpq9w8e7r6/job.py\", line 12, in <module>\n    run(<Job 7 at 0x7f7de10f2a50>)\n  File \"job.py\", line 40, in run\n    raise ValueError(n)\nValueError: 404\n",
		changed: []string{
			"Traceback (most recent call last):\n  File \"/tmp/tmpk3j2h1g0/job.py\", line 13, in <module>\n    run(<Job 7 at 0x7f11a0b2c3d0>)\n  File \"job.py\", line 40, in run\n    raise ValueError(n)\nValueError: 404\n",
			"Traceback (most recent call last):\n  File \"/tmp/tmpk3j2h1g0/job.py\", line 12, in <module>\n    run(<Job 7 at 0x7f11a0b2c3d0>)\n  File \"job.py\", line 40, in run\n    raise ValueError(n)\nValueError: 405\n",
			"Traceback (most recent call last):\n  File \"/tmp/tmpk3j2h1g0/job.py\", line 12, in <module>\n    run(<Job 8 at 0x7f11a0b2c3d0>)\n  File \"job.py\", line 40, in run\n    raise ValueError(n)\nValueError: 404\n",
		},
	},
	{
		name:    "jest",
		first:   "\x1b[1mPASS\x1b[22m src/cart.test.ts\n  cart\n    ✓ adds (12 ms)\n    ✓ removes\n    ✕ totals (1 ms)\n\nTests:       1 failed, 2 passed, 3 total\nSnapshots:   0 total\nTime:        0.812 s, estimated 1 s\nRan all test suites.\n",
		again:   "PASS src/cart.test.ts\n  cart\n    ✓ adds (3 ms)\n    ✓ removes (1 ms)\n    ✕ totals (2 ms)\n\nTests:       1 failed, 2 passed, 3 total\nSnapshots:   0 total\nTime:        1.204 s\nRan all test suites.\n",
		changed: []string{"PASS src/cart.test.ts\n  cart\n    ✓ adds (12 ms)\n    ✓ removes\n    ✓ totals (1 ms)\n\nTests:       3 passed, 3 total\nSnapshots:   0 total\nTime:        0.812 s, estimated 1 s\nRan all test suites.\n"},
	},
	{
		name:    "a server in the background",
		first:   "[1] 43211\nServer listening on port 3000 (pid 43211)\n(node:43211) Warning: something is deprecated\n",
		again:   "[1] 43290\nServer listening on port 3000 (pid 43290)\n(node:43290) Warning: something is deprecated\n",
		changed: []string{"[1] 43211\nServer listening on port 3001 (pid 43211)\n(node:43211) Warning: something is deprecated\n"},
	},
	{
		name:    "kubectl",
		first:   "E0123 16:58:57.123456   12345 memcache.go:265] couldn't get current server API group list: Get \"http://localhost:8080/api?timeout=32s\": dial tcp 127.0.0.1:8080: connect: connection refused\n",
		again:   "E0123 17:01:02.000123   12399 memcache.go:265] couldn't get current server API group list: Get \"http://localhost:8080/api?timeout=32s\": dial tcp 127.0.0.1:8080: connect: connection refused\n",
		changed: []string{"E0123 16:58:57.123456   12345 memcache.go:265] couldn't get current server API group list: Get \"http://localhost:8080/api?timeout=32s\": dial tcp 127.0.0.1:8080: i/o timeout\n"},
	},
	{
		name:    "a status that counts",
		first:   `{"status":"running","done":1500,"percent":12,"at":"2026-01-23T16:58:57Z"}`,
		again:   `{"status":"running","done":1500,"percent":12,"at":"2026-01-23T16:59:07Z"}`,
		changed: []string{`{"status":"running","done":1501,"percent":12,"at":"2026-01-23T16:58:57Z"}`, `{"status":"running","done":1500,"percent":13,"at":"2026-01-23T16:58:57Z"}`, `{"status":"done","done":1500,"percent":12,"at":"2026-01-23T16:58:57Z"}`},
	},
}
