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

// lawOf fits a law by ridge regression of log seconds on the logarithms of the size,
// shrunk to the slopes of roughly: it assumes normal slopes with standard deviation
// slopeSpread and normal log seconds with timeSpread. The constant makes the sum of the
// fitted seconds equal the sum of the measured ones, since costs are means, not medians.
// Without points it returns roughly.
func lawOf(points []timed) law {
	if len(points) == 0 {
		return roughly
	}
	const slopeSpread, timeSpread = 0.4, 0.4
	n := float64(len(points))
	var r, c, y float64 // means
	for _, p := range points {
		r, c, y = r+math.Log(p.rows)/n, c+math.Log(p.columns)/n, y+math.Log(max(p.seconds, leastSeconds))/n
	}
	const ridge = timeSpread * timeSpread / (slopeSpread * slopeSpread)
	rr, cc, rc, ry, cy := ridge, ridge, 0.0, ridge*roughly.rows, ridge*roughly.columns
	for _, p := range points {
		dr, dc, dy := math.Log(p.rows)-r, math.Log(p.columns)-c, math.Log(max(p.seconds, leastSeconds))-y
		rr, cc, rc, ry, cy = rr+dr*dr, cc+dc*dc, rc+dr*dc, ry+dr*dy, cy+dc*dy
	}
	det := rr*cc - rc*rc // at least ridge^2
	l := law{0, max(0, (cc*ry-rc*cy)/det), max(0, (rr*cy-rc*ry)/det)}
	var measured, fitted float64
	for _, p := range points {
		measured += max(p.seconds, leastSeconds)
		fitted += l.at(p.size)
	}
	l.constant = math.Log(measured / fitted)
	return l
}
