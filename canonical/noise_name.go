package canonical

// labelEnds are what the words end in that labelled looks at, in either case: two
// letters, each by its last five bits.
var labelEnds = func() (ends [1 << 10]bool) {
	for _, e := range []string{"id", "ed", "ne", "de", "sh", "al", "in", "un", "ut", "pt", "nt", "ay"} {
		ends[uint16(e[0]&31)<<5|uint16(e[1]&31)] = true
	}
	return ends
}()

// mayLabel reports whether the word that ends at end may be one that labelled knows.
func mayLabel(in []byte, end int) bool {
	return end >= 2 && labelEnds[uint16(in[end-2]&31)<<5|uint16(in[end-1]&31)]
}

// labelled recognises what the word in[i:end] announces: ids, a shell's line
// numbers, counts of runs.
func (q *quieter) labelled(i, end int, before byte) (a, b int, marker string) {
	in := q.in
	switch w := in[i:end]; lowerASCII(in[end-1]) {
	case 'd':
		if string(w) == "seed" {
			if a, b = numberBehind(in, end); b-a >= 4 {
				return a, b, markID
			}
			break
		}
		if len(w) < 2 || lowerASCII(w[len(w)-2]) != 'i' {
			break
		}
		switch q.idLabel(i, end, before) {
		case markPid:
			a, b = numberBehind(in, end)
			return a, b, markPid
		case markID:
			a, b = idBehind(in, end)
			return a, b, markID
		}
	case 'e':
		switch string(w) {
		case "goroutine":
			a, b = enclosed(in, end, " ", "")
			return a, b, markID
		case "node":
			if before == '(' {
				a, b = enclosed(in, end, ":", ")")
				return a, b, markPid
			}
		}
	case 'h':
		if a, b = shellLine(in, i, end, before); b > 0 {
			return a, b, markLine
		}
		if string(w) == "bash" && textAt(in, i-3, "pi-bash-") {
			a = end + 1
			if b = wordEnd(in, a); b >= a+8 && isAll(in[a:b], isHex) {
				return a, b, markTemp
			}
		}
	case 'l':
		if string(w) == "eval" && before == '(' {
			a, b = enclosed(in, end, "):", ":")
			return a, b, markLine
		}
	case 'n':
		switch string(w) {
		case "In":
			a, b = enclosed(in, end, " [", "]:")
			return a, b, markRun
		case "run", "Run":
			a, b = enclosed(in, end, " #", "")
			return a, b, markRun
		}
	case 't':
		switch string(w) {
		case "Out":
			a, b = enclosed(in, end, "[", "]:")
			return a, b, markRun
		case "attempt", "Attempt", "execution_count":
			a, b = numberBehind(in, end)
			return a, b, markRun
		case "traceparent":
			a, b = idBehind(in, end)
			return a, b, markID
		}
	case 'y':
		if len(w) == 3 && before == '-' && isFold(w, "ray") && isFold(in[max(i-3, 0):i-1], "cf") {
			a, b = idBehind(in, end)
			return a, b, markID
		}
	}
	return 0, 0, ""
}

// enclosed returns the number that stands at i between two texts.
func enclosed(in []byte, i int, open, close string) (start, end int) {
	if !textAt(in, i, open) {
		return 0, 0
	}
	start = i + len(open)
	end = digitsEnd(in, start)
	if end == start || !closes(in, end) || !textAt(in, end, close) {
		return 0, 0
	}
	return start, end
}

// idLabel says what kind of id the word in[i:end] names, "" for none.
func (q *quieter) idLabel(i, end int, before byte) (marker string) {
	w := q.in[i:end]
	if isFold(w, "pid", "ppid") || endsFold(w, "_pid") || endsCamel(w, "Pid") {
		return markPid
	}
	stem := w[:len(w)-2]
	switch {
	case len(stem) > 0 && stem[len(stem)-1] == '_':
		stem = stem[:len(stem)-1]
	case len(stem) == 0 && (before == ' ' || before == '-'):
		start := i - 1
		for start > 0 && start > q.glued && i-start < maxLabel && isWord(q.in[start-1]) {
			start--
		}
		stem = q.in[start : i-1]
	}
	switch {
	case endsFold(stem, "process"):
		return markPid
	case endsFold(stem, "request", "req", "trace", "span", "session", "sess", "chunk", "correlation", "invocation", "object"):
		return markID
	}
	return ""
}

// valueAt returns where the value of the label that ends at i begins, or 0. A
// parenthesis opens a value only right behind the label, as in ObjectId("5f…").
func valueAt(in []byte, i int) int {
	j := i
	if byteAt(in, j) == '(' {
		j++
	}
	for ; j < len(in) && j-i < maxBetween; j++ {
		switch in[j] {
		case ' ', '\t', ':', '=', '"', '\'', '`', '#', '[', '>':
			continue
		}
		if j == i {
			return 0
		}
		return j
	}
	return 0
}

// numberBehind returns the number that the label ending at i names.
func numberBehind(in []byte, i int) (start, end int) {
	start = valueAt(in, i)
	if start == 0 {
		return 0, 0
	}
	end = digitsEnd(in, start)
	if end == start || !closes(in, end) || byteAt(in, end) == '.' && goesOn(in, end+1) || byteAt(in, end) == '>' {
		return 0, 0 // as in "kill $PID 2>errors"
	}
	return start, end
}

// maxID is how many characters an id may have.
const maxID = 200

// idBehind returns the id that the label ending at i names. It holds a digit,
// or it is hexadecimal: the label may also be part of a sentence.
func idBehind(in []byte, i int) (start, end int) {
	start = valueAt(in, i)
	if start == 0 {
		return 0, 0
	}
	digits, hex := false, true
	for end = start; end < len(in) && end-start <= maxID; end++ {
		c := in[end]
		if !isWord(c) && c != '-' && c != '=' && c != '+' && c != '.' {
			break
		}
		digits = digits || isDigit(c)
		hex = hex && isHex(c)
	}
	for end > start && !isWord(in[end-1]) {
		end--
	}
	if !digits && !(hex && end-start >= 6) || end-start > maxID || !closes(in, end) {
		return 0, 0
	}
	return start, end
}

// shellLine recognises the line number in an error of the shell in[i:end]:
//
//	bash: line 12: …     /bin/sh: 12: …     zsh:12: …     bash: -c: line 12: …
func shellLine(in []byte, i, end int, before byte) (a, b int) {
	if byteAt(in, end) != ':' {
		return 0, 0
	}
	switch string(in[i:end]) {
	case "bash", "sh", "zsh", "dash", "ksh", "ash":
	default:
		return 0, 0
	}
	if before == '.' {
		return 0, 0 // a script
	}
	a = end + 1
	if byteAt(in, a) == ' ' {
		a++
		for _, part := range [...]string{"-c: ", "eval: ", "command substitution: "} {
			if textAt(in, a, part) {
				a += len(part)
			}
		}
		if textAt(in, a, "line ") {
			a += 5
		} else if end-i > 4 || in[end-2] == 's' && end-i == 4 && in[i] == 'b' {
			return 0, 0 // bash always says "line"
		}
	}
	if b = digitsEnd(in, a); b == a || byteAt(in, b) != ':' || goesOn(in, b+1) {
		return 0, 0
	}
	return a, b
}

// barePid recognises process ids by what stands around them.
func (q *quieter) barePid(i, end int, before byte) int {
	if digitsEnd(q.in, i) != end {
		return 0
	}
	switch before {
	case '[': // "Jan  2 15:04:05 host sshd[123]: "
		if q.dated && isWord(byteAt(q.in, i-2)) && textAt(q.in, end, "]:") {
			return end
		}
	case '(': // "thread 'main' (123) panicked at "
		if textAt(q.in, end, ") panicked at ") {
			return end
		}
	case ' ': // "x.sh: line 3: 123 Killed "
		if i >= 3 && q.in[i-2] == ':' && (isDigit(q.in[i-3]) || q.before(i-2) == marked) {
			next := blanksEnd(q.in, end)
			for _, signal := range [...]string{"Killed", "Terminated", "Aborted", "Segmentation fault", "Bus error", "Illegal instruction", "Floating point exception", "Hangup", "Trace/breakpoint trap"} {
				if next > end && textAt(q.in, next, signal) {
					return end
				}
			}
		}
	}
	return 0
}

// job recognises a shell's notice of a job in the background, [1] 12345. It is
// a line of its own; four digits, because R prints answers this way as well.
func (q *quieter) job(i int) (start, end int) {
	in := q.in
	number := digitsEnd(in, i+1)
	if !q.opens(i) || number == i+1 || !textAt(in, number, "] ") {
		return 0, 0
	}
	start = number + 2
	end = digitsEnd(in, start)
	if end-start < 4 || end-start > 7 {
		return 0, 0
	}
	for j := end; j < len(in) && in[j] != '\n'; j++ {
		if kinds[in[j]] != blankByte {
			return 0, 0
		}
	}
	return start, end
}

// buildkit recognises the seconds into a step of a container's build that its
// output has at each line, #12 3.456 text.
func (q *quieter) buildkit(i int) (start, end int) {
	in := q.in
	start = digitsEnd(in, i+1) + 1
	point := digitsEnd(in, start)
	end = point + 4
	if !q.opens(i) || start == i+2 || point == start || byteAt(in, start-1) != ' ' ||
		byteAt(in, point) != '.' || digitsEnd(in, point+1) != end || byteAt(in, end) != ' ' {
		return 0, 0
	}
	return start, end
}

// checker recognises the process id of valgrind and the sanitizers, ==123==.
func (q *quieter) checker(i int) (start, end int) {
	if !textAt(q.in, i, "==") || !q.opens(i) {
		return 0, 0
	}
	start = i + 2
	if end = digitsEnd(q.in, start); end == start || !textAt(q.in, end, "==") {
		return 0, 0
	}
	return start, end
}

// address recognises a memory address in the word in[i:end].
func (q *quieter) address(i, end int, before byte) int {
	in := q.in
	if !textAt(in, i, "0x") || before == '+' || !isAll(in[i+2:end], isHex) || !closes(in, end) {
		return 0
	}
	first := i + 2
	for first < end && in[first] == '0' {
		first++
	}
	switch n := end - first; {
	case n >= 9 && n <= 12, n == 16 && textAt(in, first, "ffff"):
		return end
	case n >= 6 && n <= 8:
		label, _ := q.label(i)
		if isFold(label, "at", "address", "addr", "pc", "sp", "fp", "lr", "ip", "ptr", "pointer") {
			return end
		}
	}
	return 0
}

// identityHash recognises, at its @, what Java prints for an object without a
// text of its own: com.example.Thing@1b6d3586, [I@1b6d3586.
func (q *quieter) identityHash(i int) (start, end int) {
	start = i + 1
	if end = wordEnd(q.in, start); end-start < 6 || end-start > 8 {
		return 0, 0
	}
	letters := false
	for _, c := range q.in[start:end] {
		if !isHex(c) || c >= 'A' && c <= 'F' {
			return 0, 0
		}
		letters = letters || isLetter(c)
	}
	class := i
	for class > q.glued && class > 0 && i-class < maxLabel && (isWord(q.in[class-1]) || q.in[class-1] == '$') {
		class--
	}
	if c := q.in[class]; !letters || !closes(q.in, end) || (c < 'A' || c > 'Z') && byteAt(q.in, class-1) != ';' {
		return 0, 0
	}
	return start, end
}

// uuidEnd returns the end of a UUID whose first part is the word in[i:end], or 0.
func uuidEnd(in []byte, i, end int) int {
	if end != i+8 || byteAt(in, end) != '-' || len(in) < i+36 {
		return 0
	}
	for j, c := range in[i : i+36] {
		switch j {
		case 8, 13, 18, 23:
			if c != '-' {
				return 0
			}
		default:
			if !isHex(c) {
				return 0
			}
		}
	}
	if !closes(in, i+36) {
		return 0
	}
	return i + 36
}

// tempPath returns the part of a path in which random names are looked for:
// three names below the directory for temporary files whose own name begins
// behind the separator at i, none below another directory.
func tempPath(in []byte, i int) span {
	i++
	switch c := byteAt(in, i) | 0x20; {
	case c != 't' && c != 'v':
		return span{}
	case isFold(in[i:min(i+3, len(in))], "tmp"):
		i += 3
	case isFold(in[i:min(i+4, len(in))], "temp"):
		i += 4
	case textAt(in, i, "var/folders/"): // macOS: two names that stay, then T
		i += len("var/folders/")
		for range 2 {
			i = wordEnd(in, i) + 1
			if byteAt(in, i-1) != '/' {
				return span{}
			}
		}
		if byteAt(in, i) != 'T' {
			return span{}
		}
		i++
	default:
		return span{}
	}
	start, names := i, 0
	for ; i < len(in); i++ {
		switch c := in[i]; {
		case c == '/' || c == '\\' && in[i-1] != '\\':
			names++
		case c <= ' ', c == '"', c == '\'', c == '`', c == ':', c == ',', c == ';', c == ')', c == '(', c == '<', c == '>', c == '|',
			c == markStart[0] && textAt(in, i, markStart) && !textAt(in, i, markTemp) && !textAt(in, i, markID):
			return span{start, i}
		}
		if names == 0 || names > 3 {
			break
		}
	}
	return span{start, i}
}

// tempName returns where in the word in[i:end] its random part begins, which
// then goes to the word's end, or end if it has none.
func (q *quieter) tempName(i, end int, before byte) int {
	if i < q.temp.start || i >= q.temp.end || !closes(q.in, end) {
		return end
	}
	w := q.in[i:end]
	digits := end
	for digits > i && isDigit(q.in[digits-1]) {
		digits--
	}
	switch {
	case end-digits >= 6: // Go's, TestThing1234567890, or a number alone
		return digits
	case before == '-' && digits == i && textAt(q.in, i-7, "pytest-"):
		return i
	case textAt(w, 0, "tmp") && (len(w) == 3+8 || len(w) >= 3+4 && digitBeforeLetter(w[3:])): // Python's are 8 long
		return i + 3
	case before == '.' && len(w) == 10 && textAt(q.in, i-4, "tmp."): // mktemp's
		return i
	case (before == '-' || before == '.') && len(w) == 6 && (digitBeforeLetter(w) || humps(w) > 1 || humps(w) > 0 && digits < end): // mkdtemp's
		return i
	case len(w) >= 8 && digitBeforeLetter(w):
		return i
	}
	return end
}

// digitBeforeLetter reports whether a letter follows a digit: in names that are
// chosen, numbers come last.
func digitBeforeLetter(w []byte) bool {
	for i := 1; i < len(w); i++ {
		if isDigit(w[i-1]) && isLetter(w[i]) {
			return true
		}
	}
	return false
}

// humps counts the capital letters that follow a small one.
func humps(w []byte) (n int) {
	for i := 1; i < len(w); i++ {
		if w[i-1] >= 'a' && w[i-1] <= 'z' && w[i] >= 'A' && w[i] <= 'Z' {
			n++
		}
	}
	return n
}

func isAll(w []byte, is func(byte) bool) bool {
	for _, c := range w {
		if !is(c) {
			return false
		}
	}
	return len(w) > 0
}

// isFold reports whether w is one of the lower-case words, in any case.
func isFold(w []byte, words ...string) bool {
	for _, word := range words {
		if len(w) == len(word) && endsFold(w, word) {
			return true
		}
	}
	return false
}

// endsCamel reports whether w ends in a part that begins with a capital letter,
// as childPid does.
func endsCamel(w []byte, part string) bool {
	n := len(w) - len(part)
	return n > 0 && string(w[n:]) == part && w[n-1] >= 'a' && w[n-1] <= 'z'
}
