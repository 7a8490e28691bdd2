package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
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

// A Draw holds the training and test data of one trial.
type Draw struct {
	Train, Test *dataset.Set
	Problem     generators.Problem // nil when the data come from a file or a program
	External    *external.Problem  // nil unless a program draws the data; Close frees it
	Irrelevant  int                // number of irrelevant attributes, which come last
	Fingerprint string             // checksum of both sets
}

// Draw generates the data of one replicate of a cell. The data depend only on the seed, the
// replicate and the cell's description of the data. The time limit applies only to the requests to
// an external program. Draw returns a panic as an error.
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
	limited, cancel := external.WithTimeLimit(ctx, w.study.TimeLimit)
	defer cancel()
	err = w.fill(limited, c, replicate, d)
	// If ctx itself is done, the caller stopped the draw. The time limit is then not the cause.
	isOutOfTime := ctx.Err() == nil && errors.Is(context.Cause(limited), context.DeadlineExceeded)
	switch {
	case err == nil:
		return d, nil
	case isOutOfTime:
		return nil, errTimeLimit(w.study.TimeLimit, " by the generator", err)
	}
	return nil, err
}

// NewDraw generates the same data as Worker.Draw but needs no worker. It cannot start external programs.
func NewDraw(c *study.Cell, seed uint64, replicate int) (*Draw, error) {
	return (&Worker{study: &study.Study{Seed: seed}}).Draw(context.Background(), c, replicate)
}

// fill sets the training set and the test set of d. They are rows of files, folds of one sample, or
// two separate samples.
func (w *Worker) fill(ctx context.Context, c *study.Cell, replicate int, d *Draw) (err error) {
	data := c.Data
	switch {
	case data.Absent:
		return fmt.Errorf("%s: the files are not on this computer", data.Source())
	case data.FromFiles():
		err = d.drawRows(c, w.study.Seed, replicate)
	case data.Folds > 0:
		err = w.drawFold(ctx, c, replicate, d)
	default:
		err = w.drawSamples(ctx, c, replicate, d)
	}
	if err != nil {
		return err
	}
	return d.finish(c, w.study.Seed, replicate)
}

func (w *Worker) drawSamples(ctx context.Context, c *study.Cell, replicate int, d *Draw) error {
	sample, err := w.newSampler(ctx, c, replicate, d)
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

// drawFold draws a sample and divides it into folds. One fold becomes the test set of d, and the
// others become the training set. The replicates of one cross-validation share the sample and its
// random streams.
func (w *Worker) drawFold(ctx context.Context, c *study.Cell, replicate int, d *Draw) error {
	task := records.FoldTask(replicate, c.Data.Folds) // the number of the cross-validation
	sample, err := w.newSampler(ctx, c, task, d)      // also stores the problem in d
	if err != nil {
		return err
	}
	set, err := sample(c.Data.SampleCounts, stream.Train)
	if err != nil {
		return err
	}
	var officialTest []int // nil, because only files have an official test set
	train, test, err := split(c, w.study.Seed, task, replicate, set, officialTest)
	if err != nil {
		return err
	}
	d.Train, d.Test = set.Subset(train), set.Subset(test)
	return nil
}

// A sampler draws counts[c] rows of each class c of a problem. role selects the random stream, such
// as the stream for training rows.
type sampler func(counts []int, role string) (*dataset.Set, error)

// nestedRows is the number of rows of each class in a block that nested draws.
const nestedRows = 64

// nested returns a sampler that draws nested samples. A smaller sample consists of the first rows
// of a larger one with the same class proportions. Each block of rows has its own random stream.
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

// firstOfClasses returns the first counts[c] rows of each class c from consecutive blocks of rows,
// interleaved. Every prefix of the result has about the same class proportions.
func firstOfClasses(blocks []*dataset.Set, counts []int) *dataset.Set {
	order := spreadClasses(counts)
	all := &dataset.Set{X: mat.NewDense(len(order), blocks[0].D(), nil), Y: make([]int, len(order)),
		Attributes: blocks[0].Attributes, Classes: blocks[0].Classes}
	for i, o := range order {
		block := blocks[o.row/nestedRows]
		row := block.ClassRows(o.class)[o.row%nestedRows]
		all.X.SetRow(i, block.X.RawRowView(row))
		all.Y[i] = o.class
	}
	return all
}

// A classRow identifies a row by its class and its index in the class, counted from 0. The position
// is a sort key that interleaves the classes. If the class has n rows and the smallest class has m
// rows, row i has the position
//
//	floor(i*m/n)
//
// For m = 2, the rows of a class have the positions 0 and 1 if n = 2, and 0, 0, 1 and 1 if n = 4.
type classRow struct{ class, row, position int }

// spreadClasses returns the first counts[c] rows of each class c, sorted by position (see
// classRow), class and row.
func spreadClasses(counts []int) (order []classRow) {
	units := max(1, slices.Min(counts))
	for class, n := range counts {
		for row := range n {
			order = append(order, classRow{class, row, row * units / n})
		}
	}
	slices.SortStableFunc(order, func(a, b classRow) int { return cmp.Compare(a.position, b.position) })
	return order
}

// newSampler draws a problem, a joint distribution of attributes and class, and stores it in d. The
// returned sampler draws samples from the problem and adds the irrelevant attributes that the study
// requests. In a cross-validation, the argument replicate is the number of the cross-validation, not
// of the fold.
func (w *Worker) newSampler(ctx context.Context, c *study.Cell, replicate int, d *Draw) (sampler, error) {
	// Each role, such as the draw of the problem or of the training rows, has its own random stream.
	streamOf := func(role string) *rand.Rand { return stream.New(w.study.Seed, c.SplitKey, replicate, role) }
	d.Irrelevant = c.Data.Irrelevant
	program := c.Data.Program // nil for a built-in generator
	var err error
	switch {
	case program == nil:
		d.Problem, err = c.Data.Generator.New(streamOf(stream.Structure))
	case w.Host == nil: // this worker cannot start programs
		err = errors.New("an external program generates the data, but only `copse run` starts programs")
	default:
		d.External, err = w.Host.NewProblem(ctx, program, c.Data.Classes(), streamOf(stream.Structure).Uint64())
	}
	if err != nil {
		return nil, err
	}
	return func(counts []int, role string) (*dataset.Set, error) {
		set, err := d.relevantSample(ctx, counts, streamOf(role))
		if err != nil {
			return nil, err
		}
		return set.WithIrrelevant(d.Irrelevant, streamOf(stream.Irrelevant(role)))
	}, nil
}

// relevantSample draws counts[c] rows of each class c, without irrelevant attributes. It returns an
// error if a built-in generator draws an infinite value or NaN.
func (d *Draw) relevantSample(ctx context.Context, counts []int, rng *rand.Rand) (*dataset.Set, error) {
	if d.External != nil {
		return d.External.Sample(ctx, counts, rng.Uint64()) // NaN is a missing value
	}
	set := d.Problem.Sample(counts, rng)
	isInfinite := func(v float64) bool { return !(math.Abs(v) <= math.MaxFloat64) } // also true if v is NaN
	if slices.ContainsFunc(set.X.RawMatrix().Data, isInfinite) {
		return nil, errors.New("the generator drew an infinite value; give it less extreme parameters")
	}
	return set, nil
}

// finish completes the data of d. If the study requests it, finish removes values, flips training
// labels, or uses the training rows as the test set. It then computes the fingerprint of the data.
func (d *Draw) finish(c *study.Cell, seed uint64, replicate int) error {
	missing := c.Data.Missing
	completeTrain := d.Train // missingness at random depends on the complete training set
	noise := func(role string) *rand.Rand { return stream.New(seed, c.NoiseKey, replicate, role) }
	var err error
	if missing.In("train") {
		if d.Train, err = removeValues(d.Train, completeTrain, missing, noise(stream.Missing)); err != nil {
			return err
		}
	}
	if missing.In("test") {
		if d.Test, err = removeValues(d.Test, completeTrain, missing, noise(stream.MissingTest)); err != nil {
			return err
		}
	}
	if c.Data.Flip > 0 {
		d.Train = d.Train.FlipLabels(c.Data.Flip, noise(stream.Labels))
	}
	if c.Data.Scored == study.TrainingRows {
		d.Test = d.Train
	}
	d.Fingerprint = dataset.Fingerprint(d.Train, d.Test)
	return nil
}

// removeValues returns a copy of set from which values have been removed as m describes.
func removeValues(set, completeTrain *dataset.Set, m study.Missing, rng *rand.Rand) (*dataset.Set, error) {
	switch {
	case m.PerRow > 0:
		return set.RemoveValues(m.RemovedPerRow(set.D()), rng), nil
	case m.MCAR > 0:
		return set.RemoveAtRandom(m.MCAR, rng), nil
	}
	on := slices.IndexFunc(set.Attributes, func(a dataset.Attribute) bool { return a.Name == m.On })
	if on < 0 {
		return nil, fmt.Errorf("missing values depend on attribute %q, but the data have no such attribute", m.On)
	}
	return set.RemoveDependent(m.MAR, on, completeTrain, rng), nil
}

// Close lets an external generator free the memory of its problem.
func (d *Draw) Close(ctx context.Context) {
	if d.External != nil {
		_ = d.External.Drop(ctx) // an error only means that the program uses more memory
	}
}
