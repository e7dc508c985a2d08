package guard

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// tenMegabytes is the honest corpus, again and again: too far apart to be repetition.
func tenMegabytes(tb testing.TB) string {
	files, err := filepath.Glob("testdata/text/honest/*.txt")
	if err != nil || len(files) == 0 {
		tb.Fatal(files, err)
	}
	var all []byte
	for len(all) < 10<<20 {
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				tb.Fatal(err)
			}
			all = append(all, text...)
		}
	}
	return string(all[:10<<20])
}

// What it costs to look at ten megabytes, in pieces of a few sizes (the shim sends
// some 2,000 characters at once), beside a digest of the same.
func BenchmarkWrite(b *testing.B) {
	text := tenMegabytes(b)
	for _, size := range []int{256, 2048, 16384} {
		b.Run(fmt.Sprintf("pieces of %d", size), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				writeAll(b, text, size)
			}
		})
	}
	b.Run("SHA-256", func(b *testing.B) {
		bytes := []byte(text)
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			sha256.Sum256(bytes)
		}
	})
}

func writeAll(tb testing.TB, text string, size int) *Session {
	p, _ := FindPreset(DefaultPreset)
	s := NewSession(p.Policy)
	for i := 0; i < len(text); i += size {
		if d := s.Write(Written{Channel: ChannelArguments, Text: text[i:min(len(text), i+size)]}); d.Abort != nil {
			tb.Fatalf("cut at %d: %s", i, d.Abort.Told)
		}
	}
	return s
}

func TestMemoryDoesNotGrowWithWhatIsWritten(t *testing.T) {
	text := tenMegabytes(t)
	held := func(n int) uint64 {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		s := writeAll(t, text[:n], 2048)
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(s)
		return after.HeapAlloc - min(before.HeapAlloc, after.HeapAlloc)
	}
	if most := held(len(text)); most > 256<<10 {
		t.Errorf("%d bytes are held after %d", most, len(text))
	}
}
