package reported

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// small is a study of two cells; what it lists under report is its last section.
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

// load reads a study of the given text, beside files of other names.
func load(t *testing.T, text string, files map[string]string) *Study {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		write(t, filepath.Join(dir, name), content)
	}
	file := filepath.Join(dir, "study.yaml")
	write(t, file, text)
	s, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func write(t *testing.T, file, content string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// All published tables are one comparison at the level of the inference; tables that meet
// no record are none.
func TestComparisonOfPublishedTables(t *testing.T) {
	const header = "n,classifier,mean_error,sd_error\n"
	const entry = "  - {file: %s, source: %s, columns: {n: n}, replicates: 10}\n"
	files := map[string]string{"other.csv": header + "90,lda,0.2,0.01\n", "t.csv": header + "30,lda,0.2,0.01\n60,lda,0.2,0.01\n"}
	s := load(t, small+"inference: {alpha: 0.01}\npublished:\n"+fmt.Sprintf(entry, "t.csv", "A")+fmt.Sprintf(entry, "t.csv", "B"), files)
	list, err := comparisonOf(s, rehearsal(s.Study), nil)
	if err != nil || len(list) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	if c := list[0]; c.Name != "" || c.Source != "A and B" || len(c.Pairs) != 4 || c.Test.Alpha != 0.01 || c.Test.Margin != 0.02 {
		t.Errorf("%+v", c)
	}
	s = load(t, small+"published:\n"+fmt.Sprintf(entry, "other.csv", "A"), files)
	if list, err := comparisonOf(s, rehearsal(s.Study), nil); err != nil || list != nil {
		t.Errorf("%+v, %v", list, err)
	}
}

// A figure's remarks are those of the words that readers see.
func TestRemarksUseLabels(t *testing.T) {
	const figures = "report: {figures: [{name: loops, kind: nested}]"
	words := strings.Repeat("very many training rows ", 30)
	remarks := func(labels string) []string {
		return load(t, small+figures+labels+"}\n", nil).Remarks()
	}
	if short := remarks(""); len(short) > 0 {
		t.Errorf("without labels: %q", short)
	}
	if long := remarks(fmt.Sprintf(", labels: {n: %s, n=30: %[1]s, n=60: %[1]s}", words)); len(long) == 0 {
		t.Error("no remark on words that leave the cells no room")
	}
}

// A protocol lists the families that the report of the same study tests.
func TestProtocolOfMadeUpResults(t *testing.T) {
	s := load(t, small, nil)
	p, err := s.Protocol()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := p.Markdown(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# Protocol: Study small", "5-NN", "copse run", "family-wise level 0.05"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the protocol lacks %q", want)
		}
	}
}

// The problem of a cell is its generator, whatever its parameters are.
func TestProblemsAreGenerators(t *testing.T) {
	s := load(t, small, nil)
	design := describeDesign(s.Study, s.Cells, nil)
	for _, c := range s.Cells {
		if got := design.Problems[c.ID]; got == "" || got != c.Data.GeneratorName() {
			t.Errorf("cell %s: problem %q", c.ID, got)
		}
	}
}

// A rehearsal has a row for every cell, classifier and replicate, no two classifiers alike.
func TestRehearsal(t *testing.T) {
	s := load(t, small, nil)
	rows := rehearsal(s.Study)
	if want := 2 * 3 * rehearsed; len(rows.Rows) != want {
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

// A rehearsal of a large design has a part of it: with every classifier, and the levels that tables name.
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
	part := s.part()
	if n := len(part.Cells); n < 1000 || n > 2*mostRehearsed || len(s.Cells) != 3*40*40 {
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
		t.Error("every level is rehearsed")
	}
	if err := s.Foresee(); err != nil {
		t.Error(err)
	}
	s.Layout.Tables[0].Rows = []string{"none"}
	if err := s.Foresee(); err == nil || !strings.Contains(err.Error(), "none") {
		t.Errorf("a table without its factor: %v", err)
	}
}
