// Package study reads one YAML file as cells: what varies, what is drawn, what
// runs.
package study

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"gopkg.in/yaml.v3"

	"copse/experiments/config"
	"copse/stats/metrics"
	"copse/stats/records"
)

// A Study is one YAML file, read strictly: what varies, which data each cell
// draws, which classifiers run on them. Its inference, report and published
// sections are decoded by whoever needs them (Decode).
type Study struct {
	Name        string
	Title       string
	Source      string
	Seed        uint64
	Replicates  int              // of each cell
	Metrics     []string         // that results keep beside their confusion matrix
	Predictions bool             // are kept, for every test row
	TimeLimit   time.Duration    // of a fit with its prediction; 0: none. A fit stops at it, a prediction runs to its end
	Memory      int64            // bytes that the process of a program may hold; 0: any
	File        string           // where it was read from
	Factors     []records.Factor // in the order of the design, nested ones last
	Cells       []*Cell          // in the order of the design

	document *document
}

// A document is a study file while it is read, and afterwards the sections that
// others decode.
type document struct {
	Name           string        `param:"study" required:"the name of the study and of its folder under results/"`
	Title          string        `param:"title" doc:"one line above tables and on the report page"`
	Source         string        `param:"source" doc:"where the study comes from: paper, table, section"`
	Seed           uint64        `param:"seed" required:"any whole number from 0 on; it decides every random draw"`
	ReplicatesNode *yaml.Node    `param:"replicates" node:"number" doc:"the number of independent draws per cell, which may follow from folds and repeats"`
	Metrics        []string      `param:"metrics" doc:"log_loss, brier, ece, auc, average_precision:CLASS: what results keep beside their confusion matrix, from class probabilities and scores"`
	Predictions    string        `param:"predictions" doc:"labels, scores and probabilities of every test row, kept in predictions/ so that metrics can be added later; copse export --predictions" enum:"discard,keep"`
	TimeLimit      time.Duration `param:"time_limit" doc:"of a fit with its prediction, such as 90s or 10m; what takes longer is a failed record"`
	Memory         string        `param:"memory_limit" doc:"of the process of a program, such as 2GB; a program that takes more is stopped, and its fit has failed"`

	ADEMP       *yaml.Node   `param:"ademp" node:"mapping" doc:"aims and reasons, for the protocol (copse protocol)"`
	Design      *yaml.Node   `param:"design" node:"mapping of factors" doc:"what varies: each factor is a list of levels, or a mapping from level names to the values that $factor stands for"`
	Nested      []nesting    `param:"nested" doc:"factors that vary under some levels alone"`
	Exclude     []*yaml.Node `param:"exclude" node:"mapping of levels" doc:"cells to leave out, such as {n: 200, balance: [imbalanced]}"`
	Data        *yaml.Node   `param:"data" node:"mapping" required:"generator, train and test; or csv or set with folds, holdout, test or split"`
	Classifiers *yaml.Node   `param:"classifiers" node:"list of classifiers" required:"the list of classifiers to run"`
	Inference   *yaml.Node   `param:"inference" node:"mapping" doc:"how the best classifiers of a cell are found"`
	Report      *yaml.Node   `param:"report" node:"mapping" doc:"which tables and figures are drawn"`
	Published   *yaml.Node   `param:"published" node:"list of mappings" doc:"printed tables that the study repeats"`
	Calibrate   *yaml.Node   `param:"calibrate" node:"mapping" doc:"parameters of the generator that the text leaves open, and the search among their values (copse calibrate)"`

	root        *yaml.Node
	folder      string // where the files of programs are
	memoryLimit int64

	Replicates int
	decoder    config.Decoder
	recall     Recall
	factors    []records.Factor
	cells      []*Cell
}

// Recall returns the identity of a cell by its levels, as it was when results
// were stored: the data that it follows from need not be here any more.
type Recall func(records.Levels) (id, key string, ok bool)

// nesting crosses further factors into the cells that have the given levels.
type nesting struct {
	Under  *yaml.Node `param:"under" node:"mapping of levels" required:"the levels below which the factors vary, such as {family: bayesnet}"`
	Design *yaml.Node `param:"design" node:"mapping of factors" required:"the nested factors"`
}

// Load reads a study file, applies the --set assignments ("path=value") in
// order and expands the design. The error lists every mistake, each with its
// file, line, column and key.
func Load(file string, assignments ...string) (*Study, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, &config.Error{Origin: file, Msg: "cannot be read", Cause: err}
	}
	return Parse(filepath.ToSlash(file), text, assignments, nil)
}

// Parse reads a study from its text; file names it in messages, and its folder
// holds the files of external programs. With recall the
// study is read to report on its results, and CSV files that are not here are
// no mistake.
func Parse(file string, text []byte, assignments []string, recall Recall) (*Study, error) {
	root, err := config.Parse(file, text)
	if err != nil {
		return nil, err
	}
	doc := &document{Predictions: "discard", root: root, folder: path.Dir(file), decoder: *config.NewDecoder(file), recall: recall}
	for _, a := range assignments {
		if err := doc.assign(a); err != nil {
			return nil, err
		}
	}
	d := &doc.decoder
	d.Structure(root, "", "key", doc)
	if err := d.Err(); err != nil {
		return nil, err
	}
	if !config.ValidName(doc.Name) {
		d.Fail(root, "study", "%q is not a folder name; use letters, digits, '.', '_' and '-'", doc.Name)
	}
	doc.replication()
	checkMetrics(d, config.Lookup(root, "metrics"), doc.Metrics)
	if doc.Memory != "" {
		if doc.memoryLimit, err = config.ParseBytes(doc.Memory); err != nil {
			d.Fail(config.Lookup(root, "memory_limit"), "memory_limit", "%s", err)
		}
	}
	doc.expand()
	config.WriteOut(root) // what flags took out may have had anchors
	if !d.Failed() {
		doc.checkMemoryLimit()
		doc.checkClasses()
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	return &Study{Name: doc.Name, Title: doc.Title, Source: doc.Source, Seed: doc.Seed, Replicates: doc.Replicates, Metrics: doc.Metrics, Predictions: doc.Predictions == "keep",
		TimeLimit: doc.TimeLimit, Memory: doc.memoryLimit, File: file, Factors: doc.factors, Cells: doc.cells, document: doc}, nil
}

// checkMemoryLimit refuses a memory limit that nothing enforces: the study has no program.
func (s *document) checkMemoryLimit() {
	if s.memoryLimit == 0 {
		return
	}
	isProgram := func(e Entry) bool { return e.Program != nil }
	for _, c := range s.cells {
		if c.Data.Program != nil || slices.ContainsFunc(c.Classifiers, isProgram) {
			return
		}
	}
	s.decoder.Fail(config.Lookup(s.root, "memory_limit"), "memory_limit",
		"limits the processes of programs, and this study has none; copse run --memory limits copse itself")
}

// checkClasses wants the class that a metric names among those of some cell.
func (s *document) checkClasses() {
	for _, name := range s.Metrics {
		m, err := metrics.Lookup(name)
		if err != nil || s.recall != nil {
			continue // said already, or the data are elsewhere
		}
		for _, c := range s.cells {
			if _, err = m.InClasses(c.Data.ClassNames()); err == nil {
				break
			}
		}
		if err != nil {
			s.decoder.Fail(config.Lookup(s.root, "metrics"), "metrics", "%s", err)
		}
	}
}

// checkMetrics wants metrics that are computed from the rows of a test set, once.
func checkMetrics(d *config.Decoder, n *yaml.Node, names []string) {
	for i, name := range names {
		m, err := metrics.Lookup(name)
		switch {
		case err != nil:
			d.Fail(n, "metrics", "%s", err)
		case m.Needs == metrics.Counts:
			d.Fail(n, "metrics", "%s follows from the confusion matrix, which every result keeps: leave it out here; tables can show it", name)
		case m.Measured():
			d.Fail(n, "metrics", "%s is measured anyway, where it can be: leave it out here; tables can show it", name)
		case slices.Contains(names[:i], name):
			d.Fail(n, "metrics", "%s is listed twice", name)
		}
	}
}

// Decode fills target, a struct with param tags, from one of the study's
// sections; a section that is not there leaves target's defaults. The error
// lists every mistake.
func (s *Study) Decode(name string, target any) error {
	section := s.Section(name)
	if section == nil {
		return nil
	}
	d := s.Decoder()
	d.Structure(section, name, "key", target)
	return d.Err()
}

// Section returns the node of a top-level key, nil when it is not there.
func (s *Study) Section(name string) *yaml.Node { return config.Lookup(s.document.root, name) }

// Decoder returns a decoder that names the places of the study's nodes.
func (s *Study) Decoder() *config.Decoder { return s.document.decoder.Fresh() }

// YAML returns the resolved configuration, assignments applied.
func (s *Study) YAML() ([]byte, error) {
	var b bytes.Buffer
	w := yaml.NewEncoder(&b)
	w.SetIndent(2)
	if err := w.Encode(s.document.root); err != nil {
		return nil, err
	}
	return b.Bytes(), w.Close()
}

// ClassifierIDs returns the ids in the study's order, whichever cells run them.
func (s *Study) ClassifierIDs() []string {
	var ids []string
	places := map[string]int{}
	for _, c := range s.Cells {
		for _, e := range c.Classifiers {
			if _, known := places[e.ID]; !known {
				ids, places[e.ID] = append(ids, e.ID), e.place
			}
			places[e.ID] = min(places[e.ID], e.place)
		}
	}
	slices.SortStableFunc(ids, func(a, b string) int { return places[a] - places[b] })
	return ids
}
