package kde

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"

	"copse/internal/golden"
)

// goldenSamples returns the two bivariate samples of testdata/golden.R.
func goldenSamples(t *testing.T) map[string][2][]float64 {
	var sines, faithful [2][]float64
	for i := 1.0; i <= 60; i++ {
		x := math.Sin(i) + i/50
		sines[0] = append(sines[0], x)
		sines[1] = append(sines[1], math.Cos(1.3*i)+0.5*x)
	}
	for _, row := range golden.Read(t, "testdata/faithful.csv") {
		for j, column := range []string{"eruptions", "waiting"} {
			faithful[j] = append(faithful[j], row.Num(column))
		}
	}
	return map[string][2][]float64{"sines": sines, "faithful": faithful}
}

// TestGolden compares with R (testdata/golden.R, versions in golden.csv). If R bins the sample, the tolerance
// allows for its grid.
func TestGolden(t *testing.T) {
	wanted := map[string]float64{}
	for _, line := range golden.Lines(t, "testdata/golden.csv") {
		wanted[line[0]+","+line[1]] = golden.Number(t, line[2])
	}
	checked := 0
	check := func(quantity, sample string, got, tolerance float64) {
		t.Helper()
		checked++
		want, ok := wanted[quantity+","+sample]
		if !ok || !(math.Abs(got-want) <= tolerance*math.Abs(want)) {
			t.Errorf("%s of %s: %.12g, want %.12g", quantity, sample, got, want)
		}
	}
	must := func(v float64, err error) float64 {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for name, columns := range goldenSamples(t) {
		for j, z := range columns {
			at := fmt.Sprint(name, j+1)
			binned := 2e-4
			if at == "faithful2" { // whose maximum KernSmooth happens to keep
				binned = 4e-3
			}
			check("hpi", at, must(PlugIn.Bandwidth(z)), binned)
			check("direct hpi", at, must(PlugIn.Bandwidth(z)), 1e-11)
			check("dpik3 epanechnikov", at, must(EpanechnikovBandwidth(z, false)), binned)
			check("direct dpik3 epanechnikov", at, must(EpanechnikovBandwidth(z, false)), 1e-11)
			check("all hpi", at, must(SymmetricPlugIn.Bandwidth(z)), 1e-11)
			check("all dpik3 epanechnikov", at, must(EpanechnikovBandwidth(z, true)), 1e-11)
			check("normal reference", at, must(NormalReference.Bandwidth(z)), 1e-13)
			check("normal reference 2-d", at, must(NormalReference.ProductBandwidth(z)), 1e-13)
			check("matlab", at, must(Matlab.Bandwidth(z)), 1e-13)
			check("matlab 2-d", at, must(Matlab.ProductBandwidth(z)), 1e-13)
			h, low, sd := wanted["hpi,"+at], ascending(z)[0], stat.StdDev(z, nil)
			f := New(z, h)
			for k, step := range []float64{-20, -4, -1, 0, 1.3, 2.5} {
				check(fmt.Sprint("kde ", k+1), at, f.At(low+step*sd), 1e-11)
				if want := wanted[fmt.Sprintf("cdf %d,%s", k+1, at)]; math.Abs(f.CDF(low+step*sd)-want) > 1e-14 {
					t.Errorf("cdf %d of %s: %v, want %v", k+1, at, f.CDF(low+step*sd), want)
				}
			}
		}
		for kind, tolerance := range map[string]float64{"Hpi": 3e-4, "Hpi tight": 2e-7, "Hpi derived": 2e-7} {
			h, err := Hpi(columns[0], columns[1], kind == "Hpi derived")
			if err != nil {
				t.Fatal(err)
			}
			check(kind+" xx", name, h.XX, tolerance)
			check(kind+" xy", name, h.XY, tolerance)
			check(kind+" yy", name, h.YY, tolerance)
		}
		h := H2{wanted["Hpi xx,"+name], wanted["Hpi xy,"+name], wanted["Hpi yy,"+name]}
		f := New2(columns[0], columns[1], h)
		for k := 1.0; k <= 5; k++ {
			s := stat.Mean(columns[0], nil) + (k-2)*0.7*stat.StdDev(columns[0], nil)
			u := stat.Mean(columns[1], nil) - (k-2)*0.4*stat.StdDev(columns[1], nil)
			check(fmt.Sprint("kde2 ", k), name, f.At(s, u), 1e-11)
		}
	}
	if checked != 92 {
		t.Errorf("%d quantities checked", checked)
	}
}
