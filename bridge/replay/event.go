package replay

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/loopbreaker/loopbreaker/guard"
)

// Kind is what an event is.
type Kind int

// Kinds of events.
const (
	kindNone    Kind = iota // nothing
	KindPrompt              // a real user's message
	KindTurn                // a response of the model begins
	KindCall                // a tool call
	KindResult              // its result
	KindCompact             // the context was compacted
	KindUsage               // what the response cost
	KindWritten             // a part of the response: text, thinking or arguments
)

// Event is one event of a recorded session.
type Event struct {
	Kind Kind
	// Line is the line of the file that it is from, counted from 1.
	Line int
	// ID names a call, and the result's call.
	ID string
	// Parent is the id of the call that made this one, or whose script did; of a
	// call that the model made it is empty.
	Parent string
	// Tool and Input are those of a call.
	Tool  string
	Input jsontext.Value
	// Content is a result's blocks as they are, a JSON array.
	Content jsontext.Value
	// Channel, Block and Text are those of what was written, Text as a JSON string.
	Channel guard.Channel
	Block   int
	Text    jsontext.Value
	// IsError marks a failed result; Rejected a call that the host, or another
	// extension, answered before our hook saw it; Withheld the result of one that
	// this guard refused, which no hook saw.
	IsError, Rejected, Withheld bool
	// Lost marks a call whose input, or a result whose content, the recording does
	// not hold.
	Lost bool
	// Tokens and Cost are what a response cost, where the file says so.
	Tokens int
	Cost   float64
	// Model is the one that wrote it, where the file says so.
	Model string
}

// About is what a file says of a session, each "" where it does not.
type About struct {
	// ID is the session's, Started when it began, Project its folder.
	ID, Started, Project string
}

// Session is one recorded session.
type Session struct {
	// Name is what it is called in a report.
	Name string
	// Label is "healthy", "stuck" or "unknown", empty where nobody has judged.
	Label string
	// LoopStart is the call at which the loop of a stuck session begins, counted
	// from 1; 0 where it is not known.
	LoopStart int
	// About is what the file says of it.
	About About
	// Expect is what a scenario demands, nil for a recording.
	Expect *Expectation
	// Events yields the events in order, until yield returns false. It returns
	// what is wrong with the file, a sentence each: the rest of it counts.
	Events func(yield func(Event) bool) (faults []string)
}

// Expectation is what a scenario demands of a guard.
type Expectation struct {
	// Stage is the least it must do: "warn", "block", "abort"; or "allow".
	Stage string `json:"stage"`
	// By is the call by which it must have done so, 0 for any time.
	By int `json:"by,omitzero"`
}
