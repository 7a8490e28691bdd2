// Package sigmoid fits sigmoid curves by least squares.
package sigmoid

import (
	"context"
	"math"
	"slices"

	"copse/stats/vecmath"
)

// A Curve is a0 + a1/(1 + exp(b0 + b1 x)).
type Curve struct{ A0, A1, B0, B1 float64 }

// At returns the curve at x.
func (c Curve) At(x float64) float64 { return c.A0 + c.A1*logistic(c.B0+c.B1*x) }

func logistic(t float64) float64 { return 1 / (1 + math.Exp(t)) }

// Fit returns a curve with |b1| <= maxSlope that minimises
//
//	sum_i (y_i - a0 - a1/(1 + exp(b0 + b1 x_i)))^2.
//
// A straight line is the limit b1 -> 0 and counts as a curve. The sum has many local minima.
// Fit evaluates it on a grid of (b0, b1) so fine that neighbouring curves differ little
// (starts), and refines each local minimum of the grid that may become the least. x must not
// be constant.
func Fit(x, y []float64, maxSlope float64) Curve {
	curves, _ := FitAll(context.Background(), x, [][]float64{y}, maxSlope)
	return curves[0]
}

// FitAll returns Fit(x, y, maxSlope) of each y of ys. They share the logistic functions of the
// grid. With n rows and a grid of K curves, some hundreds, each y costs n K multiplications
// and about 20 n logistic functions. The fit of a y does not depend on the others.
func FitAll(ctx context.Context, x []float64, ys [][]float64, maxSlope float64) ([]Curve, error) {
	f := newFitter(x, maxSlope)
	means, centred := make([]float64, len(ys)), make([][]float64, len(ys))
	for k, y := range ys {
		centred[k], means[k] = lessMean(y)
	}
	dots, err := f.starts.dots(ctx, f.z, centred)
	if err != nil {
		return nil, err
	}
	curves := make([]Curve, len(ys))
	for k, y := range centred {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c := f.fit(y, dots[k])
		curves[k] = Curve{A0: c.A0 + means[k], A1: c.A1, B0: c.B0 - c.B1*f.centre/f.scale, B1: c.B1 / f.scale}
	}
	return curves, nil
}

// standardised returns x with mean 0 and mean square 1.
func standardised(x []float64) (z []float64, centre, scale float64) {
	z, centre = lessMean(x)
	for _, v := range z {
		scale += v * v / float64(len(z))
	}
	scale = math.Sqrt(scale)
	for i := range z {
		z[i] /= scale
	}
	return z, centre, scale
}

// lessMean returns y minus its mean, and the mean.
func lessMean(y []float64) (centred []float64, mean float64) {
	for _, v := range y {
		mean += v / float64(len(y))
	}
	centred = slices.Clone(y)
	for i := range centred {
		centred[i] -= mean
	}
	return centred, mean
}

// A fitter fits curves of z, which is standardised, to samples of mean 0.
type fitter struct {
	z             []float64 // (x - centre)/scale
	centre, scale float64
	least         float64 // smallest z
	greatest      float64 // largest z
	steepest      float64 // largest slope, in units of z
	starts        *starts
	rows          []float64 // rows of evaluate: s, e0, e1 and y
	total         float64   // sum of squares of y
}

func newFitter(x []float64, maxSlope float64) *fitter {
	z, centre, scale := standardised(x)
	return &fitter{
		z: z, centre: centre, scale: scale, least: slices.Min(z), greatest: slices.Max(z), steepest: maxSlope * scale,
		starts: newStarts(z, maxSlope*scale), rows: make([]float64, vecmath.TileRows*len(x)),
	}
}

// take sets the sample that evaluate fits curves to. y has mean 0.
func (f *fitter) take(y []float64) {
	copy(f.rows[3*len(y):], y)
	f.total = 0
	for _, v := range y {
		f.total += v * v
	}
}

// A start is not refined if it is certain to stay worse than the best curve so far. Between
// neighbours of the grid a refinement lowers the sum of squares by less than this:
const (
	reach  = 0.01 // share of the squares that the start explains
	margin = 0.5  // nats, for noise
)

// fit returns the best of the line and the refined starts; dots are the products
// of y with the starts' curves.
func (f *fitter) fit(y, dots []float64) Curve {
	f.take(y)
	slope := 0.0
	for i, v := range y {
		slope += f.z[i] * v / float64(len(y))
	}
	best := state{Curve: flat(slope), squares: f.total - slope*slope*float64(len(y))}
	ratio := math.Exp(2 * margin / float64(len(y)))
	for i, k := range f.starts.minima(dots, f.total) {
		left := f.starts.squares(k, dots, f.total)
		if i > 0 && left-reach*(f.total-left) > best.squares*ratio {
			break // nor can the later ones, which leave more
		}
		start := f.starts.at[k]
		refined := f.refine(f.evaluate(start.b0(), start.slope), 2*roughly/float64(len(y)))
		if refined.squares < best.squares {
			best = refined
		}
	}
	if best.B1 > flatSlope {
		best = f.refine(best, enough)
	}
	return best.Curve
}

// flatSlope is the slope b1 of curves that replace lines. They bend by less than 1e-10 of
// their height.
const flatSlope = 1e-5

// flat returns the line slope z as a curve: the line is its tangent at 0.
func flat(slope float64) Curve {
	return Curve{A0: 2 * slope / flatSlope, A1: -4 * slope / flatSlope, B1: flatSlope}
}
