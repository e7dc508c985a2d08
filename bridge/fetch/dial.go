package fetch

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"

	"github.com/loopbreaker/loopbreaker/canonical/address"
)

// PrivateError says that a host stands at an address that is not public.
type PrivateError struct {
	// Host is what the URL calls it.
	Host string
	// Addr is where it is.
	Addr netip.Addr
}

// Error implements error.
func (e *PrivateError) Error() string {
	if e.Host == e.Addr.String() {
		return e.Host + " is not an address of the public internet"
	}
	return fmt.Sprintf("%s is at %v, which is not an address of the public internet", e.Host, e.Addr)
}

// transport returns one that checks every connection it makes. It speaks HTTP/1.1:
// one fetch is one request, which HTTP/2 would not make faster, and the programs that
// are released are built without it (-tags=nethttpomithttp2), 0.36 MB smaller.
func (f *Fetcher) transport(l Limits) *http.Transport {
	via := map[string]bool{} // the operator's proxies, by host and port
	t := &http.Transport{
		DisableKeepAlives:      true,
		MaxResponseHeaderBytes: maxHeader,
		TLSClientConfig:        &tls.Config{RootCAs: f.roots},
	}
	if l.Proxy {
		t.Proxy = func(r *http.Request) (*url.URL, error) {
			u, err := http.ProxyFromEnvironment(r)
			if u == nil {
				return nil, err
			}
			via[hostPort(u)] = true
			// Of what lies behind it only this much can be seen.
			if ip, err := netip.ParseAddr(r.URL.Hostname()); err == nil {
				return u, l.reachable(r.URL.Hostname(), ip)
			}
			return u, nil
		}
	}
	t.DialContext = func(ctx context.Context, network, target string) (net.Conn, error) {
		host, _, err := net.SplitHostPort(target)
		if err != nil {
			return nil, err
		}
		d := net.Dialer{Resolver: f.resolver}
		if !via[target] {
			d.ControlContext = l.control(host)
		}
		return d.DialContext(ctx, network, target)
	}
	return t
}

// control returns what the dialer asks after it has resolved the host, for each
// address, right before it connects: so what is checked is what is connected to,
// whatever the name meant a moment before.
func (l Limits) control(host string) func(context.Context, string, string, syscall.RawConn) error {
	return func(_ context.Context, _, target string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(target)
		if err != nil {
			return fmt.Errorf("connecting to %q: %w", target, err)
		}
		return l.reachable(host, at.Addr())
	}
}

// reachable returns a PrivateError unless the host may be reached at ip.
func (l Limits) reachable(host string, ip netip.Addr) error {
	if address.Public(ip) || l.Private.Allow(host, ip) {
		return nil
	}
	return &PrivateError{host, ip}
}

// hostPort is the target that a proxy is dialled by.
func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443", "socks5": "1080", "socks5h": "1080"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}
