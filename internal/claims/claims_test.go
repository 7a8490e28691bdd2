package claims

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"copse/experiments/config"
	"copse/experiments/results"
	"copse/internal/filetest"
	"copse/internal/golden"
	"copse/internal/reported"
	"copse/stats/records"
)

const stored = "../../results"

// storedResults returns the results of a study, which are read once for all tests.
func storedResults(t *testing.T, study string) *reported.Results {
	t.Helper()
	if r := readBefore[study]; r != nil {
		return r
	}
	f, err := results.Open(filepath.Join(stored, study))
	if err != nil {
		t.Fatal(err)
	}
	r, err := reported.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	readBefore[study] = r
	return r
}

var readBefore = map[string]*reported.Results{}

// TestCountsOfSciPy compares counts with testdata/claims.py, which computes means and tests
// from the same records with SciPy.
func TestCountsOfSciPy(t *testing.T) {
	all := []string{"slb-", "lu", "tan", "nb", "rf", "svm", "5nn"}
	claims := map[string]Claim{
		"slb lowest, calibrated networks": {Study: "jmlr2020-table2", Where: reading("calibrated"),
			Classifier: []string{"slb"}, Rivals: all, Statistic: Lower},
		"slb below tan, calibrated networks": {Study: "jmlr2020-table2", Where: reading("calibrated"),
			Classifier: []string{"slb"}, Rivals: []string{"tan"}, Statistic: Lower},
		"slb below slb-, literal networks": {Study: "jmlr2020-table2", Where: reading("literal"),
			Classifier: []string{"slb"}, Rivals: []string{"slb-"}, Statistic: Lower},
		"forestdens lowest, forests": {Study: "dorn2018-simulation", Classifier: []string{"forestdens"},
			Rivals: []string{"5nn", "nb", "svm", "rf"}, Statistic: Lower},
		"nb highest, forests": {Study: "dorn2018-simulation", Classifier: []string{"nb"},
			Rivals: []string{"forestdens", "5nn", "svm", "rf"}, Statistic: Higher},
		"slb on par, real data": {Study: "jmlr2020-table4", Classifier: []string{"slb"}, Rivals: all[1:],
			Metric: "ber", Statistic: OnPar},
		"dcc as low as mpm": {Study: "dcc2014-table1", Classifier: []string{"dcc"}, Rivals: []string{"mpm"},
			Statistic: AsLow},
		"cnc-gaussian 5 points below lingauss-tan": {Study: "cnc2012-figure2", Classifier: []string{"cnc-gaussian"},
			Rivals: []string{"lingauss-tan"}, Statistic: Lower, By: 5},
		"slb and slb- come closer, calibrated networks": {Study: "jmlr2020-table2", Where: reading("calibrated"),
			Classifier: []string{"slb"}, Rivals: []string{"slb-"}, Statistic: Narrows, Along: "n"},
		"slb and tan come closer, calibrated forests": {Study: "jmlr2020-table1", Where: reading("calibrated"),
			Classifier: []string{"tan"}, Rivals: []string{"slb"}, Statistic: Narrows, Along: "n"},
		"slb with hsic or pearson, calibrated networks": {Study: "jmlr2020-table3", Where: reading("calibrated"),
			Classifier: []string{"slb"}, Rivals: []string{"slb-pearson"}, Statistic: Same},
		"dcc's lead over tan widens": {Study: "dcc2014-figure1", Classifier: []string{"dcc"},
			Rivals: []string{"tan"}, Statistic: Widens, Along: "variables"},
	}
	lines := golden.Lines(t, "testdata/claims.csv")[1:]
	if len(lines) != len(claims) {
		t.Fatalf("%d claims in the file, %d here", len(lines), len(claims))
	}
	for _, line := range lines {
		c, ok := claims[line[0]]
		if !ok {
			t.Errorf("no claim %q", line[0])
			continue
		}
		c.Need = 1
		f, err := Decide(&c, storedResults(t, c.Study))
		if err != nil {
			t.Errorf("%s: %v", line[0], err)
			continue
		}
		got := []int{f.Cells, f.Ours, f.Shown, f.Against}
		for i, n := range got {
			if want := golden.Whole(t, line[i+1]); n != want {
				t.Errorf("%s: cells, ours, shown, against are %v, SciPy has %v", line[0], got, line[1:])
				break
			}
		}
	}
}

func reading(level string) records.Condition { return records.Condition{"reading": {level}} }

// TestDocument compares the tables of the documentation with the stored results.
func TestDocument(t *testing.T) {
	if testing.Short() {
		t.Skip("reads the results of ten studies")
	}
	papers, err := Read(filepath.Join(stored, "published/claims.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	text := filetest.Read(t, "../../docs/reproduction.md")
	n := 0
	for i := range papers {
		var findings []*Finding
		for j := range papers[i].Claims {
			c := &papers[i].Claims[j]
			f, err := Decide(c, storedResults(t, c.Study))
			if err != nil {
				t.Fatal(err)
			}
			findings = append(findings, f)
		}
		n += len(findings)
		made, err := Replace(text, &papers[i], Table(&papers[i], findings))
		if err != nil || made != text {
			t.Errorf("docs/reproduction.md has another table of %s (%v); "+
				"run copse paper --decide --write docs/reproduction.md", papers[i].Name, err)
		}
	}
	if n < 30 {
		t.Errorf("%d claims, want 30 or more", n)
	}
}

// Equal means and a difference of exactly By are not affected by rounding errors. The means of DCC and gDCC on votes
// are equal. The paper prints 0.59 and 0.54 for wine_red.
func TestRounding(t *testing.T) {
	votes := Claim{Study: "dcc2014-table1", Where: records.Condition{"data_set": {"votes"}}, Need: 1}
	lower, asLow := votes, votes
	lower.Classifier, lower.Rivals, lower.Statistic = []string{"dcc"}, []string{"gdcc"}, Lower
	asLow.Classifier, asLow.Rivals, asLow.Statistic = []string{"gdcc"}, []string{"dcc"}, AsLow
	wine := Claim{Study: "cnc2012-figure2", Where: records.Condition{"data_set": {"wine_red"}}, Need: 1, By: 5,
		Classifier: []string{"cnc-gaussian"}, Rivals: []string{"lingauss-tan"}, Metric: "accuracy", Statistic: Lower}
	for _, c := range []struct {
		claim         Claim
		ours, printed int
	}{{lower, 0, 0}, {asLow, 1, 1}, {wine, 0, 1}} {
		f, err := Decide(&c.claim, storedResults(t, c.claim.Study))
		if err != nil || f.Ours != c.ours || f.Theirs != c.printed {
			t.Errorf("%+v, %v, want %d and %d", f, err, c.ours, c.printed)
		}
	}
}

func TestVerdicts(t *testing.T) {
	claim, pool := &Claim{}, &Claim{Pool: true}
	for _, c := range []struct {
		finding Finding
		want    string
	}{
		{Finding{Claim: claim, Total: 10, Cells: 10, Needed: 6, Shown: 6, Against: 4}, "**holds**"},
		{Finding{Claim: claim, Total: 10, Cells: 10, Needed: 6, Shown: 5, Against: 5},
			"**does not hold**: tests show the opposite in 5 of 10 cases"},
		{Finding{Claim: claim, Total: 10, Cells: 10, Needed: 6, Shown: 5, Against: 4},
			"not decided: 5 for the claim, 4 against, 1 undecided"},
		{Finding{Claim: claim, Total: 10, Cells: 10, Needed: 6, Shown: 1, dependentUnit: "splits"},
			"not decided: 9 of 10 cells are undecided, because training sets of splits share rows"},
		{Finding{Claim: claim, Total: 10, Cells: 5, Needed: 9, Shown: 1, Against: 1, dependentUnit: "folds"},
			"not decided (5 cells missing): 3 of 5 cells are undecided, because training sets of folds share rows"},
		{Finding{Claim: claim, Total: 10, Cells: 5, Needed: 9, Shown: 3, Against: 2},
			"**does not hold**: tests show the opposite in 2 of 10 cases"},
		{Finding{Claim: claim, Total: 10, Cells: 9, Needed: 9, Shown: 9}, "**holds**"},
		{Finding{Claim: claim, Total: 1, Needed: 1}, "not decided (1 cell missing)"},
		{Finding{Claim: pool, Cells: 1, Needed: 1, Against: 1}, "**does not hold**: the test shows the opposite"},
		{Finding{Claim: pool, Cells: 1, Needed: 1}, "not decided"},
	} {
		if got := c.finding.Verdict(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.finding, got, c.want)
		}
	}
}

// Cells without records are undecided. A group needs both ends of the factor along which a lead changes.
func TestMissingCells(t *testing.T) {
	whole := storedResults(t, "dcc2014-figure1")
	without := func(variables string) *reported.Results {
		few := *whole
		rows := *whole.Records.Records
		rows.Rows = slices.DeleteFunc(slices.Clone(rows.Rows), func(r records.Record) bool {
			return variables == "" || r.Levels.Of("variables") == variables
		})
		few.Records = &results.Selection{Records: &rows}
		return &few
	}
	first := whole.Source.Cells[0].Levels.Of("variables")
	n := len(whole.Source.Cells)
	lower := Claim{Classifier: []string{"dcc"}, Rivals: []string{"nb"}, Statistic: Lower, Need: n}
	widens := Claim{Classifier: []string{"dcc"}, Rivals: []string{"nb"}, Statistic: Widens, Along: "variables", Need: 1}
	shrinks := widens // the classifier is worse, and increasingly so
	shrinks.Classifier, shrinks.Rivals = widens.Rivals, widens.Classifier
	pooled, stated, shortened := lower, lower, lower // shortened: a claim about more cells than the study still has
	pooled.Pool, shortened.Need = true, n+2
	stated.Need, stated.Printed = 0, fmt.Sprintf("%d of %d", n+1, n+1)
	for _, c := range []struct {
		claim   Claim
		results *reported.Results
		want    string
	}{
		{lower, without(""), fmt.Sprintf("not decided (%d cells missing)", n)},
		{lower, without(first), "not decided (1 cell missing): "},
		{stated, whole, "not decided (1 cell missing): "},
		{shortened, whole, "not decided (2 cells missing): "},
		{widens, without(""), "not decided (1 cell missing)"},
		{widens, without(first), "not decided (1 cell missing)"},
		{widens, whole, "**holds**"},
		{shrinks, whole, "**does not hold**"},
		{pooled, without(""), "not decided"},
	} {
		f, err := Decide(&c.claim, c.results)
		if err != nil || !strings.HasPrefix(f.Verdict(), c.want) {
			t.Errorf("%s: %+v, %v, want %s", c.claim.Statistic, f, err, c.want)
		}
	}
}

func TestMistakes(t *testing.T) {
	const head = "papers:\n  - name: p\n    source: s\n    studies: [dcc2014-figure1]\n    claims:\n" +
		"      - {section: '1', claim: c, "
	const study = "study: dcc2014-figure1, classifier: [x], "
	for text, want := range map[string]string{
		"study: b, classifier: [x], rivals: [y], statistic: lower}\n":     `"b" is not in studies`,
		study + "rivals: [y, z], statistic: widens, along: n}":            "one rival",
		study + "rivals: [y], statistic: narrows}":                        "`narrows` needs the key `along`",
		study + "rivals: [y], statistic: same, by: 5}":                    "only the statistic `lower` uses",
		study + "statistic: same}":                                        "rivals",
		study + "rivals: [y], statistic: same, printed: most}":            "a count such as",
		study + "rivals: [y], statistic: same, printed: 7 of 6}":          "a count such as",
		study + "rivals: [y], statistic: same, need: 5, printed: 3 of 4}": "5 exceeds the 4 cells",
	} {
		file := filepath.Join(t.TempDir(), "claims.yaml")
		filetest.Write(t, file, head+text)
		if _, err := Read(file); !errors.Is(err, config.ErrConfig) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	file := filepath.Join(t.TempDir(), "claims.yaml")
	const text = head + "study: dcc2014-figure1, classifier: [dcc], rivals: [tam], statistic: lower}\n"
	filetest.Write(t, file, text)
	papers, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	err = papers[0].Check(storedResults(t, "dcc2014-figure1").Source)
	if !errors.Is(err, config.ErrConfig) || !strings.Contains(err.Error(), `"tam"; did you mean "tan"?`) {
		t.Errorf("a classifier that the study lacks: %v", err)
	}
}
