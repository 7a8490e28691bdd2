package trial_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/experiments/study"
)

// Files joined by a key are the file that joins them by hand; what cannot be joined
// is an error that names the place.
func TestJoinedFiles(t *testing.T) {
	dir := t.TempDir()
	visits, patients, byHand := "patient,x,outcome\n", "dose,patient,sex\n", "x,outcome,dose,sex\n"
	for p := 9; p >= 0; p-- {
		patients += fmt.Sprintf("%d.5,p%d,%s\n", p, p, []string{"f", "m"}[p%2])
	}
	for i := range 30 {
		visits += fmt.Sprintf("p%d,%d,%d\n", i%10, i, i%2)
		byHand += fmt.Sprintf("%d,%d,%d.5,%s\n", i, i%2, i%10, []string{"f", "m"}[i%10%2])
	}
	for name, text := range map[string]string{"visits": visits, "patients": patients, "hand": byHand, "few": "dose,patient,sex\n1,p1,f\n"} {
		if err := os.WriteFile(filepath.Join(dir, name+".csv"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	parse := func(data string) (*study.Study, error) {
		text := fmt.Sprintf(
			"study: s\nseed: 7\nreplicates: 6\ndata: {%s}\nclassifiers: [centroid]\n",
			strings.ReplaceAll(data, "DIR", filepath.ToSlash(dir)),
		)
		return study.Parse("study.yaml", []byte(text), nil, nil)
	}
	const both = "csv: [DIR/visits.csv, DIR/patients.csv], class: outcome, "
	joined, err := parse(both + "join: patient, folds: 3")
	if err != nil {
		t.Fatal(err)
	}
	plain, err := parse("csv: DIR/hand.csv, class: outcome, folds: 3")
	if err != nil {
		t.Fatal(err)
	}
	a, b := joined.Cells[0].Data.File.Rows, plain.Cells[0].Data.File.Rows
	if !mat.Equal(a.X, b.X) || !slices.Equal(a.Y, b.Y) || fmt.Sprint(a.Attributes) != fmt.Sprint(b.Attributes) {
		t.Errorf("joined: %v %v\nby hand: %v %v", a.Attributes, a.X, b.Attributes, b.X)
	}
	if joined.Cells[0].Key == plain.Cells[0].Key ||
		!strings.Contains(joined.Cells[0].Key, `;join=["patient" "refuse"]`) {
		t.Errorf("the key %s does not tell of the join", joined.Cells[0].Key)
	}
	grouped, err := parse(both + "join: patient, holdout: 0.3, groups: patient, test: {csv: DIR/hand.csv}")
	if err == nil || !strings.Contains(err.Error(), "want one split") {
		t.Errorf("%+v, error %v", grouped, err)
	}
	if _, err := parse(both + "join: patient, holdout: 0.3, groups: patient, rows: [\"dose > 2\"]"); err != nil {
		t.Error(err) // a condition on a column of either file
	}
	for data, want := range map[string]string{
		both + "folds: 3, unmatched: drop": "data.unmatched: " +
			"has no place here: it goes with join",
		both + "join: [patient, x], folds: 3": `patients.csv: row 1, column "x": there is no such column`,
		"csv: DIR/visits.csv, class: outcome, join: patient, " +
			"folds: 3": "joins several: csv: [the first, the others]",
		"csv: [DIR/visits.csv, DIR/patients.csv], join: patient, " +
			"folds: 3": "data.class: missing; join needs it",
		"csv: [DIR/visits.csv, DIR/few.csv], class: outcome, join: patient, " +
			"folds: 3": `visits.csv: row 2, column "patient": ` + filepath.ToSlash(dir) + `/few.csv has no row of ["p0"]; unmatched: drop`,
		"csv: [DIR/visits.csv, DIR/few.csv], class: outcome, join: patient, folds: 3, " +
			"unmatched: x": `unknown value "x"; it is one of: refuse, drop, missing`,
	} {
		if _, err := parse(data); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\nwant %s", data, err, want)
		}
	}
}
