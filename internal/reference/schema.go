package reference

import (
	"encoding/json"
	"io"
	"math"
	"slices"
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

// Values of the parameter allowFactors. withFactors means that a value in the study file may be a
// reference to a factor, such as $n.
const (
	withFactors = true
	noFactors   = false
)

// studySchema returns the JSON Schema of a study file. Most of it follows from the keys.
func studySchema() schema {
	keys := Keys()
	root := objectSchema(keys, noFactors)
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "A copse study"
	root["$defs"] = schema{
		factorReference: schema{"type": "string", "pattern": `^\$`},
		condition:       conditionSchema(),
	}
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
			inItem := properties.at(k.Name, "items", "properties")
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

// at returns the schema at the end of a path of keys.
func (s schema) at(path ...string) schema {
	for _, key := range path {
		s = s[key].(schema)
	}
	return s
}

// objectSchema returns the schema of a mapping with the given keys and no others.
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
	var choices []schema
	for _, names := range config.Choices(keys) { // exactly one key of each list must be given
		var options []schema
		for _, name := range names {
			options = append(options, schema{"required": []string{name}})
		}
		choices = append(choices, schema{"oneOf": options})
	}
	if len(choices) > 0 {
		s["allOf"] = choices
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

// valueSchema returns the schema of the value of a key. The value may be a list (k.List) and may
// have a short form (k.Short).
func valueSchema(k config.Key, allowFactors bool) schema {
	single := kindSchema(k, allowFactors) // the value or, for a list, an item
	list := schema{"type": "array", "items": anyOf([]schema{single}, allowFactors)}
	if k.NotEmpty {
		list["minItems"] = 1
	}
	alternatives := []schema{single}
	switch {
	case k.List && k.Short == "":
		alternatives = []schema{list}
	case k.List: // the short form of [x] is x
		alternatives = []schema{single, list}
	case k.Short != "": // the short form of {k.Short: v} is v
		at := slices.Index(config.Names(k.Keys), k.Short)
		v := valueSchema(k.Keys[at], noFactors) // below, anyOf also allows a factor
		alternatives = []schema{single, v}
	}
	return anyOf(alternatives, allowFactors)
}

// anyOf returns the schema of a value that fits one of the alternatives or, if allowFactors is
// true, is a reference to a factor.
func anyOf(alternatives []schema, allowFactors bool) schema {
	if allowFactors {
		alternatives = append(slices.Clone(alternatives), shared(factorReference))
	}
	if len(alternatives) == 1 {
		return alternatives[0]
	}
	return schema{"anyOf": alternatives}
}

// Names of schemas under "$defs" in the schema of a study. Many keys share these schemas.
const (
	factorReference = "factor"    // a reference to a factor, such as $n
	condition       = "condition" // a condition on factor levels
)

// shared returns a reference to a schema under "$defs", such as factorReference.
func shared(name string) schema { return schema{"$ref": "#/$defs/" + name} }

// kindSchema returns the schema of the value of the key k or, if the value is a list, of an item.
func kindSchema(k config.Key, allowFactors bool) schema {
	switch k.Kind {
	case config.Text:
		s := schema{"type": "string"}
		switch {
		case k.Plain: // numbers and booleans are also allowed, and read as strings
			s = plainValue()
		case k.Unit != "": // a number without a unit is also allowed
			s["type"] = []string{"string", "number"}
		}
		if k.IsName {
			s["pattern"] = namePattern
		}
		if len(k.Options) > 0 {
			s["enum"] = k.Options
		}
		return s
	case config.Number:
		return numberSchema("number", k.Range)
	case config.Whole:
		return numberSchema("integer", k.Range)
	case config.Truth:
		return schema{"type": "boolean"}
	case config.Duration: // more parts may follow the first one, as in 1h30m
		return schema{"type": "string", "pattern": `^[0-9.]+(ns|us|µs|ms|s|m|h)`}
	case config.Mapping:
		return objectSchema(k.Keys, allowFactors)
	case config.Map:
		return schema{"type": "object", "additionalProperties": valueSchema(*k.Values, allowFactors)}
	case config.Condition:
		return shared(condition)
	}
	return nodeSchema(k.Type) // config.Node: another package decodes the value
}

// plainValue returns the schema of a value that is a string, a number or a boolean.
func plainValue() schema { return schema{"type": []string{"string", "number", "boolean"}} }

// conditionSchema returns the schema of a condition on factor levels, such as {n: [200, 400]} or
// [n=200, n=400].
func conditionSchema() schema {
	levels := []schema{plainValue(), {"type": "array", "minItems": 1, "items": plainValue()}}
	return schema{"anyOf": []schema{
		{"type": "object", "additionalProperties": schema{"anyOf": levels}},
		{"type": "array", "items": schema{"type": "string", "pattern": "="}},
	}}
}

// jsonTypes maps the types in our descriptions to the types of JSON Schema.
var jsonTypes = map[string]string{"mapping": "object", "list": "array", "string": "string"}

// nodeSchema returns the schema for a description such as "string, or list of mappings". The first
// word of each alternative is a type or a constant.
func nodeSchema(description string) schema {
	var alternatives []schema
	for part := range strings.SplitSeq(description, ", or ") {
		word, _, _ := strings.Cut(part, " ")
		alternative := schema{"const": word}
		if name, known := jsonTypes[word]; known {
			alternative = schema{"type": name}
		}
		alternatives = append(alternatives, alternative)
	}
	return anyOf(alternatives, noFactors) // the caller adds references
}

// numberSchema returns the schema of a "number" or "integer" in an interval such as [1,inf). The
// empty interval "" has no bounds.
func numberSchema(kind, interval string) schema {
	lowKey, highKey := "exclusiveMinimum", "exclusiveMaximum"
	if strings.HasPrefix(interval, "[") {
		lowKey = "minimum"
	}
	if strings.HasSuffix(interval, "]") {
		highKey = "maximum"
	}
	low, high, _ := strings.Cut(strings.Trim(interval, "[]()"), ",")
	s := schema{"type": kind}
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

// designSchema returns the schema of the section "design". The levels of a factor are a list, a
// mapping from names to values, or an OpenML suite.
func designSchema() schema {
	return schema{"type": "object", "propertyNames": schema{"pattern": namePattern,
		"not": schema{"enum": records.ReservedColumns()}}, "additionalProperties": schema{"anyOf": []schema{
		{"type": "array", "minItems": 1, "items": plainValue()},
		{"type": "object", "minProperties": 1},
		{"type": "string", "pattern": "^openml:suite/[0-9]+$"},
	}}}
}

// dataSchema returns the schema of the section "data", with the schemas of all generators.
func dataSchema(k config.Key) schema {
	s := objectSchema(k.Keys, withFactors)
	for _, below := range k.Keys {
		if below.Name == "generator" {
			generator := schema{"anyOf": []schema{methodSchema(below.Keys, "name"), shared(factorReference)}}
			s.at("properties")["generator"] = describe(generator, below)
		}
	}
	return schema{"anyOf": []schema{s, shared(factorReference)}}
}

// methodSchema returns the schema of a generator or classifier: a name, a reference to a factor, or
// a mapping with parameters and, under nameKey, the name. methods lists all generators or all
// classifiers. The keys of a method are its parameters.
func methodSchema(methods []config.Key, nameKey string) schema {
	var parameterRules []schema // if a mapping has the name of a method, it may have only its parameters
	for _, method := range methods {
		hasThisName := schema{"const": method.Name}
		parameters := objectSchema(method.Keys, withFactors)
		parameters.at("properties")[nameKey] = hasThisName
		required, _ := parameters["required"].([]string) // nil if no key is required
		if !slices.Contains(required, nameKey) {
			parameters["required"] = append(required, nameKey)
		}
		parameterRules = append(parameterRules, schema{
			"if":   schema{"properties": schema{nameKey: hasThisName}, "required": []string{nameKey}},
			"then": parameters,
		})
	}
	anyName := schema{"enum": config.Names(methods)}
	mapping := schema{
		"type":       "object",
		"required":   []string{nameKey},
		"properties": schema{nameKey: schema{"anyOf": []schema{anyName, shared(factorReference)}}},
		"allOf":      parameterRules,
	}
	return schema{"anyOf": []schema{anyName, mapping, shared(factorReference)}}
}
