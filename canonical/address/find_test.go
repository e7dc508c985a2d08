package address

import (
	"errors"
	"strings"
	"testing"
)

// found writes what Find finds: the text of each mention, and where it leads.
func found(text string) string {
	var b strings.Builder
	for m := range Find(text) {
		if b.Len() > 0 {
			b.WriteString(" | ")
		}
		b.WriteString(text[m.Start:m.End])
		b.WriteString(" -> ")
		switch {
		case errors.Is(m.Err, ErrPlaceholder):
			b.WriteString("?")
		case m.Err != nil:
			b.WriteString("!")
		default:
			b.WriteString(m.Address.Identity())
		}
	}
	return b.String()
}

func TestFind(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"nothing", "no address: http, https: and //example.com, a://b", ""},
		{"a word", "https://example.com/x", "https://example.com/x -> example.com/x"},
		{"two", "a http://a.example b https://b.example/ c", "http://a.example -> a.example/ | https://b.example/ -> b.example/"},
		{"a command", `curl -sSL --max-time 60 "https://example.com/a?b=1&c=2" -o /tmp/x`, "https://example.com/a?b=1&c=2 -> example.com/a?b=1&c=2"},
		{"single quotes", `curl 'https://example.com/a'`, "https://example.com/a -> example.com/a"},
		{"a pipe", `curl https://example.com/a|jq .`, "https://example.com/a -> example.com/a"},
		{"in the background", `curl https://example.com& ls`, "https://example.com -> example.com/"},
		{"a list of commands", `curl https://example.com;ls`, "https://example.com -> example.com/"},
		{"back quotes", "`curl https://example.com/a`", "https://example.com/a -> example.com/a"},
		{"a redirection", "curl https://example.com/a>out", "https://example.com/a -> example.com/a"},
		{"capitals", "HTTP://EXAMPLE.COM/A", "HTTP://EXAMPLE.COM/A -> example.com/A"},
		{"another scheme", "xhttp://a.example shttps://b.example 1http://c.example", ""},
		{"a scheme in front", "git+https://github.com/a/b.git view-source:https://example.com", "https://github.com/a/b.git -> github.com/a/b.git | https://example.com -> example.com/"},
		{"a port", "http://example.com:8080.", "http://example.com:8080 -> example.com:8080/"},
		{"credentials", "https://u:p@example.com/x", "https://u:p@example.com/x -> example.com/x"},
		{"IPv6", "see http://[::1]:8080/x and http://[2001:db8::1].", "http://[::1]:8080/x -> [::1]:8080/x | http://[2001:db8::1] -> [2001:db8::1]/"},
		{"IPv6 in brackets", "[http://[::1]/]", "http://[::1]/ -> [::1]/"},
		{"IPv6 with a zone", "http://[fe80::1%25eth0]/x", "http://[fe80::1%25eth0]/x -> [fe80::1]/x"},

		// Punctuation of the text around.
		{"a full stop", "See https://example.com/a. Then", "https://example.com/a -> example.com/a"},
		{"a full stop behind the host", "See https://example.com. Then", "https://example.com -> example.com/"},
		{"an ellipsis", "https://example.com/a...", "https://example.com/a -> example.com/a"},
		{"questions", "Is it https://example.com/a?! Or", "https://example.com/a -> example.com/a"},
		{"a comma", "https://a.example/x, https://b.example", "https://a.example/x -> a.example/x | https://b.example -> b.example/"},
		{"a comma without a blank", "https://a.example/x,https://b.example", "https://a.example/x -> a.example/x | https://b.example -> b.example/"},
		{"a comma behind a host", "https://a.example,b", "https://a.example -> a.example/"},
		{"a comma inside", "https://a.example/x,y;z", "https://a.example/x,y;z -> a.example/x,y;z"},
		{"parentheses around", "(https://example.com/a)", "https://example.com/a -> example.com/a"},
		{"parentheses inside", "https://en.wikipedia.org/wiki/Loop_(computing).", "https://en.wikipedia.org/wiki/Loop_(computing) -> en.wikipedia.org/wiki/Loop_(computing)"},
		{"parentheses inside and around", "(see https://en.wikipedia.org/wiki/Loop_(computing))", "https://en.wikipedia.org/wiki/Loop_(computing) -> en.wikipedia.org/wiki/Loop_(computing)"},
		{"an aside behind a host", "https://example.com(mirror)", "https://example.com -> example.com/"},
		{"markdown", "[a](https://example.com/a_(b)) ![c](https://example.com/c \"t\")", "https://example.com/a_(b) -> example.com/a_(b) | https://example.com/c -> example.com/c"},
		{"a markdown link of its own text", "[https://example.com/a](https://example.com/a)", "https://example.com/a -> example.com/a | https://example.com/a -> example.com/a"},
		{"emphasis", "**https://example.com/a** _https://example.com/b_", "https://example.com/a -> example.com/a | https://example.com/b -> example.com/b"},
		{"an underscore of its own", "https://example.com/a_", "https://example.com/a_ -> example.com/a_"},
		{"angle brackets", "<https://example.com/a>", "https://example.com/a -> example.com/a"},
		{"a table", "|https://example.com/a|b|", "https://example.com/a -> example.com/a"},
		{"a footnote", "https://example.com[1]", "https://example.com -> example.com/"},
		{"a brace", `\url{https://example.com/a}`, "https://example.com/a -> example.com/a"},
		{"HTML", `<a href="https://example.com/?a=1&amp;b=2">https://example.com/</a>`, "https://example.com/?a=1&amp;b=2 -> example.com/?a=1&b=2 | https://example.com/ -> example.com/"},
		{"quoted HTML", `&quot;https://example.com/a&quot; &lt;https://example.com/b&gt;`, "https://example.com/a -> example.com/a | https://example.com/b -> example.com/b"},
		{"a tag behind", "<b>https://example.com</b>", "https://example.com -> example.com/"},
		{"an apostrophe", "https://example.com/L'Amour and https://example.com's", "https://example.com/L'Amour -> example.com/L'Amour | https://example.com -> example.com/"},
		{"an address in an address", "https://a.example/?u=https://b.example/&c=1", "https://a.example/?u=https://b.example/&c=1 -> a.example/?c=1&u=https://b.example/"},
		{"an archive", "https://web.archive.org/web/2020/https://example.com/a", "https://web.archive.org/web/2020/https://example.com/a -> web.archive.org/web/2020/https://example.com/a"},

		// Other scripts.
		{"Chinese punctuation", "见https://example.com/a。还有https://example.com/b，等", "https://example.com/a -> example.com/a | https://example.com/b -> example.com/b"},
		{"Chinese brackets", "（https://example.com/a）「https://example.com/b」《https://example.com/c》", "https://example.com/a -> example.com/a | https://example.com/b -> example.com/b | https://example.com/c -> example.com/c"},
		{"Chinese right behind the domain", "访问https://example.com获取", "https://example.com -> example.com/"},
		{"Chinese right behind the port", "访问http://localhost:8080查看", "http://localhost:8080 -> localhost:8080/"},
		{"Chinese in the path", "https://zh.wikipedia.org/wiki/中国", "https://zh.wikipedia.org/wiki/中国 -> zh.wikipedia.org/wiki/%E4%B8%AD%E5%9B%BD"},
		{"a name in another script", "https://例え.jp/x https://bücher.example", "https://例え.jp/x -> xn--r8jz45g.jp/x | https://bücher.example -> xn--bcher-kva.example/"},
		{"typographic quotes", "“https://example.com/a” ‘https://example.com/b’ «https://example.com/c»", "https://example.com/a -> example.com/a | https://example.com/b -> example.com/b | https://example.com/c -> example.com/c"},
		{"blanks that are no spaces", "https://example.com/a\u00a0b https://example.com/c\u200bd", "https://example.com/a -> example.com/a | https://example.com/c -> example.com/c"},
		{"bytes that are no text", "https://example.com/a\xff\xfeb", "https://example.com/a -> example.com/a"},

		// Strings of programs.
		{"an escaped line break", `print("https://example.com/a\n")`, "https://example.com/a -> example.com/a"},
		{"an escaped line break before", `"see:\nhttps://example.com/a"`, "https://example.com/a -> example.com/a"},
		{"an escaped quote", `"{\"u\":\"https://example.com/a\"}"`, "https://example.com/a -> example.com/a"},
		{"JSON", `{"u":"https:\/\/example.com\/a?b=1\u0026c=2"}`, `https:\/\/example.com\/a?b=1\u0026c=2 -> example.com/a?b=1&c=2`},
		{"JSON in JSON", `"https:\\/\\/example.com\\/a"`, `https:\\/\\/example.com\\/a -> example.com/a`},
		{"a call", "fetch('https://example.com/a').then(f)", "https://example.com/a -> example.com/a"},
		{"a Windows path behind", `https://example.com\x`, "https://example.com -> example.com/"},

		// Placeholders.
		{"a shell variable", "curl https://$HOST/x https://${HOST}/x", "https://$HOST/x -> ? | https://${HOST}/x -> ?"},
		{"a part of the host", "https://$TENANT.example.com/x https://{region}.example.com/", "https://$TENANT.example.com/x -> ? | https://{region}.example.com/ -> ?"},
		{"a command's output", "https://$(hostname)/x", "https://$(hostname)/x -> ?"},
		{"a template", "f'https://{host}/x' `https://${host}/x` https://{{host}}/x", "https://{host}/x -> ? | https://${host}/x -> ? | https://{{host}}/x -> ?"},
		{"a format", `"https://%s/x" "https://%(host)s/x"`, "https://%s/x -> ? | https://%(host)s/x -> ?"},
		{"prose", "https://<host>/x https://<your-domain>:8080/", "https://<host>/x -> ? | https://<your-domain>:8080/ -> ?"},
		{"prose within the host", "https://pub-<id>.example.com/x https://api.<region>.example.com but <p>https://example.com<br> https://localhost<br>", "https://pub-<id>.example.com/x -> ? | https://api.<region>.example.com -> ? | https://example.com -> example.com/ | https://localhost -> localhost/"},
		{"any subdomain", "https://*.example.com/*", "https://*.example.com/ -> ?"},
		{"an address in pieces", `"https://" + host + "/x"`, "https:// -> !"},
		{"an ellipsis for a host", "https://... https://…", "https:// -> ! | https:// -> !"},
		{"the path", "https://example.com/${id}/x https://example.com/{id} https://example.com/$ID", "https://example.com/${id}/x -> example.com/$%7Bid%7D/x | https://example.com/{id} -> example.com/%7Bid%7D | https://example.com/$ID -> example.com/$ID"},
		{"the port", "http://localhost:${PORT}/x http://localhost:$PORT", "http://localhost:${PORT}/x -> localhost:${PORT}/x | http://localhost:$PORT -> localhost:$PORT/"},
		{"credentials", "https://$USER:$PASS@example.com/x", "https://$USER:$PASS@example.com/x -> example.com/x"},

		// Regular expressions.
		{"escaped dots", `grep -oE "https?://api\.example\.com/(v1|v2)/x" f`, `https?://api\.example\.com/(v1|v2)/x -> api.example.com/`},
		{"escaped slashes", `/https?:\/\/example\.com\/a\/b/`, `https?:\/\/example\.com\/a\/b/ -> example.com/a/b`},
		{"basic", `grep 'https\?://example\.com/a' f`, `https\?://example\.com/a -> example.com/a`},
		{"schemes as a group", `(http|https)://example\.com/a (?:https?)://example\.com/b http(s)?://example\.com/c http[s]?://example\.com/d`, `(http|https)://example\.com/a -> example.com/a | (?:https?)://example\.com/b -> example.com/b | http(s)?://example\.com/c -> example.com/c | http[s]?://example\.com/d -> example.com/d`},
		{"www or not", `https?://(www\.)?example\.com/a https?://(?:www\.)?example\.com/a`, `https?://(www\.)?example\.com/a -> example.com/a | https?://(?:www\.)?example\.com/a -> example.com/a`},
		{"a dot as a class", `https?://example[.]com/a`, `https?://example[.]com/a -> example.com/a`},
		{"anchors", `^https://example\.com$`, `https://example\.com -> example.com/`},
		{"a port or none", `https?://localhost(:\d+)?/x`, `https?://localhost(:\d+)?/x -> localhost/`},
		{"any port", `https?://localhost:\d+/x`, `https?://localhost:\d+/x -> localhost:**/x`},
		{"some ports", `https?://127\.0\.0\.1:(3000|4000)/x`, `https?://127\.0\.0\.1:(3000|4000)/x -> 127.0.0.1:*/x`},
		{"IPv6 escaped", `http://\[::1\]:8080/x`, `http://\[::1\]:8080/x -> [::1]:8080/x`},
		{"a query", `https://example\.com/a\?b=1`, `https://example\.com/a\?b=1 -> example.com/a?b=1`},
		{"quantifiers", `https?://example\.com/abc?d https?://example\.com/x.* https?://example\.com/y\d+`, `https?://example\.com/abc?d -> example.com/ab | https?://example\.com/x.* -> example.com/x | https?://example\.com/y\d+ -> example.com/y`},
		{"any host", `https?://[^/\s"]+ https?://.+ https?://\S+ https?://(a|b)\.example/`, `https?://[^/\s"]+ -> ? | https?://.+ -> ? | https?://\S+ -> ? | https?://(a|b)\.example/ -> ?`},
		{"a part of the host", `https?://\w+\.example\.com/x https?://[a-z]+\.example\.com/x`, `https?://\w+\.example\.com/x -> ? | https?://[a-z]+\.example\.com/x -> ?`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := found(tt.in); got != tt.want {
				t.Errorf("Find(%s)\n got %s\nwant %s", tt.in, got, tt.want)
			}
		})
	}
}

// A text may be large and made to be slow. The test does not measure; it would
// not end.
func TestFindIsLinear(t *testing.T) {
	const size = 1 << 20
	for name, unit := range map[string]string{
		"colons":             ":",
		"schemes":            "https://",
		"schemes apart":      "https:// ",
		"credentials":        "a@",
		"dots":               ".",
		"opening brackets":   "https://a/(",
		"closing brackets":   ")",
		"classes":            "https?://[",
		"groups":             "https?://(www",
		"IPv6":               "http://[::",
		"placeholders":       "http://<a",
		"backslashes":        `\`,
		"escapes":            `https:\/\/a\.`,
		"escaped scheme":     `https:\/`,
		"dot segments":       "a/../",
		"percents":           "%2e",
		"entities":           "&amp;",
		"parameters":         "&utm_source=a&b",
		"commas":             ",http://a",
		"labels":             "a.",
		"another script":     "中",
		"wide punctuation":   "。",
		"domains":            "https://a.com中",
		"trailing marks":     "https://a/b?!.,;:*'",
		"dollars":            "$",
		"angle":              "https://<",
		"angles in a host":   "-<a",
		"schemes in pattern": "(http|https)://",
	} {
		t.Run(name, func(t *testing.T) {
			text := "https://a.example/" + strings.Repeat(unit, size/len(unit))
			for range Find(text) {
			}
			for range Find("https://" + text[len("https://a.example/"):]) {
			}
		})
	}
}
