package protocol_test

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"copse/internal/filetest"
	"copse/internal/texttest"
	"copse/report/internal/fixture"
	"copse/report/protocol"
	"copse/report/table"
	"copse/report/view"
)

func write(t *testing.T, study view.Study, inference view.Inference, author protocol.Author) (markdown, latex string) {
	t.Helper()
	sample, rows := fixture.Sample(2)
	study.Factors, study.Generators = sample.Factors, slices.Concat(sample.Generators, study.Generators)
	study.Classifiers = slices.Concat(sample.Classifiers, study.Classifiers)
	v := view.New(study, rows, inference)
	made, err := table.New(v, table.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	p := protocol.New(v, author, protocol.Design{Metrics: []string{"error", "brier", "fit_seconds"},
		Families: made.Families()})
	var m, l strings.Builder
	if err := p.Markdown(&m); err != nil {
		t.Fatal(err)
	}
	if err := p.Latex(&l); err != nil {
		t.Fatal(err)
	}
	return m.String(), l.String()
}

// A terminal does not receive control characters from a protocol.
func TestProtocolReplacesControlCharacters(t *testing.T) {
	study := view.Study{Title: "a\x1b[31mred\a\u009b\u202e", Source: "b\x1b", Replicates: 2, Seed: "7"}
	markdown, latex := write(t, study, view.PapersInference(), protocol.Author{Aims: []string{"c\x1b"}})
	if text := markdown + latex; strings.ContainsAny(text, "\x1b\a\u009b\u202e") || !strings.Contains(text, "31mred") {
		t.Errorf("control characters: %q", text)
	}
}

// The parts of ADEMP follow from the design; they claim nothing that is not in the design.
func TestProtocolFollowsFromTheDesign(t *testing.T) {
	author := protocol.Author{Aims: []string{"Is 5-NN_a worse?"}}
	text, _ := write(t, view.Study{Title: "A sample", Replicates: 4, Seed: "7"}, view.PapersInference(), author)
	for _, want := range []string{
		"## Aims", `- Is 5-NN\_a worse?`, "A full factorial design of 2 factors, 6 cells", "densities: gaussian, " +
			"complex",

		"test error: share of test rows that are misclassified",
		"12 hypotheses in 6 families", "These numbers assume that every method has results in every cell.",
		"Table table, test error: The method with " +
			"the best mean in the row", "two-sided Wilcoxon signed-rank test on paired replicates",
		"6 families, one for each row, of 2 hypotheses; nominal family-wise level 0.05, Bonferroni.", "Members: SLB, " +
			"5-NN, NB.", "for reference only: Bayes",
		"The values of test error are between 0 and 1", "therefore at most 0.25 ", // 1/(2 sqrt 4)
		"No hypothesis can be rejected with fewer than 7 replicates", // 2/2^7 <= 0.025 < 2/2^6
		"replicates in which all fits succeeded",
	} {
		texttest.Contains(t, text, want)
	}
	texttest.Lacks(t, text, "training time", "Nadeau", "folds", "Two one-sided")
}

// The protocol of a study with results counts the fits that succeeded only in another attempt.
func TestProtocolCountsRetriedFits(t *testing.T) {
	for n, want := range map[int]bool{0: false, 2: true} {
		study := view.Study{Title: "Failures", Replicates: 4, Retried: map[string]int{"nb": n}}
		text, _ := write(t, study, view.PapersInference(), protocol.Author{})
		texttest.Case(t, n).ContainsIf(want, text, "succeeded in another: NB 2.")
	}
}

// Generators of a factorial design have one entry, which lists the values of their parameters.
func TestProtocolMergesGenerators(t *testing.T) {
	variant := func(d, depth string) view.Component {
		return view.Component{Name: "net", Summary: "networks", Params: []view.Setting{{Name: "d", Value: d},
			{Name: "depth", Value: depth, Default: depth == "0"}, {Name: "roots", Value: "1", Default: true}}}
	}
	full := []view.Component{variant("5", "0"), variant("5", "3"), variant("8", "0"), variant("8", "3")}
	for count, want := range map[int]string{
		4: "- net. Networks. Parameters: d = 5 or 8, depth = 0 or 3, roots = 1 (default).",
		3: "- net. Networks. Parameters: d = 8, depth = 0 (default), roots = 1 (default).",
	} {
		text, _ := write(t, view.Study{Title: "Nets", Replicates: 4, Generators: full[:count]}, view.PapersInference(),
			protocol.Author{})
		texttest.Case(t, count).Contains(text, want)
	}
	unset := []view.Component{variant("5", ""), variant("5", "3")}
	text, _ := write(t, view.Study{Title: "Nets", Replicates: 4, Generators: unset}, view.PapersInference(),
		protocol.Author{})
	texttest.Contains(t, text, "depth = none or 3")
	unset[1].Software = []view.Setting{{Name: "numpy", Value: "1.24.2"}} // other software: not merged
	text, _ = write(t, view.Study{Title: "Nets", Replicates: 4, Generators: unset}, view.PapersInference(),
		protocol.Author{})
	texttest.Lacks(t, text, "none or 3")
}

// The versions of a program's packages are not its parameters.
func TestProtocolNamesSoftware(t *testing.T) {
	program := view.Component{ID: "mine", Name: "external", Params: []view.Setting{{Name: "k", Value: "3"}},
		Software: []view.Setting{{Name: "numpy", Value: "1.24.2"}, {Name: "python", Value: "3.11.2"}}}
	text, _ := write(t, view.Study{Title: "Mine", Replicates: 4, Classifiers: []view.Component{program}},
		view.PapersInference(), protocol.Author{})
	texttest.Contains(t, text, "- mine. Parameters: k = 3. Software: numpy 1.24.2, python 3.11.2.")
}

// The number of replicates of a mean depends on the treatment of failed fits.
func TestProtocolCountsReplicates(t *testing.T) {
	for treatment, want := range map[string]string{
		view.Common: "replicates in which all methods included in the means succeeded (see " +
			"Missingness)",
		view.Worst: "replicates in which at least one method succeeded; for a failed fit, t_r is the replacement " +
			"score (see Missingness)",
	} {
		inference := view.PapersInference()
		inference.Failures = []string{treatment}
		text, _ := write(t, view.Study{Title: "Failures", Replicates: 4}, inference, protocol.Author{})
		texttest.Case(t, treatment).Contains(strings.ReplaceAll(text, `\`, ""), want)
	}
}

// Further tables show the other treatments of failed fits, which the protocol also describes.
func TestProtocolDescribesAllTreatments(t *testing.T) {
	inference := view.PapersInference()
	inference.Failures, inference.Fallback = []string{view.Common, view.Fallback, view.Worst}, "nb"
	text, _ := write(t, view.Study{Title: "Failures", Replicates: 4}, inference, protocol.Author{})
	texttest.Contains(t, text, "Means, tests and ranks use the replicates in which all fits succeeded.",
		"Further tables give a failed fit the score of NB on the same data",
		"Further tables give a failed fit the score of the worst classifier of its replicate")
}

// Folds of one data set are not independent replicates, so the protocol claims no bound for independent ones.
func TestProtocolOfOneDataSet(t *testing.T) {
	_, rows := fixture.Sample(2)
	sampling := map[string]view.Sampling{}
	for _, c := range rows.Cells() {
		sampling[c.ID] = view.Sampling{Folds: 10, OneDataSet: true, TestRatio: 1.0 / 9}
	}
	text, _ := write(t, view.Study{Title: "Folds", Replicates: 18, Sampling: sampling}, view.PapersInference(),
		protocol.Author{})
	texttest.Contains(t, text, "Nadeau and Bengio", `\frac{n_\mathrm{test}}{n-n_\mathrm{test}}`,
		"The ratio remains the same if a fit uses only some of the other rows.",
		"corrected resampled t test on paired folds", "its splits only", "compares the means of the data sets",
		"no ademp.aims")
	texttest.Lacks(t, text, "independent replicates")
}

// A protocol mentions folds only if the study has folds.
func TestProtocolOfSplits(t *testing.T) {
	for _, folds := range []int{0, 10} {
		sampling := map[string]view.Sampling{"c00": {Folds: folds, OneDataSet: true, TestRatio: 0.25}}
		text, _ := write(t, view.Study{Title: "Splits", Replicates: 20, Sampling: sampling}, view.PapersInference(),
			protocol.Author{})
		texttest.Case(t, folds).ContainsIf(folds > 1, text, "In a cell with folds")
	}
}

// A cell that scores methods on their training rows has no test rows.
func TestProtocolOfTrainingRows(t *testing.T) {
	sampling := map[string]view.Sampling{"c00": {OnTrainingRows: true}}
	text, _ := write(t, view.Study{Title: "Fit", Replicates: 4, Sampling: sampling}, view.PapersInference(),
		protocol.Author{})
	texttest.Contains(t, text, "| training rows | scored rows |")
}

func TestLatexCompiles(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in short runs: compiles the protocol with pdflatex")
	}
	_, latex := write(t, view.Study{Title: "50% of A_1 & B", Source: "a paper", Replicates: 4},
		view.PapersInference(), protocol.Author{Aims: []string{"[Q1] Is it better?", "*"}})
	pdflatex, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("no pdflatex here: the LaTeX is not compiled")
	}
	dir := t.TempDir()
	filetest.Write(t, filepath.Join(dir, "p.tex"), latex)
	cmd := exec.Command(pdflatex, "-interaction=nonstopmode", "-halt-on-error", "p.tex")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
