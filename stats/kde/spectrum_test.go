package kde

import (
	"math"
	"testing"
)

// The sums from the spectrum equal those over pairs, with and without rows outside the lattice.
func TestSpectralSums(t *testing.T) {
	for _, n := range []int{3, 100, 500} {
		samples := planeSamples(n)
		outliers := planeSamples(n)[0]
		outliers.name = "outliers"
		outliers.x[0], outliers.x[1], outliers.y[1], outliers.y[2] = 5000, -70, 300, 300
		for _, s := range append(samples, outliers) {
			u, v := s.x, s.y
			if s.name != outliers.name {
				root, err := sphere(s.x, s.y)
				if err != nil {
					t.Fatal(err)
				}
				u, v = whiten(root.inverse(), s.x, s.y)
			}
			for _, share := range []float64{1, 1.01 / spectrumShare} {
				const unit = 0.3
				g := share * unit
				for _, r := range []int{4, 6} {
					var from spectrum
					from.unit = unit
					from.axisU, from.axisV = cover(u, unit), cover(v, unit)
					from.transform(u, v)
					if !from.covers(g) {
						t.Errorf("g = %v is not covered", g)
					}
					got, want := from.hermiteSums(u, v, r, g), directHermiteSums(u, v, r, g)
					if strays := len(from.strays.u) > 0; strays != (s.name == outliers.name) {
						t.Errorf("%s, n = %d: %d strays", s.name, n, len(from.strays.u))
					}
					tolerance := map[int]float64{4: 2e-12, 6: 2e-11}[r]
					if s.name == "far" { // its digits are lost before
						tolerance = 1e-10
					}
					for b := range want {
						if e := math.Abs(got[b]-want[b]) / math.Abs(want[0]); !(e <= tolerance) {
							t.Errorf("%s, n = %d, g = %v: error of psi_%d%d is %.2g", s.name, n, g, r-b, b, e)
						}
					}
				}
			}
		}
	}
}

// Bumps of all frequencies are those that they are divided by.
func TestSpectrumBump(t *testing.T) {
	const half = 8
	shape := bumpShape()
	for i := range 2 * half {
		for _, tau := range []float64{-0.5, -0.31, 0, 0.2, 0.5} {
			even, odd, power := 0.0, 0.0, 1.0
			k := max(i-half, half-1-i)
			for _, term := range shape {
				even += term[k] * power
				odd += term[half+k] * power
				power *= tau * tau
			}
			got := even - tau*math.Copysign(1, float64(i)-half+0.5)*odd
			if want := spectrumBump((float64(i) - half + 0.5 - tau) / half); !(math.Abs(got-want) <= 1e-14) {
				t.Errorf("node %d at %v: %v, want %v", i, tau, got, want)
			}
		}
	}
}
