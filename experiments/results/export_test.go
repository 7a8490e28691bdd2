package results_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	parquet "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/internal/toys"
	"copse/stats/records"
)

// exportStudy has failures and a factor that some cells lack.
const exportStudy = `study: export
seed: 18446744073709551615
replicates: 3
design:
  family: {near: {name: toy, shift: 1}, far: {name: toy, shift: 9, d: $d}}
nested:
  - {under: {family: far}, design: {d: [2, 3]}}
data:
  generator: $family
  train: {n: 20}
  test: {n: 30}
classifiers: [centroid, faulty, oracle]
`

func exported(t *testing.T, dir string) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := results.Export(dir, &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func exportFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	toys.RunIn(t, toys.Load(t, exportStudy), dir)
	return dir
}

// Compressed records give the same file.
func TestExportOfZippedRecords(t *testing.T) {
	dir := exportFolder(t)
	if !bytes.Equal(exported(t, dir), exported(t, toys.Clone(t, dir, true))) {
		t.Error("the files differ")
	}
}

// Compressed records stay compressed when they are written again.
func TestZippedRecordsStayZipped(t *testing.T) {
	dir := toys.Clone(t, exportFolder(t), true)
	if err := toys.Collect(dir, toys.Open(t, dir).Study); err != nil {
		t.Fatal(err)
	}
	if path, err := records.Path(dir); err != nil || filepath.Base(path) != folder.Records+".gz" {
		t.Errorf("records in %s, %v", path, err)
	}
}

// parquetFields formats a row of a Parquet file as in records.csv.
func parquetFields(row parquet.Row, columns []string) []string {
	fields := make([]string, len(columns))
	for _, v := range row {
		name, text := columns[v.Column()], ""
		switch {
		case v.IsNull() && (name == "n_test" || name == "errors" || name == "error" || name == "ber" ||
			name == "confusion"):
			text = "NA"
		case v.IsNull():
		case v.Kind() == parquet.Int32:
			text = strconv.Itoa(int(v.Int32()))
		case v.Kind() == parquet.Double:
			text = strconv.FormatFloat(v.Double(), 'g', -1, 64)
		default:
			text = string(v.ByteArray())
		}
		fields[v.Column()] = text
	}
	return fields
}

// The Parquet file has every column and row of records.csv, bit for bit.
func TestExportParquet(t *testing.T) {
	dir := exportFolder(t)
	text := exported(t, dir)
	file, err := parquet.OpenFile(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	var columns []string
	for _, path := range file.Schema().Columns() {
		columns = append(columns, path[0])
	}
	got := []string{strings.Join(columns, ",")}
	for _, group := range file.RowGroups() {
		rows := group.Rows()
		defer rows.Close()
		buffer := make([]parquet.Row, 7)
		for {
			n, err := rows.ReadRows(buffer)
			for _, row := range buffer[:n] {
				got = append(got, strings.Join(parquetFields(row, columns), ","))
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	want := strings.Split(strings.TrimSuffix(filetest.Read(t, filepath.Join(dir, folder.Records)), "\n"), "\n")
	if len(got) != len(want) || len(want) != 1+3*3*3 {
		t.Fatalf("%d lines, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("row %d: %s\nwant %s", i, got[i], want[i])
		}
	}
	if seed, _ := file.Lookup("copse.seed"); seed != "ffffffffffffffff" {
		t.Errorf("seed %q", seed)
	}
}

// The metadata have the study's SHA-256, recipes and versions; columns with few different strings are
// dictionary-encoded.
func TestExportMetadata(t *testing.T) {
	dir := exportFolder(t)
	text := exported(t, dir)
	file, err := parquet.OpenFile(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(filetest.Read(t, filepath.Join(dir, folder.Study))))
	for key, want := range map[string]string{
		"copse.study":         "export",
		"copse.config_sha256": hex.EncodeToString(sum[:]),
		"copse.recipes":       `{"centroid":["centroid/1{axis=0}"],"faulty":["faulty/1{`,
		"copse.versions": `{"copse":["` + results.ThisPlatform().Revision + `"],"go":["` + runtime.Version() +
			`"]}`,
	} {
		if got, ok := file.Lookup(key); !ok || !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", key, got, want)
		}
	}
	dictionaries := 0
	for _, column := range file.Metadata().RowGroups[0].Columns {
		if slices.Contains(column.MetaData.Encoding, format.RLEDictionary) {
			dictionaries++
		}
	}
	if dictionaries != 9 { // study, cell, family, d, classifier, status, data, message, confusion
		t.Errorf("%d columns have a dictionary", dictionaries)
	}
}

// DuckDB reads the same values from the Parquet file as from the CSV file.
func TestExportParquetInDuckDB(t *testing.T) {
	if os.Getenv("COPSE_DUCKDB") == "" {
		t.Skip("NOT TESTED: an independent reader of Parquet; set COPSE_DUCKDB=1 to install DuckDB with npm for it")
	}
	work := t.TempDir()
	install := exec.Command("npm", "install", "--no-audit", "--no-fund", "@duckdb/node-api@1.5.6-r.1")
	install.Dir = work
	if out, err := install.CombinedOutput(); err != nil {
		t.Skipf("NOT TESTED: DuckDB cannot be installed here: %v\n%s", err, out)
	}
	dir := exportFolder(t)
	for name, text := range map[string][]byte{"r.parquet": exported(t, dir),
		"r.csv":       []byte(filetest.Read(t, filepath.Join(dir, folder.Records))),
		"compare.mjs": []byte(filetest.Read(t, "testdata/duckdb/compare.mjs"))} {
		filetest.Write(t, filepath.Join(work, name), string(text))
	}
	node := exec.Command("node", "compare.mjs", "r.parquet", "r.csv")
	node.Dir = work
	if out, err := node.CombinedOutput(); err != nil || !strings.Contains(string(out), "27 rows, the same") ||
		!strings.Contains(string(out), `copse.recipes={"centroid":["centroid/1{axis=0}"]`) {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestExportRefuses(t *testing.T) {
	dir := exportFolder(t)
	for _, c := range []struct {
		spoil func(folder string)
		want  string
	}{
		{func(f string) { os.Remove(filepath.Join(f, folder.Records)) }, "copse report"},
		{func(f string) { os.Remove(filepath.Join(f, folder.Manifest)) }, folder.Manifest},
		{func(f string) {
			path := filepath.Join(f, folder.Records)
			text := filetest.Read(t, path)
			filetest.Write(t, path, text[:1+strings.LastIndexByte(text[:len(text)-1], '\n')])
		}, "but manifest.json lists "},
	} {
		folder := toys.Clone(t, dir, false)
		c.spoil(folder)
		_, err := results.Export(folder, io.Discard)
		errtest.Contains(t, err, c.want)
	}
}

// Edited records can be written again only from journals.
func TestAdviceOnEditedRecords(t *testing.T) {
	dir := exportFolder(t)
	clone := toys.Clone(t, dir, false) // without journals
	for edited, want := range map[string]string{
		dir:   ": restore both files, or write them again with `copse report " + dir + "`",
		clone: ": restore both files",
	} {
		path := filepath.Join(edited, folder.Records)
		text := filetest.Read(t, path)
		filetest.Write(t, path, strings.Replace(text, ",oracle,", ",orakel,", 1))
		_, err := results.Export(edited, io.Discard)
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v, want the end %q", err, want)
		}
	}
}

// manyRecords is a reader that generates a records file of n rows.
func manyRecords(w io.Writer, n int) error {
	out, err := records.NewWriter(w, "many", records.Columns{Factors: []string{"n"}})
	if err != nil {
		return err
	}
	for i := range n {
		r := records.Record{
			Cell:       fmt.Sprintf("cell-%d", i/80_000),
			Levels:     records.Align([]string{"n"}, []string{strconv.Itoa(i / 80_000)}),
			Replicate:  1 + i%80_000/8,
			Classifier: fmt.Sprint("c", i%8),
			Status:     records.OK,
			NTest:      1000,
			Errors:     i * 7 % 500,
			Data:       fmt.Sprintf("%016x", uint64(i/8)*0x9e3779b97f4a7c15),
		}
		r.Error, r.BER = float64(r.Errors)/1000, math.Sqrt(float64(i%997))/1000
		if err := out.Write(&r); err != nil {
			return err
		}
	}
	return out.Flush()
}

// BenchmarkExport exports 10^6 records.
func BenchmarkExport(b *testing.B) {
	rows := 1_000_000
	if testing.Short() {
		rows = 100_000
	}
	dir := b.TempDir()
	path := filepath.Join(dir, folder.Records)
	if err := folder.WriteFile(path, func(w io.Writer) error { return manyRecords(w, rows) }); err != nil {
		b.Fatal(err)
	}
	sum, err := folder.RecordsDigest(path)
	if err != nil {
		b.Fatal(err)
	}
	manifest := fmt.Sprintf(`{"format": "copse-results/1", "study": "many", "records_sha256": %q}`, sum)
	filetest.Write(b, filepath.Join(dir, folder.Manifest), manifest)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	size := 0
	for b.Loop() {
		counted := countingWriter(0)
		if n, err := results.Export(dir, &counted); err != nil || n != rows {
			b.Fatal(n, err)
		}
		size = int(counted)
	}
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(size)/float64(rows), "B/row")
	b.ReportMetric(float64(after.HeapSys-before.HeapSys)/(1<<20), "MB-peak")
}

type countingWriter int

func (c *countingWriter) Write(p []byte) (int, error) {
	*c += countingWriter(len(p))
	return len(p), nil
}
