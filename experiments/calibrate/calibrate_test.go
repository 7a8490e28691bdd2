package calibrate

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"copse/experiments/folder"
	"copse/experiments/run"
	"copse/experiments/stream"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/generators"
	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/stats/records"
)

const example = `
study: search
seed: 5
replicates: 3
design:
  balance: {balanced: 0.5, imbalanced: 0.75}
  n: [40, 80]
data:
  generator: {name: forest, d: 3, cpd: complex}
  train: {n: $n, majority: $balance}
  test: {n: 1000}
classifiers: [nb, 5nn, lda]
published:
  - {file: PRINTED, columns: {balance: balance, n: n}, replicates: 100}
calibrate:
  blocks: [balance=balanced]
  free:
    - {parameter: edge_prob, low: 0.1, high: 1}
    - {parameter: type_level, levels: [sample, node]}
    - {parameter: component_level, levels: [sample, node, row]}
    - {parameter: coef, low: 0.2, high: 4, log: true}
    - {parameter: max_depth, low: 0, high: 2}
  rounds: 4
  readings: 150
  local: 0.6
  stages:
    - {replicates: 4, classifiers: [nb, 5nn], keep: 30}
    - {replicates: 12, keep: 6}
  finalists: 8
  confirm: 60
`

var ids = []string{"nb", "5nn", "lda"} // ids of the classifiers in the example

// sd is the standard deviation of every printed and simulated number.
const sd = 0.03

// A truth gives the mean error of a reading in a cell.
type truth func(g *generators.Forest, cell, classifier int) float64

// planted is the truth edge_prob 0.6, type by node, coef 1. The depth does not matter.
func planted(g *generators.Forest, cell, classifier int) float64 {
	m := same(g, cell, classifier) + 0.4*(g.EdgeProb-0.6)*float64(1-classifier) + 0.1*(g.Coef-1)
	if g.TypeLevel != "node" {
		m += 0.1
	}
	return min(max(m, 0.05), 0.95)
}

// same is the null hypothesis: no parameter matters.
func same(_ *generators.Forest, cell, classifier int) float64 {
	return 0.3 + 0.02*float64(cell) + 0.03*float64(classifier)
}

// newStudy writes the printed table of the planted truth and reads the study.
func newStudy(t *testing.T, text string) *study.Study {
	t.Helper()
	table := "balance,n,classifier,mean_error,sd_error\n"
	truthful := &generators.Forest{EdgeProb: 0.6, Coef: 1, TypeLevel: "node"}
	for i, cell := range []string{"balanced,40", "balanced,80", "imbalanced,40", "imbalanced,80"} {
		for k, id := range ids {
			table += fmt.Sprintf("%s,%s,%.4f,%.4f\n", cell, id, planted(truthful, i, k), sd)
		}
	}
	path := filepath.Join(t.TempDir(), "printed.csv")
	filetest.Write(t, path, table)
	s, err := study.Parse("search.yaml", []byte(strings.Replace(text, "PRINTED", path, 1)), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fake returns trials at once, with normally distributed errors around the truth.
type fake struct {
	truth  truth
	losses *Losses
	trials int
	refuse int // from this trial on; 0: never
	fails  int // every fit after this replicate; 0: none

	spared func(*generators.Forest) bool // readings whose fits succeed in spite of fails; nil: none
}

func (f *fake) run(plan *run.Plan) error {
	for _, task := range plan.Tasks {
		if f.trials++; f.refuse > 0 && f.trials >= f.refuse {
			return os.ErrDeadlineExceeded
		}
		cell := max(0, slices.Index([]string{
			"calibrate balance=balanced, n=40",
			"calibrate balance=balanced, n=80",
			"calibrate balance=imbalanced, n=40",
			"calibrate balance=imbalanced, n=80",
		}, task.Cell.Key))
		t := &trial.Trial{Cell: task.Cell.ID, Levels: task.Cell.Levels, Replicate: task.Replicate, NTest: 1000}
		for _, e := range task.Entries {
			k := slices.Index(ids, e.ID)
			rng := stream.New(9, task.Cell.Key, task.Replicate, e.ID) // of the levels alone: common random numbers
			g := task.Cell.Data.Generator.(*generators.Forest)
			m := f.truth(g, cell, k) + sd*rng.NormFloat64()
			status := records.OK
			if f.fails > 0 && task.Replicate > f.fails && (f.spared == nil || !f.spared(g)) {
				status = records.Failed
			}
			r := records.Record{Classifier: e.ID, Spec: e.Spec, Status: status, Errors: int(1000 * min(max(m, 0), 1))}
			t.Results = append(t.Results, r)
		}
		f.losses.Add(t)
	}
	return nil
}

func newFake(truth truth) *fake {
	return &fake{truth: truth, losses: noLosses()}
}

func noLosses() *Losses {
	return &Losses{known: map[lossKey]loss{}}
}

func newSearch(t *testing.T, text string, losses *Losses, run func(*run.Plan) error) *Search {
	t.Helper()
	c, err := New(newStudy(t, text), losses, run)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (f *fake) search(t *testing.T, text string) *Result {
	t.Helper()
	return result(t, newSearch(t, text, f.losses, f.run))
}

func result(t *testing.T, c *Search) *Result {
	t.Helper()
	r, err := c.Run()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// If every finalist fails on the new replicates, the result states this.
func TestNoFinalistHasADistance(t *testing.T) {
	f := newFake(same)
	f.fails = 12
	_, err := newSearch(t, example, f.losses, f.run).Run()
	errtest.Contains(t, err, "every choice of parameter values failed on the new replicates for the final comparison; "+
		"the study with its original values failed with: "+
		"balance=balanced, n=40, nb, replicate 13")
}

// A reading that fails only on the fresh replicates is no finalist. The result contains its number, and it keeps the
// distance of the search. Cells without published numbers are neither searched nor held out.
func TestFailuresOnFreshReplicates(t *testing.T) {
	text := strings.NewReplacer("rounds: 4", "rounds: 1", "readings: 150", "readings: 40", "n: [40, 80]",
		"n: [40, 80, 160]", "[balance=balanced]", "[n=40]").Replace(example)
	f := newFake(same)
	f.fails, f.spared = 12, func(g *generators.Forest) bool { return g.EdgeProb < 0.6 }
	r := f.search(t, text)
	if len(r.Searched) != 2 || len(r.HeldOut) != 2 {
		t.Errorf("the cells %d are searched and %d held out, want 2 and 2", r.Searched, r.HeldOut)
	}
	if r.Failed == nil || len(r.Finalists)+len(r.Failed) != 6 { // the last stage keeps 6 readings, and among them 0
		t.Errorf("%d finalists, failed: %v", len(r.Finalists), r.Failed)
	}
	for _, number := range r.Failed {
		if reading := r.Readings[number]; reading.Failed != "" || reading.Distance.SE == 0 {
			t.Errorf("reading %d has no distance: %s", number, reading.Failed)
		}
	}
}

// keptOf returns the finalists that do not differ significantly from the nearest one.
func keptOf(r *Result) []*Finalist {
	return slices.DeleteFunc(slices.Clone(r.Finalists), func(f *Finalist) bool { return !f.Kept })
}

// The search finds a planted reading: the kept readings are close to it, also in cells that the search did
// not use. The reading of the study is significantly worse.
func TestPlantedReadingIsFound(t *testing.T) {
	r := newFake(planted).search(t, example)
	if len(r.Readings) != 601 || r.Readings[0].Number != 0 {
		t.Fatalf("%d readings", len(r.Readings))
	}
	kept := keptOf(r)
	if len(kept) == 0 {
		t.Fatal("no result is kept")
	}
	for _, f := range kept {
		var edge, coef float64
		fmt.Sscan(f.Values[0], &edge)
		fmt.Sscan(f.Values[3], &coef)
		if f.Values[1] != "node" || edge < 0.5 || edge > 0.7 || coef < 0.8 || coef > 1.25 {
			t.Errorf("kept %v at %v, planted is edge_prob 0.6, node, coef 1", f.Values, f.Searched)
		}
		if f.HeldOut.RMS() > 0.6 {
			t.Errorf("%v: %v on the cells held out", f.Values, f.HeldOut.RMS())
		}
	}
	if f := r.Finalists[0]; f.Number != 0 || f.Kept {
		t.Errorf("reading %d comes first, kept %v", f.Number, f.Kept)
	}
	if differ, all := r.Finalists[0].Differs(true); differ < 4 || all != 6 {
		t.Errorf("of the literal reading's %d held out numbers %d differ", all, differ)
	}
}

// If no parameter matters, all finalists are kept, and no reading differs from the printed table.
func TestNullKeepsAll(t *testing.T) {
	r := newFake(same).search(t, example)
	if kept := keptOf(r); len(kept) < len(r.Finalists)-1 || len(r.Finalists) < 8 {
		t.Errorf("%d of %d finalists are kept", len(kept), len(r.Finalists))
	}
	for _, f := range r.Finalists {
		for _, held := range []bool{false, true} {
			if differ, _ := f.Differs(held); differ > 0 {
				t.Errorf("reading %d: %d numbers differ", f.Number, differ)
			}
		}
	}
}

// A search that is stopped anywhere and resumed runs no trial twice and gives the same result as an
// uninterrupted one. Its record contains everything that it needs. The record of another design is an error.
func TestSearchResumes(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in short runs: calibrates twice")
	}
	text := strings.Replace(example, "readings: 150", "readings: 60", 1)
	undisturbed := newFake(planted)
	want := summary(t, undisturbed.search(t, text))
	s, dir := newStudy(t, text), t.TempDir()
	losses := noLosses()
	total := 0
	for stop := 400; ; stop *= 2 {
		f := &fake{truth: planted, losses: losses, refuse: stop}
		c, err := New(s, losses, f.run)
		if err != nil {
			t.Fatal(err)
		}
		r, err := c.Run()
		if err != nil {
			total += f.trials - 1
			continue
		}
		total += f.trials
		if got := summary(t, r); got != want {
			t.Errorf("begun again, the search ends as\n%s\nnot as\n%s", got, want)
		}
		if total != undisturbed.trials {
			t.Errorf("%d trials, undisturbed %d", total, undisturbed.trials)
		}
		if err := c.Keep(dir, r); err != nil {
			t.Fatal(err)
		}
		break
	}
	read, warnings, err := ReadLosses(dir, s)
	if err != nil || len(warnings) > 0 || !reflect.DeepEqual(read.known, losses.known) {
		t.Fatalf("the record holds %d of %d losses, %v", len(read.known), len(losses.known), err)
	}
	_, _, err = ReadLosses(dir, newStudy(t, layered))
	errtest.Case(t, "another design").Contains(err, "the factors balance, n, but search has deep, balance, n")
	c, err := New(s, read, func(p *run.Plan) error { return fmt.Errorf("%d trials are requested", len(p.Tasks)) })
	if err != nil {
		t.Fatal(err)
	}
	r := result(t, c)
	if got := summary(t, r); got != want {
		t.Errorf("from the record: %s", got)
	}
	path := filepath.Join(dir, folder.Losses)
	before := filetest.Read(t, path)
	if err := c.Keep(dir, r); err != nil {
		t.Fatal(err)
	}
	if filetest.Read(t, path) != before {
		t.Error("the record written again is another one")
	}
}

// summary returns the result of a search as text.
func summary(t *testing.T, r *Result) string {
	t.Helper()
	var list []any
	for _, f := range r.Finalists {
		list = append(list, f.Number, f.Values, f.Searched.Squared, f.HeldOut.Squared, f.P, f.Kept)
	}
	for _, reading := range r.Readings {
		list = append(list, reading.Values, reading.Parent, reading.Stage, reading.Distance.Squared)
	}
	text, err := json.Marshal(append(list, r.Impossible))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A reading whose fit fails has no distance and is not kept.
func TestFailedReadings(t *testing.T) {
	f := newFake(planted)
	r := result(t, newSearch(t, example, f.losses, func(plan *run.Plan) error {
		if err := f.run(plan); err != nil {
			return err
		}
		for _, task := range plan.Tasks {
			g := task.Cell.Data.Generator.(*generators.Forest)
			if g.TypeLevel != "node" || g.MaxDepth != 1 {
				continue
			}
			for _, e := range task.Entries {
				key := lossKey{task.Cell.ID, task.Cell.Levels, task.Replicate, e.ID, e.Spec}
				f.losses.known[key] = loss{status: records.Failed, message: "singular"}
			}
		}
		return nil
	}))
	failed := 0
	for _, reading := range r.Readings {
		if reading.Failed != "" {
			failed++
			if !strings.Contains(reading.Failed, "singular") {
				t.Error(reading.Failed)
			}
		}
	}
	if failed < 20 {
		t.Errorf("%d readings failed", failed)
	}
	for _, finalist := range r.Finalists {
		if finalist.Number > 0 && finalist.Values[4] == "1" && finalist.Values[1] == "node" {
			t.Errorf("reading %d came through", finalist.Number)
		}
	}
}

// checkMistake tests that a change of a study makes it invalid, with this error.
func checkMistake(t *testing.T, text string, change [2]string, want string) {
	t.Helper()
	if !strings.Contains(text, change[0]) {
		t.Fatalf("%q is not in the configuration", change[0])
	}
	err := Check(newStudy(t, strings.Replace(text, change[0], change[1], 1)))
	errtest.Case(t, change[1]).Contains(err, want, "search.yaml:")
}

func TestMistakes(t *testing.T) {
	for change, want := range map[[2]string]string{
		{"parameter: edge_prob", "parameter: edge_probe"}: `calibrate.free[0]: ` +
			`the generator has no parameter "edge_probe"; did you mean "edge_prob"?`,
		{"low: 0.1, high: 1}", "low: 1, high: 0.1}"}: "calibrate.free[0]: " +
			"the parameter needs either `levels`, or `low` and `high` with `low` < `high`",
		{"low: 0.2, high: 4, log", "low: 0, high: 4, log"}: "calibrate.free[3]: `log` needs a `low` above 0",
		{"low: 0.1, high: 1}", "high: 1}"}:                 "calibrate.free[0].low: missing; `high` needs it",
		{"low: 0.1, high: 1}", "low: 0.1}"}:                "calibrate.free[0].high: missing; `low` needs it",
		{"low: 0, high: 2}", "low: 0, high: 2.5}"}: "calibrate.free[4].high: " +
			"want a whole number in decimal digits, got the number 2.5",
		{"low: 0.1, high: 1}", "low: 0.1, high: 7}"}:       "calibrate.free[0].high: 7 is outside [0,1]",
		{"[sample, node]", "[sample, nod]"}:                `calibrate.free[1].levels: unknown value "nod"`,
		{"[sample, node]", "[]"}:                           "calibrate.free[1].levels: is an empty list",
		{"edge_prob, low: 0.1", "edge_prob, low: \"0.1\""}: "calibrate.free[0].low: want a finite number",
		{"[balance=balanced]", "[]"}:                       "calibrate.blocks: names no factor",
		{"[balance=balanced]", "{}"}:                       "calibrate.blocks: names no factor",
		{"[balance=balanced]", "[balance=level]"}:          `calibrate.blocks: unknown level "level"`,
		{"train: {n: $n, majority: $balance}\n  test: {n: 1000}",
			"sample: {n: $n, majority: $balance}\n  folds: 3"}: "" +
			"data.folds: `calibrate` needs independent replicates, but the training sets of folds overlap",
		{"keep: 6", "keep: 60"}: "calibrate.stages: stage 2 has `keep: 60`",
		{"classifiers: [nb, 5nn],", "classifiers: [nbb],"}: `calibrate.stages[0].classifiers: ` +
			`the study has no classifier "nbb"`,
		{"parameter: coef", "parameter: edge_prob"}: "calibrate.free[3]: edge_prob is " +
			"listed twice",
		{"- {parameter: max_depth, low: 0, high: 2}", "- {parameter: order}"}: "calibrate.free[4]: " +
			"the parameter needs either `levels`, or `low` and `high`",
		{"- {parameter: max_depth, low: 0, high: 2}", "- {parameter: order, low: 0, high: 2}"}: "" +
			`calibrate.free[4].low: unknown value "0"; choose one of`,
	} {
		checkMistake(t, example, change, want)
	}
	for change, want := range map[[2]string]string{
		{"level: deep=yes, ", ""}: "calibrate.free[4]: the factor deep sets max_depth; " +
			"add `level: deep=LEVEL`, where LEVEL is the level whose value the search varies",
		{"level: deep=yes", "level: deep=maybe"}: `calibrate.free[4]: level "deep=maybe": ` +
			`the factor deep has no level "maybe" with a single value; write, for example, ` + "`deep: {maybe: 0}`",
		{"level: deep=yes", "level: deep"}: `calibrate.free[4]: level "deep": want the form FACTOR=LEVEL`,
		{"level: deep=yes", "level: n=40"}: `calibrate.free[4]: level "n=40": the design has no factor "n" that ` +
			"sets the parameter max_depth of the generator",
		{"[balance=balanced]", "[deep=no]"}: "calibrate.free[4].level: `blocks` selects no cell with deep=yes, " +
			"so this parameter would not vary",
		{"edge_prob,", "edge_prob, level: deep=no,"}: `calibrate.free[0]: level "deep=no": ` +
			`the design has no factor "deep" that sets the parameter edge_prob of the generator`,
	} {
		checkMistake(t, layered, change, want)
	}
}

// layered is the example with a third factor, which sets the depth of the trees.
var layered = strings.NewReplacer(
	"design:", "design:\n  deep: {no: 0, yes: 2}",
	"cpd: complex", "cpd: complex, max_depth: $deep",
	"columns: {", "without: [deep], columns: {",
	"{parameter: max_depth,", "{parameter: max_depth, level: deep=yes,",
	"low: 0, high: 2", "low: 1, high: 3",
).Replace(example)

// A free parameter at one level of a factor changes only the cells of that level.
func TestFreeAtOneLevel(t *testing.T) {
	c := newSearch(t, layered, noLosses(), nil)
	list, err := c.propose(1, nil)
	if err != nil {
		t.Fatal(err)
	}
	depths := map[string]int{}
	for _, r := range list {
		for _, cell := range r.cells {
			depth := fmt.Sprint(cell.Data.Generator.(*generators.Forest).MaxDepth)
			if want := map[string]string{"no": "0", "yes": r.Values[4]}[cell.Levels.Of("deep")]; depth != want {
				t.Fatalf("%s: depth %s, want %s of %q", cell.Levels, depth, want, r.Values)
			}
			depths[depth]++
		}
	}
	if len(depths) != 4 || c.Parameters[4] != "max_depth (deep=yes)" {
		t.Errorf("depths %v, %s", depths, c.Parameters[4])
	}
}

// Cells of a reading with equal levels are equal. Their random numbers and their losses differ.
func TestLossesBelongToLevels(t *testing.T) {
	s := newStudy(t, layered)
	losses, cell := noLosses(), *s.Cells[0]
	entry := cell.Classifiers[0]
	results := []records.Record{{Classifier: entry.ID, Spec: entry.Spec, Status: records.OK}}
	losses.Add(&trial.Trial{Cell: cell.ID, Levels: cell.Levels, Replicate: 1, NTest: 1000, Results: results})
	if losses.resultOf(&cell, 1, entry).status == "" {
		t.Error("an own loss is not known")
	}
	cell.Levels = s.Cells[len(s.Cells)-1].Levels
	if losses.resultOf(&cell, 1, entry).status != "" {
		t.Errorf("a loss at %s is used for one at %s", s.Cells[0].Levels, cell.Levels)
	}
}

// A range of numbers has two ends; a list of levels has none.
func TestIsEndOfRange(t *testing.T) {
	number := func(low, high float64, log, whole bool) Parameter {
		return Parameter{Low: low, High: high, Log: log, whole: whole}
	}
	for _, c := range []struct {
		p    Parameter
		want map[string]bool
	}{
		{number(0.3, 3, true, false),
			map[string]bool{"0.3": true, "3": true, "0.301": false, "2.99": false, "": false}},
		{number(0, 16, false, true), map[string]bool{"0": true, "16": true, "1": false}},
		{number(1, 100, true, true), map[string]bool{"1": true, "100": true, "99": false}},
		{Parameter{Levels: []string{"3", "a"}}, map[string]bool{"3": false, "a": false}},
	} {
		for value, want := range c.want {
			if got := c.p.isEndOfRange(value); got != want {
				t.Errorf("%+v: %q: %v", c.p, value, got)
			}
		}
	}
}
