package otlp

import (
	"strconv"
	"time"
)

// Finding is a decision that is more than to let a call pass.
type Finding struct {
	// Preset is what the guard goes by, Rule the rule that decided, Stage how hard.
	Preset, Rule, Stage string
	// Tool is the tool of the call, "" where it is about none.
	Tool string
	// Count is the number of repeats, where the stage is due from Limit on, among
	// Window calls; Parts is what it is the sum of, where it is a score.
	Count, Limit, Window int
	Parts                string
	// Measure is the kind of what was counted, where that is not the call, and
	// MeasureSHA256 the digest of which one, in hexadecimal.
	Measure, MeasureSHA256 string
	// Broken is the record of a refusal, as the session file has it; nil for another
	// finding.
	Broken *Broken
}

// Broken is the record of a refusal: how many equal calls the rule saw, and how often
// this one has been refused.
type Broken struct{ Repeats, BlockedSoFar int }

// The stages that are told apart; all others are remarks.
const (
	stageAsk   = "ask"
	stageBlock = "block"
	stageAbort = "abort"
)

// maxTools is how many names of tools are told apart.
const maxTools = 128

// Other stands for names that are not told: of tools that only the model knows, for
// such a name is what it wrote, and of those that are too many.
const Other = "_OTHER"

// Called tells of a call that the guard is asked about, and so of a tool that the host
// knows.
func (e *Exporter) Called(tool string) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.tools) < maxTools {
		e.tools[tool] = true
	}
	e.add(toolCalls, 1, attr{toolName, e.tool(tool)})
}

// Rejected tells of a call that was answered before the guard was asked.
func (e *Exporter) Rejected(tool string) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.add(rejectedCalls, 1, attr{toolName, e.tool(tool)})
}

// Found tells of a finding.
func (e *Exporter) Found(f Finding) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	f.Tool = e.tool(f.Tool)
	of := []attr{{rule, f.Rule}, {preset, f.Preset}}
	if f.Tool != "" {
		of = append(of, attr{toolName, f.Tool})
	}
	switch f.Stage {
	case stageBlock:
		e.add(refusals, 1, of...)
	case stageAbort:
		e.add(endedRuns, 1, of...)
	case stageAsk:
		e.add(questions, 1, of...)
	default:
		e.add(remarks, 1, append(of, attr{stage, f.Stage})...)
	}
	e.push(event{e.now(), f})
}

// Answered tells how long an answer took to a message of that method, and how it
// failed, if it did: a code of JSON-RPC.
func (e *Exporter) Answered(method string, took time.Duration, code int64) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.observe(decisionDuration, took.Seconds(), attr{rpcMethod, method})
	if code != 0 {
		e.add(faults, 1, attr{rpcMethod, method}, attr{errorType, strconv.FormatInt(code, 10)})
	}
}

// tool returns the name of a tool as it may be told.
func (e *Exporter) tool(name string) string {
	if name == "" || e.tools[name] {
		return name
	}
	return Other
}
