package classifiers

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	"copse/classifiers/internal/methodtest"
	"copse/stats/dataset"
)

// BenchmarkLimits fits the classifiers of the papers at the papers' sizes, on one core: two classes with 250
// rows each and 20 dependent columns. The discrete Chebyshev classifiers get 2500 rows of the toy problem,
// which has 51 binary variables. The benchmark reports the seconds per fit (per class if the paper does) and
// the increase of the peak of resident memory, including garbage.
//
//	go test ./classifiers -run '^$' -bench Limits -cpu 1
func BenchmarkLimits(b *testing.B) {
	numeric, binary := methodtest.TwoTrees(500, 20, 1, 2), methodtest.ToySet(2500, 20, 1)
	incompleteSVMs := []string{"dcc", "gdcc", "svm-mean", "avg-w", "geom"}
	for _, group := range []struct {
		data    string
		train   *dataset.Set
		fits    float64 // in one call of Fit
		unit    string
		recipes []string
	}{
		{"d=20", numeric, 2, "s/class", []string{"khrf", "kbn", "kmrf", "gmrf", "npmrf"}},
		{"d=20", numeric, 1, "s/fit", []string{
			"cnc", "cnc-gaussian", "lingauss-tan", "sigmoid-tan", "lda", "mpm", "svm-cv", "forestdens",
		}},
		{"binary51", binary, 1, "s/fit", []string{"dcc", "gdcc", "mpm"}},
		{"d=20,incomplete", methodtest.Incomplete(numeric, 1), 1, "s/fit", incompleteSVMs},
		{"binary51,incomplete", methodtest.Incomplete(binary, 1), 1, "s/fit", incompleteSVMs},
	} {
		for _, name := range group.recipes {
			b.Run(group.data+"/"+name, func(b *testing.B) {
				before, err := resetPeak()
				methodtest.BenchmarkFit(b, lookup(b, name).New(), group.train)
				b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/group.fits, group.unit)
				if peak, failed := residentMB("VmHWM"); err == nil && failed == nil {
					b.ReportMetric(peak-before, "peak-MB")
				}
			})
		}
	}
}

// resetPeak resets the peak to the resident memory and returns it (Linux).
func resetPeak() (float64, error) {
	debug.FreeOSMemory()
	if err := os.WriteFile(filepath.FromSlash("/proc/self/clear_refs"), []byte("5"), 0); err != nil {
		return 0, err
	}
	return residentMB("VmRSS")
}

// residentMB reads a line of /proc/self/status.
func residentMB(key string) (float64, error) {
	text, err := os.ReadFile(filepath.FromSlash("/proc/self/status"))
	if err != nil {
		return 0, err
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		var kilobytes float64
		if _, err := fmt.Sscanf(lines.Text(), key+": %f", &kilobytes); err == nil {
			return kilobytes / 1024, nil
		}
	}
	return 0, fmt.Errorf("no %s in /proc/self/status", key)
}
