package results

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"copse/experiments/folder"
)

// Times are those of their results in whatever order the file has them, and those
// of a file in the records' order are not gathered. Rows may lack a result and
// results a row.
func TestTimesInStepAndNot(t *testing.T) {
	var keys []timingKey
	var rows []string
	for i := range 40 {
		key := timingKey{fmt.Sprintf("c%d", i/20), 1 + i%20/2, fmt.Sprintf("m%d", i%2)}
		keys = append(keys, key)
		rows = append(rows, fmt.Sprintf("%s,%d,%s,%d.5,0.25,%d\n", key.cell, key.replicate, key.id, i, i))
	}
	for _, order := range []string{"the records'", "another"} {
		if order == "another" {
			rand.New(rand.NewPCG(1, 2)).Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		}
		dir := t.TempDir()
		text := strings.Join(timingColumns, ",") + "\n" + strings.Join(rows, "") + "c9,1,m0,9,9,\n"
		if err := os.WriteFile(filepath.Join(dir, folder.Timings), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		times, err := openTimes(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer times.file.Close()
		for i, key := range keys {
			got, err := times.of(key)
			if want := (timing{float64(i) + 0.5, 0.25, int64(i)}); err != nil || got != want {
				t.Errorf("%s order: result %d has times %v, %v; want %v", order, i, got, err, want)
			}
			if order == "the records'" && len(times.passed) > 0 {
				t.Fatalf("result %d: %d rows are kept", i, len(times.passed))
			}
		}
		if got, err := times.of(timingKey{"c8", 1, "m0"}); err != nil || got != (timing{}) {
			t.Errorf("%s order: a result without a row has times %v, %v", order, got, err)
		}
	}
}
