package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"copse/internal/filetest"
	"copse/internal/texttest"
)

// Every study that needs no download has a protocol, in both formats, and it is always the same. The protocol
// of a results folder is that of its study.
func TestProtocol(t *testing.T) {
	for _, name := range []string{"quickstart", "jmlr2020-table1", "khrf2010-tasks", "real-quickstart"} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(filepath.Join("..", ".."))
			file := filepath.Join("configs", name+".yaml")
			for format, wants := range map[string][]string{"markdown": {"# Protocol", "## Missingness", "MCSE"},
				"latex": {`\documentclass`, `\end{document}`}} {
				out, _ := succeed(t, "protocol", file, "--format", format)
				texttest.Case(t, format).Contains(out, wants...)
				if _, again, _ := copse("protocol", file, "--format", format); again != out {
					t.Errorf("%s differs the second time", format)
				}
			}
		})
	}
	attempt(t, "protocol", writeStudy(t, smallStudy+"ademp: {aim: [x]}\n")).fails(exitUsage, `did you mean "aims"?`)
	paired := "Cells that differ only in n use common random numbers instead: they have the same random streams. " +
		"If such cells have the same generator settings, they also have the same problems"
	out, _ := succeed(t, "protocol", writeStudy(t, smallStudy+"pair: [n]\n"))
	texttest.Contains(t, strings.ReplaceAll(out, "\n", " "), paired)
	unequal := strings.Replace(smallStudy, "train: {n: $n}", "train: {n: $n, majority: 0.7}", 1)
	const explained = "In parentheses: the rows of each class"
	attempt(t, "protocol", writeStudy(t, unequal)).prints("| 30 (21 + 9) | 50 |", "| 60 (42 + 18) | 50 |", explained)
	attempt(t, "protocol", writeStudy(t, smallStudy)).lacks(explained)
	for study, wants := range map[string]bool{smallStudy: false, smallStudy + "time_limit: 9s\n": true} {
		_, out, _ := copse("protocol", writeStudy(t, study))
		for _, sentence := range []string{"longer than 9s of wall-clock time", "depends on the machine and its load"} {
			texttest.ContainsIf(t, wants, out, sentence)
		}
	}
	attempt(t, "protocol", writeStudy(t, smallStudy), "--format", "word").fails(exitUsage,
		"want one of markdown, latex")
}

// Tables and figures with their own families are declared in addition to the family of the study, with
// members and measure, in both formats.
func TestProtocolNamesEveryFamily(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	for _, format := range []string{"markdown", "latex"} {
		attempt(t, "protocol", filepath.Join("configs", "grand-tour.yaml"), "--format", format).prints(
			"Table errors, test error",
			"Members: SLB, SLB-, LU, NB, TAN, 5-NN, SVM, RF, DCC, CNC, KHRF.", "Table comparators, test error",
			"Members: SLB, Logistic, QDA, Boosting,")
	}
}

// The commands in the protocol and on the page repeat the study of their own folder, and write to no folder of another
// study. Without --out, the study.yaml of a results folder runs in this folder.
func TestRepeatCommands(t *testing.T) {
	file := writeStudy(t, strings.Replace(smallStudy, "figures: [{name: box, panel: [n]}]", "figures: []", 1))
	t.Chdir(t.TempDir())
	succeed(t, "run", file, "--replicates", "2")
	succeed(t, "run", file, "--replicates", "1", "--set", "seed=7", "--out", "results/other")
	records := filetest.Read(t, "results/small/records.csv")
	const again = "copse run results/other/study.yaml --out again/other"
	page := filetest.Read(t, "results/other/report.html")
	attempt(t, "protocol", "results/other").prints(again)
	texttest.Contains(t, page, again)
	for want, flags := range map[string][]string{
		" --out again/small`": nil,
		` --set classifiers.5nn.k=3 --set design.n=\[20,\ 40\] --set replicates=2 --out again/small` + "`": {
			"--set", "classifiers.5nn.k=3", "--set", "design.n=[20, 40]", "--replicates", "2"},
	} {
		attempt(t, append([]string{"protocol", file}, flags...)...).prints("- `copse run " + file + want)
	}
	attempt(t, "protocol", "results/other", "--replicates", "2").fails(exitUsage, "`results/other/study.yaml`")
	succeed(t, "run", "results/other/study.yaml", "--replicates", "3")
	if filetest.Read(t, "results/small/records.csv") != records {
		t.Error("results/small has changed")
	}
	// a header and all results
	if n := strings.Count(filetest.Read(t, "results/other/records.csv"), "\n"); n != 1+3*2*3 {
		t.Errorf("results/other has %d lines", n)
	}
	t.Chdir("results/other")
	attempt(t, "run", "study.yaml").logs("nothing to run")
}

// The protocol and the index count omitted results even if manifest.json is older than study.yaml. If a journal is
// damaged, the protocol has the counts of manifest.json.
func TestProtocolOfFolder(t *testing.T) {
	file, dir := writeStudy(t, smallStudy), filepath.Join(t.TempDir(), "r")
	succeed(t, "run", file, "--out", dir, "--replicates", "3")
	succeed(t, "run", file, "--out", dir, "--replicates", "2", "--shard", "1/2")
	const omitted = "results of replicates above 2"
	attempt(t, "protocol", dir).prints(omitted)
	page := filepath.Join(t.TempDir(), "index.html")
	attempt(t, "index", dir, "--out", page).logs("study.yaml has changed since records.csv was written")
	texttest.Contains(t, filetest.Read(t, page), omitted)
	succeed(t, "report", dir)
	want, _ := succeed(t, "protocol", dir)
	journal := filepath.Join(dir, "journal", "main.jsonl")
	filetest.Write(t, journal, strings.Replace(filetest.Read(t, journal), "lda", "LDA", 1))
	attempt(t, "report", dir).fails(exitFailed)
	if out, _ := succeed(t, "protocol", dir); out != want {
		t.Errorf("with a damaged journal:\n%s", out)
	}
}
