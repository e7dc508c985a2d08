package address

import (
	"strings"
	"testing"
)

func TestFindJSON(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"a target", `{"url":"https://example.com/a"}`, "url! example.com/a"},
		{"with blanks", `{"url":" https://example.com/a\n"}`, "url! example.com/a"},
		{"other names", `{"href":"https://a.example","baseUrl":"https://b.example","image_urls":["https://c.example","https://d.example"],"URI":"https://e.example"}`,
			"href! a.example/ baseUrl! b.example/ image_urls! c.example/ image_urls! d.example/ URI! e.example/"},
		{"without a scheme", `{"url":"example.com/a","uri":"localhost:3000","link":"//b.example"}`, "url! example.com/a uri! localhost:3000/ link! b.example/"},
		{"no address after all", `{"url":"/about","href":"#top","link":"click here","uri":"urn:x","endpoint":"v1/items"}`, ""},
		{"prose in a target", `{"url":"see https://example.com/a"}`, "url example.com/a"},
		{"a command", `{"command":"curl https://a.example/x | tee y; wget https://b.example"}`, "command a.example/x command b.example/"},
		{"a bare name in prose", `{"command":"curl example.com","curl":"example.com"}`, ""},
		{"at any depth", `[{"a":[{"b":{"url":"https://a.example"}},"https://b.example"]},"https://c.example"]`, "url! a.example/ a b.example/  c.example/"},
		{"a name behind an inner object", `{"url":[{"x":"https://a.example"},"https://b.example"]}`, "x a.example/ url! b.example/"},
		{"a string", `"https://example.com"`, " example.com/"},
		{"escapes", `{"\u0075rl":"https\u003a\/\/example.com\/\u0061"}`, "url! example.com/a"},
		{"names are not values", `{"https://example.com":1}`, ""},
		{"a placeholder", `{"url":"https://${HOST}/"}`, "url! ?"},
		{"no JSON from here on", `{"url":"https://a.example","x":"https://b.example`, "url! a.example/"},
		{"no JSON", `https://example.com`, ""},
		{"nothing", ``, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for a := range FindJSON([]byte(tt.in)) {
				mark, where := "", a.Mention.Address.Identity()
				if a.Target {
					mark = "!"
				}
				if a.Mention.Err != nil {
					where = "?"
				}
				got = append(got, a.Member+mark+" "+where)
			}
			if got := strings.Join(got, " "); got != tt.want {
				t.Errorf("FindJSON(%s)\n got %q\nwant %q", tt.in, got, tt.want)
			}
		})
	}
	for range FindJSON([]byte(`["https://a.example","https://b.example"]`)) {
		break // and nothing more is looked for
	}
}
