package verdicts

import (
	"math"
	"testing"

	"golang.org/x/exp/rand"

	"copse/internal/randtest"
)

func normals(rng *rand.Rand, mean, sd float64, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = mean + sd*rng.NormFloat64()
	}
	return x
}

// The mean of Squared over many samples is the squared distance between the distributions, for any number of
// replicates: (m-M)^2 + (s-S)^2 over S^2.
func TestDistanceIsUnbiased(t *testing.T) {
	rng := randtest.New(1)
	for _, c := range []struct{ mean, sd, want float64 }{{0.3, 0.04, 0}, {0.35, 0.04, 1.5625}, {0.3, 0.08, 1}} {
		for _, r := range []int{4, 30} {
			const repetitions = 4000
			sum, squares := 0.0, 0.0
			for range repetitions {
				// the published numbers are a sample, too
				print := normals(rng, 0.3, 0.04, 100)
				m, s := 0.0, 0.0
				for _, x := range print {
					m += x / 100
				}
				for _, x := range print {
					s += (x - m) * (x - m) / 99
				}
				d, err := NewDistance([]Likeness{{Reported{Mean: m, SD: math.Sqrt(s), N: 100},
					normals(rng, c.mean, c.sd, r)}})
				if err != nil {
					t.Fatal(err)
				}
				sum, squares = sum+d.Squared, squares+d.Squared*d.Squared
			}
			mean := sum / repetitions
			se := math.Sqrt((squares/repetitions - mean*mean) / repetitions)
			// the remaining bias has order 1/N and comes from the published S^2 in the denominator
			if slack := 0.04 * (c.want + 0.1); math.Abs(mean-c.want) > 4*se+slack {
				t.Errorf("N(%v, %v), R = %d: mean %v +- %v, want %v", c.mean, c.sd, r, mean, se, c.want)
			}
		}
	}
}

// Of three equal readings and a distant one, only the distant one differs significantly;
// equal ones are in at most the stated share of samples.
func TestNearest(t *testing.T) {
	rng := randtest.New(2)
	print := Reported{Mean: 0.3, SD: 0.04, N: 100}
	wrong, found := 0, 0
	const repetitions = 1000
	for range repetitions {
		var list []Distance
		for _, mean := range []float64{0.32, 0.32, 0.32, 0.36} {
			d, err := NewDistance([]Likeness{{print, normals(rng, mean, 0.04, 40)}})
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, d)
		}
		best, p := Nearest(list)
		if p[best] != 1 {
			t.Fatalf("the best has p %v", p[best])
		}
		if p[0] < 0.05 || p[1] < 0.05 || p[2] < 0.05 {
			wrong++
		}
		if p[3] < 0.05 {
			found++
		}
	}
	// two comparisons at 0.05/3 against the smallest of three: at most 0.05 plus
	// what choosing the smallest adds, which Bonferroni's factor covers
	if share := float64(wrong) / repetitions; share > 0.07 {
		t.Errorf("equal readings differ significantly in a share of %v", share)
	}
	if share := float64(found) / repetitions; share < 0.9 {
		t.Errorf("a distant reading differs significantly only in a share of %v", share)
	}
}

func TestDistanceRefuses(t *testing.T) {
	print := Reported{Mean: 0.3, SD: 0.04, N: 100}
	for what, numbers := range map[string][]Likeness{
		"nothing":       {},
		"two":           {{print, []float64{0.1, 0.2}}},
		"unequal":       {{print, []float64{0.1, 0.2, 0.3}}, {print, []float64{0.1, 0.2, 0.3, 0.4}}},
		"no deviation":  {{Reported{Mean: 0.3, SD: math.NaN(), N: 100}, []float64{0.1, 0.2, 0.3}}},
		"no replicates": {{Reported{Mean: 0.3, SD: 0.1}, []float64{0.1, 0.2, 0.3}}},
	} {
		if _, err := NewDistance(numbers); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
}
