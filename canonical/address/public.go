package address

import "net/netip"

// Public reports whether ip is an address of the open internet: one machine of
// the world, reached in the same way from anywhere.
//
// Everything else is not public, in particular loopback, private, link-local
// (with the metadata services of clouds, 169.254.169.254 and fd00:ec2::254),
// carrier-grade NAT, benchmarking, documentation, multicast, broadcast,
// unspecified and reserved addresses, site-local and unique-local ones, and an
// IPv6 address with a zone. An IPv6 address that carries an IPv4 address
// (mapped, NAT64, 6to4, Teredo, ISATAP) is public only if that one is too. The
// zero Addr is not public.
//
// The ranges are those of the IANA special-purpose registries. The few anycast
// services inside them that the registries call reachable count as not public:
// nothing is fetched from them.
func Public(ip netip.Addr) bool {
	if !ip.IsValid() || ip.Zone() != "" {
		return false
	}
	ip = ip.Unmap()
	if ip.Is4() {
		return !within(ip, special4)
	}
	carried, carrier := carriedIPv4(ip)
	for _, v4 := range carried {
		if v4.IsValid() && !Public(v4) {
			return false
		}
	}
	return carrier || globalUnicast.Contains(ip) && !within(ip, special6)
}

// near reports whether ip belongs to this machine or to a network around it:
// what can answer here, and elsewhere would be another machine or none.
func near(ip netip.Addr) bool {
	if !ip.IsValid() {
		return false
	}
	ip = ip.WithZone("").Unmap()
	if within(ip, near4) || within(ip, near6) {
		return true
	}
	carried, _ := carriedIPv4(ip)
	for _, v4 := range carried {
		if v4.IsValid() && within(v4, near4) {
			return true
		}
	}
	return false
}

func within(ip netip.Addr, ranges []netip.Prefix) bool {
	for _, p := range ranges {
		if p.Contains(ip) {
			return true
		}
	}
	return false
}

// carriedIPv4 returns the IPv4 addresses that packets for an IPv6 address may
// end at; the zero Addr stands for none. With carrier, the range of ip exists
// for nothing else, so that they alone decide what ip is.
func carriedIPv4(ip netip.Addr) (carried [2]netip.Addr, carrier bool) {
	if !ip.Is6() || ip.Is4In6() {
		return carried, false
	}
	b := ip.As16()
	v4 := func(i int, flip byte) netip.Addr {
		return netip.AddrFrom4([4]byte{b[i] ^ flip, b[i+1] ^ flip, b[i+2] ^ flip, b[i+3] ^ flip})
	}
	switch {
	case nat64.Contains(ip):
		carried[0], carrier = v4(12, 0), true
	case sixToFour.Contains(ip):
		carried[0], carrier = v4(2, 0), true
	case teredo.Contains(ip):
		// The server, and the client with its bits inverted.
		carried[0], carried[1], carrier = v4(4, 0), v4(12, 0xff), true
	}
	// ISATAP (RFC 5214) marks the lower half under any prefix, 6to4 among them.
	if b[8]&^2 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe && !carried[1].IsValid() {
		carried[1] = v4(12, 0)
	}
	return carried, carrier
}

var (
	globalUnicast = netip.MustParsePrefix("2000::/3")
	nat64         = netip.MustParsePrefix("64:ff9b::/96") // RFC 6052
	sixToFour     = netip.MustParsePrefix("2002::/16")    // RFC 3056
	teredo        = netip.MustParsePrefix("2001::/32")    // RFC 4380
)

// special4 is what of IPv4 is not public.
var special4 = prefixes(
	"0.0.0.0/8",        // this network, unspecified
	"10.0.0.0/8",       // private, RFC 1918
	"100.64.0.0/10",    // carrier-grade NAT, RFC 6598; a cloud's metadata at 100.100.100.200
	"127.0.0.0/8",      // loopback
	"168.63.129.16/32", // a virtual machine's host in one cloud, though the number is a public one
	"169.254.0.0/16",   // link-local, metadata at 169.254.169.254
	"172.16.0.0/12",    // private, RFC 1918
	"192.0.0.0/24",     // protocol assignments, RFC 6890
	"192.0.2.0/24",     // documentation, TEST-NET-1
	"192.88.99.0/24",   // 6to4 relays, withdrawn by RFC 7526
	"192.168.0.0/16",   // private, RFC 1918
	"198.18.0.0/15",    // benchmarking, RFC 2544
	"198.51.100.0/24",  // documentation, TEST-NET-2
	"203.0.113.0/24",   // documentation, TEST-NET-3
	"224.0.0.0/4",      // multicast
	"240.0.0.0/4",      // reserved, and the broadcast address
)

// special6 is what of the global unicast range of IPv6 is not public. All that
// lies outside of that range (loopback, unique-local, link-local, site-local,
// multicast, local NAT64) is not public anyway.
var special6 = prefixes(
	"2001::/23",     // protocol assignments, RFC 2928; Teredo is judged by what it carries
	"2001:db8::/32", // documentation, RFC 3849
	"3fff::/20",     // documentation, RFC 9637
)

// near4 and near6 are the ranges of near. They are not all that is not public:
// nothing at all answers at a documentation or a multicast address.
var (
	near4 = prefixes(
		"0.0.0.0/8",
		"10.0.0.0/8",
		"100.64.0.0/10", // overlay networks between a person's own machines use it
		"127.0.0.0/8",
		"169.254.0.0/16",
		"172.16.0.0/12",
		"192.168.0.0/16",
	)
	near6 = prefixes(
		"::/127",         // unspecified and loopback
		"64:ff9b:1::/48", // local NAT64, RFC 8215
		"fc00::/7",       // unique-local
		"fe80::/10",      // link-local
		"fec0::/10",      // site-local, withdrawn by RFC 3879
	)
)

func prefixes(texts ...string) []netip.Prefix {
	ranges := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		ranges[i] = netip.MustParsePrefix(text)
	}
	return ranges
}
