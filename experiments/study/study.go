// Package study reads one YAML file as cells: what varies, what is drawn, what
// runs.
package study

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"copse/experiments/config"
	"copse/experiments/data"
	"copse/experiments/folder"
	"copse/stats/dataset/prepare"
	"copse/stats/metrics"
	"copse/stats/records"
)

// A Study is one YAML file, read strictly: what varies, which data each cell
// draws, which classifiers run on them. Other packages decode its sections inference,
// report and published with Decode.
type Study struct {
	Name        string
	Title       string
	Source      string
	Seed        uint64
	Replicates  int              // of each cell
	Metrics     []string         // that results keep beside their confusion matrix
	Predictions bool             // results keep the predictions of every test row
	TimeLimit   time.Duration    // of a fit with its prediction; 0: none. It stops a fit, not a prediction
	Memory      int64            // bytes that the process of a program may hold; 0: any
	File        string           // path of the file
	Factors     []records.Factor // in the order of the design, nested ones last
	Cells       []*Cell          // in the order of the design

	reader *reader
}

// keys has the top-level keys of a study file. A key stays a Place if another package
// decodes it, or if its $factors differ between cells.
type keys struct {
	Name        string        `param:"study" required:"the name of the study and of its folder in results/"`
	Title       string        `param:"title" doc:"title above tables and on the report page"`
	Source      string        `param:"source" doc:"origin of the study: paper, table, section"`
	Seed        uint64        `param:"seed" required:"any whole number from 0 on, the seed of all random draws"`
	Replicates  int           `param:"replicates" range:"[1,1e7]" doc:"number of independent draws per cell; may follow from folds and repeats"`
	Metrics     []string      `param:"metrics" doc:"metrics to store with each result: log_loss, brier, ece, auc, average_precision:CLASS; metrics of the report's tables and figures are always stored, and metrics of the confusion matrix need not be"`
	Predictions string        `param:"predictions" doc:"keep: store labels, scores and probabilities of every test row in predictions/, for metrics that you add later and copse export --predictions" enum:"discard,keep"`
	TimeLimit   time.Duration `param:"time_limit" doc:"time limit of a fit with its prediction, such as 90s or 10m; a longer fit fails"`
	Memory      string        `param:"memory_limit" doc:"memory limit of an external program, such as 2GB; if it needs more, it is stopped and its fit fails"`

	ADEMP       config.Place        `param:"ademp" node:"mapping" doc:"aims and reasons for the protocol (copse protocol)"`
	Design      config.Place        `param:"design" node:"mapping of factors" doc:"factors of the study; each is a list of levels, or a mapping from names of levels to the values of $factor"`
	Nested      []nesting           `param:"nested" doc:"factors that vary only under some levels of other factors"`
	Exclude     []records.Condition `param:"exclude" node:"mapping of levels" doc:"cells to leave out, such as {n: 200, balance: [imbalanced]}"`
	Pair        []string            `param:"pair" doc:"factors whose cells share problems, test rows and nested training rows (n = 100 is the first part of n = 400): common random numbers"`
	Data        config.Place        `param:"data" node:"mapping" required:"generator with train and test; or csv or set with folds, holdout, test or split"`
	Prepare     prepare.Steps       `param:"prepare" doc:"steps that prepare the data for all classifiers, fitted to the training rows, such as [{impute: median}, {scale: standard}]"`
	Classifiers config.Place        `param:"classifiers" node:"list of classifiers" required:"the list of classifiers to run"`
	Inference   config.Place        `param:"inference" node:"mapping" doc:"tests that find the best classifiers of a cell"`
	Report      config.Place        `param:"report" node:"mapping" doc:"tables and figures to draw"`
	Published   config.Place        `param:"published" node:"list of mappings" doc:"printed tables that the study repeats"`
	Calibrate   config.Place        `param:"calibrate" node:"mapping" doc:"search for values of parameters that a paper leaves open (copse calibrate)"`
}

// A reader turns a study file into cells. Mistakes are reported at places of its root.
type reader struct {
	keys
	root   config.Place
	folder string // where the files of programs are
	recall Recall // nil: the study is read to run it, not to report stored results
	files  *data.Reader

	memoryLimit int64
	factors     []records.Factor
	used        map[string]bool   // factors that a $factor refers to, in any cell
	digests     map[string]string // of the files of programs, by their names
	cells       []*Cell
}

// Recall returns the identity that the cell with these levels had when its results were
// stored. It does not need the data files; ok is false for an unknown cell.
type Recall func(records.Levels) (id, key string, ok bool)

// Load reads a study file, applies the --set assignments ("path=value") in
// order and expands the design. The error lists every mistake, each with its
// file, line, column and key.
func Load(file string, assignments ...string) (*Study, error) {
	text, err := readFile(file)
	if err != nil {
		return nil, err
	}
	return Parse(filepath.ToSlash(file), text, assignments, nil)
}

func readFile(file string) ([]byte, error) {
	if folder.HasResults(file) {
		own := filepath.Join(file, folder.Study)
		return nil, &config.Error{Origin: file, Msg: fmt.Sprintf("is a results folder; name its study, %s, or draw "+
			"its report again with copse report %s", own, file)}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, &config.Error{Origin: file, Msg: "cannot be read", Cause: err}
	}
	return text, nil
}

// Parse reads a study from its text. file names it in messages, and its folder holds the
// files of external programs. A recall that is not nil means that only stored results are
// needed, so that missing data files are allowed.
func Parse(file string, text []byte, assignments []string, recall Recall) (*Study, error) {
	root, err := config.Parse(file, text)
	if err != nil {
		return nil, err
	}
	for _, a := range assignments {
		if err := assign(root, a); err != nil {
			return nil, err
		}
	}
	r := newReader(root, path.Dir(file), recall)
	if replicates := root.Key("replicates"); replicates.IsMapping() { // in the last release it could be
		replicates.Fail("rules to stop by are gone, since they biased skewed differences: give a number; " +
			"copse status --precision prints the replicates that a precision needs, and run --replicates adds them")
		return nil, root.Err()
	}
	if !root.Decode("key", &r.keys) {
		return nil, root.Err()
	}
	r.checkKeys()
	list := r.combinations()
	if r.checkPair(); !root.Failed() {
		r.resolve(list)
	}
	if !root.Failed() {
		r.checkAcrossCells()
	}
	if err := root.Err(); err != nil {
		return nil, err
	}
	return r.study(file), nil
}

func newReader(root config.Place, folder string, recall Recall) *reader {
	return &reader{keys: keys{Predictions: "discard"}, root: root, folder: folder, recall: recall,
		files: data.NewReader(filepath.FromSlash(folder)), used: map[string]bool{}, digests: map[string]string{}}
}

func (r *reader) study(file string) *Study {
	return &Study{Name: r.Name, Title: r.Title, Source: r.Source, Seed: r.Seed, Replicates: r.Replicates,
		Metrics: keptMetrics(r.root), Predictions: r.Predictions == "keep", TimeLimit: r.TimeLimit,
		Memory: r.memoryLimit, File: file, Factors: r.factors, Cells: r.cells, reader: r}
}

// checkKeys reports mistakes in top-level values that do not depend on the cells.
func (r *reader) checkKeys() {
	if !config.ValidName(r.Name) {
		r.root.Key("study").Fail("%q is not a folder name; use letters, digits, '.', '_' and '-'", r.Name)
	}
	r.checkMetrics()
	if r.Memory != "" {
		var err error
		if r.memoryLimit, err = config.ParseBytes(r.Memory); err != nil {
			r.root.Key("memory_limit").Fail("%s", err)
		}
	}
}

// resolve makes a cell of each combination of levels. After the first cell with a mistake
// it only checks references.
func (r *reader) resolve(list []combination) {
	candidates := r.candidates()
	for _, c := range list {
		if cell := r.cell(c, candidates, list); cell != nil {
			r.cells = append(r.cells, cell)
		}
	}
}

// cell returns the cell of one combination; nil after reporting mistakes.
func (r *reader) cell(c combination, candidates []candidate, list []combination) *Cell {
	source := r.dataOf(c)
	section := r.substitute(source.Under("data"), c)
	if r.root.Failed() {
		return nil // the section keeps unknown references, which are no values to decode
	}
	cell := &Cell{Levels: c.levels(), source: source}
	cell.Data = r.data(section)
	if r.root.Failed() {
		cell.Data = nil
	}
	cell.Classifiers = r.classifiers(candidates, c, cell.Levels, cell.Data)
	if r.root.Failed() {
		return nil
	}
	r.identify(cell, candidates, c, list)
	return cell
}

// checkAcrossCells reports mistakes that concern several cells. Each check relies on the
// checks before it.
func (r *reader) checkAcrossCells() {
	for _, check := range []func(){
		r.checkUnused, r.checkTwins, r.countReplicates, r.checkFolds, r.checkTrials,
		r.checkDiscrete, r.checkMemoryLimit, r.checkClasses,
	} {
		if check(); r.root.Failed() {
			return
		}
	}
}

// checkMemoryLimit reports a memory limit in a study without programs, where it has no
// effect.
func (r *reader) checkMemoryLimit() {
	if r.memoryLimit == 0 {
		return
	}
	isProgram := func(e Entry) bool { return e.Program != nil }
	for _, c := range r.cells {
		if c.Data.Program != nil || slices.ContainsFunc(c.Classifiers, isProgram) {
			return
		}
	}
	r.root.Key("memory_limit").Fail(
		"limits the processes of programs, and this study has none; copse run --memory limits copse itself")
}

// checkClasses reports a metric of a class that no cell has.
func (r *reader) checkClasses() {
	if r.recall != nil {
		return // the data files may be missing
	}
	for _, name := range r.Metrics {
		m, err := metrics.Lookup(name)
		if err != nil {
			continue
		}
		for _, c := range r.cells {
			if _, err = m.InClasses(c.Data.ClassNames()); err == nil {
				break
			}
		}
		if err != nil {
			r.root.Key("metrics").Fail("%s", err)
		}
	}
}

// Decode fills target, a struct with param tags, from one of the study's sections. Without
// the section, target keeps its values. The error lists every mistake.
func (s *Study) Decode(section string, target any) error {
	at := s.Section(section)
	at.Decode("key", target)
	return at.Err()
}

// Root returns the place of the whole study, with no mistakes recorded.
func (s *Study) Root() config.Place { return s.reader.root.Fresh() }

// Section returns the place of a top-level key, with no mistakes recorded.
func (s *Study) Section(name string) config.Place { return s.Root().Key(name) }

// YAML returns the resolved configuration, assignments applied.
func (s *Study) YAML() ([]byte, error) { return s.reader.root.YAML() }

// Describe names the levels of a cell for people.
func (s *Study) Describe(c *Cell) string { return c.Levels.Describe(s.Factors) }

// Folder returns the folder of the study's file and of its programs' files.
func (s *Study) Folder() string { return filepath.Dir(filepath.FromSlash(s.File)) }

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
