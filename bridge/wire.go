package bridge

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/loopbreaker/loopbreaker/bridge/config"
	"github.com/loopbreaker/loopbreaker/canonical/measure"
	"github.com/loopbreaker/loopbreaker/guard"
)

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
	MethodInitialize     = "initialize"
	MethodSessionRestore = "session/restore"
	MethodPrompt         = "prompt"
	MethodTurnStart      = "turn/start"
	MethodTurnEnd        = "turn/end"
	MethodToolCall       = "tool/call"
	MethodToolResult     = "tool/result"
	MethodToolRejected   = "tool/rejected"
	MethodToolRun        = "tool/run"
	MethodToolCancel     = "tool/cancel"
	MethodVerification   = "verification"
	MethodCompact        = "compact"
	MethodApproval       = "approval"
	MethodCommand        = "command"
	MethodSettings       = "settings"
	MethodSettingsSet    = "settings/set"
	MethodShutdown       = "shutdown"
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
	// Chosen is what the guard's last answer to a command said of the person's
	// choices, where this guard takes over from one that failed.
	Chosen Chosen `json:"chosen,omitzero"`
}

// Chosen is what a person has chosen for this session, above all configuration.
type Chosen struct {
	// Off is whether the guard is switched off, On whether it is on although
	// the configuration has it off.
	Off bool `json:"off,omitzero"`
	On  bool `json:"on,omitzero"`
	// Preset is the preset to go by, empty for that of the configuration.
	Preset string `json:"preset,omitzero"`
}

// InitializeResult says who answers and what it wants to be told.
type InitializeResult struct {
	Protocol int    `json:"protocol"`
	Server   Peer   `json:"server"`
	Preset   string `json:"preset"`
	// Settings are those that differ from the preset, as "path=value".
	Settings []string `json:"settings,omitzero"`
	// Forward lists the methods the host is asked to call as events happen. One in
	// which a person may choose another preset calls all.
	Forward []string `json:"forward"`
	// Commands are what may follow /loopbreaker, for a host to complete.
	Commands []string `json:"commands"`
	// Tools are to be registered with the host; tool/run runs them.
	Tools []Tool `json:"tools,omitzero"`
	// Notify is what the user is to be told, empty as a rule.
	Notify []string `json:"notify,omitzero"`
	// Status is the line for the footer, absent where there is none.
	Status *string `json:"status,omitzero"`
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

// ToolResultParams tells of the result of a call that ran.
type ToolResultParams struct {
	ToolCallID string         `json:"toolCallId"`
	IsError    bool           `json:"isError,omitzero"`
	Content    []ContentBlock `json:"content"`
	// Elided lists the long strings that Content holds null for.
	Elided []Elided `json:"elided,omitzero"`
	// Uncountable says why the host could not express the content as JSON.
	Uncountable string `json:"uncountable,omitzero"`
}

// ContentBlock is a part of a result: Text of type "text", or base64 Data of
// type "image".
type ContentBlock struct {
	Type     string `json:"type"`
	Text     string `json:"text,omitzero"`
	Data     string `json:"data,omitzero"`
	MimeType string `json:"mimeType,omitzero"`
}

// ToolRejectedParams tells of a call that the host, or another extension,
// answered with Text before the host could ask. Input and Elided are as in a
// tool/call.
type ToolRejectedParams struct {
	ToolCallID string         `json:"toolCallId"`
	ToolName   string         `json:"toolName"`
	Input      jsontext.Value `json:"input,omitzero"`
	Elided     []Elided       `json:"elided,omitzero"`
	Text       string         `json:"text"`
}

// Tool is a tool that the guard offers to the model.
type Tool struct {
	Name        string `json:"name"`
	Label       string `json:"label"`
	Description string `json:"description"`
	// PromptSnippet and PromptGuidelines are for the system prompt.
	PromptSnippet    string   `json:"promptSnippet"`
	PromptGuidelines []string `json:"promptGuidelines"`
	// Parameters and OutputSchema are JSON Schemas of the input of a tool/run and
	// the structuredContent of its result.
	Parameters   jsontext.Value `json:"parameters"`
	OutputSchema jsontext.Value `json:"outputSchema"`
}

// ToolRunParams asks to run one of these tools, for a call that was let through.
type ToolRunParams struct {
	ToolCallID string         `json:"toolCallId"`
	ToolName   string         `json:"toolName"`
	Input      jsontext.Value `json:"input"`
}

// ToolRunResult is the result of such a call, for the model.
type ToolRunResult struct {
	Content []ContentBlock `json:"content"`
	IsError bool           `json:"isError,omitzero"`
	// StructuredContent is what Content says, absent where nothing was saved.
	StructuredContent *Fetched `json:"structuredContent,omitzero"`
}

// Fetched is what web_fetch_file saved; see fetch.Result.
type Fetched struct {
	StatusCode      int    `json:"statusCode"`
	ContentType     string `json:"contentType"`
	ContentEncoding string `json:"contentEncoding,omitzero"`
	Bytes           int64  `json:"bytes"`
	FinalURL        string `json:"finalUrl"`
	Path            string `json:"path"`
}

// ToolCancelParams says that the result of a tool/run is not wanted any more.
type ToolCancelParams struct {
	ToolCallID string `json:"toolCallId"`
}

// VerificationParams tells that the host itself has tested or built something:
// What that was, and whether it passed.
type VerificationParams struct {
	What   string `json:"what"`
	Passed *bool  `json:"passed"`
}

// RestoreParams tells of a session's past, oldest event first.
type RestoreParams struct {
	Events []PastEvent `json:"events"`
}

// PastEvent is one event of the past. Type is "prompt", "turn", "compact",
// "call", with the members of a tool/call, or "result", with those of a
// tool/result. A call without a result is passed over.
type PastEvent struct {
	Type        string         `json:"type"`
	ToolCallID  string         `json:"toolCallId,omitzero"`
	ToolName    string         `json:"toolName,omitzero"`
	Input       jsontext.Value `json:"input,omitzero"`
	Uncountable string         `json:"uncountable,omitzero"`
	IsError     bool           `json:"isError,omitzero"`
	Content     []ContentBlock `json:"content,omitzero"`
	Elided      []Elided       `json:"elided,omitzero"`
	// Refused marks the result of a call that this guard refused.
	Refused bool `json:"refused,omitzero"`
}

// CommandParams is what a person typed after the name of the command.
type CommandParams struct {
	Args string `json:"args"`
}

// CommandResult is what the person reads.
type CommandResult struct {
	Text   string  `json:"text"`
	Status *string `json:"status,omitzero"`
	// Chosen is to be told to a guard that takes over from this one.
	Chosen Chosen `json:"chosen"`
	// Peaks say, for a program that asked for "measures", how far each kind has
	// come in the session.
	Peaks []Peak `json:"peaks,omitzero"`
}

// Peak is how often one measure of a kind came among the last calls, at most, and
// how often one failed in a row.
type Peak struct {
	Kind     string `json:"kind"`
	Count    int    `json:"count"`
	Failures int    `json:"failures"`
}

// SettingsParams ask for the settings that a person is offered to change, or for
// one of all there are, by its path.
type SettingsParams struct {
	Path string `json:"path,omitzero"`
}

// SettingsResult lists settings, in the order to show them in.
type SettingsResult struct {
	Settings []config.Live `json:"settings"`
	// Notify and Status are as in a Decision.
	Notify []string `json:"notify,omitzero"`
	Status *string  `json:"status,omitzero"`
}

// SettingsSetParams say what a person wants a setting to be.
type SettingsSetParams struct {
	Path string `json:"path"`
	// Value is of the setting's type, or a string as a person types it. Without it
	// the setting is taken back.
	Value jsontext.Value `json:"value,omitzero"`
}

// SettingsSetResult says what has become of it.
type SettingsSetResult struct {
	// Saved is whether it is, Text what the person reads.
	Saved bool   `json:"saved"`
	Text  string `json:"text"`
	// Notify and Status are as in a Decision, Chosen as in a CommandResult.
	Notify []string `json:"notify,omitzero"`
	Status *string  `json:"status,omitzero"`
	Chosen Chosen   `json:"chosen"`
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
	// Terminate asks to end the turn, if all its calls are refused.
	Block     bool   `json:"block,omitzero"`
	Reason    string `json:"reason,omitzero"`
	Terminate bool   `json:"terminate,omitzero"`
	// Ask has the host ask the operator before the call runs, and then make an
	// approval request, whose answer decides.
	Ask *Ask `json:"ask,omitzero"`
	// Note is put at the end of the result that the model reads.
	Note string `json:"note,omitzero"`
	// Text takes the place of a result that the host wrote by itself.
	Text string `json:"text,omitzero"`
	// Cut is what to keep of a response that repeated itself.
	Cut *Cut `json:"cut,omitzero"`
	// Steer is told to the model before its next response.
	Steer string `json:"steer,omitzero"`
	// Abort ends the run.
	Abort *Abort `json:"abort,omitzero"`
	// Why is the finding behind the decision; the host keeps it with the
	// refused result, as details.loopbreaker.
	Why *Why `json:"why,omitzero"`
	// Entries are appended to the session file.
	Entries []Entry `json:"entries,omitzero"`
	// Notify is what the user is to be told.
	Notify []string `json:"notify,omitzero"`
	// Status is the new line for the footer, empty for none; absent where it
	// has not changed.
	Status *string `json:"status,omitzero"`
}

// Ask is a question to the operator, who has TimeoutMs milliseconds to answer.
type Ask struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	Message   string `json:"message"`
	TimeoutMs int    `json:"timeoutMs"`
}

// ApprovalParams tell how the question of an Ask ended: "approved", "declined",
// "timeout" (no answer came in time), "aborted" (the run was ended meanwhile) or
// "unattended" (nobody could be asked).
type ApprovalParams struct {
	ID     string       `json:"id"`
	Answer guard.Answer `json:"answer"`
}

// Abort is the end of a run: Told is what the user reads, absent where it was said
// before; Recovery, where there is one, is what the model is then asked.
type Abort struct {
	Told     string `json:"told,omitzero"`
	Recovery string `json:"recovery,omitzero"`
}

// Why says which rule decided, and on what: Count repeats of a call of Tool,
// where Stage is due from Limit on, among the last Window calls. Measure is the
// kind of what was counted, where that is not the call, and MeasureSHA256 the digest
// of which one. Where Count is a score, Parts says what it is the sum of.
//
// It is telemetry: names, counts and digests, nothing of what a call was asked or
// what it answered.
type Why struct {
	Rule          guard.Rule   `json:"rule"`
	Stage         string       `json:"stage"`
	Tool          string       `json:"tool"`
	Count         int          `json:"count"`
	Limit         int          `json:"limit"`
	Window        int          `json:"window,omitzero"`
	Measure       measure.Kind `json:"measure,omitzero"`
	MeasureSHA256 Digest       `json:"measureSha256,omitzero"`
	Parts         string       `json:"parts,omitzero"`
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
