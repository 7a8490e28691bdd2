package verdicts

import (
	"cmp"
	"math"
	"os"
	"slices"
	"testing"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/stat"

	"copse/internal/randtest"
	"copse/stats"
	"copse/stats/metrics"
)

// A sample is one data set of two classes; its rows stay the same while folds are redrawn.
type sample struct {
	x [][]float64
	y []int
}

// drawSample draws n rows of five columns in which the classes lie 0.8 apart.
func drawSample(n int, rng *rand.Rand) sample {
	s := sample{make([][]float64, n), make([]int, n)}
	for i := range s.x {
		s.y[i] = i % 2
		for range 5 {
			s.x[i] = append(s.x[i], rng.NormFloat64()+0.8*float64(s.y[i]))
		}
	}
	return s
}

// foldErrors returns the errors of the 3-NN rule in every fold of repeated
// cross-validations, whose folds are drawn from rng.
func (s *sample) foldErrors(repeats, folds int, rng *rand.Rand) (errors []float64) {
	for range repeats {
		order := rng.Perm(len(s.y))
		for fold := range folds {
			wrong, tested := 0, 0
			for place, i := range order {
				if place%folds != fold {
					continue
				}
				tested++
				if s.nearest(order, folds, fold, i) != s.y[i] {
					wrong++
				}
			}
			errors = append(errors, float64(wrong)/float64(tested))
		}
	}
	return errors
}

// nearest returns the class of the three rows nearest to row i outside a fold.
func (s *sample) nearest(order []int, folds, fold, i int) int {
	type neighbour struct {
		distance float64
		class    int
	}
	var train []neighbour
	for place, k := range order {
		if place%folds == fold {
			continue
		}
		distance := 0.0
		for j, v := range s.x[k] {
			distance += (v - s.x[i][j]) * (v - s.x[i][j])
		}
		train = append(train, neighbour{distance, s.y[k]})
	}
	slices.SortFunc(train, func(a, b neighbour) int { return cmp.Compare(a.distance, b.distance) })
	return (train[0].class + train[1].class + train[2].class) / 2
}

// Two cross-validations of one data set, ours and the published one, differ only in their folds. The standard
// error of the test is large enough for their difference, and the test keeps its level. Two independent
// variances with the test ratio, as for new data, are far too large.
func TestSizeOnTheSameData(t *testing.T) {
	if testing.Short() {
		t.Skip("measures the size of tests by simulation: run without -short")
	}
	studies := 200
	if os.Getenv("COPSE_LONG") != "" {
		studies = 4000
	}
	const folds = 5
	for _, repeats := range []int{1, 10} {
		rng := randtest.New(42)
		var z, wide []float64
		differs := 0
		for range studies {
			s := drawSample(100, rng)
			ours, theirs := s.foldErrors(repeats, folds, rng), s.foldErrors(1, folds, rng)
			p := stats.Summarize(theirs)
			c := Counterpart{Cell: "c", Classifier: "3nn", Metric: metrics.ErrorRate, Share: 1.0 / (folds - 1),
				Ours: stats.Summarize(ours), Repeats: NewRepeats(ours, folds),
				Published: Reported{Mean: p.Mean, SD: p.SD, N: p.N}}
			got := CompareWithPublished([]Counterpart{c}, DefaultAgreementOptions())
			a := got.Items[0]
			if a.Verdict == NotComparable {
				continue
			}
			z = append(z, a.Z)
			wide = append(wide, a.Difference/math.Hypot(c.Ours.Sharing(c.Share).MCSE, p.Sharing(c.Share).MCSE))
			if a.P <= 0.05 {
				differs++
			}
		}
		level, se := float64(differs)/float64(len(z)), math.Sqrt(0.05*0.95/float64(len(z)))
		t.Logf("%d x %d folds against 1 x %d: differs in %.1f%% of %d (standard error %.1f)",
			repeats, folds, folds, 100*level, len(z), 100*se)
		t.Logf("z has standard deviation %.2f, with the share %.2f", stat.StdDev(z, nil), stat.StdDev(wide, nil))
		if level > 0.05+3*se {
			t.Errorf("%d repeats: %.1f%% of equal results differ", repeats, 100*level)
		}
	}
}
