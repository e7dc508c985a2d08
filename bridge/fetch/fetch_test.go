package fetch

import (
	"compress/gzip"
	"context"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// web is a small internet on this machine: servers on loopback, and names that
// lead there. Whatever stands at public.test may be fetched.
type web struct {
	t      *testing.T
	names  map[string][]netip.Addr // absolute, with their dot
	lookup func(name string) []netip.Addr
	Fetcher
	Limits
}

func newWeb(t *testing.T) *web {
	w := &web{t: t, names: map[string][]netip.Addr{"public.test.": {netip.MustParseAddr("127.0.0.1")}}}
	w.lookup = func(name string) []netip.Addr { return w.names[name] }
	w.Fetcher = *New("test")
	w.resolver = &net.Resolver{PreferGo: true, Dial: w.nameServer}
	hosts, _ := ParseHosts([]string{"public.test", "*.public.test"})
	w.Limits = Limits{Workspace: t.TempDir(), Folder: "fetched", MaxBytes: 1000, Timeout: time.Minute, MaxRedirects: 5, Private: hosts}
	return w
}

// nameServer answers the resolver's questions, as a server does over TCP.
func (w *web) nameServer(context.Context, string, string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	go func() {
		defer ours.Close()
		for {
			var size [2]byte
			if _, err := io.ReadFull(ours, size[:]); err != nil {
				return
			}
			question := make([]byte, binary.BigEndian.Uint16(size[:]))
			var m dnsmessage.Message
			if _, err := io.ReadFull(ours, question); err != nil || m.Unpack(question) != nil {
				return
			}
			m.Response, m.RecursionAvailable, m.Additionals = true, true, nil
			q := m.Questions[0]
			head := dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class}
			found := w.lookup(strings.ToLower(q.Name.String()))
			if found == nil {
				m.RCode = dnsmessage.RCodeNameError
			}
			for _, ip := range found {
				if q.Type == dnsmessage.TypeA && ip.Is4() {
					m.Answers = append(m.Answers, dnsmessage.Resource{Header: head, Body: &dnsmessage.AResource{A: ip.As4()}})
				}
				if q.Type == dnsmessage.TypeAAAA && ip.Is6() {
					m.Answers = append(m.Answers, dnsmessage.Resource{Header: head, Body: &dnsmessage.AAAAResource{AAAA: ip.As16()}})
				}
			}
			answer, err := m.AppendPack(size[:])
			if err != nil {
				return
			}
			binary.BigEndian.PutUint16(answer, uint16(len(answer)-2))
			if _, err := ours.Write(answer); err != nil {
				return
			}
		}
	}()
	return theirs, nil
}

// serve returns the address of a server, its host being public.test.
func (w *web) serve(handle http.HandlerFunc) string {
	s := httptest.NewServer(handle)
	w.t.Cleanup(s.Close)
	return strings.Replace(s.URL, "127.0.0.1", "public.test", 1)
}

// serveTLS does over TLS, its host being example.com, which its certificate names.
// It offers HTTP/2, as servers of the web do.
func (w *web) serveTLS(handle http.HandlerFunc) string {
	s := httptest.NewUnstartedServer(handle)
	s.EnableHTTP2 = true
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	w.t.Cleanup(s.Close)
	w.roots = x509.NewCertPool()
	w.roots.AddCert(s.Certificate())
	return strings.Replace(s.URL, "127.0.0.1", "example.com", 1)
}

func (w *web) get(url string) (Result, error) {
	return w.Fetch(context.Background(), Request{URL: url}, w.Limits)
}

// files are the contents of all files of the workspace, by path.
func (w *web) files() map[string]string {
	w.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(w.Workspace, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(w.Workspace, path)
		all[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return all
}

// nothing fails the test if the workspace holds any file.
func (w *web) nothing() {
	w.t.Helper()
	if files := w.files(); len(files) > 0 {
		w.t.Errorf("left behind: %q", files)
	}
}

func TestAFileIsSavedAsItIs(t *testing.T) {
	w := newWeb(t)
	var seen http.Header
	at := w.serve(func(out http.ResponseWriter, in *http.Request) {
		seen = in.Header
		out.Header().Set("Content-Type", "Text/HTML; charset=utf-8")
		io.WriteString(out, "<p>h\x00\xffllo")
	})
	got, err := w.get(" " + at + "/a/page.html?q=1#part ")
	want := Result{StatusCode: 200, ContentType: "text/html", Bytes: 9, FinalURL: at + "/a/page.html?q=1", Path: "fetched/page.html"}
	if err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	if files := w.files(); len(files) != 1 || files["fetched/page.html"] != "<p>h\x00\xffllo" {
		t.Errorf("%q", files)
	}
	if seen.Get("User-Agent") != "test" || seen.Get("Cookie") != "" || seen.Get("Referer") != "" {
		t.Errorf("sent: %v", seen)
	}
}

// What a server says of an error is evidence, and stands in a file.
func TestAnErrorOfTheServerIsAResult(t *testing.T) {
	w := newWeb(t)
	at := w.serve(func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Content-Type", "application/problem+json")
		out.WriteHeader(404)
		io.WriteString(out, `{"no":"such page"}`)
	})
	got, err := w.get(at + "/v1/thing")
	if err != nil || got.StatusCode != 404 || got.ContentType != "application/problem+json" || w.files()[got.Path] != `{"no":"such page"}` {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAddressesThatAreNotFetched(t *testing.T) {
	w := newWeb(t)
	for url, want := range map[string]error{
		"": ErrURL, "public.test/x": ErrURL, "//public.test/": ErrURL, "/etc/passwd": ErrURL, "http://": ErrURL, "http:///x": ErrURL, "http://:80/": ErrURL,
		"file:///etc/passwd": ErrURL, "file://public.test/x": ErrURL, "ftp://public.test/": ErrURL, "gopher://public.test/_": ErrURL,
		"data:text/plain,x": ErrURL, "javascript:alert(1)": ErrURL, "unix:///var/run/docker.sock": ErrURL, "jar:http://public.test!/": ErrURL,
		"http://public.test:port/": ErrURL, "http://public.test/\nX: y": ErrURL, "http://pub lic.test/": ErrURL, "http://[::1/": ErrURL,
		"http://me:secret@public.test/": ErrUserinfo, "https://token@public.test/": ErrUserinfo,
	} {
		if _, err := w.get(url); !errors.Is(err, want) {
			t.Errorf("%q: %v", url, err)
		}
	}
	w.nothing()
}

func TestTooLarge(t *testing.T) {
	w := newWeb(t)
	var sent atomic.Int64
	chunk := strings.Repeat("x", 100)
	for name, tt := range map[string]struct {
		handle http.HandlerFunc
		stated int64
	}{
		"said so": {func(out http.ResponseWriter, _ *http.Request) {
			out.Header().Set("Content-Length", "1001")
			out.Write(make([]byte, 1001))
		}, 1001},
		"never ends": {func(out http.ResponseWriter, in *http.Request) {
			for in.Context().Err() == nil {
				n, err := io.WriteString(out, chunk)
				if sent.Add(int64(n)); err != nil {
					return
				}
			}
		}, 0},
		"grows as it is unpacked": {func(out http.ResponseWriter, _ *http.Request) {
			out.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(out)
			defer z.Close()
			for range 100_000 { // 100 MB in 100 KB
				if _, err := z.Write(make([]byte, 1000)); err != nil {
					return
				}
			}
		}, 0},
	} {
		_, err := w.get(w.serve(tt.handle) + "/x")
		var large *TooLargeError
		if !errors.As(err, &large) || large.MaxBytes != 1000 || large.Stated != tt.stated {
			t.Errorf("%s: %v", name, err)
		}
		w.nothing()
	}
}

func TestAsLargeAsIsAllowed(t *testing.T) {
	w := newWeb(t)
	packed := w.serve(func(out http.ResponseWriter, in *http.Request) {
		if in.Header.Get("Accept-Encoding") != "gzip" {
			t.Error("gzip is not asked for")
		}
		out.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(out)
		z.Write(make([]byte, 1000))
		z.Close()
	})
	plain := w.serve(func(out http.ResponseWriter, _ *http.Request) { out.Write(make([]byte, 1000)) })
	for _, at := range []string{packed, plain} {
		if got, err := w.get(at + "/x"); err != nil || got.Bytes != 1000 || got.ContentEncoding != "" || len(w.files()[got.Path]) != 1000 {
			t.Errorf("%+v, %v", got, err)
		}
	}
}

func TestWhatIsStillEncodedIsSaidToBe(t *testing.T) {
	w := newWeb(t)
	at := w.serve(func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Content-Encoding", "br")
		out.Write([]byte{1, 2, 3})
	})
	if got, err := w.get(at + "/x"); err != nil || got.ContentEncoding != "br" || got.Bytes != 3 {
		t.Errorf("%+v, %v", got, err)
	}
}

// A body that breaks off leaves nothing, however it does.
func TestBrokenAnswers(t *testing.T) {
	w := newWeb(t)
	for name, answer := range map[string]string{
		"shorter than it said": "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf",
		"a broken chunk":       "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nzz",
		"no gzip":              "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nhalf",
		"gzip cut off":         "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 10\r\n\r\n\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff",
		"nothing at all":       "",
		"no HTTP":              "SSH-2.0-OpenSSH_9.9\r\n",
		"an endless header":    "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 2*maxHeader) + "\r\n\r\n",
	} {
		at := w.serve(func(out http.ResponseWriter, _ *http.Request) {
			conn, _, err := out.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			io.WriteString(conn, answer)
			conn.Close()
		})
		if got, err := w.get(at + "/x"); err == nil || strings.ContainsAny(err.Error(), "\r\n") {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		w.nothing()
	}
}

// stuck is a server that sends the beginning of an answer and then nothing. It
// tells when it has, and when its client has gone.
func (w *web) stuck(header bool) (at string, begun, gone chan struct{}) {
	begun, gone = make(chan struct{}), make(chan struct{})
	return w.serve(func(out http.ResponseWriter, in *http.Request) {
		if header {
			io.WriteString(out, "half")
			out.(http.Flusher).Flush()
		}
		close(begun)
		<-in.Context().Done()
		close(gone)
	}) + "/x", begun, gone
}

func TestTimeout(t *testing.T) {
	for _, header := range []bool{false, true} {
		w := newWeb(t)
		w.Timeout = 50 * time.Millisecond
		at, _, _ := w.stuck(header)
		if _, err := w.get(at); !errors.Is(err, ErrTimeout) || !strings.Contains(err.Error(), "50ms") {
			t.Errorf("header %v: %v", header, err)
		}
		w.nothing()
	}
}

func TestCancel(t *testing.T) {
	for _, header := range []bool{false, true} {
		w := newWeb(t)
		at, begun, gone := w.stuck(header)
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			<-begun
			cancel()
		}()
		if _, err := w.Fetch(ctx, Request{URL: at}, w.Limits); !errors.Is(err, ErrCancelled) {
			t.Errorf("header %v: %v", header, err)
		}
		<-gone
		w.nothing()
	}
	w := newWeb(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := w.Fetch(ctx, Request{URL: "http://public.test/"}, w.Limits); !errors.Is(err, ErrCancelled) {
		t.Errorf("before it began: %v", err)
	}
}

func TestRedirects(t *testing.T) {
	w := newWeb(t)
	at := w.serve(func(out http.ResponseWriter, in *http.Request) {
		var n int
		if fmt.Sscanf(in.URL.Path, "/%d", &n); n > 0 {
			http.Redirect(out, in, fmt.Sprintf("/%d?from=%d", n-1, n), 301+n%2)
			return
		}
		io.WriteString(out, "here")
	})
	if got, err := w.get(at + "/5"); err != nil || got.FinalURL != at+"/0?from=1" || got.Path != "fetched/0.txt" {
		t.Errorf("%+v, %v", got, err)
	}
	var many *RedirectsError
	if _, err := w.get(at + "/6"); !errors.As(err, &many) || many.MaxRedirects != 5 {
		t.Errorf("%v", err)
	}
	w.MaxRedirects = 0
	if _, err := w.get(at + "/1"); !errors.As(err, &many) {
		t.Errorf("%v", err)
	}
	if got, err := w.get(at + "/0"); err != nil || got.Path != "fetched/0-2.txt" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestNoWayFromHTTPSToHTTP(t *testing.T) {
	w := newWeb(t)
	w.names["example.com."] = w.names["public.test."]
	w.Private, _ = ParseHosts([]string{"public.test", "example.com"})
	plain := w.serve(func(out http.ResponseWriter, in *http.Request) { io.WriteString(out, "plain") })
	safe := w.serveTLS(func(out http.ResponseWriter, in *http.Request) {
		if in.URL.Path == "/down" {
			http.Redirect(out, in, plain, http.StatusFound)
			return
		}
		io.WriteString(out, "safe")
	})
	up := w.serve(func(out http.ResponseWriter, in *http.Request) { http.Redirect(out, in, safe+"/up", http.StatusFound) })
	if _, err := w.get(safe + "/down"); !errors.Is(err, ErrDowngrade) {
		t.Errorf("%v", err)
	}
	w.nothing()
	if got, err := w.get(up); err != nil || got.FinalURL != safe+"/up" {
		t.Errorf("%+v, %v", got, err)
	}
	w.roots = nil
	if _, err := w.get(safe); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("a certificate that nobody signed: %v", err)
	}
}

// What is released is built without HTTP/2, which is to change nothing.
func TestOnlyHTTP1IsSpoken(t *testing.T) {
	w := newWeb(t)
	w.names["example.com."] = w.names["public.test."]
	w.Private, _ = ParseHosts([]string{"example.com"})
	got, err := w.get(w.serveTLS(func(out http.ResponseWriter, in *http.Request) { io.WriteString(out, in.Proto) }))
	if err != nil {
		t.Fatal(err)
	}
	if text := w.files()[got.Path]; text != "HTTP/1.1" {
		t.Errorf("spoken to in %q", text)
	}
}

func TestCookies(t *testing.T) {
	w := newWeb(t)
	for _, name := range []string{"a.public.test.", "b.public.test."} {
		w.names[name] = w.names["public.test."]
	}
	var mu sync.Mutex
	var seen []string
	at := w.serve(func(out http.ResponseWriter, in *http.Request) {
		mu.Lock()
		seen = append(seen, in.Header.Get("Cookie"))
		mu.Unlock()
		http.SetCookie(out, &http.Cookie{Name: "id", Value: "7"})
		http.SetCookie(out, &http.Cookie{Name: "wide", Value: "8", Domain: "test"}) // a public suffix: not taken
	})
	visit := func(host string, want string) {
		t.Helper()
		if _, err := w.get(strings.Replace(at, "public.test", host, 1) + "/x"); err != nil {
			t.Fatal(err)
		}
		if got := seen[len(seen)-1]; got != want {
			t.Errorf("%s was sent %q, want %q", host, got, want)
		}
	}
	visit("a.public.test", "")
	visit("a.public.test", "")
	w.Cookies = true
	visit("a.public.test", "")
	visit("a.public.test", "id=7")
	visit("b.public.test", "")
	w.Cookies = false
	visit("a.public.test", "")
	w.Cookies = true
	visit("a.public.test", "id=7")
	if w.jar = New("").jar; w.jar != nil {
		visit("a.public.test", "")
	}
}
