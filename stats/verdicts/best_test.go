package verdicts

import (
	"errors"
	"math"
	"slices"
	"testing"

	"golang.org/x/exp/rand"

	"copse/internal/errtest"
	"copse/internal/golden"
	"copse/internal/randtest"
	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
	"copse/stats/records/recordstest"
)

// best returns the best set of a cell. An error ends the test.
func best(t *testing.T, c *records.Cell, o BestOptions) BestSet {
	t.Helper()
	set, err := Best(c, o)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// bestFixture returns 20 replicates. slb is the best, near differs from it by +-1, far is worse by 30 in all
// replicates, and the oracle is better than all but not in the family.
func bestFixture() *records.Records {
	slb := recordstest.Series(20, func(i int) int { return 100 + 3*i })
	return recordstest.Fixture([]string{"200"}, []string{"near", "slb", "far", "oracle"}, [][][]int{{
		recordstest.Series(20, func(i int) int { return slb[i] + 1 - 2*(i%2) + i/19 }),
		slb,
		recordstest.Series(20, func(i int) int { return slb[i] + 30 + i }),
		recordstest.Series(20, func(i int) int { return slb[i] - 50 }),
	}})
}

func TestBest(t *testing.T) {
	c := bestFixture().Cells()[0]
	for _, correction := range []stats.Correction{stats.Bonferroni, stats.Holm} {
		o := DefaultBestOptions([]string{"far", "slb", "near"})
		o.Correction = correction
		set := best(t, &c, o)
		if set.Best != "slb" || !slices.Equal(set.Members, []string{"slb", "near"}) || !golden.Near(set.Level, 0.025) ||
			!set.Attainable || set.Contains("oracle") ||
			set.Contains("far") {
			t.Errorf("%v: %+v", correction, set)
		}
		for _, q := range set.Comparisons {
			if want := q.Other == "far"; q.Worse != want || q.Pairs != 20 {
				t.Errorf("%v: %+v", correction, q)
			}
			if q.Other == "far" && (q.Effect != -1 || !(q.Shift.High < 0) || !(q.Adjusted >= q.P)) {
				t.Errorf("%v: effect %v, shift %+v, p %v", correction, q.Effect, q.Shift, q.Adjusted)
			}
		}
	}
}

// Classifiers with the same total of errors are equally good, however the errors are distributed over
// replicates. The best is then the first in the study, for any order of the family. A margin of a whole
// number of test rows ties with a difference of this number.
func TestBestOfEqualMeans(t *testing.T) {
	up, down := recordstest.Series(10, func(i int) int { return 100 + 3*i }), recordstest.Series(10,
		func(i int) int { return 127 - 3*i })
	c := recordstest.Fixture([]string{"200"}, []string{"up", "down"}, [][][]int{{up, down}}).Cells()[0]
	a, b := c.Summary(metrics.ErrorRate, "up").Mean, c.Summary(metrics.ErrorRate, "down").Mean
	if a == b {
		t.Fatal("the sums do not depend on their order, so the test has no power")
	}
	for _, family := range [][]string{{"up", "down"}, {"down", "up"}} {
		o := DefaultBestOptions(family)
		o.Margin = 0.017
		set, err := Best(&c, o)
		if err != nil || set.Best != "up" {
			t.Fatalf("%q: %q is the best, error %v", family, set.Best, err)
		}
	}
	shifted := recordstest.Series(10, func(i int) int { return up[i] + 17 - 17*(i%3) + i/6 }) // 17, 0, -17, ...
	c = recordstest.Fixture([]string{"200"}, []string{"up", "shifted"}, [][][]int{{up, shifted}}).Cells()[0]
	o := DefaultBestOptions([]string{"up", "shifted"})
	o.Margin = 0.017
	set := best(t, &c, o)
	var counts []float64
	for i := range up {
		counts = append(counts, float64(up[i]-shifted[i]))
	}
	want, _ := stats.Equivalence(counts, 17, func(d []float64, a stats.Alternative) (float64, error) {
		r, err := stats.SignedRankOf(d, a, false)
		return r.P, err
	})
	if got := set.Comparisons[0].Equivalence; got != want {
		t.Errorf("p = %v of equivalence, %v of counts", got, want)
	}
}

// A classifier with results only in easy replicates has the smallest mean but is not better. In the
// replicates with results of both, the other one is better. Neither is significantly worse.
func TestBestWithFewerResults(t *testing.T) {
	easy := func(i int) bool { return i >= 8 }
	all := recordstest.Series(20, func(i int) int {
		if easy(i) {
			return 100 + 3*i
		}
		return 400 + 3*i
	})
	rows := recordstest.Fixture([]string{"200"}, []string{"some", "all", "far"}, [][][]int{{
		recordstest.Series(20, func(i int) int { return all[i] + 20 + i }), all,
		recordstest.Series(20, func(i int) int { return all[i] + 200 + i }),
	}})
	recordstest.Delete(rows, func(r records.Record) bool { return r.Classifier == "some" && !easy(r.Replicate-1) })
	set, err := Best(&rows.Cells()[0], DefaultBestOptions([]string{"some", "all", "far"}))
	if err != nil || set.Best != "some" || !slices.Equal(set.Members, []string{"some", "all"}) {
		t.Fatalf("%+v, %v", set, err)
	}
	for _, q := range set.Comparisons {
		if q.Adjusted > 0.05 || q.Better != (q.Other == "all") || q.Worse != (q.Other == "far") {
			t.Errorf("%+v", q)
		}
	}
}

// The correction counts the comparisons of the classifiers of the cell. It does not count a classifier that
// the study does not run there, but it counts one whose fits all failed.
func TestBestOfClassifiersThatRan(t *testing.T) {
	base := recordstest.Series(20, func(i int) int { return 100 + 3*i })
	worse := recordstest.Series(20, func(i int) int { return base[i] + 30 + i })
	rows := recordstest.Fixture([]string{"200"}, []string{"a", "b", "c"}, [][][]int{{base, worse, worse}})
	find := func(change func(*records.Record) bool, all bool) BestSet {
		r := *rows
		r.Rows = nil
		for _, row := range rows.Rows {
			if row.Classifier != "c" || change(&row) {
				r.Rows = append(r.Rows, row)
			}
		}
		o := DefaultBestOptions([]string{"a", "b", "c"})
		o.AllPairs = all
		set := best(t, &r.Cells()[0], o)
		return set
	}
	for _, c := range []struct {
		name   string
		change func(*records.Record) bool
		all    bool
		count  float64
	}{
		{"all ran", func(*records.Record) bool { return true }, false, 2},
		{"all ran, all pairs", func(*records.Record) bool { return true }, true, 3},
		{"c did not run", func(*records.Record) bool { return false }, false, 1},
		{"c did not run, all pairs", func(*records.Record) bool { return false }, true, 1},
		{"c failed", func(r *records.Record) bool { r.Status, r.Error = records.Failed, math.NaN(); return true },
			false, 2},
	} {
		set := find(c.change, c.all)
		if b := set.Comparisons[0]; set.Level != 0.05/c.count || b.Adjusted != min(1, c.count*b.P) {
			t.Errorf("%s: level %v, adjusted %v of %v, want a family of %v", c.name, set.Level, b.Adjusted, b.P,
				c.count)
		}
	}
}

// Table 4 of Tenzer et al. (2020) has 5 folds and 7 classifiers: the smallest two-sided p-value, 1/16,
// exceeds 0.05/6, so all are members for any data.
func TestBestUnattainable(t *testing.T) {
	classifiers := []string{"a", "b", "c", "d", "e", "f", "g"}
	var errors [][]int
	for k := range classifiers {
		errors = append(errors, recordstest.Series(5, func(i int) int { return 100*k + 7*i + k*i*i }))
	}
	c := recordstest.Fixture([]string{"1"}, classifiers, [][][]int{errors}).Cells()[0]
	set := best(t, &c, DefaultBestOptions(classifiers))
	if len(set.Members) != 7 || set.Attainable {
		t.Errorf("%+v", set)
	}
	for _, q := range set.Comparisons {
		if !math.IsNaN(q.Detectable) {
			t.Errorf("%s: detects %v although nothing can be significant", q.Other, q.Detectable)
		}
	}
}

// Every registered test can compare with the best, together with a test of equivalence.
func TestBestByAnyTest(t *testing.T) {
	c := bestFixture().Cells()[0]
	for _, test := range stats.Tests {
		o := DefaultBestOptions([]string{"far", "slb", "near"})
		o.Margin = 0.01
		var err error
		o.Paired, err = newPaired(test.Name, test.Design, 0.25,
			func(string) *rand.Rand { return randtest.New(1) })
		if err != nil {
			t.Fatal(err)
		}
		set, err := Best(&c, o)
		if err != nil || set.Best != "slb" || !slices.Equal(set.Members, []string{"slb", "near"}) {
			t.Errorf("%s: %+v, error %v", test.Name, set, err)
		}
		for _, q := range set.Comparisons {
			if near := q.Other == "near"; (q.Equivalence <= 0.05) != near || !(q.Shift.Low <= q.Shift.Estimate) {
				t.Errorf("%s: %+v", test.Name, q)
			}
			if math.IsNaN(q.Detectable) != (test.Name == "sign") {
				t.Errorf("%s detects a mean difference of %v", test.Name, q.Detectable)
			}
		}
	}
	o := DefaultBestOptions([]string{"far", "slb", "near"})
	o.Rope, o.Random = 0.01, func(string) *rand.Rand { return randtest.New(1) }
	set := best(t, &c, o)
	for _, q := range set.Comparisons {
		if near := q.Other == "near"; (q.Posterior.Equivalent > 0.95) != near || (q.Posterior.Below > 0.95) == near {
			t.Errorf("%s: %+v", q.Other, q.Posterior)
		}
	}
	var err error
	if o.Paired, err = newPaired("", stats.Resampled, 0.25, o.Random); err != nil || o.Test.Name != "corrected-t" {
		t.Errorf("%s, error %v", o.Test.Name, err)
	}
	if _, err := Best(&c, o); !errors.Is(err, stats.ErrAssumption) {
		t.Errorf("rope over folds: error %v", err)
	}
}

// A Bayesian test is not repeated for the same input. Other differences, classifiers or ropes have separate
// tests.
func TestPosteriorsAreKept(t *testing.T) {
	seed := uint64(0)
	another := func(string) *rand.Rand { seed++; return randtest.New(seed) } // no two draw alike
	kept, anew := Paired{Test: *stats.SignedRankTest(), Design: stats.Independent, Random: another,
		Posteriors: new(Posteriors)}, Paired{Test: *stats.SignedRankTest(), Design: stats.Independent, Random: another}
	pairs := func(b string, by float64) *records.Pairs {
		p := &records.Pairs{A: "a", B: b}
		for i := range 12 {
			p.X, p.Y = append(p.X, 0.1+0.01*float64(i%5)), append(p.Y, 0.1+by*float64(i%3))
		}
		return p
	}
	of := func(p *Paired, cell string, q *records.Pairs, rope float64) stats.BayesResult {
		result, err := p.posterior(cell, q, rope)
		if err != nil {
			t.Fatal(err)
		}
		return *result
	}
	first := of(&kept, "cell", pairs("b", 0.02), 0.01)
	if of(&kept, "cell", pairs("b", 0.02), 0.01) != first {
		t.Error("made again")
	}
	if of(&anew, "cell", pairs("b", 0.02), 0.01) == first {
		t.Error("two sources draw the same numbers, so the test has no power")
	}
	if of(&kept, "other", pairs("b", 0.02), 0.01) == first || of(&kept, "cell", pairs("c", 0.02), 0.01) == first ||
		of(&kept, "cell", pairs("b", 0.03), 0.01) == first || of(&kept, "cell", pairs("b", 0.02), 0.011) == first {
		t.Error("another test has the result of the first")
	}
}

func TestBestFailures(t *testing.T) {
	r := recordstest.Fixture([]string{"1"}, []string{"a", "b", "dead"}, [][][]int{{
		recordstest.Series(12, func(i int) int { return 100 + i }),
		recordstest.Series(12, func(i int) int { return 90 + i*i/3 - 200*btoi(i == 4) }), // replicate 5 failed
		recordstest.Series(12, func(int) int { return -1 }),
	}})
	c := r.Cells()[0]
	set := best(t, &c, DefaultBestOptions([]string{"a", "b", "dead"}))
	if set.Contains("dead") || len(set.Comparisons) != 1 || set.Comparisons[0].Pairs != 11 || set.Level != 0.025 {
		t.Errorf("%+v", set)
	}
	r = recordstest.Fixture([]string{"1"}, []string{"a", "b"}, [][][]int{{{-1}, {-1}}})
	c = r.Cells()[0]
	if set, err := Best(&c, DefaultBestOptions([]string{"a", "b"})); err != nil || set.Best != "" ||
		len(set.Members) != 0 {
		t.Errorf("all failed: %+v, %v", set, err)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestBestRefusesRepeatedClassifier(t *testing.T) {
	c := bestFixture().Cells()[0]
	_, err := Best(&c, BestOptions{Family: []string{"slb", "slb"}, Alpha: 0.05})
	errtest.Contains(t, err, "twice")
}

// newPaired returns the test with the given name, or the default of the design.
func newPaired(name string, design stats.Design, share float64, random func(string) *rand.Rand) (Paired, error) {
	test, err := stats.FindTest(name, design)
	return Paired{Test: test, Design: design, Share: share, Random: random}, err
}

func signedRank(*records.Cell) (Paired, error) { return newPaired("", stats.Independent, 0, nil) }

func TestCountWins(t *testing.T) {
	better := func(by int) [][]int {
		base := recordstest.Series(10, func(i int) int { return 200 + 7*i })
		return [][]int{base, recordstest.Series(10, func(i int) int { return base[i] + by*(i+1) })}
	}
	cells := recordstest.Fixture([]string{"1", "2", "3", "4"}, []string{"forest", "nb"},
		[][][]int{better(2), better(-2), better(5), {better(1)[0], better(0)[1]}}).Cells()
	wins, err := CountWins(cells, "forest", []string{"nb"},
		WinOptions{Metric: metrics.ErrorRate, Paired: signedRank, Alpha: 0.05})
	if err != nil {
		t.Fatal(err)
	}
	w := wins[0]
	if won, compared := w.Count(cells); won != 2 || compared != 4 {
		t.Errorf("won %d of %d", won, compared)
	}
	if !golden.Near(w.Level, 0.0125) || !w.Tests[0].Won || w.Tests[1].Won || w.Tests[3].P != 1 {
		t.Errorf("%+v", w)
	}
	if w.Tests[0].P != 1./1024 || w.Tests[1].P != 1 { // all ten one-sided: 2^-10
		t.Errorf("p = %v, %v", w.Tests[0].P, w.Tests[1].P)
	}
	both, _ := CountWins(cells, "nb", []string{"forest", "nb"},
		WinOptions{Metric: metrics.ErrorRate, Paired: signedRank, Alpha: 0.05})
	won, _ := both[0].Count(cells)
	wonSelf, _ := both[1].Count(cells)
	if won != 1 || !golden.Near(both[0].Level, 0.05/4) || wonSelf != 0 {
		t.Errorf("%+v", both)
	}
}

// The direction of a rejection comes from the test, not from its estimate. b wins more replicates than the
// champion a. With the signed-rank test, the Hodges-Lehmann shift is 0, because most averages of two
// differences of one row are 0.
func TestDirectionWithTies(t *testing.T) {
	for _, s := range []struct {
		test               string
		wins, losses, ties int // of b
	}{{"sign", 14, 4, 22}, {"signed-rank", 62, 38, 0}, {"signed-rank-exact", 62, 38, 0}} {
		var a, b []int // numbers of errors
		for range s.wins {
			a, b = append(a, 11), append(b, 10)
		}
		for range s.losses {
			a, b = append(a, 9), append(b, 10)
		}
		for range s.ties {
			a, b = append(a, 10), append(b, 10)
		}
		cell := recordstest.Fixture([]string{"200"}, []string{"a", "b"}, [][][]int{{a, b}}).Cells()[0]
		o := DefaultBestOptions([]string{"a", "b"})
		o.Champion = "a"
		var err error
		if o.Paired, err = newPaired(s.test, stats.Independent, 0, nil); err != nil {
			t.Fatal(err)
		}
		set := best(t, &cell, o)
		if q := set.Comparisons[0]; !(q.P <= 0.05) || !q.Better || q.Worse {
			t.Errorf("%s: %+v", s.test, q)
		}
		if q := set.Comparisons[0]; s.test == "sign" && !(q.Shift.Low > 0) {
			t.Errorf("%s: the interval contains 0: %+v", s.test, q.Shift)
		}
	}
}

// If there are too few differences for an interval at the level, there is none. If an interval excludes 0,
// the test at this level finds the difference, too.
func TestIntervalsReachTheirLevel(t *testing.T) {
	for _, name := range []string{"signed-rank", "sign"} {
		for n := 1; n <= 12; n++ {
			for _, alpha := range []float64{0.05, 0.05 / 3, 0.05 / 15} {
				p, err := newPaired(name, stats.Independent, 0, nil)
				if err != nil {
					t.Fatal(err)
				}
				pairs := &records.Pairs{}
				for i := range n {
					pairs.X, pairs.Y = append(pairs.X, 0.2+0.01*float64(i)), append(pairs.Y, 0.1)
				}
				s, _, err := p.Shift("c", pairs, 1-alpha)
				if err != nil {
					t.Fatal(err)
				}
				value, err := p.Test.PValue(p.differences("c", pairs), stats.TwoSided)
				if found := value <= alpha; err != nil || (s.Level > 0) != found ||
					found != (s.Low > 0 && s.Level >= 1-alpha-1e-9) || s.Low > s.Estimate || s.High < s.Estimate {
					t.Errorf("%s, %d differences, level %v: %+v, p %v, %v", name, n, 1-alpha, s, value, err)
				}
			}
		}
	}
}

// With ties, 0 is inside an interval only if the test does not reject it, and outside only if it does. An end
// can be 0 in either case. The interval of an estimate of 0 stays as it is.
func TestIntervalsFollowTheTest(t *testing.T) {
	rng := randtest.New(7)
	ended := 0 // rejections with an end at 0
	for _, test := range stats.Tests {
		p, err := newPaired(test.Name, test.Design, 0.25,
			func(string) *rand.Rand { return randtest.New(1) })
		if err != nil {
			t.Fatal(err)
		}
		samples := 400
		if test.Name == "permutation" {
			samples = 20
		}
		for range samples {
			pairs := &records.Pairs{}
			for range 6 + rng.Intn(40) {
				pairs.X, pairs.Y = append(pairs.X, 0.3+0.01*float64(rng.Intn(5)-1)), append(pairs.Y, 0.3)
			}
			s, differs, err := p.Shift("c", pairs, 0.95)
			inside, outside := s.Low < 0 && s.High > 0, s.Low > 0 || s.High < 0
			if err != nil || s.Level > 0 && s.Estimate != 0 && (differs && inside || !differs && outside) ||
				s.Low > s.Estimate || s.Estimate > s.High {
				t.Errorf("%s of %v: %+v, differs %t, %v", test.Name, pairs.X, s, differs, err)
			}
			if differs && !outside {
				ended++
			}
		}
	}
	if ended == 0 {
		t.Error("no sample tests intervals that end at 0")
	}
}

// A p-value that equals the level rejects equality, although 1 - 0.9 is slightly smaller than 0.1.
func TestIntervalsAtTheLevel(t *testing.T) {
	p := Paired{Test: stats.Test{
		PValue: func(stats.Differences, stats.Alternative) (float64, error) { return 0.1, nil },
		Shift: func(_ stats.Differences, level float64) stats.Shift {
			return stats.Shift{Estimate: 0.2, Low: -0.1, High: 0.5, Level: level}
		},
	}, Random: func(string) *rand.Rand { return randtest.New(1) }}
	const alpha = 0.1
	s, differs, err := p.Shift("c", &records.Pairs{X: []float64{0.4}, Y: []float64{0.2}}, 1-float64(alpha))
	if err != nil || !differs || s.Low != 0 {
		t.Errorf("%+v, differs %t, %v", s, differs, err)
	}
}

// Two classifiers have equal errors in 36 of 45 replicates. The shift is then 0 although the test rejects, so
// the comparison is doubtful. The shift, its interval and the equivalence test do not contradict each other.
func TestZerosHideTheDifference(t *testing.T) {
	cell := recordstest.Fixture([]string{"200"}, []string{"a", "b"}, [][][]int{{
		recordstest.Series(45, func(int) int { return 100 }),
		recordstest.Series(45, func(i int) int {
			if i%5 == 0 {
				return 160 + i
			}
			return 100
		}),
	}}).Cells()[0]
	o := DefaultBestOptions([]string{"a", "b"})
	o.Margin = 0.05
	set := best(t, &cell, o)
	q := set.Comparisons[0]
	if !q.Worse || q.Shift.Estimate != 0 || !q.HidesDifference() || !q.Doubtful() ||
		q.Equivalence > 0.05 || q.Shift.Low < -o.Margin || q.Shift.High > o.Margin {
		t.Errorf("%+v", q)
	}
}
