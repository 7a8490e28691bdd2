package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/experiments/external"
	"copse/experiments/stream"
	"copse/experiments/study"
	"copse/generators"
	"copse/stats/dataset"
	"copse/stats/records"
)

// A Draw is the data of one trial.
type Draw struct {
	Train, Test *dataset.Set
	Problem     generators.Problem // nil when the data come from a file or a program
	External    *external.Problem  // of a generator that is a program, until Close
	Irrelevant  int                // attributes, the last ones, that the problem knows nothing of
	Fingerprint string
}

// Draw makes the data of one trial: a function of the seed, the cell's content and the
// replicate alone. A panic on the way is an error. The time limit holds for a program
// that draws them, too; one whose data are not to be had forgets the problem.
func (w *Worker) Draw(ctx context.Context, c *study.Cell, replicate int) (_ *Draw, err error) {
	d := &Draw{}
	defer func() {
		if p := recover(); p != nil {
			err = errors.New(panicMessage(p))
		}
		if err != nil {
			d.Close(ctx)
		}
	}()
	limited := ctx
	if c.Data.Program != nil && w.limit > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, w.limit)
		defer cancel()
	}
	err = w.draw(limited, c, replicate, d)
	if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		err = &timeLimitError{w.limit}
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// NewDraw is Draw without a worker: it starts nothing, so that it makes no data that
// a program draws.
func NewDraw(c *study.Cell, seed uint64, replicate int) (*Draw, error) {
	return (&Worker{seed: seed}).Draw(context.Background(), c, replicate)
}

// draw takes the data from where the cell has them: files, folds of a sample, a problem.
func (w *Worker) draw(ctx context.Context, c *study.Cell, replicate int, d *Draw) (err error) {
	data := c.Data
	switch {
	case data.Absent:
		return fmt.Errorf("%s: not here", data.Source())
	case data.FromFiles():
		err = d.drawRows(c, w.seed, replicate)
	case data.Folds > 0:
		err = w.drawFold(ctx, c, replicate, d)
	default:
		err = w.drawSamples(ctx, c, replicate, d)
	}
	if err != nil {
		return err
	}
	return d.finish(c, w.seed, replicate)
}

// drawSamples lets a problem draw a training and a test set.
func (w *Worker) drawSamples(ctx context.Context, c *study.Cell, replicate int, d *Draw) error {
	sample, err := w.newProblem(ctx, c, replicate, d)
	if err != nil {
		return err
	}
	train := sample
	if c.Paired {
		train = nested(sample)
	}
	if d.Train, err = train(c.Data.TrainCounts, stream.Train); err != nil {
		return err
	}
	d.Test, err = sample(c.Data.TestCounts, stream.Test)
	return err
}

// drawFold holds out one fold of a task. The streams are keyed by the task, so
// its folds share one sample.
func (w *Worker) drawFold(ctx context.Context, c *study.Cell, replicate int, d *Draw) error {
	task := records.FoldTask(replicate, c.Data.Folds)
	sample, err := w.newProblem(ctx, c, task, d)
	if err != nil {
		return err
	}
	set, err := sample(c.Data.SampleCounts, stream.Train)
	if err != nil {
		return err
	}
	folds, err := dataset.StratifiedFolds(
		set.Y,
		set.C(),
		c.Data.Folds,
		stream.New(w.seed, c.SplitKey, task, stream.Folds),
	)
	if err != nil {
		return err
	}
	in, out := dataset.SplitFold(folds, (replicate-1)%c.Data.Folds)
	d.Train, d.Test = set.Subset(in), set.Subset(out)
	return nil
}

// A sampler draws rows of a problem, so many of each class, with the stream of a role.
type sampler func(counts []int, role string) (*dataset.Set, error)

// nestedRows are the rows of each class that nested draws at a time.
const nestedRows = 64

// nested returns a sampler whose smaller samples are the first rows of larger ones with
// the same proportions of classes: it draws blocks, each with a stream of its own, and
// takes rows of the classes in turn.
func nested(sample sampler) sampler {
	return func(counts []int, role string) (*dataset.Set, error) {
		var blocks []*dataset.Set
		for b := range (slices.Max(counts) + nestedRows - 1) / nestedRows {
			block, err := sample(slices.Repeat([]int{nestedRows}, len(counts)), stream.Block(role, b))
			if err != nil {
				return nil, err
			}
			blocks = append(blocks, block)
		}
		return firstOfClasses(blocks, counts), nil
	}
}

// firstOfClasses returns the first rows of each class, so many as counts says, in the order
// of their shares: row r of a class that has n comes at r/n.
func firstOfClasses(blocks []*dataset.Set, counts []int) *dataset.Set {
	least := max(1, slices.Min(counts))
	type place struct{ class, row, turn int }
	var places []place
	for class, n := range counts {
		for r := range n {
			places = append(places, place{class, r, r * least / n})
		}
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(a.turn, b.turn) })
	rows := make([][]int, len(counts)) // by class, numbered through the blocks
	for class := range rows {
		for b, block := range blocks {
			for _, i := range block.ClassRows(class) {
				rows[class] = append(rows[class], b*nestedRows*len(counts)+i)
			}
		}
	}
	all := &dataset.Set{X: mat.NewDense(len(places), blocks[0].D(), nil), Y: make([]int, len(places)),
		Attributes: blocks[0].Attributes, Classes: blocks[0].Classes}
	for i, p := range places {
		row := rows[p.class][p.row]
		blockSize := nestedRows * len(counts)
		all.X.SetRow(i, blocks[row/blockSize].X.RawRowView(row%blockSize))
		all.Y[i] = p.class
	}
	return all
}

// newProblem draws the problem of a trial or, with folds, of a task.
func (w *Worker) newProblem(ctx context.Context, c *study.Cell, replicate int, d *Draw) (sampler, error) {
	source := func(role string) *rand.Rand { return stream.New(w.seed, c.SplitKey, replicate, role) }
	relevant, err := w.drawProblem(ctx, c, source, d)
	d.Irrelevant = c.Data.Irrelevant
	return func(counts []int, role string) (*dataset.Set, error) {
		set, err := relevant(counts, role)
		if err != nil {
			return nil, err
		}
		return set.WithIrrelevant(d.Irrelevant, source(stream.Irrelevant(role)))
	}, err
}

// drawProblem lets a program or a generator draw a problem, whose rows have the relevant
// attributes alone.
func (w *Worker) drawProblem(
	ctx context.Context,
	c *study.Cell,
	source func(role string) *rand.Rand,
	d *Draw,
) (relevant sampler, err error) {
	if program := c.Data.Program; program != nil {
		if w.host == nil {
			return nil, errors.New("the data come from a program, which only a run starts")
		}
		d.External, err = w.host.NewProblem(ctx, program, c.Data.Classes(), source(stream.Structure).Uint64())
		return func(counts []int, role string) (*dataset.Set, error) {
			return d.External.Sample(ctx, counts, source(role).Uint64())
		}, err
	}
	d.Problem, err = c.Data.Generator.New(source(stream.Structure))
	return func(counts []int, role string) (*dataset.Set, error) {
		return d.Problem.Sample(counts, source(role)), nil
	}, err
}

// finish adds the noise that the study asks for and takes the fingerprint.
func (d *Draw) finish(c *study.Cell, seed uint64, replicate int) error {
	m, whole := c.Data.Missing, d.Train
	for _, part := range []struct {
		name, role string
		set        **dataset.Set
	}{{"train", stream.Missing, &d.Train}, {"test", stream.MissingTest, &d.Test}} {
		if !m.In(part.name) {
			continue
		}
		rng, set := stream.New(seed, c.NoiseKey, replicate, part.role), *part.set
		switch {
		case m.PerRow > 0:
			*part.set = set.RemoveValues(int(m.PerRow*float64(set.D())), rng)
		case m.MCAR > 0:
			*part.set = set.RemoveAtRandom(m.MCAR, rng)
		default:
			on := slices.IndexFunc(set.Attributes, func(a dataset.Attribute) bool { return a.Name == m.On })
			if on < 0 {
				return fmt.Errorf("no attribute %q for missing values to depend on", m.On)
			}
			*part.set = set.RemoveDependent(m.MAR, on, whole, rng)
		}
	}
	if c.Data.Flip > 0 {
		d.Train = d.Train.FlipLabels(c.Data.Flip, stream.New(seed, c.NoiseKey, replicate, stream.Labels))
	}
	d.Fingerprint = dataset.Fingerprint(d.Train, d.Test)
	return nil
}

// Close lets an external generator forget the problem.
func (d *Draw) Close(ctx context.Context) {
	if d.External != nil {
		_ = d.External.Drop(ctx) // whoever refuses pays with memory
	}
}
