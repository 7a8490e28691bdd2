package records_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/stats/metrics"
	"copse/stats/records"
	"copse/stats/records/recordstest"
	"copse/stats/verdicts"
)

const header = "study,cell,n,replicate,classifier,status,n_test,errors,error,ber,data,message\n"

func awkwardRecords() *records.Records {
	r := recordstest.Fixture([]string{"200", `a "quoted", level`}, []string{"slb", "5nn"}, [][][]int{
		{{123, -1}, {77, 0}},
		{{1}, {2}},
	})
	r.Study = "jmlr2020, table 1"
	r.Rows[0].BER = 1. / 3
	r.Rows[1].BER = 5e-324
	r.Rows[1].Message = "warning: \"x\"\nsecond line, with comma"
	r.Rows[2].Message, r.Rows[2].Cause = "panic: index out of range", records.FitFailed
	r.Rows[2].NTest = 0
	r.Rows[2].Data = ""
	r.Rows[3].BER = math.NaN()
	r.Rows[4].Levels, r.Rows[5].Levels = records.Levels{}, records.Levels{} // an absent nested factor
	r.Factors[0].Levels = []string{"200"}
	return r
}

// same compares records with NaN equal to NaN.
func same(a, b *records.Records) bool { return fmt.Sprintf("%#v", a) == fmt.Sprintf("%#v", b) }

// roundTrip writes records, checks that they are the same after reading, and returns the text.
func roundTrip(t *testing.T, want *records.Records) string {
	t.Helper()
	var buf bytes.Buffer
	if err := records.Write(&buf, want); err != nil {
		t.Fatal(err)
	}
	text := buf.String()
	if got, err := records.Read(&buf, "records.csv"); err != nil || !same(got, want) {
		t.Errorf("%v\nread %+v\nwant %+v\nfrom %s", err, got, want, text)
	}
	return text
}

func TestRecordsRoundTrip(t *testing.T) {
	want := awkwardRecords()
	text := roundTrip(t, want)
	for _, line := range []string{
		`"jmlr2020, table 1",cell-200,200,1,slb,ok,1000,123,0.123,0.3333333333333333,200/1,`,
		`"jmlr2020, table 1",cell-200,200,2,slb,failed,NA,NA,NA,NA,,panic: index out of range`,
		`"jmlr2020, table 1",cell-200,200,2,5nn,ok,1000,0,0,NA,200/2,`,
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("no line %s in\n%s", line, text)
		}
	}
}

// Confusion matrices and metrics add columns, and only if they exist.
func TestRecordsColumns(t *testing.T) {
	want := awkwardRecords()
	want.Metrics = []string{"auc", "precision:1"}
	for i := range want.Rows {
		r := &want.Rows[i]
		if r.Status == records.OK && i != 3 { // row 3 is of a version that kept neither
			r.Confusion = metrics.Confusion{600 - r.Errors, 0, r.Errors, 400}
			r.Metrics = map[string]float64{"auc": 0.75, "precision:1": float64(i) / 7}
		}
	}
	want.Rows[0].Repeat, want.Rows[0].Fold = 2, 5
	want.Rows[1].Tuned = "c=1 gamma=0.1 | error=0.25 candidates=4 failed=0"
	text := roundTrip(t, want)
	for _, part := range []string{
		"message,repeat,fold,confusion,tuned,auc,precision:1\n", ",2,5,477 0 123 400,,0.75,0\n",
		",523 0 77 400,c=1 gamma=0.1 | error=0.25 candidates=4 failed=0,0.75,", ",NA,NA,NA,,NA,NA\n",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
	for bad, change := range map[string]func(r *records.Record){
		"confusion matrix of 1000 test rows": func(r *records.Record) { r.Confusion = metrics.Confusion{1, 2, 3, 4} },
		"fold 3 of repeat 0":                 func(r *records.Record) { r.Fold = 3 },
		"not the confusion matrix":           func(r *records.Record) { r.Confusion = metrics.Confusion{877, 123, 0} },
	} {
		r := awkwardRecords()
		r.Metrics = want.Metrics
		change(&r.Rows[0])
		errtest.Case(t, bad).Contains(records.Write(io.Discard, r), bad)
	}
	for column, head := range map[string]string{"speed": "confusion,speed", "auc": "auc,auc"} {
		text := strings.Replace(header, "message", "message,"+head, 1)
		_, err := records.Read(strings.NewReader(text), "r.csv")
		errtest.Case(t, head).Contains(err, column)
	}
}

// Path finds the one file of records; a file may be gzipped, but not truncated.
func TestRecordsFiles(t *testing.T) {
	dir := t.TempDir()
	if _, err := records.Path(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("empty directory: %v", err)
	}
	want := awkwardRecords()
	var plain, zipped bytes.Buffer
	if err := records.Write(&plain, want); err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(&zipped)
	z.Write(plain.Bytes())
	z.Close()
	for name, text := range map[string][]byte{"records.csv": plain.Bytes(), "records.csv.gz": zipped.Bytes()} {
		path := filepath.Join(dir, name)
		filetest.Write(t, path, string(text))
		if got, err := records.Read(bytes.NewReader(text), name); err != nil || !same(got, want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := records.Path(dir)
	errtest.Case(t, "both files").Contains(err, "outdated")
	for _, name := range []string{"records.csv", "records.csv.gz"} {
		other := map[string]string{"records.csv": "records.csv.gz", "records.csv.gz": "records.csv"}[name]
		os.Rename(filepath.Join(dir, other), filepath.Join(dir, "elsewhere"))
		if found, err := records.Path(dir); err != nil || found != filepath.Join(dir, name) {
			t.Errorf("found %q, %v", found, err)
		}
		os.Rename(filepath.Join(dir, "elsewhere"), filepath.Join(dir, other))
	}
	cut := zipped.Bytes()[:zipped.Len()-9]
	_, err = records.Read(bytes.NewReader(cut), "cut.gz")
	errtest.Case(t, "truncated gzip").Contains(err, "cut.gz")
}

func TestReadRecordsRefuses(t *testing.T) {
	good := "s,c1,200,1,slb,ok,10,1,0.1,0.1,f1,\n"
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "r.csv: the file is empty"},
		{"header", "study,cell,replicate\n", "r.csv: row 1: the header is"},
		{"reserved", strings.Replace(header, ",n,", ",error,", 1), `row 1: factor "error" has the same name`},
		{"twice", strings.Replace(header, ",n,", ",n,n,", 1), `row 1: factor "n" occurs twice`},
		{"unnamed", strings.Replace(header, ",n,", ",,", 1), "row 1: factor 1 has the name \"\", which is not allowed"},
		{"short", header + "s,c1,200\n", "r.csv: row 2: record on line 2: wrong number of fields"},
		{"quote", header + `s,c1,2"00` + "\n", "r.csv: row 2: parse error on line 2"},
		{"study", header + good + strings.Replace(good, "s,", "t,", 1),
			`row 3, column study: the study is "t", but "s" in the rows above`},
		{"cell", header + strings.Replace(good, "c1", "", 1), "row 2, column cell: the field is empty"},
		{"replicate", header + strings.Replace(good, ",1,slb", ",0,slb", 1),
			"row 2, column replicate: 0 is not the number of a replicate"},
		{"replicate", header + strings.Replace(good, ",1,slb", ",x,slb", 1),
			`row 2, column replicate: "x" is not a whole number`},
		{"classifier", header + strings.Replace(good, "slb", "", 1), "row 2, column classifier: the field is empty"},
		{"status", header + strings.Replace(good, "ok", "done", 1),
			`row 2, column status: the status is "done"; it must be "ok" or "failed"`},
		{"n_test", header + strings.Replace(good, "ok,10", "ok,NA", 1),
			`row 2, column n_test: "NA" is not a whole number`},
		{"n_test", header + strings.Replace(good, "ok,10", "ok,0", 1), `row 2, column n_test: 0 test rows`},
		{"errors", header + strings.Replace(good, "10,1,", "10,11,", 1),
			"row 2, column errors: 11 errors in 10 test rows"},
		{"error", header + strings.Replace(good, "0.1,0.1", "0.2,0.1", 1),
			"row 2, column error: 0.2 is not `errors`/`n_test` = 1/10"},
		{"error", header + strings.Replace(good, "0.1,0.1", "NA,0.1", 1),
			"row 2, column error: NaN is not `errors`/`n_test`"},
		{"error", header + strings.Replace(good, "0.1,0.1", "NaN,0.1", 1),
			`row 2, column error: "NaN" is neither a number nor NA`},
		{"ber", header + strings.Replace(good, "0.1,0.1", "0.1,1.5", 1), "row 2, column ber: 1.5 is outside [0,1]"},
		{"ber", header + strings.Replace(good, "0.1,0.1", "0.1,1e999", 1), `row 2, column ber: "1e999" is neither`},
		{"data", header + strings.Replace(good, "f1", "", 1), "row 2, column data"},
		{"failed", header + strings.Replace(good, "ok", "failed", 1),
			"row 2, column errors: a failed fit has no result"},
		{"duplicate", header + good + good, "row 3, column replicate: replicate 1 of slb occurs twice in cell c1"},
		{"levels", header + good + strings.Replace(good, "200,1", "400,2", 1),
			`row 3, column cell: cell c1 has the levels n=400 in this row, but n=200 in earlier rows`},
		{"scattered",
			header + good + strings.Replace(good, "c1", "c2", 1) + strings.Replace(good, ",1,slb", ",2,slb", 1),
			"row 4, column cell: cell c1 has rows before and after cell c2"},
	} {
		_, err := records.Read(strings.NewReader(c.text), "r.csv")
		errtest.Case(t, c.name).HasPrefix(err, "r.csv: ")
		errtest.Case(t, c.name).Contains(err, c.want)
	}
	r, err := records.Read(strings.NewReader(header), "r.csv")
	if err != nil || len(r.Rows) != 0 || r.Factors[0].Name != "n" {
		t.Errorf("header only: %+v, %v", r, err)
	}
}

func TestWriteRecordsRefuses(t *testing.T) {
	for want, spoil := range map[string]func(*records.Records){
		"has the same name":          func(r *records.Records) { r.Factors[0].Name = "status" },
		"carriage return":            func(r *records.Records) { r.Study = "a\rb" },
		"is not a factor":            func(r *records.Records) { r.Factors = nil },
		"not `errors`/`n_test`":      func(r *records.Records) { r.Rows[0].Error = 0.5 },
		"occurs twice":               func(r *records.Records) { r.Rows[1] = r.Rows[0] },
		"contains a carriage return": func(r *records.Records) { r.Rows[0].Classifier = "a\r" },
	} {
		r := awkwardRecords()
		spoil(r)
		errtest.Contains(t, records.Write(io.Discard, r), want)
	}
	r := awkwardRecords()
	r.Rows[0].Message = "progress\r\n100 %\r"
	var buf bytes.Buffer
	if err := records.Write(&buf, r); err != nil {
		t.Fatal(err)
	}
	if got, err := records.Read(&buf, ""); err != nil || got.Rows[0].Message != "progress\n100 %" {
		t.Errorf("carriage returns in a message: %v, %v", got, err)
	}
}

// Sort uses the declared orders. Rows without a nested factor come first.
func TestSort(t *testing.T) {
	r := recordstest.Fixture([]string{"400", "200", ""}, []string{"b", "a"}, [][][]int{
		{{1, 2}, {3, 4}},
		{{5, 6}, {7, 8}},
		{{9}, {9}},
	})
	r.Factors = []records.Factor{{Name: "n", Levels: []string{"100", "200", "400"}}}
	r.Classifiers = []string{"a", "b", "c"}
	r.Sort()
	var order []string
	for _, row := range r.Rows {
		order = append(order, fmt.Sprint(row.Levels.Of("n"), row.Replicate, row.Classifier))
	}
	if got := strings.Join(order, " "); got != "1a 1b 2001a 2001b 2002a 2002b 4001a 4001b 4002a 4002b" {
		t.Errorf("order %s", got)
	}
	if cells := r.Cells(); len(cells) != 3 || cells[1].Levels.Of("n") != "200" || len(cells[0].Classifiers) != 3 {
		t.Errorf("cells %+v", cells)
	}
}

// Every accepted file is the same after it is written and read again.
func FuzzReadRecords(f *testing.F) {
	var buf bytes.Buffer
	if err := records.Write(&buf, awkwardRecords()); err != nil {
		f.Fatal(err)
	}
	f.Add(buf.Bytes())
	f.Add([]byte(header))
	f.Add([]byte(header + "s,c1,200,1,slb,ok,10,1,0.1,0.1,f1,\"a\r\nb\"\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		first, err := records.Read(bytes.NewReader(text), "fuzz.csv")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "fuzz.csv: ") {
				t.Fatalf("error without the file: %v", err)
			}
			return
		}
		var out bytes.Buffer
		if err := records.Write(&out, first); err != nil {
			t.Fatalf("accepted records cannot be written: %v", err)
		}
		second, err := records.Read(bytes.NewReader(out.Bytes()), "fuzz.csv")
		if err != nil || !same(first, second) {
			t.Fatalf("%v\nread  %+v\nagain %+v", err, first, second)
		}
		first.Sort()
		first.Cells()
	})
}

// manyRows is a reader that generates a file with n rows, 100 replicates and 10 classifiers per cell.
type manyRows struct {
	n, next int
	buf     bytes.Buffer
	writer  *records.Writer
}

func (m *manyRows) Read(p []byte) (int, error) {
	factors := []string{"n", "cpd"}
	if m.writer == nil {
		m.writer, _ = records.NewWriter(&m.buf, "many", records.Columns{Factors: factors})
	}
	for ; m.buf.Len() == 0 && m.next < m.n; m.next++ {
		cell, key := m.next/1000, m.next%1000
		r := records.Record{
			Cell:       fmt.Sprintf("%016x", cell),
			Levels:     records.Align(factors, []string{fmt.Sprint(cell), "gaussian"}),
			Replicate:  key/10 + 1,
			Classifier: fmt.Sprint("c", key%10),
			Status:     records.OK,
			NTest:      1000,
			Errors:     m.next % 997,
			Data:       fmt.Sprintf("%016x", m.next/10),
		}
		r.Error, r.BER = float64(r.Errors)/1000, float64(r.Errors)/1003
		if err := m.writer.Write(&r); err != nil {
			return 0, err
		}
		if m.next == m.n-1 {
			if err := m.writer.Flush(); err != nil {
				return 0, err
			}
		}
	}
	return m.buf.Read(p)
}

// The reader keeps no rows: its heap does not grow from 20,000 to 60,000 rows.
func TestRecordReaderMemory(t *testing.T) {
	reader, err := records.NewReader(&manyRows{n: 60_000}, "many.csv")
	if err != nil {
		t.Fatal(err)
	}
	var heap [2]uint64
	rows := 0
	for {
		_, err := reader.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if rows++; rows == 20_000 || rows == 60_000 {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			heap[rows/60_000] = m.HeapAlloc
		}
	}
	if rows != 60_000 {
		t.Fatalf("%d rows", rows)
	}
	if heap[1] > heap[0]+1<<20 {
		t.Errorf("heap grew from %d to %d bytes", heap[0], heap[1])
	}
}

func BenchmarkRecords(b *testing.B) {
	const rows = 100_000
	text, err := io.ReadAll(&manyRows{n: rows})
	if err != nil {
		b.Fatal(err)
	}
	list, err := records.Read(bytes.NewReader(text), "")
	if err != nil || len(list.Rows) != rows {
		b.Fatal(len(list.Rows), err)
	}
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			if _, err := records.Read(bytes.NewReader(text), ""); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
	})
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			if err := records.Write(io.Discard, list); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
	})
}

func BenchmarkBest(b *testing.B) {
	classifiers := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	var errors [][]int
	for k := range classifiers {
		errors = append(errors, recordstest.Series(100, func(i int) int { return 100 + 5*k + (i*37+k*11)%50 }))
	}
	c := recordstest.Fixture([]string{"1"}, classifiers, [][][]int{errors}).Cells()[0]
	for b.Loop() {
		if _, err := verdicts.Best(&c, verdicts.DefaultBestOptions(classifiers)); err != nil {
			b.Fatal(err)
		}
	}
}
