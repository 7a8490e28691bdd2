package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"copse/report/canvas"
	"copse/report/panels"
	"copse/report/view"
	"copse/stats/metrics"
	"copse/stats/records"
)

// A request contains the options of a figure and the cells, measure and classifiers that they select.
type request struct {
	*view.View  // its tests compare the family of the figure
	options     Options
	kind        *Kind
	cells       []records.Cell
	measure     *view.Measure
	classifiers []string // ids of classifiers
	leftOut     string   // sentence on the cells that a figure of excess leaves out

	// drawPage sets the fields pageCells and panels.
	pageCells []records.Cell
	panels    []view.Group // the cells of each panel
}

// newRequest finds the cells, the measure and the classifiers that the options name. It returns an error for an
// unknown name, or for an option that this kind of figure does not use.
func newRequest(v *view.View, o Options) (*request, error) {
	kind := slices.IndexFunc(Kinds, func(k Kind) bool { return k.Name == o.Kind })
	if kind < 0 {
		return nil, fmt.Errorf("unknown kind %q", o.Kind)
	}
	o.Title = cmp.Or(o.Title, v.Title)
	r := &request{View: v.WithFamily(o.Family), options: o, kind: &Kinds[kind]}
	var err error
	if r.cells, err = r.SelectCells(o.Where); err != nil {
		return nil, err
	}
	if r.measure, err = r.recordedMeasure(); err != nil {
		return nil, err
	}
	if r.classifiers, err = r.ClassifiersOrAll(o.Columns); err != nil {
		return nil, err
	}
	if err := r.kind.checkUse(&o); err != nil {
		return nil, err
	}
	if err := o.checkColumns(r.classifiers); err != nil {
		return nil, err
	}
	// By default, the champion of a figure is the champion of the study, as in tables.
	compared := r.Compared(r.measure, r.classifiers)
	if o.Champion == "" && r.kind.Reads("champion") && slices.Contains(compared, v.Champion) {
		r.options.Champion = v.Champion
	}
	if o.Excess {
		err = r.overOracle()
	}
	return r, err
}

// recordedMeasure returns the measure for the option Metric, or an error if the records lack this metric.
func (r *request) recordedMeasure() (*view.Measure, error) {
	measure, err := r.Measure(r.options.Metric, r.options.Scale, r.cells)
	if err != nil {
		return nil, err
	}
	// Metrics of scores or probabilities are computed only if the study lists them.
	if m := measure.Metric; m.NeedsRows() && !slices.Contains(r.Records.Metrics, m.Name) {
		return nil, view.OptionError("metric",
			"the records contain no %s: add `metrics: [%s]` to the study and run it again", measure.Name, m.Name)
	}
	return &measure, nil
}

// overOracle changes the measure to the difference from the oracle on the same data. It leaves out the oracle
// itself and the cells in which the oracle did not run.
func (r *request) overOracle() (err error) {
	if err := r.SubtractOracle(r.measure); err != nil {
		return err
	}
	if r.cells, r.leftOut, err = r.WithBaseline(r.cells, r.measure); err != nil {
		return err
	}
	r.classifiers = view.Except(r.classifiers, r.measure.Baseline)
	if len(r.classifiers) == 0 {
		return view.OptionError("columns excess",
			"the figure has no classifier other than the oracle, whose excess loss is 0: list another one in `columns`")
	}
	r.options.Reference = ""
	return nil
}

// showsMetric reports whether this kind of figure shows the metric in Options.Metric.
func (r *request) showsMetric() bool { return r.kind.Reads("metric") }

// checkAnyValue returns an error if fits succeeded but none of them has a value of the measure.
func (r *request) checkAnyValue() error {
	anySucceeded := false
	for i := range r.cells {
		for k := range r.cells[i].Rows {
			fit := &r.cells[i].Rows[k]
			if fit.Status != records.OK || !slices.Contains(r.classifiers, fit.Classifier) {
				continue
			}
			if r.hasValue(fit) {
				return nil
			}
			anySucceeded = true
		}
	}
	// Results of a rehearsal are made up and can lack metrics that need confusion matrices.
	mayBeDefined := r.Rehearsal && r.measure.Metric.Needs == metrics.Counts
	if !anySucceeded || mayBeDefined { // if every fit failed, the figure counts the failures
		return nil
	}
	return view.OptionError("metric", "no successful fit of %s has a value for %s%s",
		r.Labels(r.classifiers), r.measure.Name, r.whyMissing())
}

func (r *request) hasValue(fit *records.Record) bool {
	if r.measure.Cost != nil {
		return !math.IsNaN(r.measure.Cost(fit))
	}
	return !math.IsNaN(fit.Loss(r.measure.Metric))
}

// errorNoun returns the caption's name for the standard errors of means, such as "Monte-Carlo standard errors".
// Without measures, it returns "".
func (r *request) errorNoun(groups []view.Group, measures ...*view.Measure) string {
	noun := r.StandardErrorNoun(groups, measures...)
	if noun != "" && slices.ContainsFunc(groups, r.HasOneTestSet) {
		noun += " (between fits, not between test rows)"
	}
	return noun
}

// checkTests returns an error if the champion is not one of the compared classifiers, or if a cell
// scores classifiers on their training rows: such results are not tested.
func (r *request) checkTests(compared []string) error {
	champion := r.options.Champion
	switch {
	case champion != "" && !slices.Contains(compared, champion):
		return view.ValueError("champion", champion,
			"the champion %q is not one of the classifiers that the figure compares by %s; choose one of %s",
			champion, r.measure.Name, strings.Join(compared, ", "))
	case r.ScoresTraining(view.Group{Cells: r.cells}):
		return view.OptionError("where kind", "%s need tests, but results on training rows (`scored: training`) are "+
			"not tested: select other cells with `where`, or use another kind of figure", r.kind.Name)
	}
	return nil
}

// needsPredictions returns the error for a measure of time or memory in a kind of figure that cannot show it.
func (r *request) needsPredictions() error {
	return view.OptionError("metric", "a figure of kind `%s` needs a metric that is computed from predictions, not %s",
		r.kind.Name, r.measure.Name)
}

// whyMissing returns the end of the sentence "no successful fit has a value for the measure", which states the
// possible reason.
func (r *request) whyMissing() string {
	switch r.measure.Metric.Needs {
	case metrics.Probabilities:
		return ", which needs class probabilities (`probabilities: platt` derives them from scores)"
	case metrics.Process:
		return ", which copse measures only for separate processes"
	case metrics.Clock:
		return ": copse reads times from timings.csv or the journals"
	}
	return ": it is undefined on these test rows, or not stored"
}

func joinNonEmpty(separator string, parts ...string) string {
	return strings.Join(view.Except(parts, ""), separator)
}

// emptyPage returns a page without panels. By default, it allows two panels in a row, or one on a narrow page.
func (r *request) emptyPage() panels.Page {
	millimetres, _ := view.Width(r.options.Width) // validated
	p := panels.Page{Width: canvas.MM(millimetres), PerRow: r.options.PerRow, Requested: r.options.PerRow}
	if p.PerRow == 0 {
		p.PerRow = 1
		if millimetres > 1.2*view.ColumnWidth {
			p.PerRow = 2
		}
	}
	return p
}

// panelTitle describes the factor levels of a group, such as "Gaussian, n = 200".
func (r *request) panelTitle(g *view.Group) string { return r.InWords(g.Factors, g.Levels) }

// splitReference separates the reference from the other classifiers. If the figure shows only the reference or
// no reference, drawn lists all classifiers and reference is "".
func (r *request) splitReference() (drawn []string, reference string) {
	drawn = view.Except(r.classifiers, r.options.Reference)
	if len(drawn) == 0 || len(drawn) == len(r.classifiers) {
		return r.classifiers, ""
	}
	return drawn, r.options.Reference
}

// allCompared returns the classifiers that tests compare, including those without any value of the measure:
// captions count missing values, too.
func (r *request) allCompared() []string { return r.Compared(nil, r.classifiers) }

// poolingSentences describes the cells that each mean combines, and the missing or undefined results. The
// argument subject begins the first sentence, such as "Each panel".
func (r *request) poolingSentences(subject string, groups []view.Group, m *view.Measure, ids []string) string {
	sentences := r.PoolingSentence(subject, r.inPanels(groups), m, ids) + " " +
		r.AddedCountsSentence(groups, m) + " " +
		r.LeftOutResults(groups, m, ids) + " " + r.UndefinedSentence("Not shown", groups, m, ids)
	var tested []string
	return sentences + " " + strings.Join(r.PartialMeans(groups, m, ids, tested), " ")
}

// inPanels adds the factors of the panels to the factors of each group, so that PoolingSentence accepts groups
// that differ in these factors.
func (r *request) inPanels(groups []view.Group) []view.Group {
	groups = slices.Clone(groups)
	for i := range groups {
		groups[i].Factors = slices.Concat(groups[i].Factors, r.options.Panel)
	}
	return groups
}

// eachPanel returns the subject of a caption's sentence about the panels.
func (r *request) eachPanel() string {
	if len(r.panels) == 1 {
		return "The figure"
	}
	return "Each panel"
}

// groupLabels contains the labels of groups of cells, such as the rows of a coloured table.
type groupLabels struct {
	factors []string   // outermost first
	levels  [][]string // levels[i][j] is the level of factor j in group i
}

func (r *request) labelsOf(groups []view.Group) (l groupLabels) {
	for _, g := range groups {
		l.factors = r.FactorLabels(g.Factors)
		l.levels = append(l.levels, r.LevelLabels(g.Factors, g.Levels))
	}
	return l
}

// repeats reports whether groups i-1 and i have the same levels of factor j and of all factors before j.
func (l *groupLabels) repeats(i, j int) bool {
	return i > 0 && slices.Equal(l.levels[i][:j+1], l.levels[i-1][:j+1])
}

// groupIntoRows groups cells by the levels of the factors in Options.Rows or, by default, of all factors that
// vary. Each group is a row of a table or a step of a nested-loop plot.
func (r *request) groupIntoRows(cells []records.Cell) ([]view.Group, error) {
	if len(r.options.Rows) == 0 {
		return r.Groups(cells, r.Varying(cells))
	}
	rows, err := r.Groups(cells, r.options.Rows)
	if err == nil && r.showsMetric() { // other figures do not pool fits
		err = r.CheckPooling(rows, r.measure, view.RowKeys)
	}
	return rows, err
}
