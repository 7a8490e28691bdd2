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

// At returns the value of the curve at x.
func (c Curve) At(x float64) float64 { return c.A0 + c.A1*logistic(c.B0+c.B1*x) }

func logistic(t float64) float64 { return 1 / (1 + math.Exp(t)) }

// Fit returns a curve with |b1| <= maxSlope that minimises
//
//	sum_i (y_i - a0 - a1/(1 + exp(b0 + b1 x_i)))^2.
//
// A straight line, the limit b1 -> 0, counts as a curve. x must not be constant. The search starts
// from a grid of curves (see the type starts), because the sum has many local minima.
func Fit(x, y []float64, maxSlope float64) Curve {
	curves, _ := FitAll(context.Background(), x, [][]float64{y}, maxSlope)
	return curves[0]
}

// FitAll returns the result of Fit for each y in ys. It is faster than separate calls.
//
// The search begins with a grid of a few hundred logistic functions. If there are K of them and n
// rows, a fit takes n K multiplications and about 20 n evaluations of the logistic function.
func FitAll(ctx context.Context, x []float64, ys [][]float64, maxSlope float64) ([]Curve, error) {
	f := newFitter(x, maxSlope)
	means, centred := make([]float64, len(ys)), make([][]float64, len(ys))
	for k, y := range ys {
		centred[k], means[k] = lessMean(y)
	}
	// dots[k][j] is the dot product of centred[k] and logistic function j, at which a search begins.
	dots, err := f.starts.dots(ctx, f.z, centred)
	if err != nil {
		return nil, err
	}
	curves := make([]Curve, len(ys))
	for k, y := range centred {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		curves[k] = f.inOriginalUnits(f.fit(y, dots[k]), means[k])
	}
	return curves, nil
}

// inOriginalUnits converts a curve of z = (x - centre)/scale for samples with mean 0. The result is a
// curve of x for samples with the given mean.
func (f *fitter) inOriginalUnits(c Curve, mean float64) Curve {
	return Curve{A0: c.A0 + mean, A1: c.A1, B0: c.B0 - c.B1*f.centre/f.scale, B1: c.B1 / f.scale}
}

// standardised returns z = (x - centre)/scale, with mean 0 and mean square 1.
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

// lessMean returns y minus its mean, along with the mean.
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

// A fitter fits curves to samples of y with mean 0. The curves are functions of z, the standardised
// values of x.
type fitter struct {
	z             []float64 // (x - centre)/scale
	centre, scale float64
	least         float64 // smallest z
	greatest      float64 // largest z
	steepest      float64 // largest slope, in units of z
	starts        *starts
	rows          []float64 // four rows of values: s, e0 and e1 of evaluate, then y
	squaresOfY    float64   // sum of squares of y
}

func newFitter(x []float64, maxSlope float64) *fitter {
	z, centre, scale := standardised(x)
	return &fitter{
		z: z, centre: centre, scale: scale, least: slices.Min(z), greatest: slices.Max(z), steepest: maxSlope * scale,
		starts: newStarts(z, maxSlope*scale), rows: make([]float64, vecmath.TileRows*len(x)),
	}
}

// setSample stores the sample y for the method evaluate. y must have mean 0.
func (f *fitter) setSample(y []float64) {
	copy(f.rows[3*len(y):], y)
	f.squaresOfY = 0
	for _, v := range y {
		f.squaresOfY += v * v
	}
}

// fit returns the least-squares curve or, if that is better, the least-squares line for the sample
// y, which must have mean 0. dots[k] is the dot product of y and the logistic function of start k.
func (f *fitter) fit(y, dots []float64) Curve {
	f.setSample(y)
	best := f.roughFit(f.line(y), dots)
	isLine := best.B1 <= flatSlope
	if !isLine {
		best = f.refine(best, finalDecrease)
	}
	return best.Curve
}

// roughFit refines the starts briefly. It returns the best curve found, or the argument line if no
// curve is better. dots[k] is the dot product of the sample and the logistic function of start k.
func (f *fitter) roughFit(line state, dots []float64) state {
	best := line
	// A refinement ends if a step gains less than startGain nats of log likelihood. The log
	// likelihood is a constant minus n/2 log(sum of squares). So such a step lowers the sum of
	// squares by less than about the fraction 2 startGain/n.
	decrease := 2 * startGain / float64(len(f.z))
	for i, k := range f.starts.localMinima(dots, f.squaresOfY) { // the best first
		isFirst := i == 0
		squares := f.starts.residualSquares(k, dots, f.squaresOfY)
		if !isFirst && f.isHopeless(squares, best.squares) {
			break // so are all later starts, because their sums of squares are larger
		}
		start := f.starts.list[k]
		refined := f.refine(f.evaluate(start.b0(), start.slope), decrease)
		if refined.squares < best.squares {
			best = refined
		}
	}
	return best
}

// isHopeless reports whether refinement of a start cannot lead to a better curve than the best curve
// so far. Its arguments are the residual sums of squares of both curves.
//
// Refinement is assumed to increase the explained sum of squares by at most the fraction
// largestGain. A start is hopeless if its log likelihood would still be more than margin nats below
// the best one.
func (f *fitter) isHopeless(start, best float64) bool {
	const largestGain, margin = 0.01, 0.5
	explained := f.squaresOfY - start
	refined := start - largestGain*explained // the smallest sum of squares after refinement
	n := float64(len(f.z))
	allowed := best * math.Exp(2*margin/n) // a loss of margin nats: n/2 log(allowed/best) = margin
	return refined > allowed
}

// line returns the least-squares line through the points (f.z, y), as a logistic curve that has this
// line as its tangent at z = 0.
func (f *fitter) line(y []float64) state {
	slope := 0.0
	for i, v := range y {
		slope += f.z[i] * v / float64(len(y))
	}
	line := Curve{A0: 2 * slope / flatSlope, A1: -4 * slope / flatSlope, B1: flatSlope}
	return state{Curve: line, squares: f.squaresOfY - slope*slope*float64(len(y))}
}

// flatSlope is the coefficient b1 of a logistic curve that is almost a line. Such a curve deviates from a line
// by less than 1e-10 of its height.
const flatSlope = 1e-5
