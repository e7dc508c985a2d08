package guard

import "github.com/loopbreaker/loopbreaker/canonical"

// Call is a tool call that is about to run.
type Call struct {
	// ID names the call until its result comes.
	ID string
	// Tool is the name of the tool.
	Tool string
	// Input is the tool's input as JSON text, in any spelling.
	Input []byte
	// LongTexts are the strings the host took out of Input.
	LongTexts []canonical.LongText
	// Uncountable says that the host could not express the input as JSON. Such
	// a call is admitted and leaves no trace.
	Uncountable bool
}

// Result is what an admitted call led to.
type Result struct {
	// ID is that of the call.
	ID string
	// IsError says that the host calls the result a failure.
	IsError bool
	// Content is what the model reads. It is the caller's, and may change once
	// Result has returned.
	Content []canonical.Block
	// Uncountable says that the host could not express the content. Such a result
	// is equal to no other.
	Uncountable bool
}

// Rejection is a call that was answered before it came to us.
type Rejection struct {
	// Call is the call; its tool need not exist, and its input may be unknown.
	Call Call
	// Text is what the model reads.
	Text string
}
