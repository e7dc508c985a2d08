package otlp

import (
	"cmp"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"
)

// Settings are what the environment says of the export. Only the environment does: it
// is the user's, and no project has a say in it.
type Settings struct {
	// Metrics and Logs are where they are sent.
	Metrics, Logs Signal
	// Interval is how much time passes between two exports of metrics.
	Interval time.Duration
	// Delta is whether metrics are sent as differences.
	Delta bool
	// Problems is what does not count and why, a sentence each.
	Problems []string

	attributes []attr // of the resource
}

// Signal is where one kind of telemetry is sent, and how.
type Signal struct {
	// URL is nil where it is not exported.
	URL     *url.URL
	headers []attr
	timeout time.Duration
	gzip    bool
	tls     *tls.Config
}

// Host is the part of the address that may be shown: no password, no path, no query.
func (s Signal) Host() string { return s.URL.Scheme + "://" + s.URL.Host }

// On reports whether anything is exported.
func (s Settings) On() bool { return s.Metrics.URL != nil || s.Logs.URL != nil }

// What holds where the environment does not say: the standard's defaults.
const (
	defaultInterval = time.Minute
	defaultTimeout  = 10 * time.Second
)

const prefix = "OTEL_"

// Read reads the settings from an environment, as os.Environ returns it. Nothing is
// exported unless it names an endpoint.
func Read(environ []string) Settings {
	r := reader{}
	for _, v := range environ {
		if name, value, _ := strings.Cut(v, "="); strings.HasPrefix(name, prefix) && strings.TrimSpace(value) != "" { // an empty one counts as none
			if r.variables == nil {
				r.variables = map[string]string{}
			}
			r.variables[name] = strings.TrimSpace(value)
		}
	}
	if r.variables == nil || strings.EqualFold(r.variables["OTEL_SDK_DISABLED"], "true") {
		return Settings{}
	}
	s := Settings{Metrics: r.signal("METRICS"), Logs: r.signal("LOGS")}
	if s.On() {
		s.Interval = r.milliseconds("OTEL_METRIC_EXPORT_INTERVAL", defaultInterval)
		s.Delta = r.delta()
		s.attributes = r.attributes()
	}
	s.Problems = r.problems
	return s
}

type reader struct {
	variables map[string]string
	problems  []string
}

// problem notes what is wrong with a variable. Its value, which may be a secret, is
// left out.
func (r *reader) problem(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(r.problems, text) {
		r.problems = append(r.problems, text)
	}
}

// option is a variable of the exporter, for one signal or else for both.
func (r *reader) option(signal, name string) (variable, value string) {
	variable = "OTEL_EXPORTER_OTLP_" + signal + "_" + name
	if value, ok := r.variables[variable]; ok {
		return variable, value
	}
	variable = "OTEL_EXPORTER_OTLP_" + name
	return variable, r.variables[variable]
}

// signal reads where one signal goes.
func (r *reader) signal(name string) (s Signal) {
	if chosen := r.variables["OTEL_"+name+"_EXPORTER"]; chosen != "" && !slices.Contains(strings.Split(strings.ReplaceAll(chosen, " ", ""), ","), "otlp") {
		return s
	}
	target := r.endpoint(name)
	if target == nil {
		return s
	}
	switch variable, protocol := r.option(name, "PROTOCOL"); protocol {
	case "", "http/protobuf":
	case "grpc":
		r.problem("%s is grpc, which is not spoken here, so %s are not exported; set OTEL_EXPORTER_OTLP_%s_PROTOCOL=http/protobuf and OTEL_EXPORTER_OTLP_%[3]s_ENDPOINT", variable, strings.ToLower(name), name)
		return s
	case "http/json":
		r.problem("%s is http/json, which is not spoken here; http/protobuf is sent", variable)
	default:
		r.problem("%s is none of http/protobuf, http/json, grpc; http/protobuf is sent", variable)
	}
	variable, timeout := r.option(name, "TIMEOUT")
	s.timeout = r.duration(variable, timeout, defaultTimeout)
	switch variable, compression := r.option(name, "COMPRESSION"); compression {
	case "", "none":
	case "gzip":
		s.gzip = true
	default:
		r.problem("%s is neither gzip nor none; nothing is compressed", variable)
	}
	variable, list := r.option(name, "HEADERS")
	headers, err := headerPairs(list)
	if err != nil {
		r.problem("%s does not count: %v", variable, err)
	}
	s.headers = headers
	if s.tls, err = r.tls(name); err != nil {
		r.problem("%v, so %s are not exported", err, strings.ToLower(name))
		return s
	}
	s.URL = target
	return s
}

// endpoint is the address for a signal: its own as it is, or the common one with the
// signal's path; nil where there is none.
func (r *reader) endpoint(signal string) *url.URL {
	variable, text := r.option(signal, "ENDPOINT")
	if text == "" {
		return nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		r.problem("%s is no address that begins with http:// or https://", variable)
		return nil
	}
	if variable == "OTEL_EXPORTER_OTLP_ENDPOINT" {
		return u.JoinPath("v1", strings.ToLower(signal))
	}
	u.Path = cmp.Or(u.Path, "/")
	return u
}

// tls reads whom to trust, nil for whom the system does. Certificates of our own would
// have the program hold the code that signs, a hundred kilobytes.
func (r *reader) tls(signal string) (*tls.Config, error) {
	for _, name := range []string{"CLIENT_CERTIFICATE", "CLIENT_KEY"} {
		if variable, path := r.option(signal, name); path != "" {
			return nil, fmt.Errorf("%s is there, which is not supported here", variable)
		}
	}
	variable, path := r.option(signal, "CERTIFICATE")
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s names a file that cannot be read", variable)
	}
	c := &tls.Config{RootCAs: x509.NewCertPool()}
	if !c.RootCAs.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s names a file without a certificate", variable)
	}
	return c, nil
}

func (r *reader) delta() bool {
	const variable = "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE"
	switch strings.ToLower(r.variables[variable]) {
	case "", "cumulative":
	case "delta", "lowmemory": // the same for counters and histograms
		return true
	default:
		r.problem("%s is none of cumulative, delta, lowmemory; cumulative is sent", variable)
	}
	return false
}

func (r *reader) milliseconds(variable string, otherwise time.Duration) time.Duration {
	return r.duration(variable, r.variables[variable], otherwise)
}

func (r *reader) duration(variable, text string, otherwise time.Duration) time.Duration {
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil || n == 0 {
		r.problem("%s is no whole number of milliseconds above 0; it is %d", variable, otherwise.Milliseconds())
		return otherwise
	}
	return time.Duration(n) * time.Millisecond
}

// attributes are what the environment says of the resource. A list with a mistake does
// not count at all, as the standard has it.
func (r *reader) attributes() []attr {
	const variable = "OTEL_RESOURCE_ATTRIBUTES"
	all, err := pairs(r.variables[variable])
	if err != nil {
		r.problem("%s does not count: %v", variable, err)
	}
	if name := r.variables["OTEL_SERVICE_NAME"]; name != "" {
		all = append(all, attr{"service.name", name})
	}
	return all
}

// headerPairs reads headers. What cannot be sent does not count either: the client would
// say so with the name, and the name in "Authorization: Bearer SECRET=" is the secret.
func headerPairs(list string) ([]attr, error) {
	all, err := pairs(list)
	for _, h := range all {
		if !httpguts.ValidHeaderFieldName(h.key) || !httpguts.ValidHeaderFieldValue(h.value) {
			return nil, errors.New("not all of it is name=value as a header has them")
		}
	}
	return all, err
}

// pairs reads a list in the form of W3C Baggage: key=value,key=value, percent-encoded.
func pairs(list string) (all []attr, err error) {
	for i, member := range strings.Split(list, ",") {
		if strings.TrimSpace(member) == "" {
			continue
		}
		key, value, ok := strings.Cut(member, "=")
		key = strings.TrimSpace(key)
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if !ok || key == "" || err != nil {
			return nil, fmt.Errorf("its member %d is not key=value, percent-encoded", i+1)
		}
		all = append(all, attr{key, value})
	}
	return all, nil
}

// resource is the Resource of a session: what the environment says is stronger, and of
// two attributes of one name the last.
func (s Settings) resource(session, host, version string) (m message) {
	all := []attr{
		{"service.name", "loopbreaker"}, {"service.version", version}, {"service.instance.id", instanceID()},
		{sessionID, session}, {"gen_ai.agent.name", host},
	}
	all = append(all, s.attributes...)
	for i, a := range all {
		again := func(b attr) bool { return b.key == a.key }
		if a.value != "" && !slices.ContainsFunc(all[i+1:], again) {
			m.attribute(1, a.key, a.value)
		}
	}
	return m
}

// instanceID is a random UUID. Two guards, also of one session, are two sources.
func instanceID() string {
	var b [16]byte
	rand.Read(b[:]) // it never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
