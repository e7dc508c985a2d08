package bridge

import "github.com/go-json-experiment/json/jsontext"

// Protocol is the version of the wire this package speaks. It is checked at
// initialize and changes when an old host could misread a new guard, or a new
// host an old guard.
const Protocol = 1

// Errors of the wire beyond those of JSON-RPC 2.0.
const (
	// CodeProtocol answers an initialize of another protocol version.
	CodeProtocol = -32001
	// CodeNotInitialized answers a request before initialize.
	CodeNotInitialized = -32002
)

// Names of the methods a host calls.
const (
	MethodInitialize = "initialize"
	MethodToolCall   = "tool/call"
	MethodShutdown   = "shutdown"
)

// Peer names a program on one end of the wire.
type Peer struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// InitializeParams opens a session. Only Protocol is required.
type InitializeParams struct {
	Protocol       int    `json:"protocol"`
	Host           Peer   `json:"host,omitzero"`
	Mode           string `json:"mode,omitzero"`
	HasUI          bool   `json:"hasUI,omitzero"`
	CWD            string `json:"cwd,omitzero"`
	AgentDir       string `json:"agentDir,omitzero"`
	ProjectTrusted bool   `json:"projectTrusted,omitzero"`
	SessionID      string `json:"sessionId,omitzero"`
}

// InitializeResult says who answers and what it wants to be told.
type InitializeResult struct {
	Protocol int    `json:"protocol"`
	Server   Peer   `json:"server"`
	Preset   string `json:"preset"`
	// Forward lists the methods the host is asked to call as events happen.
	Forward []string `json:"forward"`
	// Notify is what the user is to be told, empty as a rule.
	Notify []string `json:"notify,omitzero"`
}

// ToolCallParams asks for a decision on a call that is about to run.
type ToolCallParams struct {
	ToolCallID string `json:"toolCallId"`
	ToolName   string `json:"toolName"`
	// Input is the call's input. Where the host could not express it as JSON,
	// it is absent and Uncountable says why.
	Input       jsontext.Value `json:"input,omitzero"`
	Uncountable string         `json:"uncountable,omitzero"`
	// Elided lists the long strings that Input holds null for.
	Elided           []Elided `json:"elided,omitzero"`
	ParentToolCallID string   `json:"parentToolCallId,omitzero"`
}

// Elided stands for a string of over canonical.LongTextOver UTF-16 code units.
type Elided struct {
	// At is the JSON Pointer to the string's place in the value.
	At string `json:"at"`
	// SHA256 is the digest of its UTF-8 bytes, in hexadecimal.
	SHA256 Digest `json:"sha256"`
	// Length is its length in UTF-16 code units.
	Length int `json:"length"`
	// Head and Tail are its first and last characters, 256 at most.
	Head string `json:"head,omitzero"`
	Tail string `json:"tail,omitzero"`
}

// Decision answers an event. Without members it lets the event pass.
type Decision struct {
	// Block refuses the call; Reason is what the model reads as its result.
	Block  bool   `json:"block,omitzero"`
	Reason string `json:"reason,omitzero"`
	// Why is the finding behind the decision; the host keeps it with the
	// refused result, as details.loopbreaker.
	Why *Why `json:"why,omitzero"`
	// Entries are appended to the session file.
	Entries []Entry `json:"entries,omitzero"`
	// Notify is what the user is to be told.
	Notify []string `json:"notify,omitzero"`
}

// Why says which rule decided, and on what: Count repeats where Limit are
// allowed, among the last Window admitted calls.
type Why struct {
	Rule   string `json:"rule"`
	Stage  string `json:"stage"`
	Count  int    `json:"count"`
	Limit  int    `json:"limit"`
	Window int    `json:"window,omitzero"`
}

// Entry is a custom entry of the session file.
type Entry struct {
	CustomType string     `json:"customType"`
	Data       LoopBroken `json:"data"`
}

// EntryLoopBroken is the custom type of the entry that records a refusal.
const EntryLoopBroken = "loop_broken"

// LoopBroken is the data of such an entry.
type LoopBroken struct {
	Tool         string `json:"tool"`
	Repeats      int    `json:"repeats"`
	BlockedSoFar int    `json:"blockedSoFar"`
}
