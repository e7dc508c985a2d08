package repetition

import (
	"fmt"
	"strings"
	"testing"
)

func BenchmarkDetector(b *testing.B) {
	var numbered strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&numbered, "Step %d: look at file %x.\n", i, i*2654435761)
	}
	for name, text := range map[string]string{
		"varied":   numbered.String(),
		"code":     strings.Repeat("\tif err != nil {\n\t\treturn fmt.Errorf(\"reading: %w\", err)\n\t}\n", 2000),
		"one_byte": strings.Repeat("=", 1<<17),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			d := NewDetector(func(Unit) int { return 0 })
			for b.Loop() {
				d.Reset()
				for i := 0; i < len(text); i += 2048 {
					d.WriteString(text[i:min(i+2048, len(text))])
				}
				d.End()
			}
		})
	}
}
