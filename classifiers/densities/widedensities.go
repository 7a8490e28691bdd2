package densities

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/logdensity"
	"copse/classifiers/internal/svm"
	"copse/stats"
	"copse/stats/dataset"
	"copse/stats/parallel"
)

// If the log densities do not fit into memory, a linear machine is fitted with only the n x n dot
// products between rows. The dot products are sums over batches of columns, called tiles. A second
// pass over the tiles computes the weights of the machine.

// memoryNumbers is the largest number of log densities in memory at the same time (512 MB).
const memoryNumbers = 1 << 26

// prefersProducts reports whether a machine should store the given number of n x n matrices of dot
// products between rows instead of an n x p matrix of log densities.
//
// The two cause different rounding errors. For studies with at most 200 variables and 1000 rows, the
// result is false, because their stored results were computed from log densities.
func prefersProducts(n, p, matrices int) bool { return n*p > memoryNumbers && n*matrices < p }

// oneMatrix is the number of matrices of dot products that a single machine needs.
const oneMatrix = 1

func rowsInMemory(n, p int) int {
	if n*p <= memoryNumbers {
		return n
	}
	return max(memoryNumbers/4/p, 1)
}

// tryInTiles adds the cross-validation errors of all undecided sizes to s.errors. It computes log
// densities tile by tile and keeps only dot products between rows.
func (s *sizeSearch) tryInTiles(ctx context.Context) error {
	s.memory, s.solver = nil, svm.LinearSolver{} // releases the memory of earlier sizes
	machines := make([]*productMachine, s.folds) // one for each fold
	for f := range machines {
		machines[f] = s.newProductMachine(f)
	}
	foldsToLeaveOut := 0 // 0: a tile contains only log densities estimated from all rows
	if s.Select == refit {
		foldsToLeaveOut = s.folds // a tile also contains those estimated without each fold
	}
	err := s.densities.EachTile(ctx, s.fold, foldsToLeaveOut, func(tile logdensity.Tile) error {
		return addTile(ctx, machines, tile)
	})
	if err != nil {
		return err
	}
	// The dot products are complete, so the machines of all undecided sizes can be trained.
	allSizes := len(s.sizes)
	for f, machine := range machines {
		heldOutClasses := signs(s.y, machine.heldOut)
		if err := s.trainAndCountErrors(ctx, allSizes, f, heldOutClasses, machine); err != nil {
			return err
		}
	}
	s.decided = allSizes
	return nil
}

// addTile adds the columns of a tile to the dot products of all machines, in parallel.
func addTile(ctx context.Context, machines []*productMachine, tile logdensity.Tile) error {
	parallel.For(ctx, len(machines), func() func(int) {
		var memory []float64 // reused for all folds on the same core
		return func(f int) {
			t := tile.All
			if len(tile.Without) > 0 { // the densities were estimated without fold f
				t = tile.Without[f]
			}
			memory = machines[f].addProducts(ctx, t, tile.Entries, memory)
		}
	})
	return ctx.Err()
}

// A productMachine implements foldMachine with matrices of dot products between rows. In these
// matrices, the training rows of the fold come before its held-out rows.
type productMachine struct {
	*sizeSearch
	training, heldOut []int // row numbers
	// added[i] contains the dot products over the columns k_(i-1), ..., k_i - 1. Here k_0 < k_1 < ...
	// are the undecided sizes, and k_(-1) is 0.
	added    []*svm.Products
	products *svm.Products // dot products over all columns of the current size k: added[0] + ... + added[i]
	y        []float64     // classes of the training rows, -1 or 1
	solution *svm.Solution // current solution; nil before the first one
}

func (s *sizeSearch) newProductMachine(f int) *productMachine {
	n := len(s.y)
	training, heldOut := dataset.SplitFold(s.fold, f)
	m := &productMachine{
		sizeSearch: s,
		solution:   s.machines[f],
		training:   training,
		heldOut:    heldOut,
		products:   svm.NewProducts(n),
		y:          signs(s.y, training),
	}
	for range s.undecided() {
		m.added = append(m.added, svm.NewProducts(n))
	}
	return m
}

// addProducts adds the dot products over the columns of a tile to m.added. Column c of t contains
// the log densities of entry number entries[c]. The entry numbers are ascending.
//
// memory is scratch space. addProducts returns it, possibly enlarged.
func (m *productMachine) addProducts(ctx context.Context, t *mat.Dense, entries []int, memory []float64) []float64 {
	rows := slices.Concat(m.training, m.heldOut)
	z := columns.StandardScaling(t, m.training).ApplyIn(memory, t, rows)
	m.addColumns(ctx, z, entries)
	return z.RawMatrix().Data
}

// addColumns adds the dot products over the columns of z to m.added. Column c of z contains the values of entry
// entries[c]; entries is in ascending order.
//
// A machine of size k uses the entries 0..k-1. If the sizes 10 and 20 are undecided, for example, addColumns
// adds the columns of entries 0..9 to m.added[0], and the columns of entries 10..19 to m.added[1].
func (m *productMachine) addColumns(ctx context.Context, z *mat.Dense, entries []int) {
	n, _ := z.Dims()
	from := 0 // the columns before from belong to smaller sizes
	for i, size := range m.undecided() {
		if ctx.Err() != nil {
			return // the caller returns the error of ctx
		}
		to, _ := slices.BinarySearch(entries, size) // entries[:to] are below size
		if to > from {
			m.added[i].Add(ctx, z.Slice(0, n, from, to).(*mat.Dense))
		}
		from = to
	}
}

// train implements foldMachine. It adds the columns beyond the previous size to m.products.
func (m *productMachine) train(ctx context.Context, i int) (err error) {
	m.products.AddAll(m.added[i-m.decided])
	m.solution, err = m.products.Solve(ctx, m.y, m.C, m.Tolerance, m.solution)
	return err
}

func (m *productMachine) decision(row int) float64 {
	return m.products.Decision(len(m.y)+row, m.y, m.solution)
}

// fitWide fits the linear support vector machine by dot products between rows.
func (m densityMachine) fitWide(
	ctx context.Context, train *dataset.Set, densities *logdensity.Map,
) (*densitySVM, error) {
	products, scale, err := m.scaledProducts(ctx, train.N(), densities)
	if err != nil {
		return nil, err
	}
	y := signs(train.Y, stats.Indices(train.N()))
	solution, err := products.Solve(ctx, y, m.C, m.Tolerance, nil)
	if err != nil {
		return nil, err
	}
	w, err := primalWeights(ctx, densities, scale, y, solution.Alpha)
	if err != nil {
		return nil, err
	}
	return newDensitySVM(densities, w, solution.Bias, scale), nil
}

// scaledProducts returns the dot products between the scaled log densities of the n training rows, and
// the scaling of all log densities.
func (m densityMachine) scaledProducts(
	ctx context.Context, n int, densities *logdensity.Map,
) (*svm.Products, columns.Scaling, error) {
	p := len(densities.Entries)
	products := svm.NewProducts(n)
	scale := columns.Scaling{Centre: make([]float64, p), Factor: make([]float64, p)}
	var memory []float64 // reused for all batches
	err := eachBatch(ctx, densities, func(entries []int, t *mat.Dense) {
		batchScale := m.scaling(t)
		z := batchScale.ApplyIn(memory, t, stats.Indices(n))
		memory = z.RawMatrix().Data
		products.Add(ctx, z)
		for k, entry := range entries {
			scale.Centre[entry], scale.Factor[entry] = batchScale.Centre[k], batchScale.Factor[k]
		}
	})
	return products, scale, err
}

// eachBatch computes the log densities at all training rows in batches of entries, and passes each
// batch to the function use. Column k of t contains the log densities of entry number entries[k].
func eachBatch(ctx context.Context, densities *logdensity.Map, use func(entries []int, t *mat.Dense)) error {
	const noFolds = 0 // no log densities estimated without a fold
	return densities.EachTile(ctx, nil, noFolds, func(tile logdensity.Tile) error {
		use(tile.Entries, tile.All)
		return nil
	})
}

// primalWeights returns w = sum_r y_r alpha_r z_r. z_r contains the scaled log densities of
// training row r. y_r is -1 or 1, and alpha_r is the dual multiplier of the row.
func primalWeights(
	ctx context.Context, densities *logdensity.Map, scale columns.Scaling, y, alpha []float64,
) ([]float64, error) {
	w := make([]float64, len(densities.Entries))
	err := eachBatch(ctx, densities, func(entries []int, t *mat.Dense) {
		for r, a := range alpha {
			for k, v := range t.RawRowView(r) {
				entry := entries[k]
				w[entry] += y[r] * a * ((v - scale.Centre[entry]) * scale.Factor[entry])
			}
		}
	})
	return w, err
}
