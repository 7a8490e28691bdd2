package classifiers

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/sys/cpu"

	"copse/classifiers/internal/methodtest"
	"copse/internal/filetest"
	"copse/stats/metrics"
)

// toleranceOnly lists the classifiers whose AUC depended on rounding, because their solver stopped at a
// tolerance of 0.001. The older versions still do and fail TestRoundingKeepsAUC.
var toleranceOnly = []string{"slb", "slb-", "lu", "svm", "svm-cv", "forestdens"}

// A scoredFit is the AUC of a fit and its score for the first test row.
type scoredFit struct{ AUC, First float64 }

// fitsFile is the environment variable with the file to which TestWriteScoredFits writes.
const fitsFile = "COPSE_SCORED_FITS"

// The AUC stays the same without fused multiply-add (FMA), which rounds differently. The test runs
// TestWriteScoredFits in a process without FMA.
func TestRoundingKeepsAUC(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in short runs: fits every classifier twice")
	}
	if !cpu.X86.HasFMA {
		t.Skip("the processor has no FMA")
	}
	file := filepath.Join(t.TempDir(), "fits.json")
	child := exec.Command(os.Args[0], "-test.run=^TestWriteScoredFits$")
	child.Env = append(os.Environ(), "GODEBUG=cpu.fma=off", fitsFile+"="+file)
	if output, err := child.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	text := filetest.Read(t, file)
	var without map[string]scoredFit
	if err := json.Unmarshal([]byte(text), &without); err != nil {
		t.Fatal(err)
	}
	different := 0
	for name, fused := range scoredFits(t) {
		if fused.AUC != without[name].AUC {
			t.Errorf("%s: AUC %v with FMA, %v without", name, fused.AUC, without[name].AUC)
		}
		if fused.First != without[name].First {
			different++
		}
	}
	if different == 0 {
		t.Error("no score differs: both processes round in the same way")
	}
}

// TestWriteScoredFits is the part of TestRoundingKeepsAUC that runs in the other process.
func TestWriteScoredFits(t *testing.T) {
	file := os.Getenv(fitsFile)
	if file == "" {
		t.Skip("only for TestRoundingKeepsAUC")
	}
	text, err := json.Marshal(scoredFits(t))
	if err != nil {
		t.Fatal(err)
	}
	filetest.Write(t, file, string(text))
}

// scoredFits fits every classifier of toleranceOnly to a few samples. The keys are the name of the
// classifier and the seed of the sample.
func scoredFits(t *testing.T) map[string]scoredFit {
	auc, err := metrics.Lookup("auc")
	if err != nil {
		t.Fatal(err)
	}
	fits := map[string]scoredFit{}
	for seed := range uint64(3) {
		train, test := methodtest.TwoTrees(80, 4, seed, 1), methodtest.TwoTrees(1000, 4, seed, 2)
		for _, name := range toleranceOnly {
			spec, _ := Registry.Lookup(name)
			scores := methodtest.Fit(t, spec.New(), train).Scores(test.X)
			value := auc.Value(&metrics.Predictions{Truth: test.Y, Scores: scores}, test.C())
			fits[fmt.Sprintf("%s, seed %d", name, seed)] = scoredFit{value, scores.At(0, 1)}
		}
	}
	return fits
}
