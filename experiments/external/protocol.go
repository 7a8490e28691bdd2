package external

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The protocol external/1. copse starts the command in a private copy of
// its files with, in its environment,
//
//	COPSE_TOKEN    32 hexadecimal digits that begin every line meant for copse
//	COPSE_CLIENT   a folder with copse.R, copse.py and copse.jl (also in PYTHONPATH)
//	COPSE_PARAMS   the study's parameters, JSON
//	OMP_NUM_THREADS and its like, where the study limits threads
//
// The program writes "TOKEN JSON" lines to its standard output: first a Hello,
// then one reply for each request, a JSON line on its standard input, until that
// ends. All its other output, standard output and error, is its log. Arrays are
// .npy files (npy.go). A request names its arrays by their paths. A reply names
// files in the request's folder Out, without the path. Each request has a random
// id and an empty folder Out, so that no earlier answer counts. copse reads at
// most 64 MB of a reply and 64 KB of a handshake.

// protocol is the version that copse implements.
const protocol = "external/1"

// A Hello is the handshake that a program sends when it starts.
type Hello struct {
	Protocol     string            `json:"protocol"`
	Kind         Kind              `json:"kind"`
	Name         string            `json:"name"`
	Version      string            `json:"version"`
	Capabilities Capabilities      `json:"capabilities"`
	Environment  map[string]string `json:"environment"` // of the language and its packages: versions
}

// Capabilities lists the data that a program takes beyond numeric attributes, and the results
// that it returns beyond labels.
type Capabilities struct {
	MaxClasses    int  `json:"max_classes"`   // 0: any number
	Discrete      bool `json:"discrete"`      // takes discrete attributes
	Missing       bool `json:"missing"`       // takes missing values
	Probabilities bool `json:"probabilities"` // returns class probabilities
	Scores        bool `json:"scores"`        // returns a score per class
	Density       bool `json:"density"`       // a generator that computes log densities
}

// Describe names the program and its environment for people.
func (h *Hello) Describe() string {
	parts := []string{strings.TrimSpace(h.Name + " " + h.Version)}
	for _, name := range slices.Sorted(maps.Keys(h.Environment)) {
		parts = append(parts, name+" "+h.Environment[name])
	}
	return strings.Join(parts, ", ")
}

// Changes lists what differs in a later handshake of the program: "numpy 1.24.2 (now 1.26.0)".
func (h *Hello) Changes(now *Hello) (list []string) {
	add := func(name, before, after string) {
		if before != after {
			change := fmt.Sprintf("%s %s (now %s)", name, cmp.Or(before, "missing"), cmp.Or(after, "missing"))
			list = append(list, change)
		}
	}
	add("version", h.Version, now.Version)
	packages := maps.Clone(now.Environment)
	maps.Copy(packages, h.Environment)
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		add(name, h.Environment[name], now.Environment[name])
	}
	return list
}

// check returns an error for a handshake that does not match the study.
func (h *Hello) check(p *Program) error {
	switch {
	case h.Protocol != protocol:
		return fmt.Errorf("speaks the protocol %q, this binary speaks %q", h.Protocol, protocol)
	case p.Kind != "" && h.Kind != p.Kind:
		return fmt.Errorf("says that it is a %q, the study wants a %s", h.Kind, p.Kind)
	case p.Version != "" && h.Version != p.Version:
		return fmt.Errorf("says that it is of version %q, the study declares version %q: correct the one that is wrong",
			h.Version, p.Version)
	}
	return nil
}

// A request is a message to a program: fit a training set and label a test set for a
// classifier, or one of the four operations of a generator.
type request struct {
	ID     int64          `json:"id"`
	Op     string         `json:"op"`  // fit_predict; new, sample, log_density, drop; describe (adapters)
	Out    string         `json:"out"` // folder for the reply's files
	Seed   string         `json:"seed,omitempty"`
	Seed31 uint32         `json:"seed31"`           // the seed's first 31 bits, for generators that take no more
	Params map[string]any `json:"params,omitempty"` // the study's

	Train  string   `json:"train,omitempty"`  // n x d; NaN is a missing value
	Labels string   `json:"labels,omitempty"` // n codes 0, 1, ... of Classes
	Test   string   `json:"test,omitempty"`   // m x d
	Names  []string `json:"names,omitempty"`  // of the d attributes
	Kinds  []string `json:"kinds,omitempty"`  // numeric or discrete
	// of the discrete attributes: what the codes 0, 1, ... stand for
	Levels   map[string][]string `json:"levels,omitempty"`
	Classes  []string            `json:"classes,omitempty"`
	Deadline float64             `json:"deadline_s,omitempty"` // seconds left; absent: no limit

	Handle string `json:"handle,omitempty"`
	Counts []int  `json:"counts,omitempty"` // rows of each class
	Class  int    `json:"class"`
	X      string `json:"x,omitempty"`
}

// Kinds of attributes.
const (
	kindNumeric  = "numeric"
	kindDiscrete = "discrete"
)

// A reply is a program's answer to a request. It names its files within Out.
type reply struct {
	ID    int64  `json:"id"`
	OK    bool   `json:"ok"`
	Error string `json:"error"`

	Labels        string   `json:"labels"`        // m codes, int32
	Probabilities string   `json:"probabilities"` // m x C, rows sum to 1
	Scores        string   `json:"scores"`        // m x C, larger wins
	Fit           *float64 `json:"fit_s"`         // seconds, by the program's own clock
	Predict       *float64 `json:"predict_s"`
	Warnings      []string `json:"warnings"`

	Handle      string              `json:"handle"`
	Classes     []string            `json:"classes"` // of a new problem, where they or its attributes have names
	Names       []string            `json:"names"`
	Levels      map[string][]string `json:"levels"`
	Description json.RawMessage     `json:"description"`
	X           string              `json:"x"`           // of a sample: m x d
	Y           string              `json:"y"`           // of a sample: m codes
	LogDensity  string              `json:"log_density"` // m values
	Hello       *Hello              `json:"hello"`       // of a recipe, from an adapter
}

// seeds sets a 64-bit seed in both of its forms.
func (r *request) seeds(seed uint64) {
	r.Seed, r.Seed31 = fmt.Sprintf("%016x", seed), uint32(seed>>33)
}
