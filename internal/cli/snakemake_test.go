package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The Snakefile of the guide runs a study in shards without a common folder, and its results are
// those of one machine.
func TestSnakefile(t *testing.T) {
	if testing.Short() {
		t.Skip("runs Snakemake")
	}
	if _, err := exec.LookPath("snakemake"); err != nil {
		t.Skip("NOT TESTED: docs/guide/clusters/Snakefile, because snakemake is missing")
	}
	file, want := undisturbed(t, killStudy)
	rules, err := filepath.Abs("../../docs/guide/clusters/Snakefile")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cmd := exec.Command("snakemake", "--cores", "2", "--snakefile", rules, "--directory", dir, "--config",
		"study="+file, "shards=3", "copse="+os.Args[0])
	cmd.Env = append(os.Environ(), actAsCopse+"=1", "XDG_CACHE_HOME="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("snakemake: %v\n%s", err, out)
	}
	made := outputs(t, filepath.Join(dir, "results"))
	delete(made, ".snakemake_timestamp")
	sameOutputs(t, made, want)
}
