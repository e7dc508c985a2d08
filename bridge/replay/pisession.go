package replay

import (
	"bytes"
	"hash/maphash"
	"io"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/loopbreaker/loopbreaker/bridge/lazy"
	"github.com/loopbreaker/loopbreaker/guard"
)

// A Pi session file is a tree of entries, each naming its parent; the active
// branch leads from the last entry to the root. So a file is read twice: for the
// tree, of which little is kept, and then for the branch.

// entry is what is kept of a line: hashes of its id and its parent's.
type entry struct {
	id, parent uint64 // 0 for none
	broken     bool   // whether the line is no JSON object
}

var hashSeed = maphash.MakeSeed()

// piIndex reads the tree of the session that begins at a reader's place and
// returns its entries, line by line, and the number of lines.
func piIndex(l *lineReader, stop func(line []byte) bool) (entries []entry, err error) {
	for {
		line, err := l.next()
		if err == io.EOF {
			return entries, nil
		}
		if err != nil {
			return nil, err
		}
		if stop(line) && len(entries) > 0 {
			return entries, nil
		}
		var e entry
		s := lazy.Scan(line)
		for wanted := 2; wanted > 0 && s.Next(); { // Pi writes both before what is large
			switch {
			case s.Named("id"):
				wanted--
				e.id = hashed(s.Value())
			case s.Named("parentId"):
				wanted--
				if s.Starts('"') { // null for the root
					e.parent = hashed(s.Value())
				}
			}
		}
		e.broken = s.Err() != nil && len(bytes.TrimSpace(line)) > 0
		entries = append(entries, e)
	}
}

func hashed(value []byte) uint64 {
	if value == nil {
		return 0
	}
	return maphash.Bytes(hashSeed, value)
}

// leaves returns where the branches end: the active one first, and if all are
// wanted every other one.
func leaves(entries []entry, all bool) []int {
	last := len(entries) - 1
	for last > 0 && entries[last].id == 0 {
		last--
	}
	found := []int{last}
	if !all {
		return found
	}
	parents := map[uint64]bool{}
	for _, e := range entries {
		parents[e.parent] = true
	}
	for i := last - 1; i > 0; i-- { // the first line is the session's, and no entry
		if e := entries[i]; e.id != 0 && !parents[e.id] {
			found = append(found, i)
		}
	}
	return found
}

// branch marks the entries from a leaf to the root, and broken lines, so that they
// are told of; of a file without a tree, all entries.
func branch(entries []entry, leaf int) []bool {
	on := make([]bool, len(entries))
	tree, broken := false, false
	for i, e := range entries {
		tree, broken = tree || e.parent != 0, broken || e.broken
		on[i] = e.broken
	}
	known := map[uint64]bool{} // only where there are broken lines
	for i := 0; broken && i < len(entries); i++ {
		known[entries[i].id] = true
	}
	if !tree {
		for i := range on {
			on[i] = true
		}
		return on
	}
	wanted := entries[leaf].id
	for i := leaf; i >= 0 && wanted != 0; i-- {
		switch e := entries[i]; {
		case e.id == wanted:
			on[i] = true
			wanted = e.parent
		case e.broken && !known[wanted]: // it may be the one: go on above it
			for i > 0 && entries[i-1].id == 0 {
				i--
			}
			if i > 0 {
				wanted = entries[i-1].id
			}
		}
	}
	return on
}

// piEvents turns one line of a session file into events.
func piEvents(line []byte, number int, yield func(Event) bool) (goOn bool, fault string) {
	var kind string
	var m message
	s := lazy.Scan(line)
	for s.Next() {
		switch {
		case s.Named("type"):
			kind = unquoted(s.Value())
		case s.Named("message") && s.Enter('{'):
			m.read(&s)
		}
	}
	if s.Err() != nil {
		return true, s.Err().Error()
	}
	switch kind {
	case "compaction":
		return yield(Event{Kind: KindCompact, Line: number}), ""
	case "message":
		return m.events(number, yield)
	}
	return true, ""
}

// message is what counts of a message, as a session file and a stream hold it.
type message struct {
	role                    string
	content, usage, details []byte
	parts                   []Event // of an assistant's content: what was written, and calls
	nested                  []byte  // the calls within a call
	toolCallID, model       string
	isError                 bool
}

// read takes in the members that s is about to step over.
func (m *message) read(s *lazy.Scanner) {
	for s.Next() {
		switch {
		case s.Named("role"):
			m.role = unquoted(s.Value())
		case s.Named("content") && m.role == "assistant" && s.Enter('['):
			m.readParts(s)
		case s.Named("content"):
			m.content = s.Value()
		case s.Named("toolCallId"):
			m.toolCallID = unquoted(s.Value())
		case s.Named("isError"):
			m.isError = s.Starts('t')
		case s.Named("details"):
			m.details = s.Value()
		case s.Named("usage"):
			m.usage = s.Value()
		case s.Named("model"):
			m.model = unquoted(s.Value())
		case s.Named("nestedCalls"):
			m.nested = s.Value()
		}
	}
}

// events turns the message into events.
func (m *message) events(number int, yield func(Event) bool) (goOn bool, fault string) {
	switch m.role {
	case "user":
		return yield(Event{Kind: KindPrompt, Line: number}), ""
	case "assistant":
		if !yield(Event{Kind: KindTurn, Line: number}) {
			return false, ""
		}
		if m.usage != nil && !yield(m.cost(number)) {
			return false, ""
		}
		if m.content != nil { // it came before the role
			s := lazy.Scan(m.content)
			m.readParts(&s)
		}
		for _, part := range m.parts {
			if part.Line = number; !yield(part) {
				return false, ""
			}
		}
	case "toolResult":
		if m.nested != nil {
			if goOn, fault := nestedCalls(m.nested, m.toolCallID, number, yield); !goOn || fault != "" {
				return goOn, fault
			}
		}
		return yield(Event{
			Kind: KindResult, Line: number, ID: m.toolCallID, Content: m.content, IsError: m.isError,
			Rejected: m.isError && rejectedByHost(m.content),
			Withheld: m.isError && refusedByUs(m.details),
		}), ""
	case "":
		return true, "a message without a role"
	}
	return true, ""
}

// readParts takes in what an assistant wrote, and its calls, among the parts that s is
// about to step over. Plain text has no parts.
func (m *message) readParts(s *lazy.Scanner) {
	for block := 0; s.Next(); block++ {
		if !s.Enter('{') {
			continue
		}
		call := Event{Kind: KindCall}
		var kind string
		var text []byte
		for s.Next() {
			switch {
			case s.Named("type"):
				kind = unquoted(s.Value())
			case s.Named("id"):
				call.ID = unquoted(s.Value())
			case s.Named("name"):
				call.Tool = unquoted(s.Value())
			case s.Named("arguments"):
				call.Input = s.Value()
			case s.Named("text"), s.Named("thinking"):
				text = s.Value()
			}
		}
		if written, ok := writtenPart(kind, text, call.Input, block); ok {
			m.parts = append(m.parts, written)
		}
		if kind == "toolCall" {
			m.parts = append(m.parts, call)
		}
	}
}

// cost is what a response cost, and whom.
func (m *message) cost(number int) Event {
	e := Event{Kind: KindUsage, Line: number, Model: m.model}
	s := lazy.Scan(m.usage)
	for s.Next() {
		switch {
		case s.Named("totalTokens"):
			e.Tokens, _ = strconv.Atoi(string(s.Value()))
		case s.Named("cost"):
			cost := lazy.Scan(s.Value())
			for cost.Next() {
				if cost.Named("total") {
					e.Cost, _ = strconv.ParseFloat(string(cost.Value()), 64)
				}
			}
		}
	}
	return e
}

// about reads the line that begins a session.
func about(line []byte) (a About) {
	if !isHeader(line) {
		return a
	}
	s := lazy.Scan(line)
	for s.Next() {
		switch {
		case s.Named("id"):
			a.ID = unquoted(s.Value())
		case s.Named("timestamp"):
			a.Started = unquoted(s.Value())
		case s.Named("cwd"):
			a.Project = unquoted(s.Value())
		}
	}
	return a
}

// refusedByUs reports whether a result's details say that this guard refused it.
func refusedByUs(details []byte) bool {
	s := lazy.Scan(details)
	for s.Next() {
		if s.Named("loopbreaker") {
			return true
		}
	}
	return false
}

// rejectedByHost reports whether the first text of a result is one of those that
// Pi writes by itself.
func rejectedByHost(content []byte) bool {
	parts := lazy.Scan(content)
	if !parts.Next() || !parts.Starts('{') {
		return false
	}
	s := lazy.Scan(parts.Value())
	for s.Next() {
		if s.Named("text") {
			return textRejected(s.Value())
		}
	}
	return false
}

// textRejected looks at a text, quoted, whose beginning rules most of them out.
func textRejected(quoted []byte) bool {
	return slices.ContainsFunc([]string{`"Validation`, `"Invalid`, `"Tool `}, func(head string) bool {
		return len(quoted) > len(head) && string(quoted[:len(head)]) == head
	}) && guard.RejectedByHost(unquoted(quoted))
}

// unquoted reads a JSON string, "" for what is none.
func unquoted(value []byte) string {
	if n := len(value); n >= 2 && value[0] == '"' && slices.Index(value, '\\') < 0 {
		return string(value[1 : n-1])
	}
	text, err := jsontext.AppendUnquote(nil, value)
	if err != nil && len(text) == 0 {
		return ""
	}
	return string(text)
}
