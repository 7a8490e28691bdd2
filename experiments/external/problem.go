package external

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

// A Problem is one random problem that a generator drew. The generator keeps it under a
// handle until Drop or the end of the process.
type Problem struct {
	host    *Host
	process *process // that keeps it
	program *Program
	seed    uint64
	handle  string
	classes []string
	asked   reply // the reply to the request new: names, levels, description
}

// NewProblem makes a generator draw the structure and the parameters of one problem with
// the given number of classes.
func (h *Host) NewProblem(ctx context.Context, program *Program, classes int, seed uint64) (*Problem, error) {
	q := &Problem{host: h, program: program, seed: seed}
	if program.Kind == CSVGenerator {
		for c := range classes {
			q.classes = append(q.classes, fmt.Sprint(c))
		}
		return q, nil // each sample runs the command with the problem's seed
	}
	r := request{Op: "new", Params: program.Params}
	r.seeds(seed)
	err := h.with(ctx, program, func(p *process) error {
		answer, err := p.exchange(ctx, r)
		if err != nil {
			return err
		}
		if answer.Handle == "" {
			return p.fault("answered new without a handle")
		}
		q.process, q.handle, q.classes, q.asked = p, answer.Handle, answer.Classes, *answer
		if q.classes == nil {
			for c := range classes {
				q.classes = append(q.classes, fmt.Sprint(c))
			}
		}
		if len(q.classes) != classes {
			return p.fault("drew a problem of %d classes; the study says classes: %d", len(q.classes), classes)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return q, nil
}

// Description returns the generator's description of the problem as JSON, or nil.
func (q *Problem) Description() []byte { return q.asked.Description }

// Sample draws counts[c] rows of each class c.
func (q *Problem) Sample(ctx context.Context, counts []int, seed uint64) (*dataset.Set, error) {
	if q.program.Kind == CSVGenerator {
		return q.sampleCSV(ctx, counts, seed)
	}
	r := request{Op: "sample", Handle: q.handle, Counts: counts}
	r.seeds(seed)
	n := 0
	for _, count := range counts {
		n += count
	}
	var set *dataset.Set
	err := q.host.with(ctx, q.program, func(p *process) error {
		answer, err := p.exchange(ctx, r)
		if err != nil {
			return err
		}
		y, err := readLabels(p.answerFile(answer.Y), n, len(counts)) // class codes of the n rows
		if err != nil {
			return p.fault("y: %v", p.plain(err))
		}
		x, err := readMatrix(p.answerFile(answer.X), n, q.columns())
		if err != nil {
			return p.fault("x: %v", p.plain(err))
		}
		if set, err = q.set(x, y, counts); err != nil {
			return p.fault("%v", err)
		}
		return nil
	})
	return set, err
}

// columns returns the number of columns of a sample; anyNumber if new named none.
func (q *Problem) columns() int {
	if q.asked.Names == nil {
		return anyNumber
	}
	return len(q.asked.Names)
}

// set returns a sample as a data set with the classes, names and levels of the problem. It
// returns an error for a sample that contradicts them or the requested counts.
func (q *Problem) set(x *mat.Dense, y, counts []int) (*dataset.Set, error) {
	set := dataset.New(x, y, len(counts))
	set.Classes = q.classes
	if got := set.Counts(); !slices.Equal(got, counts) {
		return nil, fmt.Errorf("sample: drew %v rows of the classes, asked for %v", got, counts)
	}
	if q.asked.Names != nil && len(q.asked.Names) != set.D() {
		return nil, fmt.Errorf("sample: drew %d columns, new named %d", set.D(), len(q.asked.Names))
	}
	for j := range set.Attributes {
		a := &set.Attributes[j]
		if q.asked.Names != nil {
			a.Name = q.asked.Names[j]
		}
		if levels, ok := q.asked.Levels[a.Name]; ok {
			a.Kind, a.Levels = dataset.Discrete, levels
		}
		for i := range set.N() {
			v := x.At(i, j)
			code := v >= 0 && v < float64(len(a.Levels)) && v == math.Trunc(v)
			if math.IsInf(v, 0) || a.Kind == dataset.Discrete && !math.IsNaN(v) && !code {
				return nil, fmt.Errorf("sample: row %d, column %q: %v", i+1, a.Name, v)
			}
		}
	}
	return set, nil
}

// LogDensity returns the natural logarithms of the classes' densities at the n rows of x, as an n x C
// matrix. They are -Inf outside the support. It sends a request for each class.
func (q *Problem) LogDensity(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	n, _ := x.Dims()
	out := mat.NewDense(n, len(q.classes), nil)
	err := q.host.with(ctx, q.program, func(p *process) error {
		rows := filepath.Join(p.folder, "rows.npy")
		if err := writeMatrix(rows, x, n); err != nil {
			return err
		}
		for c := range q.classes {
			answer, err := p.exchange(ctx, request{Op: "log_density", Handle: q.handle, Class: c, X: rows})
			if err != nil {
				return err
			}
			logs, err := readMatrix(p.answerFile(answer.LogDensity), n, 1)
			if err != nil {
				return p.fault("log_density: %v", p.plain(err))
			}
			for i := range n {
				v := logs.At(i, 0)
				if math.IsNaN(v) || math.IsInf(v, 1) {
					return p.fault("log_density: row %d of class %d: %v", i+1, c, v)
				}
				out.Set(i, c, v)
			}
		}
		return nil
	})
	return out, err
}

// Drop makes the generator forget the problem. It does nothing if the process has ended; a
// process that does not reply within dropGrace is stopped.
func (q *Problem) Drop(ctx context.Context) error {
	if q.process == nil || q.process != q.host.running[q.program.process()] {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, dropGrace)
	defer cancel()
	return q.host.with(ctx, q.program, func(p *process) error {
		_, err := p.exchange(ctx, request{Op: "drop", Handle: q.handle})
		return err
	})
}
