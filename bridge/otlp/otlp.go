// Package otlp exports what a guard does, as metrics and events, to where the standard
// OTEL_EXPORTER_OTLP_* variables say: OTLP over HTTP, in protobuf.
//
// It is told names, counts and digests, and nothing of what a call was asked or what
// it answered. Whatever becomes of an export, nobody waits for it: what is told is
// counted or queued at once, goroutines of its own send it, and what finds no room is
// dropped and counted.
//
// The official SDK would add nine megabytes to the program, and protobuf with the
// generated messages one and a half. The dozen messages that are sent are written field by field
// instead (message.go); tests read them with the official definitions.
package otlp

import (
	"context"
	"sync"
	"time"

	"github.com/rs/zerolog"
)

const (
	// queueLength is how many events wait at most, and batch how many are sent at
	// once; both are the standard's defaults.
	queueLength = 2048
	batch       = 512
	// gather is how long the first event of a batch waits for others.
	gather = time.Second
	// lastWords is how long the end of a session waits for what is left to be sent, and
	// Pi with it. The shim kills a guard that takes half a second longer.
	lastWords = time.Second
)

// Exporter exports for one session. A nil *Exporter exports nothing, and costs nothing.
type Exporter struct {
	settings      Settings
	version       string
	log           zerolog.Logger
	now           func() time.Time
	metrics, logs *sender // nil where the signal is not exported

	resource message
	session  string
	running  sync.WaitGroup
	ctx      context.Context // of whatever is on its way
	cancel   context.CancelFunc
	closing  chan struct{} // closed when the session ends
	wake     chan struct{} // there are events

	mu      sync.Mutex
	tools   map[string]bool // those that the guard was asked about
	series  [instruments]map[string]*series
	began   time.Time
	sent    time.Time // of the last metrics, where they are differences
	queue   []event
	stopped bool
}

// New returns an exporter that goes by s, nil where that exports nothing. What of s
// does not count is logged.
func New(s Settings, version string, log zerolog.Logger) *Exporter {
	for _, problem := range s.Problems {
		log.Warn().Msg("otlp: " + problem)
	}
	if !s.On() {
		return nil
	}
	e := &Exporter{
		settings: s, version: version, log: log, now: time.Now,
		closing: make(chan struct{}), wake: make(chan struct{}, 1), tools: map[string]bool{},
	}
	e.ctx, e.cancel = context.WithCancel(context.Background())
	e.metrics, e.logs = e.sender("metrics", s.Metrics), e.sender("logs", s.Logs)
	e.began = e.now()
	e.sent = e.began
	return e
}

// Open begins the export of a session that has a name, held by a host that has one.
func (e *Exporter) Open(session, host string) {
	if e == nil {
		return
	}
	e.session = session
	e.resource = e.settings.resource(session, host, e.version)
	if e.metrics != nil {
		e.running.Go(e.exportMetrics)
	}
	if e.logs != nil {
		e.running.Go(e.exportEvents)
	}
}

// Stop ends the export at once: what waits is forgotten, and nothing is sent or counted
// any more.
func (e *Exporter) Stop() {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.stopped, e.queue = true, nil
	e.cancel()
}

// Close sends what is left, as far as that can be done quickly, and ends the export.
func (e *Exporter) Close() {
	if e == nil {
		return
	}
	close(e.closing)
	late := time.AfterFunc(lastWords, e.cancel)
	e.running.Wait()
	if !late.Stop() {
		e.log.Warn().Msg("otlp: the end of the session did not wait for all to be sent")
	}
	e.cancel()
	for _, s := range []*sender{e.metrics, e.logs} {
		s.close()
	}
}

// exportMetrics sends the metrics now and then, and at the end.
func (e *Exporter) exportMetrics() {
	tick := time.NewTicker(e.settings.Interval)
	defer tick.Stop()
	for closing := false; !closing; {
		select {
		case <-tick.C:
		case <-e.closing:
			closing = true
		case <-e.ctx.Done():
			return
		}
		taken := e.take()
		if len(taken.points) > 0 && e.metrics.send(e.ctx, e.closing, e.metricsRequest(taken)) == delivered {
			e.took(taken)
		}
	}
}

// exportEvents sends events as they come, some at a time.
func (e *Exporter) exportEvents() {
	var events []event
	for closing := false; !closing; {
		if len(events) == 0 {
			select {
			case <-e.wake:
			case <-e.closing:
			case <-e.ctx.Done():
				return
			}
		}
		select { // others may follow
		case <-time.After(gather):
		case <-e.closing:
			closing = true
		case <-e.ctx.Done():
			return
		}
		for {
			if len(events) == 0 {
				events = e.next()
			}
			if len(events) == 0 {
				break
			}
			fate := e.logs.send(e.ctx, e.closing, e.logsRequest(events))
			if fate == cutShort { // the session ends: once more, with the last ones
				break
			}
			if fate == lost {
				e.dropped(len(events))
			}
			events = nil
		}
	}
}

// next takes the oldest events out of the queue.
func (e *Exporter) next() []event {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := min(batch, len(e.queue))
	events := e.queue[:n:n]
	e.queue = e.queue[n:]
	return events
}

// push queues an event, if there is room.
func (e *Exporter) push(v event) {
	if e.logs == nil || e.stopped {
		return
	}
	if len(e.queue) >= queueLength {
		e.add(droppedEvents, 1)
		return
	}
	e.queue = append(e.queue, v)
	select {
	case e.wake <- struct{}{}:
	default: // it is awake
	}
}

func (e *Exporter) dropped(n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.add(droppedEvents, uint64(n))
}
