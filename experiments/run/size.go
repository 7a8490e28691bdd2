package run

import (
	"math"

	"copse/experiments/study"
)

// A size has the quantities that the time of a fit with its prediction depends on.
type size struct {
	rows    float64 // the geometric mean of the training rows and of all rows
	columns float64
}

// usualColumns is assumed for data whose number of columns is not known beforehand.
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

// A law is a power law of the seconds of a classifier:
//
//	log seconds = constant + rows log(rows) + columns log(columns).
type law struct{ constant, rows, columns float64 }

// roughly is the law of a classifier without measured times. Most times grow between
// rows and rows^1.4. They grow with columns for methods that use one column at a time,
// and with columns^2 for methods that use pairs.
var roughly = law{constant: math.Log(1.6e-7), rows: 1.2, columns: 1.5}

func (l law) at(z size) float64 {
	return math.Exp(l.constant + l.rows*math.Log(z.rows) + l.columns*math.Log(z.columns))
}

// timed is the measured time of a fit at a size.
type timed struct {
	size
	seconds float64
}

// leastSeconds replaces shorter times, which a clock cannot resolve, so that they have a
// logarithm.
const leastSeconds = 1e-6

const (
	slopeSpread = 0.4 // standard deviation of the slopes around those of roughly
	timeSpread  = 0.4 // standard deviation of log seconds around a law
)

// fitLaw fits a law by ridge regression of y = log seconds on r = log rows and c = log columns,
// shrunk to the slopes of roughly. With means subtracted and the penalty
// lambda = (timeSpread/slopeSpread)^2 its slopes b solve
//
//	[ sum r^2 + lambda   sum rc            ] [ b_r ]   [ sum ry + lambda roughly.rows    ]
//	[ sum rc             sum c^2 + lambda  ] [ b_c ] = [ sum cy + lambda roughly.columns ]
//
// Slopes below 0 become 0. Without points it returns roughly.
func fitLaw(points []timed) law {
	if len(points) == 0 {
		return roughly
	}
	var meanR, meanC, meanY float64
	for _, p := range points {
		r, c, y := p.logs()
		meanR, meanC, meanY = meanR+r, meanC+c, meanY+y
	}
	n := float64(len(points))
	meanR, meanC, meanY = meanR/n, meanC/n, meanY/n
	const lambda = timeSpread * timeSpread / (slopeSpread * slopeSpread)
	rr, cc, rc := lambda, lambda, 0.0
	ry, cy := lambda*roughly.rows, lambda*roughly.columns
	for _, p := range points {
		r, c, y := p.logs()
		r, c, y = r-meanR, c-meanC, y-meanY
		rr, cc, rc = rr+r*r, cc+c*c, rc+r*c
		ry, cy = ry+r*y, cy+c*y
	}
	det := rr*cc - rc*rc // at least lambda^2
	l := law{rows: max(0, (cc*ry-rc*cy)/det), columns: max(0, (rr*cy-rc*ry)/det)}
	l.constant = math.Log(totalSeconds(points) / l.total(points))
	return l
}

// logs returns the logarithms of rows, columns and seconds.
func (t *timed) logs() (rows, columns, seconds float64) {
	return math.Log(t.rows), math.Log(t.columns), math.Log(max(t.seconds, leastSeconds))
}

// totalSeconds returns the sum of measured seconds. A law's constant makes its total equal, since
// costs are means; a regression of logarithms alone would fit medians.
func totalSeconds(points []timed) float64 {
	sum := 0.0
	for _, p := range points {
		sum += max(p.seconds, leastSeconds)
	}
	return sum
}

// total returns the sum of the seconds that the law gives for the sizes of points.
func (l law) total(points []timed) float64 {
	sum := 0.0
	for _, p := range points {
		sum += l.at(p.size)
	}
	return sum
}
