package otlp

import (
	"math"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// message is one of protobuf, encoded. Fields are appended; their numbers are those of
// the .proto files of OTLP 1.
type message []byte

func (m *message) bytes(field protowire.Number, b []byte) {
	*m = protowire.AppendBytes(protowire.AppendTag(*m, field, protowire.BytesType), b)
}

// text leaves out what is empty, as proto3 does. A text that is not UTF-8 would spoil
// the request.
func (m *message) text(field protowire.Number, s string) {
	if s != "" {
		m.bytes(field, []byte(strings.ToValidUTF8(s, "\uFFFD")))
	}
}

func (m *message) varint(field protowire.Number, v uint64) {
	*m = protowire.AppendVarint(protowire.AppendTag(*m, field, protowire.VarintType), v)
}

func (m *message) fixed(field protowire.Number, v uint64) {
	*m = protowire.AppendFixed64(protowire.AppendTag(*m, field, protowire.Fixed64Type), v)
}

func (m *message) double(field protowire.Number, v float64) { m.fixed(field, math.Float64bits(v)) }

func (m *message) time(field protowire.Number, t time.Time) { m.fixed(field, uint64(t.UnixNano())) }

// packed is a repeated fixed64 or double.
func (m *message) packed(field protowire.Number, values []uint64) {
	var b []byte
	for _, v := range values {
		b = protowire.AppendFixed64(b, v)
	}
	m.bytes(field, b)
}

// attribute is a KeyValue.
func (m *message) attribute(field protowire.Number, key, value string) {
	var v message // AnyValue, whose empty text is one too
	v.bytes(1, []byte(strings.ToValidUTF8(value, "\uFFFD")))
	m.keyValue(field, key, v)
}

func (m *message) count(field protowire.Number, key string, value int) {
	var v message
	v.varint(3, uint64(value)) // AnyValue.int_value
	m.keyValue(field, key, v)
}

func (m *message) keyValue(field protowire.Number, key string, value message) {
	var kv message
	kv.text(1, key)
	kv.bytes(2, value)
	m.bytes(field, kv)
}

// schema is the version of the semantic conventions that names go by.
const schema = "https://opentelemetry.io/schemas/1.37.0"

// request is an Export…ServiceRequest of one resource and one scope, whose field of
// data (metrics, log records) is filled. The fields of both kinds have the same numbers.
func (e *Exporter) request(data message) []byte {
	var scope message
	scope.text(1, "github.com/loopbreaker/loopbreaker")
	scope.text(2, e.version)
	var scoped message
	scoped.bytes(1, scope)
	scoped = append(scoped, data...)
	scoped.text(3, schema)
	var resource message
	resource.bytes(1, e.resource)
	resource.bytes(2, scoped)
	resource.text(3, schema)
	var all message
	all.bytes(1, resource)
	return all
}
