package canvas

import (
	"image/color"
	"math"
	"testing"
)

// deficiencies are the matrices of Machado, Oliveira and Fernandes (2009), Table 1, at
// severity 1, on linear RGB.
var deficiencies = map[string][3][3]float64{
	"none":         {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// seen returns the CIELAB colour (D65) of an sRGB colour as seen with a deficiency.
func seen(c color.NRGBA, deficiency [3][3]float64) (lab [3]float64) {
	rgb := [3]float64{linear(c.R), linear(c.G), linear(c.B)}
	xyz := [3][3]float64{{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750},
		{0.0193339, 0.1191920, 0.9503041}}
	var changed, f [3]float64
	for i, row := range deficiency {
		changed[i] = min(1, max(0, row[0]*rgb[0]+row[1]*rgb[1]+row[2]*rgb[2]))
	}
	for i, row := range xyz {
		v := (row[0]*changed[0] + row[1]*changed[1] + row[2]*changed[2]) / (row[0] + row[1] + row[2])
		if f[i] = math.Cbrt(v); v <= math.Pow(6.0/29, 3) {
			f[i] = v/(3*math.Pow(6.0/29, 2)) + 4.0/29
		}
	}
	return [3]float64{116*f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])}
}

// ciede2000 is the difference of two CIELAB colours (Sharma, Wu and Dalal 2005).
func ciede2000(p, q [3]float64) float64 {
	rad, pow7 := math.Pi/180, func(v float64) float64 {
		return math.Sqrt(math.Pow(v, 7) / (math.Pow(v, 7) +
			math.Pow(25, 7)))
	}
	stretch := 1 + 0.5*(1-pow7((math.Hypot(p[1], p[2])+math.Hypot(q[1], q[2]))/2))
	polar := func(v [3]float64) (chroma, hue float64) {
		return math.Hypot(stretch*v[1], v[2]), math.Mod(math.Atan2(v[2], stretch*v[1])/rad+360, 360)
	}
	c1, h1 := polar(p)
	c2, h2 := polar(q)
	dh, h := h2-h1, (h1+h2)/2
	if math.Abs(dh) > 180 {
		dh -= math.Copysign(360, dh)
		h = math.Mod(h+180, 360)
	}
	if c1*c2 == 0 {
		dh, h = 0, h1+h2
	}
	l, c := (p[0]+q[0])/2-50, (c1+c2)/2
	t := 1 - 0.17*math.Cos((h-30)*rad) + 0.24*math.Cos(2*h*rad) +
		0.32*math.Cos((3*h+6)*rad) - 0.2*math.Cos((4*h-63)*rad)
	dl := (q[0] - p[0]) / (1 + 0.015*l*l/math.Sqrt(20+l*l))
	dc := (c2 - c1) / (1 + 0.045*c)
	dH := 2 * math.Sqrt(c1*c2) * math.Sin(dh/2*rad) / (1 + 0.015*c*t)
	turn := -2 * pow7(c) * math.Sin(60*math.Exp(-math.Pow((h-275)/25, 2))*rad)
	return math.Sqrt(dl*dl + dc*dc + dH*dH + turn*dc*dH)
}

// Pairs 1, 7, 17 and 34 of Table 1 of Sharma, Wu and Dalal (2005).
func TestCIEDE2000(t *testing.T) {
	for _, c := range []struct {
		p, q [3]float64
		want float64
	}{
		{[3]float64{50, 2.6772, -79.7751}, [3]float64{50, 0, -82.7485}, 2.0425},
		{[3]float64{50, 0, 0}, [3]float64{50, -1, 2}, 2.3669},
		{[3]float64{50, 2.5, 0}, [3]float64{73, 25, -18}, 27.1492},
		{[3]float64{2.0776, 0.0795, -1.1350}, [3]float64{0.9033, -0.0636, -0.5514}, 0.9082},
	} {
		if got := ciede2000(c.p, c.q); math.Abs(got-c.want) > 5e-5 {
			t.Errorf("%v and %v: %.4f, want %.4f", c.p, c.q, got, c.want)
		}
	}
}

func contrast(a, b color.NRGBA) float64 {
	l, m := luminance(a)+0.05, luminance(b)+0.05
	return max(l, m) / min(l, m)
}

// Lines and marks are visible on white, and black lines on areas. Colours can be distinguished with every
// deficiency, most easily the first six and eight, which most figures use.
func TestPalette(t *testing.T) {
	white := color.NRGBA{255, 255, 255, 255}
	for i, c := range Palette {
		if got := contrast(c, white); got < 3 {
			t.Errorf("colour %d has a contrast of %.2f on white", i, got)
		}
		if got := contrast(FillColour(c), Black); got < 4.5 {
			t.Errorf("black has a contrast of %.2f on an area of colour %d", got, i)
		}
		for j := range i {
			want := 9.5
			if i < 8 {
				want = 12
			}
			for name, deficiency := range deficiencies {
				if got := ciede2000(seen(c, deficiency), seen(Palette[j], deficiency)); got < want {
					t.Errorf("colours %d and %d differ by %.1f, deficiency: %s", i, j, got, name)
				}
			}
		}
	}
}
