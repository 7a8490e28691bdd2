package external

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// This file describes the protocol external/1. copse starts the command of a program in a private
// copy of its files, with these environment variables:
//
//	COPSE_TOKEN      32 hexadecimal digits; each line for copse begins with them
//	COPSE_CLIENT     a folder with copse.R, copse.py and copse.jl (also in PYTHONPATH)
//	COPSE_PARAMS     the parameters in the study, as JSON; null without parameters
//	OMP_NUM_THREADS  and similar variables if the study limits threads
//
// The program writes lines "TOKEN JSON" to its standard output. The first line is a Handshake.
// copse writes each request as a line of JSON to the standard input of the program. The program
// writes one reply to each request, and ends when its input ends. Its other output becomes its log.
//
// Arrays are .npy files (npy.go). A request contains the paths of its arrays, a random id, and the
// path Out of a new folder for the arrays of the reply. The reply contains the names of these
// files.
//
// A reply may have up to 64 MB, and a handshake up to 64 KB.

const protocol = "external/1"

// A Handshake is the first message from a program.
type Handshake struct {
	Protocol     string            `json:"protocol"`
	Kind         Kind              `json:"kind"`
	Name         string            `json:"name"`
	Version      string            `json:"version"`
	Capabilities Capabilities      `json:"capabilities"`
	Environment  map[string]string `json:"environment"` // versions of the language and its packages
}

// Capabilities describes optional features of a program.
type Capabilities struct {
	MaxClasses    int  `json:"max_classes"`   // 0 means no limit
	Discrete      bool `json:"discrete"`      // processes discrete attributes
	Missing       bool `json:"missing"`       // processes missing values
	Probabilities bool `json:"probabilities"` // returns class probabilities
	Scores        bool `json:"scores"`        // returns a score for each class
	Density       bool `json:"density"`       // a generator that computes log densities
}

// Describe returns a text such as "lda 1.2, R 4.3.1, MASS 7.3".
func (h *Handshake) Describe() string {
	parts := []string{strings.TrimSpace(h.Name + " " + h.Version)}
	for _, name := range slices.Sorted(maps.Keys(h.Environment)) {
		parts = append(parts, name+" "+h.Environment[name])
	}
	return strings.Join(parts, ", ")
}

// Changes lists the versions that differ in a later handshake, such as "numpy 1.24.2 (now 1.26.0)".
func (h *Handshake) Changes(later *Handshake) (list []string) {
	add := func(name, before, after string) {
		if before != after {
			change := fmt.Sprintf("%s %s (now %s)", name, cmp.Or(before, "missing"), cmp.Or(after, "missing"))
			list = append(list, change)
		}
	}
	add("version", h.Version, later.Version)
	packages := maps.Clone(later.Environment)
	maps.Copy(packages, h.Environment)
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		add(name, h.Environment[name], later.Environment[name])
	}
	return list
}

func (h *Handshake) check(p *Program) error {
	switch {
	case h.Protocol != protocol:
		return fmt.Errorf("the program uses the protocol %q, but this copse uses %q", h.Protocol, protocol)
	case p.Kind != "" && h.Kind != p.Kind:
		return fmt.Errorf("the program is a %q according to its handshake, but the study needs a %s", h.Kind, p.Kind)
	case h.Kind != Classifier && h.Kind != Generator:
		return fmt.Errorf("the program is a %q according to its handshake; want %q or %q", h.Kind, Classifier,
			Generator)
	case p.Version != "" && h.Version != p.Version:
		return fmt.Errorf("the program has version %q according to its handshake, but the study declares version %q; "+
			"correct one of them", h.Version, p.Version)
	}
	return nil
}

// A request is a message to a program.
type request struct {
	ID     int64          `json:"id"`
	Op     string         `json:"op"`  // fit_predict; new, sample, log_density, drop; describe (adapters)
	Out    string         `json:"out"` // folder for the reply's files
	Seed   string         `json:"seed,omitempty"`
	Seed31 uint32         `json:"seed31"`           // first 31 bits of the seed, for languages with short seeds
	Params map[string]any `json:"params,omitempty"` // parameters in the study

	// Only requests to a classifier use these fields.
	Train    string              `json:"train,omitempty"`      // file with an n x d matrix; NaN is a missing value
	Labels   string              `json:"labels,omitempty"`     // file with n class codes, which are indices of Classes
	Test     string              `json:"test,omitempty"`       // file with an m x d matrix
	Names    []string            `json:"names,omitempty"`      // names of the d attributes
	Kinds    []string            `json:"kinds,omitempty"`      // kinds of the attributes: numeric or discrete
	Levels   map[string][]string `json:"levels,omitempty"`     // by discrete attribute: names of the codes 0, 1, ...
	Classes  []string            `json:"classes,omitempty"`    // names of the classes
	Deadline float64             `json:"deadline_s,omitempty"` // remaining seconds; absent if there is no limit

	// Only requests to a generator use these fields.
	Handle string `json:"handle,omitempty"` // identifies a problem
	Counts []int  `json:"counts,omitempty"` // number of rows of each class
	Class  int    `json:"class"`            // the class whose density is requested
	X      string `json:"x,omitempty"`      // file with the rows at which the density is requested
}

const (
	kindNumeric  = "numeric"
	kindDiscrete = "discrete"
)

// A reply is a program's answer to a request, for m rows, C classes and d attributes. Its files are
// in the folder Out of the request.
type reply struct {
	ID    int64  `json:"id"`        // of the request
	OK    bool   `json:"ok"`        // false if the program reports an error
	Error string `json:"error"`     // the message of the error
	Trace string `json:"traceback"` // the calls that led to the error, or empty

	// A classifier sends these fields.
	Labels        string   `json:"labels"`        // file with m class codes
	Probabilities string   `json:"probabilities"` // file with an m x C matrix whose rows sum to 1
	Scores        string   `json:"scores"`        // file with an m x C matrix; the largest value selects the label
	Fit           *float64 `json:"fit_s"`         // seconds, measured by the program
	Predict       *float64 `json:"predict_s"`
	Warnings      []string `json:"warnings"`

	// A generator sends these fields for a new problem.
	Handle      string              `json:"handle"`      // identifies the problem in later requests
	Classes     []string            `json:"classes"`     // names of the classes, or absent
	Names       []string            `json:"names"`       // names of the attributes, or absent
	Levels      map[string][]string `json:"levels"`      // by discrete attribute: names of the codes 0, 1, ...
	Description json.RawMessage     `json:"description"` // of the problem, or absent

	// A generator sends X and Y for a sample of m rows, and LogDensity for the log densities of one
	// class at m rows.
	X          string `json:"x"`           // file with an m x d matrix
	Y          string `json:"y"`           // file with m class codes
	LogDensity string `json:"log_density"` // file with m values

	Described *Handshake `json:"hello"` // an adapter's description of a classifier
}

// setSeeds adds a seed as 64 bits in hexadecimal, and its first 31 bits as a number.
func (r *request) setSeeds(seed uint64) {
	r.Seed, r.Seed31 = fmt.Sprintf("%016x", seed), uint32(seed>>33)
}
