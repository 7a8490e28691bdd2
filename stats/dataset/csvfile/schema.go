package csvfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"copse/stats/dataset"
	"copse/stats/regular"
)

// A Schema is a Table Schema of the Frictionless standard (datapackage.org, version 2) with the
// additional keys class and folds.
type Schema struct {
	Fields        []Field  `json:"fields"`
	MissingValues []string `json:"missingValues,omitempty"`
	Class         string   `json:"class,omitempty"` // the class column; empty: the last one
	Folds         []string `json:"folds,omitempty"` // columns with the fold of each row, one per repeat
}

type Field struct {
	Name       string   `json:"name"`
	Type       string   `json:"type"` // number, integer, string or boolean
	Categories []string `json:"categories,omitempty"`
}

func (f *Field) kind() kind {
	if f.Categories == nil && (f.Type == "number" || f.Type == "integer") {
		return numeric
	}
	return discrete
}

// fields returns the fields by name. The map is empty for a nil schema.
func (s *Schema) fields() map[string]*Field {
	fields := map[string]*Field{}
	if s != nil {
		for j := range s.Fields {
			fields[s.Fields[j].Name] = &s.Fields[j]
		}
	}
	return fields
}

// IsDiscrete reports whether the schema, which may be nil, declares a column discrete.
func (s *Schema) IsDiscrete(column string) bool {
	f := s.fields()[column]
	return f != nil && f.kind() == discrete
}

// SchemaFile returns the path of the schema that belongs to a CSV file: x.schema.json for x.csv.
func SchemaFile(csv string) string { return strings.TrimSuffix(csv, ".csv") + ".schema.json" }

// SchemaOf returns the schema for the CSV file that Write produces from the same arguments.
func SchemaOf(s *dataset.Set, class string) *Schema {
	schema := &Schema{MissingValues: []string{"NA"}}
	for _, a := range s.Attributes {
		f := Field{Name: a.Name, Type: "number"}
		if a.Kind == dataset.Discrete {
			f.Type = "string"
			f.Categories = append([]string{}, a.Levels...)
		}
		schema.Fields = append(schema.Fields, f)
	}
	if s.Labelled() {
		schema.Class = class
		schema.Fields = append(schema.Fields, Field{Name: class, Type: "string", Categories: s.Classes})
	}
	return schema
}

// WriteSchema writes SchemaOf(s, class) as JSON.
func WriteSchema(w io.Writer, s *dataset.Set, class string) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(SchemaOf(s, class))
}

// ReadSchemaFile reads a schema. It returns nil if the file does not exist.
func ReadSchemaFile(path string) (*Schema, error) {
	text, err := regular.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s := &Schema{}
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("%s: the file is not a valid table schema: %w; correct the file or remove it", path, err)
	}
	return s, nil
}
