package canonical

import (
	"strings"
	"testing"
	"unicode/utf16"
)

func TestLongLength(t *testing.T) {
	for _, unit := range []string{"a", "é", "€", "𝄞", "aé€𝄞", "seven by", "ASCII and then 𝄞"} {
		for _, n := range []int{1, LongTextOver / 4, LongTextOver, 2*LongTextOver + 3} {
			text := strings.Repeat(unit, n)
			want := len(utf16.Encode([]rune(text)))
			if want <= LongTextOver {
				want = 0
			}
			if got := longLength([]byte(text)); got != want {
				t.Errorf("%d times %q: %d units, want %d", n, unit, got, want)
			}
		}
	}
}
