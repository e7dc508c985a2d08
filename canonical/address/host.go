package address

import (
	"fmt"
	"math"
	"net/netip"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

// Lengths that DNS allows (RFC 1035), in bytes.
const (
	maxName  = 253
	maxLabel = 63
)

// placeholderMarks are what sets a placeholder or a pattern off in a host:
// $HOST, {host}, <host>, %s, *.example.com.
const placeholderMarks = "${}<>%*"

// toASCII turns a name into ASCII as the standard says: UTS #46, lenient about
// hyphens and underscores.
var toASCII = idna.New(
	idna.MapForLookup(),
	idna.BidiRule(),
	idna.CheckJoiners(true),
	idna.CheckHyphens(false),
	idna.StrictDomainName(false),
	idna.VerifyDNSLength(false),
	idna.Transitional(false),
)

// canonicalHost returns the one spelling of a host.
func canonicalHost(raw string) (string, error) {
	if raw == "" {
		return "", ErrNoHost
	}
	if raw[0] == '[' {
		return canonicalIPv6(raw)
	}
	name, err := asciiName(raw)
	if err != nil {
		return "", err
	}
	if strings.Trim(name, ".") == "" {
		return "", ErrNoHost
	}
	name = strings.TrimSuffix(name, ".")
	if endsInNumber(name) {
		return canonicalIPv4(name)
	}
	if err := checkName(name); err != nil {
		return "", err
	}
	return withoutWWW(name), nil
}

// asciiName returns a name in lower case and ASCII.
func asciiName(raw string) (string, error) {
	plain := true
	for i := range len(raw) {
		c := raw[i]
		plain = plain && (c >= 'a' && c <= 'z' || isDigit(c) || c == '-' || c == '.')
	}
	if plain && !strings.Contains(raw, "xn--") {
		return raw, nil
	}
	// Longer ones are no names, and punycode takes quadratic time on them.
	if len(raw) > maxName*utf8.UTFMax*len("%00") {
		return "", fmt.Errorf("%w: too long", ErrHost)
	}
	name := string(appendDecoded(nil, raw))
	if i := strings.IndexAny(name, placeholderMarks); i >= 0 {
		return "", fmt.Errorf("%w: %c", ErrPlaceholder, name[i])
	}
	if !utf8.ValidString(name) || utf8.RuneCountInString(name) > maxName {
		return "", ErrHost
	}
	lower := strings.ToLower(name)
	if isASCII(name) && !strings.Contains(lower, "xn--") {
		return lower, nil
	}
	ascii, err := toASCII.ToASCII(name)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrHost, err)
	}
	return ascii, nil
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func checkName(name string) error {
	if len(name) > maxName {
		return fmt.Errorf("%w: too long", ErrHost)
	}
	label := 0
	for i := range len(name) {
		switch c := name[i]; {
		case c == '.' && label == 0:
			return fmt.Errorf("%w: empty label", ErrHost)
		case c == '.':
			label = 0
		case c >= 'a' && c <= 'z', isDigit(c), c == '-', c == '_':
			if label++; label > maxLabel {
				return fmt.Errorf("%w: label too long", ErrHost)
			}
		default:
			return fmt.Errorf("%w: character %q", ErrHost, c)
		}
	}
	if label == 0 {
		return fmt.Errorf("%w: empty label", ErrHost)
	}
	return nil
}

// withoutWWW takes "www." off a name as long as a name that somebody can own
// is left: www.com is a name itself.
func withoutWWW(name string) string {
	for {
		rest, ok := strings.CutPrefix(name, "www.")
		if !ok {
			return name
		}
		if suffix, _ := publicsuffix.PublicSuffix(rest); suffix == rest {
			return name
		}
		name = rest
	}
}

// canonicalIPv6 reads an IPv6 address in brackets. A zone is left out: it names
// an interface of the machine the address is used on.
func canonicalIPv6(raw string) (string, error) {
	inner, ok := strings.CutSuffix(raw[1:], "]")
	if !ok {
		return "", fmt.Errorf("%w: [ without ]", ErrHost)
	}
	text, _, _ := strings.Cut(inner, "%")
	ip, err := netip.ParseAddr(text)
	if err != nil || !ip.Is6() {
		if strings.Trim(inner, "0123456789abcdefABCDEF:.") != "" {
			return "", fmt.Errorf("%w: %.60q", ErrPlaceholder, raw) // [host], [^/]+
		}
		return "", fmt.Errorf("%w: %.60q", ErrHost, raw)
	}
	if ip.Is4In6() {
		return ip.Unmap().String(), nil
	}
	return "[" + ip.String() + "]", nil
}

// endsInNumber reports whether the last label is a number, and so the whole an
// IPv4 address or nothing.
func endsInNumber(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	if len(last) == 0 || !isDigit(last[0]) {
		return false
	}
	_, ok := ipv4Number(last)
	return ok || strings.Trim(last, "0123456789") == ""
}

// canonicalIPv4 reads an IPv4 address of one to four numbers, each decimal,
// octal or hexadecimal, of which the last fills what is left.
func canonicalIPv4(name string) (string, error) {
	parts := strings.SplitN(name, ".", 5)
	if len(parts) > 4 {
		return "", fmt.Errorf("%w: too many numbers", ErrHost)
	}
	var ip uint64
	for i, part := range parts {
		n, ok := ipv4Number(part)
		room := 8
		if i == len(parts)-1 {
			room = 8 * (5 - len(parts))
		}
		if !ok || n >= 1<<room {
			return "", fmt.Errorf("%w: %.60q", ErrHost, name)
		}
		ip = ip<<room | n
	}
	return netip.AddrFrom4([4]byte{byte(ip >> 24), byte(ip >> 16), byte(ip >> 8), byte(ip)}).String(), nil
}

// ipv4Number reads one number of an IPv4 address, one too large for any as a
// very large one.
func ipv4Number(s string) (n uint64, ok bool) {
	base := uint64(10)
	switch {
	case s == "":
		return 0, false
	case len(s) >= 2 && s[0] == '0' && s[1]|0x20 == 'x':
		s, base = s[2:], 16
	case len(s) >= 2 && s[0] == '0':
		s, base = s[1:], 8
	}
	for i := range len(s) {
		d, hex := hexValue(s[i])
		if !hex || uint64(d) >= base {
			return 0, false
		}
		n = min(n*base+uint64(d), math.MaxUint32+1)
	}
	return n, true
}
