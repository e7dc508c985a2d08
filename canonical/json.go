package canonical

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// MaxDepth is how deeply arrays and objects may nest before a value is not
// countable. The host has the same limit: it lies well below the depth at which
// JavaScript runs out of stack, so both give up on the same inputs.
const MaxDepth = 1000

// Reasons why a value has no canonical form. A call with such an input cannot
// be told apart from others, so it is admitted and never counted.
var (
	// ErrSyntax: the text is not one JSON value.
	ErrSyntax = errors.New("not valid JSON")
	// ErrDuplicateName: an object states one name twice; readers disagree on
	// which value holds.
	ErrDuplicateName = errors.New("duplicate name in an object")
	// ErrIllFormed: a string holds a lone surrogate or bytes that are not UTF-8.
	ErrIllFormed = errors.New("string with a lone surrogate or invalid UTF-8")
	// ErrNotFinite: a number overflows a double, so JavaScript reads it as
	// Infinity.
	ErrNotFinite = errors.New("number that is not finite")
	// ErrTooDeep: arrays and objects nest deeper than MaxDepth. Whether what is
	// below is JSON is not looked at.
	ErrTooDeep = fmt.Errorf("nested deeper than %d", MaxDepth)
	// ErrElision: the list of long texts does not fit the value it belongs to.
	ErrElision = errors.New("long texts do not match the value")
)

// Error says why, and where, a value is not countable. Unwrap gives one of the
// reasons above.
type Error struct {
	// Reason is one of the Err… values of this package.
	Reason error
	// At is the JSON Pointer (RFC 6901) to the offending place, "" for the
	// whole value.
	At string
}

// Error implements error.
func (e *Error) Error() string {
	if e.At == "" {
		return e.Reason.Error()
	}
	return fmt.Sprintf("%v at %s", e.Reason, e.At)
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Reason }

// AppendJSON appends the canonical form of the JSON value src to dst.
//
// The form is RFC 8785: members sorted by the UTF-16 code units of their names
// at every depth, arrays in order, numbers as JavaScript prints them, strings
// with the fewest escapes, no blanks. It departs from RFC 8785 in one point:
// a string longer than LongText stands as "#", its SHA-256 and its length,
// which is no JSON and so can be mistaken for none.
//
// The host may have taken such strings out of src already; elided then lists
// them, and src holds null in their places. Both ways give the same form.
//
// An error is always an *Error; dst is then returned as it came.
func AppendJSON(dst, src []byte, elided []LongText) ([]byte, error) {
	return appendForm(dst, src, elided, false)
}

// appendForm is AppendJSON, where loose is set with strings read loosely.
func appendForm(dst, src []byte, elided []LongText, loose bool) ([]byte, error) {
	w := writers.Get().(*writer)
	defer func() {
		w.reset(nil) // nothing of src, nor what it took to read a huge one, is kept
		w.src = bytes.Buffer{}
		writers.Put(w)
	}()
	w.reset(elided)
	w.loose = loose
	if len(elided) == 0 { // whose places only the walk knows
		if out, end := w.scan(dst, src, 0, 0); end > 0 && jsonBlanksEnd(src, end) == len(src) {
			return out, nil
		}
		w.reset(nil)
	}
	return w.walk(dst, src)
}

// walk is what can read any text, and say what is wrong with it.
func (w *writer) walk(dst, src []byte) ([]byte, error) {
	w.read(src)
	out, err := w.value(dst, 0)
	if err == nil {
		err = w.end()
	}
	if err != nil {
		return dst, w.explain(err, src)
	}
	return out, nil
}

// writer walks one value and writes its canonical form. It is kept between
// values for its buffers.
type writer struct {
	dec     jsontext.Decoder
	src     bytes.Buffer
	elided  []LongText
	loose   bool     // whether strings are read loosely (loose.go)
	used    int      // entries of elided met so far
	members []member // a stack: the members of the objects being written
	names   []byte   // unquoted names the members refer to
	text    []byte   // one unquoted string
	shuffle []byte   // an object on its way into order
}

// member is one finished name/value pair in the output.
type member struct {
	name       [2]int // range in names
	start, end int    // range in the output, from the quote of the name on
}

var writers = sync.Pool{New: func() any { return new(writer) }}

// Buffers above this size are dropped after use: one huge call must not be
// remembered in memory.
const keptBuffer = 1 << 20

func (w *writer) reset(elided []LongText) {
	w.elided, w.used = elided, 0
	if cap(w.members) > keptBuffer/32 || cap(w.names) > keptBuffer {
		w.members, w.names = nil, nil
	}
	w.members, w.names = w.members[:0], w.names[:0]
	if cap(w.text) > keptBuffer {
		w.text = nil
	}
	if cap(w.shuffle) > keptBuffer {
		w.shuffle = nil
	}
}

// read begins a walk.
func (w *writer) read(src []byte) {
	w.src = *bytes.NewBuffer(src)
	// Ill-formed strings are let through here and found, and named, in text.
	w.dec.Reset(&w.src, jsontext.AllowInvalidUTF8(true))
}

func (w *writer) value(out []byte, depth int) ([]byte, error) {
	switch kind := w.dec.PeekKind(); kind {
	case '{', '[':
		if depth >= MaxDepth {
			return out, ErrTooDeep
		}
		if kind == '{' {
			return w.object(out, depth)
		}
		return w.array(out, depth)
	case '"':
		raw, err := w.dec.ReadValue()
		if err != nil {
			return out, err
		}
		return w.string(out, raw)
	case '0':
		raw, err := w.dec.ReadValue()
		if err != nil {
			return out, err
		}
		return appendNumber(out, raw)
	default:
		raw, err := w.dec.ReadValue() // null, true, false, or an error
		if err != nil {
			return out, err
		}
		if kind == 'n' && w.used < len(w.elided) {
			return w.longText(out), nil
		}
		return append(out, raw...), nil
	}
}

func (w *writer) array(out []byte, depth int) ([]byte, error) {
	if _, err := w.dec.ReadToken(); err != nil {
		return out, err
	}
	out = append(out, '[')
	for first := true; w.dec.PeekKind() != ']'; first = false {
		if !first {
			out = append(out, ',')
		}
		var err error
		if out, err = w.value(out, depth+1); err != nil {
			return out, err
		}
	}
	_, err := w.dec.ReadToken()
	return append(out, ']'), err
}

func (w *writer) object(out []byte, depth int) ([]byte, error) {
	if _, err := w.dec.ReadToken(); err != nil {
		return out, err
	}
	firstMember, firstName := len(w.members), len(w.names)
	defer func() { w.members, w.names = w.members[:firstMember], w.names[:firstName] }()

	out = append(out, '{')
	start := len(out)
	sorted := true
	for w.dec.PeekKind() != '}' {
		if len(w.members) > firstMember {
			out = append(out, ',')
		}
		m := member{start: len(out)}
		raw, err := w.dec.ReadValue()
		if err != nil {
			return out, err
		}
		if out, m.name, err = w.name(out, raw); err != nil {
			return out, err
		}
		out = append(out, ':')
		if out, err = w.value(out, depth+1); err != nil {
			return out, err
		}
		m.end = len(out)
		if n := len(w.members); n > firstMember && w.compare(w.members[n-1], m) > 0 {
			sorted = false
		}
		w.members = append(w.members, m)
	}
	if _, err := w.dec.ReadToken(); err != nil {
		return out, err
	}
	if !sorted {
		w.sort(out, start, w.members[firstMember:])
	}
	return append(out, '}'), nil
}

// sort puts the members of one object, which lie in out from start on, in
// order. They keep their total length, so the object is rewritten in place.
func (w *writer) sort(out []byte, start int, members []member) {
	slices.SortFunc(members, w.compare)
	w.shuffle = append(w.shuffle[:0], out[start:]...)
	at := start
	for i, m := range members {
		if i > 0 {
			out[at] = ','
			at++
		}
		at += copy(out[at:], w.shuffle[m.start-start:m.end-start])
	}
}

func (w *writer) compare(a, b member) int {
	return compareUTF16(w.names[a.name[0]:a.name[1]], w.names[b.name[0]:b.name[1]])
}

// name writes an object's member name and keeps it, unquoted, for sorting.
func (w *writer) name(out, raw []byte) ([]byte, [2]int, error) {
	from := len(w.names)
	if plain(raw) {
		w.names = append(w.names, raw[1:len(raw)-1]...)
		return append(out, raw...), [2]int{from, len(w.names)}, nil
	}
	names, err := jsontext.AppendUnquote(w.names, raw)
	if err != nil {
		return out, [2]int{}, ErrIllFormed
	}
	w.names = names
	out, err = jsontext.AppendQuote(out, names[from:])
	return out, [2]int{from, len(names)}, err
}

func (w *writer) string(out, raw []byte) ([]byte, error) {
	if plain(raw) {
		text := raw[1 : len(raw)-1]
		if n := longLength(text); n > 0 {
			return appendLong(out, sha256.Sum256(text), n), nil
		}
		if w.loose {
			return appendLoose(out, text)
		}
		return append(out, raw...), nil
	}
	if !w.loose && len(raw) <= LongTextOver && spelledSo(raw) {
		return append(out, raw...), nil
	}
	text, err := jsontext.AppendUnquote(w.text[:0], raw)
	if err != nil {
		return out, ErrIllFormed // its grammar was checked when it was read
	}
	w.text = text
	if n := longLength(text); n > 0 {
		return appendLong(out, sha256.Sum256(text), n), nil
	}
	if w.loose {
		return appendLoose(out, text)
	}
	return jsontext.AppendQuote(out, text)
}

// longText writes the long text that was elided at the null just read, or null
// where none was.
func (w *writer) longText(out []byte) []byte {
	at := string(w.dec.StackPointer())
	for _, long := range w.elided {
		if long.At == at {
			w.used++
			return appendLong(out, long.SHA256, long.Length)
		}
	}
	return append(out, "null"...)
}

// end checks that nothing follows the value and that every elided text had its
// place. A place is met once, so a text listed twice is one too many.
func (w *writer) end() error {
	switch _, err := w.dec.ReadToken(); {
	case err == nil:
		return ErrSyntax
	case err != io.EOF:
		return err
	case w.used < len(w.elided):
		return ErrElision
	}
	return nil
}

// explain turns whatever stopped the walk into an *Error with its place.
func (w *writer) explain(err error, src []byte) *Error {
	var syntactic *jsontext.SyntacticError
	e := &Error{Reason: err}
	switch {
	case errors.Is(err, ErrTooDeep):
		return e // its pointer would be as long as the value is deep
	case errors.As(err, &syntactic):
		e.Reason, e.At = ErrSyntax, string(syntactic.JSONPointer)
		if errors.Is(err, jsontext.ErrDuplicateName) {
			e.Reason = ErrDuplicateName
		}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		e.Reason = ErrSyntax
	default:
		e.At = string(w.dec.StackPointer())
	}
	// Text that is not JSON at all is called that, whatever else came before.
	if e.Reason != ErrSyntax && !jsontext.Value(src).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		return &Error{Reason: ErrSyntax}
	}
	return e
}

// plain reports whether a quoted string is its own canonical spelling: no
// escapes (so no character that needs one) and well-formed UTF-8.
func plain(raw []byte) bool {
	return bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw)
}

// spelledSo reports the same of a string with escapes, where they are all of the
// short ones that have no shorter spelling.
func spelledSo(raw []byte) bool {
	for rest := raw; ; {
		i := bytes.IndexByte(rest, '\\')
		if i < 0 {
			return utf8.Valid(raw)
		}
		switch rest[i+1] {
		case '"', '\\', 'b', 'f', 'n', 'r', 't':
		default:
			return false
		}
		rest = rest[i+2:]
	}
}

// appendNumber writes a JSON number as JavaScript's Number.prototype.toString
// prints it.
func appendNumber(out, raw []byte) ([]byte, error) {
	if plainInteger(raw) {
		return append(out, raw...), nil
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		return out, ErrNotFinite // the grammar was checked: only overflow is left
	}
	if f == 0 {
		return append(out, '0'), nil // -0 prints as 0
	}
	if abs := math.Abs(f); abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(out, f, 'f', -1, 64), nil
	}
	from := len(out)
	out = strconv.AppendFloat(out, f, 'e', -1, 64)
	// Go writes at least two digits of exponent (1e-07), JavaScript none too many.
	if n := len(out); n-from >= 4 && out[n-2] == '0' && (out[n-3] == '-' || out[n-3] == '+') {
		out[n-2] = out[n-1]
		out = out[:n-1]
	}
	return out, nil
}

// plainInteger reports whether raw is an integer that a double holds exactly
// and that has only one spelling.
func plainInteger(raw []byte) bool {
	if len(raw) > 15 {
		return false
	}
	for _, c := range raw {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// compareUTF16 orders two well-formed UTF-8 texts by their UTF-16 code units.
// That is the order of the code points, but for U+E000 to U+FFFF, which come
// after the surrogates of everything above them.
func compareUTF16(a, b []byte) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	switch {
	case i == len(a) || i == len(b):
		return len(a) - len(b)
	case a[i] < 0xEE && b[i] < 0xEE: // below what begins them
		return int(a[i]) - int(b[i])
	}
	for len(a) > 0 && len(b) > 0 {
		x, n := utf8.DecodeRune(a)
		y, m := utf8.DecodeRune(b)
		if x != y {
			if (x > 0xFFFF) != (y > 0xFFFF) {
				x, y = firstUnit(x), firstUnit(y)
			}
			return int(x - y)
		}
		a, b = a[n:], b[m:]
	}
	return len(a) - len(b)
}

func firstUnit(r rune) rune {
	if r > 0xFFFF {
		return 0xD800 + (r-0x10000)>>10
	}
	return r
}

func appendLong(out []byte, sum [sha256.Size]byte, length int) []byte {
	out = append(out, '#')
	out = hex.AppendEncode(out, sum[:])
	out = append(out, ':')
	return strconv.AppendInt(out, int64(length), 10)
}
