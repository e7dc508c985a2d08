package replay

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"sync"
)

// lineReader reads the lines of a file, of any length, and knows their places.
type lineReader struct {
	in     *bufio.Reader
	long   []byte // a line that did not fit in's buffer
	number int    // of the last line read, counted from 1
	start  int64  // where that line begins
	offset int64  // where the next one does
}

// fileBuffer is how much of a file is read at a time, in bytes.
const fileBuffer = 256 << 10

func newLineReader(r io.Reader, buffer int) *lineReader {
	return &lineReader{in: bufio.NewReaderSize(r, buffer)}
}

// fileReaders are used again: most files are read three times, and hold less than a
// buffer does.
var fileReaders = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, fileBuffer) }}

// readLines returns a reader of a file's lines, to be closed once none of them is
// looked at any more.
func readLines(r io.Reader) *lineReader {
	in := fileReaders.Get().(*bufio.Reader)
	in.Reset(r)
	return &lineReader{in: in}
}

func (l *lineReader) close() {
	l.in.Reset(nil)
	fileReaders.Put(l.in)
	l.in = nil
}

// next returns the next line without its end; it is valid until the next call.
// io.EOF is the end of the file.
func (l *lineReader) next() ([]byte, error) {
	if cap(l.long) > 16<<20 {
		l.long = nil
	}
	l.long = l.long[:0]
	l.start = l.offset
	for {
		part, err := l.in.ReadSlice('\n')
		l.offset += int64(len(part))
		switch {
		case err == nil && len(l.long) == 0:
			l.number++
			return part[:len(part)-1], nil
		case err == nil:
			l.number++
			l.long = append(l.long, part[:len(part)-1]...)
			return l.long, nil
		case errors.Is(err, bufio.ErrBufferFull):
			l.long = append(l.long, part...)
		case err == io.EOF && len(l.long)+len(part) > 0:
			l.number++
			l.long = append(l.long, part...)
			return l.long, nil
		default:
			return nil, err
		}
	}
}

// faultAt says what is wrong with a line.
func faultAt(line int, what string) string { return fmt.Sprintf("line %d: %s", line, what) }
