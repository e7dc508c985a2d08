package address

import (
	"strings"
	"testing"
)

func BenchmarkParse(b *testing.B) {
	for name, text := range map[string]string{
		"plain":  "https://api.weather.gc.ca/collections/climate-daily/items?limit=100&offset=200&f=json",
		"odd":    "HTTPS://user@WWW.Example.com:443/a/./b%7e/../c/?b=2&utm_source=x&a=%20#f",
		"script": "https://bücher.example/ä?ö=1",
		"ip":     "http://127.0.0.1:8080/health",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkMeasures(b *testing.B) {
	a, err := Parse("https://api.weather.gc.ca/collections/climate-daily/items?limit=100")
	if err != nil {
		b.Fatal(err)
	}
	b.Run("identity", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			a.Identity()
		}
	})
	b.Run("site", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			a.Site()
		}
	})
	b.Run("local", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			a.Local()
		}
	})
}

func BenchmarkFind(b *testing.B) {
	command := `curl -sSL --max-time 60 "https://api.weather.gc.ca/collections/climate-daily/items?limit=100" -o fetched/a.json`
	for name, text := range map[string]string{
		"command": command,
		"prose":   strings.Repeat("Nothing here leads anywhere: not this, nor that, at 12:30.\n", 20000),
		"dense":   strings.Repeat(command+"\n", 10000),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				for range Find(text) {
				}
			}
		})
	}
}

func BenchmarkFindJSON(b *testing.B) {
	input := []byte(`{"command":"curl -s https://example.com/a | jq .","description":"fetch it","timeout":60}`)
	b.ReportAllocs()
	for b.Loop() {
		for range FindJSON(input) {
		}
	}
}
