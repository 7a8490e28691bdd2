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

// A Parquet file of records has the columns of records.csv under the same names
// and in the same order. What is NA or empty there is null here. Factor levels
// are texts, as in the study; replicates and counts are 32-bit integers, error, ber
// and metrics doubles, the confusion matrix the text that it is there. Fingerprints are texts of 16
// hexadecimal digits, and so is
// the seed, since readers such as R's turn 64-bit integers into doubles.

const (
	rowsPerGroup = 1 << 16 // held in memory until they are written
	rowsPerBatch = 1 << 10
)

// A parquetExporter writes records to a Parquet file.
type parquetExporter struct {
	w       *parquet.Writer
	study   []byte
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
	return &parquetExporter{w: parquet.NewWriter(w, options...), study: []byte(m.Study), columns: columns}
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

// Write adds a record.
func (p *parquetExporter) Write(r *records.Record) error {
	row := make(parquet.Row, 0, len(p.columns.Factors)+11)
	present := func(v parquet.Value) { row = append(row, v.Level(0, 0, len(row))) }
	optional := func(v parquet.Value, there bool) {
		if there {
			row = append(row, v.Level(0, 1, len(row)))
		} else {
			row = append(row, parquet.NullValue().Level(0, 0, len(row)))
		}
	}
	text := func(s string) parquet.Value { return parquet.ByteArrayValue([]byte(s)) }
	present(parquet.ByteArrayValue(p.study))
	present(text(r.Cell))
	for _, factor := range p.columns.Factors {
		level := r.Levels.Of(factor)
		optional(text(level), level != "")
	}
	present(parquet.Int32Value(int32(r.Replicate)))
	present(text(r.Classifier))
	present(text(string(r.Status)))
	optional(parquet.Int32Value(int32(r.NTest)), r.Status == records.OK || r.NTest > 0)
	optional(parquet.Int32Value(int32(r.Errors)), r.Status == records.OK)
	optional(parquet.DoubleValue(r.Error), !math.IsNaN(r.Error))
	optional(parquet.DoubleValue(r.BER), !math.IsNaN(r.BER))
	optional(text(r.Data), r.Data != "")
	optional(text(r.Message), r.Message != "")
	if p.columns.Confusion {
		optional(text(r.Confusion.String()), r.Confusion != nil)
	}
	if p.columns.Tuned {
		optional(text(r.Tuned), r.Tuned != "")
	}
	for _, name := range p.columns.Metrics {
		v := r.Metric(name)
		optional(parquet.DoubleValue(v), !math.IsNaN(v))
	}
	if p.batch = append(p.batch, row); len(p.batch) < rowsPerBatch {
		return nil
	}
	return p.flush()
}

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
