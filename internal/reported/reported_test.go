package reported

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"copse/classifiers"
	"copse/experiments/calibrate"
	"copse/experiments/external"
	"copse/experiments/results"
	"copse/experiments/study"
	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/internal/texttest"
	"copse/internal/toys"
	"copse/report/compare"
	"copse/report/view"
	"copse/stats/metrics"
	"copse/stats/records"
)

// small is a study with two cells. Its last section is report.
const small = `study: small
seed: 3
replicates: 4
design: {n: [30, 60]}
data:
  generator: {name: forest, d: 3}
  train: {n: $n}
  test: {n: 40}
classifiers: [5nn, lda, oracle]
`

// load reads a study with the given text and writes the given files next to it.
func load(t *testing.T, text string, files map[string]string) *Study {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		filetest.Write(t, filepath.Join(dir, name), content)
	}
	file := filepath.Join(dir, "study.yaml")
	filetest.Write(t, file, text)
	s, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// All published tables form one comparison at the level of the inference. Tables without records are omitted.
func TestComparisonOfPublishedTables(t *testing.T) {
	const header = "n,classifier,mean_error,sd_error\n"
	const entry = "  - {file: %s, source: %s, columns: {n: n}, replicates: 10}\n"
	files := map[string]string{"other.csv": header + "90,lda,0.2,0.01\n", "t.csv": header +
		"30,lda,0.2,0.01\n60,lda,0.2,0.01\n"}
	s := load(t, small+"inference: {alpha: 0.01}\npublished:\n"+fmt.Sprintf(entry, "t.csv", "A")+fmt.Sprintf(entry,
		"t.csv", "B"), files)
	c, _ := comparisonOf(s, madeUpRecords(s.Study), view.Study{})
	if c == nil {
		t.Fatal("no comparison")
	}
	if c.Source != "A and B" || len(c.Pairs) != 4 || c.Test.Alpha != 0.01 ||
		c.Test.Margin != 0.02 {
		t.Errorf("%+v", c)
	}
	if table := c.Pairs[2].Levels.Of(compare.TableFactor); table != "2. B, test error" {
		t.Errorf("%q", table)
	}
	s = load(t, small+"published:\n"+fmt.Sprintf(entry, "other.csv", "A"), files)
	c, notes := comparisonOf(s, madeUpRecords(s.Study), view.Study{})
	if len(notes) != 1 || !strings.Contains(notes[0], "no row of other.csv") {
		t.Errorf("%q", notes)
	}
	if c != nil {
		t.Errorf("%+v", c)
	}
}

// The comparison with published numbers treats failed fits as the tables of the study do.
func TestComparisonTreatsFailures(t *testing.T) {
	const table = "n,classifier,mean_error,sd_error\n30,5nn,0.2,0.01\n30,lda,0.2,0.01\n"
	const entry = "published: [{file: t.csv, columns: {n: n}, replicates: 10}]\n"
	for failures, want := range map[string][]int{"common": {3, 0}, "worst": {3, 3}} {
		s := load(t, strings.Replace(small, "replicates: 4", "replicates: 3", 1)+
			"inference: {failures: ["+failures+"]}\n"+entry, map[string]string{"t.csv": table})
		rows := madeUpRecords(s.Study)
		for _, r := range slices.Clone(rows.Rows) { // a third replicate, in which LDA fails
			if r.Replicate == 1 {
				r.Replicate, r.Data = 3, r.Data+" again"
				if r.Classifier == "lda" {
					r.Status, r.Error, r.BER = records.Failed, math.NaN(), math.NaN()
				}
				rows.Rows = append(rows.Rows, r)
			}
		}
		rows.Sort()
		c, _ := comparisonOf(s, rows, view.Study{})
		if got := []int{c.Pairs[0].Ours.N, c.Pairs[1].Ours.N}; !slices.Equal(got, want) {
			t.Errorf("%s: means over %d results, want %d", failures, got, want)
		}
	}
}

// Means over folds of drawn problems are compared with published numbers as in tables: one result for each problem, and
// a failed fold sets the classifier aside.
func TestComparisonIsOverTasks(t *testing.T) {
	s := load(t, `study: tasks
seed: 3
replicates: 12
data: {generator: {name: forest, d: 3}, sample: {n: 60}, folds: 3}
classifiers: [5nn, lda]
published: [{file: t.csv, columns: {}, replicates: 4}]
`, map[string]string{"t.csv": "classifier,mean_error,sd_error\n5nn,0.2,0.01\nlda,0.2,0.01\n"})
	rows := madeUpRecords(s.Study)
	var more []records.Record
	for _, r := range rows.Rows {
		for offset := r.Replicate; offset <= s.Replicates; offset += madeUpReplicates(s.Study, s.Cells[0]) {
			r.Replicate = offset
			if r.Classifier == "lda" && offset == 5 {
				r.Status, r.Error, r.BER = records.Failed, math.NaN(), math.NaN()
			}
			more = append(more, r)
		}
	}
	rows.Rows = more
	rows.Sort()
	c, _ := comparisonOf(s, rows, describeDesign(s.Study, nil))
	knn, lda := c.Pairs[0].Ours, c.Pairs[1].Ours
	if knn.N != 4 || knn.Failed != 0 || lda.N != 0 || lda.Failed != 4 {
		t.Errorf("5-NN %+v, LDA %+v; want means over 4 problems, without LDA", knn, lda)
	}
}

// Tables that print different classifiers for the same cells are ranked together, like parts of one table. Tables with
// the same classifier are ranked separately. A factor of the study may have the name "published_table".
func TestTablesAreRankedTogether(t *testing.T) {
	const header = "n,classifier,mean_error,sd_error\n"
	files := map[string]string{"knn.csv": header + "30,5nn,0.2,0.01\n60,5nn,0.2,0.01\n",
		"lda.csv": header + "30,lda,0.1,0.01\n60,lda,0.1,0.01\n"}
	renamed := strings.NewReplacer("design: {n:", "design: {published_table:", "$n", "$published_table").Replace(small)
	const entry = "  - {file: %s, columns: {n: published_table}, replicates: 9}\n"
	for second, want := range map[string]string{"lda.csv": " of 2 cells",
		"knn.csv": "No cell has two classifiers to rank"} {
		s := load(t, renamed+"published:\n"+fmt.Sprintf(entry, "knn.csv")+fmt.Sprintf(entry, second), files)
		rows := madeUpRecords(s.Study)
		papers, _ := comparisonOf(s, rows, view.Study{})
		c := compare.New(s.Layout.View(view.Study{}, rows), *papers)
		texttest.Case(t, second).Contains(c.Findings(), want)
		for _, p := range c.Pairs {
			if level := p.Levels.Of("published_table"); level != "30" && level != "60" {
				t.Errorf("%s: published_table is %q", second, level)
			}
		}
	}
}

// The order of the rows does not decide whether random groups leave enough training rows. If some splits do not, check
// remarks on it.
func TestRemarkOnSmallTrainingParts(t *testing.T) {
	for _, sizes := range [][]int{{39, 11, 50}, {11, 50, 39}} {
		var csv strings.Builder
		csv.WriteString("x,g,class\n")
		for g, size := range sizes {
			for i := range size {
				fmt.Fprintf(&csv, "%d.5,%d,%d\n", i, g, i%2)
			}
		}
		path := filepath.Join(t.TempDir(), "t.csv")
		filetest.Write(t, path, csv.String())
		text := "study: s\nseed: 1\nreplicates: 4\nclassifiers: [lda, nb]\ndata: {csv: " + path +
			", groups: g, holdout: 0.3, train: {n: %d}}\n"
		remark := path + ": some splits of the groups leave only 39 rows for training"
		for n, want := range map[int]bool{39: false, 61: true} {
			got := strings.Join(load(t, fmt.Sprintf(text, n), nil).Remarks(), "\n")
			texttest.Case(t, fmt.Sprintf("%v, n = %d", sizes, n)).ContainsIf(want, got, remark)
		}
		want := "a training part can have only 61 rows"
		texttest.Case(t, sizes).Contains(loadError(t, fmt.Sprintf(text, 62)), want)
	}
}

// The remark on calibration states which class is predicted.
func TestRemarkStatesThePredictedClass(t *testing.T) {
	const rows, label = " of the training rows", "; the predicted label is the class with the "
	costs := classifiers.Costs{"1": {"0": 5}}
	for _, c := range []struct {
		p    classifiers.Preparation
		want string
	}{
		{classifiers.Preparation{}, rows},
		{classifiers.Preparation{CalibratedLabels: true}, rows + label + "largest probability"},
		{classifiers.Preparation{CalibratedLabels: true, Costs: costs}, rows + label + "smallest expected cost"},
		{classifiers.Preparation{CalibratedLabels: true, Threshold: "ber"}, rows},
	} {
		c.p.Probabilities = classifiers.PlattScaling
		if got := remark(c.p); !strings.HasSuffix(got, c.want) {
			t.Errorf("%+v: %s", c.p, got)
		}
	}
}

// Remarks on a figure use the labels that readers see.
func TestRemarksUseLabels(t *testing.T) {
	const figures = "report: {figures: [{name: loops, kind: nested}]"
	words := strings.Repeat("rows ", 16)
	remarks := func(labels string) []string {
		return load(t, small+figures+labels+"}\n", nil).Remarks()
	}
	if short := remarks(""); len(short) > 0 {
		t.Errorf("without labels: %q", short)
	}
	if long := remarks(fmt.Sprintf(", labels: {n: %s, n=30: %[1]s, n=60: %[1]sx}", words)); len(long) == 0 {
		t.Error("no remark on words that leave the cells no room")
	}
	const want = "levels 30 and 60 of n have the same label few; give one of them another label"
	if alike := remarks(", labels: {n=30: few, n=60: few}"); !slices.Equal(alike, []string{want}) {
		t.Errorf("equal labels of levels: %q", alike)
	}
}

// A margin of equivalence that nearly all differences satisfy gets a remark.
func TestRemarkOnLargeMargins(t *testing.T) {
	for option, want := range map[string]string{
		"margin: 0.9":  "inference.margin: 0.9 means 90 percentage points",
		"rope: 0.5":    "inference.rope: 0.5 means 50 percentage points",
		"margin: 0.03": "",
	} {
		remarks := strings.Join(load(t, small+"inference: {"+option+"}\n", nil).Remarks(), "\n")
		if !strings.HasPrefix(remarks, want) || want == "" && remarks != "" {
			t.Errorf("%s: remarks %q, want %q", option, remarks, want)
		}
	}
}

// One remark names all characters of labels that the font of the figures lacks. Another one names the characters that
// pdflatex cannot print, in captions, too.
func TestRemarkOnCharacters(t *testing.T) {
	labels := strings.Replace(small, "5nn,", "{id: 5nn, classifier: 5nn, label: 朴素 α ≤ é 朴},", 1)
	figures := "report: {figures: [{name: one, panel: [n]}, {name: two, panel: [n]}]}\n"
	risk := strings.Replace(figures, "{", "{labels: {error: 朴素}, ", 1)
	for text, want := range map[string]bool{labels + figures: true, small + figures: false, labels: true,
		small + risk: true, small + "report: {tables: [{name: one, caption: 朴素}]}\n": false} {
		remarks := load(t, text, nil).Remarks()
		isOfLatex := func(remark string) bool { return strings.Contains(remark, "captions or labels: 朴素. Compile") }
		if slices.ContainsFunc(remarks, isOfLatex) != (strings.Contains(text, "朴素")) {
			t.Errorf("LaTeX: %q", remarks)
		}
		remarks = slices.DeleteFunc(remarks, isOfLatex)
		if (len(remarks) == 1 && strings.Contains(remarks[0], "labels: 朴素. The PNG")) != want || len(remarks) > 1 {
			t.Errorf("%q", remarks)
		}
	}
}

// protocolOf returns the protocol of a study as Markdown. m may be nil.
func protocolOf(t *testing.T, s *Study, m *results.Manifest) string {
	t.Helper()
	p, err := s.Protocol(m)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := p.Markdown(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A protocol lists the families that the report of the same study tests.
func TestProtocolOfMadeUpResults(t *testing.T) {
	protocol := protocolOf(t, load(t, small, nil), nil)
	texttest.Contains(t, protocol, "# Protocol: Study small", "5-NN", "copse run", "family-wise level 0.05")
}

// A protocol names the test of two methods if failures can leave only two of them. This is not possible if scores
// replace failed fits.
func TestProtocolNamesTestOfTwoMethods(t *testing.T) {
	three := strings.Replace(small, "5nn,", "5nn, nb,", 1)
	for text, want := range map[string]bool{small: false, three: true,
		three + "inference: {failures: worst}\n": false, three + "inference: {test: sign}\n": false} {
		texttest.ContainsIf(t, want, protocolOf(t, load(t, text, nil), nil),
			"only two methods to compare in a row, the test is the Wilcoxon signed-rank test, and ")
	}
}

// A protocol defines the levels of a factor by the parameters that they set, unless a level is their value.
func TestProtocolDefinesLevels(t *testing.T) {
	text := strings.NewReplacer(
		"{n: [30, 60]}", "{d: [3, 4], noise: {low: {sd: 1, df: 3}, high: {sd: 2, df: 4}}, n: [30, 60]}",
		"forest, d: 3", "forest, d: $d, noise_sd: $noise.sd, t_df: $noise.df").Replace(small)
	texttest.Contains(t, protocolOf(t, load(t, text, nil), nil), "- d: 3, 4\n", "- n: 30, 60\n",
		`- noise: low (noise\_sd = 1, t\_df = 3), high (noise\_sd = 2, t\_df = 4)`)
}

// A protocol names the limits of earlier sessions that differ from the present ones. Sessions without a stored
// configuration are left out.
func TestProtocolNamesEarlierLimits(t *testing.T) {
	s := load(t, small+"time_limit: 10m\n", nil)
	m := &results.Manifest{}
	for _, limits := range []string{"", "time_limit: 20ms\n", "time_limit: 10m\nmemory_limit: 2GB\n",
		"time_limit: 10m\n", "time_limit: 20ms\n", "time_limit: 600s\n"} {
		m.Sessions = append(m.Sessions, results.Session{Config: small + limits})
	}
	m.Sessions = append(m.Sessions, results.Session{})
	var got []string
	for line := range strings.Lines(protocolOf(t, s, m)) {
		if strings.HasPrefix(line, "An earlier session") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	const end = ", and some results may come from that session."
	want := []string{"An earlier session had another time limit (none)" + end,
		"An earlier session had another time limit (20ms)" + end,
		"An earlier session had another memory limit (2GB)" + end}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A protocol describes the rows of a CSV file: their number, columns, classes and folds.
func TestProtocolOfFile(t *testing.T) {
	var rows strings.Builder
	rows.WriteString("x,y,class\n")
	for i := range 40 {
		fmt.Fprintf(&rows, "%d.5,%d.25,%s\n", i, i*i%7, []string{"no", "no", "no", "yes"}[i%4])
	}
	file := filepath.Join(t.TempDir(), "rows.csv")
	filetest.Write(t, file, rows.String())
	text := "study: file\nseed: 3\ndata: {csv: " + file + ", folds: 5, repeats: 2}\nclassifiers: [5nn, lda]\n"
	protocol := protocolOf(t, load(t, text, nil), nil)
	const want = "rows.csv: 40 rows, 2 columns, classes: no 75.0%, yes 25.0%; 5 folds, 2 repeats"
	texttest.Contains(t, protocol, want)
}

// A protocol states which rows, columns and classes of a file a study uses. Cells with other rows have their own entry.
func TestProtocolStatesSelection(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rows.csv")
	filetest.Write(t, file, "x,y,z,class\n"+strings.Repeat("1,2,u,a\n2,,u,b\n2,2,v,b\n3,1,v,c\n", 10))
	text := `study: file
seed: 3
design: {used: {all: ["x >= 1"], some: ["x <= 2"]}}
data: {folds: 5, repeats: 2, drop: [z], rows: $used, merge: {ill: [b]}, train: {n: 8}, csv: ` + file + `}
classifiers: [nb]
`
	protocol := strings.ReplaceAll(protocolOf(t, load(t, text, nil), nil), `\`, "")
	texttest.Contains(t, protocol,
		"rows.csv: 40 rows, 2 columns, 10 missing values, classes: a 25.0%, c 25.0%, ill 50.0%; read with drop: "+
			"[z], rows: [x &gt;= 1], merge: {ill: [b]}; 5 folds, 2 repeats",
		"rows.csv: 30 of 40 rows, 2 columns, 10 missing values, classes: a 33.3%, ill 66.7%; read with "+
			"drop: [z], rows: [x &lt;= 2], merge: {ill: [b]}; 5 folds, 2 repeats",
		"split: 5 folds, trained on 8 of the training rows")
}

// A protocol names the file of the official test set, with its number of rows.
func TestProtocolNamesTestFile(t *testing.T) {
	folder := t.TempDir()
	train, test := filepath.Join(folder, "train.csv"), filepath.Join(folder, "test.csv")
	filetest.Write(t, train, "x,y,class\n"+strings.Repeat("1,2,a\n2,1,b\n2,2,a\n", 10))
	filetest.Write(t, test, "x,y,class\n"+strings.Repeat("1,2,a\n2,1,b\n", 5))
	text := "study: official\nseed: 3\nreplicates: 1\ndata: {csv: " + train + ", test: {csv: " + test +
		"}}\nclassifiers: [5nn, lda]\n"
	protocol := protocolOf(t, load(t, text, nil), nil)
	rows := "rows of " + train + " and " + test + ": 40 rows, 2 columns, classes: a 62.5%, b 37.5%; the 10 rows of " +
		test + " are the test rows"
	texttest.Contains(t, protocol, "official test set: "+test, rows)
}

// Cells with the same generator have the same problem, whatever its parameters.
func TestProblemsAreGenerators(t *testing.T) {
	s := load(t, small, nil)
	design := describeDesign(s.Study, nil)
	for _, c := range s.Cells {
		if got := design.Problems[c.ID]; got == "" || got != c.Data.GeneratorName() {
			t.Errorf("cell %s: problem %q", c.ID, got)
		}
	}
}

// A rehearsal has a row for every cell, classifier and replicate, no two classifiers alike.
func TestRehearsal(t *testing.T) {
	s := load(t, small, nil)
	rows := madeUpRecords(s.Study)
	if want := 2 * 3 * minReplicates; len(rows.Rows) != want {
		t.Fatalf("%d rows, want %d", len(rows.Rows), want)
	}
	for _, c := range rows.Cells() {
		var wrong []int
		for _, r := range c.Rows {
			if r.Replicate == 1 {
				wrong = append(wrong, r.Errors)
			}
		}
		slices.Sort(wrong)
		if len(slices.Compact(wrong)) != 3 {
			t.Errorf("cell %s: the classifiers have %v errors", c.ID, wrong)
		}
	}
}

// A rehearsal of a large design uses a part of it that contains every classifier and the levels that tables
// name.
func TestRehearsalOfALargeDesign(t *testing.T) {
	var levels []string
	for i := range 40 {
		levels = append(levels, strconv.Itoa(100+i))
	}
	text := strings.NewReplacer("LEVELS", strings.Join(levels, ", ")).Replace(`study: large
seed: 1
replicates: 2
design: {n: [LEVELS], m: [LEVELS], noise: {none: 0, some: $k}}
nested: [{under: {noise: some}, design: {k: [0.1, 0.2]}}]
data: {generator: {name: forest, d: 3}, train: {n: $n}, test: {n: $m}, flip: $noise}
classifiers: [lda, {classifier: nb, only: {n: 137}}]
report: {tables: [{name: t, rows: [m, noise, k], where: {n: 138}}], figures: [{name: f, panel: [m, noise, k]}]}
`)
	s := load(t, text, nil)
	part := s.reduced()
	if n := len(part.Cells); n < 1000 || n > 2*maxCells || len(s.Cells) != 3*40*40 {
		t.Fatalf("%d cells of %d", n, len(s.Cells))
	}
	if !slices.Equal(part.ClassifierIDs(), s.ClassifierIDs()) {
		t.Errorf("classifiers %v", part.ClassifierIDs())
	}
	got := map[string]bool{}
	for _, c := range part.Cells {
		got["n="+c.Levels.Of("n")], got["k="+c.Levels.Of("k")] = true, true
	}
	for _, want := range []string{"n=100", "n=137", "n=138", "k=0.1", "k=0.2", "k="} {
		if !got[want] {
			t.Errorf("no cell has %s", want)
		}
	}
	if got["n=136"] {
		t.Error("every level is minReplicates")
	}
	if err := s.CheckReport(); err != nil {
		t.Error(err)
	}
	s.Layout.Tables[0].Rows = []string{"none"}
	errtest.Case(t, "a table without its factor").Contains(s.CheckReport(), "none")
}

// loadError returns the error for a study whose report section is rejected.
func loadError(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "study.yaml")
	filetest.Write(t, file, text)
	_, err := Load(file)
	if err == nil {
		t.Fatalf("no error of\n%s", text)
	}
	return err.Error()
}

// A mistake in the sections of a report gives an error with the line of its key and the possible values,
// before anything runs.
func TestMistakesHaveTheirKeys(t *testing.T) {
	for section, want := range map[string]string{
		"inference: {alpha: 0.95}": "inference.alpha: 0.95 looks like a confidence level, but `alpha` is the " +
			"significance level; write `0.05`",
		"inference: {family: [ldaa, 5nn]}": `inference.family: "ldaa" is not a classifier of the study;`,
		"inference: {family: [lda, lda]}":  "inference.family: lda is listed twice",
		"inference: {blocks: [q]}": `:10:22: inference.blocks: no factor "q"; the records ` +
			`have n`,
		"report: {formats: [svg, svg]}":                    ":10:25: report.formats[1]: svg is listed twice",
		"report: {tables: [{rows: [n, n]}]}":               "report.tables[0].rows[1]: n is listed twice",
		"report: {figures: [{panel: [n, n]}]}":             "report.figures[0].panel[1]: n is listed twice",
		"report: {figures: [{page: [n], panel: [n]}]}":     "report.figures[0].panel: n already separates pages",
		"inference: {failures: [worst, worst]}":            "inference.failures[1]: worst is listed twice",
		"inference: {blocks: [n]}":                         ":10:21: inference.blocks: several blocks contain forest",
		"inference: {blocks: [n, n]}":                      ":10:25: inference.blocks[1]: n is listed twice",
		"inference: {alternative: less, champion: nb}":     `inference.champion: "nb" is not a classifier of the study`,
		"inference: {alternative: less, champion: oracle}": "inference.champion: tests leave out the oracle",
		"inference: {failures: [fallback], fallback: nb}":  `inference.fallback: "nb" is not a classifier of the study`,
		"inference: {unit: task}\nreport: {tables: [{test: corrected-t}]}": "report.tables[0]: test: the design " +
			"violates the test's assumption: corrected-t",
		"inference: {test: corrected-t}": "inference.test: the design violates the " +
			"test's assumption",
		"report: {labels: {m: rows}}":    `report.labels.m: "m" is neither a factor of the study nor a metric; choose`,
		`report: {labels: {eror: risk}}`: `"eror" is neither a factor of the study nor a metric; did you mean "error"?`,
		"report: {tables: [{columns: [lda], family: [5nn]}]}": "report.tables[0].family: 5nn is not in " +
			"`columns`; add it there",
		"report: {tables: [{where: [n=7]}]}":      `report.tables[0].where: unknown level "7"; choose one of: 30, 60`,
		"report: {figures: [{kind: line, x: m}]}": `no factor "m"; the records have n`,
		"report: {figures: [{kind: roc, name: r}]}": "report.figures[0].kind: a figure of " +
			"kind `roc` needs the predictions",
		"report: {figures: [{kind: tuned}]}": "report.figures[0].kind: a figure of kind `tuned` needs " +
			"a classifier with the key `tune`, but its classifiers (5-NN, LDA, Bayes) do not have this key",
	} {
		got := loadError(t, small+section+"\n")
		if !strings.Contains(got, want) || !strings.Contains(got, "study.yaml:10:") &&
			!strings.Contains(got, "study.yaml:11:") {
			t.Errorf("%s: %s, want %q", section, got, want)
		}
	}
}

// Mistakes in different sections are reported together.
func TestMistakesInAllSections(t *testing.T) {
	text := strings.NewReplacer("study: small", "study: a/b", "{name: forest, d: 3}", "{name: forest, dd: 3}",
		"5nn", "{classifier: 5nn, kk: 3}").Replace(small)
	got := loadError(t, text+"metrics: [eror]\nademp: {aim: [x]}\ninference: {alfa: 0.1}\n"+
		"report: {tables: [{row: [n]}]}\n")
	for _, key := range []string{"study", "metrics", "data.generator.dd", "classifiers.5nn.kk", "ademp.aim",
		"inference.alfa", "report.tables[0].row"} {
		texttest.Contains(t, got, ": "+key+": ")
	}
}

// An error in the default figure is not reported as an error of the first table.
func TestErrorOfTheDefaultFigure(t *testing.T) {
	label := strings.Repeat("long", 30) // has no space to break it
	text := strings.Replace(small, "classifiers: [", "classifiers: [{classifier: nb, label: "+label+"}, ", 1)
	got := loadError(t, text+"report: {tables: [{width: 400mm}]}\n")
	texttest.Contains(t, got, ":10:9: report.figures: the figure is 152 mm wide", "this is the default figure")
}

// The oracle may be the champion of tables whose own family lists it.
func TestOracleAsChampion(t *testing.T) {
	load(t, small+`inference: {alternative: less, champion: oracle}
report: {tables: [{family: [lda, oracle]}, {name: b, bold: false}, {name: c, contrast: n}]}
`, nil)
}

// The limit of the exact test applies to the results of a cell, which are means over the folds of a drawn problem.
func TestExactTestOfManyReplicates(t *testing.T) {
	many := strings.Replace(small, "replicates: 4", "replicates: 1001", 1)
	for section, want := range map[string]string{
		"inference: {test: signed-rank-exact}\n":          ":10:19: inference.test: signed-rank-exact",
		"report: {tables: [{test: signed-rank-exact}]}\n": ":10:26: report.tables[0].test: signed-rank-exact",
	} {
		texttest.Case(t, section).Contains(loadError(t, many+section), want)
	}
	folds := strings.Replace(many, "  train: {n: $n}\n  test: {n: 40}", "  sample: {n: $n}\n  folds: 7", 1)
	load(t, folds+"inference: {test: signed-rank-exact}\n", nil)
	t.Chdir(t.TempDir())
	rows := "x,class\n" + strings.Repeat("1,a\n2,a\n3,b\n4,b\n", 3)
	filetest.Write(t, "a.csv", rows)
	filetest.Write(t, "b.csv", rows+"7,b\n")
	load(t, `study: sets
seed: 1
replicates: 1001
design: {file: [a.csv, b.csv]}
data: {csv: $file, holdout: 0.5}
classifiers: [lda, nb]
report: {tables: [{rows: [], test: signed-rank-exact}]}
`, nil)
}

// Components contain the labels that readers see, the values of all cells, and the preparation of their data.
func TestComponents(t *testing.T) {
	s := load(t, `study: components
seed: 3
replicates: 4
design: {k: [3, 7]}
data: {generator: {name: forest, d: 3}, train: {n: 40}, test: {n: 40}}
classifiers:
  - {id: near, classifier: 5nn, k: $k}
  - {id: machine, classifier: svm, probabilities: platt, impute: mean}
  - {id: svm, classifier: svm, probabilities: platt}
  - {id: discriminant, classifier: lda, label: Fisher, weights: {1: 5, 0: 0.5}, costs: {0: {1: 2}, 1: {0: 5}}}
  - {id: pinned, classifier: svm, version: 1, c: 10}
  - oracle
`, nil)
	d := describeDesign(s.Study, nil)
	for id, want := range map[string]string{"near": "near", "svm": "SVM (Platt)", "discriminant": "Fisher",
		"oracle": "Bayes"} {
		if got := d.Label(id); got != want {
			t.Errorf("%s: label %q, want %q", id, got, want)
		}
	}
	setting := func(id, name string) string {
		c := d.Component(id)
		if at := settingAt(c.Params, name); at >= 0 {
			return c.Params[at].Value
		}
		return ""
	}
	for key, want := range map[[2]string]string{{"near", "k"}: "3 or 7", {"machine", "impute"}: "mean",
		{"machine", "probabilities"}: "platt", {"discriminant", "impute"}: "",
		{"discriminant", "weights"}: `0.5 for class "0", 5 for class "1"`,
		{"discriminant", "costs"}: `2 for class "0" predicted as "1", 5 for class "1" predicted as "0", ` +
			"1 for other mistakes"} {
		if got := setting(key[0], key[1]); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
	if c := d.Component("svm"); c.Version == "" || !strings.Contains(c.Remark, "Platt scaling of the scores") ||
		c.Summary == "" {
		t.Errorf("%+v", c)
	}
	// Only c differs from the defaults of version 1. The latest version has another default tolerance.
	for _, p := range d.Component("pinned").Params {
		if p.Default != (p.Name != "c") {
			t.Errorf("version 1: %+v", p)
		}
	}
	if c := d.Component("oracle"); !c.Oracle || !strings.Contains(c.Summary, "the Bayes rule") {
		t.Errorf("%+v", c)
	}
	if len(d.Generators) != 1 || d.Generators[0].Name != "forest" || d.Random == nil {
		t.Errorf("%+v", d.Generators)
	}
}

// The description of a classifier leaves out parameters that have no effect with its other parameters.
func TestParametersWithoutEffect(t *testing.T) {
	s := load(t, strings.Replace(small, "[5nn, lda, oracle]", `
  - {id: lasso, classifier: logistic}
  - {id: ridge, classifier: logistic, penalty: ridge}
  - {id: plain, classifier: logistic, penalty: none}
  - {id: tuned, classifier: logistic, tune: {penalty: [ridge, elastic-net]}}`, 1), nil)
	described := madeUpStudy(s.Study)
	for id, want := range map[string][2]bool{"lasso": {true, true}, "ridge": {false, true}, "plain": {false, false},
		"tuned": {true, true}} {
		params := described.Component(id).Params
		if got := [2]bool{settingAt(params, "alpha") >= 0, settingAt(params, "folds") >= 0}; got != want {
			t.Errorf("%s: alpha, folds: %v, want %v", id, got, want)
		}
	}
}

// After an upgrade, a report and a protocol describe the versions of the classifiers that computed the records.
func TestEarlierVersions(t *testing.T) {
	s := load(t, `study: upgraded
seed: 1
replicates: 2
design: {n: [30, 40]}
data: {generator: {name: forest, d: 3}, train: {n: $n}, test: {n: 40}}
classifiers: [{classifier: svm, c: 10}, 5nn, oracle]
`, nil)
	stored := func(c *study.Cell, svm string) results.ManifestCell {
		return results.ManifestCell{ID: c.ID, Classifiers: map[string]string{"svm": svm, "5nn": "5nn/1{k=4}",
			"oracle": c.Classifiers[2].Spec}}
	}
	m := &results.Manifest{Cells: []results.ManifestCell{
		stored(s.Cells[0], s.Cells[0].Classifiers[0].Spec), stored(s.Cells[1], "svm/1{c=10}")}}
	d := describeDesign(s.Study, m)
	const want = "Some results are from earlier versions of these classifiers: SVM. To compute them again, use " +
		"copse run."
	if want != d.OutdatedSentence() {
		t.Errorf("%q, want %q", d.OutdatedSentence(), want)
	}
	svm := d.Component("svm")
	settings := map[string]string{}
	for _, p := range svm.Params {
		settings[p.Name] = p.Value
	}
	if svm.Version != "2 or 1" || settings["tolerance"] != "1e-06 or 0.001" || settings["c"] != "10" {
		t.Errorf("%+v", svm)
	}
	if c := d.Component("5nn"); c.Version != "2" { // the records have other parameters
		t.Errorf("%+v", c)
	}
	texttest.Contains(t, protocolOf(t, s, m), "SVM (svm, version 2 or 1)")
}

// A program is described by its command, files and parameters, and by its own description when it ran.
func TestPrograms(t *testing.T) {
	p := &external.Program{Command: []string{"Rscript", "m.R"}, Files: []string{"m.R"}, Digest: "12ab",
		Params: map[string]any{"trees": 50}}
	plain := program(p, nil)
	if plain.Summary != "a program of the user" || len(plain.Params) != 4 ||
		plain.Params[0].Value != "Rscript m.R" {
		t.Errorf("%+v", plain)
	}
	hello := external.Handshake{Name: "ranger", Version: "0.14", Environment: map[string]string{"R": "4.2.2"}}
	ran := program(p, map[string]external.Handshake{p.Spec(): hello})
	if ran.Summary != "ranger 0.14" || len(ran.Params) != 4 ||
		!slices.Equal(ran.Software, []view.Setting{{Name: "R", Value: "4.2.2"}}) {
		t.Errorf("%+v", ran)
	}
}

// mixed is a study with a generator and a data set. Its last section is report.
const mixed = `study: mixed
seed: 3
replicates: 4
design:
  source:
    net: {generator: {name: forest, d: 3}, train: {n: $n}, test: {n: 40}}
    iris: {set: iris, holdout: 0.3, train: {n: $n}}
  n: [30, 60]
data: $source
classifiers: [5nn, lda, nb]
`

// Rows, panels, points and blocks must not pool a generator with a data set. The error names the key and the factor.
// Other tables and figures of such a study are possible, and so is the default report.
func TestGeneratorsAndDataSetsAreNotPooled(t *testing.T) {
	for section, key := range map[string]string{
		"report: {tables: [{rows: [n]}]}":                                                   "report.tables[0].rows",
		"report: {figures: [{kind: box}]}":                                                  "report.figures[0]",
		"report: {figures: [{kind: line, x: n}]}":                                           "report.figures[0]",
		"report: {figures: [{kind: bars, reference: lda}]}":                                 "report.figures[0]",
		"report: {figures: [{kind: pareto, panel: [n]}]}":                                   "report.figures[0].panel",
		"report: {figures: [{kind: differences, panel: [n]}]}":                              "report.figures[0].panel",
		"report: {figures: [{kind: heat, rows: [n]}]}":                                      "report.figures[0].rows",
		"report: {figures: [{kind: nested, rows: [n]}]}":                                    "report.figures[0].rows",
		"inference: {blocks: [n]}":                                                          "inference.blocks",
		"inference: {blocks: [n]}\nreport: {tables: [{where: [source=iris], ranks: true}]}": "inference.blocks",
	} {
		got := loadError(t, mixed+section+"\n")
		texttest.Case(t, section).Contains(got, "study.yaml:11:", key+": generators and data sets",
			"separate them by source")
	}
	for _, section := range []string{
		"", // the default report
		"report: {tables: [{rows: [n], where: [source=iris]}]}",
		"report: {tables: [{rows: [n], metric: fit_seconds}]}",
		"report: {figures: [{kind: line, x: n, panel: [source]}, {kind: cd, name: b}, {kind: heat, name: c}]}",
		"inference: {blocks: [source]}",
	} {
		load(t, mixed+section+"\n", nil)
	}
}

// Replicates of one data set share rows according to the sizes of its parts. Replicates with one test set are
// not independent pairs.
func TestSamplings(t *testing.T) {
	var csv strings.Builder
	csv.WriteString("x,person,part,class\n")
	for i := range 40 { // two rows of each person
		fmt.Fprintf(&csv, "%d.5,%d,%s,%s\n", i*7%40, i%20, []string{"train", "train", "train", "test"}[i%4],
			[]string{"a", "b"}[i%2])
	}
	file := filepath.Join(t.TempDir(), "rows.csv")
	filetest.Write(t, file, csv.String())
	for data, want := range map[string]view.Sampling{
		"csv: rows.csv, drop: [part], folds: 4":      {Folds: 4, OneDataSet: true, TestRatio: 1.0 / 3},
		"csv: rows.csv, drop: [part], holdout: 0.2":  {OneDataSet: true, TestRatio: 0.25},
		"csv: rows.csv, split: part":                 {OneDataSet: true, OneTestSet: true},
		"csv: rows.csv, split: part, groups: x":      {OneDataSet: true, OneTestSet: true}, // each row is a group
		"csv: rows.csv, split: part, groups: person": {OneDataSet: true, OneTestSet: true, DependentRows: true},
		"csv: rows.csv, split: part, train: {n: 20}": {OneDataSet: true, OneTestSet: true},
		"generator: {name: forest, d: 2}, sample: {n: 30}, folds: 4": {Folds: 4, DrawnProblems: true, OneDataSet: true,
			TestRatio: 1.0 / 3},
		"generator: {name: forest, d: 2}, train: {n: 30}, test: {n: 9}": {},
	} {
		data := strings.Replace(data, "rows.csv", filepath.ToSlash(file), 1)
		s := load(t, "study: s\nseed: 1\nreplicates: 4\nclassifiers: [lda, nb]\ndata: {"+data+"}\n", nil)
		got := samplings(s.Study, nil, nil)[s.Cells[0].ID]
		got.Source, got.Split = "", ""
		if math.Abs(got.TestRatio-want.TestRatio) > 1e-12 {
			t.Errorf("%s: share %v, want %v", data, got.TestRatio, want.TestRatio)
		}
		if got.TestRatio = want.TestRatio; got != want {
			t.Errorf("%s: %+v, want %+v", data, got, want)
		}
	}
}

// The ratio of test rows to other rows counts all rows of the file or subsample. A learning curve does not
// change it, and the data files are not needed.
func TestTestRatioOfResults(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rows.csv")
	text := "x,person,class\n"
	for i := range 100 { // five persons with 20 rows each
		text += fmt.Sprintf("%d,%d,%d\n", i*i, i/20, i%2)
	}
	filetest.Write(t, file, text)
	for data, want := range map[string]struct {
		testRows int
		ratio    float64
	}{
		"holdout: 0.25":                                               {25, 25. / 75},
		"holdout: 0.25, train: {n: 50}":                               {25, 25. / 75},
		"holdout: 0.15, subsample: 11":                                {2, 2. / 9}, // 1.65 rows, rounded
		"holdout: 0.15, subsample: 11, train: {n: 8}":                 {2, 2. / 9},
		"holdout: 0.25, groups: person":                               {40, 40. / 60}, // two persons
		"holdout: 0.25, groups: person, train: {n: 50}":               {40, 40. / 60},
		"holdout: 0.25, groups: person, subsample: 90":                {36, 36. / 54},
		"holdout: 0.25, groups: person, subsample: 90, train: {n: 9}": {36, 36. / 54},
		"folds: 5, train: {n: 50}":                                    {20, 20. / 80},
	} {
		s := load(t, "study: s\nseed: 1\nreplicates: 5\nclassifiers: [lda]\ndata: {csv: "+filepath.ToSlash(file)+
			", "+data+"}\n", nil)
		c := s.Cells[0]
		m := &results.Manifest{Cells: []results.ManifestCell{{ID: c.ID, FileFacts: results.NewFacts(c.Data)}}}
		testRows := map[int]int{}
		for replicate := 1; replicate <= 5; replicate++ {
			testRows[replicate] = want.testRows
		}
		for _, isAbsent := range []bool{false, true} {
			if isAbsent {
				c.Data.File, c.Data.Absent = nil, true
			}
			got := samplingOf(s.Study, c, testRows, m).TestRatio
			if math.Abs(got-want.ratio) > 1e-15 {
				t.Errorf("%s (file absent: %v): ratio %v, want %v", data, isAbsent, got, want.ratio)
			}
		}
	}
}

// A protocol states the number of groups, and that inner folds keep them together.
func TestGroupsInWords(t *testing.T) {
	file := filepath.Join(t.TempDir(), "visits.csv")
	text := "x,person,class\n"
	for i := range 36 {
		text += fmt.Sprintf("%d,%d,%d\n", i*i, i/3, i%2)
	}
	filetest.Write(t, file, text)
	s := load(t, "study: s\nseed: 1\nclassifiers: [lda, nb]\ndata: {csv: "+filepath.ToSlash(file)+
		", groups: person, folds: 3}\n", nil)
	protocol := protocolOf(t, s, nil)
	texttest.Contains(t, protocol, "36 rows in 12 groups (person), 1 column, classes: ")
	texttest.Contains(t, protocol, "; folds inside a training set, such as those for tuning, contain whole groups")
}

// A study with a tuned classifier loads with a figure of its choices, which do not exist yet. The
// description of the classifier lists the candidates.
func TestRehearsedChoices(t *testing.T) {
	s := load(t, strings.Replace(small, "classifiers: [5nn", "classifiers: [{classifier: 5nn, tune: {k: [1, 3]}}", 1)+
		"report: {figures: [{kind: tuned}]}\n", nil)
	rows := madeUpRecords(s.Study).Rows
	if i := slices.IndexFunc(rows, func(r records.Record) bool { return r.Classifier == "5nn" }); i < 0 ||
		!strings.HasPrefix(rows[i].Tuned, "k=1 | error=") {
		t.Errorf("minReplicates choice of row %d of %d", i, len(rows))
	}
	described := madeUpStudy(s.Study)
	if got := described.Component("5nn").Candidates; !slices.Equal(got, []string{"k=1", "k=3"}) {
		t.Errorf("candidates %q", got)
	}
	if label := described.Label("5nn"); label != "k-NN (tuned)" { // not 5-NN, which is not a candidate
		t.Errorf("label %q", label)
	}
}

// If default labels are equal to other labels, reports show the ids. Labels that the study sets stay.
func TestEqualDefaultLabels(t *testing.T) {
	for classifiers, want := range map[string][]string{
		"[knn, 5nn, {classifier: knn, id: far, k: 9}]":        {"knn", "5nn", "far"},
		"[knn, 5nn, {classifier: knn, id: far, label: 5-NN}]": {"knn", "5nn", "5-NN"},
		"[{id: SVM, classifier: svm}, svm, knn]":              {"SVM", "svm", "5-NN"},
	} {
		s := load(t, "study: s\nseed: 1\ndata: {set: iris, folds: 5}\nclassifiers: "+classifiers+"\n", nil)
		d := describeDesign(s.Study, nil)
		var labels []string
		for _, c := range d.Classifiers {
			labels = append(labels, d.Label(c.ID))
		}
		if !slices.Equal(labels, want) {
			t.Errorf("%s: labels %q, want %q", classifiers, labels, want)
		}
	}
}

// Made-up predictions have rows of each pair of true and predicted class, so that quotients of counts are defined.
func TestRehearsedLabels(t *testing.T) {
	s := load(t, small, nil)
	p := madeUpPredictions(s.Cells[0], s.Cells[0].Classifiers[0])
	if counts := metrics.NewConfusion(2, p.Truth, p.Labels); slices.Min(counts) == 0 {
		t.Errorf("counts %v", counts)
	}
}

// The joined value of a parameter that only one of two descriptions contains is not a default.
func TestJoinedValuesOfOneDescription(t *testing.T) {
	only := []view.Setting{{Name: "package", Value: "1.0", Default: true}}
	for _, joined := range [][]view.Setting{joinValues(slices.Clone(only), nil), joinValues(nil, only)} {
		if len(joined) != 1 || joined[0].Default {
			t.Errorf("%+v", joined)
		}
	}
}

// The description of a tuned classifier states the search and how many combinations of values it compares.
func TestDescribedSearch(t *testing.T) {
	const halving = "successive halving (Jamieson and Talwalkar 2016) of "
	for by, want := range map[string]string{
		"":                                  "6 candidates",
		", by: {search: halving}":           halving + "6 candidates",
		", by: {search: random, budget: 2}": "2 of the 6 combinations, drawn at random",
	} {
		s := load(t, strings.Replace(small, "classifiers: [5nn",
			"classifiers: [{classifier: 5nn, tune: {k: [1, 3, 5], standardise: [true, false]}"+by+"}", 1), nil)
		described := madeUpStudy(s.Study)
		params := described.Component("5nn").Params
		want = "error in 5-fold cross-validation of the training rows, " + want
		if k := settingAt(params, "tuned by"); k < 0 || params[k].Value != want {
			t.Errorf("%s: %+v, want %s", by, params, want)
		}
	}
}

// If cells have different candidates, no list of candidates describes them all.
func TestJoinedCandidatesDiffer(t *testing.T) {
	list := []view.Component{{ID: "5nn", Candidates: []string{"k=1"}}}
	for _, c := range []struct{ other, want []string }{
		{[]string{"k=1"}, []string{"k=1"}},
		{[]string{"k=3"}, []string{}},
	} {
		joined := addOrJoin(slices.Clone(list), view.Component{ID: "5nn", Candidates: c.other})
		if got := joined[0].Candidates; got == nil || !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.other, got, c.want)
		}
	}
}

// Figures of predictions are rehearsed with made-up predictions. Those of a classifier without probabilities
// contain none.
func TestRehearsedPredictions(t *testing.T) {
	s := load(t, strings.Replace(small, "classifiers: [5nn", "predictions: keep\nclassifiers: [svm, 5nn", 1)+
		"report: {figures: [{name: curves, kind: roc}, {name: bins, kind: reliability, columns: [5nn, lda]}]}\n", nil)
	seen := map[string]int{}
	err := madeUpStudy(s.Study).Predictions(s.Cells[0].ID, func(_ int, id string, p *metrics.Predictions) error {
		seen[id] += len(p.Truth)
		if (p.Probabilities == nil) != (id == "svm") || len(p.Labels) != len(p.Truth) {
			t.Errorf("%s: %+v", id, p)
		}
		return nil
	})
	if err != nil || seen["svm"] != 2*2*rowsPerClass || len(seen) != 4 {
		t.Errorf("%v, %v", seen, err)
	}
}

// Reading a folder gives its study, its results and the printed numbers of a paper, and counts missing
// results.
func TestReadOfACommittedFolder(t *testing.T) {
	f := toys.Open(t, filepath.Join("..", "..", "results", "dcc2014-table2"))
	r, err := Read(f)
	if err != nil {
		t.Fatal(err)
	}
	if r.Study.Name != "dcc2014-table2" || r.Study.Missing != nil || r.Papers == nil || len(r.Papers.Pairs) == 0 {
		t.Errorf("%s: %v missing, papers %+v", r.Study.Name, r.Study.Missing, r.Papers)
	}
	if want := len(r.Source.Cells) * r.Source.Replicates * 4; len(r.Records.Rows) != want {
		t.Errorf("%d records, want %d", len(r.Records.Rows), want)
	}
	for cell, s := range r.Study.Sampling {
		if !s.OneDataSet || s.OneTestSet || math.Abs(s.TestRatio-0.25) > 0.02 {
			t.Errorf("cell %s: %+v of a fifth held out", cell, s)
		}
		if len(r.Study.Classes[cell]) < 2 {
			t.Errorf("cell %s has the classes %q", cell, r.Study.Classes[cell])
		}
	}
	for _, list := range [][]view.Setting{r.Study.Machine, r.Study.Versions, r.Study.Data} {
		if len(list) == 0 {
			t.Error("a list of settings is empty")
		}
	}
	if want := "copse report again/dcc2014-table2"; !slices.Contains(r.Study.Commands, want) {
		t.Errorf("%q", r.Study.Commands)
	}
	first := r.Records.Rows[0]
	if list := missing(f.Study, r.Records.Rows[3:]); len(list) != 1 || list[0].Results != 3 ||
		list[0].Levels != first.Levels {
		t.Errorf("%v lack results, want 3 of %v", list, first.Levels)
	}
}

// A rehearsal draws no resamples for numbers that are not used.
func TestRehearsalDrawsNoShares(t *testing.T) {
	s := load(t, small, nil)
	v := s.Layout.View(madeUpStudy(s.Study), madeUpRecords(s.Study))
	m, err := v.Measure("error", "", v.Cells)
	if err != nil {
		t.Fatal(err)
	}
	if shares, err := v.FirstOverBlocks(v.Cells, &m, s.ClassifierIDs()); shares != nil || err != nil {
		t.Errorf("shares %v, %v", shares, err)
	}
	if paired, err := v.Paired(&v.Cells[0]); err != nil || paired.Flips == 0 {
		t.Errorf("a rehearsal has %d flips, %v", paired.Flips, err)
	}
}

// The page of a calibration has a title and describes the searched cells, even if the study states neither.
func TestCalibrationHasATitle(t *testing.T) {
	s := load(t, small, nil)
	unchanged := &calibrate.Finalist{Reading: &calibrate.Reading{}}
	c := Calibration(&calibrate.Result{Study: s.Study, Finalists: []*calibrate.Finalist{unchanged}})
	if c.Title != "small" || c.SeenWords != "all cells" {
		t.Errorf("title %q, searched cells %q", c.Title, c.SeenWords)
	}
}
