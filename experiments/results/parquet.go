package results

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	parquet "github.com/parquet-go/parquet-go"

	"copse/stats/records"
)

// A Parquet file of records has the same columns as records.csv, in the same order. Fields that are empty or
// NA become null. Factor levels and confusion matrices are strings. Replicates and counts are 32-bit
// integers. The columns error and ber and the metrics are doubles. Fingerprints and the seed are strings of
// 16 hexadecimal digits, because some readers, for example in R, convert 64-bit integers to doubles.

const (
	rowsPerGroup = 1 << 16 // the Parquet writer keeps these rows in memory
	rowsPerBatch = 1 << 10 // number of rows that Write collects before it calls the Parquet writer
)

// A parquetExporter writes records to a Parquet file.
type parquetExporter struct {
	w       *parquet.Writer
	study   string
	columns records.Columns
	batch   []parquet.Row
}

// An orderedGroup is a parquet.Group that keeps its columns in the order of names. A parquet.Group
// alone would sort them alphabetically.
type orderedGroup struct {
	parquet.Group
	names []string
}

func (g orderedGroup) Fields() []parquet.Field {
	fields := g.Group.Fields()
	slices.SortFunc(fields, func(a, b parquet.Field) int {
		return slices.Index(g.names, a.Name()) - slices.Index(g.names, b.Name())
	})
	return fields
}

// recordSchema returns the schema of a file with the given columns.
func recordSchema(columns records.Columns) *parquet.Schema {
	g := orderedGroup{Group: parquet.Group{}}
	add := func(name string, node parquet.Node) {
		g.Group[name], g.names = node, append(g.names, name)
	}
	text := parquet.Encoded(parquet.String(), &parquet.RLEDictionary) // each distinct text is stored once
	optionalText := parquet.Optional(text)
	optionalInt := parquet.Optional(parquet.Int(32))
	optionalDouble := parquet.Optional(parquet.Leaf(parquet.DoubleType))
	add("study", text)
	add("cell", text)
	for _, f := range columns.Factors {
		add(f, optionalText)
	}
	add("replicate", parquet.Int(32))
	add("classifier", text)
	add("status", text)
	add("n_test", optionalInt)
	add("errors", optionalInt)
	add("error", optionalDouble)
	add("ber", optionalDouble)
	add("data", optionalText)
	add("message", optionalText)
	if columns.Folds {
		add("repeat", optionalInt)
		add("fold", optionalInt)
	}
	if columns.Confusion {
		add("confusion", optionalText)
	}
	if columns.Tuned {
		add("tuned", optionalText)
	}
	for _, name := range columns.Metrics {
		add(name, optionalDouble)
	}
	return parquet.NewSchema("records", g)
}

// newParquet returns an exporter that writes to w. The metadata of the file describe the study, its recipes
// and its software.
func newParquet(w io.Writer, m *Manifest, columns records.Columns) *parquetExporter {
	options := []parquet.WriterOption{
		recordSchema(columns),
		parquet.Compression(&parquet.Zstd),
		parquet.MaxRowsPerRowGroup(rowsPerGroup),
		parquet.CreatedBy("copse", "", ""),
		parquet.KeyValueMetadata("copse.study", m.Study),
		parquet.KeyValueMetadata("copse.seed", fmt.Sprintf("%016x", m.Seed)),
		parquet.KeyValueMetadata("copse.config_sha256", m.ConfigSHA256),
		parquet.KeyValueMetadata("copse.records_sha256", m.RecordsSHA256),
		parquet.KeyValueMetadata("copse.recipes", jsonText(m.recipes())),
		parquet.KeyValueMetadata("copse.versions", jsonText(m.versions())),
	}
	return &parquetExporter{w: parquet.NewWriter(w, options...), study: m.Study, columns: columns}
}

// recipes returns the recipes of each classifier, keyed by classifier id. A recipe contains the version of
// the classifier.
func (m *Manifest) recipes() map[string][]string {
	lists := map[string][]string{}
	for _, c := range m.Cells {
		for id, recipe := range c.Classifiers {
			if !slices.Contains(lists[id], recipe) {
				lists[id] = append(lists[id], recipe)
			}
		}
	}
	for _, list := range lists {
		slices.Sort(list)
	}
	return lists
}

// versions returns the versions of the software that computed the records, keyed by name. The software is
// copse, Go, and the study's external programs with their packages. Programs are named by their recipes.
func (m *Manifest) versions() map[string][]string {
	lists := map[string][]string{}
	add := func(name, version string) {
		if !slices.Contains(lists[name], version) {
			lists[name] = append(lists[name], version)
		}
	}
	for _, s := range m.Sessions {
		add("copse", s.Platform.Revision)
		add("go", s.Platform.Go)
		for recipe, hello := range s.Programs {
			add(recipe, hello.Describe())
		}
	}
	return lists
}

// jsonText encodes a map as JSON with sorted keys.
func jsonText(lists map[string][]string) string {
	text, err := json.Marshal(lists)
	if err != nil {
		panic(err) // impossible: JSON can represent all texts
	}
	return string(text)
}

// A rowBuilder collects the values of a row in the order of the columns.
type rowBuilder struct{ row parquet.Row }

// required adds the value of a column that every record has.
func (b *rowBuilder) required(v parquet.Value) {
	const repetition, definition = 0, 0
	b.row = append(b.row, v.Level(repetition, definition, len(b.row)))
}

// optional adds the value of an optional column. It adds null if isPresent is false.
func (b *rowBuilder) optional(v parquet.Value, isPresent bool) {
	const repetition, present, null = 0, 1, 0
	if isPresent {
		b.row = append(b.row, v.Level(repetition, present, len(b.row)))
	} else {
		b.row = append(b.row, parquet.NullValue().Level(repetition, null, len(b.row)))
	}
}

// optionalText adds a string, or null if the string is empty.
func (b *rowBuilder) optionalText(s string) { b.optional(textValue(s), s != "") }

// optionalNumber adds a number. It adds null for NaN.
func (b *rowBuilder) optionalNumber(v float64) { b.optional(parquet.DoubleValue(v), !math.IsNaN(v)) }

func textValue(s string) parquet.Value { return parquet.ByteArrayValue([]byte(s)) }

// Write adds a record to the file, with its values in the order of recordSchema. An empty optional text and
// an optional number that is NaN become null.
func (p *parquetExporter) Write(r *records.Record) error {
	var b rowBuilder
	b.required(textValue(p.study))
	b.required(textValue(r.Cell))
	for _, factor := range p.columns.Factors {
		b.optionalText(r.Levels.Of(factor))
	}
	b.required(parquet.Int32Value(int32(r.Replicate)))
	b.required(textValue(r.Classifier))
	b.required(textValue(string(r.Status)))
	b.optional(parquet.Int32Value(int32(r.NTest)), r.Status == records.OK || r.NTest > 0)
	b.optional(parquet.Int32Value(int32(r.Errors)), r.Status == records.OK)
	b.optionalNumber(r.Error)
	b.optionalNumber(r.BER)
	b.optionalText(r.Data)
	b.optionalText(r.Message)
	if p.columns.Folds {
		b.optional(parquet.Int32Value(int32(r.Repeat)), r.Repeat > 0)
		b.optional(parquet.Int32Value(int32(r.Fold)), r.Fold > 0)
	}
	if p.columns.Confusion {
		b.optional(textValue(r.Confusion.String()), r.Confusion != nil)
	}
	if p.columns.Tuned {
		b.optionalText(r.Tuned)
	}
	for _, name := range p.columns.Metrics {
		b.optionalNumber(r.Metric(name))
	}
	p.batch = append(p.batch, b.row)
	if len(p.batch) < rowsPerBatch {
		return nil
	}
	return p.flush()
}

// flush writes the collected rows.
func (p *parquetExporter) flush() error {
	_, err := p.w.WriteRows(p.batch)
	p.batch = p.batch[:0]
	return err
}

// Close writes the remaining rows and the footer of the file.
func (p *parquetExporter) Close() error {
	if err := p.flush(); err != nil {
		return err
	}
	return p.w.Close()
}
