package address

import (
	"net/netip"
	"testing"
)

func TestPublic(t *testing.T) {
	tests := []struct {
		ip           string
		public, near bool
	}{
		{"8.8.8.8", true, false},
		{"1.1.1.1", true, false},
		{"93.184.216.34", true, false},
		{"9.255.255.255", true, false},
		{"11.0.0.0", true, false},
		{"100.63.255.255", true, false},
		{"100.128.0.0", true, false},
		{"126.255.255.255", true, false},
		{"128.0.0.0", true, false},
		{"169.253.255.255", true, false},
		{"169.255.0.0", true, false},
		{"172.15.255.255", true, false},
		{"172.32.0.0", true, false},
		{"192.0.1.0", true, false},
		{"192.167.255.255", true, false},
		{"192.169.0.0", true, false},
		{"198.17.255.255", true, false},
		{"198.20.0.0", true, false},
		{"223.255.255.255", true, false},

		{"0.0.0.0", false, true},
		{"0.1.2.3", false, true},
		{"10.0.0.0", false, true},
		{"10.255.255.255", false, true},
		{"100.64.0.0", false, true},
		{"100.100.100.200", false, true},
		{"100.127.255.255", false, true},
		{"127.0.0.1", false, true},
		{"127.255.255.254", false, true},
		{"168.63.129.16", false, false},
		{"168.63.129.17", true, false},
		{"169.254.169.254", false, true},
		{"169.254.0.0", false, true},
		{"172.16.0.0", false, true},
		{"172.31.255.255", false, true},
		{"192.0.0.192", false, false},
		{"192.0.2.1", false, false},
		{"192.88.99.1", false, false},
		{"192.168.0.1", false, true},
		{"198.18.0.0", false, false},
		{"198.19.255.255", false, false},
		{"198.51.100.7", false, false},
		{"203.0.113.7", false, false},
		{"224.0.0.1", false, false},
		{"239.255.255.255", false, false},
		{"240.0.0.1", false, false},
		{"255.255.255.255", false, false},

		{"2606:4700:4700::1111", true, false},
		{"2a00:1450:4001:80b::200e", true, false},
		{"2001:200::1", true, false},
		{"2001:4860:4860::8888", true, false},

		{"::", false, true},
		{"::1", false, true},
		{"::2", false, false},
		{"::127.0.0.1", false, false}, // IPv4-compatible, withdrawn
		{"::8.8.8.8", false, false},
		{"100::1", false, false},     // discard
		{"2001:1::1", false, false},  // anycast among the protocol assignments
		{"2001:2::1", false, false},  // benchmarking
		{"2001:10::1", false, false}, // ORCHID
		{"2001:20::1", false, false},
		{"2001:db8::1", false, false},
		{"3fff::1", false, false},
		{"3fff:0fff::1", false, false},
		{"3fff:1000::1", true, false},
		{"4000::1", false, false},
		{"5f00::1", false, false}, // SRv6
		{"fc00::1", false, true},
		{"fd00:ec2::254", false, true},
		{"fd20:ce::254", false, true},
		{"fe80::1", false, true},
		{"fe80::1%eth0", false, true},
		{"2606:4700::1%eth0", false, false},
		{"fec0::1", false, true},
		{"feff::1", false, true},
		{"ff02::1", false, false},
		{"ff0e::1", false, false},

		{"::ffff:8.8.8.8", true, false},
		{"::ffff:127.0.0.1", false, true},
		{"::ffff:10.0.0.1", false, true},
		{"::ffff:169.254.169.254", false, true},
		{"::ffff:203.0.113.1", false, false},
		{"::ffff:0:8.8.8.8", false, false}, // SIIT
		{"64:ff9b::8.8.8.8", true, false},
		{"64:ff9b::10.0.0.1", false, true},
		{"64:ff9b::169.254.169.254", false, true},
		{"64:ff9b::192.0.2.1", false, false},
		{"64:ff9b:1::8.8.8.8", false, true},
		{"64:ff9b:0:0:0:1:808:808", false, false},
		{"2002:808:808::1", true, false},
		{"2002:7f00:1::1", false, true},
		{"2002:a00:1::1", false, true},
		{"2002:c0a8:101::1", false, true},
		{"2002:a9fe:a9fe::", false, true},
		{"2002:cb00:7101::1", false, false},
		{"2002:808:808::5efe:a00:1", false, true}, // ISATAP in 6to4
		// Teredo: server 65.54.227.120, client 192.0.2.45, then public clients.
		{"2001:0:4136:e378:8000:63bf:3fff:fdd2", false, false},
		{"2001:0:4136:e378:8000:63bf:f7f7:f7f7", true, false},
		{"2001:0:4136:e378:8000:63bf:80ff:fffe", false, true},
		{"2001:0:7f00:1:8000:63bf:f7f7:f7f7", false, true},
		{"2606:4700::5efe:10.0.0.1", false, true},
		{"2606:4700::200:5efe:10.0.0.1", false, true},
		{"2606:4700::200:5efe:8.8.8.8", true, false},
		{"fe80::5efe:8.8.8.8", false, true},
	}
	for _, tt := range tests {
		ip := netip.MustParseAddr(tt.ip)
		if got := Public(ip); got != tt.public {
			t.Errorf("Public(%s) = %v", tt.ip, got)
		}
		if got := near(ip); got != tt.near {
			t.Errorf("near(%s) = %v", tt.ip, got)
		}
	}
	if Public(netip.Addr{}) || near(netip.Addr{}) {
		t.Error("the zero Addr is public, or near")
	}
}

// What is near is never public: a caller that keeps away from the one may go
// to the other without asking twice.
func FuzzPublic(f *testing.F) {
	f.Add([]byte{127, 0, 0, 1})
	f.Add([]byte("\x20\x02\x7f\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01"))
	f.Add([]byte("\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\x0a\x00\x00\x01"))
	f.Fuzz(func(t *testing.T, b []byte) {
		ip, ok := netip.AddrFromSlice(b)
		if !ok {
			return
		}
		if Public(ip) && near(ip) {
			t.Errorf("%s is public and near", ip)
		}
		if Public(ip) != Public(ip.Unmap()) || near(ip) != near(ip.Unmap()) {
			t.Errorf("%s differs from the address it maps", ip)
		}
		if ip.Is4() && Public(ip) != Public(netip.AddrFrom16(ip.As16())) {
			t.Errorf("%s differs when it is mapped", ip)
		}
		if Public(ip) && (ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() || ip.IsMulticast() || ip.IsUnspecified()) {
			t.Errorf("%s is public", ip)
		}
	})
}
