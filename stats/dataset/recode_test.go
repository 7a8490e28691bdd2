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
	check := func(got *dataset.Set, attributes, rows string) {
		t.Helper()
		if got, want := datasettest.Show(got), attributes+" | "+rows; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	check(s.MissingAsLevel(), `a:0[] b:1["missing" "x" "y" "missing'"] c:0[]`,
		`["p" "q" "r"] | [1 1 NaN]>0 [5 3 2]>1 [9 2 3]>2 [5 0 4]>2`)
	complete := s.Subset(s.CompleteRows())
	check(complete, `a:0[] b:1["missing" "x" "y"] c:0[]`, `["p" "q" "r"] | [9 2 3]>2 [5 0 4]>2`)
	if complete.HasMissing() || !s.HasMissing() {
		t.Error("HasMissing is wrong")
	}
	rest, kept := s.WithoutClasses([]int{1})
	check(rest, `a:0[] b:1["missing" "x" "y"] c:0[]`, `["p" "r"] | [1 1 NaN]>0 [9 2 3]>1 [5 0 4]>1`)
	if kept[1] != 2 {
		t.Errorf("kept %v", kept)
	}
	recoder := dataset.FitRecoder(s, []string{"a", "b", "none"})
	const text = "a,b,c,class\n-7,x,1,p\n3,x,1,p\n3.5,x,1,q\n99,missing,1,r\n"
	other := readText(t, text, csvfile.Options{Train: s})
	check(dataset.Transformed(other, recoder), `a:1["1" "5" "9"] b:1["missing" "x" "y"] c:0[]`,
		`["p" "q" "r"] | [0 1 1]>0 [0 1 1]>0 [1 1 1]>1 [2 0 1]>2`)
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
