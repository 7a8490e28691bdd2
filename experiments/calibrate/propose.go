package calibrate

import (
	"math"
	"strconv"

	"golang.org/x/exp/rand"
)

// step is the standard deviation of a local change, as a share of the range.
const step = 0.15

// digits are the significant ones of a proposed number.
const digits = 3

// random proposes values of all parameters.
func random(free []parameter, rng *rand.Rand) []string {
	values := make([]string, len(free))
	for i := range free {
		values[i] = free[i].draw(rng)
	}
	return values
}

// near proposes values like a parent's: each parameter is changed with probability
// 1/2, one at least. Values that the study as it stands leaves empty are drawn.
func near(free []parameter, parent []string, rng *rand.Rand) []string {
	values := make([]string, len(free))
	always := rng.Intn(len(free))
	for i := range free {
		changed := rng.Float64() < 0.5 || i == always
		switch {
		case parent[i] == "":
			values[i] = free[i].draw(rng)
		case changed:
			values[i] = free[i].change(parent[i], rng)
		default:
			values[i] = parent[i]
		}
	}
	return values
}

func (p *parameter) draw(rng *rand.Rand) string {
	if p.levels != nil {
		return p.levels[rng.Intn(len(p.levels))]
	}
	low, high := p.ends()
	return p.write(low + rng.Float64()*(high-low))
}

func (p *parameter) change(value string, rng *rand.Rand) string {
	if p.levels != nil {
		return p.levels[rng.Intn(len(p.levels))]
	}
	v, err := strconv.ParseFloat(value, 64)
	if err != nil {
		panic(err) // draw wrote it
	}
	low, high := p.ends()
	return p.write(min(max(p.scaled(v)+step*(high-low)*rng.NormFloat64(), low), high))
}

// scaled is a value on the scale on which the parameter is proposed.
func (p *parameter) scaled(v float64) float64 {
	if p.Log {
		return math.Log(v)
	}
	return v
}

// ends are those of the scale on which the parameter is proposed. A whole number is
// one of as many intervals of the same length.
func (p *parameter) ends() (low, high float64) {
	low, high = p.Low, p.High
	if p.whole {
		low, high = low-0.499, high+0.499
	}
	if p.Log {
		low, high = math.Log(max(low, 0.501)), math.Log(high)
		if !p.whole {
			low = math.Log(p.Low)
		}
	}
	return low, high
}

// atEnd tells whether a value is the least or the largest of a range.
func (p *parameter) atEnd(value string) bool {
	return p.levels == nil && value != "" && (value == p.write(p.scaled(p.Low)) || value == p.write(p.scaled(p.High)))
}

func (p *parameter) write(v float64) string {
	if p.Log {
		v = math.Exp(v)
	}
	if p.whole {
		return strconv.FormatFloat(math.Round(min(max(v, p.Low), p.High)), 'f', 0, 64)
	}
	text := strconv.FormatFloat(v, 'g', digits, 64)
	rounded, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err)
	}
	return strconv.FormatFloat(min(max(rounded, p.Low), p.High), 'f', -1, 64)
}
