package experiments

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers"
	"copse/experiments/results"
	"copse/experiments/run"
	"copse/experiments/study"
	"copse/generators"
	"copse/stats/dataset"
	"copse/stats/recipe"
)

// The harness is tested with a generator and classifiers of known behaviour.
func TestMain(m *testing.M) {
	generators.Registry = append(generators.Registry, generators.Spec{
		Entry: recipe.Entry[generators.Generator]{
			Name: "toy", Version: 1, New: func() generators.Generator { return &toy{D: 2, Shift: 1} },
		},
		Classes: func(generators.Generator) int { return 2 },
	})
	register(true, "centroid", func() classifiers.Classifier { return &centroid{Axis: 0} })
	register(true, "coin", func() classifiers.Classifier { return &coin{} })
	register(false, "faulty", func() classifiers.Classifier { return &faulty{Mode: "error"} })
	register(false, "hoarder", func() classifiers.Classifier { return &hoarder{} })
	if len(os.Args) > 2 && os.Args[1] == "method" {
		foreign(os.Args[2])
		os.Exit(0)
	}
	list, err := os.MkdirTemp("", "copse-test-")
	if err == nil {
		err = os.Setenv("COPSE_COMMANDS", filepath.Join(list, "commands")) // not the user's own
	}
	if err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(list)
	os.Exit(code)
}

// register adds a classifier, which takes missing values and discrete attributes if it
// takes any set.
func register(anySet bool, name string, construct func() classifiers.Classifier) {
	classifiers.Registry = append(classifiers.Registry, classifiers.Spec{
		Entry:   recipe.Entry[classifiers.Classifier]{Name: name, Version: 1, New: construct},
		Missing: anySet, Discrete: anySet,
	})
}

// toy draws d standard normals, the first of which is shifted by shift in class 1.
type toy struct {
	D     int     `param:"d" range:"[1,inf)"`
	Shift float64 `param:"shift"`
}

func (g *toy) New(rng *rand.Rand) (generators.Problem, error) {
	if g.Shift == 13 {
		return nil, errors.New("unlucky shift")
	}
	return toyProblem{*g, rng.NormFloat64() / 10}, nil
}

type toyProblem struct {
	toy
	jitter float64
}

func (p toyProblem) Sample(counts []int, rng *rand.Rand) *dataset.Set {
	n := counts[0] + counts[1]
	x, y := mat.NewDense(n, p.D, nil), make([]int, n)
	for i := range y {
		if i >= counts[0] {
			y[i] = 1
		}
		for j := range p.D {
			x.Set(i, j, rng.NormFloat64())
		}
		x.Set(i, 0, x.At(i, 0)+float64(y[i])*(p.Shift+p.jitter))
	}
	return dataset.New(x, y, 2)
}

func (p toyProblem) LogDensity(class int, x []float64) float64 {
	sum := 0.0
	for j, v := range x {
		if j == 0 {
			v -= float64(class) * (p.Shift + p.jitter)
		}
		sum -= v * v / 2
	}
	return sum - float64(len(x))*math.Log(2*math.Pi)/2
}

// centroid cuts one axis half-way between the class means.
type centroid struct {
	Axis int `param:"axis" range:"[0,inf)"`
}

type cut struct {
	axis int
	at   float64
}

func (c *centroid) Fit(_ context.Context, train *dataset.Set, _ *rand.Rand) (*classifiers.Rule, error) {
	var mean [2]float64
	for i, y := range train.Y {
		mean[y] += train.X.At(i, c.Axis) / float64(train.Counts()[y])
	}
	return &classifiers.Rule{Labels: cut{c.Axis, (mean[0] + mean[1]) / 2}.Predict}, nil
}

func (r cut) Predict(x *mat.Dense) []int {
	n, _ := x.Dims()
	labels := make([]int, n)
	for i := range labels {
		if x.At(i, r.axis) > r.at {
			labels[i] = 1
		}
	}
	return labels
}

// coin predicts at random from its own stream.
type coin struct{}

func (*coin) Fit(_ context.Context, train *dataset.Set, rng *rand.Rand) (*classifiers.Rule, error) {
	return &classifiers.Rule{Labels: cut{0, rng.NormFloat64()}.Predict}, nil
}

// faulty goes wrong in the way that mode says.
type faulty struct {
	Mode string `param:"mode" enum:"error,panic,label,short,none,hang"`
}

type constant int

func (c constant) Predict(x *mat.Dense) []int {
	n, _ := x.Dims()
	labels := make([]int, n)
	for i := range labels {
		labels[i] = int(c)
	}
	return labels
}

type short struct{}

func (short) Predict(*mat.Dense) []int { return []int{0} }

func (f *faulty) Fit(ctx context.Context, _ *dataset.Set, _ *rand.Rand) (*classifiers.Rule, error) {
	switch f.Mode {
	case "panic":
		panic("on purpose")
	case "label":
		return &classifiers.Rule{Labels: constant(7).Predict}, nil
	case "short":
		return &classifiers.Rule{Labels: short{}.Predict}, nil
	case "none":
		return nil, nil
	case "hang":
		for ctx.Err() == nil {
			time.Sleep(time.Millisecond)
		}
		return nil, ctx.Err()
	}
	return nil, errors.New("on\npurpose")
}

// hoarder holds so much memory for a while; hoards counts how many do.
type hoarder struct {
	Bytes int `param:"bytes"`
}

var hoards struct{ now, most atomic.Int64 }

func (h *hoarder) Fit(_ context.Context, train *dataset.Set, _ *rand.Rand) (*classifiers.Rule, error) {
	now := hoards.now.Add(1)
	defer hoards.now.Add(-1)
	for {
		most := hoards.most.Load()
		if now <= most || hoards.most.CompareAndSwap(most, now) {
			break
		}
	}
	kept := make([]byte, h.Bytes)
	for i := 0; i < len(kept); i += 4096 {
		kept[i] = 1
	}
	time.Sleep(50 * time.Millisecond)
	return &classifiers.Rule{Labels: constant(int(kept[0]) % train.C()).Predict}, nil
}

// loadText reads a study from text.
func loadText(t *testing.T, text string, assignments ...string) *study.Study {
	t.Helper()
	file := filepath.Join(t.TempDir(), "study.yaml")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := study.Load(file, assignments...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const toyStudy = `study: toy
seed: 42
replicates: 6
design:
  n: [20, 40]
  balance: {balanced: 0.5, imbalanced: 0.75}
data:
  generator: {name: toy, d: 3}
  train: {n: $n, majority: $balance}
  test: {n: 60}
classifiers: [centroid, coin, oracle]
`

func runToy(t *testing.T, s *study.Study, o run.Options) *run.Plan {
	t.Helper()
	plan, err := run.Run(context.Background(), nil, s, o)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// frame is a journal's line with its right checksum, as the format says: kind is
// session or trial.
func frame(kind, content string) string {
	sum := crc32.Checksum([]byte(content), crc32.MakeTable(crc32.Castagnoli))
	return fmt.Sprintf("{\"sum\":\"%08x\",\"%s\":%s}\n", sum, kind, content)
}

// unframe returns the kind and the content of a line.
func unframe(line string) (kind, content string) {
	_, rest, _ := strings.Cut(line, `,"`)
	kind, content, _ = strings.Cut(rest, `":`)
	return kind, strings.TrimSuffix(content, "}\n")
}

var firstCounts = regexp.MustCompile(`"confusion":\[(\d+),(\d+),`)

// oneError turns one right answer of every result in a journal into an error.
func oneError(text string) string {
	return firstCounts.ReplaceAllStringFunc(text, func(s string) string {
		counts := firstCounts.FindStringSubmatch(s)
		right, _ := strconv.Atoi(counts[1])
		wrong, _ := strconv.Atoi(counts[2])
		if right == 0 {
			return s
		}
		return fmt.Sprintf(`"confusion":[%d,%d,`, right-1, wrong+1)
	})
}

// collect writes the records of a study from the journals of a folder.
func collect(dir string, s *study.Study) error {
	f, err := results.OpenFor(dir, s)
	if err != nil {
		return err
	}
	return f.Collect()
}
