// Package study reads a study file in YAML and expands its design into cells. A cell is a
// combination of factor levels, with its data and classifiers.
package study

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"copse/experiments/config"
	"copse/experiments/data"
	"copse/experiments/external"
	"copse/experiments/folder"
	"copse/stats/dataset/prepare"
	"copse/stats/metrics"
	"copse/stats/records"
	"copse/stats/regular"
)

// A Study is a decoded study file with its cells. Other packages decode some of its sections, such as
// "report" (see Section).
type Study struct {
	Name        string
	Title       string
	Source      string
	Seed        uint64
	Replicates  int              // of each cell
	Metrics     []string         // metrics that results store in addition to the confusion matrix
	Predictions bool             // whether the results store predictions for all test rows
	TimeLimit   time.Duration    // time limit for a fit or for drawing data by a program; 0 means none
	Memory      int64            // memory limit of a program's process in bytes; 0: no limit
	File        string           // path of the file
	Assignments []string         // values of --set, which changed the content of the file
	Factors     []records.Factor // in the order of the design, nested ones last
	Pair        []string         // factors whose cells use common random numbers
	Cells       []*Cell          // in the order of the design

	reader *reader
}

// keys defines the top-level keys of a study file. A field of type Place is decoded later, by
// another package or after references to factors have been replaced.
type keys struct {
	// the name of the study and of its folder in results/
	Name string `param:"study" required:"yes"`
	// title of the report page and of tables
	Title string `param:"title"`
	// origin of the study, such as paper, table and section
	Source string `param:"source"`
	// the seed of all random draws, a non-negative whole number
	Seed uint64 `param:"seed" required:"yes"`
	// number of independent draws per cell. With an official test set, it is the number of fits per
	// cell. Required unless `folds` and `repeats` determine it
	Replicates int `param:"replicates" range:"[1,1e7]"`
	// metrics to store with each result: `log_loss`, `brier`, `ece`, `auc`,
	// `average_precision:CLASS`. Metrics that tables and figures use are always stored. Metrics of
	// the confusion matrix, such as `ber`, can be computed later
	Metrics []string `param:"metrics" distinct:"true"`
	// whether to store predictions. `keep` stores the labels, scores and probabilities of all test
	// rows in predictions/. You can then add metrics later and use `copse export --predictions`
	Predictions string `param:"predictions" enum:"discard,keep"`
	// time limit for a fit with its tuning and prediction, such as `90s` or `10m`. A fit that takes
	// longer fails. If an external program generates the data, the limit also applies to the data of
	// each replicate. If drawing them takes longer, all fits of the replicate fail. The start of a
	// program does not count, except for `external-csv`
	TimeLimit time.Duration `param:"time_limit"`
	// memory limit of an external program, such as `2GB`. If a program needs more, copse stops it,
	// and its fit fails
	Memory string `param:"memory_limit" plain:"true"`

	// aims of the study and reasons for its design, for the output of `copse protocol`
	ADEMP config.Place `param:"ademp" node:"mapping"`
	// factors of the study. Each factor is a list of levels, a suite of OpenML tasks
	// (`openml:suite/99`), or a mapping. The keys of a mapping are the names of the levels, and its
	// values replace `$factor`
	Design config.Place `param:"design" node:"mapping of factors"`
	// factors that vary only for some levels of other factors
	Nested []nesting `param:"nested"`
	// cells to leave out, such as `{n: 200, balance: [imbalanced]}`
	Exclude []records.Condition `param:"exclude" node:"mapping of levels"`
	// factors whose levels share common random numbers. Cells that differ only in these factors
	// have the same random streams. With equal settings of the generator, they have the same
	// problems, and a smaller training set consists of the first rows of each class of a larger
	// one. With equal test sizes, too, they have the same test rows
	Pair []string `param:"pair" distinct:"true"`
	// source and split of the data. A `generator` needs the sizes `train` and `test`, or `sample`
	// with `folds`. Real data (`csv` or `set`) need one of the keys `folds`, `holdout`, `test` and
	// `split`. A single OpenML task may omit these keys, because it has published folds
	Data config.Place `param:"data" node:"mapping" required:"yes"`
	// steps that prepare the data for all classifiers, fitted to the training rows, such as
	// `[{impute: median}, {scale: standard}]`
	Prepare prepare.Steps `param:"prepare"`
	// the list of classifiers to run
	Classifiers config.Place `param:"classifiers" node:"list of classifiers" required:"yes"`
	// tests that compare the classifiers in each cell
	Inference config.Place `param:"inference" node:"mapping"`
	// tables and figures to draw
	Report config.Place `param:"report" node:"mapping"`
	// published tables that the study reproduces
	Published config.Place `param:"published" node:"list of mappings"`
	// search for parameter values that a paper leaves open (see `copse calibrate`)
	Calibrate config.Place `param:"calibrate" node:"mapping"`
}

// A reader expands a study file into cells. It collects the errors in the field root.
type reader struct {
	keys
	root       config.Place
	folder     string     // folder with the study file and the files of its programs
	findStored CellLookup // nil if the study is read for a run
	isNarrowed bool       // --set may have removed levels of factors
	files      *data.Reader

	memoryLimit int64
	factors     []records.Factor
	used        map[string]bool              // factors used by references such as $n in some cell
	programs    map[string]*external.Program // programs whose files have been read; see readFiles
	cells       []*Cell
}

// A StoredCell identifies a cell of a study without its data files.
type StoredCell struct {
	ID, Key string            // as in Cell
	Sums    map[string]string // SHA-256 of the data files, keyed by path or by name of the data set

	SameUnits  map[string][]string // see Data.SameUnits
	GivenFolds string              // see Data.GivenFolds
}

// A CellLookup returns what is stored about a cell. ok is false for an unknown cell.
type CellLookup func(records.Levels) (cell StoredCell, ok bool)

// Load reads a study file, applies assignments "path=value" (the flag --set) in order, and expands
// the design into cells. The error lists mistakes with their lines and keys. Some mistakes appear
// only when others are corrected.
func Load(file string, assignments ...string) (*Study, error) {
	return LoadWith(nil, file, assignments...)
}

// LoadWith is like Load, but it also decodes sections for other packages, such as "report". The
// argument sections maps their names to the targets of Decode.
func LoadWith(sections map[string]any, file string, assignments ...string) (*Study, error) {
	text, err := readFile(file)
	if err != nil {
		return nil, err
	}
	return parse(filepath.ToSlash(file), text, assignments, nil, sections)
}

// readFile reads a study file. For a results folder, a missing file or a program, the error
// explains the mistake.
func readFile(file string) ([]byte, error) {
	info, err := os.Stat(file)
	isFolder := err == nil && info.IsDir()
	if isFolder && folder.HasResults(file) { // HasResults is also true for a file in the folder submit
		own := filepath.Join(file, folder.Study)
		return nil, &config.Error{Origin: file, Msg: fmt.Sprintf("is a results folder; "+
			"give the path of its study file, `%s`, or redraw its report with `copse report %s`", own, file)}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &config.Error{Origin: file, Msg: "there is no such file" + similarFile(file)}
	}
	if err == nil && external.IsScript(file) {
		return nil, &config.Error{Origin: file, Msg: fmt.Sprintf("is a program, but a study is a YAML file; "+
			"test the program with `copse try %s`", file)}
	}
	open := os.Open // the file may be a pipe
	if folder.HasResults(filepath.Dir(file)) {
		open = regular.Open // refuses pipes and devices, because somebody else may have made the folder
	}
	text, err := Read(file, open)
	if err != nil {
		return nil, &config.Error{Origin: file, Msg: "cannot be read", Cause: err}
	}
	return text, nil
}

// similarFile suggests a YAML file of the same folder, as in `; did you mean "first.yaml"?`, or "".
func similarFile(file string) string {
	dir := filepath.Dir(file)
	entries, _ := os.ReadDir(dir) // none if there is no such folder
	var studies []string
	for _, e := range entries {
		if extension := filepath.Ext(e.Name()); extension == ".yaml" || extension == ".yml" {
			studies = append(studies, e.Name())
		}
	}
	nearest := config.Nearest(filepath.Base(file), studies)
	if nearest == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", filepath.Join(dir, nearest))
}

// maxBytes is the maximum size of a study file, which is read as a whole.
const maxBytes = 16_000_000

// Read returns the content of a study file, which the function open opens. It returns an error if
// the file is too large for a study.
func Read(file string, open func(string) (*os.File, error)) ([]byte, error) {
	f, err := open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err == nil && len(text) > maxBytes {
		err = fmt.Errorf("%s is larger than 16 MB, so it is not a study file", file)
	}
	return text, err
}

// Parse is like Load, but the argument text is the content of the file. If the study is read
// only to report stored results, findStored identifies the cells; otherwise it is nil. If it is set, data
// files may be missing, and Parse skips checks that matter only before a run.
func Parse(file string, text []byte, assignments []string, findStored CellLookup) (*Study, error) {
	return parse(file, text, assignments, findStored, nil)
}

// parse implements Parse and LoadWith. findStored is nil unless the study only reports stored
// results. sections maps the names of sections for other packages to the targets of Decode.
func parse(
	file string, text []byte, assignments []string, findStored CellLookup, sections map[string]any,
) (*Study, error) {
	root, err := config.Parse(file, text)
	if err != nil {
		return nil, err
	}
	if err := assignAll(root, assignments); err != nil {
		return nil, config.Errors{err}
	}
	dir := filepath.Dir(file)
	changesDesign := func(assignment string) bool { return strings.HasPrefix(assignment, "design.") }
	r := &reader{keys: keys{Predictions: "discard"}, root: root, folder: dir, findStored: findStored,
		// A results folder stores the study after --set, which may have removed levels.
		isNarrowed: slices.ContainsFunc(assignments, changesDesign) || folder.HasResults(dir),
		files:      data.NewReader(dir), used: map[string]bool{}, programs: map[string]*external.Program{}}
	if root.Decode("key", &r.keys) {
		r.expand() // sets the factors and cells of r
	}
	for name, target := range sections {
		root.Key(name).Decode("key", target)
	}
	if err := root.Err(); err != nil {
		return nil, err
	}
	return &Study{Name: r.Name, Title: r.Title, Source: r.Source, Seed: r.Seed, Replicates: r.Replicates,
		Metrics: keptMetrics(root), Predictions: r.Predictions == "keep", TimeLimit: r.TimeLimit,
		Memory: r.memoryLimit, File: file, Assignments: assignments, Factors: r.factors, Pair: r.Pair,
		Cells: r.cells, reader: r}, nil
}

// expand expands the design into r.cells, and checks the keys of the study. After an error, r.cells
// is incomplete.
func (r *reader) expand() {
	if r.Memory != "" {
		r.memoryLimit = bytesAt(r.root.Key("memory_limit"))
	}
	list := r.combinations() // the factor levels of each cell
	r.checkPairedFactors()
	if !r.root.Failed() {
		candidates := r.candidates()
		for _, levels := range list {
			cell := r.cell(levels, candidates, list) // nil after an error
			if cell != nil {
				r.cells = append(r.cells, cell)
			}
		}
	}
	r.checkName()
	r.checkMetrics()
	if !r.root.Failed() { // r.cells is complete
		r.nameSources()
		r.checkAcrossCells()
	}
}

// onlyReports is true if the reader needs the study for stored results only (see Parse).
func (r *reader) onlyReports() bool { return r.findStored != nil }

// MaxNameLength is the maximum length of a study's name. copse appends suffixes to it, and most
// file systems limit file names to 255 bytes.
const MaxNameLength = 100

func (r *reader) checkName() {
	if !config.ValidName(r.Name) || len(r.Name) > MaxNameLength {
		r.root.Key("study").Fail("%q is not a valid folder name (at most %d characters); %s", r.Name,
			MaxNameLength, config.NameRule)
	}
}

// cell returns the cell with the factor levels c, or nil if this or an earlier cell has an error. It
// reports errors in the data section even after an error in an earlier cell. list contains the
// factor levels of all cells.
func (r *reader) cell(c combination, candidates []candidate, list []combination) *Cell {
	errorsBefore := r.root.ErrorCount() // of earlier cells
	source, _ := r.dataSection(c)
	section := r.substitute(source, c)
	if r.root.ErrorCount() > errorsBefore {
		return nil // the section may still contain references, which cannot be decoded
	}
	cell := &Cell{Levels: c.levels(), Data: r.data(section), source: source} // Data is nil after an error
	if errorsBefore > 0 {
		return nil // errors in the data of earlier cells could cause further errors in the classifiers
	}
	cell.Classifiers = r.classifiers(candidates, c, cell.Levels, cell.Data)
	if r.root.Failed() {
		return nil
	}
	r.identify(cell, candidates, list)
	return cell
}

// checkAcrossCells runs the checks that compare cells. Each check assumes that the previous ones
// passed.
func (r *reader) checkAcrossCells() {
	checks := []func(){
		r.checkUnused, r.checkTwins, r.countReplicates, r.checkFolds, r.checkTrials,
		r.checkRepeats, r.checkDiscrete, r.checkMemoryLimit,
	}
	if !r.onlyReports() { // stored results remain readable
		checks = append(checks, r.checkClasses, r.checkOnly, r.checkLabels, r.checkRowValues, r.checkMemory)
	}
	for _, check := range checks {
		if check(); r.root.Failed() {
			return
		}
	}
}

// checkMemoryLimit reports a memory limit in a study without external programs.
func (r *reader) checkMemoryLimit() {
	if r.memoryLimit == 0 {
		return
	}
	isProgram := func(e Entry) bool { return e.Program != nil }
	hasProgram := func(c *Cell) bool { return c.Data.Program != nil || slices.ContainsFunc(c.Classifiers, isProgram) }
	if !slices.ContainsFunc(r.cells, hasProgram) {
		r.root.Key("memory_limit").Fail(
			"limits the memory of external programs, but this study has none; `copse run --memory` limits copse itself")
	}
}

// checkClasses reports a metric such as sensitivity:sick if no cell has the class sick.
func (r *reader) checkClasses() {
	for _, name := range r.Metrics {
		m, _ := metrics.Lookup(name) // checkMetrics has reported unknown metrics
		var lacksClass error         // the last error, or nil if some cell has the class
		for _, c := range r.cells {
			if _, lacksClass = m.InClasses(c.Data.ClassNames()); lacksClass == nil {
				break
			}
		}
		if lacksClass != nil {
			r.root.Key("metrics").Fail("%s", lacksClass)
		}
	}
}

// checkOnly reports a classifier that runs in no cell because of its key "only".
func (r *reader) checkOnly() {
	runs := map[int]bool{} // by position in the list of classifiers
	for _, c := range r.cells {
		for _, e := range c.Classifiers {
			runs[e.index] = true
		}
	}
	for i, item := range r.Classifiers.Items() {
		if !runs[i] {
			item = item.WithPath(entryPath(classifierID(item)))
			item.Key("only").Fail("matches no cell; correct or remove this item")
		}
	}
}

// checkLabels reports a classifier whose label differs between cells. Tables and figures show one
// label for all cells.
func (r *reader) checkLabels() {
	labels := map[string]string{} // by id
	for _, c := range r.cells {
		for _, e := range c.Classifiers {
			if label, known := labels[e.ID]; known && label != e.Label {
				r.itemOf(e).Key("label").Fail("%q has the labels %q and %q in different cells, but tables show one "+
					"label; give the classifier the same label in all cells, or a different id for each label",
					e.ID, label, e.Label)
				return
			}
			labels[e.ID] = e.Label
		}
	}
}

func (s *Study) Root() config.Place { return s.reader.root.WithoutErrors() }

// Section returns the value of a top-level key of the study's YAML, with an empty list of errors.
// Callers can record their own.
func (s *Study) Section(name string) config.Place { return s.Root().Key(name) }

// YAML returns the text of the study file after all assignments.
func (s *Study) YAML() ([]byte, error) { return s.reader.root.YAML() }

// Describe returns the levels of a cell as readable text, such as "n=200, balanced".
func (s *Study) Describe(c *Cell) string { return c.Levels.Describe(s.Factors) }

// Folder returns the folder with the study file and the files of its programs.
func (s *Study) Folder() string { return filepath.Dir(s.File) }

// Cell returns the cell with the given id, or nil.
func (s *Study) Cell(id string) *Cell {
	i := slices.IndexFunc(s.Cells, func(c *Cell) bool { return c.ID == id })
	if i < 0 {
		return nil
	}
	return s.Cells[i]
}

// ClassifierIDs returns the ids of all classifiers in the order of the study file.
func (s *Study) ClassifierIDs() []string {
	var ids []string
	first := map[string]int{} // from each id to the first of its items in the classifier list
	for _, c := range s.Cells {
		for _, e := range c.Classifiers {
			index, known := first[e.ID]
			if !known {
				ids = append(ids, e.ID)
			}
			if !known || e.index < index {
				first[e.ID] = e.index
			}
		}
	}
	slices.SortStableFunc(ids, func(a, b string) int { return first[a] - first[b] })
	return ids
}
