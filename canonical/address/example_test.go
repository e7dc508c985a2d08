package address_test

import (
	"fmt"

	"github.com/loopbreaker/loopbreaker/canonical/address"
)

func ExampleParse() {
	for _, text := range []string{
		"https://Example.com/items/?page=2&utm_source=feed#top",
		"http://www.example.com:80/a/../items?page=2",
	} {
		a, err := address.Parse(text)
		fmt.Println(a.Identity(), err)
	}
	// Output:
	// example.com/items?page=2 <nil>
	// example.com/items?page=2 <nil>
}

func ExampleAddress_Site() {
	for _, text := range []string{"https://api.weather.gc.ca/", "https://open.canada.ca/", "https://alice.github.io/"} {
		a, _ := address.Parse(text)
		fmt.Println(a.Host, a.Site())
	}
	// Output:
	// api.weather.gc.ca weather.gc.ca
	// open.canada.ca canada.ca
	// alice.github.io alice.github.io
}

func ExampleFind() {
	script := `curl -s https://open-data.canada.ca/a | grep -E "https?://localhost:8080/(x|y)"; curl https://$HOST/b`
	for m := range address.Find(script) {
		if m.Err != nil {
			fmt.Println(script[m.Start:m.End], m.Err)
			continue
		}
		fmt.Println(m.Address.Identity(), m.Address.Local())
	}
	// Output:
	// open-data.canada.ca/a false
	// localhost:8080/ true
	// https://$HOST/b host is a placeholder: $
}

func ExampleFindJSON() {
	for a := range address.FindJSON([]byte(`{"url":"example.com/a","note":"see https://example.org/"}`)) {
		fmt.Println(a.Member, a.Target, a.Mention.Address.Identity())
	}
	// Output:
	// url true example.com/a
	// note false example.org/
}

func ExampleParseAliases() {
	aliases, err := address.ParseAliases(map[string]string{"open-data.canada.ca": "open.canada.ca"})
	a, _ := address.Parse("https://open-data.canada.ca/dataset")
	fmt.Println(aliases.Fold(a).Identity(), err)
	// Output: open.canada.ca/dataset <nil>
}
