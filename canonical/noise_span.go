package canonical

// measured recognises a duration or a speed, and returns its marker.
func (q *quieter) measured(i int, before byte) (end int, marker string) {
	switch before {
	case '.', '/', '\\', '#', '$', '@', '%':
		return 0, ""
	case '-':
		if isWord(byteAt(q.in, i-2)) || q.before(i-1) == marked {
			return 0, "" // part of a name
		}
	}
	number := decimalEnd(q.in, i)
	next := byteAt(q.in, number)
	if next == ' ' {
		next = byteAt(q.in, number+1)
	}
	weak := false
	if beginsUnit[next] {
		if end = speedEnd(q.in, number); end > 0 {
			return end, markSpeed
		}
		end, weak = durationEnd(q.in, seriesEnd(q.in, i, number))
	}
	if end == 0 {
		if end = q.unitInLabel(i, before); end == 0 {
			return 0, ""
		}
		return end, markTook
	}
	label, _ := q.label(i)
	if endsFold(label, "timeout", "interval", "ttl", "delay", "sleep", "deadline", "every", "limit", "retention", "period") ||
		weak && !textAt(q.in, end, " ago") && !isFold(label, "up") {
		return 0, ""
	}
	switch c := byteAt(q.in, end); {
	case c == '/', (c == '.' || c == '-') && goesOn(q.in, end+1):
		return 0, ""
	}
	return toldAgain(q.in, end), markTook
}

// beginsUnit are the bytes that a unit of time or of a speed begins with, or that stand
// between the numbers of a series of them.
var beginsUnit = func() (begins [256]bool) {
	for _, c := range "smnuhdwySMNUHDWYbBkKG/" {
		begins[c] = true
	}
	for c := 0x80; c < 0x100; c++ {
		begins[c] = true
	}
	return begins
}()

// toldAgain returns the end of a second telling of the duration that ends at i,
// which pytest adds to long ones, (0:01:02), and jest to short ones.
func toldAgain(in []byte, i int) int {
	if textAt(in, i, " (") {
		if end := clockEnd(in, i+2, ':', false); end > 0 && byteAt(in, end) == ')' {
			return end + 1
		}
	}
	const estimated = ", estimated "
	if textAt(in, i, estimated) {
		if end, weak := durationEnd(in, i+len(estimated)); end > 0 && !weak {
			return end
		}
	}
	return i
}

// durationEnd returns the end of the numbers with units of time at i, or 0. It
// is weak if it may be something else: 5m, 3h, 2 days.
func durationEnd(in []byte, i int) (end int, weak bool) {
	weak = true
	parts := 0
	for j, last := i, unitNone; ; {
		number := decimalEnd(in, j)
		if number == j {
			break
		}
		unitAt := number
		if byteAt(in, unitAt) == ' ' {
			unitAt++
		}
		unitEnd := unitAt
		for isLetter(byteAt(in, unitEnd)) || unitEnd == unitAt && isMicro(in, unitEnd) {
			unitEnd++
			if in[unitEnd-1] >= 0x80 {
				unitEnd++
			}
		}
		unit, sure := unitOf(in[unitAt:unitEnd], unitAt > number)
		if unit == unitNone || last != unitNone && unit >= last {
			break // compounds go down: 1h 2m 3s
		}
		parts++
		end, last = unitEnd, unit
		weak = weak && !sure
		j = end
		switch {
		case textAt(in, j, ", "):
			j += 2
		case textAt(in, j, " and "):
			j += 5
		case byteAt(in, j) == ' ':
			j++
		}
	}
	if parts == 0 || !closes(in, end) {
		return 0, false
	}
	return end, weak && parts == 1
}

// seriesEnd returns where the last of at least three numbers begins that share
// a unit, 0.1/0.2/0.3 ms, as ping tells its times, or i. The first ends at end.
func seriesEnd(in []byte, i, end int) int {
	last := i
	for n := 1; ; n++ {
		if byteAt(in, end) != '/' || !isDigit(byteAt(in, end+1)) {
			if n < 3 {
				return i
			}
			return last
		}
		last = end + 1
		end = decimalEnd(in, last)
	}
}

// decimalEnd returns the end of 12, 1.2 or 1,234.5. It looks at a few groups
// only: lists of numbers have commas, too.
func decimalEnd(in []byte, i int) int {
	end := digitsEnd(in, i)
	for range 3 {
		if end == i || byteAt(in, end) != ',' || digitsEnd(in, end+1) != end+4 {
			break
		}
		end += 4
	}
	if end > i && byteAt(in, end) == '.' && isDigit(byteAt(in, end+1)) {
		end = digitsEnd(in, end+1)
	}
	return end
}

// unit is a unit of time; the longer one is the greater.
type timeUnit uint8

const (
	unitNone timeUnit = iota
	unitNanosecond
	unitMicrosecond
	unitMillisecond
	unitSecond
	unitMinute
	unitHour
	unitDay
	unitWeek
	unitMonth
	unitYear
)

// unitOf returns the unit that w names, and whether it is sure to mean time.
// Behind a space a single letter means seconds or nothing.
func unitOf(w []byte, spaced bool) (u timeUnit, sure bool) {
	switch string(w) {
	case "s":
		return unitSecond, true
	case "ms":
		return unitMillisecond, true
	case "ns":
		return unitNanosecond, true
	case "us":
		if !spaced {
			return unitMicrosecond, true
		}
	case "µs", "μs":
		return unitMicrosecond, true
	case "m":
		if !spaced {
			return unitMinute, false
		}
	case "h":
		if !spaced {
			return unitHour, false
		}
	case "d":
		if !spaced {
			return unitDay, false
		}
	case "w":
		if !spaced {
			return unitWeek, false
		}
	}
	if len(w) < 2 || len(w) > 12 {
		return unitNone, false
	}
	var buf [12]byte
	for i, c := range w {
		buf[i] = lowerASCII(c)
	}
	w = buf[:len(w)]
	if w[len(w)-1] == 's' {
		w = w[:len(w)-1]
	}
	switch string(w) {
	case "nanosecond", "nanosec", "nsec":
		return unitNanosecond, true
	case "microsecond", "microsec", "usec":
		return unitMicrosecond, true
	case "millisecond", "millisec", "milli", "msec":
		return unitMillisecond, true
	case "second", "sec":
		return unitSecond, true
	case "minute", "min":
		return unitMinute, true
	case "hour", "hr":
		return unitHour, true
	case "day":
		return unitDay, false
	case "week":
		return unitWeek, false
	case "month":
		return unitMonth, false
	case "year":
		return unitYear, false
	}
	return unitNone, false
}

// isMicro reports whether the micro sign, or the Greek letter, stands at i.
func isMicro(in []byte, i int) bool { return textAt(in, i, "µ") || textAt(in, i, "μ") }

// unitInLabel recognises a number that its label calls a duration.
func (q *quieter) unitInLabel(i int, before byte) int {
	switch before {
	case ' ':
		if c := byteAt(q.in, i-2); isWord(c) && lowerASCII(c) != 's' {
			return 0 // no sign between, with which alone it may end otherwise
		}
	case ':', '=', '"', '\t':
	default:
		return 0
	}
	label, explicit := q.label(i)
	if len(label) < 4 {
		return 0
	}
	switch lowerASCII(label[len(label)-1]) {
	case 's':
		if !endsFold(label, "duration_ms", "elapsed_ms", "durationms", "elapsedms", "wall_time_seconds", "elapsed_seconds", "duration_seconds") {
			return 0
		}
	case 'n', 'd', 'k':
		if !explicit || !endsFold(label, "duration", "elapsed", "took") {
			return 0
		}
	case 'e': // JUnit's
		if !isFold(label, "time") || !textAt(q.in, i-2, `="`) || byteAt(q.in, digitsEnd(q.in, i)) != '.' {
			return 0
		}
	default:
		return 0
	}
	end := decimalEnd(q.in, i)
	if !closes(q.in, end) || byteAt(q.in, end) == '.' && goesOn(q.in, end+1) {
		return 0
	}
	return end
}

// speedEnd returns the end of the unit of a number of bytes per second, which
// follows the number at i, or 0.
func speedEnd(in []byte, i int) int {
	if byteAt(in, i) == ' ' {
		i++
	}
	slash := i
	for slash < i+6 && isLetter(byteAt(in, slash)) {
		slash++
	}
	if byteAt(in, slash) != '/' {
		return 0
	}
	switch string(in[i:slash]) {
	case "B", "kB", "KB", "MB", "GB", "KiB", "MiB", "GiB", "bytes":
	default:
		return 0
	}
	for _, per := range [...]string{"s", "sec"} {
		if end := slash + 1 + len(per); textAt(in, slash+1, per) && closes(in, end) {
			return end
		}
	}
	return 0
}

// aside recognises a duration that stands alone in parentheses at the end of a
// line, with the blanks before them.
func (q *quieter) aside(i int) (start, end int) {
	if !isDigit(byteAt(q.in, i+1)) {
		return 0, 0
	}
	end, marker := q.measured(i+1, '(')
	if marker != markTook || byteAt(q.in, end) != ')' {
		return 0, 0
	}
	end++
	rest := end
	for rest < len(q.in) && kinds[q.in[rest]] == blankByte {
		rest++
	}
	if rest < len(q.in) && q.in[rest] != '\n' {
		return 0, 0
	}
	for start = i; start > q.from && (q.in[start-1] == ' ' || q.in[start-1] == '\t'); start-- {
	}
	// What is left must end as it would have ended a line in the first place.
	switch c := q.before(start); {
	case start == i, c == marked, c == '\n', c == '\r', c == ')', isDigit(c):
		return 0, 0
	}
	return start, end
}
