package external

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"copse/stats/dataset"
)

// generatorLaws lists the laws for generators.
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
	{"ends on SIGTERM", endsOnSignal},
}

// counts returns the numbers of rows to draw of each class: n, n+1, ...
func (s *subject) counts(n int) []int {
	counts := make([]int, s.classes)
	for c := range counts {
		counts[c] = n + c
	}
	return counts
}

// draw makes the program draw a problem and a sample of it.
func (s *subject) draw(problemSeed, seed uint64, counts []int) (*Problem, *dataset.Set, error) {
	problem, err := s.host.NewProblem(s.ctx, s.program, s.classes, problemSeed)
	if err != nil {
		return nil, nil, err
	}
	set, err := problem.Sample(s.ctx, counts, seed)
	return problem, set, err
}

// drawsCounts checks that a sample has the requested numbers of rows.
func drawsCounts(s *subject) (string, error) {
	_, set, err := s.draw(1, 2, s.counts(20))
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d rows, %d columns, %d classes", set.N(), set.D(), set.C()), nil
}

// again draws the same sample twice and calls between in the meantime. It returns an error if
// the samples differ.
func (s *subject) again(between func() error) error {
	_, want, err := s.draw(1, lawSeed, s.counts(20))
	if err != nil {
		return err
	}
	if err := between(); err != nil {
		return err
	}
	_, got, err := s.draw(1, lawSeed, s.counts(20))
	if err != nil {
		return err
	}
	if dataset.Fingerprint(got) != dataset.Fingerprint(want) {
		return errors.New("the values differ")
	}
	return nil
}

func sameSample(s *subject) (string, error) { return "", s.again(func() error { return nil }) }

func freshSample(s *subject) (string, error) {
	return "", s.again(func() error { s.fresh(); return nil })
}

// otherSample checks that two seeds give two samples of one problem.
func otherSample(s *subject) (string, error) {
	problem, set, err := s.draw(1, lawSeed, s.counts(20))
	if err != nil {
		return "", err
	}
	other, err := problem.Sample(s.ctx, s.counts(20), ^uint64(lawSeed))
	if err != nil {
		return "", err
	}
	if dataset.Fingerprint(set) == dataset.Fingerprint(other) {
		return "", errors.New("two seeds give one sample")
	}
	return "", nil
}

// twoProblems checks that a problem does not change if another one is drawn after it.
func twoProblems(s *subject) (string, error) {
	first, want, err := s.draw(1, lawSeed, s.counts(20))
	if err != nil {
		return "", err
	}
	if _, _, err := s.draw(2, 5, s.counts(7)); err != nil {
		return "", err
	}
	got, err := first.Sample(s.ctx, s.counts(20), lawSeed)
	if err != nil {
		return "", err
	}
	if dataset.Fingerprint(got) != dataset.Fingerprint(want) {
		return "", errors.New("another problem, drawn in between, changes the sample")
	}
	return "", nil
}

// forgets checks that a program replies to the request to drop a problem.
func forgets(s *subject) (string, error) {
	problem, _, err := s.draw(1, 2, s.counts(3))
	if err != nil {
		return "", err
	}
	return "", problem.Drop(s.ctx)
}

// oneDrawnRow checks a sample of one row, which lacks all classes but the last.
func oneDrawnRow(s *subject) (string, error) {
	counts := make([]int, s.classes)
	counts[len(counts)-1] = 1
	_, _, err := s.draw(1, 2, counts)
	return "", err
}

// logDensities checks the densities at the rows of a sample. No row has density 0 in its own
// class, and the largest density of a row is that of its own class more often than by chance.
func logDensities(s *subject) (string, error) {
	if !s.can.Density {
		return "", skipped("declares none; there is no oracle")
	}
	problem, set, err := s.draw(1, 2, s.counts(200))
	if err != nil {
		return "", err
	}
	logs, err := problem.LogDensity(s.ctx, set.X)
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
	if share < 1/float64(s.classes) {
		return "", fmt.Errorf("only %.0f %% of the rows are likeliest under the class that they were drawn from",
			100*share)
	}
	return fmt.Sprintf("%.0f %% of the rows are likeliest under their class", 100*share), nil
}
