package guard

import (
	"slices"
	"testing"
)

func TestRing(t *testing.T) {
	for _, test := range []struct {
		size, pushed, resized int
		want                  []int // the newest first
	}{
		{0, 3, 0, nil},
		{0, 3, 2, nil},
		{1, 3, 1, []int{3}},
		{4, 3, 4, []int{3, 2, 1}},
		{4, 7, 4, []int{7, 6, 5, 4}},
		{4, 7, 2, []int{7, 6}},
		{4, 7, 9, []int{7, 6, 5, 4}},
		{4, 7, 0, nil},
	} {
		r := newRing[int](test.size)
		for i := 1; i <= test.pushed; i++ {
			r.push(i)
		}
		r.resize(test.resized)
		var got []int
		for i := range r.values {
			got = append(got, *r.back(i))
		}
		if !slices.Equal(got, test.want) || r.size() != test.resized || r.back(len(r.values)) != nil {
			t.Errorf("%d into %d, then %d: %v, size %d", test.pushed, test.size, test.resized, got, r.size())
		}
		if r.push(8); test.resized > 0 && *r.back(0) != 8 {
			t.Errorf("%d into %d, then %d: the newest is not there", test.pushed, test.size, test.resized)
		}
	}
}
