package prepare

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"copse/stats/dataset"
)

// A pca maps rows to principal components of the training rows.
type pca struct {
	means      []float64
	components *mat.Dense // d x k
	attributes []dataset.Attribute
}

// fitPCA fits as many components as asked for, or below 1 as explain that share of the
// variance; no more than have variance. The loading of largest magnitude is positive.
func fitPCA(train *dataset.Set, asked float64) (*pca, error) {
	for j, a := range train.Attributes {
		if a.Kind == dataset.Discrete {
			return nil, fmt.Errorf("%q is discrete: put encode: onehot before it", a.Name)
		}
		if len(present(train, j)) < train.N() {
			return nil, fmt.Errorf("%q lacks values: put impute: mean before it", a.Name)
		}
	}
	t := &pca{means: make([]float64, train.D())}
	centred := mat.DenseCopyOf(train.X)
	for j := range t.means {
		t.means[j] = stat.Mean(mat.Col(nil, j, centred), nil)
	}
	t.subtractMeans(centred)
	var svd mat.SVD
	if !svd.Factorize(centred, mat.SVDThin) {
		return nil, errors.New("the singular values were not found")
	}
	k := components(svd.Values(nil), asked)
	if k == 0 {
		return nil, errors.New("every attribute is constant in the training rows")
	}
	var v mat.Dense
	svd.VTo(&v)
	t.components = mat.DenseCopyOf(v.Slice(0, train.D(), 0, k))
	for c := range k {
		orient(t.components, c)
		t.attributes = append(t.attributes, dataset.Attribute{Name: fmt.Sprintf("pc%d", c+1)})
	}
	return t, nil
}

// components returns the number of components for singular values in descending order.
func components(singular []float64, asked float64) int {
	total, rank := 0.0, 0
	for _, s := range singular {
		total += s * s
		if s > singular[0]*1e-12 {
			rank++
		}
	}
	if asked >= 1 {
		return min(int(asked), rank)
	}
	explained := 0.0
	for k := range rank {
		if explained += singular[k] * singular[k]; explained >= asked*total {
			return k + 1
		}
	}
	return rank
}

// orient gives a column the sign that makes its entry of largest magnitude positive.
func orient(m *mat.Dense, column int) {
	rows, _ := m.Dims()
	largest := 0.0
	for i := range rows {
		if v := m.At(i, column); math.Abs(v) > math.Abs(largest) {
			largest = v
		}
	}
	for i := range rows {
		if largest < 0 {
			m.Set(i, column, -m.At(i, column))
		}
	}
}

func (t *pca) subtractMeans(x *mat.Dense) {
	n, _ := x.Dims()
	for i := range n {
		row := x.RawRowView(i)
		for j, mean := range t.means {
			row[j] -= mean
		}
	}
}

// Attributes implements dataset.Transform.
func (t *pca) Attributes() []dataset.Attribute { return t.attributes }

// Apply implements dataset.Transform.
func (t *pca) Apply(x *mat.Dense) *mat.Dense {
	centred := mat.DenseCopyOf(x)
	t.subtractMeans(centred)
	var out mat.Dense
	out.Mul(centred, t.components)
	return &out
}
