package classics

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/methodtest"
	"copse/classifiers/method"
	"copse/internal/golden"
	"copse/stats"
	"copse/stats/dataset"
)

// TestQDAGolden compares with MASS 7.3-58.2 in R 4.2.2 (testdata/qda.R).
func TestQDAGolden(t *testing.T) {
	_, all, _ := methodtest.Classics(t, 3)
	var rows []int
	for i, c := range all.Y[:120] {
		if c != 0 || i >= 45 {
			rows = append(rows, i)
		}
	}
	g := golden.Columns(t, "../testdata/qda.csv")
	for prefix, priors := range map[string]string{"p": method.TrainingPriors, "e": method.EqualPriors} {
		recipe := NewQDA()
		recipe.Priors = priors
		p := methodtest.Fit(t, recipe, all.Subset(rows)).Probabilities(all.X)
		for c := range 3 {
			methodtest.CheckColumn(t, g, fmt.Sprint(prefix, c), func(i int) float64 { return p.At(i, c) }, 1e-12)
		}
	}
}

// TestQDAShrunk: with shrink 1, the rule equals LDA. With shrink 1/2, it equals the formula, computed with
// dense inverses in the columns' own units.
func TestQDAShrunk(t *testing.T) {
	train, all, _ := methodtest.Classics(t, 3)
	recipe := NewQDA()
	recipe.Shrink = 1
	got, want := methodtest.Fit(t, recipe, train), methodtest.Fit(t, NewLDA(), train)
	if !mat.EqualApprox(got.Probabilities(all.X), want.Probabilities(all.X), 1e-10) {
		t.Error("shrunk to the common covariance, the probabilities are not LDA's")
	}
	recipe.Shrink = 0.5
	got = methodtest.Fit(t, recipe, train)
	means := classMeans(train.X, train)
	covariances := classCovariances(train.X, train, means)
	scores := mat.NewDense(all.N(), 3, nil)
	for c := range covariances {
		mixed, inverse := mat.NewDense(4, 4, nil), mat.NewDense(4, 4, nil)
		for b, other := range covariances {
			weight := 0.5 * float64(train.Counts()[b]-1) / float64(train.N()-3)
			if b == c {
				weight += 0.5
			}
			for k := range 16 {
				mixed.Set(k/4, k%4, mixed.At(k/4, k%4)+weight*other.At(k/4, k%4))
			}
		}
		if err := inverse.Inverse(mixed); err != nil {
			t.Fatal(err)
		}
		for i := range all.N() {
			x := mat.NewVecDense(4, nil)
			x.SubVec(all.X.RowView(i), mat.NewVecDense(4, means[c]))
			scores.Set(i, c, math.Log(float64(train.Counts()[c]))-math.Log(mat.Det(mixed))/2-mat.Inner(x, inverse, x)/2)
		}
	}
	if !mat.EqualApprox(got.Probabilities(all.X), method.Posteriors(scores), 1e-9) {
		t.Error("half shrunk, the probabilities are not the formula's")
	}
}

// TestQDAWithoutCovariance: a constant column gets a positive variance, and a class with few rows gets the
// common covariance, each with a warning. If columns are collinear in all classes, the rule is LDA.
func TestQDAWithoutCovariance(t *testing.T) {
	base := methodtest.Gaussians(60, 3, 2, 1)
	constant := methodtest.WithColumn(base, 1, func(i int) float64 { return base.X.At(i, 1) * float64(1-base.Y[i]) })
	few := base.Subset([]int{0, 1, 2, 3, 4, 5})
	for want, train := range map[string]*dataset.Set{
		`column "x2" is constant in class "1"`:                          constant,
		`a class's covariance is singular: shrink is 0.01 instead of 0`: few,
	} {
		rule := methodtest.Fit(t, NewQDA(), train)
		if len(rule.Warnings) != 1 || !strings.Contains(rule.Warnings[0], want) {
			t.Errorf("warnings %q, want %q", rule.Warnings, want)
		}
		methodtest.CheckRule(t, rule, base)
	}
	collinear := methodtest.WithColumn(base, 2, func(i int) float64 {
		return 3*base.X.At(i, 0) - 2*base.X.At(i, 1)
	})
	rule, lda := methodtest.Fit(t, NewQDA(), collinear), methodtest.Fit(t, NewLDA(), collinear)
	if len(rule.Warnings) != 2 || !strings.Contains(rule.Warnings[0], "shrink is 1 instead of 0") ||
		!mat.Equal(rule.Scores(base.X), lda.Scores(base.X)) {
		t.Errorf("collinear columns: warnings %q", rule.Warnings)
	}
}

// TestQDAShrunkToAnyRows: with shrink 1, any number of rows suffices, per class and relative to the columns.
func TestQDAShrunkToAnyRows(t *testing.T) {
	recipe := NewQDA()
	recipe.Shrink = 1
	base := methodtest.Gaussians(60, 12, 2, 1)
	for _, rows := range [][]int{{0, 1, 2}, {0, 1, 2, 3, 4, 5}, stats.Indices(12), stats.Indices(60)} {
		rule := methodtest.Fit(t, recipe, base.Subset(rows))
		methodtest.CheckRule(t, rule, base)
		if e := methodtest.ErrorRate(rule, base); e > 0.3 {
			t.Errorf("%d rows: error rate %g, chance has 0.5", len(rows), e)
		}
	}
}
