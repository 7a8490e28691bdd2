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

// A Parquet file of records has the columns of records.csv under the same names and in the same
// order. An empty or NA field is null. Factor levels and confusion matrices are texts, replicates and
// counts are 32-bit integers, and error, ber and metrics are doubles. Fingerprints and the seed are
// texts of 16 hexadecimal digits, since readers such as R's turn 64-bit integers into doubles.

const (
	rowsPerGroup = 1 << 16 // held in memory until they are written
	rowsPerBatch = 1 << 10
)

// A parquetExporter writes records to a Parquet file.
type parquetExporter struct {
	w       *parquet.Writer
	study   string
	columns records.Columns
	batch   []parquet.Row
}

// orderedGroup is a group whose columns keep their order; parquet.Group sorts
// them by name.
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

// recordSchema describes the columns.
func recordSchema(columns records.Columns) *parquet.Schema {
	g := orderedGroup{Group: parquet.Group{}}
	add := func(name string, node parquet.Node) {
		g.Group[name], g.names = node, append(g.names, name)
	}
	few := parquet.Encoded(parquet.String(), &parquet.RLEDictionary) // columns with few values
	add("study", few)
	add("cell", few)
	for _, f := range columns.Factors {
		add(f, parquet.Optional(few))
	}
	add("replicate", parquet.Int(32))
	add("classifier", few)
	add("status", few)
	add("n_test", parquet.Optional(parquet.Int(32)))
	add("errors", parquet.Optional(parquet.Int(32)))
	add("error", parquet.Optional(parquet.Leaf(parquet.DoubleType)))
	add("ber", parquet.Optional(parquet.Leaf(parquet.DoubleType)))
	add("data", parquet.Optional(few))
	add("message", parquet.Optional(few))
	if columns.Folds {
		add("repeat", parquet.Optional(parquet.Int(32)))
		add("fold", parquet.Optional(parquet.Int(32)))
	}
	if columns.Confusion {
		add("confusion", parquet.Optional(few))
	}
	if columns.Tuned {
		add("tuned", parquet.Optional(few))
	}
	for _, name := range columns.Metrics {
		add(name, parquet.Optional(parquet.Leaf(parquet.DoubleType)))
	}
	return parquet.NewSchema("records", g)
}

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

// recipes lists the recipes of each classifier, which have its version, by id.
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

// versions lists the software that computed the records: revisions of copse, versions of Go, and
// the programs of the study with their packages.
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

// jsonText returns lists by name as JSON, whose keys are sorted.
func jsonText(lists map[string][]string) string {
	text, err := json.Marshal(lists)
	if err != nil {
		panic(err) // texts
	}
	return string(text)
}

// A rowBuilder collects the values of a row in the order of the columns, whose number is the length
// of the row so far.
type rowBuilder struct{ row parquet.Row }

// required adds the value of a column that every record has.
func (b *rowBuilder) required(v parquet.Value) {
	const repetition, definition = 0, 0
	b.row = append(b.row, v.Level(repetition, definition, len(b.row)))
}

// optional adds the value of an optional column; null if isPresent is false.
func (b *rowBuilder) optional(v parquet.Value, isPresent bool) {
	const repetition, present, null = 0, 1, 0
	if isPresent {
		b.row = append(b.row, v.Level(repetition, present, len(b.row)))
	} else {
		b.row = append(b.row, parquet.NullValue().Level(repetition, null, len(b.row)))
	}
}

// optionalText adds a text, null if it is empty.
func (b *rowBuilder) optionalText(s string) { b.optional(textValue(s), s != "") }

// optionalNumber adds a number, null if it is NaN.
func (b *rowBuilder) optionalNumber(v float64) { b.optional(parquet.DoubleValue(v), !math.IsNaN(v)) }

func textValue(s string) parquet.Value { return parquet.ByteArrayValue([]byte(s)) }

// Write adds a record, with its values in the order of recordSchema.
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

// flush writes the rows of the batch.
func (p *parquetExporter) flush() error {
	_, err := p.w.WriteRows(p.batch)
	p.batch = p.batch[:0]
	return err
}

// Close writes what is left and the file's footer.
func (p *parquetExporter) Close() error {
	if err := p.flush(); err != nil {
		return err
	}
	return p.w.Close()
}
