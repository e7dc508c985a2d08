package fetch

import (
	"net/netip"
	"strings"
)

// Hosts are those that may be reached although their addresses are not public.
// The zero value is none.
type Hosts struct {
	names    []string // in lower case; those that begin with a dot stand for all below
	networks []netip.Prefix
}

// ParseHosts reads a list of host names ("localhost", "*.internal.example" for
// all below that name), addresses ("127.0.0.1", "::1"), networks ("10.0.0.0/8")
// and "*" for all. A name stands for whatever it resolves to. What is none of
// these is left out and returned.
func ParseHosts(list []string) (h Hosts, wrong []string) {
	for _, text := range list {
		switch network, name, ok := parseHost(text); {
		case !ok:
			wrong = append(wrong, text)
		case name != "":
			h.names = append(h.names, name)
		default:
			h.networks = append(h.networks, network)
		}
	}
	return h, wrong
}

func parseHost(text string) (network netip.Prefix, name string, ok bool) {
	text = strings.ToLower(strings.TrimSuffix(strings.TrimSpace(text), "."))
	if text == "*" {
		return netip.Prefix{}, ".", true
	}
	if ip, err := netip.ParseAddr(strings.Trim(text, "[]")); err == nil {
		ip = ip.Unmap()
		return netip.PrefixFrom(ip, ip.BitLen()), "", ip.Zone() == ""
	}
	if network, err := netip.ParsePrefix(text); err == nil {
		return network.Masked(), "", true
	}
	name = strings.TrimPrefix(text, "*")
	labels := strings.Split(strings.TrimPrefix(name, "."), ".")
	for _, label := range labels {
		odd := func(r rune) bool { return !('a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '-' || r == '_') }
		if label == "" || strings.ContainsFunc(label, odd) {
			return netip.Prefix{}, "", false
		}
	}
	// A name of digits only is a slip in an address; so is a star within a label.
	last := labels[len(labels)-1]
	if strings.Trim(last, "0123456789") == "" || name != text && name[0] != '.' {
		return netip.Prefix{}, "", false
	}
	return netip.Prefix{}, name, true
}

// Allow reports whether the host of that name may be reached at ip.
func (h Hosts) Allow(host string, ip netip.Addr) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	for _, name := range h.names {
		if name == "." || name == host || name[0] == '.' && strings.HasSuffix(host, name) {
			return true
		}
	}
	for _, network := range h.networks {
		if network.Contains(ip.Unmap()) {
			return true
		}
	}
	return false
}
