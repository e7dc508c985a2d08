package canonical

import "bytes"

const escapeByte = 0x1B

// AppendWithoutEscapes appends text to dst without its escape sequences.
func AppendWithoutEscapes(dst, text []byte) []byte {
	for {
		next := bytes.IndexByte(text, escapeByte)
		if next < 0 {
			return append(dst, text...)
		}
		dst = append(dst, text[:next]...)
		text = text[sequenceEnd(text, next):]
	}
}

// sequenceEnd returns the end of the sequence that the escape at i starts: a
// control sequence, a command such as a title or a link, a choice of character
// set. An escape that starts none of them goes alone.
func sequenceEnd(text []byte, i int) int {
	j := i + 2
	switch byteAt(text, i+1) {
	case '[':
		for j < len(text) && text[j] >= 0x20 && text[j] <= 0x3F {
			j++
		}
		if j < len(text) && text[j] >= 0x40 && text[j] <= 0x7E {
			return j + 1
		}
	case ']':
		for ; j < len(text) && text[j] != '\n'; j++ {
			switch text[j] {
			case '\a':
				return j + 1
			case escapeByte:
				if byteAt(text, j+1) == '\\' {
					return j + 2
				}
				return i + 1
			}
		}
	case '(', ')':
		if j < len(text) && text[j] > ' ' && text[j] < 0x7F {
			return j + 1
		}
	}
	return i + 1
}

// blanks looks at a run of blanks and carriage returns.
func (q *quieter) blanks(i int) int {
	end, returned := i, -1
	for ; end < len(q.in) && kinds[q.in[end]] == blankByte; end++ {
		if q.in[end] == '\r' {
			returned = end
		}
	}
	switch {
	case end == len(q.in) || q.in[end] == '\n':
		q.drop(i, end)
	case returned >= 0:
		q.drop(i, i)
		start := len(q.out)
		for start > q.base && q.out[start-1] != '\n' && q.out[start-1] != '\r' {
			start--
		}
		if isProgress(q.out[start:]) {
			q.out = q.out[:start]
			q.from = returned + 1
		}
	}
	return end
}

// isProgress reports whether a part of a line is one step of a progress bar.
func isProgress(step []byte) bool {
	if p := bytes.IndexByte(step, '%'); p > 0 && isDigit(step[p-1]) {
		return true
	}
	return bytes.HasSuffix(step, []byte(markMeter))
}

// meter recognises, at the first of its three times, the end of a line of
// curl's progress meter:
//
//	% total, % received, % sent, speed, speed, time, time, time, speed
func (q *quieter) meter(i int, before byte) (start, end int) {
	if before != ' ' {
		return 0, 0
	}
	end = i
	for range 3 {
		if end = meterTime(q.in, end); end == 0 {
			return 0, 0
		}
		next := blanksEnd(q.in, end)
		if next == end {
			return 0, 0
		}
		end = next
	}
	speed := end
	for isDigit(byteAt(q.in, end)) || byteAt(q.in, end) == '.' {
		end++
	}
	if end == speed {
		return 0, 0
	}
	if isLetter(byteAt(q.in, end)) {
		end++ // k, M, G
	}
	if !closes(q.in, end) {
		return 0, 0
	}
	start = i
	for range 2 {
		for start > q.from && q.in[start-1] == ' ' {
			start--
		}
		field := start
		for start > q.from && (isWord(q.in[start-1]) || q.in[start-1] == '.') {
			start--
		}
		if start == field || !isDigit(q.in[start]) {
			return 0, 0
		}
	}
	if q.before(start) != ' ' {
		return 0, 0
	}
	return start, end
}

func meterTime(in []byte, i int) int {
	if textAt(in, i, "--:--:--") {
		return i + 8
	}
	j := digitsEnd(in, i)
	if j == i || j > i+3 || byteAt(in, j) != ':' || !isPair(in, j+1, 59) || byteAt(in, j+3) != ':' || !isPair(in, j+4, 59) {
		return 0
	}
	return j + 6
}
