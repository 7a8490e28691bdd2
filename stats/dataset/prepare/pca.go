package prepare

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"copse/stats/dataset"
)

// A pca projects rows with d attributes onto k principal components.
type pca struct {
	means      []float64           // of the attributes in the training set
	components *mat.Dense          // d x k: a column is a component
	attributes []dataset.Attribute // pc1..pck
}

// fitPCA computes the requested number of principal components of the training set, or as many as
// explain the requested share of the variance, below 1. It returns an error if the data are
// constant, discrete or incomplete.
//
// In each component, the loading with the largest magnitude is positive.
func fitPCA(train *dataset.Set, requested float64) (*pca, error) {
	if err := checkPCA(train); err != nil {
		return nil, err
	}
	var pc stat.PC
	if !pc.PrincipalComponents(inModerateUnit(train.X), nil) { // in a unit in which squares do not overflow
		return nil, errors.New("the singular value decomposition of the columns failed")
	}
	k := numComponents(pc.VarsTo(nil), requested) // may be fewer than requested: the others have no variance
	if k == 0 {
		return nil, errAllConstant
	}
	var vectors mat.Dense
	pc.VectorsTo(&vectors)
	t := &pca{components: mat.DenseCopyOf(vectors.Slice(0, train.D(), 0, k))}
	for j := range train.D() {
		t.means = append(t.means, stat.Mean(mat.Col(nil, j, train.X), nil))
	}
	for c := range k {
		orient(t.components, c) // makes the largest loading positive
		t.attributes = append(t.attributes, dataset.Attribute{Name: fmt.Sprintf("pc%d", c+1)})
	}
	return t, nil
}

// inModerateUnit returns x or, if squares of its elements could overflow or underflow, x times a
// power of 2.
//
// The common factor does not change the directions of the principal components.
func inModerateUnit(x *mat.Dense) *mat.Dense {
	const mostBits = 400 // variances are then between 2^-900 and 2^900
	largest := max(mat.Max(x), -mat.Min(x))
	bits := math.Ilogb(largest)
	if largest == 0 || bits >= -mostBits && bits <= mostBits {
		return x
	}
	var scaled mat.Dense
	scaled.Scale(math.Ldexp(1, -bits), x)
	return &scaled
}

func checkPCA(train *dataset.Set) error {
	for j, a := range train.Attributes {
		if a.Kind == dataset.Discrete {
			return fmt.Errorf("attribute %q is discrete; put a step `encode: onehot` before `pca`", a.Name)
		}
		if len(dataset.Present(train, j)) < train.N() {
			return fmt.Errorf("attribute %q has missing values; put a step `impute: mean` before `pca`", a.Name)
		}
	}
	return nil
}

// minVariance is the smallest ratio of a component's variance to the largest variance. Smaller
// ratios are rounding errors.
const minVariance = 1e-24

// numComponents returns the number of components to keep (see fitPCA). It omits components without
// variance. The variances are in descending order.
func numComponents(variances []float64, requested float64) int {
	rank := 0 // number of components with variance
	for rank < len(variances) && variances[rank] > minVariance*variances[0] {
		rank++
	}
	if requested >= 1 {
		return min(int(requested), rank)
	}
	total, explained := floats.Sum(variances), 0.0
	for k, v := range variances[:rank] {
		explained += v
		if explained >= requested*total {
			return k + 1
		}
	}
	return rank
}

// orient changes the sign of a column of m if the entry of largest magnitude is negative.
func orient(m *mat.Dense, column int) {
	rows, _ := m.Dims()
	largest := 0.0
	for i := range rows {
		if v := m.At(i, column); math.Abs(v) > math.Abs(largest) {
			largest = v
		}
	}
	if largest >= 0 {
		return
	}
	for i := range rows {
		m.Set(i, column, -m.At(i, column))
	}
}

// Attributes implements dataset.Transform.
func (t *pca) Attributes() []dataset.Attribute { return t.attributes }

// Apply implements dataset.Transform.
func (t *pca) Apply(x *mat.Dense) *mat.Dense {
	centred := mat.DenseCopyOf(x)
	n, _ := x.Dims()
	for i := range n {
		floats.Sub(centred.RawRowView(i), t.means)
	}
	var out mat.Dense
	out.Mul(centred, t.components)
	return &out
}
