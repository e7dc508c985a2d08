package otlp

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/rs/zerolog"
	"google.golang.org/protobuf/encoding/protowire"
)

// fate is what became of a request.
type fate int

const (
	delivered fate = iota
	lost           // for good
	cutShort       // the session ended meanwhile
)

const (
	// firstPause is how long to wait after a first failure; each pause is twice as
	// long as the one before, up to longestPause.
	firstPause   = time.Second
	longestPause = 15 * time.Second
	// patience is how long a request is tried.
	patience = 30 * time.Second
	// longestAnswer is how much of an answer is read, in bytes.
	longestAnswer = 64 << 10
)

// sender posts the requests of one signal.
type sender struct {
	Signal
	name      string
	userAgent string
	client    *http.Client
	log       zerolog.Logger
	failing   bool // whether the last one failed, which has been logged
}

// sender returns one for a signal, nil where that is not exported.
func (e *Exporter) sender(name string, s Signal) *sender {
	if s.URL == nil {
		return nil
	}
	return &sender{
		Signal: s, name: name, userAgent: "loopbreaker/" + e.version, log: e.log,
		client: &http.Client{
			Timeout:   s.timeout,
			Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, TLSClientConfig: s.tls, ForceAttemptHTTP2: true, IdleConnTimeout: 2 * time.Minute},
			// What is sent goes where the user said, and nowhere else.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

func (s *sender) close() {
	if s != nil {
		s.client.CloseIdleConnections()
	}
}

// send posts a request, again and again if need be, until ctx is done. It does not wait
// for another try once closing is closed.
func (s *sender) send(ctx context.Context, closing <-chan struct{}, body []byte) fate {
	if s.gzip {
		body = compressed(body)
	}
	giveUp := time.Now().Add(patience)
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		err := s.post(ctx, body)
		if err == nil {
			s.failing = false
			return delivered
		}
		s.failed(err)
		wait := pause/2 + rand.N(pause/2)
		var refused *refusedError
		if errors.As(err, &refused) {
			if !refused.again() {
				return lost
			}
			wait = max(wait, refused.after)
		}
		if time.Now().Add(wait).After(giveUp) {
			return lost
		}
		select {
		case <-time.After(wait):
		case <-closing:
			return cutShort
		case <-ctx.Done():
			return cutShort
		}
	}
}

// failed logs the first of several failures in a row.
func (s *sender) failed(err error) {
	if s.failing || errors.Is(err, context.Canceled) {
		return
	}
	s.failing = true
	var u *url.Error
	if errors.As(err, &u) { // which holds the whole address
		err = u.Err
	}
	s.log.Warn().Str("to", s.Host()).Err(err).Msg("otlp: " + s.name + " are not exported")
}

func (s *sender) post(ctx context.Context, body []byte) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL.String(), bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("User-Agent", s.userAgent)
	for _, h := range s.headers {
		request.Header.Set(h.key, h.value)
	}
	request.Header.Set("Content-Type", "application/x-protobuf")
	if s.gzip {
		request.Header.Set("Content-Encoding", "gzip")
	}
	response, err := s.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, _ := io.ReadAll(io.LimitReader(response.Body, longestAnswer)) // the status is what counts
	if response.StatusCode/100 != 2 {
		return &refusedError{response.StatusCode, retryAfter(response.Header.Get("Retry-After"))}
	}
	if n := rejected(answer); n > 0 {
		s.log.Warn().Str("to", s.Host()).Int64("rejected", n).Msg("otlp: a part of " + s.name + " was rejected")
	}
	return nil
}

// refusedError is an answer that is no success.
type refusedError struct {
	status int
	after  time.Duration // how long the server wants to be left alone
}

// Error implements error.
func (e *refusedError) Error() string { return fmt.Sprintf("the answer was %d", e.status) }

// again reports whether the same request may succeed later, by the standard's list.
func (e *refusedError) again() bool {
	switch e.status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

func retryAfter(header string) time.Duration {
	if seconds, err := strconv.ParseUint(header, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil {
		return time.Until(at)
	}
	return 0
}

// rejected is how many points or records a server did not take, of what it says it has
// taken: partial_success, and in that the first field.
func rejected(answer []byte) int64 {
	partial, _ := protowire.ConsumeBytes(field(answer, 1, protowire.BytesType))
	n, _ := protowire.ConsumeVarint(field(partial, 1, protowire.VarintType))
	return int64(n)
}

// field returns a message from where the value of a field begins, nil without it.
func field(m []byte, number protowire.Number, t protowire.Type) []byte {
	for len(m) > 0 {
		found, kind, n := protowire.ConsumeTag(m)
		if n < 0 {
			return nil
		}
		m = m[n:]
		if found == number && kind == t {
			return m
		}
		if n = protowire.ConsumeFieldValue(found, kind, m); n < 0 {
			return nil
		}
		m = m[n:]
	}
	return nil
}

func compressed(body []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(body) // to memory, which never fails
	z.Close()
	return b.Bytes()
}
