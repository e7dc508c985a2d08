package otlp

import "time"

// event is a finding and when it was made.
type event struct {
	at time.Time
	Finding
}

// Severities of log records.
const (
	severityInfo = 9
	severityWarn = 13
)

// kind is the name of an event and its severity.
func (v event) kind() (name string, severity uint64, text string) {
	switch v.Stage {
	case stageBlock:
		return "loopbreaker.loop_broken", severityWarn, "WARN"
	case stageAbort:
		return "loopbreaker.run_ended", severityWarn, "WARN"
	case stageAsk:
		return "loopbreaker.operator_asked", severityInfo, "INFO"
	}
	return "loopbreaker.loop_noted", severityInfo, "INFO"
}

// logsRequest is an ExportLogsServiceRequest.
func (e *Exporter) logsRequest(events []event) []byte {
	var all message
	for _, v := range events {
		all.bytes(2, v.encode(e.session))
	}
	return e.request(all)
}

// encode is a LogRecord. It has no body: the name and the attributes say it all.
func (v event) encode(session string) (m message) {
	name, severity, severityText := v.kind()
	m.time(1, v.at)
	m.varint(2, severity)
	m.text(3, severityText)
	text := func(key, value string) {
		if value != "" {
			m.attribute(6, key, value)
		}
	}
	text(sessionID, session)
	text(toolName, v.Tool)
	text(rule, v.Rule)
	text(stage, v.Stage)
	text(preset, v.Preset)
	m.count(6, "loopbreaker.count", v.Count)
	m.count(6, "loopbreaker.limit", v.Limit)
	if v.Window > 0 {
		m.count(6, "loopbreaker.window", v.Window)
	}
	text("loopbreaker.parts", v.Parts)
	text("loopbreaker.measure", v.Measure)
	text("loopbreaker.measure_sha256", v.MeasureSHA256)
	if b := v.Broken; b != nil {
		m.count(6, "loopbreaker.repeats", b.Repeats)
		m.count(6, "loopbreaker.blocked_so_far", b.BlockedSoFar)
	}
	m.time(11, v.at)
	m.text(12, name)
	return m
}
