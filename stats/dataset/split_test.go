package dataset

import (
	"fmt"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/internal/errtest"
	"copse/internal/randtest"
)

func unevenClasses() []int {
	y := make([]int, 97)
	for i := range y {
		switch {
		case i%10 == 0:
			y[i] = 1
		case i%31 == 0:
			y[i] = 2
		}
	}
	return y
}

// Every row is in the training or the test part. The test part and its number of rows of each class agree
// with the share within one row.
func TestHoldout(t *testing.T) {
	y := unevenClasses()
	for _, share := range []float64{0.01, 0.2, 0.5, 0.9} {
		for seed := range uint64(20) {
			train, test, err := Holdout(y, share, randtest.New(seed))
			if err != nil {
				t.Fatal(err)
			}
			all := slices.Sorted(slices.Values(slices.Concat(train, test)))
			if len(all) != len(y) || all[0] != 0 || all[len(all)-1] != len(y)-1 || len(slices.Compact(all)) != len(y) {
				t.Fatalf("rows %v", all)
			}
			want, counts, total := int(share*97+0.5), make([]int, 3), make([]int, 3)
			for i, c := range y {
				total[c]++
				if slices.Contains(test, i) {
					counts[c]++
				}
			}
			for c := range counts {
				if exact := float64(want*total[c]) / 97; float64(counts[c]) <= exact-1 ||
					float64(counts[c]) >= exact+1 {
					t.Errorf("share %v: %d test rows of class %d of %d", share, counts[c], c, total[c])
				}
			}
			if len(test) != want {
				t.Errorf("share %v: %d test rows, want %d", share, len(test), want)
			}
		}
	}
	if _, _, err := Holdout(y, 0.001, randtest.New(1)); err == nil {
		t.Error("no test row and no error")
	}
}

// The training sets of a learning curve are nested.
func TestSubsamplesAreNested(t *testing.T) {
	y := make([]int, 60)
	for i := range y {
		y[i] = i % 2
	}
	var last []int
	for _, n := range []int{10, 20, 40, 60} {
		rows, err := Subsample(y, n, randtest.New(7))
		if err != nil || len(rows) != n || !slices.IsSorted(rows) {
			t.Fatalf("%v %v", rows, err)
		}
		for _, i := range last {
			if !slices.Contains(rows, i) {
				t.Errorf("row %d of %d is not among %d", i, len(last), n)
			}
		}
		last = rows
	}
	_, err := Subsample(y, 61, randtest.New(7))
	errtest.Contains(t, err, "61 of 60")
}

// Repeats of the folds differ, although no two groups have the same size.
func TestGroupFoldsOfUnequalGroupsDiffer(t *testing.T) {
	var groups []int
	for g := range 12 {
		groups = append(groups, slices.Repeat([]int{g}, 5+3*g)...)
	}
	together := map[string]bool{} // which groups share a fold with the largest
	for seed := range uint64(20) {
		fold, err := StratifiedGroupFolds(make([]int, len(groups)), groups, 4, randtest.New(seed))
		if err != nil {
			t.Fatal(err)
		}
		var with []int
		for i, g := range groups {
			if fold[i] == fold[len(fold)-1] && !slices.Contains(with, g) {
				with = append(with, g)
			}
		}
		together[fmt.Sprint(with)] = true
	}
	if len(together) < 4 {
		t.Errorf("the largest group has the company of %v", together)
	}
}

// No group is in both parts, every fold has rows, and the sizes of folds differ by at most the largest group.
func TestGroupsStayTogether(t *testing.T) {
	var groups []int
	for g := range 13 {
		groups = append(groups, slices.Repeat([]int{g}, 1+g%4)...)
	}
	different := map[string]bool{}
	for seed := range uint64(20) {
		fold, err := StratifiedGroupFolds(make([]int, len(groups)), groups, 5, randtest.New(seed))
		if err != nil {
			t.Fatal(err)
		}
		different[fmt.Sprint(fold)] = true
		sizes, of := make([]int, 5), map[int]int{}
		for i, g := range groups {
			if f, ok := of[g]; ok && f != fold[i] {
				t.Errorf("group %d in folds %d and %d", g, f, fold[i])
			}
			of[g] = fold[i]
			sizes[fold[i]]++
		}
		if slices.Min(sizes) == 0 || slices.Max(sizes)-slices.Min(sizes) > 4 {
			t.Errorf("sizes %v", sizes)
		}
		train, test, err := GroupHoldout(groups, 0.3, randtest.New(seed))
		if err != nil || len(train)+len(test) != len(groups) || len(test) < 9 || len(test) > 13 {
			t.Errorf("%d train, %d test, %v", len(train), len(test), err)
		}
		for _, i := range train {
			for _, k := range test {
				if groups[i] == groups[k] {
					t.Errorf("group %d on both sides", groups[i])
				}
			}
		}
	}
	if len(different) < 10 {
		t.Errorf("%d different partitions of 20", len(different))
	}
	if _, _, err := GroupHoldout([]int{0, 0}, 0.5, randtest.New(1)); err == nil {
		t.Error("one group divided")
	}
}

// Folds of groups with one class each keep the groups together and spread the classes, even the rare one.
func TestStratifiedGroupFolds(t *testing.T) {
	var y, groups []int
	for g := range 40 { // 32 groups of class 0 and 8 of class 1, with 1 to 4 rows
		c := 0
		if g%5 == 0 {
			c = 1
		}
		for range 1 + g%4 {
			y, groups = append(y, c), append(groups, g)
		}
	}
	different := map[string]bool{}
	for seed := range uint64(20) {
		const k = 4
		fold, err := StratifiedGroupFolds(y, groups, k, randtest.New(seed))
		if err != nil {
			t.Fatal(err)
		}
		different[fmt.Sprint(fold)] = true
		foldOfGroup, inFold := map[int]int{}, [2][k]int{} // inFold[c][f]: rows of class c in fold f
		for i, g := range groups {
			if f, known := foldOfGroup[g]; known && f != fold[i] {
				t.Errorf("group %d in folds %d and %d", g, f, fold[i])
			}
			foldOfGroup[g] = fold[i]
			inFold[y[i]][fold[i]]++
		}
		for c, rows := range inFold {
			if slices.Max(rows[:])-slices.Min(rows[:]) > 2 {
				t.Errorf("seed %d: the folds contain %v rows of class %d", seed, rows, c)
			}
		}
	}
	if len(different) < 10 {
		t.Errorf("%d different partitions of 20", len(different))
	}
	_, err := StratifiedGroupFolds([]int{0, 1, 1}, []int{0, 0, 1}, 3, randtest.New(1))
	errtest.Contains(t, err, "2 groups into 3 folds")
}

// Sets that are derived from a set with groups have its groups.
func TestDerivedSetsKeepGroups(t *testing.T) {
	s := New(mat.NewDense(3, 1, []float64{1, 2, 3}), []int{0, 1, 1}, 2)
	s.Groups = []int{5, 6, 6}
	irrelevant, err := s.WithIrrelevant(1, randtest.New(1))
	if err != nil {
		t.Fatal(err)
	}
	for name, derived := range map[string]*Set{
		"values":     s.WithValues(s.X),
		"transform":  Transformed(s, SelectAll(s.Attributes)),
		"irrelevant": irrelevant,
		"flipped":    s.FlipLabels(0.5, randtest.New(1)),
		"missing":    s.RemoveAtRandom(0.5, randtest.New(1)),
		"level":      s.MissingAsLevel(),
	} {
		if !slices.Equal(derived.Groups, s.Groups) {
			t.Errorf("%s: groups %v", name, derived.Groups)
		}
	}
	if subset := s.Subset([]int{2, 0}); !slices.Equal(subset.Groups, []int{6, 5}) {
		t.Errorf("subset: groups %v", subset.Groups)
	}
}

// The sizes of training parts that random groups leave do not depend on the order of the rows. Draws reach both limits.
func TestGroupHoldoutRange(t *testing.T) {
	for _, c := range []struct {
		sizes       []int
		least, most int // computed by hand for a share of 0.3
	}{
		{[]int{5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5}, 40, 40},
		{[]int{39, 11, 50}, 39, 61}, // 11 + 50 rows are tested, or 39
		{[]int{50, 39, 11}, 39, 61},
		{[]int{1, 1, 1, 1, 1, 1, 1, 1, 1, 6}, 5, 10},
		{[]int{2, 2, 2, 2, 2, 7, 7}, 10, 16}, // 7 + 7 rows are tested, or 8
		{[]int{1, 9}, 0, 1},
	} {
		var groups []int
		for g, size := range c.sizes {
			groups = append(groups, slices.Repeat([]int{g}, size)...)
		}
		least, most := GroupHoldoutRange(groups, 0.3)
		if least != c.least || most != c.most {
			t.Errorf("%v: from %d to %d, want from %d to %d", c.sizes, least, most, c.least, c.most)
		}
		smallest, largest := len(groups), 0 // of the draws
		for seed := range uint64(1000) {
			train, _, _ := GroupHoldout(groups, 0.3, randtest.New(seed)) // nil if no row is left
			smallest, largest = min(smallest, len(train)), max(largest, len(train))
		}
		if smallest != least || largest != most {
			t.Errorf("%v: draws from %d to %d, want from %d to %d", c.sizes, smallest, largest, least, most)
		}
	}
}

func TestSampleRows(t *testing.T) {
	rng := randtest.New(5)
	if rows := SampleRows([]int{3, 5, 7, 9}, 4, rng); !slices.Equal(rows, []int{3, 5, 7, 9}) {
		t.Errorf("all rows: %v", rows)
	}
	seen, all := map[int]bool{}, []int{10, 20, 30, 40, 50, 60, 70, 80, 90, 100}
	for range 200 {
		rows := SampleRows(all, 3, rng)
		if len(rows) != 3 || !slices.IsSorted(rows) {
			t.Fatalf("subsample %v", rows)
		}
		for _, r := range rows {
			seen[r] = true
		}
	}
	if len(seen) != 10 {
		t.Errorf("only %d of 10 rows were ever drawn", len(seen))
	}
}
