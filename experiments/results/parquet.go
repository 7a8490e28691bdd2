package results

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"

	parquet "github.com/parquet-go/parquet-go"

	"copse/stats/records"
)

// A Parquet file of records has the columns of records.csv. Empty fields become null. In columns of
// numbers and in the column confusion, NA also becomes null.
//
// Fingerprints and the seed are hexadecimal digits, because some readers convert 64-bit integers to
// doubles.

const (
	rowsPerGroup = 1 << 16 // the Parquet writer keeps these rows in memory
	rowsPerBatch = 1 << 10 // number of rows that Write collects before it calls the Parquet writer
)

// A parquetExporter writes records to a Parquet file.
type parquetExporter struct {
	w       *parquet.Writer
	columns []parquet.Field
	batch   []parquet.Row
}

// An orderedGroup is a parquet.Group with its columns in the order listed in names. A parquet.Group
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

// columnNode returns the Parquet type of a column of records.csv. factors contains the names of the
// factors.
func columnNode(name string, factors []string) parquet.Node {
	text := parquet.Encoded(parquet.String(), &parquet.RLEDictionary) // each distinct text is stored once
	if slices.Contains(factors, name) {
		return parquet.Optional(text)
	}
	switch name {
	case "study", "cell", "classifier", "status":
		return text
	case "data", "message", "confusion", "tuned":
		return parquet.Optional(text)
	case "replicate":
		return parquet.Int(32)
	case "n_test", "errors", "repeat", "fold":
		return parquet.Optional(parquet.Int(32))
	}
	return parquet.Optional(parquet.Leaf(parquet.DoubleType)) // error, ber and the metrics
}

// newParquet returns an exporter for the records of in. The file also describes the study and its
// software.
func newParquet(w io.Writer, m *Manifest, in *records.Reader) *parquetExporter {
	columns := orderedGroup{parquet.Group{}, in.Header}
	for _, name := range in.Header {
		columns.Group[name] = columnNode(name, in.Factors)
	}
	schema := parquet.NewSchema("records", columns)
	out := parquet.NewWriter(
		w,
		schema,
		parquet.Compression(&parquet.Zstd),
		parquet.MaxRowsPerRowGroup(rowsPerGroup),
		parquet.CreatedBy("copse", "", ""),
		parquet.KeyValueMetadata("copse.study", m.Study),
		parquet.KeyValueMetadata("copse.seed", fmt.Sprintf("%016x", m.Seed)),
		parquet.KeyValueMetadata("copse.config_sha256", m.ConfigSHA256),
		parquet.KeyValueMetadata("copse.records_sha256", m.RecordsSHA256),
		parquet.KeyValueMetadata("copse.recipes", jsonText(m.recipes())),
		parquet.KeyValueMetadata("copse.versions", jsonText(m.versions())),
	)
	return &parquetExporter{w: out, columns: schema.Fields()}
}

// recipes returns the recipes of each classifier by its id.
func (m *Manifest) recipes() textLists {
	lists := textLists{}
	for _, c := range m.Cells {
		for id, recipe := range c.Classifiers {
			lists.add(id, recipe)
		}
	}
	for _, list := range lists {
		slices.Sort(list)
	}
	return lists
}

// versions returns the versions of the software that computed the records. The keys are "copse",
// "go" and the recipe of each external program.
func (m *Manifest) versions() textLists {
	lists := textLists{}
	for _, s := range m.Sessions {
		lists.add("copse", s.Platform.Revision)
		lists.add("go", s.Platform.Go)
		for recipe, hello := range s.Programs {
			lists.add(recipe, hello.Describe())
		}
	}
	return lists
}

// textLists contains lists of distinct texts by name.
type textLists map[string][]string

// add adds a text to a list unless the list already contains it.
func (lists textLists) add(name, text string) {
	if !slices.Contains(lists[name], text) {
		lists[name] = append(lists[name], text)
	}
}

func jsonText(lists textLists) string {
	text, _ := json.Marshal(lists) // JSON can represent all texts
	return string(text)
}

// parquetValue converts a valid field of records.csv to a value of a column, which is null if the
// field is missing.
func parquetValue(column parquet.Field, field string) parquet.Value {
	// In columns of texts, NA can be valid, for example as a factor level.
	isNumber := column.Type().Kind() != parquet.ByteArray
	isMissing := field == records.NotAvailable && (isNumber || column.Name() == "confusion")
	if column.Optional() && (field == "" || isMissing) {
		return parquet.NullValue()
	}
	switch column.Type().Kind() {
	case parquet.Int32:
		v, _ := strconv.ParseInt(field, 10, 32)
		return parquet.Int32Value(int32(v))
	case parquet.Double:
		v, _ := strconv.ParseFloat(field, 64)
		return parquet.DoubleValue(v)
	}
	return parquet.ByteArrayValue([]byte(field))
}

// Write adds a row of records.csv, whose fields must be valid.
func (p *parquetExporter) Write(fields []string) error {
	row := make(parquet.Row, len(fields))
	for i, column := range p.columns {
		const repetition = 0
		definition := 0 // 1 for the values of optional columns, but 0 for null
		value := parquetValue(column, fields[i])
		if column.Optional() && !value.IsNull() {
			definition = 1
		}
		row[i] = value.Level(repetition, definition, i)
	}
	p.batch = append(p.batch, row)
	if len(p.batch) < rowsPerBatch {
		return nil
	}
	return p.flush()
}

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
