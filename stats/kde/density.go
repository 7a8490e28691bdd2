package kde

import (
	"fmt"
	"math"
	"slices"

	"copse/stats/vecmath"
)

// A Density is a univariate kernel density estimate. It is immutable. Values have a relative error below 1e-12.
type Density struct {
	x      []float64 // the sample, ascending
	h      float64   // bandwidth
	series *series   // nil for small samples
}

// New returns the density estimate for the sample x with bandwidth h > 0.
func New(x []float64, h float64) *Density {
	return newDensity(ascending(x), h)
}

// newDensity is like New, but the sample must be ascending and is stored without copying.
func newDensity(ascending []float64, h float64) *Density {
	d := &Density{x: ascending, h: h}
	if len(ascending) >= seriesFrom {
		d.series = newSeries(ascending, h)
	}
	return d
}

// Without returns the density estimate with the same bandwidth for the sample without the given
// values. It panics if the sample lacks one of them.
func (d *Density) Without(removed []float64) *Density {
	removed = ascending(removed)
	kept := make([]float64, 0, len(d.x)-len(removed))
	for _, v := range d.x {
		if len(removed) > 0 && v == removed[0] {
			removed = removed[1:]
		} else {
			kept = append(kept, v)
		}
	}
	if len(removed) > 0 {
		panic(fmt.Sprintf("kde: cannot leave out the value %g, because the sample does not contain it", removed[0]))
	}
	return newDensity(kept, d.h)
}

// At returns the density at t.
func (d *Density) At(t float64) float64 {
	var density [1]float64
	d.AtAll(density[:], []float64{t})
	return density[0]
}

// AtAll sets dst to the densities at t.
func (d *Density) AtAll(dst, t []float64) {
	if d.series != nil {
		d.series.sums(dst, t)
	} else {
		clear(dst)
	}
	const small = 1e-9
	least, norm := small*float64(len(d.x)), d.norm()
	for i, sum := range dst {
		if sum > least {
			dst[i] = sum * norm
		} else {
			dst[i] = d.plain(t[i])
		}
	}
}

func (d *Density) plain(t float64) float64 {
	var memory [128]float64
	sum := 0.0
	for x := range slices.Chunk(d.near(t), len(memory)) {
		kernels := memory[:len(x)]
		vecmath.Gauss(kernels, x, t, vecmath.Scale/d.h)
		sum += sumInTwo(kernels)
	}
	return sum * d.norm()
}

// near returns the values that contribute to the density at t. In samples of at least omitFrom
// values, it omits distant values. Their kernels sum to less than omittedShare (1e-12) times the
// kernel of the nearest value.
func (d *Density) near(t float64) []float64 {
	n := len(d.x)
	if n < omitFrom {
		return d.x
	}
	after, _ := slices.BinarySearch(d.x, t)           // d.x is ascending, so d.x[:after] are the values below t
	nearest := math.Abs(d.x[min(after, n-1)]-t) / d.h // distance of the nearest value, in bandwidths
	if after > 0 {
		nearest = min(nearest, math.Abs(d.x[after-1]-t)/d.h)
	}
	// At a distance of r bandwidths, the kernel is exp(-r^2/2). It is omittedShare/n times the kernel of
	// the nearest value if r^2 = nearest^2 + 2 log(n/omittedShare).
	radius := d.h * math.Sqrt(nearest*nearest+2*math.Log(float64(n)/omittedShare))
	from, _ := slices.BinarySearch(d.x, t-radius)
	to, _ := slices.BinarySearch(d.x, t+radius)
	return d.x[from:to]
}

// sumInTwo returns the sum of x. The processor computes the sums of even and odd elements in
// parallel.
func sumInTwo(x []float64) float64 {
	var even, odd float64
	for ; len(x) >= 2; x = x[2:] {
		even += x[0]
		odd += x[1]
	}
	if len(x) == 1 {
		even += x[0]
	}
	return even + odd
}

// norm returns the factor that converts kernel sums to densities, 1/(n h sqrt(2 pi)).
func (d *Density) norm() float64 { return 1 / (float64(len(d.x)) * d.h * math.Sqrt(2*math.Pi)) }

// CDF returns the distribution function F(t) = 1/n sum_i Phi((t - x_i)/h).
func (d *Density) CDF(t float64) float64 {
	// Beyond 9 bandwidths, Phi is 0 or 1 in double precision.
	const reach = 9
	first, _ := slices.BinarySearch(d.x, t-reach*d.h) // Phi = 1 for all smaller values
	last, _ := slices.BinarySearch(d.x, t+reach*d.h)
	sum := float64(first)
	for _, x := range d.x[first:last] {
		sum += 0.5 * math.Erfc(-(t-x)/(d.h*math.Sqrt2))
	}
	return sum / float64(len(d.x))
}

// Log returns log(max(p, floor)) for a density p.
func Log(p, floor float64) float64 { return math.Log(max(p, floor)) }
