package stats

import (
	"errors"
	"math"
	"strings"
	"testing"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"copse/internal/errtest"
	"copse/internal/golden"
	"copse/internal/randtest"
)

// The golden files of this test were written by testdata/inference.R.

func TestPairedTestsGolden(t *testing.T) {
	for _, row := range golden.Read(t, "testdata/pairedtests.csv") {
		d, a := row.List("d"), alternativeOf(row)
		name := row.Value["case"] + " " + row.Value["alternative"]
		sign, err := signTest(Differences{D: d}, a)
		if err != nil || !golden.Near(sign, row.Num("sign")) {
			t.Errorf("%s: sign test %v, want %v; error %v", name, sign, row.Num("sign"), err)
		}
		checkPermutation(t, name, d, a, row.Num("permutation"))
		for column, test := range map[string]func() (TResult, error){
			"t":          func() (TResult, error) { return CorrectedT(d, 0, a) },
			"corrected":  func() (TResult, error) { return CorrectedT(d, 0.25, a) },
			"calibrated": func() (TResult, error) { return calibratedT(Differences{D: d}, a) },
		} {
			got, err := test()
			if err != nil {
				t.Fatal(err)
			}
			wantT, wantP := row.Num(column), row.Num(column+"_p")
			if math.IsNaN(wantT) { // R has no answer
				wantT, wantP = 0, 1
			}
			if !golden.Near(got.T, wantT) || !golden.Near(got.P, wantP) {
				t.Errorf("%s: %s: T %v, P %v, want %v and %v", name, column, got.T, got.P, wantT, wantP)
			}
		}
	}
}

func checkPermutation(t *testing.T, name string, d []float64, a Alternative, want float64) {
	t.Helper()
	if _, err := permutationTest(Differences{D: d}, a); len(dropZeros(d)) > permutationExact && err == nil {
		t.Errorf("%s: all signs are counted", name)
	}
	got, err := permutationTest(Differences{D: d, Rng: randtest.New(3)}, a)
	if err != nil || !math.IsNaN(want) && !golden.Near(got, want) {
		t.Errorf("%s: permutation test %v, want %v; error %v", name, got, want, err)
	}
}

// P-values from drawn signs agree with exact ones and, for many differences, with the normal limit.
func TestPermutationDrawn(t *testing.T) {
	rng := randtest.New(5)
	d := make([]float64, 200)
	for i := range d {
		d[i] = rng.NormFloat64() + 0.1
	}
	drawn, err := permutationTest(Differences{D: d, Rng: rng}, TwoSided)
	if err != nil {
		t.Fatal(err)
	}
	normal, err := CorrectedT(d, 0, TwoSided)
	if err != nil || math.Abs(drawn-normal.P) > 6*math.Sqrt(drawn*(1-drawn)/permutationDraws)+0.004 {
		t.Errorf("drawn %v, t test %+v", drawn, normal)
	}
	exact, err := permutationTest(Differences{D: d[:permutationExact]}, Greater)
	if err != nil {
		t.Fatal(err)
	}
	above, sum := 0.0, floats.Sum(d[:permutationExact])
	for range permutationDraws {
		if randomFlip(absolute(d[:permutationExact]), rng) >= sum {
			above++
		}
	}
	se := math.Sqrt(exact * (1 - exact) / permutationDraws)
	if math.Abs(above/permutationDraws-exact) > 5*se {
		t.Errorf("drawn %v, counted %v, standard error %v", above/permutationDraws, exact, se)
	}
}

func TestCorrectedTInterval(t *testing.T) {
	s := Differences{D: []float64{0.02, 0.01, -0.01, 0.03, 0.02}, Share: 0.25}
	p, err := corrected.pValue(s, TwoSided)
	if err != nil {
		t.Fatal(err)
	}
	// An interval at level 1-p ends at 0.
	if i := corrected.shift(s, 1-p); !golden.Near(i.Low, 0) || !golden.Near(i.High, 2*i.Estimate) {
		t.Errorf("interval at level 1-%v: %+v", p, i)
	}
	if i := corrected.shift(Differences{D: []float64{0.5}}, 0.95); i != (Shift{Estimate: 0.5, Low: 0.5, High: 0.5}) {
		t.Errorf("a single difference has the interval %+v", i)
	}
}

func TestEquivalenceGolden(t *testing.T) {
	for _, row := range golden.Read(t, "testdata/equivalence.csv") {
		d, margin := row.List("d"), row.Num("margin")
		for _, name := range []string{"t", "wilcoxon"} {
			test := func(s []float64, a Alternative) (float64, error) {
				if name == "t" {
					r, err := CorrectedT(s, 0, a)
					return r.P, err
				}
				for i, v := range s {
					s[i] = math.Round(v*1e10) / 1e10
				}
				r, err := SignedRankOf(s, a, false)
				return r.P, err
			}
			got, err := Equivalence(d, margin, test)
			if err != nil || !golden.Near(got, row.Num(name)) {
				t.Errorf("%s, margin %v, %s: %v, want %v; error %v", row.Value["case"], margin, name, got,
					row.Num(name), err)
			}
		}
	}
	if _, err := Equivalence([]float64{1}, 0, nil); err == nil {
		t.Error("margin 0: no error")
	}
}

// Welch's version equals two one-sided t tests with its standard error.
func TestWelchEquivalence(t *testing.T) {
	d := []float64{0.02, 0.01, -0.01, 0.03, 0.02}
	r, err := CorrectedT(d, 0, TwoSided)
	if err != nil {
		t.Fatal(err)
	}
	want, err := Equivalence(d, 0.03, func(s []float64, a Alternative) (float64, error) {
		r, err := CorrectedT(s, 0, a)
		return r.P, err
	})
	if got := WelchEquivalence(r.Mean, r.SE, float64(r.DF), 0.03); err != nil || !golden.Near(got, want) {
		t.Errorf("%v, want %v; error %v", got, want, err)
	}
	if in, out := WelchEquivalence(0.01, 0, 4, 0.03), WelchEquivalence(0.04, 0, 4, 0.03); in != 0 || out != 1 {
		t.Errorf("without spread: %v inside the margin, %v outside", in, out)
	}
}

func TestPairedTestsRefuse(t *testing.T) {
	one := []float64{1}
	for _, test := range Tests {
		if _, err := test.PValue(Differences{}, TwoSided); err == nil {
			t.Errorf("%s accepts an empty list", test.Name)
		}
	}
	for _, share := range []float64{-0.1, math.NaN(), math.Inf(1)} {
		if _, err := CorrectedT([]float64{1, 2, 4}, share, TwoSided); err == nil {
			t.Errorf("the t test accepts the share %v", share)
		}
	}
	rng := randtest.New(1)
	for name, call := range map[string]func(){
		"a fourth alternative":  func() { (Less + 1).FromTails(0.5, 0.5) },
		"no difference":         func() { BayesSignedRank(nil, 0, 10, rng) },
		"an infinite one":       func() { BayesSignedRank([]float64{math.Inf(1)}, 0, 10, rng) },
		"a negative rope":       func() { BayesSignedRank(one, -1, 10, rng) },
		"a rope without number": func() { BayesSignedRank(one, math.NaN(), 10, rng) },
		"no draw":               func() { BayesSignedRank(one, 0, 0, rng) },
	} {
		if !panics(call) {
			t.Errorf("%s is accepted", name)
		}
	}
}

func panics(call func()) (panicked bool) {
	defer func() { panicked = recover() != nil }()
	call()
	return false
}

func TestBayesSignedRankGolden(t *testing.T) {
	rng := randtest.New(7)
	for _, row := range golden.Read(t, "testdata/bayessigned.csv") {
		rope := row.Num("rope")
		got := BayesSignedRank(row.List("d"), rope, BayesDraws, rng)
		for name, p := range map[string]float64{"below": got.Below, "equivalent": got.Equivalent, "above": got.Above} {
			want := row.Num(name)
			se := math.Sqrt(want * (1 - want) * (1/row.Num("samples") + 1.0/BayesDraws))
			if math.Abs(p-want) > 4.5*se+1e-4 {
				t.Errorf("%s, rope %v: %s %v, want %v, standard error %v", row.Value["case"], rope, name, p, want, se)
			}
		}
		if sum := got.Below + got.Equivalent + got.Above; !golden.Near(sum, 1) {
			t.Errorf("%s: %+v: sum %v", row.Value["case"], got, sum)
		}
	}
}

// The test is not about the mean difference, as docs/reference/tests.md states. Here, the mean is 0 with the standard
// error 0.41, but the differences spread far beyond the region of practical equivalence.
func TestBayesSignedRankIsNotAboutTheMean(t *testing.T) {
	d := make([]float64, 200)
	for i := range d {
		d[i] = float64(i%20) - 9.5 // evenly spaced from -9.5 to 9.5
	}
	got := BayesSignedRank(d, 1.5, BayesDraws, randtest.New(7))
	if got.Equivalent > 0.01 || math.Abs(got.Below-got.Above) > 0.05 {
		t.Errorf("%+v", got)
	}
}

func TestWilcoxonHolmGolden(t *testing.T) {
	var values [][]float64
	for _, row := range golden.Read(t, "testdata/blocks.csv") {
		values = append(values, []float64{row.Num("V1"), row.Num("V2"), row.Num("V3"), row.Num("V4"), row.Num("V5")})
	}
	got, err := WilcoxonHolm(values, 0.05)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range golden.Read(t, "testdata/pairwise.csv") {
		i, j := int(row.Num("first"))-1, int(row.Num("second"))-1
		if !golden.Near(got.Adjusted[i][j], row.Num("holm")) || got.Adjusted[i][j] != got.Adjusted[j][i] {
			t.Errorf("%d and %d: adjusted %v, want %v", i, j, got.Adjusted[i][j], row.Num("holm"))
		}
		test, err := SignedRankOf(stepsBetween(values, i, j), TwoSided, false)
		if err != nil || !golden.Near(test.P, row.Num("p")) {
			t.Errorf("%d and %d: p %v, want %v, error %v", i, j, test.P, row.Num("p"), err)
		}
	}
	for _, g := range got.Groups {
		for _, i := range g {
			for _, j := range g {
				if i != j && got.Adjusted[i][j] <= 0.05 {
					t.Errorf("group %v joins %d and %d, which differ", g, i, j)
				}
			}
		}
	}
}

func TestPlanning(t *testing.T) {
	for _, c := range []struct {
		sd, mcse float64
		want     int
	}{{0.02, 0.002, 100}, {0.02, 0.0021, 91}, {0, 0.1, 1}, {0.001, 1, 1}} {
		if got, err := ReplicatesFor(c.sd, c.mcse); err != nil || got != c.want {
			t.Errorf("sd %v, mcse %v: %d, want %d; error %v", c.sd, c.mcse, got, c.want, err)
		}
	}
	for _, bad := range [][2]float64{{1, 0}, {math.NaN(), 1}, {-1, 1}, {1, 1e-9}} {
		if _, err := ReplicatesFor(bad[0], bad[1]); err == nil {
			t.Errorf("sd %v, mcse %v: no error", bad[0], bad[1])
		}
	}
	for _, row := range golden.Read(t, "testdata/sdbound.csv") {
		if got := SDBound(3, int(row.Num("n")), row.Num("level")); math.Abs(got-3*row.Num("factor")) > 1e-6*got {
			t.Errorf("n %v, level %v: %v, want %v", row.Num("n"), row.Num("level"), got, 3*row.Num("factor"))
		}
	}
}

// Every test of the registry satisfies the laws of a paired test.
func TestRegistryLaws(t *testing.T) {
	d := []float64{0.3, -0.1, 0.2, 0.25, 0.4, -0.05, 0.15, 0, 0.35, 0.12}
	for _, test := range Tests {
		run := func(d []float64, a Alternative) float64 {
			t.Helper()
			p, err := test.PValue(Differences{D: d, Share: 0.25, Rng: randtest.New(1)}, a)
			if err != nil || !(p >= 0 && p <= 1) {
				t.Fatalf("%s: P %v, error %v", test.Name, p, err)
			}
			return p
		}
		mirror := make([]float64, len(d))
		for i, v := range d {
			mirror[i] = -v
		}
		greater, less := run(d, Greater), run(mirror, Less)
		same, mirrored := run(d, TwoSided), run(mirror, TwoSided)
		if greater != less || math.Abs(same-mirrored) > 1e-15 {
			t.Errorf("%s: not symmetric: one-sided %v, %v; two-sided %v, %v", test.Name, greater, less, same, mirrored)
		}
		if p := run([]float64{0, 0, 0}, TwoSided); p != 1 {
			t.Errorf("%s: P of no difference is %v", test.Name, p)
		}
		if one := []float64{1, 2, 3, 4, 5, 6, 7}; run(one, Greater) < test.MinP(len(one), Greater)-1e-15 {
			t.Errorf("%s: P %v below the least %v", test.Name, run(one, Greater), test.MinP(len(one), Greater))
		}
		if _, err := test.PValue(Differences{D: []float64{math.NaN()}, Rng: randtest.New(1)},
			TwoSided); err == nil {
			t.Errorf("%s: takes NaN", test.Name)
		}
		if test.Label == "" || test.Assumption == "" || test.Source == "" || test.Design == "" {
			t.Errorf("%s: incomplete entry", test.Name)
		}
	}
}

// Intervals agree with tests: for the p-value P of a two-sided test against a shift, the interval at level 1
// - P ends at this shift, or next to it if P is discrete.
func TestShifts(t *testing.T) {
	rng := randtest.New(23)
	d := differencesOf(21, func(rng *rand.Rand) float64 { return rng.NormFloat64() + 0.3 }, rng)
	for _, test := range Tests {
		s := Differences{D: d, Share: 0.25, Rng: rng}
		shift := test.Shift(s, 0.9)
		if !(shift.Low <= shift.Estimate && shift.Estimate <= shift.High) || shift.Level < 0.9-1e-12 ||
			test.Estimate == "" {
			t.Errorf("%s: %+v", test.Name, shift)
		}
		for _, end := range []struct{ at, outside float64 }{{shift.Low, -1e-6}, {shift.High, 1e-6}} {
			p := func(at float64) float64 {
				moved := make([]float64, len(d))
				for i, v := range d {
					moved[i] = v - at
				}
				p, err := test.PValue(Differences{D: moved, Share: 0.25, Rng: rng}, TwoSided)
				if err != nil {
					t.Fatal(err)
				}
				return p
			}
			tolerance := 1e-5
			if test.Name == "permutation" { // both are drawn
				tolerance = 0.005
			}
			if in, out := p(end.at-end.outside), p(end.at+end.outside); !(out <= 0.1+tolerance &&
				in >= 1-shift.Level-tolerance) {
				t.Errorf("%s: end %v of %+v: p %v inside, %v outside", test.Name, end.at, shift, in, out)
			}
		}
	}
}

// Like the permutation test, its interval concerns the mean. If one difference is very large, the
// Hodges-Lehmann shift has the other sign. For up to 14 differences, test and interval agree exactly.
func TestPermutationShiftIsOfTheMean(t *testing.T) {
	d := []float64{-1, -2, -1.5, -1.2, -0.7, -1.1, -0.9, 40}
	test, err := FindTest("permutation", Independent)
	if err != nil {
		t.Fatal(err)
	}
	shift := test.Shift(Differences{D: d}, 0.95)
	if mean := stat.Mean(d, nil); shift.Estimate != mean || test.Estimate != "mean difference" {
		t.Errorf("%s %+v, want the mean %v", test.Estimate, shift, mean)
	}
	if HodgesLehmannOf(d, 0.95).Estimate >= 0 {
		t.Error("the example does not separate the mean from the Hodges-Lehmann shift")
	}
	for _, at := range []float64{shift.Low - 1e-6, shift.Low, shift.High, shift.High + 1e-6} {
		moved := make([]float64, len(d))
		for i, v := range d {
			moved[i] = v - at
		}
		p, err := permutationTest(Differences{D: moved}, TwoSided)
		if within := at >= shift.Low && at <= shift.High; err != nil || within != (p > 0.05) {
			t.Errorf("shift %v of %+v: p %v, %v", at, shift, p, err)
		}
	}
	if few := test.Shift(Differences{D: d[:5]}, 0.95); few.Level != 0 {
		t.Errorf("five differences have an interval: %+v", few)
	}
}

func TestNeeded(t *testing.T) {
	for _, c := range []struct {
		test  string
		from  int
		level float64
		a     Alternative
		want  int
	}{{"signed-rank", 1, 0.05, TwoSided, 6}, {"signed-rank", 1, 0.05 / 6, TwoSided, 8}, {"sign", 1, 0.05, Less,
		5}, {"t", 1, 0.05, TwoSided, 2},
		{"permutation", 1, 1e-9, Less, 30}, {"permutation", 31, 1e-9, Less, 0}, {"permutation", 31, 3e-5, TwoSided,
			31}, {"permutation", 5000, 1e-5, TwoSided, 0},
		{"permutation", 1, 1e-12, TwoSided, 0}, {"sign", 1, 1e-300, Less, 997}} {
		test, err := FindTest(c.test, Independent)
		if err != nil {
			t.Fatal(err)
		}
		if got := test.Needed(c.from, c.level, c.a); got != c.want {
			t.Errorf("%s at %v, %v: %d, want %d", c.test, c.level, c.a, got, c.want)
		}
	}
	for _, test := range AllTests() {
		const level = 1e-12 // the smallest that studies may ask for
		if bounded := test.Needed(1, level, TwoSided) == 0; bounded != (test.Floor != "") {
			t.Errorf("%s has a bound above %v: %v, but Floor is %q", test.Name, level, bounded, test.Floor)
		}
	}
}

func TestFindTest(t *testing.T) {
	for design, want := range map[Design]string{Independent: "signed-rank", Resampled: "corrected-t",
		TestRows: "mcnemar"} {
		if test, err := FindTest("", design); err != nil || test.Name != want {
			t.Errorf("%s: default %s, error %v", design, test.Name, err)
		}
	}
	_, err := FindTest("signed-rank", Resampled)
	if !errors.Is(err, ErrAssumption) || !strings.Contains(err.Error(), "use one of corrected-t") {
		t.Errorf("signed-rank over folds: error %v", err)
	}
	_, err = FindTest("corrected-t", TestRows)
	if !errors.Is(err, ErrAssumption) || !strings.Contains(err.Error(), "use one of mcnemar, delong, row-bootstrap") {
		t.Errorf("corrected-t on one test set: error %v", err)
	}
	_, err = FindTest("chi", Independent)
	errtest.Case(t, "unknown test").Contains(err, "signed-rank")
}

// A test without a p-value does not change the adjusted p-values of the others.
func TestHolmWithoutOneP(t *testing.T) {
	got := Holm.Adjust([]float64{0.001, math.NaN(), 0.5}, 3)
	if got[0] != 0.003 || !math.IsNaN(got[1]) || got[2] != 1 {
		t.Errorf("%v", got)
	}
}

// Rounding errors of differences are no spread: 10/30 - 8/30 and 12/30 - 10/30 differ in the last digit.
func TestStudentWithoutSpread(t *testing.T) {
	var d []float64
	for r := range 8 {
		d = append(d, RoundedSteps(float64(2*r+2)/30)-RoundedSteps(float64(2*r)/30))
	}
	for _, share := range []float64{0, 1.0 / 7} {
		if r, err := CorrectedT(d, share, TwoSided); err != nil || r.P != 1 || !math.IsNaN(r.SE) {
			t.Errorf("%+v, %v", r, err)
		}
	}
	if s := Skewness(d); s != 0 {
		t.Errorf("skewness %v", s)
	}
}
