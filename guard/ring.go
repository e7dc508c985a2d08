package guard

// ring holds the last values of a row, as many as it was made for.
type ring[T any] struct {
	values []T // the oldest at next, once it is full
	next   int
}

func newRing[T any](size int) ring[T] { return ring[T]{values: make([]T, 0, size)} }

func (r *ring[T]) size() int { return cap(r.values) }

// resize keeps the newest values that the new size has room for.
func (r *ring[T]) resize(size int) {
	if size == r.size() {
		return
	}
	old := *r
	*r = newRing[T](size)
	for i := min(size, len(old.values)) - 1; i >= 0; i-- {
		r.push(*old.back(i))
	}
}

// empty forgets all values.
func (r *ring[T]) empty() {
	clear(r.values)
	r.values, r.next = r.values[:0], 0
}

// push adds a value and returns the one that it drives out, if it does.
func (r *ring[T]) push(v T) (oldest T, full bool) {
	if len(r.values) < cap(r.values) {
		r.values = append(r.values, v)
		return oldest, false
	}
	if r.size() == 0 {
		return v, true
	}
	oldest = r.values[r.next]
	r.values[r.next] = v
	r.next = (r.next + 1) % len(r.values)
	return oldest, true
}

// back returns a pointer to the value that is n before the last, nil where there
// is none.
func (r *ring[T]) back(n int) *T {
	if n < 0 || n >= len(r.values) {
		return nil
	}
	return &r.values[(r.next+2*len(r.values)-1-n)%len(r.values)]
}
