package cli

import (
	"fmt"
	"path/filepath"
	"testing"

	"golang.org/x/exp/rand" //lint:ignore SA1019 golang.org/x/exp/rand is the module's random source
)

// Whatever the number of workers, and however the study is divided, in which
// order the parts run and how often they are merged, the bytes are the same.
func TestAnyDivisionGivesTheSame(t *testing.T) {
	file, want := reference(t, killStudy)
	division := func(workers int, shards ...string) func(t *testing.T) {
		return func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "r")
			for _, s := range shards {
				if code, _, errOut := copse("run", file, "--out", dir, "-j", fmt.Sprint(workers), "--shard", s); code != 0 {
					t.Fatalf("shard %s: exit %d, %s", s, code, errOut)
				}
			}
			for range 2 {
				if code, _, errOut := copse("report", dir); code != 0 {
					t.Fatalf("report: exit %d, %s", code, errOut)
				}
				sameOutputs(t, outputs(t, dir), want)
			}
		}
	}
	var sevenths []string
	for _, k := range rand.New(rand.NewSource(1)).Perm(7) {
		sevenths = append(sevenths, fmt.Sprintf("%d/7", k+1))
	}
	t.Run("whole", division(1, "1/1"))
	t.Run("whole, 16 workers", division(16, "1/1"))
	t.Run("sevenths", division(2, sevenths...))
	t.Run("sevenths, some again", division(3, append(sevenths, sevenths[2:5]...)...))
	t.Run("thirds over sevenths", division(2, sevenths[0], sevenths[1], "2/3", "3/3", "1/3"))
}
