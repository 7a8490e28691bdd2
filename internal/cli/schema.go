package cli

import (
	"encoding/json"
	"io"
	"math"
	"strconv"
	"strings"

	"copse/experiments/config"
	"copse/stats/records"
)

// writeSchema writes the JSON Schema of study files, docs/reference/study.schema.json.
func writeSchema(out io.Writer) error {
	e := json.NewEncoder(out)
	e.SetIndent("", " ")
	e.SetEscapeHTML(false)
	return e.Encode(studySchema())
}

// namePattern matches the names that config.ValidName accepts.
const namePattern = "^[A-Za-z0-9][A-Za-z0-9._-]*$"

// A schema is a JSON Schema.
type schema map[string]any

// studySchema returns the schema of a study file.
func studySchema() schema {
	keys := studyKeys()
	root := objectSchema(keys, false)
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "A copse study"
	properties := root["properties"].(schema)
	for _, k := range keys {
		switch k.Name {
		case "study":
			properties[k.Name].(schema)["pattern"] = namePattern
		case "seed":
			properties[k.Name].(schema)["minimum"] = 0
		case "design":
			properties[k.Name] = describe(designSchema(), k)
		case "nested":
			properties[k.Name].(schema)["items"].(schema)["properties"].(schema)["design"] = designSchema()
		case "data":
			properties[k.Name] = describe(dataSchema(k), k)
		case "classifiers":
			properties[k.Name] = describe(schema{"type": "array", "minItems": 1, "items": namedSchema(k.Keys,
				"classifier")}, k)
		}
	}
	return root
}

// objectSchema returns the schema of a mapping that may have only these keys. With factors, every
// value may be a reference $factor.
func objectSchema(keys []config.Key, factors bool) schema {
	properties, required := schema{}, []string{}
	for _, k := range keys {
		properties[k.Name] = describe(valueSchema(k, factors), k)
		if k.Required {
			required = append(required, k.Name)
		}
	}
	s := schema{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// describe adds the meaning of a key to its schema.
func describe(s schema, k config.Key) schema {
	if k.Doc != "" {
		s["description"] = k.Doc
	}
	return s
}

// valueSchema returns the schema of the value of a key, or of its list of values.
func valueSchema(k config.Key, factors bool) schema {
	s := kindSchema(k, factors)
	if k.List {
		s = schema{"type": "array", "items": s}
	}
	if factors && k.Kind != config.Node {
		return schema{"anyOf": []schema{s, factorSchema()}}
	}
	return s
}

// factorSchema returns the schema of a reference to a factor.
func factorSchema() schema { return schema{"type": "string", "pattern": `^\$`} }

// kindSchema returns the schema of one value of a key.
func kindSchema(k config.Key, factors bool) schema {
	switch k.Kind {
	case config.Text:
		s := schema{"type": "string"}
		if k.Unit != "" {
			s["type"] = []string{"string", "number"}
		}
		if len(k.Options) > 0 {
			s["enum"] = k.Options
		}
		return s
	case config.Number:
		return withinRange(schema{"type": "number"}, k.Range)
	case config.Whole:
		return withinRange(schema{"type": "integer"}, k.Range)
	case config.Truth:
		return schema{"type": "boolean"}
	case config.Duration:
		return schema{"type": "string", "pattern": `^[0-9.]+(ns|us|µs|ms|s|m|h)`}
	case config.Mapping:
		return objectSchema(k.Keys, factors)
	case config.Texts:
		return schema{"type": "object", "additionalProperties": schema{"type": "string"}}
	case config.Node:
		if len(k.Keys) > 0 {
			return schema{"if": schema{"type": "object"}, "then": objectSchema(k.Keys, factors)}
		}
	}
	return schema{}
}

// withinRange adds an interval such as [1,inf) to the schema of a number; "" allows any number.
func withinRange(s schema, interval string) schema {
	lowKey, highKey := "exclusiveMinimum", "exclusiveMaximum"
	if strings.HasPrefix(interval, "[") {
		lowKey = "minimum"
	}
	if strings.HasSuffix(interval, "]") {
		highKey = "maximum"
	}
	low, high, _ := strings.Cut(strings.Trim(interval, "[]()"), ",")
	addBound(s, lowKey, low)
	addBound(s, highKey, high)
	return s
}

// addBound sets a key of a schema to a finite number. It ignores inf and an empty bound.
func addBound(s schema, key, bound string) {
	v, err := strconv.ParseFloat(strings.TrimSpace(bound), 64)
	if err == nil && !math.IsInf(v, 0) {
		s[key] = v
	}
}

// designSchema returns the schema of factors: lists of levels, or mappings from names to values.
func designSchema() schema {
	scalar := schema{"type": []string{"string", "number", "boolean"}}
	return schema{"type": "object", "propertyNames": schema{"pattern": namePattern,
		"not": schema{"enum": records.ReservedColumns()}}, "additionalProperties": schema{"anyOf": []schema{
		{"type": "array", "minItems": 1, "items": scalar},
		{"type": "object", "minProperties": 1},
	}}}
}

// dataSchema returns the schema of the section data, in which every value may be a $factor. It
// lists the generators.
func dataSchema(k config.Key) schema {
	s := objectSchema(k.Keys, true)
	for _, below := range k.Keys {
		if below.Name == "generator" {
			s["properties"].(schema)["generator"] = describe(schema{"anyOf": []schema{namedSchema(below.Keys, "name"),
				factorSchema()}}, below)
		}
	}
	return schema{"anyOf": []schema{s, factorSchema()}}
}

// namedSchema returns the schema of a generator or classifier: its name alone, or a mapping of its
// parameters with the name under the key under. list has a key for each method, with its parameters
// below.
func namedSchema(list []config.Key, under string) schema {
	names := []string{}
	var chosen []schema
	for _, k := range list {
		names = append(names, k.Name)
		s := objectSchema(k.Keys, true)
		s["properties"].(schema)[under] = schema{"const": k.Name}
		s["required"] = []string{under}
		chosen = append(chosen, schema{
			"if":   schema{"properties": schema{under: schema{"const": k.Name}}, "required": []string{under}},
			"then": s,
		})
	}
	mapping := schema{"type": "object", "required": []string{under},
		"properties": schema{under: schema{"anyOf": []schema{{"enum": names}, factorSchema()}}}, "allOf": chosen}
	return schema{"anyOf": []schema{{"enum": names}, mapping, factorSchema()}}
}
