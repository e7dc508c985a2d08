package canonical

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// ToolKind is what a tool does, as far as its name tells.
type ToolKind uint8

// Kinds of tools. Agents name the same few tools in many ways; these are the
// names that Pi, its extensions and the other agents of the recordings use.
const (
	ToolOther  ToolKind = iota // whatever else
	ToolShell                  // runs a command line
	ToolRead                   // shows a file, or a part of one
	ToolEdit                   // changes a part of a file
	ToolWrite                  // writes a whole file
	ToolSearch                 // looks for a text, in files or on the net
	ToolList                   // lists files or finds them by name
	ToolFetch                  // gets what is at an address
	ToolNotes                  // takes down what the model thinks or plans
)

var toolKinds = func() map[string]ToolKind {
	kinds := map[string]ToolKind{}
	for kind, names := range map[ToolKind]string{
		ToolShell: "bash sh zsh shell pwsh powershell cmd terminal exec execute exec_command execute_command execute_bash " +
			"shell_command shell_exec local_shell run_shell_command run_command run_terminal_cmd run_terminal_command run_in_terminal",
		ToolRead: "read read_file read_files read_many_files readfile fs_read view view_file view_image cat open_file notebookread",
		ToolEdit: "edit edit_file multiedit multi_edit str_replace str_replace_editor str_replace_based_edit_tool apply_patch " +
			"patch replace replace_in_file search_replace search_and_replace insert notebookedit",
		ToolWrite:  "write write_file write_to_file create create_file save_file fs_write",
		ToolSearch: "grep rg ripgrep search search_files search_file_content search_code code_search codebase_search grep_search multi_grep find_in_files web_search websearch",
		ToolList:   "ls list list_dir list_directory list_files tree glob find find_files file_search find_by_name",
		ToolFetch:  "fetch fetch_url web_fetch webfetch web_fetch_file http_fetch http_get http_request get_url open_url read_url read_url_content browse browser_navigate curl wget",
		ToolNotes:  "think sequentialthinking sequential_thinking todo todo_write todowrite write_todos update_todo_list manage_todo_list update_plan plan task_tracker",
	} {
		for name := range strings.FieldsSeq(names) {
			kinds[name] = kind
		}
	}
	return kinds
}()

// deeds are what a browser's tools do to a page, as their names tell.
var deeds = []string{"click", "tap", "type", "fill", "select", "check", "press", "key", "drag", "submit", "upload", "scroll"}

// ToolKindOf returns what a tool of that name does. Case does not matter, nor
// what server or name space the tool is of (mcp__files__read_file,
// functions.exec_command).
func ToolKindOf(name string) ToolKind {
	name = strings.ToLower(name)
	if i := strings.LastIndex(name, "__"); i >= 0 {
		name = name[i+len("__"):]
	}
	name = name[strings.LastIndexAny(name, ".:/")+1:]
	switch kind, known := toolKinds[name]; {
	case known:
		return kind
	case strings.Contains(name, "browse") && slices.ContainsFunc(deeds, func(d string) bool { return strings.Contains(name, d) }):
		return ToolOther
	case strings.Contains(name, "fetch"), strings.Contains(name, "browse"), strings.HasPrefix(name, "web_"):
		return ToolFetch
	case strings.Contains(name, "search"):
		return ToolSearch
	}
	return ToolOther
}

// Members of a tool's input, by the names that agents give them.
var (
	commandMembers = []string{"command", "cmd", "command_line", "commandLine", "script"}
	addressMembers = []string{"url", "href", "uri"}
)

// ShellCommand returns the command line in the input of a shell's call; false
// where there is none, or where the host has taken it out as a long text. A
// command given as its words, as in ["bash", "-lc", "ls | wc"], is the script
// it runs, or else the words, quoted.
func ShellCommand(input []byte) (string, bool) {
	value := memberOf(input, commandMembers)
	if value.Kind() != '[' {
		return unquoted(value)
	}
	var words []string
	dec := jsontext.NewDecoder(bytes.NewReader(value), jsontext.AllowInvalidUTF8(true)) // lone surrogates
	for dec.ReadToken(); dec.PeekKind() == '"'; {
		word, err := dec.ReadToken()
		if err != nil {
			return "", false
		}
		words = append(words, word.String())
	}
	if dec.PeekKind() != ']' || len(words) == 0 {
		return "", false
	}
	if len(words) == 3 && ToolKindOf(words[0]) == ToolShell && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[1], "c") {
		return words[2], true
	}
	for i, word := range words {
		if strings.ContainsAny(word, " \t\n'\"\\$`;&|<>(){}*?[]#~!") || word == "" {
			words[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " "), true
}

// LongCommand returns the command line of a shell's call where the host has taken
// it out of the input, nil where it has not.
func LongCommand(elided []LongText) *LongText {
	for i := range elided {
		if at, top := strings.CutPrefix(elided[i].At, "/"); top && slices.Contains(commandMembers, at) {
			return &elided[i]
		}
	}
	return nil
}

// InputAddress returns the address that a call is to fetch, as its input spells
// it; false where there is none.
func InputAddress(input []byte) (string, bool) { return unquoted(memberOf(input, addressMembers)) }

// memberOf returns the value of the first of these members that the object input
// has, nil where it has none. Input has been checked before; what is wrong with
// it has no member.
func memberOf(input []byte, names []string) (value jsontext.Value) {
	best := len(names)
	dec := jsontext.NewDecoder(bytes.NewReader(input), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if dec.PeekKind() != '{' {
		return nil
	}
	for dec.ReadToken(); dec.PeekKind() == '"'; {
		name, err := dec.ReadToken()
		if err != nil {
			return nil
		}
		rank := len(names)
		for i, n := range names[:best] {
			if n == name.String() {
				rank = i
			}
		}
		if rank == len(names) {
			if dec.SkipValue() != nil {
				return nil
			}
			continue
		}
		found, err := dec.ReadValue()
		if err != nil {
			return nil
		}
		value, best = found.Clone(), rank
	}
	return value
}

func unquoted(v jsontext.Value) (string, bool) {
	if v.Kind() != '"' {
		return "", false
	}
	text, err := jsontext.AppendUnquote(nil, v)
	return string(text), err == nil
}
