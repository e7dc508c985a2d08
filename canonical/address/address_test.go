package address

import (
	"strings"
	"testing"
)

func TestSite(t *testing.T) {
	tests := []struct{ in, want string }{
		{"https://example.com/", "example.com"},
		{"https://a.b.example.com/", "example.com"},
		{"https://api.github.com/", "github.com"},
		{"https://example.co.uk/", "example.co.uk"},
		{"https://a.example.co.uk/", "example.co.uk"},
		{"https://api.weather.gc.ca/", "weather.gc.ca"},
		{"https://open.canada.ca/", "canada.ca"},
		{"https://alice.github.io/", "alice.github.io"},
		{"https://x.bob.github.io/", "bob.github.io"},
		{"https://github.io/", "github.io"},
		{"https://co.uk/", "co.uk"},
		{"https://bucket.s3.amazonaws.com/", "bucket.s3.amazonaws.com"},
		{"https://a.www.ck/", "www.ck"},         // an exception of the list
		{"https://a.b.c.ck/", "b.c.ck"},         // a wildcard of the list
		{"https://a.b.unlisted/", "b.unlisted"}, // a domain not in the list
		{"https://bücher.公司.cn/", "xn--bcher-kva.xn--55qx5d.cn"},
		{"https://localhost:3000/", "localhost"},
		{"https://1.2.3.4/", "1.2.3.4"},
		{"https://[2001:db8::1]/", "[2001:db8::1]"},
	}
	for _, tt := range tests {
		a, err := Parse(tt.in)
		if err != nil || a.Site() != tt.want {
			t.Errorf("Site of %s = %q, %v; want %q", tt.in, a.Site(), err, tt.want)
		}
	}
}

func TestLocal(t *testing.T) {
	local := `localhost LOCALHOST. api.localhost localhost.localdomain 127.0.0.1 127.9.9.9 2130706433 0x7f.1 0.0.0.0 0
		10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1
		[::1] [::] [fe80::1] [fe80::1%25en0] [fd00::1] [fec0::1] [::ffff:127.0.0.1] [::ffff:10.0.0.1] [64:ff9b::10.0.0.1] [2002:c0a8:101::1]
		printer.local host.docker.internal gateway.docker.internal metadata.google.internal nas.home.arpa router.lan db web host-1`
	public := `example.com localhost.example.com example.test example.invalid api.github.invalid notlocalhost.com mylocal.dev internal.example.com
		8.8.8.8 172.32.0.1 192.169.0.1 203.0.113.7 1.0.0.127 [2606:4700::1] [2001:db8::1] [::ffff:8.8.8.8] [64:ff9b::8.8.8.8]
		10.0.0.1.nip.io home.arpa.example.com in-addr.arpa`
	for host := range strings.FieldsSeq(local) {
		if a, err := Parse("http://" + host + ":8080/x"); err != nil || !a.Local() {
			t.Errorf("%s is not local: %v, %v", host, a, err)
		}
	}
	for host := range strings.FieldsSeq(public) {
		if a, err := Parse("http://" + host + ":8080/x"); err != nil || a.Local() {
			t.Errorf("%s is local: %v, %v", host, a, err)
		}
	}
	if (Address{}).Local() {
		t.Error("no address is local")
	}
}

func TestAliases(t *testing.T) {
	aliases, err := ParseAliases(map[string]string{
		"open-data.canada.ca": "open.canada.ca",
		"WWW.One.Example":     "two.example.",
		"two.example":         "www.three.example",
		"three.example":       "three.example",
		"www.four.example":    "four.example",
	})
	if err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{
		"https://open-data.canada.ca/a?b":     "open.canada.ca/a?b",
		"https://www.Open-Data.canada.ca:443": "open.canada.ca/",
		"https://open.canada.ca/":             "open.canada.ca/",
		"https://one.example:81/":             "three.example:81/",
		"https://two.example/":                "three.example/",
		"https://a.two.example/":              "a.two.example/",
		"https://four.example/":               "four.example/",
	} {
		a, err := Parse(in)
		if a = aliases.Fold(a); err != nil || a.Identity() != want || aliases.Fold(a) != a {
			t.Errorf("%s folds to %s, %v; want %s", in, a.Identity(), err, want)
		}
	}
	a, _ := Parse("https://example.com/")
	if (Aliases{}).Fold(a) != a {
		t.Error("no aliases fold something")
	}

	for name, table := range map[string]map[string]string{
		"no host":            {"a/b": "c.example"},
		"no target":          {"c.example": ""},
		"a placeholder":      {"*.example": "c.example"},
		"a circle":           {"a.example": "b.example", "b.example": "a.example"},
		"a way to a circle":  {"a.example": "b.example", "b.example": "c.example", "c.example": "b.example"},
		"a name twice":       {"a.example": "b.example", "A.example": "c.example"},
		"an address with it": {"https://a.example": "b.example"},
	} {
		if _, err := ParseAliases(table); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
