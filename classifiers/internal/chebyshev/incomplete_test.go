package chebyshev

import (
	"math"
	"slices"
	"testing"

	"copse/classifiers/internal/columns"
	"copse/internal/golden"
	"copse/internal/randtest"
	"copse/stats"
)

const missing = columns.MissingCode

// incompleteRows returns random rows in which a share of the values is missing.
func incompleteRows(seed uint64, n int, levels []int, classes int, share float64) (columns [][]int, y []int) {
	rng := randtest.New(seed)
	columns, y = make([][]int, len(levels)), make([]int, n)
	for r := range n {
		y[r] = rng.Intn(classes)
	}
	for i, d := range levels {
		columns[i] = make([]int, n)
		for r := range n {
			switch u := rng.Float64(); {
			case u < share:
				columns[i][r] = missing
			case u < share+0.4:
				columns[i][r] = y[r] % d
			default:
				columns[i][r] = rng.Intn(d)
			}
		}
	}
	return columns, y
}

// inconsistency returns the largest difference between two tables, or a table and mu(y), in a marginal that
// both determine.
func (m *Marginals) inconsistency() float64 {
	worst := 0.0
	singles := m.Singles()
	for e, p := range m.Pairs {
		di, dj := m.Levels[p.I], m.Levels[p.J]
		for y, prior := range m.Prior {
			block, total := m.Table(e)[y*di*dj:][:di*dj], 0.0
			rows, columns := slices.Clone(singles[p.I][y*di:][:di]), slices.Clone(singles[p.J][y*dj:][:dj])
			for c, v := range block {
				worst = max(worst, -v)
				rows[c/dj] -= v
				columns[c%dj] -= v
				total += v
			}
			worst = max(worst, math.Abs(total-prior))
			for _, d := range append(rows, columns...) {
				worst = max(worst, math.Abs(d))
			}
		}
	}
	return worst
}

// Complete rows give the usual counts.
func TestCountIncompleteOfCompleteRows(t *testing.T) {
	for _, g := range readGolden(t) {
		m := g.marginals
		got, proved, err := (&Sample{g.columns, g.labels, m.Levels, m.Classes,
			m.Pairs}).CountIncomplete(t.Context(), 1e-3, 1000)
		if err != nil || !proved {
			t.Fatal(proved, err)
		}
		for c, v := range got.Mu {
			if math.Abs(v-m.Mu[c]) > 1e-12 {
				t.Fatalf("%s: %v, counted %v", g.name, v, m.Mu[c])
			}
		}
	}
}

// The result is consistent.
func TestCountIncompleteIsConsistent(t *testing.T) {
	for seed := range uint64(4) {
		levels, classes := []int{2, 3, 2, 4, 2}, 2+int(seed%2)
		columns, y := incompleteRows(seed, 80, levels, classes, 0.25)
		m, proved, err := (&Sample{columns, y, levels, classes, stats.Pairs(5)}).CountIncomplete(t.Context(),
			1e-2, 20000)
		if err != nil || !proved {
			t.Errorf("seed %d: proved %v, error %v", seed, proved, err)
			continue
		}
		if worst := m.inconsistency(); worst > 1e-12 {
			t.Errorf("seed %d: inconsistent by %v", seed, worst)
		}
	}
}

// The bounds of the distance bracket the distance by GLPK 5.0 (testdata/golden.R).
func TestProjectionGolden(t *testing.T) {
	for _, row := range golden.Read(t, "testdata/projection.csv") {
		name, levels := row.Value["case"], golden.Wholes(t, row.Value["levels"])
		columns, y := readSamples(t, name, len(levels))
		p := newProjector((&Sample{columns, y, levels, row.Int("classes"), stats.Pairs(len(levels))}).countPresent())
		if _, err := p.run(t.Context(), 100000, func() bool { return p.closed(1e-5, 0) }); err != nil {
			t.Fatal(err)
		}
		if want := row.Num("distance"); p.lower > want+1e-9 || p.upper < want-1e-9 || !p.closed(1e-5, 0) {
			t.Errorf("%s: distance in [%v, %v], GLPK %v", name, p.lower, p.upper, want)
		}
	}
}

// If a feature is complete in the rows of a pair and the estimates agree, they do not change. A feature
// without values in a class gets the uniform distribution.
func TestCountIncompleteFillsGaps(t *testing.T) {
	columns := [][]int{{0, 1, missing, missing}, {missing, missing, 0, 0}, {0, 0, 1, 1}}
	y := []int{0, 0, 1, 1}
	m, _, err := (&Sample{columns, y, []int{2, 2, 2}, 2, stats.Pairs(3)}).CountIncomplete(t.Context(), 1e-2,
		20000)
	if err != nil {
		t.Fatal(err)
	}
	if worst := m.inconsistency(); worst > 1e-12 {
		t.Errorf("inconsistent by %v", worst)
	}
	// x_1 was never observed in class 1, so each value gets half of mu(1) = 1/2.
	if got := m.Singles()[0][2:]; math.Abs(got[0]-0.25) > 1e-9 || math.Abs(got[1]-0.25) > 1e-9 {
		t.Errorf("singles of an unseen feature: %v", got)
	}
}

func TestSetMargins(t *testing.T) {
	rng := randtest.New(5)
	for range 50 {
		table, rows, columns := make([]float64, 12), make([]float64, 3), make([]float64, 4)
		for _, v := range [][]float64{table, rows, columns} {
			for c := range v {
				v[c] = max(rng.NormFloat64(), 0)
			}
		}
		rows[0]++
		columns[0]++
		normalise(rows, 0.4)
		normalise(columns, 0.4)
		setMargins(table, rows, columns)
		for c, v := range table {
			if v < 0 {
				t.Fatalf("value %v", v)
			}
			rows[c/4] -= v
			columns[c%4] -= v
		}
		for _, d := range append(rows, columns...) {
			if math.Abs(d) > 1e-15 {
				t.Fatalf("margins are off by %v", d)
			}
		}
	}
}

func BenchmarkCountIncomplete(b *testing.B) {
	levels := slices.Repeat([]int{2}, 36)
	columns, y := incompleteRows(1, 2500, levels, 2, 0.25)
	for b.Loop() {
		sample := &Sample{columns, y, levels, 2, stats.Pairs(36)}
		if _, proved, err := sample.CountIncomplete(b.Context(), 1e-2, 20000); err != nil || !proved {
			b.Fatal(proved, err)
		}
	}
}
