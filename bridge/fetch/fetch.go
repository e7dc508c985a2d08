// Package fetch takes a file from the web into a folder of the workspace.
//
// What it fetches is chosen by a model, and so possibly by a page that the model
// has read. Hence: http and https only; every connection is checked at the
// moment it is made, by the address it really goes to; size, time and redirects
// are limited; the name of the file is made safe and never that of another file;
// and nothing is written outside of the folder, or left behind half done.
package fetch

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"mime"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/publicsuffix"
)

// Limits are what the operator allows.
type Limits struct {
	// Workspace is the folder that no file is written outside of, and Folder the
	// one in it, relative, that takes the files. It is made when first needed.
	Workspace, Folder string
	// MaxBytes is how large a file may be, as it is saved: after decompression.
	MaxBytes int64
	// Timeout is how long all of one fetch may take.
	Timeout time.Duration
	// MaxRedirects is how many redirects are followed.
	MaxRedirects int
	// Private are the hosts that may be reached at addresses which are not public.
	Private Hosts
	// Cookies is whether the servers' cookies are kept and sent, in one Fetcher.
	Cookies bool
	// Proxy is whether the proxies of the environment (HTTP_PROXY, HTTPS_PROXY,
	// NO_PROXY) are used. What lies behind one cannot be checked: the proxy
	// resolves the name.
	Proxy bool
}

// Request is what a model asks for.
type Request struct {
	// URL is an absolute http or https one.
	URL string
	// Name is what to call the file, "" to take what the server or the URL says.
	// Like theirs it is made safe first.
	Name string
}

// Result is a file that was saved. A server's error is a result too: what it
// says stands in the file.
type Result struct {
	// StatusCode is the status of HTTP.
	StatusCode int
	// ContentType is the media type without parameters, "" if none was stated.
	ContentType string
	// ContentEncoding is what the bytes are still encoded as, as a rule "".
	ContentEncoding string
	// Bytes is the length of the file.
	Bytes int64
	// FinalURL is where it came from after all redirects, without a fragment.
	FinalURL string
	// Path is that of the file, relative to the workspace, with slashes.
	Path string
}

// Status is the status in digits and words, as in 404 Not Found.
func (r Result) Status() string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", r.StatusCode, http.StatusText(r.StatusCode)))
}

// Errors that end a fetch; others come from the network or the file system.
var (
	ErrURL       = errors.New("the address must be a whole one that begins with http:// or https://")
	ErrUserinfo  = errors.New("an address with a user name or password in it is not fetched")
	ErrDowngrade = errors.New("it redirects from https to http, which is not followed")
	ErrTimeout   = errors.New("it took longer than is allowed")
	ErrCancelled = errors.New("it was cancelled")
)

// TooLargeError says that a file is larger than MaxBytes.
type TooLargeError struct {
	MaxBytes int64
	// Stated is what the server says, 0 where the limit was met on the way.
	Stated int64
}

// Error implements error.
func (e *TooLargeError) Error() string {
	if e.Stated > 0 {
		return fmt.Sprintf("it is %d bytes long, more than the %d that are allowed", e.Stated, e.MaxBytes)
	}
	return fmt.Sprintf("it is longer than the %d bytes that are allowed", e.MaxBytes)
}

// RedirectsError says that there were more redirects than allowed.
type RedirectsError struct{ MaxRedirects int }

// Error implements error.
func (e *RedirectsError) Error() string {
	return fmt.Sprintf("it redirects more than %d times", e.MaxRedirects)
}

// maxHeader is how long the header of an answer may be, in bytes.
const maxHeader = 64 << 10

// Fetcher fetches for one session, several files at once if need be. Use New.
type Fetcher struct {
	userAgent string
	jar       http.CookieJar
	// What tests set: nil is the system's.
	resolver *net.Resolver
	roots    *x509.CertPool
}

// New returns a Fetcher without cookies that calls itself userAgent.
func New(userAgent string) *Fetcher {
	jar, _ := cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List}) // it never fails
	return &Fetcher{userAgent: userAgent, jar: jar}
}

// Fetch saves what r asks for. Whatever ends it early, ctx included, leaves no
// part of a file.
func (f *Fetcher) Fetch(ctx context.Context, r Request, l Limits) (Result, error) {
	target, err := parse(r.URL)
	if err != nil {
		return Result{}, err
	}
	timed, cancel := context.WithTimeoutCause(ctx, l.Timeout, ErrTimeout)
	defer cancel()
	result, err := f.fetch(timed, target, r.Name, l)
	switch {
	case err == nil:
		return result, nil
	case ctx.Err() != nil:
		return Result{}, ErrCancelled
	case errors.Is(context.Cause(timed), ErrTimeout):
		return Result{}, fmt.Errorf("%w (%v)", ErrTimeout, l.Timeout)
	}
	return Result{}, bare(err)
}

func parse(text string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil || u.Hostname() == "" {
		return nil, ErrURL
	}
	return u, check(u)
}

// check judges the address of the request and those it is redirected to.
func check(u *url.URL) error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return ErrURL
	case u.User != nil:
		return ErrUserinfo
	}
	return nil
}

func (f *Fetcher) fetch(ctx context.Context, target *url.URL, name string, l Limits) (Result, error) {
	// One transport for one fetch: no connection is used again, so every one of
	// them has been checked by the limits that hold now.
	transport := f.transport(l)
	defer transport.CloseIdleConnections()
	client := http.Client{Transport: transport, CheckRedirect: l.redirect}
	if l.Cookies {
		client.Jar = f.jar
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	if err != nil {
		return Result{}, ErrURL
	}
	request.Header.Set("User-Agent", f.userAgent)
	request.Header.Set("Accept", "*/*")
	response, err := client.Do(request)
	if err != nil {
		return Result{}, err
	}
	defer response.Body.Close()
	// The length of what was compressed is not known; it is counted on the way.
	if response.ContentLength > l.MaxBytes {
		return Result{}, &TooLargeError{MaxBytes: l.MaxBytes, Stated: response.ContentLength}
	}
	result := Result{
		StatusCode:      response.StatusCode,
		ContentType:     mediaType(response.Header.Get("Content-Type")),
		ContentEncoding: encoding(response.Header.Get("Content-Encoding")),
		FinalURL:        shown(response.Request.URL),
	}
	result.Path, result.Bytes, err = l.save(response.Body, fileName(name, response, result.ContentType))
	return result, err
}

// redirect implements http.Client.CheckRedirect.
func (l Limits) redirect(next *http.Request, past []*http.Request) error {
	switch {
	case len(past) > l.MaxRedirects:
		return &RedirectsError{l.MaxRedirects}
	case next.URL.Scheme == "http" && past[len(past)-1].URL.Scheme == "https":
		return ErrDowngrade
	}
	return check(next.URL)
}

// bare returns an error without what the packages below put before it and the
// caller knows: the address, and that it was to be dialled.
func bare(err error) error {
	var private *PrivateError
	var u *url.Error
	switch {
	case errors.As(err, &private):
		return private
	case errors.As(err, &u):
		return u.Err
	}
	return err
}

// mediaType returns the type that a header states, without parameters; "" if it
// states none. It is shown to a model, so it must be no more than that.
func mediaType(header string) string {
	t, _, _ := mime.ParseMediaType(header)
	kind, sub, ok := strings.Cut(t, "/")
	if !ok || token(kind) == "" || token(sub) == "" {
		return ""
	}
	return t
}

// encoding returns what a header states beyond what was undone already.
func encoding(header string) string {
	if t := token(header); t != "identity" {
		return t
	}
	return ""
}

// token returns a short word of a header, "" for anything else.
func token(s string) string {
	odd := func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("+-._", r))
	}
	if len(s) > 64 || strings.ContainsFunc(s, odd) {
		return ""
	}
	return s
}

// shown returns an address for a person or a model to read.
func shown(u *url.URL) string {
	plain := *u
	plain.Fragment, plain.RawFragment = "", ""
	return plain.String()
}
