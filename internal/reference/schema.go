package reference

import (
	"encoding/json"
	"io"
	"math"
	"strconv"
	"strings"

	"copse/experiments/config"
	"copse/experiments/study"
	"copse/stats/records"
)

// WriteSchema writes the JSON Schema of study files, docs/reference/study.schema.json.
func WriteSchema(out io.Writer) error {
	e := json.NewEncoder(out)
	e.SetIndent("", " ")
	e.SetEscapeHTML(false)
	return e.Encode(studySchema())
}

// namePattern matches the names that config.ValidName accepts.
const namePattern = "^[A-Za-z0-9][A-Za-z0-9._-]*$"

// A schema is a JSON Schema as nested maps.
type schema map[string]any

// studySchema returns the JSON Schema of a study file. It is derived from the keys of a study file, except
// for parts of the sections design, nested, data and classifiers.
func studySchema() schema {
	keys := Keys()
	const allowFactors = false
	root := objectSchema(keys, allowFactors)
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "A copse study"
	properties := root["properties"].(schema)
	for _, k := range keys {
		switch k.Name {
		case "study":
			name := properties[k.Name].(schema)
			name["pattern"], name["maxLength"] = namePattern, study.MaxNameLength
		case "seed":
			properties[k.Name].(schema)["minimum"] = 0
		case "design":
			properties[k.Name] = describe(designSchema(), k)
		case "nested":
			inItem := properties.at(k.Name, "items", "properties") // the keys of each list item
			inItem["design"] = designSchema()
		case "data":
			properties[k.Name] = describe(dataSchema(k), k)
		case "classifiers":
			list := schema{"type": "array", "minItems": 1, "items": methodSchema(k.Keys, "classifier")}
			properties[k.Name] = describe(list, k)
		}
	}
	return root
}

// at returns the schema that is reached from s by following a path of keys.
func (s schema) at(path ...string) schema {
	for _, key := range path {
		s = s[key].(schema)
	}
	return s
}

// objectSchema returns the schema of a mapping with the given keys and no others. If allowFactors is
// true, values may be references to factors, such as $n.
func objectSchema(keys []config.Key, allowFactors bool) schema {
	properties, required := schema{}, []string{}
	for _, k := range keys {
		properties[k.Name] = describe(valueSchema(k, allowFactors), k)
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

// describe adds the description of a key to its schema.
func describe(s schema, k config.Key) schema {
	if k.Doc != "" {
		s["description"] = k.Doc
	}
	return s
}

// valueSchema returns the schema of the value of a key, including lists and, if allowFactors is true,
// references to factors.
func valueSchema(k config.Key, allowFactors bool) schema {
	s := kindSchema(k, allowFactors)
	if k.List {
		s = schema{"type": "array", "items": s}
	}
	if allowFactors && k.Kind != config.Node {
		return schema{"anyOf": []schema{s, factorReference()}}
	}
	return s
}

// factorReference returns the schema of a reference to a factor, such as $n.
func factorReference() schema { return schema{"type": "string", "pattern": `^\$`} }

// kindSchema returns the JSON Schema of one value of the key k, or of one item if the value is a list. If
// allowFactors is true, the entries of a mapping may refer to factors of the study, such as $n. The result {}
// allows any value.
func kindSchema(k config.Key, allowFactors bool) schema {
	switch k.Kind {
	case config.Text:
		s := schema{"type": "string"}
		if k.Unit != "" { // a number without a unit is also allowed
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
	case config.Duration: // more parts may follow the first one, as in 1h30m
		return schema{"type": "string", "pattern": `^[0-9.]+(ns|us|µs|ms|s|m|h)`}
	case config.Mapping:
		return objectSchema(k.Keys, allowFactors)
	case config.Texts:
		return schema{"type": "object", "additionalProperties": schema{"type": "string"}}
	case config.Node:
		if len(k.Keys) > 0 { // any value; if it is a mapping, it has these keys
			return schema{"if": schema{"type": "object"}, "then": objectSchema(k.Keys, allowFactors)}
		}
	}
	return schema{}
}

// withinRange adds the bounds of an interval such as [1,inf) to the schema of a number. The empty
// interval "" has no bounds.
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

// addBound sets a key of a schema, such as "minimum", unless the bound is infinite or empty.
func addBound(s schema, key, bound string) {
	v, err := strconv.ParseFloat(strings.TrimSpace(bound), 64)
	if err == nil && !math.IsInf(v, 0) {
		s[key] = v
	}
}

// designSchema returns the schema of the section design. The levels of a factor are a list of scalars, a
// mapping from level names to values, or a suite of OpenML tasks.
func designSchema() schema {
	scalar := schema{"type": []string{"string", "number", "boolean"}}
	return schema{"type": "object", "propertyNames": schema{"pattern": namePattern,
		"not": schema{"enum": records.ReservedColumns()}}, "additionalProperties": schema{"anyOf": []schema{
		{"type": "array", "minItems": 1, "items": scalar},
		{"type": "object", "minProperties": 1},
		{"type": "string", "pattern": "^openml:suite/[0-9]+$"},
	}}}
}

// dataSchema returns the schema of the section data, with the schemas of all generators.
func dataSchema(k config.Key) schema {
	s := objectSchema(k.Keys, true)
	for _, below := range k.Keys {
		if below.Name == "generator" {
			generator := schema{"anyOf": []schema{methodSchema(below.Keys, "name"), factorReference()}}
			s.at("properties")["generator"] = describe(generator, below)
		}
	}
	return schema{"anyOf": []schema{s, factorReference()}}
}

// methodSchema returns the JSON Schema of a generator or classifier in a study file. Such a method is written
// as a name, a reference to a factor such as $method, or a mapping. The mapping contains the name under
// nameKey and the parameters under other keys. Each element of methods describes a name and its parameters.
func methodSchema(methods []config.Key, nameKey string) schema {
	names := []string{}
	var rules []schema // if the method is NAME, only the parameters of NAME are allowed
	for _, method := range methods {
		names = append(names, method.Name)
		hasThisName := schema{"const": method.Name}
		const allowFactors = true
		parameters := objectSchema(method.Keys, allowFactors)
		parameters.at("properties")[nameKey] = hasThisName
		parameters["required"] = []string{nameKey}
		rules = append(rules, schema{
			"if":   schema{"properties": schema{nameKey: hasThisName}, "required": []string{nameKey}},
			"then": parameters,
		})
	}
	anyName := schema{"enum": names}
	mapping := schema{
		"type":       "object",
		"required":   []string{nameKey},
		"properties": schema{nameKey: schema{"anyOf": []schema{anyName, factorReference()}}},
		"allOf":      rules,
	}
	return schema{"anyOf": []schema{anyName, mapping, factorReference()}}
}
