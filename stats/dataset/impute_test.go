package dataset_test

import (
	"math"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/internal/errtest"
	"copse/stats/dataset"
	"copse/stats/dataset/csvfile"
)

// goldenImputations reads testdata/impute.csv, written by impute.py, and groups its rows by the first column.
func goldenImputations(t *testing.T) map[string]*dataset.Set {
	f, err := os.Open("testdata/impute.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	table, err := csvfile.ReadTable(f, "impute.csv", csvfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]*dataset.Set{}
	for _, what := range []string{"train", "test", "mean", "median", "knn"} {
		rows, err := table.Where([]string{"what = " + what})
		if err != nil {
			t.Fatal(err)
		}
		if parts[what], err = rows.Set(csvfile.Options{Class: "what"}); err != nil {
			t.Fatal(err)
		}
	}
	return parts
}

// Imputed values agree with scikit-learn up to rounding.
func TestImputersAgreeWithScikitLearn(t *testing.T) {
	parts := goldenImputations(t)
	for _, how := range []dataset.Imputation{dataset.ImputeMean, dataset.ImputeMedian, dataset.ImputeKNN} {
		imputer, err := dataset.FitImputer(parts["train"], how)
		if err != nil {
			t.Fatal(err)
		}
		got, want := imputer.Apply(parts["test"].X), parts[string(how)].X
		if !mat.EqualApprox(got, want, 1e-12) {
			t.Errorf("%s:\ngot  %v\nwant %v", how, mat.Formatted(got), mat.Formatted(want))
		}
	}
}

// A missing level becomes the most frequent one of the column or of the nearest rows. A row that shares no
// attribute with any other gets the most frequent level of the column.
func TestImputersOfLevels(t *testing.T) {
	train := readText(t, "a,b,c\n0,x,p\n1,x,p\n2,x,q\n10,y,q\n11,y,q\n12,y,q\n13,y,p\n14,z,p\n", csvfile.Options{})
	nan := math.NaN()
	rows := mat.NewDense(3, 2, []float64{12, nan, nan, 0, nan, nan})
	for how, want := range map[dataset.Imputation][]float64{
		dataset.ImputeMean:   {12, 1, 7.875, 0, 7.875, 1},
		dataset.ImputeMedian: {12, 1, 10.5, 0, 10.5, 1},
		dataset.ImputeKNN:    {12, 1, (0 + 1 + 2 + 10 + 11) / 5., 0, 7.875, 1},
	} {
		imputer, err := dataset.FitImputer(train, how)
		if err != nil {
			t.Fatal(err)
		}
		if got := imputer.Apply(rows); !mat.EqualApprox(got, mat.NewDense(3, 2, want), 1e-15) {
			t.Errorf("%s: %v, want %v", how, got.RawMatrix().Data, want)
		}
	}
	empty := readText(t, "a,b,c\n,1,p\n,2,q\n", csvfile.Options{})
	_, err := dataset.FitImputer(empty, dataset.ImputeKNN)
	errtest.Contains(t, err, `column "a" has no value`)
}
