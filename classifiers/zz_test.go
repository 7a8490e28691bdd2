package classifiers

import (
	"context"
	"fmt"
	"os"
	"runtime/pprof"
	"strconv"
	"testing"
	"time"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

// forest F2
type forest struct{ order, parent []int }

func newForest(d int, rng *rand.Rand) forest {
	f := forest{rng.Perm(d), make([]int, d)}
	for k := range d {
		f.parent[k] = -1
		if k > 0 && rng.Float64() < edgeP {
			f.parent[k] = rng.Intn(k)
		}
	}
	return f
}
func (f forest) sample(x *mat.Dense, r int, rng *rand.Rand) {
	for k, v := range f.order {
		z := rng.NormFloat64()
		if f.parent[k] >= 0 {
			z += x.At(r, f.order[f.parent[k]])
		}
		x.Set(r, v, z)
	}
}
func draw(n int, fs [2]forest, rng *rand.Rand) *dataset.Set {
	x := mat.NewDense(n, 20, nil)
	y := make([]int, n)
	for i := range n {
		y[i] = i * 2 / n
		fs[y[i]].sample(x, i, rng)
	}
	return dataset.New(x, y, 2)
}

func TestSanity(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("N"))
	reps, _ := strconv.Atoi(os.Getenv("R"))
	if n == 0 {
		t.Skip()
	}
	is := NewSLB()
	is.Select = inSample
	ispi := NewSLB()
	ispi.Select = inSample
	ispi.Bandwidth = "plug-in"
	repi := NewSLB()
	repi.Bandwidth = "plug-in"
	mpi := NewSLBMinus()
	mpi.Bandwidth = "plug-in"
	tb := NewTAN()
	tb.Information = "bcmi"
	ts := NewTAN()
	ts.Tree = "shared"
	tp := NewTAN()
	tp.Tree = "pooled"
	tn := NewTAN()
	tn.Bandwidth = "normal-reference"
	cl := []struct {
		n string
		c Classifier
	}{{"slb", NewSLB()}, {"slb-insample", is}, {"slb-", NewSLBMinus()}, {"forestdens", NewForestDens()}, {"tan-nr", tn}, {"tan", NewTAN()}, {"tan-bcmi", tb}, {"tan-shared", ts}, {"tan-pooled", tp}, {"nb", NewNB()}, {"lu", NewLU()}, {"slb-pi", mpi}, {"slbpi-insample", ispi}, {"slbpi-refit", repi}}
	sum := make([]float64, len(cl))
	tm := make([]time.Duration, len(cl))
	only := os.Getenv("ONLY")
	if p := os.Getenv("PROF"); p != "" {
		f, _ := os.Create(p)
		pprof.StartCPUProfile(f)
		defer pprof.StopCPUProfile()
	}
	for r := range reps {
		rng := rand.New(rand.NewSource(uint64(100 + r)))
		fs := [2]forest{newForest(20, rng), newForest(20, rng)}
		train, test := draw(n, fs, rng), draw(1000, fs, rng)
		for k, c := range cl {
			if only != "" && c.n != only {
				continue
			}
			t0 := time.Now()
			rule, err := c.c.Fit(context.Background(), train, rng)
			if err != nil {
				t.Fatal(c.n, err)
			}
			e := 0
			for i, p := range rule.Predict(test.X) {
				if p != test.Y[i] {
					e++
				}
			}
			tm[k] += time.Since(t0)
			sum[k] += float64(e) / 10
		}
	}
	for k, c := range cl {
		if sum[k] > 0 {
			fmt.Printf("%-16s n=%d reps=%d err %.2f  time %.3fs\n", c.n, n, reps, sum[k]/float64(reps), tm[k].Seconds()/float64(reps))
		}
	}
}

var edgeP = func() float64 {
	if v, err := strconv.ParseFloat(os.Getenv("P"), 64); err == nil {
		return v
	}
	return 2.0 / 3
}()
