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

// A pca projects rows on the principal components of the training rows.
type pca struct {
	means      []float64
	components *mat.Dense // d x k
	attributes []dataset.Attribute
}

// fitPCA fits the first principal components; see components for their number. It fails for
// discrete attributes, missing values and constant data. The largest loading of a component
// in magnitude is positive.
func fitPCA(train *dataset.Set, asked float64) (*pca, error) {
	if err := checkPCA(train); err != nil {
		return nil, err
	}
	var pc stat.PC
	if !pc.PrincipalComponents(train.X, nil) {
		return nil, errors.New("the singular value decomposition of the columns failed")
	}
	k := components(pc.VarsTo(nil), asked)
	if k == 0 {
		return nil, errors.New("every attribute is constant in the training rows")
	}
	var vectors mat.Dense
	pc.VectorsTo(&vectors)
	t := &pca{components: mat.DenseCopyOf(vectors.Slice(0, train.D(), 0, k))}
	for j := range train.D() {
		t.means = append(t.means, stat.Mean(mat.Col(nil, j, train.X), nil))
	}
	for c := range k {
		orient(t.components, c)
		t.attributes = append(t.attributes, dataset.Attribute{Name: fmt.Sprintf("pc%d", c+1)})
	}
	return t, nil
}

// checkPCA returns an error for the first attribute that is discrete or has missing values.
func checkPCA(train *dataset.Set) error {
	for j, a := range train.Attributes {
		if a.Kind == dataset.Discrete {
			return fmt.Errorf("%q is discrete: put encode: onehot before it", a.Name)
		}
		if len(dataset.Present(train, j)) < train.N() {
			return fmt.Errorf("%q lacks values: put impute: mean before it", a.Name)
		}
	}
	return nil
}

// components returns the number of components to keep, given all variances in descending
// order. A number below 1 requests the fewest components that explain that share of the
// variance. Components without variance are not kept.
func components(variances []float64, asked float64) int {
	const noise = 1e-24 // variance of a constant after rounding, relative to the largest one
	rank := 0
	for rank < len(variances) && variances[rank] > noise*variances[0] {
		rank++
	}
	if asked >= 1 {
		return min(int(asked), rank)
	}
	total, explained := floats.Sum(variances), 0.0
	for k, v := range variances[:rank] {
		explained += v
		if explained >= asked*total {
			return k + 1
		}
	}
	return rank
}

// orient flips the sign of a column if its entry of largest magnitude is negative.
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
