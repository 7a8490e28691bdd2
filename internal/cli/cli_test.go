package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"copse/experiments/study"
	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/internal/texttest"
	"copse/report/page"
	"copse/report/sheet"
	"copse/stats/records"
)

// copse runs one command line and returns its exit code and output.
func copse(args ...string) (code int, out, errOut string) {
	var o, e bytes.Buffer
	code = Main(args, strings.NewReader(""), &o, &e)
	return code, o.String(), e.String()
}

// An outcome is the result of a command.
type outcome struct {
	t           *testing.T
	args        []string
	code        int
	out, errOut string
}

// attempt runs a command, which may fail.
func attempt(t *testing.T, args ...string) outcome {
	code, out, errOut := copse(args...)
	return outcome{t, args, code, out, errOut}
}

// prints checks that the command succeeded and that its standard output contains all parts.
func (o outcome) prints(parts ...string) outcome {
	o.t.Helper()
	return o.check(exitDone, o.out, "standard output", parts)
}

// logs checks that the command succeeded and that its standard error contains all parts.
func (o outcome) logs(parts ...string) outcome {
	o.t.Helper()
	return o.check(exitDone, o.errOut, "standard error", parts)
}

// finds checks that the command exited with exitFailed and that its standard output contains all parts.
func (o outcome) finds(parts ...string) {
	o.t.Helper()
	o.check(exitFailed, o.out, "standard output", parts)
}

// fails checks that the command exited with the code and that its standard error contains all parts.
func (o outcome) fails(code int, parts ...string) {
	o.t.Helper()
	o.check(code, o.errOut, "standard error", parts)
}

// lacks checks that the outputs contain none of the parts.
func (o outcome) lacks(parts ...string) {
	o.t.Helper()
	texttest.Case(o.t, o.args).Lacks(o.out+o.errOut, parts...)
}

// check checks the exit code of the command and that one of its outputs contains all parts.
func (o outcome) check(code int, text, name string, parts []string) outcome {
	o.t.Helper()
	if o.code != code {
		o.t.Errorf("%q: exit %d, want %d\n%s%s", o.args, o.code, code, o.out, o.errOut)
	}
	for _, part := range parts {
		if !strings.Contains(text, part) {
			o.t.Errorf("%q: %s lacks %q; printed\n%s%s", o.args, name, part, o.out, o.errOut)
		}
	}
	return o
}

// succeed runs a command that succeeds and returns its outputs.
func succeed(t *testing.T, args ...string) (out, errOut string) {
	t.Helper()
	code, out, errOut := copse(args...)
	if code != 0 {
		t.Fatalf("%q: exit %d\n%s", args, code, errOut)
	}
	return out, errOut
}

// The figure of smallStudy has one file format, because the tests draw it often.
const smallStudy = `study: small
title: A <small> study
seed: 3
replicates: 4
design: {n: [30, 60]}
data:
  generator: {name: forest, d: 4}
  train: {n: $n}
  test: {n: 50}
classifiers: [5nn, lda, oracle]
report:
  tables: [{name: small, rows: [n]}]
  figures: [{name: box, panel: [n]}]
  formats: [svg]
`

// inAllFormats removes the choice of a format from the text of smallStudy.
func inAllFormats(study string) string { return strings.Replace(study, "  formats: [svg]\n", "", 1) }

func writeStudy(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "study.yaml")
	filetest.Write(t, file, text)
	return file
}

// runSmallStudy runs smallStudy and returns its file and its results folder.
func runSmallStudy(t *testing.T) (file, dir string) {
	t.Helper()
	file, dir = writeStudy(t, smallStudy), filepath.Join(t.TempDir(), "r")
	succeed(t, "run", file, "--out", dir)
	return file, dir
}

// Commands in messages quote paths for a shell.
func TestCommandsInMessagesAreQuoted(t *testing.T) {
	err := endRun(&cobra.Command{}, &study.Study{Name: "small"}, "my results",
		[]records.Record{{Status: records.Failed}}, nil)
	errtest.Contains(t, err, `copse status my\ results`)
	t.Chdir(t.TempDir())
	if err := os.Mkdir("my studies", 0o777); err != nil {
		t.Fatal(err)
	}
	attempt(t, "new", "study", "my studies/small.yaml").prints(`copse check my\ studies/small.yaml`)
}

// The message of an argument validator reaches the user, also if it is not a usage error.
func TestArgumentErrorsAreKept(t *testing.T) {
	cmd := &cobra.Command{Use: "frobnicate", Args: func(*cobra.Command, []string) error {
		return usageErrorf("the moon is not full")
	}}
	addUsage(cmd)
	err := cmd.Args(cmd, []string{"x"})
	errtest.Equal(t, err, "the moon is not full; usage: frobnicate")
	if exitCode(err) != exitUsage {
		t.Errorf("exit code %d, want %d", exitCode(err), exitUsage)
	}
}

// The first steps of a new user: check, run, run again, status, report.
func TestStudyFromCheckToReport(t *testing.T) {
	file, dir := writeStudy(t, inAllFormats(smallStudy)), filepath.Join(t.TempDir(), "results")
	attempt(t, "check", file, "--out", dir).prints("to run: 24 results in 8 trials", "24 results: new cell")
	if _, err := os.Stat(dir); err == nil {
		t.Error("check wrote something")
	}
	attempt(t, "run", file, "--out", dir, "-j", "2").prints("5-NN")
	for _, f := range []string{"study.yaml", "manifest.json", "records.csv", "timings.csv", "journal/main.jsonl",
		"tables/small.md", "tables/small.csv", "figures/box.png", "figures/box.svg", "figures/box.pdf"} {
		if info, err := os.Stat(filepath.Join(dir, f)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", f, err)
		}
	}
	attempt(t, "run", file, "--out", dir).logs("nothing to run")
	attempt(t, "status", dir).prints("24 results done, 0 missing, 0 failed")
	attempt(t, "export", dir, "--predictions").fails(exitFailed, "add `predictions: keep` to the study")
	filetest.Remove(t, filepath.Join(dir, "tables"))
	succeed(t, "report", dir)
	if _, err := os.Stat(filepath.Join(dir, "tables/small.md")); err != nil {
		t.Error(err)
	}
	attempt(t, "check", file, "--out", dir, "--replicates", "5").prints("6 results: new replicate")
}

func TestExitCodes(t *testing.T) {
	file := writeStudy(t, smallStudy)
	faulty := writeStudy(t, strings.Replace(smallStudy, "lda", "lda, {id: broken, classifier: 5nn, k: 1000}", 1))
	method := filepath.Join(t.TempDir(), "mine.py")
	filetest.Write(t, method, "import copse\n")
	cases := []struct {
		want int
		text string // in what is printed
		args []string
	}{
		{0, "Available Commands", []string{"--help"}},
		{2, `copse has no subcommand "rum"; did you mean "run"?`, []string{"rum"}},
		{2, `copse has no subcommand "init"; did you mean "new"?`, []string{"init"}},
		{2, `copse has no subcommand "first.yaml"; choose one of: calibrate, check,`, []string{"first.yaml"}},
		{0, "copse new study my-study.yaml", nil},
		{2, "unknown shorthand flag: 'x'", []string{"run", file, "-x", "3"}},
		{2, "wrong number of arguments: got 0; usage: copse run", []string{"run"}},
		{2, `report.tables[0].rws: unknown key; did you mean "rows"?`,
			[]string{"check", writeStudy(t, strings.Replace(smallStudy, "rows:", "rws:", 1))}},
		{2, `inference.alfa: unknown key; did you mean "alpha"?`,
			[]string{"check", writeStudy(t, smallStudy+"inference: {alfa: 0.1}\n")}},
		{2, "did you mean \"rows\"?\ncopse: ", []string{"check",
			writeStudy(t, strings.Replace(smallStudy, "rows:", "rws:", 1)+"inference: {alfa: 0.1}\n")}},
		{2, `the table has no column for the factor "n"`,
			[]string{"check", writeStudy(t, smallStudy+"published: [{file: x.csv, columns: {}, replicates: 10}]\n")}},
		{2, "copse: missing.yaml: there is no such file\n", []string{"run", "missing.yaml"}},
		{2, fmt.Sprintf("there is no such file; did you mean %q?\n", file),
			[]string{"run", strings.TrimSuffix(file, ".yaml")}},
		{2, fmt.Sprintf("is a program, but a study is a YAML file; test the program with `copse try %s`", method),
			[]string{"run", method}},
		{2, "--replicates -1: the number of replicates must be positive", []string{"check", file, "--replicates=-1"}},
		{2, `the design has no factor "m"; choose one of: n`, []string{"check", file, "--set", "design.m=3"}},
		{2, "the form K/N", []string{"run", file, "--shard", "3/2"}},
		{2, `--memory: "2XB" is not an amount of memory`, []string{"run", file, "--memory", "2XB"}},
		{2, "copse: --set design.n=200: design.n: `--set design.n=100` sets the same key; give each key once",
			[]string{"check", file, "--set", "design.n=100", "--set", "design.n=200"}},
		{2, "copse: --replicates 4: replicates: `--set replicates=5` sets the same key",
			[]string{"check", file, "--replicates", "4", "--set", "replicates=5"}},
		{2, "copse: --param d=3: an earlier flag sets the same key", []string{"generate", "--generator", "forest",
			"--param", "d=2", "--param", "d=3", "--train", "1,1", "--test", "1,1", "--out", t.TempDir()}},
		{2, "--memory: want a number with a unit", []string{"run", file, "--memory", "2"}},
		{1, "is too low", []string{"run", file, "--memory", "1MB", "--out", t.TempDir()}},
		{2, "the results folder nowhere does not exist", []string{"status", "nowhere"}},
		{2, "is not a results folder", []string{"report", t.TempDir()}},
		{2, "is a file; give the results folder", []string{"status", file}},
		{2, `--metric: no metric "brie"; did you mean "brier"?`,
			[]string{"status", "nowhere", "--precision", "1", "--metric", "brie"}},
		{2, "--precision 0: give a positive standard error", []string{"status", "nowhere", "--precision", "0"}},
		{2, "--precision +Inf: give a positive", []string{"status", "nowhere", "--precision", "inf", "--json"}},
		{2, "--precision NaN: give a positive", []string{"status", "nowhere", "--precision", "nan"}},
		{2, "copse: --replicates 3: replicates: 3 replicates leave a repeat of 5 folds", []string{"check",
			writeStudy(t, "study: s\nseed: 1\ndata: {set: iris, folds: 5}\nclassifiers: [nb]\n"), "--replicates", "3"}},
		{2, "--pilot -1s: the duration must not be negative", []string{"check", file, "--pilot", "-1s"}},
		{2, `--format "gif": the formats are svg, png and pdf`, []string{"plot", "nowhere", "box", "--format", "gif"}},
		{2, "--format schema prints all keys", []string{"explain", "foo", "--format", "schema"}},
		{2, "--format schema prints all keys", []string{"explain", "--json", "--format", "schema"}},
		{2, "the folder of nodir/x.yaml does not exist", []string{"new", "study", "nodir/x.yaml"}},
		{2, `copse has no subcommand "foo"; choose one of: `, []string{"help", "foo"}},
		{0, "Usage:\n  copse data list", []string{"help", "data", "list"}},
		{2, "copse completion has no subcommand \"foo\"", []string{"completion", "foo"}},
		{2, "unknown classifier", []string{"classify", "--classifier", "6nn", "--train", "a", "--test", "b"}},
		{2, "did you mean \"edge_prob\"?", []string{"generate", "--generator", "forest", "--param", "edgeprob=1",
			"--train", "1,1", "--test", "1,1", "--out", t.TempDir()}},
		{2, "--param name=foo: name: is not a parameter; use `--generator` to name the generator", []string{"generate",
			"--generator", "forest", "--param", "name=foo", "--train", "1,1", "--test", "1,1", "--out", t.TempDir()}},
		{2, `did you mean "figures"?`, []string{"list", "figurs"}},
		{2, "`copse list studies` takes no names", []string{"list", "studies", "nosuch"}},
		{2, `"slbb" is not one of the classifiers; did you mean "slb"?`, []string{"list", "classifiers", "slbb"}},
		{2, `copse data has no subcommand "lst"; did you mean "list"?`, []string{"data", "lst"}},
		{2, "status", []string{"watch", "results"}},
		{2, "n: unknown key; to change the factor, write `design.n`", []string{"check", file, "--set", "n=3"}},
		{2, "usage: copse repro RESULTS", []string{"repro", "results"}},
		{2, "copse: --replicates 1.5: want a whole number\n", []string{"run", file, "--replicates", "1.5"}},
		{2, "copse: --pilot 5: want a duration such as `90s` or `10m`\n", []string{"check", file, "--pilot", "5"}},
		{2, "copse: --seed -1: want a whole number that is not negative\n", []string{"verify", file, "--seed", "-1"}},
		{2, `unknown flag: --replicat; did you mean "--replicates"?`, []string{"run", file, "--replicat", "3"}},
		{1, "fits failed", []string{"run", faulty, "--out", t.TempDir()}},
	}
	for _, c := range cases {
		code, out, errOut := copse(c.args...)
		if code != c.want || !strings.Contains(out+errOut, c.text) {
			t.Errorf("%q: exit %d, want %d with %q; printed\n%s%s", c.args, code, c.want, c.text, out, errOut)
		}
	}
}

// Failed fits in one study do not prevent the next one from running.
func TestRunGoesOnAfterFailedFits(t *testing.T) {
	faulty := writeStudy(t, strings.Replace(smallStudy, "lda", "lda, {id: broken, classifier: 5nn, k: 1000}", 1))
	sound := writeStudy(t, strings.Replace(smallStudy, "study: ", "study: second-", 1))
	dir := t.TempDir()
	attempt(t, "run", faulty, sound, "--out", dir).fails(exitFailed, "fits failed")
	if reports, _ := filepath.Glob(filepath.Join(dir, "*", "report.html")); len(reports) != 2 {
		t.Errorf("reports: %q, want those of both studies", reports)
	}
}

// An error that ends a command is not mistaken for the earlier failed fits that it also reports.
func TestErrorAfterFailedFits(t *testing.T) {
	errs := []error{partialFailure{errors.New("3 fits failed")}, errors.New("the disk is full"), nil}
	started := 0
	err := eachOf(len(errs), func(i int) error {
		started++
		return errs[i]
	})
	errtest.Contains(t, err, "3 fits failed", "the disk is full")
	if isPartialFailure(err) || started != 2 {
		t.Errorf("partial failure: %t, started: %d; want false, 2", isPartialFailure(err), started)
	}
}

// The links of an index are URLs, so they escape characters of folder names.
func TestIndexEscapesFolderNames(t *testing.T) {
	t.Chdir(t.TempDir())
	file := writeStudy(t, smallStudy)
	for name, want := range map[string]string{
		"run#2": "run%232", "what?": "what%3F", "50%41": "50%2541", "2026-11-29T10:00": "./2026-11-29T10:00",
		"a b/c": "c",
	} {
		if runtime.GOOS == "windows" && name != "run#2" {
			continue // Windows does not allow these names
		}
		succeed(t, "run", file, "--out", name)
		succeed(t, "index", name)
		index := filepath.Join(filepath.Dir(name), "index.html")
		text, err := os.ReadFile(index)
		if href := fmt.Sprintf("href=%q", want+"/report.html"); err != nil || !strings.Contains(string(text), href) {
			t.Errorf("%s: the index lacks %s: %v", name, href, err)
		}
	}
}

// The index page links the reports from any folder.
func TestIndex(t *testing.T) {
	first, second := writeStudy(t, smallStudy), writeStudy(t, strings.Replace(smallStudy, "study: ", "study: second-",
		1))
	dir, elsewhere := t.TempDir(), t.TempDir()
	t.Chdir(dir)
	succeed(t, "run", first, second, "--out", "results")
	folders, err := filepath.Glob(filepath.Join("results", "*"))
	if err != nil || len(folders) != 2 {
		t.Fatalf("folders %q, %v", folders, err)
	}
	for _, args := range [][]string{nil, {"--out", "pages/index.html"},
		{"--out", filepath.Join(elsewhere, "index.html")}} {
		index := filepath.Join("results", "index.html")
		if args != nil {
			index = args[1]
		}
		succeed(t, append(append([]string{"index"}, folders...), args...)...)
		page := filetest.Read(t, index)
		links := regexp.MustCompile(`href="([^"]*report\.html)"`).FindAllStringSubmatch(page, -1)
		if len(links) < 2 {
			t.Errorf("%s leads to %q", index, links)
		}
		for _, link := range links {
			if _, err := os.Stat(filepath.Join(filepath.Dir(index), filepath.FromSlash(link[1]))); err != nil {
				t.Errorf("%s: %v", index, err)
			}
		}
	}
	all, err := filepath.Glob(filepath.Join("results", "*")) // also the index
	if err != nil || len(all) != 3 {
		t.Fatalf("%q, %v", all, err)
	}
	attempt(t, append([]string{"index"}, all...)...).prints("index of 2 studies")
	same := "." + string(filepath.Separator) + folders[0] + string(filepath.Separator)
	attempt(t, "index", folders[0], same).prints("index of 1 study")
	filetest.Remove(t, filepath.Join(folders[0], "report.html"))
	attempt(t, append([]string{"index"}, folders...)...).fails(exitUsage, "write it with `copse report "+folders[0])
}

// classify reads the files that generate writes. The fingerprint of a draw in a study depends only on the
// seed.
func TestGenerateThenClassify(t *testing.T) {
	dir := t.TempDir()
	args := []string{"generate", "--generator", "forest", "--param", "d=3", "--train", "40,20", "--test", "30,30",
		"--seed", "9", "--out"}
	first, _ := succeed(t, append(args, dir)...)
	_, second, _ := copse(append(args, t.TempDir())...)
	fingerprint := regexp.MustCompile(`fingerprint(?: of the data:)? ([0-9a-f]{16})`)
	if a, b := fingerprint.FindString(first), fingerprint.FindString(second); a == "" || a != b {
		t.Errorf("fingerprints %q and %q", a, b)
	}
	files := []string{"classify", "--train", filepath.Join(dir, "train.csv"), "--test", filepath.Join(dir, "test.csv")}
	out, errOut := succeed(t, append(files, "--classifier", "5nn", "--param", "k=3")...)
	if strings.Count(out, "\n") != 61 || !strings.HasPrefix(out, "prediction\n") ||
		!strings.Contains(errOut, "errors in 60 rows") {
		t.Errorf("classify:\n%s%s", out, errOut)
	}
	out, _ = succeed(t, append(files, "--classifier", "lda", "--scores")...)
	if !strings.HasPrefix(out, "prediction,score_0,score_1\n") {
		t.Errorf("classify --scores:\n%s", out)
	}
}

// The list of tables contains every table that a report adds to the requested ones.
func TestListNamesEveryTable(t *testing.T) {
	content := reflect.TypeFor[page.Content]()
	for i := range content.NumField() {
		field := content.Field(i)
		name := strings.ToLower(field.Name)
		isTable := field.Type == reflect.TypeFor[*sheet.Sheet]()
		if isTable && !slices.ContainsFunc(tableEntries(), func(e entry) bool { return e.name == name }) {
			t.Errorf("`copse list tables` lacks %q: add it to tableEntries in list.go", name)
		}
	}
}

func TestListNamesEveryRecipe(t *testing.T) {
	for _, topic := range topics {
		lines, _ := succeed(t, "list", topic.name)
		if strings.Contains(lines, "source:") || strings.Count(lines, "\n") != len(topic.entries()) {
			t.Errorf("list %s:\n%s", topic.name, lines)
		}
		for line := range strings.Lines(lines) {
			name := strings.Fields(line)[0]
			if out, _ := succeed(t, "list", topic.name, name); !strings.HasPrefix(out, name+"\n") ||
				!strings.Contains(out, "source:") && !strings.Contains(out, "to list its keys:") {
				t.Errorf("list %s %s:\n%s", topic.name, name, out)
			}
		}
	}
	attempt(t, "list", "classifiers", "5nn").prints("k = 5").lacks("oracle")
	attempt(t, "list", "figures", "cd").prints("cliques = holm").lacks("log2_x")
	allPairs, _ := succeed(t, "list", "tests", "max-type", "corrected-t-pairs")
	if strings.Count(allPairs, "copse explain inference.correction") != 2 {
		t.Errorf("list tests max-type corrected-t-pairs:\n%s", allPairs)
	}
	if out, _ := succeed(t, "list", "tests"); strings.Count(out, "chosen by `test: auto` for ") != 2 {
		t.Errorf("list tests:\n%s", out)
	}
	attempt(t, "list", "tests", "friedman", "nemenyi").prints("chi-square", "cliques: nemenyi")
	if out, _ := succeed(t, "list", "metrics", "sensitivity:ill"); !strings.HasPrefix(out, "sensitivity:CLASS\n") {
		t.Errorf("list metrics sensitivity:ill:\n%s", out)
	}
}

// A sharded run gives the same records as one without shards.
func TestShardsThenReport(t *testing.T) {
	file, whole, parts := writeStudy(t, smallStudy), t.TempDir(), t.TempDir()
	copse("run", file, "--out", whole)
	for _, shard := range []string{"2/3", "3/3", "1/3"} {
		succeed(t, "run", file, "--out", parts, "--shard", shard)
	}
	succeed(t, "report", parts)
	a, _ := os.ReadFile(filepath.Join(whole, "records.csv"))
	b, _ := os.ReadFile(filepath.Join(parts, "records.csv"))
	if len(a) == 0 || !bytes.Equal(a, b) {
		t.Error("records differ")
	}
}

// Messages use the singular for one failed fit.
func TestPlurals(t *testing.T) {
	study := strings.Replace(smallStudy, "replicates: 4", "replicates: 1", 1)
	study = strings.Replace(study, "n: [30, 60]", "n: [30]", 1)
	file := writeStudy(t, strings.Replace(study, "lda", "lda, {id: broken, classifier: 5nn, k: 1000}", 1))
	dir := filepath.Join(t.TempDir(), "results")
	attempt(t, "run", file, "--out", dir).fails(exitFailed, "small: 1 fit failed;", "1 trial (4 results) to run")
	attempt(t, "status", dir, "--precision", "0.1").finds("failed: broken, 1 fit:",
		"in which two classifiers other than the oracle succeed")
}

// The help of every verb fits a terminal of 80 columns.
func TestHelpFitsTerminal(t *testing.T) {
	const columns = 80
	commands := newRoot().Commands()
	for len(commands) > 0 {
		cmd := commands[0]
		commands = append(commands[1:], cmd.Commands()...)
		if cmd.HasParent() && cmd.Parent().Name() == "completion" {
			continue // cobra provides the text
		}
		for line := range strings.Lines(cmd.Long) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > columns {
				t.Errorf("copse %s --help: %d columns: %s", cmd.Name(), n, line)
			}
		}
		// pflag would print the words between backquotes in place of the type of the value.
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if strings.Contains(f.Usage, "`") {
				t.Errorf("copse %s --help: backquotes in the usage of --%s: %s", cmd.Name(), f.Name, f.Usage)
			}
		})
	}
}
