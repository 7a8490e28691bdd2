package svm

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/internal/golden"
)

// readLibsvm reads rows with d columns in the form "label 1:v 2:v ...".
func readLibsvm(t *testing.T, path string, d int) (*mat.Dense, []float64) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var values, y []float64
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		var label float64
		if _, err := fmt.Sscan(fields[0], &label); err != nil || len(fields) != d+1 {
			t.Fatalf("%s: line %q", path, lines.Text())
		}
		y = append(y, label)
		for _, field := range fields[1:] {
			var j int
			var v float64
			if _, err := fmt.Sscanf(field, "%d:%g", &j, &v); err != nil {
				t.Fatal(err)
			}
			values = append(values, v)
		}
	}
	return mat.NewDense(len(y), d, values), y
}

// TestLibsvmGolden compares with svm-train 3.24 (testdata/golden.sh), which stores kernel values in single
// precision.
func TestLibsvmGolden(t *testing.T) {
	x, y := readLibsvm(t, "testdata/golden.libsvm", 5)
	for i, row := range golden.Read(t, "testdata/golden.csv") {
		name := row.Value["kernel"]
		t.Run(fmt.Sprint(i+1, name), func(t *testing.T) {
			c, gamma, coef0, degree := row.Num("c"), row.Num("gamma"), row.Num("coef0"), row.Int("degree")
			objective, bias := row.Num("objective"), row.Num("bias")
			kernel := map[string]Kernel{"linear": Linear{}, "rbf": RBF{gamma},
				"polynomial": Polynomial{gamma, coef0, degree}}[name]
			g, err := NewGram(t.Context(), kernel, x)
			if err != nil {
				t.Fatal(err)
			}
			alpha, gotBias, err := g.Solve(t.Context(), y, c, 1e-7, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := objectiveOf(g, y, alpha); math.Abs(got-objective) > 5e-6*(1+math.Abs(objective)) {
				t.Errorf("objective %.6f, want %.6f", got, objective)
			}
			if math.Abs(gotBias-bias) > 1e-4 {
				t.Errorf("bias %.6f, want %.6f", gotBias, bias)
			}
		})
	}
}

// objectiveOf returns 1/2 a'Qa - e'a.
func objectiveOf(g *Gram, y, alpha []float64) float64 {
	var sum float64
	for i, a := range alpha {
		for j, b := range alpha {
			sum += a * b * y[i] * y[j] * g.row(i)[j] / 2
		}
		sum -= a
	}
	return sum
}

// TestBruteForce sets each alpha of a tiny problem to 0 or to C or leaves it free, in all combinations. The
// free ones and the bias solve the equations margin = 1 and y'alpha = 0. The best feasible point is the
// optimum.
func TestBruteForce(t *testing.T) {
	for seed := range uint64(30) {
		n := 3 + int(seed%3)
		x, y := twoGaussians(n, 3, 1, seed)
		c := []float64{0.1, 1, 10}[seed/3%3]
		g, err := NewGram(t.Context(), RBF{0.5}, x)
		if err != nil {
			t.Fatal(err)
		}
		alpha, _, err := g.Solve(t.Context(), y, c, 1e-9, nil)
		if err != nil {
			t.Fatal(err)
		}
		best := math.Inf(1)
		for code := range int(math.Pow(3, float64(n))) {
			if candidate, ok := vertex(g, y, c, code); ok {
				best = min(best, objectiveOf(g, y, candidate))
			}
		}
		if got := objectiveOf(g, y, alpha); math.Abs(got-best) > 1e-7*(1+math.Abs(best)) {
			t.Errorf("seed %d: objective %.9f, brute force %.9f", seed, got, best)
		}
	}
}

// vertex solves for the free alphas if digit i of code (base 3) states whether alpha_i is 0, C or free. It
// returns false if there is no solution between 0 and C.
func vertex(g *Gram, y []float64, c float64, code int) ([]float64, bool) {
	n := len(y)
	alpha := make([]float64, n)
	var free []int
	for i := range n {
		switch code % 3 {
		case 1:
			alpha[i] = c
		case 2:
			free = append(free, i)
		}
		code /= 3
	}
	m := len(free)
	system, right := mat.NewDense(m+1, m+1, nil), mat.NewVecDense(m+1, nil)
	for j, a := range alpha {
		right.SetVec(m, right.AtVec(m)-a*y[j])
	}
	for r, i := range free {
		right.SetVec(r, 1)
		for j, a := range alpha {
			right.SetVec(r, right.AtVec(r)-a*y[i]*y[j]*g.row(i)[j])
		}
		for s, j := range free {
			system.Set(r, s, y[i]*y[j]*g.row(i)[j])
		}
		system.Set(r, m, y[i])
		system.Set(m, r, y[i])
	}
	if m == 0 {
		return alpha, math.Abs(right.AtVec(0)) < 1e-12
	}
	var solved mat.VecDense
	if solved.SolveVec(system, right) != nil {
		return nil, false
	}
	for r, i := range free {
		alpha[i] = solved.AtVec(r)
		if alpha[i] < 0 || alpha[i] > c {
			return nil, false
		}
	}
	return alpha, true
}
