package config

import (
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Schema returns the JSON Schema (draft 2020-12) of a configuration file, for
// editors. The loader is as strict, and beyond it refuses an object that states
// one name twice, which no schema sees.
func Schema() []byte {
	top := append(object{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"title", "Loopbreaker: " + fileName},
	}, schemaOf("")...)
	text, err := jsonv2.Marshal(top, jsontext.WithIndent("  "))
	if err != nil {
		panic(err) // the table holds something that is not JSON
	}
	return append(text, '\n')
}

// schemaOf returns the schema of the object that holds the settings whose paths
// begin with prefix.
func schemaOf(prefix string) object {
	var properties object
	if prefix == "" {
		properties = object{{"$schema", object{{"description", "where this schema is"}, {"type", "string"}}}}
	}
	group := ""
	for _, s := range settings {
		rest, ok := strings.CutPrefix(s.path, prefix)
		if !ok {
			continue
		}
		name, _, deeper := strings.Cut(rest, ".")
		switch {
		case !deeper:
			properties = append(properties, entry{name, append(object{{"description", s.doc + off(s.kind)}}, s.kind.schema()...)})
		case name != group:
			group = name
			path := prefix + name
			properties = append(properties, entry{name, append(object{{"description", groups[path]}}, schemaOf(path+".")...)})
		}
	}
	return object{{"type", "object"}, {"additionalProperties", false}, {"properties", properties}}
}

// off tells what a schema cannot: that 0 is more than a small number.
func off(k kind) string {
	switch k.(type) {
	case stage:
		return "; null, 0 and less are off"
	case limit:
		return "; null is off"
	}
	if k == threshold {
		return "; 0 is off"
	}
	return ""
}

// object is a JSON object whose members stay in order.
type object []entry

type entry struct {
	name  string
	value any
}

// MarshalJSONTo implements json.MarshalerTo.
func (o object) MarshalJSONTo(enc *jsontext.Encoder) error {
	if err := enc.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for _, e := range o {
		if err := enc.WriteToken(jsontext.String(e.name)); err != nil {
			return err
		}
		if err := jsonv2.MarshalEncode(enc, e.value); err != nil {
			return err
		}
	}
	return enc.WriteToken(jsontext.EndObject)
}
