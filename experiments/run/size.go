package run

import (
	"math"

	"copse/experiments/study"
)

// A size is what the time of a fit with its prediction grows with.
type size struct {
	rows    float64 // the geometric mean of the training rows and of all rows
	columns float64
}

// usualColumns are those of a program, whose number is not known beforehand.
const usualColumns = 20.0

func sizeOf(c *study.Cell) size {
	train, test := c.Data.Rows()
	rows, columns := math.Sqrt(float64(train)*float64(train+test)), float64(c.Data.Columns())
	if columns == 0 {
		columns = usualColumns
	}
	return size{max(rows, 1), columns}
}

// A law is how the seconds of a classifier grow with the size:
//
//	log seconds = constant + rows log(rows) + columns log(columns).
type law struct{ constant, rows, columns float64 }

// roughly is the law of a classifier of which nothing is known. Most take between
// rows and rows^1.4; columns for what looks at them one by one, columns^2 for what looks
// at pairs.
var roughly = law{constant: math.Log(1.6e-7), rows: 1.2, columns: 1.5}

func (l law) at(z size) float64 {
	return math.Exp(l.constant + l.rows*math.Log(z.rows) + l.columns*math.Log(z.columns))
}

// A timed fit took some seconds at some size.
type timed struct {
	size
	seconds float64
}

// leastSeconds of a fit that is a point of a law: a clock shows no less.
const leastSeconds = 1e-6

// lawOf is the ridge regression of log seconds on the logarithms of the size, its
// slopes drawn to those of roughly as if they were normal with standard deviation
// slopeSpread and the log seconds with timeSpread. The constant then is the one that
// gives the points their sum: what costs is the mean, not the median.
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
	var took, said float64
	for _, p := range points {
		took, said = took+max(p.seconds, leastSeconds), said+l.at(p.size)
	}
	l.constant = math.Log(took / said)
	return l
}
