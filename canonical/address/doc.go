// Package address says what an http or https address means and when two of
// them are the same. It serves the measures `net`, `host` and `site` of the
// system `measures`, and its steering of fetches.
//
//	a, err := address.Parse(text)          // one whole address
//	a, err := address.ParseArgument(word)  // the same, the scheme may be missing
//	for m := range address.Find(text)      // every address in a command, a page, prose
//	for a := range address.FindJSON(input) // every address in a tool's input
//
//	a = aliases.Fold(a)  // hostAliases; aliases, err := address.ParseAliases(table)
//	a.Identity()         // net:  example.com/items?page=2
//	a.Host               // host: api.weather.gc.ca
//	a.Site()             // site: weather.gc.ca
//	a.Local()            // this machine or a network around it
//	address.Public(ip)   // an IP address of the open internet
//
// An Address is comparable: == says whether two are the same. Where a text does
// not tell the host (https://${HOST}/), the error is ErrPlaceholder, and there
// is no Address: nothing is invented.
//
// The package is pure: it resolves no name, opens no connection and holds no
// threshold. Names that lead to this machine only through DNS are not seen.
//
// Names in other scripts and public suffixes are read with golang.org/x/net.
// The rest of the URL Standard, as far as it is about http, is small and stands
// here: the one library for it takes quadratic time on credentials and ten
// times as long. The tests hold the two against each other.
package address
