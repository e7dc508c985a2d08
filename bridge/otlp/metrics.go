package otlp

import (
	"math"
	"slices"
	"strings"
	"time"
)

// instrument is one of the metrics.
type instrument int

const (
	toolCalls instrument = iota
	rejectedCalls
	refusals
	remarks
	questions
	endedRuns
	faults
	droppedEvents
	decisionDuration
	instruments
)

// table says what the instruments are called.
var table = [instruments]struct{ name, unit, help string }{
	toolCalls:        {"loopbreaker.tool.calls", "{call}", "Tool calls that the guard was asked about."},
	rejectedCalls:    {"loopbreaker.tool.rejected", "{call}", "Tool calls that were answered before the guard was asked."},
	refusals:         {"loopbreaker.refusals", "{call}", "Tool calls that the guard refused."},
	remarks:          {"loopbreaker.remarks", "{remark}", "Remarks to the model without a refusal."},
	questions:        {"loopbreaker.questions", "{question}", "Tool calls about which the operator was asked."},
	endedRuns:        {"loopbreaker.runs.ended", "{run}", "Runs that the guard ended."},
	faults:           {"loopbreaker.faults", "{fault}", "Messages of the host that the guard answered with an error."},
	droppedEvents:    {"loopbreaker.events.dropped", "{event}", "Events that could not be exported."},
	decisionDuration: {"loopbreaker.decision.duration", "s", "How long the guard took to answer a message."},
}

// Names of attributes, of the semantic conventions where these have one.
const (
	toolName  = "gen_ai.tool.name"
	sessionID = "session.id"
	rpcMethod = "rpc.method"
	errorType = "error.type"
	rule      = "loopbreaker.rule"
	stage     = "loopbreaker.stage"
	preset    = "loopbreaker.preset"
)

// attr is an attribute of a series.
type attr struct{ key, value string }

// bounds are those of the histogram's buckets, in seconds.
var bounds = []float64{10e-6, 25e-6, 50e-6, 100e-6, 250e-6, 500e-6, 1e-3, 2.5e-3, 5e-3, 10e-3, 25e-3, 50e-3, 100e-3, 250e-3, 1}

// maxSeries is how many series an instrument has; the rest is counted in one more, as
// the standard has it.
const maxSeries = 512

var overflow = []attr{{"otel.metric.overflow", "true"}}

// series is what an instrument has counted for one set of attributes.
type series struct {
	attrs []attr
	counted
	before counted // what had been delivered, where differences are sent
}

type counted struct {
	count     uint64
	sum       float64
	least     float64
	most      float64
	perBucket []uint64
}

// add and observe count, for the series of these attributes.
func (e *Exporter) add(i instrument, n uint64, attrs ...attr) {
	if s := e.of(i, attrs); s != nil {
		s.count += n
	}
}

func (e *Exporter) observe(i instrument, v float64, attrs ...attr) {
	s := e.of(i, attrs)
	if s == nil {
		return
	}
	if s.perBucket == nil {
		s.perBucket = make([]uint64, len(bounds)+1)
	}
	if s.count == 0 {
		s.least, s.most = v, v
	}
	s.least, s.most = min(s.least, v), max(s.most, v)
	s.count++
	s.sum += v
	bucket, _ := slices.BinarySearch(bounds, v) // an upper bound belongs to its bucket
	s.perBucket[bucket]++
}

// of returns a series, nil where metrics are not exported.
func (e *Exporter) of(i instrument, attrs []attr) *series {
	if e.metrics == nil || e.stopped {
		return nil
	}
	all := e.series[i]
	if all == nil {
		all = map[string]*series{}
		e.series[i] = all
	}
	key := keyOf(attrs)
	if all[key] == nil && len(all) >= maxSeries {
		attrs = overflow
		key = keyOf(attrs)
	}
	if all[key] == nil {
		all[key] = &series{attrs: slices.Clone(attrs)}
	}
	return all[key]
}

func keyOf(attrs []attr) string {
	var b strings.Builder
	for _, a := range attrs {
		b.WriteString(a.key)
		b.WriteByte(0)
		b.WriteString(a.value)
		b.WriteByte(0)
	}
	return b.String()
}

// taken is what the metrics were at a time.
type taken struct {
	from, to time.Time
	delta    bool
	points   []point
}

// point is one series then: value is what is sent of it.
type point struct {
	instrument
	of           *series
	value, total counted
}

// take takes what there is to be sent: all, or with differences only what is new.
func (e *Exporter) take() taken {
	e.mu.Lock()
	defer e.mu.Unlock()
	t := taken{from: e.began, to: e.now(), delta: e.settings.Delta}
	if t.delta {
		t.from = e.sent
	}
	if e.stopped {
		return t
	}
	for i, all := range e.series {
		for _, s := range all {
			p := point{instrument(i), s, s.counted, s.counted}
			p.total.perBucket = slices.Clone(s.perBucket)
			p.value.perBucket = slices.Clone(s.perBucket)
			if t.delta {
				p.value.subtract(s.before)
			}
			if p.value.count > 0 {
				t.points = append(t.points, p)
			}
		}
	}
	return t
}

// took notes that they were delivered.
func (e *Exporter) took(t taken) {
	if !t.delta {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.sent = t.to
	for _, p := range t.points {
		p.of.before = p.total
	}
}

func (c *counted) subtract(before counted) {
	c.count -= before.count
	c.sum -= before.sum
	for i, n := range before.perBucket {
		c.perBucket[i] -= n
	}
}

const (
	deltaTemporality      = 1
	cumulativeTemporality = 2
)

// metricsRequest is an ExportMetricsServiceRequest.
func (e *Exporter) metricsRequest(t taken) []byte {
	temporality := uint64(cumulativeTemporality)
	if t.delta {
		temporality = deltaTemporality
	}
	var all message
	for rest := t.points; len(rest) > 0; { // those of one instrument follow each other
		i := rest[0].instrument
		var data message // Sum or Histogram
		for len(rest) > 0 && rest[0].instrument == i {
			data.bytes(1, rest[0].encode(t))
			rest = rest[1:]
		}
		data.varint(2, temporality)
		var m message // Metric
		m.text(1, table[i].name)
		m.text(2, table[i].help)
		m.text(3, table[i].unit)
		if i == decisionDuration {
			m.bytes(9, data)
		} else {
			data.varint(3, 1) // is_monotonic
			m.bytes(7, data)
		}
		all.bytes(2, m)
	}
	return e.request(all)
}

// encode is a NumberDataPoint or HistogramDataPoint.
func (p point) encode(t taken) (m message) {
	m.time(2, t.from)
	m.time(3, t.to)
	if p.instrument != decisionDuration {
		m.fixed(6, p.value.count) // as_int
		for _, a := range p.of.attrs {
			m.attribute(7, a.key, a.value)
		}
		return m
	}
	m.fixed(4, p.value.count)
	m.double(5, p.value.sum)
	m.packed(6, p.value.perBucket)
	var explicit []uint64
	for _, b := range bounds {
		explicit = append(explicit, math.Float64bits(b))
	}
	m.packed(7, explicit)
	for _, a := range p.of.attrs {
		m.attribute(9, a.key, a.value)
	}
	if !t.delta { // of a part of the time they are not known
		m.double(11, p.value.least)
		m.double(12, p.value.most)
	}
	return m
}
