package networks

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/logdensity"
	"copse/classifiers/internal/tree"
	"copse/classifiers/method"
	"copse/stats/copula"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// fitCopulaNetwork fits a copula network to train and returns Bayes' rule for it. If clayton is
// false, all copulas are Gaussian.
func fitCopulaNetwork(ctx context.Context, train *dataset.Set, s CNC, clayton bool) (*method.Rule, error) {
	network, err := newCopulaNetwork(ctx, train, s, clayton)
	if err != nil {
		return nil, err
	}
	return method.Bayes(method.LogPriors(train, s.Priors), network.logDensities, network.warnings...), nil
}

// newCopulaNetwork fits the network of Elidan (2012), section 4: first the margins, then the copula of
// each pair of variables in each class, then the tree with the largest BIC.
func newCopulaNetwork(ctx context.Context, train *dataset.Set, s CNC, clayton bool) (*copulaNetwork, error) {
	units := columns.NewUnits(train) // powers of two that keep extreme values in range
	train = units.Set(train)
	network := &copulaNetwork{CNC: s, clayton: clayton, d: train.D(), units: units}
	for c := range train.C() {
		class, warning, err := network.fitClass(ctx, train, c)
		if err != nil {
			return nil, err
		}
		if warning != "" {
			network.warnings = append(network.warnings, warning)
		}
		network.classes = append(network.classes, class)
	}
	gain, err := network.gains(ctx, train.N())
	if err != nil {
		return nil, err
	}
	network.edges = tree.MaximumOf(gain, s.Forest)
	for c := range network.classes {
		class := &network.classes[c]
		for _, e := range network.edges {
			chosen, _ := network.choose(*class, e.I, e.J)
			class.copulas = append(class.copulas, chosen)
		}
		class.values, class.ranks = nil, nil // free the training rows, which predictions do not use
	}
	return network, nil
}

// gains returns, for each pair of variables, the change of the BIC if the pair is an edge (Eq. 4): the
// sum over classes of the copula's log likelihood, minus log(rows)/2 for each class. rows is the
// number of training rows.
func (n *copulaNetwork) gains(ctx context.Context, rows int) (*mat.SymDense, error) {
	gain := mat.NewSymDense(n.d, nil)
	penalty := math.Log(float64(rows)) / 2 * float64(len(n.classes))
	for i := range n.d {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for j := i + 1; j < n.d; j++ {
			bic := -penalty
			for _, class := range n.classes {
				_, likelihood := n.choose(class, i, j)
				bic += likelihood
			}
			gain.SetSym(i, j, bic)
		}
	}
	return gain, nil
}

// copulaNetwork is a fitted copula network.
type copulaNetwork struct {
	CNC
	clayton  bool // edges may have Clayton copulas
	d        int  // number of variables
	units    columns.Units
	edges    []tree.Edge
	classes  []copulaClass
	warnings []string
}

// A copulaClass is the density of one class.
type copulaClass struct {
	margins []*kde.Distribution // margin of each variable
	copulas []copula.Copula     // copula of each edge

	// Training rows of the class; nil after the fit.
	values [][]copula.Value // values[j][i]: F(x) of variable j at row i
	ranks  []*copula.Ranked // ranks of each variable
}

// fitClass estimates the margins of class c. One row is not enough for a bandwidth. A class with one
// row therefore gets a warning and the bandwidth of all N rows times N^(1/5), the factor that makes
// the bandwidth independent of N.
func (n *copulaNetwork) fitClass(
	ctx context.Context, train *dataset.Set, c int,
) (class copulaClass, warning string, err error) {
	rows := train.ClassRows(c)
	own := train.Columns(rows)
	samples, stretch := own, 1.0 // rows and factor for the bandwidths
	if len(rows) < 2 {
		warning = fmt.Sprintf("class %q has one training row: its bandwidths are those of all rows", train.Classes[c])
		samples = train.Columns(columns.Head(train.N()))
		stretch = math.Pow(float64(train.N()), 0.2)
	}
	for j, x := range own {
		if err := ctx.Err(); err != nil {
			return class, "", err
		}
		h, err := kde.Rule(n.Bandwidth).Bandwidth(samples[j])
		if err != nil {
			return class, "", logdensity.Error(train, logdensity.Entry{Class: c, I: j, J: j}, err)
		}
		margin := kde.NewDistribution(x, h*stretch)
		values := make([]copula.Value, len(x))
		for i, v := range x {
			values[i] = n.value(margin, v)
		}
		class.margins = append(class.margins, margin)
		class.values = append(class.values, values)
		class.ranks = append(class.ranks, copula.Rank(x))
	}
	return class, warning, nil
}

// value returns F(x), clipped to [Margin, 1-Margin], in the form that copulas use.
func (n *copulaNetwork) value(margin *kde.Distribution, x float64) copula.Value {
	return copula.At(max(n.Margin, min(margin.CDF(x), 1-n.Margin)))
}

// choose returns the copula of variables i and j with the largest likelihood in the class, and its
// log likelihood. All families have one parameter, so this copula also has the largest BIC. If the
// class has fewer than three rows, rank correlations are meaningless, so choose returns independence.
func (n *copulaNetwork) choose(class copulaClass, i, j int) (copula.Copula, float64) {
	if len(class.values[i]) < 3 {
		return copula.Independence{}, 0
	}
	gaussian := n.gaussian(class, i, j)
	likelihood := logLikelihood(gaussian, class.values[i], class.values[j])
	if !n.clayton {
		return gaussian, likelihood
	}
	clayton, positive := copula.ClaytonByKendall(class.ranks[i].Kendall(class.ranks[j]), n.MaxTheta)
	if !positive {
		return gaussian, likelihood // Clayton copulas cannot model negative dependence
	}
	if l := logLikelihood(clayton, class.values[i], class.values[j]); l > likelihood {
		return clayton, l
	}
	return gaussian, likelihood
}

// gaussian returns the Gaussian copula of variables i and j in the class, with the correlation that
// n.Correlation selects.
func (n *copulaNetwork) gaussian(class copulaClass, i, j int) copula.Gaussian {
	switch n.Correlation {
	case bySpearman:
		return copula.GaussianBySpearman(class.ranks[i].Spearman(class.ranks[j]), n.MaxCorrelation)
	case byKendall:
		return copula.GaussianByKendall(class.ranks[i].Kendall(class.ranks[j]), n.MaxCorrelation)
	case byNormalScores:
		r := correlation(normalScores(class.values[i]), normalScores(class.values[j]))
		return copula.NewGaussian(max(-n.MaxCorrelation, min(r, n.MaxCorrelation)))
	}
	panic(fmt.Sprintf("networks: unknown estimate of the correlation %q", n.Correlation))
}

// normalScores returns Phi^-1(F(x)) for each value F(x).
func normalScores(values []copula.Value) []float64 {
	scores := make([]float64, len(values))
	for i, v := range values {
		scores[i] = v.Normal
	}
	return scores
}

// logLikelihood returns sum_k log c(u[k], v[k]), where c is the density of the copula.
func logLikelihood(c copula.Copula, u, v []copula.Value) float64 {
	sum := 0.0
	for k := range u {
		sum += c.LogDensity(u[k], v[k])
	}
	return sum
}

// logDensities returns the n x C matrix of log f_w(x) for each row x and class w (Eq. 2).
func (n *copulaNetwork) logDensities(x *mat.Dense) *mat.Dense {
	columns.Check(x, n.d, false)
	x = n.units.Apply(x)
	rows, _ := x.Dims()
	logs := mat.NewDense(rows, len(n.classes), nil)
	values := make([]copula.Value, n.d)
	for c, class := range n.classes {
		for i := range rows {
			sum := 0.0
			for j, v := range x.RawRowView(i) {
				sum += class.margins[j].Log(v) + n.units.Log(j)
				values[j] = n.value(class.margins[j], v)
			}
			for k, e := range n.edges {
				sum += class.copulas[k].LogDensity(values[e.I], values[e.J])
			}
			logs.Set(i, c, sum)
		}
	}
	return logs
}
