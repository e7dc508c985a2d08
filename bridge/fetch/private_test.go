package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
)

// hostile are addresses that a page may want to have fetched from within.
var hostile = []string{
	"127.0.0.1", "127.1.2.3", "127.255.255.255", "0.0.0.0", "0.1.2.3", // this machine
	"10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.254", "192.168.0.1", "192.168.255.255", // private
	"100.64.0.1", "100.127.255.254", // carrier-grade NAT
	"169.254.169.254", "169.254.170.2", "169.254.0.1", "100.100.100.200", "168.63.129.16", // metadata
	"192.0.0.192", "192.0.2.1", "198.18.0.1", "198.51.100.7", "203.0.113.9", // protocols, tests
	"224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", // all at once
	"::", "::1", "fe80::1", "fe80::a9fe:a9fe", "fec0::1", // this machine, link, site
	"fc00::1", "fd00::1", "fd00:ec2::254", "fd20:ce::254", // unique-local, metadata
	"ff02::1", "ff05::2", "2001:db8::1", "3fff::1", "100::1", // multicast, documentation, discard
	"::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", // mapped
	"::127.0.0.1", "::ffff:0:127.0.0.1", // compatible, translated
	"64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::a00:1", // NAT64
	"2002:7f00:1::", "2002:a9fe:a9fe::1", "2001::1", "2001:0:7f00:1::", // 6to4, Teredo
}

// Of every hostile address: as the URL states it, as a name leads there, and as
// a redirect does. The check itself is the real one, on the real way to connect.
func TestNothingIsFetchedFromWithin(t *testing.T) {
	w := newWeb(t)
	target := ""
	door := w.serve(func(out http.ResponseWriter, in *http.Request) { http.Redirect(out, in, target, http.StatusFound) })
	for i, text := range hostile {
		ip := netip.MustParseAddr(text)
		name := fmt.Sprintf("h%d.rebound.test", i)
		w.names[name+"."] = []netip.Addr{ip.Unmap()}
		literal := net.JoinHostPort(text, "80")
		for way, url := range map[string]string{"address": "http://" + literal + "/x", "name": "http://" + name + "/x", "https": "https://" + name + "/x"} {
			for _, start := range []string{url, door} {
				target = url
				_, err := w.get(start)
				var private *PrivateError
				switch {
				case errors.As(err, &private) && private.Addr.Unmap() == ip.Unmap():
				case !ip.Unmap().Is4() && errors.Is(err, syscall.EAFNOSUPPORT):
					// A machine without IPv6 fails before the check; see below.
				default:
					t.Errorf("%s %s from %s: %v", way, url, start, err)
				}
			}
		}
		if err := w.control("x")(context.Background(), "tcp", netip.AddrPortFrom(ip, 80).String(), nil); !errors.As(err, new(*PrivateError)) {
			t.Errorf("%s is let through: %v", text, err)
		}
	}
	w.nothing()
	if len(hostile) < 40 {
		t.Errorf("%d addresses are too few", len(hostile))
	}
}

func TestThePublicInternetIsLetThrough(t *testing.T) {
	for _, text := range []string{"8.8.8.8:443", "93.184.216.34:80", "[2606:4700:4700::1111]:443", "[::ffff:8.8.8.8]:80", "[64:ff9b::808:808]:80"} {
		if err := (Limits{}).control("x")(context.Background(), "tcp", text, nil); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	if err := (Limits{}).control("x")(context.Background(), "tcp", "/run/x.sock", nil); err == nil {
		t.Error("a socket of another kind is let through")
	}
}

// secret is a server within, which nothing may reach.
func secret(t *testing.T) (port string, hits *atomic.Int64) {
	hits = new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		hits.Add(1)
		io.WriteString(out, "secret")
	}))
	t.Cleanup(s.Close)
	_, port, _ = net.SplitHostPort(s.Listener.Addr().String())
	return port, hits
}

// However the address of a server within is spelled, and however one gets there.
func TestSpellingsAndRedirects(t *testing.T) {
	w := newWeb(t)
	port, hits := secret(t)
	loopback := []netip.Addr{netip.MustParseAddr("127.0.0.1")}
	// Resolvers of some systems read these as addresses; ours does as well.
	for _, name := range []string{"127.1.", "127.0.1.", "2130706433.", "0x7f000001.", "0x7f.1.", "0177.0.0.1.", "017700000001.", "localtest.test.", "127.0.0.1.nip.test.", "xn--e1aybc.test."} {
		w.names[name] = loopback
	}
	targets := []string{}
	for _, host := range []string{
		"127.0.0.1", "127.0.0.1.", "localhost", "LOCALHOST", "localhost.", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.1",
		"0177.0.0.1", "017700000001", "localtest.test", "127.0.0.1.nip.test", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "0.0.0.0",
		"①②⑦.⓪.⓪.①", "１２７。０。０。１", "%31%32%37.0.0.1", "тест.test", "[::1]", "[0:0:0:0:0:0:0:1]", "[::1%25lo]",
	} {
		targets = append(targets, "http://"+host+":"+port+"/")
	}
	targets = append(targets, "http://public.test@127.0.0.1:"+port+"/", "http://127.0.0.1:"+port+"/#@public.test/", "http://127.0.0.1:"+port+"\\@public.test/",
		"//127.0.0.1:"+port+"/", "file:///etc/passwd", "ftp://127.0.0.1:"+port+"/", "gopher://127.0.0.1:"+port+"/_GET", "javascript:alert(1)", "data:text/plain,x",
		"http://127.0.0.1:"+port+"\t/", "http:127.0.0.1:"+port, "HTTP://127.0.0.1:"+port)
	for _, target := range targets {
		if got, err := w.get(target); err == nil {
			t.Errorf("%q: %+v", target, got)
		}
		for _, status := range []int{301, 302, 303, 307, 308} {
			handle := func(out http.ResponseWriter, in *http.Request) {
				out.Header().Set("Location", target)
				out.WriteHeader(status)
			}
			door := w.serve(handle)
			hall := w.serve(func(out http.ResponseWriter, in *http.Request) { http.Redirect(out, in, door, http.StatusFound) })
			if got, err := w.get(hall); err == nil && got.FinalURL != door+"/" {
				t.Errorf("%q with %d: %+v", target, status, got)
			}
		}
	}
	if hits.Load() != 0 {
		t.Errorf("the server within was reached %d times", hits.Load())
	}
}

// A name that means another address at each look is checked at each connection.
func TestRebinding(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Skipf("this machine has no 127.0.0.2: %v", err)
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	allowed := &http.Server{Handler: http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) { io.WriteString(out, "allowed") })}
	go allowed.Serve(listener)
	defer allowed.Close()
	within, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		t.Skip(err)
	}
	defer within.Close()

	w := newWeb(t)
	w.Private, _ = ParseHosts([]string{"127.0.0.2/32"})
	first, second := netip.MustParseAddr("127.0.0.2"), netip.MustParseAddr("127.0.0.1")
	w.names["flip.test."], w.names["both.test."] = []netip.Addr{first}, []netip.Addr{second, first}
	if got, err := w.get("http://flip.test:" + port + "/x"); err != nil {
		t.Errorf("at first: %+v, %v", got, err)
	}
	w.names["flip.test."] = []netip.Addr{second}
	var private *PrivateError
	if _, err := w.get("http://flip.test:" + port + "/x"); !errors.As(err, &private) || private.Host != "flip.test" || private.Addr != second {
		t.Errorf("rebound: %v", err)
	}
	// Of two addresses the one that is not allowed is left out.
	if got, err := w.get("http://both.test:" + port + "/x"); err != nil {
		t.Errorf("both: %+v, %v", got, err)
	}
	connected := make(chan error, 1)
	go func() {
		_, err := within.Accept()
		connected <- err
	}()
	within.Close()
	if err := <-connected; err == nil {
		t.Error("the server within was connected to")
	}
}

func TestParseHosts(t *testing.T) {
	good := []string{"localhost", "*.Lab.example.", "10.0.0.0/8", "192.168.7.7", "::1", "[fd00::2]", "fd12::/16", "host_1", "::ffff:172.16.0.1"}
	h, wrong := ParseHosts(good)
	if len(wrong) > 0 {
		t.Errorf("%q", wrong)
	}
	for _, tt := range []struct {
		host, ip string
		want     bool
	}{
		{"localhost", "127.0.0.1", true}, {"LocalHost.", "::1", true}, {"x.lab.example", "192.0.2.1", true}, {"a.b.LAB.example", "192.0.2.1", true},
		{"lab.example", "192.0.2.1", false}, {"evillab.example", "192.0.2.1", false}, {"localhost.evil.example", "127.0.0.1", false},
		{"x", "10.9.9.9", true}, {"x", "::ffff:10.9.9.9", true}, {"x", "11.0.0.1", false}, {"x", "192.168.7.7", true}, {"x", "192.168.7.8", false},
		{"x", "::1", true}, {"x", "127.0.0.1", false}, {"x", "fd00::2", true}, {"x", "fd00::3", false}, {"x", "fd12::9", true}, {"x", "172.16.0.1", true},
	} {
		if got := h.Allow(tt.host, netip.MustParseAddr(tt.ip)); got != tt.want {
			t.Errorf("%s at %s: %v", tt.host, tt.ip, got)
		}
	}
	if all, _ := ParseHosts([]string{"*"}); !all.Allow("x", netip.MustParseAddr("169.254.169.254")) || (Hosts{}).Allow("", netip.MustParseAddr("127.0.0.1")) {
		t.Error("* is not all, or nothing is not none")
	}
	bad := []string{"10.0.0.0/33", "300.1.1.1", "1.2.3", "a*b", "*a", "*.*", "http://x", "x:80", "a..b", "-", "a b", "fe80::1%eth0", "[::1]:80", "/", "ü.example"}
	bad = append(bad[:9], bad[10:]...) // "-" is a name that no one has
	if _, wrong := ParseHosts(bad); len(wrong) != len(bad) {
		t.Errorf("of %q only %q are wrong", bad, wrong)
	}
}

// The http package looks for proxies once in a process, so this has its own.
func TestProxy(t *testing.T) {
	if os.Getenv("LOOPBREAKER_TEST_PROXIED") != "" {
		proxied(t)
		return
	}
	var asked []string
	s := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		asked = append(asked, in.URL.String())
		io.WriteString(out, "from the proxy")
	}))
	defer s.Close()
	cmd := exec.Command(os.Args[0], "-test.run=^TestProxy$", "-test.v")
	cmd.Env = append(os.Environ(), "LOOPBREAKER_TEST_PROXIED=1", "HTTP_PROXY="+s.URL, "NO_PROXY=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if got := strings.Join(asked, " "); got != "http://elsewhere.test/x" {
		t.Errorf("the proxy was asked for %q", got)
	}
}

func proxied(t *testing.T) {
	w := newWeb(t)
	w.names["elsewhere.test."] = []netip.Addr{netip.MustParseAddr("10.0.0.1")}
	var private *PrivateError
	if _, err := w.get("http://elsewhere.test/x"); !errors.As(err, &private) {
		t.Errorf("the proxy is used without leave: %v", err)
	}
	w.Proxy = true
	if got, err := w.get("http://elsewhere.test/x"); err != nil || w.files()[got.Path] != "from the proxy" {
		t.Errorf("%+v, %v", got, err)
	}
	for _, url := range []string{"http://10.0.0.1/x", "http://[fd00::1]/x", "http://169.254.169.254/x", "http://localhost/x", "http://127.0.0.1:1/x"} {
		if got, err := w.get(url); !errors.As(err, &private) {
			t.Errorf("%s: %+v, %v", url, got, err)
		}
	}
}
