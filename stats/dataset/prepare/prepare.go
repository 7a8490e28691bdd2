// Package prepare fits preparation steps, such as imputation and scaling, to training sets.
package prepare

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"copse/stats/dataset"
	"copse/stats/recipe"
)

// A Step is one preparation step. Exactly one field is set. The comments above the fields document the
// keys of study files.
type Step struct {
	// replacement of missing values. `mean`, `median`, `mode`: this statistic of the column; a
	// discrete column always uses the mode. `knn`: the five nearest rows. `indicator`: the mean,
	// and an added column that marks the missing values
	Impute string `param:"impute" choice:"step" enum:"mean,median,mode,knn,indicator"`
	// coding of discrete attributes as numbers. `onehot`: one indicator per level. `dummy`: one
	// indicator per level except the first, which is the reference. `ordinal`: the position of the
	// level
	Encode string `param:"encode" choice:"step" enum:"onehot,dummy,ordinal"`
	// scaling of numeric attributes. `standard`: to mean 0 and standard deviation 1. `robust`: to
	// median 0 and interquartile range 1. `minmax`: to the range from 0 to 1. `quantile`: to the
	// rank among the training values, from 0 to 1, with interpolation between these values
	Scale string `param:"scale" choice:"step" enum:"standard,robust,minmax,quantile"`
	// number of intervals into which each numeric attribute is divided, with about the same number of
	// training values in each
	Discretise int `param:"discretise" choice:"step" range:"[2,1000]"`
	// attributes to leave out. `constant`: the attributes with a single value in the training rows
	Drop string `param:"drop" choice:"step" enum:"constant"`
	// share of the training rows below which a level is rare. All rare levels of an attribute are
	// merged into one level named other. A single rare level stays the same
	Rare float64 `param:"rare" choice:"step" range:"(0,1)"`
	// number of principal components to keep. A value below 1 is the share of the variance that
	// they must explain
	PCA float64 `param:"pca" choice:"step" range:"(0,inf)"`
}

// Steps is a list of preparation steps. Each step is fitted to the output of the previous one.
type Steps []Step

// String returns the step as key=value, such as scale=standard.
func (s Step) String() string {
	values := reflect.ValueOf(s)
	for _, f := range recipe.Fields(values.Type()) {
		if v := values.FieldByIndex(f.Index); !v.IsZero() {
			return fmt.Sprintf("%s=%v", f.Tag.Get("param"), v.Interface())
		}
	}
	return ""
}

// String returns the steps in their order, separated by commas.
func (list Steps) String() string {
	var words []string
	for _, s := range list {
		words = append(words, s.String())
	}
	return strings.Join(words, ",")
}

// Validate returns an error if the number of principal components is not a whole number.
func (s *Step) Validate() error {
	if s.PCA > 1 && s.PCA != float64(int(s.PCA)) {
		return recipe.Errorf("pca",
			"%v is neither a whole number of components nor a share of the variance below 1", s.PCA)
	}
	return nil
}

// FillsMissing reports whether one of the steps imputes missing values.
func (list Steps) FillsMissing() bool {
	return slices.ContainsFunc(list, func(s Step) bool { return s.Impute != "" })
}

// Data describes a training set before its first preparation step.
type Data struct {
	Columns  int  // 0 if unknown
	Discrete bool // some attributes are discrete
	Missing  bool // some values are missing
}

// CheckPCA returns an error if a pca step receives discrete attributes or missing values, or if it
// requests more components than there are columns.
//
// CheckPCA assumes that a drop step removes all discrete or incomplete attributes.
func (list Steps) CheckPCA(d Data) error {
	if err := list.checkPCAColumns(d.Columns); err != nil {
		return err
	}
	for _, s := range list {
		switch {
		case s.PCA > 0 && d.Discrete:
			return errors.New("pca: some attributes are discrete at this step; put `encode: onehot` before it")
		case s.PCA > 0 && d.Missing:
			return errors.New("pca: some values are missing at this step; put `impute: mean` before it")
		}
		// From here on, d describes the data after step s.
		mayRemove := s.Drop != ""
		d.Discrete = Steps{s}.LeavesDiscrete(d.Discrete) && !mayRemove
		d.Missing = d.Missing && s.Impute == "" && !mayRemove
	}
	return nil
}

// checkPCAColumns returns an error if a pca step requests more components than there are columns.
// The argument columns is their number before the first step. If it is 0 (unknown), there is no
// check.
func (list Steps) checkPCAColumns(columns int) error {
	if columns == 0 {
		return nil
	}
	for _, s := range list {
		dependsOnRows := s.Encode == "onehot" || s.Encode == "dummy" || s.Impute == "indicator" || s.Drop != ""
		switch {
		case dependsOnRows: // on their levels or values; from here on, the number of columns is unknown
			return nil
		case s.PCA > 0 && s.PCA < 1: // a share of the variance; the number of components is unknown
			return nil
		case int(s.PCA) > columns:
			return fmt.Errorf("pca: %v components exceed the number of columns, %d; "+
				"request at most %[2]d, or give a share of the variance below 1", s.PCA, columns)
		case s.PCA >= 1:
			columns = int(s.PCA)
		}
	}
	return nil
}

// LeavesDiscrete reports whether any attributes are discrete after the last step. The argument
// before is true if any are discrete before the first step.
func (list Steps) LeavesDiscrete(before bool) bool {
	discrete := before
	for _, s := range list {
		discrete = (discrete || s.Discretise > 0) && s.Encode == ""
	}
	return discrete
}

// errAllConstant is the error of a step after which the training set has no attributes.
var errAllConstant = errors.New("every attribute is constant in the training rows")

// Fit fits each step to the training set that the previous steps have transformed. It returns the
// fitted steps and the transformed training set.
func (list Steps) Fit(train *dataset.Set) (fitted []dataset.Transform, prepared *dataset.Set, err error) {
	prepared = train
	for i, s := range list {
		t, err := s.fit(prepared)
		if err == nil && len(t.Attributes()) == 0 {
			err = errAllConstant
		}
		if err != nil {
			return nil, nil, fmt.Errorf("prepare: step %d, %s: %w", i+1, s, err)
		}
		fitted = append(fitted, t)
		prepared = dataset.Transformed(prepared, t)
	}
	return fitted, prepared, nil
}

// fit fits the step to a training set. Exactly one field of the step must be set.
func (s Step) fit(train *dataset.Set) (dataset.Transform, error) {
	switch {
	case s.Impute == "indicator":
		return fitIndicator(train)
	case s.Impute != "":
		return dataset.FitImputer(train, dataset.Imputation(s.Impute))
	case s.Encode == "onehot":
		return dataset.NewOneHot(train.Attributes, 0), nil // 0: no attribute keeps its codes
	case s.Encode == "dummy":
		return dataset.NewDummy(train.Attributes), nil
	case s.Encode == "ordinal":
		return newOrdinal(train.Attributes), nil
	case s.Scale != "":
		return fitScaler(train, s.Scale)
	case s.Discretise > 0:
		return dataset.FitDiscretiser(train, s.Discretise), nil
	case s.Drop != "": // constant is the only value
		return fitVarying(train), nil
	case s.Rare > 0:
		return fitPool(train, s.Rare), nil
	default:
		return fitPCA(train, s.PCA)
	}
}
