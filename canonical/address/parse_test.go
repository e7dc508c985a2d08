package address

import (
	"errors"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	tests := []struct{ in, want string }{
		// Scheme and slashes.
		{"http://example.com", "example.com/"},
		{"https://example.com/", "example.com/"},
		{"HTTPS://EXAMPLE.COM/", "example.com/"},
		{"  https://example.com/ \n", "example.com/"},
		{"https://exam\nple.com/a\tb", "example.com/ab"},
		{"http:example.com", "example.com/"},
		{"http:/example.com", "example.com/"},
		{"http:////example.com", "example.com/"},
		{`http:\\example.com\a\b`, "example.com/a/b"},
		// Hosts.
		{"https://www.example.com/", "example.com/"},
		{"https://WWW.Example.Com./", "example.com/"},
		{"https://www.www.example.com/", "example.com/"},
		{"https://www.com/", "www.com/"},
		{"https://www.co.uk/", "www.co.uk/"},
		{"https://www.localhost/", "www.localhost/"},
		{"https://www2.example.com/", "www2.example.com/"},
		{"https://wwwexample.com/", "wwwexample.com/"},
		{"https://my_host.example.com/", "my_host.example.com/"},
		{"https://-a-.example.com/", "-a-.example.com/"},
		{"https://bücher.example/", "xn--bcher-kva.example/"},
		{"https://BÜCHER.example/", "xn--bcher-kva.example/"},
		{"https://b%C3%BCcher.example/", "xn--bcher-kva.example/"},
		{"https://xn--bcher-kva.example/", "xn--bcher-kva.example/"},
		{"https://XN--BCHER-KVA.example/", "xn--bcher-kva.example/"},
		{"https://faß.de/", "xn--fa-hia.de/"},
		{"https://例え.テスト/", "xn--r8jz45g.xn--zckzah/"},
		{"https://ｅｘａｍｐｌｅ．ｃｏｍ/", "example.com/"},
		{"https://example。com/", "example.com/"},
		{"https://ex%61mple.com/", "example.com/"},
		{"https://ex\u00adample.com/", "example.com/"}, // a soft hyphen
		// Ports.
		{"http://example.com:80/", "example.com/"},
		{"https://example.com:443/", "example.com/"},
		{"https://example.com:0443/", "example.com/"},
		{"https://example.com:/", "example.com/"},
		{"http://example.com:443/", "example.com:443/"},
		{"https://example.com:80/", "example.com:80/"},
		{"http://example.com:08080/", "example.com:8080/"},
		{"http://example.com:65535", "example.com:65535/"},
		{"http://example.com:0/", "example.com:0/"},
		{"http://localhost:$PORT/x", "localhost:$PORT/x"},
		{"http://localhost:${PORT:-3000}/x", "localhost:${PORT:-3000}/x"},
		{"http://localhost:{port}", "localhost:{port}/"},
		// Credentials.
		{"https://user@example.com/", "example.com/"},
		{"https://user:pass@example.com:8443/", "example.com:8443/"},
		{"https://a@b:c@example.com/", "example.com/"},
		{"https://$USER:$PASS@example.com/", "example.com/"},
		{"https://good.example@evil.example/", "evil.example/"},
		// IPv4 in all its spellings.
		{"http://127.0.0.1/", "127.0.0.1/"},
		{"http://127.0.0.1./", "127.0.0.1/"},
		{"http://2130706433/", "127.0.0.1/"},
		{"http://017700000001/", "127.0.0.1/"},
		{"http://0x7f000001/", "127.0.0.1/"},
		{"http://0X7F.0.0.1/", "127.0.0.1/"},
		{"http://0177.0.0.01/", "127.0.0.1/"},
		{"http://127.1/", "127.0.0.1/"},
		{"http://127.0.1/", "127.0.0.1/"},
		{"http://10.0x100/", "10.0.1.0/"},
		{"http://0/", "0.0.0.0/"},
		{"http://0x/", "0.0.0.0/"},
		{"http://0xa9fea9fe/", "169.254.169.254/"},
		{"http://%31%32%37.0.0.1/", "127.0.0.1/"},
		{"http://１２７.０.０.１/", "127.0.0.1/"},
		{"http://4294967295/", "255.255.255.255/"},
		{"http://1.2.3.4.example/", "1.2.3.4.example/"},
		{"http://0x7f.example/", "0x7f.example/"},
		// IPv6.
		{"http://[::1]/", "[::1]/"},
		{"http://[0:0:0:0:0:0:0:1]:80/", "[::1]/"},
		{"http://[2001:DB8:0:0:1::1]:8080/", "[2001:db8::1:0:0:1]:8080/"},
		{"http://[2001:0db8::0001]/", "[2001:db8::1]/"},
		{"http://[::ffff:127.0.0.1]/", "127.0.0.1/"},
		{"http://[::FFFF:7f00:1]/", "127.0.0.1/"},
		{"http://[64:ff9b::10.0.0.1]/", "[64:ff9b::a00:1]/"},
		{"http://[fe80::1%25eth0]/", "[fe80::1]/"},
		{"http://[fe80::1%eth0]/", "[fe80::1]/"},
		{"http://[::1]:$PORT/", "[::1]:$PORT/"},
		// Paths.
		{"https://example.com/a", "example.com/a"},
		{"https://example.com/a/", "example.com/a"},
		{"https://example.com/a//", "example.com/a"},
		{"https://example.com//", "example.com/"},
		{"https://example.com//a//b", "example.com//a//b"},
		{"https://example.com/./a/./b/.", "example.com/a/b"},
		{"https://example.com/a/../b", "example.com/b"},
		{"https://example.com/a/b/..", "example.com/a"},
		{"https://example.com/../../a", "example.com/a"},
		{"https://example.com/a//../b", "example.com/a/b"},
		{"https://example.com/a/%2e%2E/b", "example.com/b"},
		{"https://example.com/a/.%2e/b/%2e", "example.com/b"},
		{"https://example.com/.../a", "example.com/.../a"},
		{"https://example.com/.git/config", "example.com/.git/config"},
		{"https://example.com/A", "example.com/A"},
		{"https://example.com/%7Euser", "example.com/~user"},
		{"https://example.com/%61%5f%2D", "example.com/a_-"},
		{"https://example.com/a%2fb", "example.com/a%2Fb"},
		{"https://example.com/a%25b", "example.com/a%25b"},
		{"https://example.com/100%", "example.com/100%25"},
		{"https://example.com/%zz", "example.com/%25zz"},
		{"https://example.com/a b", "example.com/a%20b"},
		{"https://example.com/a+b", "example.com/a+b"},
		{"https://example.com/é", "example.com/%C3%A9"},
		{"https://example.com/%c3%a9", "example.com/%C3%A9"},
		{"https://example.com/a;v=1/(b)'", "example.com/a;v=1/(b)'"},
		{"https://example.com/${id}/x", "example.com/$%7Bid%7D/x"},
		{"https://example.com/a\x00b", "example.com/a%00b"},
		{"https://example.com\\a", "example.com/a"},
		// Queries.
		{"https://example.com?", "example.com/"},
		{"https://example.com?a", "example.com/?a"},
		{"https://example.com/?a=", "example.com/?a"},
		{"https://example.com/x?b=2&a=1", "example.com/x?a=1&b=2"},
		{"https://example.com/x?a=2&a=1", "example.com/x?a=2&a=1"},
		{"https://example.com/x?b&a=2&b&a=1", "example.com/x?a=2&a=1&b&b"},
		{"https://example.com/x?&&a=1&&", "example.com/x?a=1"},
		{"https://example.com/x?=&a=1", "example.com/x?a=1"},
		{"https://example.com/x?==", "example.com/x?=="},
		{"https://example.com/x?=1", "example.com/x?=1"},
		{"https://example.com/x?a=b=c", "example.com/x?a=b=c"},
		{"https://example.com/x?a=b%3dc", "example.com/x?a=b%3Dc"},
		{"https://example.com/x?q=a+b", "example.com/x?q=a%20b"},
		{"https://example.com/x?q=a%20b", "example.com/x?q=a%20b"},
		{"https://example.com/x?q=a%2Bb", "example.com/x?q=a%2Bb"},
		{"https://example.com/x?q=a%26b", "example.com/x?q=a%26b"},
		{"https://example.com/x?u=https%3A%2F%2Fa.example%2F", "example.com/x?u=https://a.example/"},
		{"https://example.com/x?u=https://a.example/", "example.com/x?u=https://a.example/"},
		{"https://example.com/x?q=%e4%b8%ad", "example.com/x?q=%E4%B8%AD"},
		{"https://example.com/x?q=中", "example.com/x?q=%E4%B8%AD"},
		{"https://example.com/x?a[]=1", "example.com/x?a%5B%5D=1"},
		{"https://example.com/x?a%5B%5D=1", "example.com/x?a%5B%5D=1"},
		{"https://example.com/x?page=2&per_page=100", "example.com/x?page=2&per_page=100"},
		{"https://example.com/x?q=100%", "example.com/x?q=100%25"},
		// Tracking.
		{"https://example.com/?utm_source=a&utm_medium=b&UTM_Campaign=c", "example.com/"},
		{"https://example.com/?a=1&fbclid=x&gclid=y&msclkid=z&mc_eid=w", "example.com/?a=1"},
		{"https://example.com/?GCLID=1&ScCid=2&_ga=3&_gl=4&__hstc=5&_hsenc=6", "example.com/"},
		{"https://example.com/?utm%5Fsource=a", "example.com/"},
		{"https://example.com/?utm_=1&utm=2&gclid2=3", "example.com/?gclid2=3&utm=2&utm_=1"},
		{"https://example.com/?ref=main&source=x&id=1&_=17", "example.com/?_=17&id=1&ref=main&source=x"},
		{"https://example.com/?guce_referrer_sig=1&guce_referrer_signed=1", "example.com/?guce_referrer_signed=1"},
		// Fragments.
		{"https://example.com#top", "example.com/"},
		{"https://example.com/a#top?x=1", "example.com/a"},
		{"https://example.com/a?b=1#c?d", "example.com/a?b=1"},
		{"https://example.com/a%23b", "example.com/a%23b"},
		{"https://example.com/#/route", "example.com/"},
	}
	for _, tt := range tests {
		a, err := Parse(tt.in)
		if err != nil || a.Identity() != tt.want {
			t.Errorf("Parse(%q) = %q, %v; want %q", tt.in, a.Identity(), err, tt.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	long := strings.Repeat("a", 64)
	tests := []struct {
		in   string
		want error
	}{
		{"", ErrScheme},
		{"example.com", ErrScheme},
		{"ftp://example.com/", ErrScheme},
		{"//example.com/", ErrScheme},
		{"httpss://example.com/", ErrScheme},
		{"file:///etc/passwd", ErrScheme},
		{"$URL", ErrScheme},
		{"mailto:a@example.com", ErrScheme},
		{"http:", ErrNoHost},
		{"https://", ErrNoHost},
		{"https://?q", ErrNoHost},
		{"https://#{host}/", ErrNoHost},
		{"https://user@/", ErrNoHost},
		{"https://:80/", ErrNoHost},
		{"https://./", ErrNoHost},
		{"https://.../", ErrNoHost},
		{"https://${HOST}/x", ErrPlaceholder},
		{"https://$HOST:8080/x", ErrPlaceholder},
		{"https://$HOST.example.com/x", ErrPlaceholder},
		{"https://{host}/", ErrPlaceholder},
		{"https://{{ host }}/", ErrPlaceholder},
		{"https://<host>/", ErrPlaceholder},
		{"https://%s/", ErrPlaceholder},
		{"https://%(host)s/", ErrPlaceholder},
		{"https://*.example.com/", ErrPlaceholder},
		{"https://[your-domain]/", ErrPlaceholder},
		{"https://%7Bhost%7D/", ErrPlaceholder},
		{"https://a b/", ErrHost},
		{"https://a..b/", ErrHost},
		{"https://example.com../", ErrHost},
		{"https://.example.com/", ErrHost},
		{"https://0../", ErrHost},
		{"https://a!b/", ErrHost},
		{"https://a|b/", ErrHost},
		{"https://a,b/", ErrHost},
		{"https://[::1/", ErrHost},
		{"https://[::1]x/", ErrHost},
		{"https://[1.2.3.4]/", ErrHost},
		{"https://[::12345]/", ErrHost},
		{"https://1.2.3.4.5/", ErrHost},
		{"https://1.2.3.256/", ErrHost},
		{"https://256.1.1.1/", ErrHost},
		{"https://4294967296/", ErrHost},
		{"https://08/", ErrHost},
		{"https://1.2..3/", ErrHost},
		{"https://foo.09/", ErrHost},
		{"https://99999999999999999999999999/", ErrHost},
		{"https://xn--a/", ErrHost},
		{"https://%ff/", ErrHost},
		{"https://" + long + ".com/", ErrHost},
		{"https://" + strings.Repeat(long[:60]+".", 5) + "com/", ErrHost},
		{"https://" + strings.Repeat("ü", 10000) + "/", ErrHost},
		{"https://example.com:x/", ErrPort},
		{"https://example.com:65536/", ErrPort},
		{"https://example.com:-1/", ErrPort},
		{"https://a:b:1/", ErrPort},
		{"https://example.com:99999999999999999999/", ErrPort},
		{"https://example.com:$é/", ErrPort},
	}
	for _, tt := range tests {
		if a, err := Parse(tt.in); !errors.Is(err, tt.want) || a != (Address{}) {
			t.Errorf("Parse(%.80q) = %v, %v; want %v", tt.in, a, err, tt.want)
		}
	}
}

func TestParseArgument(t *testing.T) {
	tests := []struct {
		in, want string
		err      error
	}{
		{"https://example.com/x", "example.com/x", nil},
		{"example.com/x", "example.com/x", nil},
		{"www.example.com", "example.com/", nil},
		{"//example.com/x", "example.com/x", nil},
		{"example.com:8080/x", "example.com:8080/x", nil},
		{"example.com:80", "example.com/", nil},
		{"localhost:3000", "localhost:3000/", nil},
		{"user:pass@example.com/x", "example.com/x", nil},
		{"127.1:9200/_search", "127.0.0.1:9200/_search", nil},
		{"[::1]:8080/x", "[::1]:8080/x", nil},
		{":3000/api", "localhost:3000/api", nil},
		{":/api", "localhost/api", nil},
		{"example.com?u=https://a.example/", "example.com/?u=https://a.example/", nil},
		{"http:/example.com", "example.com/", nil},
		{"ftp://example.com/", "", ErrScheme},
		{"file:///etc/passwd", "", ErrScheme},
		{"$URL", "", ErrPlaceholder},
		{"${BASE}/x", "", ErrPlaceholder},
		{"$HOST:80/x", "", ErrPlaceholder},
		{"", "", ErrNoHost},
		{"/etc/passwd", "", ErrNoHost},
		{"./x", "", ErrNoHost},
		{"../x", "", ErrNoHost},
		{"-o", "", ErrNoHost},
		{"?page=2", "", ErrNoHost},
		{"#top", "", ErrNoHost},
		{"data:text/html,x", "", ErrPort},
		{"two words", "", ErrHost},
	}
	for _, tt := range tests {
		a, err := ParseArgument(tt.in)
		if !errors.Is(err, tt.err) || err == nil && a.Identity() != tt.want {
			t.Errorf("ParseArgument(%q) = %q, %v; want %q, %v", tt.in, a.Identity(), err, tt.want, tt.err)
		}
	}
}
