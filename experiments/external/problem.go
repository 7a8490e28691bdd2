package external

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"copse/stats"
	"copse/stats/dataset"
)

// A Problem is a joint distribution of attributes and class that an external generator drew, and
// stores until Drop is called.
type Problem struct {
	host    *Host
	process *process // stores the problem; the host may have ended it
	program *Program
	seed    uint64
	classes int   // number of classes
	created reply // the reply for this problem, with its handle

	columns []string // names in the first sample, or nil before it
}

// NewProblem requests a random problem with the given number of classes from a generator.
func (h *Host) NewProblem(ctx context.Context, program *Program, classes int, seed uint64) (*Problem, error) {
	q := &Problem{host: h, program: program, seed: seed, classes: classes}
	if program.Kind == CSVGenerator {
		return q, nil // Sample runs the command with the problem's seed
	}
	r := request{Op: "new", Params: program.Params}
	r.setSeeds(seed)
	err := h.withFresh(ctx, program, func(ctx context.Context, p *process) error {
		answer, err := p.exchange(ctx, r)
		if err != nil {
			return err
		}
		if answer.Handle == "" {
			return p.fault("the reply to the request `new` has no handle")
		}
		if err := answer.checkNames(); err != nil {
			return p.fault("%v", err)
		}
		if names := answer.Classes; names != nil && len(names) != classes {
			return p.fault("drew a problem with %d classes; the study sets `classes: %d`", len(names), classes)
		}
		q.process = p
		q.created = *answer
		return nil
	})
	if err != nil {
		return nil, err
	}
	return q, nil
}

// checkNames checks the names of columns, classes and levels.
func (r *reply) checkNames() error {
	err := errors.Join(checkNames("names", r.Names), checkNames("classes", r.Classes))
	for _, column := range slices.Sorted(maps.Keys(r.Levels)) {
		err = cmp.Or(err, checkNames("levels of "+column, r.Levels[column]))
	}
	return err
}

// checkNames returns an error if a name in a field of a reply is empty or occurs twice.
func checkNames(field string, names []string) error {
	seen := map[string]bool{}
	for i, name := range names {
		switch {
		case strings.TrimSpace(name) == "":
			return fmt.Errorf("%s: item %d is empty", field, i+1)
		case seen[name]:
			return fmt.Errorf("%s: %q occurs twice", field, name)
		}
		seen[name] = true
	}
	return nil
}

// Description returns the generator's description of the problem as JSON, or nil if it sent none.
func (q *Problem) Description() []byte { return q.created.Description }

// Sample requests a sample with counts[c] rows of each class c.
func (q *Problem) Sample(ctx context.Context, counts []int, seed uint64) (*dataset.Set, error) {
	if q.program.Kind == CSVGenerator {
		return q.sampleCSV(ctx, counts, seed)
	}
	r := request{Op: "sample", Handle: q.created.Handle, Counts: counts}
	r.setSeeds(seed)
	n := stats.Sum(counts) // number of rows
	var set *dataset.Set
	err := q.host.withProcess(ctx, q.program, func(ctx context.Context, p *process) error {
		answer, err := p.exchange(ctx, r)
		if err != nil {
			return err
		}
		y, err := readLabels(p.replyFile(answer.Y), n, len(counts))
		if err != nil {
			return p.fault("y: %v", err)
		}
		columns := anyNumber
		if q.created.Names != nil {
			columns = len(q.created.Names)
		}
		x, err := readMatrix(p.replyFile(answer.X), n, columns)
		if err != nil {
			return p.fault("x: %v", err)
		}
		set, err = q.newSample(p, x, y, counts, q.created.Names)
		return err
	})
	return set, err
}

// newSample converts a sample from process p to a data set. It returns a Fault if a value or a
// column is invalid, or if some class c does not have counts[c] rows. If names is nil, the columns
// have default names.
func (q *Problem) newSample(p *process, x *mat.Dense, y, counts []int, names []string) (*dataset.Set, error) {
	set := dataset.New(x, y, len(counts))
	if q.created.Classes != nil { // otherwise the names are 0, 1, and so on
		set.Classes = q.created.Classes
	}
	if got := set.Counts(); !slices.Equal(got, counts) {
		return nil, p.fault("sample: drew %v rows from the classes instead of %v", got, counts)
	}
	var columns []string
	for j := range set.Attributes {
		a := &set.Attributes[j]
		if names != nil {
			a.Name = names[j]
		}
		// The generator's reply lists the levels of the discrete columns only.
		if levels, ok := q.created.Levels[a.Name]; ok {
			a.Kind = dataset.Discrete
			a.Levels = levels
		}
		columns = append(columns, a.Name)
		for i := range set.N() {
			if v := x.At(i, j); !isValid(a, v) {
				return nil, p.fault("sample: row %d, column %q: the value %v is not valid", i+1, a.Name, v)
			}
		}
	}
	if err := q.checkColumns(columns); err != nil {
		return nil, p.fault("%v", err)
	}
	return set, nil
}

// checkColumns returns an error unless the columns include all columns with levels, and equal the
// columns of the problem's first sample.
func (q *Problem) checkColumns(columns []string) error {
	for _, name := range slices.Sorted(maps.Keys(q.created.Levels)) {
		if !slices.Contains(columns, name) {
			return fmt.Errorf("levels: the problem has no column %q", name)
		}
	}
	if q.columns == nil {
		q.columns = columns
	}
	if !slices.Equal(columns, q.columns) {
		now, first := fmt.Sprintf("%q", columns), fmt.Sprintf("%q", q.columns)
		return fmt.Errorf("sample: the columns are %s (%d in all), but the first sample of the problem had %s (%d in "+
			"all)", shorten(now), len(columns), shorten(first), len(q.columns))
	}
	return nil
}

// isValid reports whether v is NaN (missing), a finite numeric value, or the index of a level.
func isValid(a *dataset.Attribute, v float64) bool {
	if math.IsNaN(v) || a.Kind != dataset.Discrete {
		return !math.IsInf(v, 0)
	}
	return v >= 0 && v < float64(len(a.Levels)) && v == math.Trunc(v)
}

// LogDensity returns the natural logarithms of the class densities at the rows of x, with one
// column per class. It returns an error if all densities of a row are 0, because the generator drew
// the rows.
func (q *Problem) LogDensity(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	n, _ := x.Dims()
	out := mat.NewDense(n, q.classes, nil)
	err := q.host.withProcess(ctx, q.program, func(ctx context.Context, p *process) error {
		rows := filepath.Join(p.tempFolder.path, "rows.npy")
		if err := writeMatrix(rows, x, n); err != nil {
			return err
		}
		for c := range q.classes {
			answer, err := p.exchange(ctx, request{Op: "log_density", Handle: q.created.Handle, Class: c, X: rows})
			if err != nil {
				return err
			}
			logs, err := p.logDensity(answer, n, c)
			if err != nil {
				return err
			}
			out.SetCol(c, logs)
		}
		for i := range n {
			if math.IsInf(slices.Max(out.RawRowView(i)), -1) {
				return p.fault("log_density: the generator drew row %d, but its density is zero in every class", i+1)
			}
		}
		return nil
	})
	return out, err
}

// logDensity reads the logarithms of the density of a class at n rows from a reply.
func (p *process) logDensity(r *reply, n, class int) ([]float64, error) {
	column, err := readMatrix(p.replyFile(r.LogDensity), n, 1)
	if err != nil {
		return nil, p.fault("log_density: %v", err)
	}
	logs := column.RawMatrix().Data
	for i, v := range logs {
		if math.IsNaN(v) || math.IsInf(v, 1) {
			return nil, p.fault("log_density: the value %v in row %d for class %d is not valid", v, i+1, class)
		}
	}
	return logs, nil
}

// Drop makes the generator free the memory of the problem.
func (q *Problem) Drop(ctx context.Context) error {
	if q.process == nil || q.process != q.host.running[q.program.processKey()] {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, dropGrace)
	defer cancel()
	return q.host.withProcess(ctx, q.program, func(ctx context.Context, p *process) error {
		_, err := p.exchange(ctx, request{Op: "drop", Handle: q.created.Handle})
		return err
	})
}
