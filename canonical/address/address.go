package address

import (
	"errors"
	"net/netip"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// Address is what an http or https address leads to, in one spelling: two
// texts lead to the same if and only if their Addresses are equal. The scheme,
// credentials and the fragment are not part of it.
type Address struct {
	// Host is a name in lower case and in ASCII (xn--…), without "www." and
	// without a final dot, or an IPv4 address in dotted decimal, or an IPv6
	// address in brackets in the spelling of RFC 5952. An IPv6 address that maps
	// an IPv4 address stands as the latter.
	Host string
	// Port is empty for the default port of the scheme. It may be a placeholder
	// ($PORT), as it was written.
	Port string
	// Path begins with a slash and ends in none, except for "/". Dot segments
	// are resolved, and what may be written with or without percent-encoding is
	// written in one way.
	Path string
	// Query has its parameters sorted by name, those of one name in their
	// order, without the ones that serve tracking (see tracking.go).
	Query string
}

// Reasons why a text has no Address. Errors of this package wrap one of them.
var (
	// ErrScheme: another scheme than http and https, or none.
	ErrScheme = errors.New("not an http or https address")
	// ErrNoHost: nothing stands where the host would, as in "https://" + host.
	ErrNoHost = errors.New("address without a host")
	// ErrPlaceholder: the host, or a part of it, is to be filled in, as in
	// https://${HOST}/ or https://{tenant}.example.com/, or it is a pattern that
	// fits many hosts. Where the address leads is not known.
	ErrPlaceholder = errors.New("host is a placeholder")
	// ErrHost: no name of a host and no IP address.
	ErrHost = errors.New("not a host")
	// ErrPort: not a number up to 65535.
	ErrPort = errors.New("not a port")
)

// Identity returns a text that is the same for two addresses exactly if they
// lead to the same: the measure `net`. It is the address without its scheme,
// as in "example.com/a?page=2" or "localhost:8080/".
func (a Address) Identity() string {
	size := len(a.Host) + len(a.Path)
	if a.Port != "" {
		size += 1 + len(a.Port)
	}
	if a.Query != "" {
		size += 1 + len(a.Query)
	}
	var b strings.Builder
	b.Grow(size)
	b.WriteString(a.Host)
	if a.Port != "" {
		b.WriteByte(':')
		b.WriteString(a.Port)
	}
	b.WriteString(a.Path)
	if a.Query != "" {
		b.WriteByte('?')
		b.WriteString(a.Query)
	}
	return b.String()
}

// Site returns the registrable domain of the host, the measure `site`: what
// one owner registered under a public suffix. Suffixes under which a company
// lets others have names (github.io) count like those of the registries, so
// that two users of one do not share a site. A host that is a public suffix
// itself, a name of one label and an IP address are sites of their own.
func (a Address) Site() string {
	if _, ok := a.IP(); ok {
		return a.Host
	}
	site, err := publicsuffix.EffectiveTLDPlusOne(a.Host)
	if err != nil {
		return a.Host
	}
	return site
}

// IP returns the IP address that the host is, false if it is a name.
func (a Address) IP() (netip.Addr, bool) {
	if a.Host == "" || a.Host[0] != '[' && !isDigit(a.Host[len(a.Host)-1]) {
		return netip.Addr{}, false
	}
	ip, err := netip.ParseAddr(strings.Trim(a.Host, "[]"))
	return ip, err == nil
}

// Local reports whether the host is this machine or one of a network around it:
// what a development loop talks to, and what a fetch from elsewhere does not
// reach. These are
//
//   - IP addresses that are loopback, private, shared (100.64.0.0/10),
//     link-local, site-local, unique-local or unspecified, also inside an IPv6
//     address that carries an IPv4 one;
//   - localhost and names under it (RFC 6761);
//   - names under domains that no public server answers for: local (RFC 6762),
//     internal (reserved by ICANN; host.docker.internal, cloud metadata),
//     home.arpa (RFC 8375), localdomain and lan;
//   - names of one label: the registries allow no host at a top-level domain, so
//     such a name is from a hosts file, a search domain or a container network.
//
// Names under test, example and invalid are not local: they stand for hosts of
// the internet.
func (a Address) Local() bool {
	if ip, ok := a.IP(); ok {
		return near(ip)
	}
	if a.Host == "" {
		return false
	}
	last := strings.LastIndexByte(a.Host, '.')
	switch a.Host[last+1:] {
	case "localhost", "local", "internal", "localdomain", "lan":
		return true
	case "arpa":
		return a.Host == "home.arpa" || strings.HasSuffix(a.Host, ".home.arpa")
	}
	return last < 0
}
