package canonical

// isPair reports whether two digits stand at i that make no more than most.
func isPair(in []byte, i int, most byte) bool {
	a, b := byteAt(in, i), byteAt(in, i+1)
	return isDigit(a) && isDigit(b) && (a-'0')*10+b-'0' <= most
}

// isYear reports whether a year from 1900 to 2099 stands at i.
func isYear(in []byte, i int) bool {
	return (textAt(in, i, "19") || textAt(in, i, "20")) && isPair(in, i+2, 99)
}

// isMonthDay reports whether a month stands at m and a day at d.
func isMonthDay(in []byte, m, d int) bool {
	return isPair(in, m, 12) && !textAt(in, m, "00") && isPair(in, d, 31) && !textAt(in, d, "00")
}

// dayEnd returns the end of a day of a month of one or two digits, or 0.
func dayEnd(in []byte, i int) int {
	switch end := digitsEnd(in, i); {
	case end == i+1 && in[i] != '0', end == i+2 && isPair(in, i, 31) && !textAt(in, i, "00"):
		return end
	}
	return 0
}

// numericDate returns the end of the date or clock time that begins with the
// digits at i, or 0.
func numericDate(in []byte, i int, before byte) int {
	n := digitsEnd(in, i) - i
	switch next := byteAt(in, i+n); {
	case n == 4 && (next == '-' || next == '/'):
		return isoDate(in, i, before)
	case n == 8:
		return compactDate(in, i, before)
	case n > 2:
		return 0
	case next == ':' && before != ':' && before != '.' && before != '/':
		return clockEnd(in, i, ':', false)
	case next == '/' && before != '/' && before != '.' && before != '-':
		return slashDate(in, i)
	case next == ' ', next == '-' && before != '-' && before != '/' && before != '.':
		return dayMonthYear(in, i, next)
	}
	return 0
}

// inName reports whether what ends at end, behind before, is part of the name of
// a file, a version, a branch: it tells things apart there.
func inName(in []byte, before byte, end int) bool {
	switch before {
	case '-', '.', '/', '\\', '@':
		return true
	}
	switch c := byteAt(in, end); c {
	case '-', '/', '\\', '@':
		return true
	case '.':
		return goesOn(in, end+1)
	}
	return !closes(in, end)
}

// isoDate recognises 2006-01-02 and 2006/01/02, with or without a time. With
// one it is a timestamp wherever it stands.
func isoDate(in []byte, i int, before byte) int {
	sep := in[i+4]
	if !isYear(in, i) || !isMonthDay(in, i+5, i+8) || byteAt(in, i+7) != sep {
		return 0
	}
	end := i + 10
	t := end + 1
	switch byteAt(in, end) {
	case 'T', '_', '-':
		if end := npmTime(in, t); end > 0 {
			return end
		}
		if !isDigit(byteAt(in, t+1)) {
			t = len(in)
		}
	case ' ':
		if textAt(in, end, " - ") {
			t += 2
		}
	default:
		t = len(in)
	}
	if end := clockEnd(in, t, ':', true); end > 0 {
		return end
	}
	if inName(in, before, end) {
		return 0
	}
	return end
}

// npmTime recognises the time in the name of npm's log, 15_04_05_000Z.
func npmTime(in []byte, i int) int {
	if end := clockEnd(in, i, '_', true); end == i+13 && in[end-1] == 'Z' {
		return end
	}
	return 0
}

// compactDate recognises 20060102T150405Z, 20060102-150405 and 20060102_150405.
func compactDate(in []byte, i int, before byte) int {
	if !isYear(in, i) || !isMonthDay(in, i+4, i+6) {
		return 0
	}
	switch byteAt(in, i+8) {
	case 'T', '-', '_':
	default:
		return 0
	}
	if !isPair(in, i+9, 23) || !isPair(in, i+11, 59) || !isPair(in, i+13, 60) {
		return 0
	}
	end := zoneEnd(in, fractionEnd(in, i+15, ':'))
	if inName(in, before, end) {
		return 0
	}
	return end
}

// slashDate recognises 1/2/2006, with or without a time, and the time of an
// access log, 02/Jan/2006:15:04:05.
func slashDate(in []byte, i int) int {
	day := dayEnd(in, i)
	if day == 0 {
		return 0
	}
	if month := monthEnd(in, day+1); month > 0 && byteAt(in, month) == '/' && isYear(in, month+1) && byteAt(in, month+5) == ':' {
		return clockEnd(in, month+6, ':', true)
	}
	month := dayEnd(in, day+1)
	if month == 0 || byteAt(in, month) != '/' || !isYear(in, month+1) {
		return 0
	}
	end := month + 5
	if t := timeAfter(in, end); t > 0 {
		return t
	}
	if !closes(in, end) || byteAt(in, end) == '/' || byteAt(in, end) == '.' && goesOn(in, end+1) {
		return 0
	}
	return end
}

// namedDate recognises dates with the name of a month: Jan 2 15:04, Jan 2 2006,
// 2 Jan 2006, Mon Jan 2 15:04:05 2006, Mon, 02 Jan 2006 15:04:05 GMT.
func namedDate(in []byte, i int) int {
	if day := weekdayEnd(in, i); day > 0 {
		if byteAt(in, day) == ',' {
			day++
		}
		next := blanksEnd(in, day)
		if next == day {
			return 0
		}
		if end := monthDay(in, next); end > 0 {
			return end
		}
		return dayMonthYear(in, next, ' ')
	}
	return monthDay(in, i)
}

func monthDay(in []byte, i int) int {
	month := monthEnd(in, i)
	if month == 0 {
		return 0
	}
	day := blanksEnd(in, month)
	end := dayEnd(in, day)
	if day == month || end == 0 {
		return 0
	}
	if t := clockEnd(in, blanksEnd(in, end), ':', true); t > 0 && blanksEnd(in, end) > end {
		return yearAfter(in, t)
	}
	if byteAt(in, end) == ',' {
		end++
	}
	year := blanksEnd(in, end)
	if year == end || !isYear(in, year) || !closes(in, year+4) {
		return 0
	}
	if t := timeAfter(in, year+4); t > 0 {
		return t
	}
	return year + 4
}

// dayMonthYear recognises 2 Jan 2006 and 02-Jan-2006, with or without a time.
func dayMonthYear(in []byte, i int, sep byte) int {
	day := dayEnd(in, i)
	if day == 0 || byteAt(in, day) != sep {
		return 0
	}
	month := monthEnd(in, day+1)
	if month == 0 || byteAt(in, month) != sep || !isYear(in, month+1) || !closes(in, month+5) {
		return 0
	}
	if t := timeAfter(in, month+5); t > 0 {
		return t
	}
	return month + 5
}

// timeAfter returns the end of the clock time that follows a date, or 0.
func timeAfter(in []byte, i int) int {
	if byteAt(in, i) == ',' {
		i++
	}
	next := blanksEnd(in, i)
	if next == i {
		return 0
	}
	if textAt(in, next, "at ") {
		next += 3
	}
	return clockEnd(in, next, ':', true)
}

// yearAfter returns the end of the year that follows a clock time, with the
// zone before it or its offset behind it, or i if there is unitNone.
func yearAfter(in []byte, i int) int {
	year := i + 1
	if end := wordEnd(in, year); end > year+1 && end <= year+5 && isLetter(in[year]) {
		year = end + 1 // MST, as in date's own output
	}
	if byteAt(in, i) != ' ' || byteAt(in, year-1) != ' ' || !isYear(in, year) || !closes(in, year+4) {
		return i
	}
	return zoneEnd(in, year+4)
}

// clockEnd returns the end of the clock time at i, with its fraction and zone, or
// 0. Without seconds it is one only behind a date, or with AM or PM.
func clockEnd(in []byte, i int, sep byte, dated bool) int {
	end := digitsEnd(in, i)
	if end == i || end > i+2 || end == i+2 && !isPair(in, i, 23) || byteAt(in, end) != sep || !isPair(in, end+1, 59) {
		return 0
	}
	end += 3
	if byteAt(in, end) == sep && isPair(in, end+1, 60) {
		end = fractionEnd(in, end+3, sep)
		dated = true
	} else if n := digitsEnd(in, end+1) - end - 1; sep == ':' && byteAt(in, end) == '.' && (n == 2 || n == 3) {
		end += 1 + n // minutes and seconds
		dated = true
	}
	half := end
	if byteAt(in, half) == ' ' {
		half++
	}
	if c := lowerASCII(byteAt(in, half)); (c == 'a' || c == 'p') && lowerASCII(byteAt(in, half+1)) == 'm' && closes(in, half+2) {
		end = half + 2
		dated = true
	}
	end = zoneEnd(in, end)
	if !dated || !closes(in, end) || byteAt(in, end) == ':' && (goesOn(in, end+1) || byteAt(in, end+1) == ':') {
		return 0
	}
	return end
}

// fractionEnd returns the end of a fraction of a second, if one stands at i.
func fractionEnd(in []byte, i int, sep byte) int {
	end := digitsEnd(in, i+1)
	n := end - i - 1
	switch c := byteAt(in, i); {
	case c == '.' && n >= 1 && n <= 9, c == ',' && n == 3, c == '_' && sep == '_' && n == 3:
		return end
	}
	return i
}

// zoneEnd returns the end of a time zone, if one stands at i.
func zoneEnd(in []byte, i int) int {
	if byteAt(in, i) == 'Z' {
		return i + 1
	}
	j := i
	if byteAt(in, j) == ' ' {
		j++
	}
	if textAt(in, j, "UTC") || textAt(in, j, "GMT") {
		j += 3
		if end := zoneOffset(in, j); end > 0 {
			return end
		}
		if closes(in, j) {
			return j
		}
		return i
	}
	if end := zoneOffset(in, j); end > 0 {
		return end
	}
	return i
}

// zoneOffset returns the end of +0100 or +01:00, or 0.
func zoneOffset(in []byte, i int) int {
	if c := byteAt(in, i); c != '+' && c != '-' || !isPair(in, i+1, 14) {
		return 0
	}
	end := i + 3
	if byteAt(in, end) == ':' {
		end++
	}
	if !isPair(in, end, 45) || !closes(in, end+2) {
		return 0
	}
	return end + 2
}

// monthEnd returns the end of the English name of a month, short or long, or 0.
func monthEnd(in []byte, i int) int {
	if i+3 > len(in) {
		return 0
	}
	rest := ""
	switch string(in[i : i+3]) {
	case "Jan":
		rest = "uary"
	case "Feb":
		rest = "ruary"
	case "Mar":
		rest = "ch"
	case "Apr":
		rest = "il"
	case "May":
	case "Jun":
		rest = "e"
	case "Jul":
		rest = "y"
	case "Aug":
		rest = "ust"
	case "Sep":
		rest = "tember"
	case "Oct":
		rest = "ober"
	case "Nov", "Dec":
		rest = "ember"
	default:
		return 0
	}
	return nameEnd(in, i+3, rest)
}

// weekdayEnd returns the end of the English name of a weekday, or 0.
func weekdayEnd(in []byte, i int) int {
	if i+3 > len(in) {
		return 0
	}
	rest := "day"
	switch string(in[i : i+3]) {
	case "Mon", "Fri", "Sun":
	case "Tue":
		rest = "sday"
	case "Wed":
		rest = "nesday"
	case "Thu":
		rest = "rsday"
	case "Sat":
		rest = "urday"
	default:
		return 0
	}
	return nameEnd(in, i+3, rest)
}

// nameEnd returns the end of a name whose first letters end at i and whose rest
// may be left out, or 0.
func nameEnd(in []byte, i int, rest string) int {
	if textAt(in, i, rest) && closes(in, i+len(rest)) {
		return i + len(rest)
	}
	if closes(in, i) {
		return i
	}
	return 0
}

// klogHeader recognises the start of a line as Kubernetes' tools log it,
// E0102 15:04:05.000000   12345 file.go:1], up to and with the process id.
func klogHeader(in []byte, i, end int) int {
	if end != i+5 || !isMonthDay(in, i+1, i+3) || byteAt(in, end) != ' ' {
		return 0
	}
	switch in[i] {
	case 'I', 'W', 'E', 'F':
	default:
		return 0
	}
	t := clockEnd(in, end+1, ':', false)
	if t == 0 {
		return 0
	}
	pid := blanksEnd(in, t)
	if end = digitsEnd(in, pid); pid == t || end == pid || byteAt(in, end) != ' ' {
		return 0
	}
	return end
}

// chromeHeader recognises the start of a line as Chrome and Electron log it,
// [12345:0102/150405.000000:ERROR:file.cc(1)], with or without a thread's id.
func (q *quieter) chromeHeader(i int) (start, end int) {
	in := q.in
	start = i + 1
	day := start
	for range 2 {
		end = digitsEnd(in, day)
		if end == day || byteAt(in, end) != ':' {
			return 0, 0
		}
		day = end + 1
		if byteAt(in, day+4) == '/' {
			break
		}
	}
	end = digitsEnd(in, day+12)
	if !isMonthDay(in, day, day+2) || byteAt(in, day+4) != '/' || !isPair(in, day+5, 23) || !isPair(in, day+7, 59) || !isPair(in, day+9, 60) ||
		byteAt(in, day+11) != '.' || end < day+15 || byteAt(in, end) != ':' {
		return 0, 0
	}
	return start, end
}

// uptime recognises a line's time as the kernel logs it, [   12.345678].
func (q *quieter) uptime(i int) (start, end int) {
	if !q.opens(i) {
		return 0, 0
	}
	start = blanksEnd(q.in, i+1)
	point := digitsEnd(q.in, start)
	end = digitsEnd(q.in, point+1)
	if point == start || byteAt(q.in, point) != '.' || end != point+7 || byteAt(q.in, end) != ']' {
		return 0, 0
	}
	return start, end
}

// epoch recognises seconds, milli-, micro- or nanoseconds since 1970, from 2001
// to 2033, behind a label that says so.
func (q *quieter) epoch(i, end int) int {
	switch end - i {
	case 10, 13, 16, 19:
	default:
		return 0
	}
	if q.in[i] != '1' || digitsEnd(q.in, i) != end {
		return 0
	}
	label, _ := q.label(i)
	if !endsFold(label, "time", "timestamp", "epoch", "date", "_at", "_ts", "created", "updated", "modified") &&
		!endsCamel(label, "At") && !isFold(label, "at", "ts", "now", "iat", "exp", "nbf") {
		return 0
	}
	if byteAt(q.in, end) == '.' && isDigit(byteAt(q.in, end+1)) {
		end = digitsEnd(q.in, end+1)
	}
	if !closes(q.in, end) {
		return 0
	}
	return end
}
