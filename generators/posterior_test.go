package generators

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"testing"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/method"
	"copse/internal/randtest"
	"copse/stats"
	"copse/stats/dataset"
)

// The labels of a sample agree with the posterior probabilities that follow from the log densities.
func TestConformancePosteriors(t *testing.T) {
	generators := smallGenerators()
	maps.Copy(generators, variants())
	for name, g := range generators {
		if p, ok := mustNew(t, g, randtest.New(68)).(DensityProblem); ok {
			if err := checkPosteriors(p, unequalCounts(specOf(g).Classes(g))); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// smallGenerators returns all generators of the registry, with 3 variables if they have a field D.
// The classes of such problems overlap, so that the sizes of the posterior probabilities matter.
func smallGenerators() map[string]Generator {
	all := make(map[string]Generator)
	for _, spec := range Registry {
		g := spec.New()
		if d := reflect.ValueOf(g).Elem().FieldByName("D"); d.IsValid() {
			d.SetInt(3)
		}
		all[spec.Name+" (small)"] = g
	}
	return all
}

// checkPosteriors finds wrong densities and wrong labels. If the classes of a problem hardly overlap,
// it does not find a factor for one class, so this test uses problems with much overlap.
func TestCheckPosteriors(t *testing.T) {
	for fault, wrong := range map[string]func(DensityProblem) DensityProblem{
		"swapped classes": func(p DensityProblem) DensityProblem {
			return wrongDensity{p, func(c int, x []float64) float64 { return p.LogDensity(1-c, x) }}
		},
		"constant densities": func(p DensityProblem) DensityProblem {
			return wrongDensity{p, func(int, []float64) float64 { return -1 }}
		},
		"a factor for one class": func(p DensityProblem) DensityProblem {
			return wrongDensity{p, func(c int, x []float64) float64 {
				return p.LogDensity(c, x) + float64(c)*math.Log(3)
			}}
		},
		"label noise": func(p DensityProblem) DensityProblem { return noisyLabels{p} },
	} {
		all := smallGenerators()
		for _, name := range []string{"forest", "bayesnet", "polybeta", "chebyshev-toy", "forestmvn"} {
			p := mustNew(t, all[name+" (small)"], randtest.New(68)).(DensityProblem)
			if checkPosteriors(wrong(p), unequalCounts(2)) == nil {
				t.Errorf("%s: checkPosteriors does not find %s", name, fault)
			}
		}
	}
}

// wrongDensity is a problem with other log densities.
type wrongDensity struct {
	DensityProblem
	logDensity func(class int, x []float64) float64
}

func (p wrongDensity) LogDensity(class int, x []float64) float64 { return p.logDensity(class, x) }

// noisyLabels is a problem of two classes in which each tenth label is wrong.
type noisyLabels struct{ DensityProblem }

func (p noisyLabels) Sample(counts []int, rng *rand.Rand) *dataset.Set {
	set := p.DensityProblem.Sample(counts, rng)
	for i := 0; i < set.N(); i += 10 {
		set.Y[i] = 1 - set.Y[i]
	}
	return set
}

// unequalCounts returns a number of rows for each class: 1000, 1300, and so on.
func unequalCounts(classes int) []int {
	counts := make([]int, classes)
	for c := range counts {
		counts[c] = 1000 + 300*c
	}
	return counts
}

// checkPosteriors draws a sample and returns an error if its labels contradict the log densities.
//
// Let q be the posterior probability of class c at row x. The residual r is 1 - q in rows of class
// c, and -q in others. Let h be a function of x with values in [-1, 1]. The sum of r h over the rows
// has mean 0. Its variance is at most V, the sum of q (1 - q) h^2. By Bernstein's inequality, the
// sum exceeds z sqrt(V) + z^2/6 with probability at most exp(-z^2/2).
//
// The functions h are 1, 2q - 1, the ranks of each variable, and products of these ranks. A factor
// that all densities share has no effect.
func checkPosteriors(p DensityProblem, counts []int) error {
	const z = 6 // exp(-z^2/2) is 1.5e-8
	set := p.Sample(counts, randtest.New(69))
	posteriors := method.NewBayes(method.LogPriors(set, method.TrainingPriors), p.LogDensity).Probabilities(set.X)
	weights := append(rankProducts(set), slices.Repeat([]float64{1}, set.N()))
	for c := range counts {
		q := mat.Col(nil, c, posteriors)
		centred := make([]float64, len(q))
		for i, v := range q {
			centred[i] = 2*v - 1
		}
		for _, h := range append(weights, centred) {
			sum, variance := 0.0, 0.0
			for i, v := range q {
				residual := -v
				if set.Y[i] == c {
					residual++
				}
				sum += residual * h[i]
				variance += v * (1 - v) * h[i] * h[i]
			}
			if limit := z*math.Sqrt(variance) + z*z/6; !(math.Abs(sum) <= limit) {
				return fmt.Errorf("the log densities contradict the labels of class %d: "+
					"a weighted sum of residuals is %.3g, beyond its limit %.3g", c, sum, limit)
			}
		}
	}
	return nil
}

// rankProducts returns the ranks of each variable, scaled to [-1, 1], and all products of two of
// them.
func rankProducts(set *dataset.Set) [][]float64 {
	var ranks, products [][]float64
	for j := range set.D() {
		scaled, _ := stats.Midranks(mat.Col(nil, j, set.X))
		for i, rank := range scaled {
			scaled[i] = (2*rank - 1 - float64(set.N())) / float64(set.N())
		}
		ranks = append(ranks, scaled)
		for _, other := range ranks {
			products = append(products, floats.MulTo(make([]float64, set.N()), scaled, other))
		}
	}
	return append(ranks, products...)
}
