package dataset_test

import (
	"strings"
	"testing"

	"copse/stats/dataset"
	"copse/stats/dataset/csvfile"
	"copse/stats/dataset/datasettest"
)

func TestRecoding(t *testing.T) {
	s := readText(t, "a,b,c,class\n1,x,?,p\n5,?,2,q\n9,y,3,r\n5,missing,4,r\n", csvfile.Options{})
	before := datasettest.Show(s)
	if got, want := datasettest.Show(s.MissingAsLevel()), `a:0[] b:1["missing" "x" "y" "missing'"] c:0[] | ["p" "q" "r"] | [1 1 NaN]>0 [5 3 2]>1 [9 2 3]>2 [5 0 4]>2`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := datasettest.Show(s.Complete()), `a:0[] b:1["missing" "x" "y"] c:0[] | ["p" "q" "r"] | [9 2 3]>2 [5 0 4]>2`; got != want || s.Complete().HasMissing() || !s.HasMissing() {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	rest, kept := s.WithoutClasses([]int{1})
	if got, want := datasettest.Show(rest), `a:0[] b:1["missing" "x" "y"] c:0[] | ["p" "r"] | [1 1 NaN]>0 [9 2 3]>1 [5 0 4]>1`; got != want || kept[1] != 2 {
		t.Errorf("got  %s, kept %v\nwant %s", got, kept, want)
	}
	recoder := dataset.FitRecoder(s, []string{"a", "b", "none"})
	other := readText(t, "a,b,c,class\n-7,x,1,p\n3,x,1,p\n3.5,x,1,q\n99,missing,1,r\n", csvfile.Options{Train: s})
	if got, want := datasettest.Show(dataset.Transformed(other, recoder)), `a:1["1" "5" "9"] b:1["missing" "x" "y"] c:0[] | ["p" "q" "r"] | [0 1 1]>0 [0 1 1]>0 [1 1 1]>1 [2 0 1]>2`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if datasettest.Show(s) != before {
		t.Error("the given set changed")
	}
}

func readText(t *testing.T, text string, o csvfile.Options) *dataset.Set {
	t.Helper()
	s, err := csvfile.Read(strings.NewReader(text), "t.csv", o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
