package run

import (
	"math"

	"copse/experiments/study"
)

// A size is the size of a data set, on which the time for fitting and predicting depends.
type size struct {
	rows    float64 // the geometric mean of the number of training rows and the number of all rows
	columns float64
}

// usualColumns is the assumed number of columns if it is unknown before the data are drawn.
const usualColumns = 20.0

// sizeOf returns the size of the data of a cell.
func sizeOf(c *study.Cell) size {
	train, test := c.Data.Rows()
	rows, columns := math.Sqrt(float64(train)*float64(train+test)), float64(c.Data.Columns())
	if columns == 0 {
		columns = usualColumns
	}
	return size{max(rows, 1), columns}
}

// A law is a power law for the time of a classifier on data with R rows and C columns:
//
//	log(seconds) = constant + rows * log(R) + columns * log(C)
//
// The fields rows and columns are the exponents.
type law struct{ constant, rows, columns float64 }

// defaultLaw is the power law for classifiers that were never timed. The exponent of the rows is
// usually between 1 and 1.4. The exponent of the columns is 1, or 2 for methods that use pairs of
// columns.
var defaultLaw = law{constant: math.Log(1.6e-7), rows: 1.2, columns: 1.5}

// seconds predicts the time for data of size z.
func (l law) seconds(z size) float64 {
	return math.Exp(l.constant + l.rows*math.Log(z.rows) + l.columns*math.Log(z.columns))
}

// timed is the measured time of a fit to data of a given size.
type timed struct {
	size
	seconds float64
}

// leastSeconds replaces shorter measured times, because the logarithm of 0 is undefined.
const leastSeconds = 1e-6

// fitLaw assumes these standard deviations.
const (
	slopeSpread = 0.4 // slopes of a classifier around the slopes of defaultLaw
	timeSpread  = 0.4 // logarithms of measured times around the law
)

// fitLaw fits a power law to measured times by ridge regression. Without times, it returns
// defaultLaw.
//
// The regression uses y = log(seconds), r = log(rows) and c = log(columns), each minus its mean. It
// shrinks the slopes b_r and b_c towards the slopes of defaultLaw. The strength of the shrinkage is
//
//	lambda = (timeSpread/slopeSpread)^2
//
// The slopes solve the equations
//
//	[ sum r^2 + lambda   sum rc            ] [ b_r ]   [ sum ry + lambda defaultLaw.rows    ]
//	[ sum rc             sum c^2 + lambda  ] [ b_c ] = [ sum cy + lambda defaultLaw.columns ]
//
// Negative slopes are replaced by 0. Then setConstant sets the constant of the law.
func fitLaw(points []timed) law {
	if len(points) == 0 {
		return defaultLaw
	}
	var meanR, meanC, meanY float64
	for _, p := range points {
		r, c, y := p.logs()
		meanR += r
		meanC += c
		meanY += y
	}
	n := float64(len(points))
	meanR, meanC, meanY = meanR/n, meanC/n, meanY/n
	const lambda = timeSpread * timeSpread / (slopeSpread * slopeSpread)
	rr, cc, rc := lambda, lambda, 0.0                           // the coefficients of the equations
	ry, cy := lambda*defaultLaw.rows, lambda*defaultLaw.columns // their right-hand sides
	for _, p := range points {
		r, c, y := p.logs()
		r -= meanR
		c -= meanC
		y -= meanY
		rr += r * r
		cc += c * c
		rc += r * c
		ry += r * y
		cy += c * y
	}
	det := rr*cc - rc*rc // at least lambda^2, by the Cauchy-Schwarz inequality
	l := law{rows: max(0, (cc*ry-rc*cy)/det), columns: max(0, (rr*cy-rc*ry)/det)}
	l.setConstant(points)
	return l
}

// setConstant sets the constant so that predicted and measured times have equal sums. The constant
// of a regression of logarithms would predict medians instead of means.
func (l *law) setConstant(points []timed) {
	l.constant = 0
	var measured, predicted float64
	for _, p := range points {
		measured += max(p.seconds, leastSeconds)
		predicted += l.seconds(p.size)
	}
	l.constant = math.Log(measured / predicted)
}

// logs returns the logarithms of rows, columns and seconds.
func (t *timed) logs() (rows, columns, seconds float64) {
	return math.Log(t.rows), math.Log(t.columns), math.Log(max(t.seconds, leastSeconds))
}
