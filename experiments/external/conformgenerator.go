package external

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"copse/stats/dataset"
)

var generatorRules = []rule{
	{"draws the requested rows", drawsCounts},
	{"same seeds, same sample", sameSample},
	{"another seed, another sample", otherSample},
	{"fresh process, same sample", freshSample},
	{"problems are independent", twoProblems},
	{"drops a problem", dropsProblem},
	{"one row of one class", oneDrawnRow},
	{"log densities", logDensities},
	{"ends with its input", endsWithInput},
	{"ends on SIGTERM", endsOnSignal},
}

var csvGeneratorRules = generatorRules[:3]

// counts returns different numbers of rows for each class: n, n+1, and so on.
func (s *subject) counts(n int) []int {
	counts := make([]int, s.classes)
	for c := range counts {
		counts[c] = n + c
	}
	return counts
}

// draw requests a problem and a sample from this problem.
func (s *subject) draw(problemSeed, seed uint64, counts []int) (*Problem, *dataset.Set, error) {
	problem, err := s.host.NewProblem(s.ctx, s.program, s.classes, problemSeed)
	if err != nil {
		return nil, nil, err
	}
	set, err := problem.Sample(s.ctx, counts, seed)
	return problem, set, err
}

func drawsCounts(s *subject) error {
	_, set, err := s.draw(1, 2, s.counts(20))
	if err != nil {
		return err
	}
	s.measured = fmt.Sprintf("%d rows, %d columns, %d classes", set.N(), set.D(), set.C())
	return nil
}

// sameSampleAfter returns an error if two requests for a sample, before and after a call of
// inBetween, give different samples.
func (s *subject) sameSampleAfter(inBetween func()) error {
	const problemSeed, rowsPerClass = 1, 20
	_, want, err := s.draw(problemSeed, testSeed, s.counts(rowsPerClass))
	if err != nil {
		return err
	}
	inBetween()
	_, got, err := s.draw(problemSeed, testSeed, s.counts(rowsPerClass))
	if err != nil {
		return err
	}
	if dataset.Fingerprint(got) != dataset.Fingerprint(want) {
		return errors.New("the two samples differ")
	}
	return nil
}

func sameSample(s *subject) error {
	return s.sameSampleAfter(func() {})
}

func freshSample(s *subject) error {
	return s.sameSampleAfter(s.host.Close)
}

func otherSample(s *subject) error {
	problem, set, err := s.draw(1, testSeed, s.counts(20))
	if err != nil {
		return err
	}
	other, err := problem.Sample(s.ctx, s.counts(20), ^uint64(testSeed))
	if err != nil {
		return err
	}
	if dataset.Fingerprint(set) == dataset.Fingerprint(other) {
		return errors.New("two different seeds give the same sample")
	}
	return nil
}

// twoProblems checks that drawing a second problem does not change the samples of the first one.
func twoProblems(s *subject) error {
	const firstProblem, otherProblem, otherSeed = 1, 2, 5
	first, want, err := s.draw(firstProblem, testSeed, s.counts(20))
	if err != nil {
		return err
	}
	if _, _, err := s.draw(otherProblem, otherSeed, s.counts(7)); err != nil {
		return err
	}
	got, err := first.Sample(s.ctx, s.counts(20), testSeed)
	if err != nil {
		return err
	}
	if dataset.Fingerprint(got) != dataset.Fingerprint(want) {
		return errors.New("drawing another problem changes the samples of the first problem")
	}
	return nil
}

func dropsProblem(s *subject) error {
	problem, _, err := s.draw(1, 2, s.counts(3))
	if err != nil {
		return err
	}
	return problem.Drop(s.ctx)
}

// oneDrawnRow requests a single row, of the last class.
func oneDrawnRow(s *subject) error {
	counts := make([]int, s.classes)
	counts[len(counts)-1] = 1
	_, _, err := s.draw(1, 2, counts)
	return err
}

// logDensities checks the log densities of the classes at the rows of a sample. At each row, the
// density of the row's own class must be positive. In at least 1/C of the rows, for C classes, this
// density must be the largest.
func logDensities(s *subject) error {
	if !s.capabilities.Density {
		return skipped("the program does not declare that it computes densities, so a study that uses it cannot " +
			"include the oracle")
	}
	const problemSeed, sampleSeed, smallestClass = 1, 2, 200
	problem, set, err := s.draw(problemSeed, sampleSeed, s.counts(smallestClass))
	if err != nil {
		return err
	}
	logs, err := problem.LogDensity(s.ctx, set.X)
	if err != nil {
		return err
	}
	hits := 0 // rows whose true class has the largest density
	for i, y := range set.Y {
		row := logs.RawRowView(i) // row[c] is the log density of class c
		if math.IsInf(row[y], -1) {
			return fmt.Errorf("row %d was drawn from class %d, but its density in this class is 0", i+1, y)
		}
		if row[y] == slices.Max(row) {
			hits++
		}
	}
	share := float64(hits) / float64(set.N())
	if share < 1/float64(s.classes) { // worse than a class chosen at random
		return fmt.Errorf("only %.0f %% of the rows have their largest density in the class from which they were "+
			"drawn", 100*share)
	}
	s.measured = fmt.Sprintf("%.0f %% of the rows have their largest density in their own class", 100*share)
	return nil
}
