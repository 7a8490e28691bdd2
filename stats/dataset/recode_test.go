package dataset

import "testing"

func TestRecoding(t *testing.T) {
	s := readText(t, "a,b,c,class\n1,x,?,p\n5,?,2,q\n9,y,3,r\n5,missing,4,r\n", CSVOptions{})
	before := show(s)
	if got, want := show(s.MissingAsLevel()), `a:0[] b:1["missing" "x" "y" "missing'"] c:0[] | ["p" "q" "r"] | [1 1 NaN]>0 [5 3 2]>1 [9 2 3]>2 [5 0 4]>2`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := show(s.Complete()), `a:0[] b:1["missing" "x" "y"] c:0[] | ["p" "q" "r"] | [9 2 3]>2 [5 0 4]>2`; got != want || s.Complete().HasMissing() || !s.HasMissing() {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	rest, kept := s.WithoutClasses([]int{1})
	if got, want := show(rest), `a:0[] b:1["missing" "x" "y"] c:0[] | ["p" "r"] | [1 1 NaN]>0 [9 2 3]>1 [5 0 4]>1`; got != want || kept[1] != 2 {
		t.Errorf("got  %s, kept %v\nwant %s", got, kept, want)
	}
	recoder := FitRecoder(s, []string{"a", "b", "none"})
	other := readText(t, "a,b,c,class\n-7,x,1,p\n3,x,1,p\n3.5,x,1,q\n99,missing,1,r\n", CSVOptions{Train: s})
	if got, want := show(Transformed(other, recoder)), `a:1["1" "5" "9"] b:1["missing" "x" "y"] c:0[] | ["p" "q" "r"] | [0 1 1]>0 [0 1 1]>0 [1 1 1]>1 [2 0 1]>2`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if show(s) != before {
		t.Error("the given set changed")
	}
}
