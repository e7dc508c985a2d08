package address

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/nlnwa/whatwg-url/url"
)

// What is parsed is in its one spelling: parsing that again changes nothing.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"https://www.Example.com:443/a/../b/%7e?b=2&utm_source=x&a=1#f",
		"http://user:pass@0x7f.1:8080//a//",
		"http://[::ffff:127.0.0.1]:80/%2e%2e/",
		"https://bücher.example/ä?ö=+%2B%20",
		"http:\\\\www.www.com..\\x",
		"https://${HOST}/x",
		"http://localhost:${PORT:-80}/?==&=&%",
		"https://xn--r8jz45g.jp。/",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := Parse(text)
		if err != nil {
			if a != (Address{}) {
				t.Fatalf("Parse(%q) = %v with %v", text, a, err)
			}
			_, _ = ParseArgument(text)
			return
		}
		again, err := Parse("http://" + a.Identity())
		if a.Port == "80" || a.Port == "443" {
			// The default of the one scheme, written out for the other.
			again.Port = a.Port
		}
		if err != nil || again != a {
			t.Fatalf("Parse(%q) = %q; parsed again: %q, %v", text, a.Identity(), again.Identity(), err)
		}
		// http:80 is a port of a host named http to the one, a host to the other.
		if b, err := ParseArgument(text); err == nil && b != a && strings.Contains(text, ":/") {
			t.Fatalf("ParseArgument(%q) = %q, Parse %q", text, b.Identity(), a.Identity())
		}
		if a.Host == "" || a.Path == "" || a.Path[0] != '/' || a.Host != strings.ToLower(a.Host) {
			t.Fatalf("Parse(%q) = %v", text, a)
		}
		if site := a.Site(); site != a.Host && !strings.HasSuffix(a.Host, "."+site) {
			t.Fatalf("site of %q is %q", a.Host, site)
		}
		if ip, ok := a.IP(); ok && Public(ip) && a.Local() {
			t.Fatalf("%s is local and public", a.Host)
		}
		a.Local()
	})
}

// Where a whole URL parser reads an address too, it reads the same host, port
// and path; and it reads all that Parse does.
func FuzzParseAgainstLibrary(f *testing.F) {
	for _, seed := range []string{
		"https://example.com:8443/a/b/../c%20d?x#y",
		"http://0177.0.0.0x1/",
		"http://1.2.3",
		"http://[1::2:3]/",
		"http://a@b@c:0081/./x/..",
		"http:/bücher.example\\a\\..\\b",
		"https://faß.example./%2E%2e/%41",
		"https://ex%61mple.com",
		"http://xn--bcher-kva.example/",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4096 || !isASCII(text) && strings.ToValidUTF8(text, "") != text {
			return
		}
		a, err := Parse(text)
		if err != nil || strings.ContainsAny(a.Port, placeholderMarks) {
			return
		}
		if _, ok := a.IP(); !ok && likeNumber(a.Host) {
			return // the library takes -0, 0-0 and 0x-0 for numbers, and long ones of other letters
		}
		u, err := url.Parse(text)
		if err != nil {
			if strings.HasPrefix(a.Host, "[") && strings.Contains(text, "%") {
				return // a zone, which that standard forbids
			}
			if strings.Contains(a.Host, "xn--") && strings.Contains(err.Error(), "idna: ") {
				return // the library forbids more in names of other scripts than the standard: _ and ≠
			}
			t.Fatalf("Parse(%q) = %v; the library: %v", text, a, err)
		}
		host := u.Hostname()
		if ip, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil && ip.Is4In6() {
			host = ip.Unmap().String()
		}
		if host = withoutWWW(strings.TrimSuffix(host, ".")); host != a.Host {
			t.Fatalf("Parse(%q) has host %q; the library: %q", text, a.Host, host)
		}
		if u.Port() != a.Port {
			t.Fatalf("Parse(%q) has port %q; the library: %q", text, a.Port, u.Port())
		}
		if path := canonicalPath(u.Pathname()); path != a.Path {
			t.Fatalf("Parse(%q) has path %q; the library: %q", text, a.Path, path)
		}
		if query := canonicalQuery(u.Query()); query != a.Query {
			t.Fatalf("Parse(%q) has query %q; the library: %q", text, a.Query, query)
		}
	})
}

// likeNumber reports whether the last label looks like a number.
func likeNumber(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	return isDigit(last[0]) || strings.Trim(last, "0123456789abcdefx-") == ""
}

// Mentions stand in the text, in order and apart, and lead where they say.
func FuzzFind(f *testing.F) {
	for _, seed := range []string{
		`curl -s "https://example.com/a?b=1" | jq . ; wget http://[::1]:80/x`,
		`https?://(?:www\.)?api[.]example\.com(:\d+)?/(v1|v2)/x{2}.*`,
		`[a](https://en.wikipedia.org/wiki/A_(b)). **https://x.example** <https://y.example>`,
		`{"u":"https:\/\/example.com\/\u0026","v":"https://${HOST}/"}`,
		"见https://example.com获取。https://<host>/ https://[^/]+ http://localhost:$PORT",
		`\(http\|https\)://a\[0\]@b'c https\\/\\/ &amp;https://x&lt;`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for m := range Find(text) {
			if m.Start < last || m.End <= m.Start || m.End > len(text) {
				t.Fatalf("Find(%q): %d to %d after %d", text, m.Start, m.End, last)
			}
			last = m.End
			if (m.Err != nil) == (m.Address != Address{}) {
				t.Fatalf("Find(%q): %v with %v", text, m.Address, m.Err)
			}
			if m.Err != nil {
				continue
			}
			again, err := Parse("http://" + m.Address.Identity())
			if m.Address.Port == "80" || m.Address.Port == "443" {
				again.Port = m.Address.Port
			}
			if err != nil || again != m.Address {
				t.Fatalf("Find(%q): %q parses as %q, %v", text, m.Address.Identity(), again.Identity(), err)
			}
		}
		for range FindJSON([]byte(text)) {
		}
	})
}
