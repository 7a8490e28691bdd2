// Package toys provides a generator, classifiers and studies with known behaviour for tests.
package toys

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers"
	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/experiments/run"
	"copse/experiments/study"
	"copse/generators"
	"copse/internal/filetest"
	"copse/stats/dataset"
	"copse/stats/recipe"
	"copse/stats/records"
)

// Register adds the generator toy and the classifiers centroid, coin and faulty to the registries.
func Register() {
	generators.Registry = append(generators.Registry, generators.Spec{
		Entry: recipe.Entry[generators.Generator]{
			Name: "toy", Version: 1, New: func() generators.Generator { return &toy{D: 2, Shift: 1} },
		},
		Classes: func(generators.Generator) int { return 2 },
		Columns: func(g generators.Generator) int { return g.(*toy).D },
	})
	register(true, "centroid", func() classifiers.Classifier { return &Centroid{Axis: 0} })
	register(true, "coin", func() classifiers.Classifier { return &coin{} })
	register(false, "faulty", func() classifiers.Classifier { return &faulty{Mode: "error"} })
}

// Main registers the toy generator and classifiers and runs the tests of a package with an empty list
// of approved commands.
func Main(m *testing.M) {
	Register()
	list, err := os.MkdirTemp("", "copse-test-")
	if err == nil {
		err = os.Setenv("COPSE_COMMANDS", filepath.Join(list, "commands"))
	}
	if err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(list)
	os.Exit(code)
}

// register registers a classifier. If anySet is true, the classifier accepts missing values and
// discrete attributes.
func register(anySet bool, name string, construct func() classifiers.Classifier) {
	classifiers.Registry = append(classifiers.Registry, classifiers.Spec{
		Entry:   recipe.Entry[classifiers.Classifier]{Name: name, Version: 1, New: construct},
		Missing: anySet, Discrete: anySet,
	})
}

// A toy generates D independent standard normal attributes. In class 1 the mean of the first
// attribute is Shift.
type toy struct {
	D     int     `param:"d" range:"[1,inf)"`
	Shift float64 `param:"shift"`
}

// failingShift is the value of toy.Shift for which New fails.
const failingShift = 13

// New draws a problem whose class means differ by about g.Shift. It fails for failingShift.
func (g *toy) New(rng *rand.Rand) (generators.Problem, error) {
	if g.Shift == failingShift {
		return nil, errors.New("unlucky shift")
	}
	return toyProblem{*g, rng.NormFloat64() / 10}, nil
}

// A toyProblem is a problem that a toy generator has drawn.
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

// A Centroid is a classifier that splits one attribute halfway between the two class means.
type Centroid struct {
	Axis int `param:"axis" range:"[0,inf)"`
}

func (c *Centroid) Fit(_ context.Context, train *dataset.Set, _ *rand.Rand) (*classifiers.Rule, error) {
	var mean [2]float64
	for i, y := range train.Y {
		mean[y] += train.X.At(i, c.Axis) / float64(train.Counts()[y])
	}
	return cut(c.Axis, (mean[0]+mean[1])/2), nil
}

// cut returns a rule that predicts class 1 if the attribute with the index axis exceeds a threshold,
// and otherwise class 0.
func cut(axis int, threshold float64) *classifiers.Rule {
	return &classifiers.Rule{Labels: func(x *mat.Dense) []int {
		n, _ := x.Dims()
		labels := make([]int, n)
		for i := range labels {
			if x.At(i, axis) > threshold {
				labels[i] = 1
			}
		}
		return labels
	}}
}

// A coin is a classifier that splits the first attribute at a random threshold.
type coin struct{}

func (*coin) Fit(_ context.Context, train *dataset.Set, rng *rand.Rand) (*classifiers.Rule, error) {
	return cut(0, rng.NormFloat64()), nil
}

// faulty is a classifier that fails in the way that Mode selects.
type faulty struct {
	Mode string `param:"mode" enum:"error,panic,label,short,none,hang,probabilities"`
}

// constant returns a rule that predicts the same class for all rows.
func constant(class int) *classifiers.Rule {
	return &classifiers.Rule{Labels: func(x *mat.Dense) []int {
		n, _ := x.Dims()
		return slices.Repeat([]int{class}, n)
	}}
}

// Fit panics, waits for the time limit, or returns an error, no rule or a faulty rule, depending on
// f.Mode.
func (f *faulty) Fit(ctx context.Context, _ *dataset.Set, _ *rand.Rand) (*classifiers.Rule, error) {
	switch f.Mode {
	case "panic":
		panic("on purpose")
	case "label":
		return constant(7), nil
	case "short":
		oneLabel := func(*mat.Dense) []int { return []int{0} } // a single label for any number of rows
		return &classifiers.Rule{Labels: oneLabel}, nil
	case "none":
		return nil, nil
	case "probabilities":
		rule := constant(0)
		rule.Probabilities = func(*mat.Dense) *mat.Dense { panic("no probabilities") }
		return rule, nil
	case "hang":
		for ctx.Err() == nil {
			time.Sleep(time.Millisecond)
		}
		return nil, ctx.Err()
	}
	return nil, errors.New("on\npurpose") // the records must replace the line break with a space
}

// Load reads a study from its text. Assignments such as replicates=3 change the values of keys.
func Load(t testing.TB, text string, assignments ...string) *study.Study {
	t.Helper()
	file := filepath.Join(t.TempDir(), folder.Study)
	filetest.Write(t, file, text)
	s, err := study.Load(file, assignments...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Study is a study file that uses the toy generator and the toy classifiers.
const Study = `study: toy
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

// RowsStudy returns a study on a file with 60 rows. The columns are the row number, the site (12
// sites with 5 rows each), the part of the official split, an attribute with missing values, and the
// class. A second file has the same rows. data contains the keys of the data section, with FILE and
// OTHER for the paths of the two files. more lists the classifiers, by default only centroid.
func RowsStudy(t *testing.T, data string, more ...string) string {
	t.Helper()
	t.Setenv("COPSE_DATA", "")
	dir := t.TempDir()
	var text strings.Builder
	text.WriteString("row,site,part,colour,class\n")
	for i := range 60 {
		part, colour := []string{"train", "Train", "test"}[i%3], []string{"red", "blue", "?"}[i%7%3]
		fmt.Fprintf(&text, "%d,s%d,%s,%s,%d\n", i, i%12, part, colour, i%4)
	}
	for name, file := range map[string]string{"FILE": "rows.csv", "OTHER": "other.csv"} {
		path := filepath.Join(dir, file)
		filetest.Write(t, path, text.String())
		data = strings.ReplaceAll(data, name, path)
	}
	if len(more) == 0 {
		more = []string{"centroid"}
	}
	return fmt.Sprintf("study: s\nseed: 7\nreplicates: 15\ndata: {%s}\nclassifiers:\n  - %s\n", data,
		strings.Join(more, "\n  - "))
}

// Run computes the missing results of a study and returns the plan that it followed.
func Run(t testing.TB, s *study.Study, o run.Options) *run.Plan {
	t.Helper()
	plan, err := run.Run(t.Context(), nil, s, o)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// RunIn calls Run with the results folder dir and default options.
func RunIn(t testing.TB, s *study.Study, dir string) *run.Plan {
	t.Helper()
	return Run(t, s, run.Options{Dir: dir})
}

// Open opens a results folder.
func Open(t testing.TB, dir string) *results.Folder {
	t.Helper()
	f, err := results.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// OpenFor opens the results folder dir for the study s.
func OpenFor(t testing.TB, dir string, s *study.Study) *results.Folder {
	t.Helper()
	f, err := results.OpenFor(dir, s)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Records returns the records of a results folder.
func Records(t testing.TB, dir string) *records.Records {
	t.Helper()
	return Open(t, dir).Records().Records
}

// Frame returns a line of a journal with its checksum: {"sum":"...","KIND":CONTENT}. The kind is
// "session" or "trial".
func Frame(kind, content string) string {
	sum := crc32.Checksum([]byte(content), crc32.MakeTable(crc32.Castagnoli))
	return fmt.Sprintf("{\"sum\":\"%08x\",\"%s\":%s}\n", sum, kind, content)
}

// Unframe is the inverse of Frame.
func Unframe(line string) (kind, content string) {
	_, rest, _ := strings.Cut(line, `,"`)
	kind, content, _ = strings.Cut(rest, `":`)
	return kind, strings.TrimSuffix(content, "}\n")
}

// firstCounts matches the correct and the wrong predictions of class 0 in the JSON of a confusion
// matrix.
var firstCounts = regexp.MustCompile(`"confusion":\[(\d+),(\d+),`)

// OneError changes one correct prediction of class 0, if any, into an error in each result of a
// journal.
func OneError(text string) string {
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

// Collect writes the records of the study s from the journals in the folder dir.
func Collect(dir string, s *study.Study) error {
	f, err := results.OpenFor(dir, s)
	if err != nil {
		return err
	}
	return f.Collect()
}

// Clone copies a results folder without journals to a new folder, with compressed records if zip is
// true.
func Clone(t testing.TB, dir string, zip bool) string {
	t.Helper()
	to := t.TempDir()
	for _, name := range []string{folder.Study, folder.Manifest, folder.Timings, folder.Records} {
		text := filetest.Read(t, filepath.Join(dir, name))
		if name == folder.Records && zip {
			name, text = name+".gz", zipped(text)
		}
		filetest.Write(t, filepath.Join(to, name), text)
	}
	return to
}

func zipped(text string) string {
	var b strings.Builder
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	z.Close() // writing to a strings.Builder never fails
	return b.String()
}

// CopyJournal copies study.yaml and the journals to another folder. It applies change to the content
// of each line.
func CopyJournal(t testing.TB, from, to string, change func(string) string) {
	t.Helper()
	filetest.Write(t, filepath.Join(to, folder.Study), filetest.Read(t, filepath.Join(from, folder.Study)))
	files, err := results.JournalFiles(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text := ""
		for line := range strings.Lines(filetest.Read(t, file)) {
			kind, content := Unframe(line)
			text += Frame(kind, change(content))
		}
		filetest.Write(t, filepath.Join(to, "journal", filepath.Base(file)), text)
	}
}

// FaultyStudy is a study file whose classifiers fail in different ways.
const FaultyStudy = `study: faults
seed: 1
replicates: 2
time_limit: 200ms
data:
  generator: {name: toy}
  train: {n: 20}
  test: {n: 20}
classifiers:
  - {id: error, classifier: faulty}
  - {id: panic, classifier: faulty, mode: panic}
  - {id: label, classifier: faulty, mode: label}
  - {id: short, classifier: faulty, mode: short}
  - {id: none, classifier: faulty, mode: none}
  - {id: hang, classifier: faulty, mode: hang}
  - centroid
`
