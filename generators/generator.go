// Package generators draws random classification problems. A generator is a family of problems. A
// problem draws samples, and computes its densities if they are known.
package generators

import (
	"golang.org/x/exp/rand"

	"copse/stats/dataset"
)

// A Generator draws random problems from one family. New neither changes the fields nor keeps the
// random source.
//
// A field that users may set has a comment above it, which becomes its documentation. It also has
// tags:
//
//	param:"edge_prob"            its name in study files and on the command line
//	range:"[0,1]"                allowed numbers; "(" and ")" exclude the bound next to them
//	enum:"forest,bayesnet"       allowed strings, used instead of range
//
// The field must be a string, bool, int, float64, or a slice of one of these.
//
// A generator whose parameters depend on one another also has a method Validate() error. This
// method is called after the parameters are set. It may return a *recipe.Error to name the wrong
// parameter.
type Generator interface {
	// New draws a problem: its structure and the parameters of its distributions.
	New(rng *rand.Rand) (Problem, error)
}

// A Problem is one random member of a family. It is immutable and safe for concurrent use.
type Problem interface {
	// Sample draws counts[c] rows of each class c, in class order. counts has an entry for each
	// class.
	Sample(counts []int, rng *rand.Rand) *dataset.Set
}

// A DensityProblem is a problem whose class densities are known. The oracle (Bayes' rule) needs
// them.
type DensityProblem interface {
	Problem
	// LogDensity returns the log density of row x in a class. It is -Inf outside the support.
	LogDensity(class int, x []float64) float64
}

// A Modeler is a problem that can describe its distribution.
type Modeler interface {
	// Model returns the structure and the parameters of the problem, which are written to
	// model.json.
	Model() any
}
