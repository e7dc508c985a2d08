package canonical

import (
	"encoding/binary"
	"hash/maphash"
)

// Two seeds, for 64 bits are few.
var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// sumOf returns 128 bits that tell texts apart, at a tenth of the cost of SHA-256.
// Another process has another sum of the same text: what is sent or stored is known
// by SHA-256.
func sumOf(text []byte) (sum [16]byte) {
	binary.LittleEndian.PutUint64(sum[:8], maphash.Bytes(seeds[0], text))
	binary.LittleEndian.PutUint64(sum[8:], maphash.Bytes(seeds[1], text))
	return sum
}
