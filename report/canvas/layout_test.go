package canvas

import (
	"bytes"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/internal/texttest"
)

// Ticks are inside the range, one step apart, and neither too few nor too many.
func TestNiceTicks(t *testing.T) {
	for _, r := range [][2]float64{{0, 33}, {0, 0.05}, {-3, 7}, {28, 51}, {0.999, 1.0001}, {0, 1e-6}, {1e5, 9e5},
		{-5e-12, 4e-12}, {-1e11, 9e10}} {
		ticks := Ticks(8).Ticks(r[0], r[1])
		if len(ticks) < 3 || len(ticks) > 9 {
			t.Errorf("%d ticks in %v", len(ticks), r)
		}
		seen := make(map[string]bool)
		for _, tick := range ticks {
			if tick.Value < r[0]-1e-12*math.Abs(r[0]) || tick.Value > r[1]*(1+1e-9) || seen[tick.Label] ||
				tick.Label == "-0" || len(tick.Label) > len("−12000000") {
				t.Errorf("tick %v %q of %v", tick.Value, tick.Label, r)
			}
			seen[tick.Label] = true
		}
	}
}

func TestLogTicksOfNothing(t *testing.T) {
	if ticks := LogTicks(0).Ticks(0, 1); len(ticks) != 0 {
		t.Errorf("%v", ticks)
	}
}

func TestLogTicksInDigits(t *testing.T) {
	var labels []string
	for _, tick := range LogTicks(2).Ticks(1e-2, 1e8) {
		labels = append(labels, tick.Label)
	}
	if want := []string{"0.01", "1", "100", "10000", "1000000", "1e+08"}; !slices.Equal(labels, want) {
		t.Errorf("%q, want %q", labels, want)
	}
}

// A narrow logarithmic axis has two labels if two of its ticks are far enough apart, also if powers of ten
// are not.
func TestNarrowLogAxisHasTwoLabels(t *testing.T) {
	for _, span := range [][2]float64{{0.0004, 0.08}, {1.2e-5, 1.2e-3}, {0.6, 30}} {
		p := NewPlot()
		p.X.Min, p.X.Max, p.X.Scale, p.X.Tick.Marker = span[0], span[1], plot.LogScale{}, LogTicks(0)
		Axes(p, draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: 65, Y: 100}}})
		labels := 0
		for _, tick := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
			if tick.Label != "" {
				labels++
			}
		}
		if labels < 2 {
			t.Errorf("%g: %d labels", span, labels)
		}
	}
}

func TestSpanHoldsValues(t *testing.T) {
	for _, values := range [][]float64{{0, 0.3}, {0.28, 0.5}, {0.2}, {0, 0}, {-2, 5},
		{math.Nextafter(-3.0/7, -1), -3.0 / 7}, {-1e-17, 0}, {0, 1e-17}, nil} {
		low, high := AxisRange(values)
		if n := len(Ticks(8).Ticks(low, high)); n > 9 {
			t.Errorf("%d ticks for %v", n, values)
		}
		if !(low < high) {
			t.Errorf("span of %v is [%v, %v]", values, low, high)
		}
		for _, v := range values {
			if v < low || v > high {
				t.Errorf("%v is outside [%v, %v]", v, low, high)
			}
		}
	}
}

func TestSpreadApart(t *testing.T) {
	for _, y := range [][]vg.Length{{1, 1, 1}, {0, 50, 99}, {98, 99, 100}, {2, 3, 40, 41, 42}, {5}, nil} {
		moved := slices.Clone(y)
		spreadApart(moved, slices.Repeat([]vg.Length{10}, len(moved)), 0, 100)
		for i := range moved {
			if moved[i] < -1e-9 || moved[i] > 100+1e-9 || i > 0 && moved[i]-moved[i-1] < 10-1e-9 {
				t.Errorf("%v becomes %v", y, moved)
			}
		}
	}
	apart := []vg.Length{0, 50, 99}
	moved := slices.Clone(apart)
	spreadApart(moved, slices.Repeat([]vg.Length{10}, len(moved)), 0, 100)
	if !slices.Equal(apart, moved) {
		t.Errorf("names with room are moved: %v", moved)
	}
}

func TestGridCoversWithoutOverlap(t *testing.T) {
	all := draw.Canvas{Rectangle: vg.Rectangle{Min: vg.Point{X: 5, Y: 7}, Max: vg.Point{X: 205, Y: 307}}}
	for _, perRow := range []int{1, 2, 3, 8} {
		panels := Grid(all, 5, perRow, 4)
		for i, p := range panels {
			if p.Size().X <= 0 || p.Size().Y <= 0 || p.Min.X < 5-1e-9 || p.Max.X > 205+1e-9 || p.Min.Y < 7-1e-9 ||
				p.Max.Y > 307+1e-9 {
				t.Errorf("panel %d of %d per row: %v", i, perRow, p.Rectangle)
			}
			for _, q := range panels[:i] {
				if p.Min.X < q.Max.X && q.Min.X < p.Max.X && p.Min.Y < q.Max.Y && q.Min.Y < p.Max.Y {
					t.Errorf("panels overlap at %d per row", perRow)
				}
			}
		}
	}
}

// SVG coordinates agree with affine maps computed by hand. y points down.
func TestSVGTransforms(t *testing.T) {
	c := newSVG(100, 50, "a <title>", "")
	segment := func() {
		var p vg.Path
		p.Move(vg.Point{X: 1, Y: 2})
		p.Line(vg.Point{X: 3, Y: 2})
		c.Stroke(p)
	}
	segment()
	c.Push()
	c.Translate(vg.Point{X: 10, Y: 20})
	segment()
	c.Rotate(math.Pi / 2)
	segment()
	c.Scale(2, 3)
	segment()
	c.Pop()
	segment()
	var b bytes.Buffer
	c.WriteTo(&b)
	var got []string
	for _, line := range strings.Split(b.String(), "\n") {
		if d, ok := strings.CutPrefix(line, `<path d="`); ok {
			for sub := range strings.SplitSeq(d[1:strings.Index(d, `"`)], "M") { // lines of one style are one path
				got = append(got, "M"+sub)
			}
		}
	}
	want := []string{"M1 48h2", "M11 28h2", "M8 29v-2", "M4 28v-4", "M1 48h2"}
	if !slices.Equal(got, want) {
		t.Errorf("paths %q, want %q", got, want)
	}
	texttest.Contains(t, b.String(), "<title>a &lt;title&gt;</title>")
}

// sampler records points along the given path.
type sampler struct{ points [][2]float64 }

func (s *sampler) MoveTo(x, y float64) { s.points = append(s.points, [2]float64{x, y}) }

func (s *sampler) LineTo(x, y float64) { s.MoveTo(x, y) }

func (s *sampler) ClosePath() {}

func (s *sampler) CurveBezierCubicTo(x1, y1, x2, y2, x, y float64) {
	from := s.points[len(s.points)-1]
	for i := 1; i <= 50; i++ {
		t := float64(i) / 50
		u := 1 - t
		s.MoveTo(u*u*u*from[0]+3*u*u*t*x1+3*u*t*t*x2+t*t*t*x, u*u*u*from[1]+3*u*u*t*y1+3*u*t*t*y2+t*t*t*y)
	}
}

// Arcs stay on their circle within 3e-4 radii and have the right end.
func TestArcs(t *testing.T) {
	for _, angle := range []float64{2 * math.Pi, math.Pi, -math.Pi / 3, 1} {
		p := newPen(100, 100)
		var path vg.Path
		path.Move(vg.Point{X: 60, Y: 60})
		path.Arc(vg.Point{X: 50, Y: 60}, 10, 0.5, angle)
		var s sampler
		p.trace(path, &s)
		for _, v := range s.points {
			if r := math.Hypot(v[0]-50, v[1]-40); math.Abs(r-10) > 3e-3 {
				t.Errorf("arc of %v: a point at radius %v, want 10", angle, r)
			}
		}
		last := s.points[len(s.points)-1]
		if x, y := 50+10*math.Cos(0.5+angle), 40-10*math.Sin(0.5+angle); math.Hypot(last[0]-x, last[1]-y) > 1e-9 {
			t.Errorf("arc of %v ends at %v, want %v %v", angle, last, x, y)
		}
	}
}

// Text on any tint of any colour has nearly the contrast of 4.5 that WCAG 2 requires.
func TestInkHasContrast(t *testing.T) {
	for i, c := range Palette {
		for share := 0.0; share <= 1; share += 0.02 {
			on := Tint(c, share)
			dark, light := luminance(on)+0.05, luminance(TextColour(on))+0.05
			if contrast := max(dark, light) / min(dark, light); contrast < 4.3 {
				t.Errorf("colour %d, %.2f of it: a contrast of %.2f", i, share, contrast)
			}
		}
	}
}

// A compact path has the same points as the full one, each rounded separately.
func TestSVGPathsAreExact(t *testing.T) {
	source := rand.New(rand.NewPCG(1, 2))
	number := regexp.MustCompile(`-?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)`)
	for range 200 {
		var d svgPath
		var want []string
		point := func() (x, y float64) { return source.Float64()*40 - 20, float64(source.IntN(3)) }
		say := func(v ...float64) {
			for _, x := range v {
				want = append(want, decimal(x))
			}
		}
		for range 6 {
			x, y := point()
			d.MoveTo(x, y)
			say(x, y)
			startX, startY := x, y
			for range 3 {
				x1, y1 := point()
				x2, y2 := point()
				if x, y = point(); source.IntN(2) == 0 {
					d.LineTo(x, y)
				} else {
					d.CurveBezierCubicTo(x1, y1, x2, y2, x, y)
					say(x1, y1, x2, y2)
				}
				say(x, y)
			}
			d.ClosePath()
			say(startX, startY)
		}
		if got := absolute(d.String(), number); !slices.Equal(got, want) {
			t.Fatalf("%s draws\n%v, want\n%v", d.String(), got, want)
		}
	}
}

// absolute lists all points of a path, by the rules of SVG 1.1.
func absolute(path string, number *regexp.Regexp) (points []string) {
	var x, y, startX, startY float64
	for _, command := range regexp.MustCompile(`[MlhvczZ][^MlhvczZ]*`).FindAllString(path, -1) {
		var v []float64
		for _, text := range number.FindAllString(command[1:], -1) {
			n, err := strconv.ParseFloat(text, 64)
			if err != nil {
				panic(err)
			}
			v = append(v, n)
		}
		switch command[0] {
		case 'M':
			x, y = v[0], v[1]
			startX, startY = x, y
		case 'l':
			x, y = x+v[0], y+v[1]
		case 'h':
			x += v[0]
		case 'v':
			y += v[0]
		case 'c':
			for i := 0; i < 4; i += 2 {
				points = append(points, decimal(x+v[i]), decimal(y+v[i+1]))
			}
			x, y = x+v[4], y+v[5]
		case 'z':
			x, y = startX, startY
		}
		points = append(points, decimal(x), decimal(y))
	}
	return points
}

// Lines are as wide as possible, and a level stays on the line of its factor if possible.
func TestWrap(t *testing.T) {
	sty := Text(TickSize)
	for width, want := range map[vg.Length][]string{
		sty.Width("a: b, rows = 200"):     {"a: b, rows = 200"},
		sty.Width("a: b, rows = 20"):      {"a: b,", "rows = 200"},
		sty.Width("a: b, rows = 200") / 9: {"a:", "b,", "rows", "=", "200"},
	} {
		if got := Wrap("a: b, rows = 200", sty, width); !slices.Equal(got, want) {
			t.Errorf("%g points: %q, want %q", width.Points(), got, want)
		}
	}
}

// A name that is wider than a line is broken after an underscore, but only then.
func TestWrapBreaksLongNames(t *testing.T) {
	sty := Text(TickSize)
	const name = "hill_valley_without_noise"
	if got := Wrap(name, sty, sty.Width(name)); !slices.Equal(got, []string{name}) {
		t.Errorf("with room: %q", got)
	}
	want := []string{"hill_valley_without_", "noise here"}
	if got := Wrap(name+" here", sty, sty.Width("hill_valley_without_")); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Wrap("undivided", sty, 1); !slices.Equal(got, []string{"undivided"}) {
		t.Errorf("a word without underscores: %q", got)
	}
}
