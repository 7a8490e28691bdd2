package generators

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"copse/internal/randtest"
)

func TestBetaNoiseDensity(t *testing.T) {
	for _, row := range readGolden(t, "beta.csv") {
		n := newBetaNoise(number(t, row[0]), number(t, row[1]), -2, 2)
		got := n.logMeanDensity(number(t, row[2]), number(t, row[3]))
		checkClose(t, fmt.Sprint("log density at ", row), got, number(t, row[4]), 1e-9)
	}
	n := newBetaNoise(0.5, 0.5, -2, 2)
	for _, x := range []float64{-2.1, 2.1, 1e300, math.Inf(-1)} {
		if v := n.logMeanDensity(x, 1e-9); !math.IsInf(v, -1) {
			t.Errorf("log density %v at %v, want -Inf", v, x)
		}
	}
}

// The density is continuous where the computation changes from the mean to a point.
func TestBetaNoiseDensityIsContinuous(t *testing.T) {
	for _, shapes := range [][2]float64{{0.01, 1.9}, {1.9, 0.3}, {2, 2}} {
		n := newBetaNoise(shapes[0], shapes[1], -2, 2)
		const delta = 1e-8
		for _, x := range []float64{-2 + farFromEnds*delta, 2 - farFromEnds*delta} {
			inside, outside := n.logMeanDensity(x*(1-1e-9), delta), n.logMeanDensity(x*(1+1e-9), delta)
			checkClose(t, fmt.Sprint("log density of ", shapes, " at ", x), inside, outside, 1e-4)
		}
	}
}

// If the shapes are near 0, much of the mass is so close to the ends, such as -2, that a float64 is equal to
// them. The shares agree with the distribution function.
func TestBetaNoiseDraw(t *testing.T) {
	rng := randtest.New(24)
	for _, shapes := range [][2]float64{{1e-3, 0.5}, {0.03, 0.02}, {0.4, 1.8}, {1, 1}, {2, 0.7}, {1.9, 2},
		{1e-15, 1e-15}} {
		n := newBetaNoise(shapes[0], shapes[1], -2, 2)
		const count = 20000
		var u []float64
		low, high := 0.0, 0.0
		for range count {
			x := n.draw(rng)
			switch {
			case math.IsNaN(x) || x < -2 || x > 2:
				t.Fatalf("shapes %v: drew %v", shapes, x)
			case x < -2+1e-9:
				low++
			case x > 2-1e-9:
				high++
			}
			u = append(u, mathext.RegIncBeta(shapes[0], shapes[1], (x+2)/4))
		}
		for end, got := range []float64{low / count, high / count} {
			want := mathext.RegIncBeta(shapes[end], shapes[1-end], 1e-9/4)
			if se := math.Sqrt(want*(1-want)/count) + 1e-9; math.Abs(got-want) > 4*se {
				t.Errorf("shapes %v: share %v at end %d, want %v +- %v", shapes, got, end, want, se)
			}
		}
		if shapes[0] >= 0.4 && shapes[1] >= 0.4 {
			checkUniform(t, fmt.Sprint("beta noise ", shapes), u, 1.95)
		}
	}
}
