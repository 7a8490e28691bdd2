package table

import (
	"slices"

	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/recipe"
	"copse/stats/records"
)

// Options describes a table that has a row for each group of cells and a column for each classifier.
type Options struct {
	// file name without extension. It keeps a to z, A to Z, digits and `._+=-`. An underscore
	// replaces each run of other characters
	Name string `param:"name"`
	// title in one line, as plain text; if empty, the study's title
	Title string `param:"title"`
	// sentences before the generated caption, as plain text. Unicode characters work, but TeX such
	// as `$n$` does not
	Caption string `param:"caption"`
	// metric to show; `copse list metrics` shows all metrics. Measured times are not reproducible
	Metric string `param:"metric"`
	// several metrics in one table, instead of `metric`. Each metric has a block of rows and
	// separate tests
	Metrics []string `param:"metrics" distinct:"true"`
	// unit of rates
	Scale string `param:"scale" enum:"percent,fraction"`
	// factors whose levels are the rows, outermost first. Without this key, all factors that vary.
	// `rows: []` gives a single row that pools all cells and gives each data set the same weight. A
	// row must not pool cells of a generator with cells of a data set
	Rows []string `param:"rows" distinct:"true"`
	// ids of the classifiers to show; if empty, all classifiers
	Columns []string `param:"columns" distinct:"true"`
	// ids of the classifiers to compare; if empty, the classifiers in `inference.family`
	Family []string `param:"family" distinct:"true"`
	// name of a paired test (see `copse list tests`), such as the test of a publication. If empty,
	// the test in `inference.test`
	Test string `param:"test"`
	// cells to use: a list such as `[n=100, n=200]`, or a mapping such as `{n: [100, 200]}`. Several
	// levels of a factor are alternatives
	Where records.Condition `param:"where" node:"list of strings, or mapping of levels"`
	// numbers in parentheses: standard deviation, standard error of the mean, smallest and largest
	// result, or adjusted p-value of the comparison with the best classifier of the row (or the
	// champion)
	Spread string `param:"spread" enum:"sd,se,range,p,none"`
	// number of decimals of the first metric, from 0 to 6. If this metric is in percent, metrics
	// that are not in percent have two more decimals. -1 chooses the decimals of each metric:
	// percentages have two. For other metrics, the median of the means has three significant digits.
	// There are at least four decimals (times and memory: one), unless these give it more than five
	// significant digits, and at most six. If the median is below 5e-7 or at least 1e7, numbers are
	// printed as 2.55e-12
	Digits int `param:"digits" range:"[-1,6]"`
	// show the difference from the oracle on the same data. It is the loss minus the oracle's loss.
	// For metrics whose best value is 1, it is the shortfall from the oracle. Cells in which the
	// oracle did not run are left out
	Excess bool `param:"excess"`
	// factor whose levels the table compares. It must be a factor of the rows. Entries show the
	// mean at each level minus the mean at the first level that occurs with the same levels of the
	// other row factors. A difference uses only cells that have a partner at the other level with
	// the same levels of all other factors. The table names the cells that are left out. Entries
	// have an interval that is not corrected. An entry is bold if a two-sided t test shows that it is
	// not 0. The tests have the level and the correction of `inference`, over the compared
	// classifiers of the row. Here, `best` and `pairs` are the same as `bonferroni`. If cells share
	// draws (see the key `pair`), the intervals and tests use paired differences
	Contrast string `param:"contrast"`
	// print in bold the best classifier and those that the test does not show to be worse. `false` also
	// turns off the tests
	Bold bool `param:"bold"`
	// add a row of average ranks over the blocks, as in a critical-difference diagram of the same cells
	Ranks bool `param:"ranks"`
	// add a row with the largest Monte-Carlo standard error of each column
	MCSE bool `param:"mcse"`
	// printed width in LaTeX: `column` (3.25 in, the column width of ICML), `text` (6 in, across
	// both columns of a two-column document), a length such as 12.5cm or 6.9in, or a number in mm.
	// The default is 6 in, for a document with one column. Wider tables are divided into blocks of
	// columns. The default for the table of tuned values is the width of the widest other table, or `text` if all
	// others fit into one of two columns
	Width string `param:"width" unit:"mm"`
	// whether LaTeX tables show classifiers as columns or as rows. `auto` chooses rows if `width`
	// is set and rows give fewer blocks of columns
	Methods string `param:"methods" enum:"auto,columns,rows"`
}

// automaticDigits is the value of Options.Digits that chooses the number of decimals to suit the results.
const automaticDigits = -1

// Defaults returns the options of the tables in the papers: mean and standard deviation of the error
// in percent, with the best classifiers in bold.
func Defaults() Options {
	return Options{Name: "table", Metric: "error", Scale: "percent", Spread: "sd", Digits: automaticDigits, Bold: true,
		Methods: sheet.MethodsAuto}
}

// SetDefaults sets t to the default options.
func (t *Options) SetDefaults() { *t = Defaults() }

// Validate checks rules that the struct tags cannot express.
func (t *Options) Validate() error {
	if err := sheet.CheckName(t.Name); err != nil {
		return recipe.Errorf("name", "%s", err)
	}
	if err := t.validateMetrics(); err != nil {
		return err
	}
	isNamed := func(known stats.Test) bool { return known.Name == t.Test }
	if t.Test != "" && !slices.ContainsFunc(stats.AllTests(), isNamed) {
		return recipe.Errorf("test", "no test %q; `copse list tests` shows all tests", t.Test)
	}
	hasIgnored := t.Ranks || t.MCSE || t.Test != "" || t.Spread != Defaults().Spread
	if t.Contrast != "" && hasIgnored {
		return recipe.Errorf("contrast", "a table of contrasts shows differences between levels with intervals; "+
			"remove `ranks`, `mcse`, `test` and `spread`")
	}
	if t.Spread == "p" && !t.Bold {
		return recipe.Errorf("spread", "`bold: false` turns off the tests, so `spread: p` has no p-values; remove one "+
			"of these keys")
	}
	if _, err := printedWidth(t.Width); err != nil {
		return recipe.Errorf("width", "%s", err)
	}
	return nil
}

func (t *Options) validateMetrics() error {
	if _, err := metrics.Lookup(t.Metric); err != nil {
		return recipe.Errorf("metric", "%s", err)
	}
	if len(t.Metrics) > 0 && t.Metric != Defaults().Metric {
		return recipe.Errorf("metric", "set only one of `metric` and `metrics`; list several metrics under `metrics`")
	}
	for i, name := range t.Metrics {
		if _, err := metrics.Lookup(name); err != nil {
			return recipe.Errorf("metrics", "%s", err)
		}
		if slices.Contains(t.Metrics[:i], name) {
			return recipe.Errorf("metrics", "%s is listed twice", name)
		}
	}
	return nil
}

// ShownMetrics returns the metrics of the table in their order.
func (t *Options) ShownMetrics() []string {
	if len(t.Metrics) > 0 {
		return t.Metrics
	}
	return []string{t.Metric}
}

// columnWidth is the column width of ICML papers, in millimetres. It is smaller than
// view.ColumnWidth, because LaTeX scales wide figures down, but not tables.
const columnWidth = 3.25 * 25.4

// printedWidth converts the option `width` of a table, such as "column", to millimetres. It returns
// 0 for "".
func printedWidth(text string) (float64, error) {
	switch text {
	case "":
		return 0, nil
	case "column":
		return columnWidth, nil
	}
	return view.Width(text)
}

func texPoints(mm float64) float64 { return mm / 25.4 * 72.27 }
