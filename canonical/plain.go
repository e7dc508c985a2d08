package canonical

import "bytes"

// Members of an input that say nothing of what a call does, in the spellings of
// the agents that have them, in lower case and without the underscores.
var (
	// limits bound how long a call may take and how much it may say.
	limits = []string{"timeout", "timeoutms", "timeoutseconds", "timeoutsec", "maxoutputtokens", "maxtokens"}
	// prose is for the person who watches. Beside a payload that the tool is
	// known for it is just that; alone it may be all there is to a call, as in a
	// task that is created with a title and a description.
	prose = []string{"description", "justification", "reason", "title", "comment", "explanation", "purpose", "intent", "thought", "rationale", "runinbackground"}
	// labels name a piece of code or a command.
	labels = []string{"name", "label"}
	// payloads are what a tool of no known kind runs.
	payloads = []string{"code", "command", "cmd", "commandline", "script"}
	// reports say how things stand.
	reports = []string{"status", "message", "note", "notes", "summary", "progress", "update"}
)

// PlainKey returns a key that is equal for calls that differ in cosmetics only:
// beside what Key overlooks, members with limits of time, prose beside a payload,
// and the spelling of a command line, for which the caller gives command, in its one
// spelling, empty where there is none. What an edit writes is never touched.
func (f *Form) PlainKey(kind ToolKind, command []byte) Key {
	buf := keyBuffers.Get().(*[]byte)
	defer keyBuffers.Put(buf)

	plain := append((*buf)[:0], f.text[:f.input]...)
	plain = appendPlain(plain, f.text[f.input:], kind, command)
	if cap(plain) <= keptBuffer {
		*buf = plain
	}
	return sumOf(plain)
}

// appendPlain appends what is left of a canonical form without its cosmetics.
func appendPlain(dst, form []byte, kind ToolKind, command []byte) []byte {
	if len(form) == 0 || form[0] != '{' {
		return append(dst, form...)
	}
	works := kind != ToolOther && kind != ToolNotes
	if !works {
		for m := range formMembers(form) {
			if works = m.role() == rolePayload; works {
				break
			}
		}
	}
	for m := range formMembers(form) {
		role := m.role()
		if role == roleLimit || works && (role == roleProse || role == roleLabel && kind != ToolEdit && kind != ToolWrite) {
			continue
		}
		dst = append(dst, ',')
		if len(command) > 0 && role == rolePayload {
			dst = append(append(dst, "command:"...), command...)
			command = nil // further members of that name are other things
			continue
		}
		dst = append(append(append(dst, m.name...), ':'), m.value...)
	}
	return dst
}

// WordlessKey returns a key that is equal for calls of a tool that differ in nothing
// but what they say: members of prose, and reports.
func (f *Form) WordlessKey() Key {
	buf := keyBuffers.Get().(*[]byte)
	defer keyBuffers.Put(buf)
	text := append((*buf)[:0], f.text[:f.input]...)
	for m := range formMembers(f.object()) {
		if !m.says() {
			text = append(append(append(append(text, ','), m.name...), ':'), m.value...)
		}
	}
	if f.text[f.input] != '{' {
		text = append(text, f.text[f.input:]...)
	}
	if cap(text) <= keptBuffer {
		*buf = text
	}
	return sumOf(text)
}

// OnlySays reports whether a call gives its tool nothing but prose and reports.
func (f *Form) OnlySays() bool {
	says := false
	for m := range formMembers(f.object()) {
		if says = m.says(); !says {
			return false
		}
	}
	return says
}

// OnlyWaits reports whether a call gives its tool nothing but a time to wait, as
// does one that looks whether a process has said something new: the input has a
// member for the time, or says so by name, and no text but the ids of what is waited
// for. A poll is no wait without a time.
func (f *Form) OnlyWaits() bool {
	onlyWaits := false
	for m := range formMembers(f.object()) {
		name := squeezed(m.name)
		switch {
		case bytes.HasPrefix(name, []byte("yield")), bytes.HasPrefix(name, []byte("wait")), bytes.HasPrefix(name, []byte("timeout")), bytes.HasPrefix(name, []byte("duration")),
			bytes.Equal(name, []byte("seconds")), bytes.Equal(name, []byte("block")):
			onlyWaits = true
		case bytes.HasSuffix(name, []byte("id")), bytes.HasSuffix(name, []byte("ids")), bytes.HasSuffix(name, []byte("session")):
		case string(m.value) == `"wait"`, string(m.value) == `"sleep"`:
			onlyWaits = true
		case string(m.value) == `"poll"`:
		case m.value[0] == '"' && len(m.value) > 2, m.value[0] == '{', m.value[0] == '[', m.value[0] == '#':
			return false
		}
	}
	return onlyWaits
}

// formMember is a member of an object in canonical form.
type formMember struct {
	name  []byte // without its quotes
	value []byte
}

// role is what a member says of a call.
type role uint8

const (
	roleSubstance role = iota
	roleLimit
	roleProse
	roleLabel
	rolePayload
	roleReport
)

var roles = func() map[string]role {
	all := map[string]role{}
	for role, names := range map[role][]string{roleLimit: limits, roleProse: prose, roleLabel: labels, rolePayload: payloads, roleReport: reports} {
		for _, name := range names {
			all[name] = role
		}
	}
	return all
}()

func (m formMember) role() role {
	var buf [32]byte
	return roles[string(appendSqueezed(buf[:0], m.name))]
}

// says reports whether a member is of words for whoever watches. What is no text, such
// as the number of a comment, is none.
func (m formMember) says() bool {
	if m.value[0] != '"' && m.value[0] != '#' {
		return false
	}
	r := m.role()
	return r == roleProse || r == roleReport
}

// squeezed is a name in lower case and without its separators: timeout_ms and
// timeoutMs are one.
func squeezed(name []byte) []byte { return appendSqueezed(make([]byte, 0, 32), name) }

func appendSqueezed(out, name []byte) []byte {
	for _, c := range name {
		switch {
		case c == '_' || c == '-':
		case 'A' <= c && c <= 'Z':
			out = append(out, c|0x20)
		default:
			out = append(out, c)
		}
	}
	return out
}

// formMembers steps over the members of an object in canonical form, which has no
// blanks, and holds no string beside those in quotes.
func formMembers(form []byte) func(func(formMember) bool) {
	return func(yield func(formMember) bool) {
		for i := 1; i < len(form) && form[i] != '}'; i++ {
			end := stringEnd(form, i)
			m := formMember{name: form[i+1 : end-1]}
			start := end + 1
			i = valueEnd(form, start)
			if m.value = form[start:i]; !yield(m) || i >= len(form) || form[i] == '}' {
				return
			}
		}
	}
}

// stringEnd returns where the string that starts at i has ended.
func stringEnd(form []byte, i int) int {
	for i++; form[i] != '"'; i++ {
		if form[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// valueEnd returns where the value that starts at i has ended.
func valueEnd(form []byte, i int) int {
	for depth := 0; i < len(form); i++ {
		switch form[i] {
		case '"':
			i = stringEnd(form, i) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return i
}
