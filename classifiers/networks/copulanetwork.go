package networks

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/logdensity"
	"copse/classifiers/internal/spanning"
	"copse/classifiers/method"
	"copse/stats"
	"copse/stats/copula"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// fitCopulaNetwork fits a copula network and returns Bayes' rule for its densities.
func fitCopulaNetwork(ctx context.Context, train *dataset.Set, s CNC) (*method.Rule, error) {
	network, err := newCopulaNetwork(ctx, train, s)
	if err != nil {
		return nil, err
	}
	return method.Bayes(method.LogPriors(train, s.Priors), network.logDensities, network.warnings...), nil
}

// newCopulaNetwork fits a copula network (Elidan 2012, section 4): the margins in each class, the
// tree with the largest BIC for all classes, and a copula for each edge in each class.
func newCopulaNetwork(ctx context.Context, train *dataset.Set, s CNC) (*copulaNetwork, error) {
	units := columns.NewUnits(train) // factors that bring columns of extreme values into range
	train = units.Set(train)
	network := &copulaNetwork{CNC: s, units: units}
	var samples []copulaSample // training rows of each class
	for c := range train.C() {
		margins, warning, err := s.fitMargins(ctx, train, c)
		if err != nil {
			return nil, err
		}
		if warning != "" {
			network.warnings = append(network.warnings, warning)
		}
		network.classes = append(network.classes, copulaClass{margins: margins})
		samples = append(samples, s.newCopulaSample(margins, train.Columns(train.ClassRows(c))))
	}
	gain, err := network.gains(ctx, samples, train.N())
	if err != nil {
		return nil, err
	}
	network.edges = spanning.MaximumOf(gain, s.Forest)
	network.chooseCopulas(samples)
	return network, nil
}

func (n *copulaNetwork) chooseCopulas(samples []copulaSample) {
	for c, sample := range samples {
		class := &n.classes[c]
		for _, e := range n.edges {
			best, _ := n.bestCopula(sample, e.I, e.J)
			class.copulas = append(class.copulas, best)
		}
	}
}

// gains returns the increase in the BIC (Eq. 4) due to an edge between each pair of variables. Each
// class contributes the log likelihood of its copula minus log(rows)/2, where rows is the number of
// all training rows.
func (n *copulaNetwork) gains(ctx context.Context, samples []copulaSample, rows int) (*mat.SymDense, error) {
	d := len(samples[0].values)
	gain := mat.NewSymDense(d, nil)
	penalty := math.Log(float64(rows)) / 2 * float64(len(samples))
	for i := range d {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for j := i + 1; j < d; j++ {
			bic := -penalty
			for _, sample := range samples {
				_, logLikelihood := n.bestCopula(sample, i, j)
				bic += logLikelihood
			}
			gain.SetSym(i, j, bic)
		}
	}
	return gain, nil
}

type copulaNetwork struct {
	CNC
	units    columns.Units
	edges    []spanning.Edge
	classes  []copulaClass
	warnings []string
}

type copulaClass struct {
	margins []*kde.Distribution // margin of each variable
	copulas []copula.Copula     // copula of each edge
}

// A copulaSample contains the training rows of one class.
type copulaSample struct {
	values [][]copula.Value // values[j][i]: F(x) of variable j at row i
	ranks  []*copula.Ranked // ranks of each variable
}

// fitMargins estimates the margins of class c. If the class has only one row, it also returns a
// warning.
func (s *CNC) fitMargins(
	ctx context.Context, train *dataset.Set, c int,
) (margins []*kde.Distribution, warning string, err error) {
	rows := train.ClassRows(c)
	values := train.Columns(rows) // values[j]: variable j in the rows of the class
	samples, factor := values, 1.0
	if len(rows) < 2 {
		// A single row gets N^(1/5) times the bandwidths of all N rows, because bandwidths shrink as
		// N^(-1/5).
		warning = fmt.Sprintf("class %q has one training row: its bandwidths are those of all rows", train.Classes[c])
		samples = train.Columns(stats.Indices(train.N()))
		factor = math.Pow(float64(train.N()), 0.2)
	}
	for j, x := range values {
		if err := ctx.Err(); err != nil {
			return nil, "", err
		}
		h, err := kde.Rule(s.Bandwidth).Bandwidth(samples[j])
		if err != nil {
			return nil, "", logdensity.Error(train, logdensity.Entry{Class: c, I: j, J: j}, err)
		}
		margins = append(margins, kde.NewDistribution(x, h*factor))
	}
	return margins, warning, nil
}

// newCopulaSample returns the sample of a class. variables[j] contains the values of variable j in
// its training rows.
func (s *CNC) newCopulaSample(margins []*kde.Distribution, variables [][]float64) copulaSample {
	var sample copulaSample
	for j, x := range variables {
		values := make([]copula.Value, len(x))
		for i, v := range x {
			values[i] = s.value(margins[j], v)
		}
		sample.values = append(sample.values, values)
		sample.ranks = append(sample.ranks, copula.Rank(x))
	}
	return sample
}

// value returns the distribution function of the margin at x, clipped to [s.Margin, 1-s.Margin],
// because copula densities may be infinite at 0 and 1.
func (s *CNC) value(margin *kde.Distribution, x float64) copula.Value {
	return copula.At(max(s.Margin, min(margin.CDF(x), 1-s.Margin)))
}

// bestCopula returns the copula of variables i and j with the largest likelihood in a class, and
// its log likelihood. With fewer than three rows, it returns the independence copula, because rank
// correlations are meaningless.
func (n *copulaNetwork) bestCopula(sample copulaSample, i, j int) (best copula.Copula, logL float64) {
	u, v := sample.values[i], sample.values[j]
	if len(u) < 3 {
		return copula.NewGaussian(0), 0
	}
	gaussian := n.gaussian(sample, i, j)
	logL = logLikelihood(gaussian, u, v)
	if n.MaxTheta == noClayton { // the user allows only Gaussian copulas
		return gaussian, logL
	}
	clayton, positive := copula.ClaytonByKendall(sample.ranks[i].Kendall(sample.ranks[j]), n.MaxTheta)
	if !positive {
		return gaussian, logL // Clayton copulas cannot model negative dependence
	}
	if claytonLogL := logLikelihood(clayton, u, v); claytonLogL > logL {
		return clayton, claytonLogL
	}
	return gaussian, logL
}

func (s *CNC) gaussian(sample copulaSample, i, j int) copula.Gaussian {
	switch s.Correlation {
	case bySpearman:
		return copula.GaussianBySpearman(sample.ranks[i].Spearman(sample.ranks[j]), s.MaxCorrelation)
	case byKendall:
		return copula.GaussianByKendall(sample.ranks[i].Kendall(sample.ranks[j]), s.MaxCorrelation)
	default: // byNormalScores
		r := correlation(normalScores(sample.values[i]), normalScores(sample.values[j]))
		return copula.NewGaussian(max(-s.MaxCorrelation, min(r, s.MaxCorrelation)))
	}
}

func normalScores(values []copula.Value) []float64 {
	scores := make([]float64, len(values))
	for i, v := range values {
		scores[i] = v.Normal
	}
	return scores
}

// logLikelihood returns sum_k log c(u[k], v[k]) for the density c.
func logLikelihood(c copula.Copula, u, v []copula.Value) float64 {
	sum := 0.0
	for k := range u {
		sum += c.LogDensity(u[k], v[k])
	}
	return sum
}

// logDensities returns the n x C matrix of class log densities at the rows of x (Eq. 2).
func (n *copulaNetwork) logDensities(x *mat.Dense) *mat.Dense {
	d := len(n.classes[0].margins)
	columns.Check(x, d, columns.NoMissing)
	x = n.units.Apply(x)
	rows, _ := x.Dims()
	logs := mat.NewDense(rows, len(n.classes), nil)
	values := make([]copula.Value, d)
	for c, class := range n.classes {
		for i := range rows {
			sum := 0.0
			for j, v := range x.RawRowView(i) {
				sum += class.margins[j].Log(v) + n.units.Log(j) // the density in the original units
				values[j] = n.value(class.margins[j], v)        // the distribution function at v
			}
			for k, e := range n.edges {
				sum += class.copulas[k].LogDensity(values[e.I], values[e.J])
			}
			logs.Set(i, c, sum)
		}
	}
	return logs
}
