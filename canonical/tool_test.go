package canonical

import "testing"

func TestToolKindOf(t *testing.T) {
	for name, want := range map[string]ToolKind{
		"bash": ToolShell, "Bash": ToolShell, "exec_command": ToolShell, "shell": ToolShell, "run_shell_command": ToolShell,
		"powershell": ToolShell, "functions.exec_command": ToolShell, "mcp__box__execute_command": ToolShell, "terminal": ToolShell,
		"read": ToolRead, "Read": ToolRead, "read_file": ToolRead, "view_image": ToolRead, "mcp__files__read_file": ToolRead,
		"edit": ToolEdit, "MultiEdit": ToolEdit, "apply_patch": ToolEdit, "str_replace_based_edit_tool": ToolEdit,
		"write": ToolWrite, "Write": ToolWrite, "create_file": ToolWrite, "TodoWrite": ToolNotes, "update_plan": ToolNotes, "mcp__x__think": ToolNotes,
		"grep": ToolSearch, "Grep": ToolSearch, "WebSearch": ToolSearch, "searxng_search": ToolSearch,
		"ls": ToolList, "Glob": ToolList, "find": ToolList,
		"mcp__playwright__browser_click": ToolOther, "browser_type": ToolOther, "browser_snapshot": ToolFetch,
		"WebFetch": ToolFetch, "web_fetch_file": ToolFetch, "webfetch": ToolFetch, "mcp__plugin_playwright_playwright__browser_navigate": ToolFetch,
		"": ToolOther, "todo": ToolNotes, "ReadMcpResource": ToolOther, "write_stdin": ToolOther, "__": ToolOther, "search_replace": ToolEdit,
	} {
		if got := ToolKindOf(name); got != want {
			t.Errorf("ToolKindOf(%q) = %d, want %d", name, got, want)
		}
	}
}

func TestShellCommand(t *testing.T) {
	for input, want := range map[string]string{
		`{"command":"ls -R"}`:                               "ls -R",
		`{"description":"x","cmd":"a\nb"}`:                  "a\nb",
		`{"cmd":"second","command":"first"}`:                "first",
		`{"command":["bash","-lc","ls | wc"]}`:              "ls | wc",
		`{"command":["/bin/sh","-c","ls"]}`:                 "ls",
		`{"command":["git","log","--format=%h it's","a*"]}`: `git log '--format=%h it'\''s' 'a*'`,
		`{"command":["ls",1]}`:                              "",
		`{"command":[]}`:                                    "",
		`{"command":null}`:                                  "",
		`{"nested":{"command":"ls"}}`:                       "",
		`{"command":7}`:                                     "",
		`["command"]`:                                       "",
		`"command"`:                                         "",
		`null`:                                              "",
		`{`:                                                 "",
		`{"command"`:                                        "",
		`{"command":"a`:                                     "",
		``:                                                  "",
	} {
		got, ok := ShellCommand([]byte(input))
		if got != want || ok != (want != "") {
			t.Errorf("ShellCommand(%s) = %q, %v, want %q", input, got, ok, want)
		}
	}
}

func TestInputAddressAndPath(t *testing.T) {
	input := []byte(`{"prompt":"see","uri":"b","url":"https://a.example/","offset":3,"file_path":"a.go"}`)
	if got, ok := InputAddress(input); !ok || got != "https://a.example/" {
		t.Errorf("InputAddress = %q, %v", got, ok)
	}
	if got, ok := InputAddress([]byte(`{"query":"x"}`)); ok {
		t.Errorf("InputAddress = %q", got)
	}
}

func TestLongCommand(t *testing.T) {
	elided := []LongText{{At: "/description"}, {At: "/env/command"}, {At: "/cmd"}}
	if got := LongCommand(elided); got != &elided[2] {
		t.Errorf("%+v", got)
	}
	if got := LongCommand(elided[:2]); got != nil {
		t.Errorf("%+v", got)
	}
}

func FuzzShellCommand(f *testing.F) {
	f.Add([]byte(`{"command":["a","b"]}`))
	f.Add([]byte(`{"command":["a","\ud800"]}`))
	f.Add([]byte("{\"command\":[\"a\",\"b\xb8Nl\"]}"))
	f.Fuzz(func(_ *testing.T, input []byte) {
		ShellCommand(input)
		InputAddress(input)
	})
}

func TestOnlyViews(t *testing.T) {
	for input, want := range map[string]bool{
		`{"command":"view","path":"a"}`:        true,
		`{"path":"a","command":"str_replace"}`: false,
		`{"path":"view"}`:                      false,
		`{"command":["view"]}`:                 false,
		`"view"`:                               false,
	} {
		var f Form
		if err := f.Read("str_replace_based_edit_tool", []byte(input), nil); err != nil {
			t.Fatal(err)
		}
		if got := f.OnlyViews(); got != want {
			t.Errorf("%s: %v", input, got)
		}
	}
}

func TestOnlySaysAndOnlyWaits(t *testing.T) {
	for input, want := range map[string][2]bool{
		`{"status":"on it","progress":"half"}`:              {true, false},
		`{"thought":"maybe","id":4}`:                        {false, false},
		`{"message":"hi","to":"ada"}`:                       {false, false},
		`{"session_id":7,"chars":"","yield_time_ms":30000}`: {false, true},
		`{"ids":["a","b"],"timeout_ms":60000}`:              {false, true},
		`{"action":"wait","duration":10}`:                   {false, true},
		`{"action":"poll","sessionId":"x","timeout":9}`:     {false, true},
		`{"action":"poll","sessionId":"x"}`:                 {false, false},
		`{"action":"click","duration":10}`:                  {false, false},
		`{"comment":4}`:                                     {false, false},
		`{}`:                                                {false, false},
		`"wait"`:                                            {false, false},
		`{"a":`:                                             {false, false},
	} {
		var f Form
		f.Read("tool", []byte(input), nil)
		if got := [2]bool{f.OnlySays(), f.OnlyWaits()}; got != want {
			t.Errorf("%s: %v", input, got)
		}
	}
}

func TestWordlessKey(t *testing.T) {
	key := func(tool, input string) Key {
		var f Form
		if err := f.Read(tool, []byte(input), nil); err != nil {
			t.Fatal(err)
		}
		return f.WordlessKey()
	}
	if key("a", `{"status":"x","n":1}`) != key("a", `{"n":1,"note":"y"}`) {
		t.Error("what is said tells them apart")
	}
	for _, other := range []string{`{"n":2}`, `{"m":1}`, `{}`, `[]`} {
		if key("a", `{"n":1}`) == key("a", other) {
			t.Errorf("%s is the same", other)
		}
	}
	if key("a", `{"n":1}`) == key("b", `{"n":1}`) {
		t.Error("the tool does not tell them apart")
	}
}
