// Package generators draws random classification problems: families of
// class-conditional distributions whose members can be sampled and, where the
// densities are known, scored exactly.
package generators

import (
	"golang.org/x/exp/rand"

	"copse/stats/dataset"
)

// A Generator is a recipe for random problems. Its exported fields are its
// parameters; New neither changes them nor keeps the random source.
//
// A field that users may set carries the tags
//
//	param:"edge_prob"            its name in study files and on the command line
//	doc:"one line, with units"   what it does
//	range:"[0,1]"                legal numbers, "(" and ")" excluding the end; or
//	enum:"forest,bayesnet"       legal strings
//
// and has type string, bool, int, float64, or a slice of these. The defaults are
// the values of the struct that the registry's Spec returns. A generator whose
// parameters depend on one another also has a method Validate() error, called
// once after they are set; it may return a *recipe.Error to name the key.
type Generator interface {
	// New draws one problem: its structure and the parameters of its distributions.
	New(rng *rand.Rand) (Problem, error)
}

// A Problem is one random member of a family. It is immutable and safe for
// concurrent use.
type Problem interface {
	// Sample draws counts[c] rows of each class c, in class order. The number of
	// classes is len(counts) and must be the problem's.
	Sample(counts []int, rng *rand.Rand) *dataset.Set
}

// A DensityProblem has known class-conditional densities, which the oracle of a study needs.
type DensityProblem interface {
	Problem
	// LogDensity returns the natural logarithm of the density of row x in a class, -Inf outside
	// the support.
	LogDensity(class int, x []float64) float64
}

// A Modeler describes the problem that was drawn.
type Modeler interface {
	// Model returns the structure and the parameters as a value for encoding/json, which `copse
	// generate` writes to model.json.
	Model() any
}
