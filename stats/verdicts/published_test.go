package verdicts

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/internal/golden"
)

const published = "../../results/published/"

// The files of the repository, with two numbers of each paper.
func TestReadPublishedFiles(t *testing.T) {
	type number struct {
		key      map[string]string
		mean, sd float64
	}
	nan := math.NaN()
	read := map[string]bool{}
	for _, c := range []struct {
		file     string
		ignore   []string
		rows     int
		quantity string
		columns  string
		numbers  []number
	}{
		{"jmlr2020-table1.csv", []string{"table"}, 140, "error", "cpd balance common_structure n classifier", []number{
			{map[string]string{"cpd": "gaussian", "balance": "balanced", "n": "200", "classifier": "slb"}, 0.154,
				0.0298},
			{map[string]string{"cpd": "complex", "balance": "imbalanced", "n": "1000", "classifier": "5nn"}, 0.387,
				0.0268}}},
		{"jmlr2020-table2.csv", nil, 320, "error", "table cpd balance common_structure n classifier", []number{
			{map[string]string{"cpd": "gaussian", "balance": "balanced", "common_structure": "no", "n": "200",
				"classifier": "slb-"}, 0.123, 0.0323}}},
		{"jmlr2020-table3.csv", nil, 40, "error", "table cpd balance common_structure n classifier", nil},
		{"jmlr2020-table4.csv", []string{"d", "n", "n1", "n2"}, 112, "ber", "table data_set classifier", []number{
			{map[string]string{"data_set": "blood_transfusion", "classifier": "slb"}, 0.4, 0.063}}},
		{"dcc2014-table1.csv", nil, 48, "error", "table data_set classifier", []number{
			{map[string]string{"data_set": "adult", "classifier": "dcc"}, 0.18, nan},
			{map[string]string{"data_set": "hypo", "classifier": "mpm"}, nan, nan}}},
		{"dcc2014-table2.csv", nil, 32, "error", "table data_set classifier", nil},
		{"cnc2012-figure2.csv", []string{"min_accuracy", "max_accuracy"}, 50, "accuracy", "table data_set classifier",
			[]number{
				{map[string]string{"data_set": "iris", "classifier": "lingauss-tan"}, 0.04, nan}}},
		{"khrf2010-table1.csv", []string{"train_seconds_per_class"}, 55, "accuracy", "table d classifier", []number{
			{map[string]string{"d": "10", "classifier": "khrf"}, 0.374, 0.076}}},
	} {
		read[c.file] = true
		p, err := ReadPublished(published+c.file, c.ignore)
		if err != nil {
			t.Error(err)
			continue
		}
		if len(p.Rows) != c.rows || p.Quantity != c.quantity || p.Percent != !strings.HasPrefix(c.file, "cnc") ||
			strings.Join(p.Columns, " ") != c.columns {
			t.Errorf("%s: %d rows, %s, percent %v, columns %q", c.file, len(p.Rows), p.Quantity, p.Percent, p.Columns)
		}
		for _, number := range c.numbers {
			if r := rowOf(t, p, number.key); !golden.Near(r.Mean, number.mean) || !golden.Near(r.SD, number.sd) {
				t.Errorf("%s: %+v, want %+v", c.file, r, number)
			}
		}
	}
	files, _ := filepath.Glob(published + "*.csv")
	for _, file := range files {
		if !read[filepath.Base(file)] {
			t.Errorf("%s is not tested", file)
		}
	}
	readme := filetest.Read(t, published+"README.md")
	for file := range read {
		if !strings.Contains(readme, "`"+file+"`") {
			t.Errorf("README.md does not name %s", file)
		}
	}
}

func TestReadPublishedRefuses(t *testing.T) {
	for _, c := range []struct {
		text, want string
	}{
		{"", "p.csv: the file is empty"},
		{"n,n,mean_error\n", `p.csv: header: column "n" occurs twice`},
		{"n,error\n", `p.csv: header: the file has no column of means`},
		{"n,mean_f1\n", `p.csv: header: column mean_f1: unknown quantity "f1"`},
		{"n,mean_error,mean_ber\n", "p.csv: header: there are two columns of means, mean_error and mean_ber"},
		{"n,mean_error\n1\n", "p.csv: record on line 2: wrong number of fields"},
		{"n,mean_error\n1,x\n", `p.csv: line 2, column mean_error: "x" is neither a plain decimal number nor NA`},
		{"n,mean_error\n1,3.2e-1\n", `p.csv: line 2, column mean_error: "3.2e-1" is neither a plain`},
		{"n,mean_error\n1,15.4\n", "p.csv: line 2, column mean_error: 15.4 is not a rate"},
		{"n,mean_error,sd_error\n1,0.1,NaN\n", `p.csv: line 2, column sd_error: "NaN" is neither a plain`},
		{"n,mean_error\n1,0.1\n2,0.1\n1,0.2\n", "p.csv: line 4 has the same key as line 2"},
		{"n,mean_error\n1,0.1\n\n\n2,x\n", "p.csv: line 5, column mean_error:"},
		{"n,min_error,mean_error,max_error\n1,0.6,0.5,0.4\n", "p.csv: line 2, the minimum, the mean"},
		{"n,mean_accuracy,max_accuracy\n1,0.5,0.4\n", "p.csv: line 2, the minimum, the mean"},
	} {
		_, err := readPublished(strings.NewReader(c.text), "p.csv", nil)
		errtest.Case(t, c.text).HasPrefix(err, c.want)
	}
}

// A spreadsheet writes a byte-order mark before the name of the first column.
func TestPublishedByteOrderMark(t *testing.T) {
	p, err := readPublished(strings.NewReader("\ufeffn,mean_error\r\n\r\n1,0.1\r\n"), "p.csv", nil)
	if err != nil || !slices.Equal(p.Columns, []string{"n"}) || p.Rows[0].Line != 3 {
		t.Errorf("%+v, %v", p, err)
	}
}

// Of several means all but one are ignored.
func TestPublishedMean(t *testing.T) {
	p, err := readPublished(strings.NewReader("n,d,mean_error_pct,mean_ber_pct\n1,a,10,30\n1,b,20,40\n2,a,30,50\n"),
		"p.csv",
		[]string{"mean_error_pct"})
	if err != nil || p.Quantity != "ber" || !slices.Equal(p.Columns, []string{"n", "d"}) {
		t.Fatal(p, err)
	}
	if r := rowOf(t, p, map[string]string{"n": "1", "d": "b"}); !golden.Near(r.Mean, 0.4) {
		t.Errorf("%+v", r)
	}
}

// rowOf returns the only row whose columns have the given values.
func rowOf(t *testing.T, p *Published, key map[string]string) PublishedRow {
	t.Helper()
	var found []PublishedRow
	for _, row := range p.Rows {
		fits := 0
		for j, column := range p.Columns {
			if value, ok := key[column]; ok && value == row.Key[j] {
				fits++
			}
		}
		if fits == len(key) {
			found = append(found, row)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d rows with %v", len(found), key)
	}
	return found[0]
}
