package external

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"copse/stats/dataset"
)

// generatorLaws are the contract of a generator.
var generatorLaws = []law{
	{"draws what is asked for", drawsCounts},
	{"same seeds, same sample", sameSample},
	{"another seed, another sample", otherSample},
	{"fresh process, same sample", freshSample},
	{"problems do not disturb one another", twoProblems},
	{"forgets a dropped problem", forgets},
	{"one row of one class", oneDrawnRow},
	{"log densities", logDensities},
	{"ends with its input", endsWithInput},
	{"ends when told to", endsWhenTold},
}

func (t *trials) counts(n int) []int {
	counts := make([]int, t.classes)
	for c := range counts {
		counts[c] = n + c
	}
	return counts
}

func (t *trials) draw(problemSeed, seed uint64, counts []int) (*Problem, *dataset.Set, error) {
	problem, err := t.host.NewProblem(t.ctx, t.program, t.classes, problemSeed)
	if err != nil {
		return nil, nil, err
	}
	set, err := problem.Sample(t.ctx, counts, seed)
	return problem, set, err
}

func drawsCounts(t *trials) (string, error) {
	_, set, err := t.draw(1, 2, t.counts(20))
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d rows, %d columns, %d classes", set.N(), set.D(), set.C()), nil
}

// again compares a sample before and after something.
func (t *trials) again(between func() error) error {
	_, want, err := t.draw(1, lawSeed, t.counts(20))
	if err != nil {
		return err
	}
	if err := between(); err != nil {
		return err
	}
	_, got, err := t.draw(1, lawSeed, t.counts(20))
	if err != nil {
		return err
	}
	if dataset.Fingerprint(got) != dataset.Fingerprint(want) {
		return errors.New("the values differ")
	}
	return nil
}

func sameSample(t *trials) (string, error) { return "", t.again(func() error { return nil }) }

func freshSample(t *trials) (string, error) {
	return "", t.again(func() error { t.fresh(); return nil })
}

func otherSample(t *trials) (string, error) {
	problem, set, err := t.draw(1, lawSeed, t.counts(20))
	if err != nil {
		return "", err
	}
	other, err := problem.Sample(t.ctx, t.counts(20), ^uint64(lawSeed))
	if err != nil {
		return "", err
	}
	if dataset.Fingerprint(set) == dataset.Fingerprint(other) {
		return "", errors.New("two seeds give one sample")
	}
	return "", nil
}

func twoProblems(t *trials) (string, error) {
	first, want, err := t.draw(1, lawSeed, t.counts(20))
	if err != nil {
		return "", err
	}
	if _, _, err := t.draw(2, 5, t.counts(7)); err != nil {
		return "", err
	}
	got, err := first.Sample(t.ctx, t.counts(20), lawSeed)
	if err != nil {
		return "", err
	}
	if dataset.Fingerprint(got) != dataset.Fingerprint(want) {
		return "", errors.New("another problem, drawn in between, changes the sample")
	}
	return "", nil
}

func forgets(t *trials) (string, error) {
	problem, _, err := t.draw(1, 2, t.counts(3))
	if err != nil {
		return "", err
	}
	return "", problem.Drop(t.ctx)
}

func oneDrawnRow(t *trials) (string, error) {
	counts := make([]int, t.classes)
	counts[len(counts)-1] = 1
	_, _, err := t.draw(1, 2, counts)
	return "", err
}

// logDensities: rows of a class are likelier under it than under the others, on
// average.
func logDensities(t *trials) (string, error) {
	if !t.can.Density {
		return "", skipped("declares none; there is no oracle")
	}
	problem, set, err := t.draw(1, 2, t.counts(200))
	if err != nil {
		return "", err
	}
	logs, err := problem.LogDensity(t.ctx, set.X)
	if err != nil {
		return "", err
	}
	hits := 0
	for i, y := range set.Y {
		row := logs.RawRowView(i)
		if math.IsInf(row[y], -1) {
			return "", fmt.Errorf("row %d, which it drew from class %d, has density 0 there", i+1, y)
		}
		if row[y] == slices.Max(row) {
			hits++
		}
	}
	share := float64(hits) / float64(set.N())
	if share < 1/float64(t.classes) {
		return "", fmt.Errorf("only %.0f %% of the rows are likeliest under the class that they were drawn from", 100*share)
	}
	return fmt.Sprintf("%.0f %% of the rows are likeliest under their class", 100*share), nil
}
