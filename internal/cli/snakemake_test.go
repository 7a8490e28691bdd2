package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The guide's Snakefile runs a study in shards without a common folder. The results are the same as on one machine, and
// a stopped shard keeps its finished trials.
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
	// A program that runs copse. The first time, shard 2 ends as if it had been stopped.
	program := filepath.Join(dir, "stops-once")
	script := "#!/bin/sh\n" + os.Args[0] + ` "$@" || exit
case "$*" in *"--shard 2/3"*) ! mkdir stopped 2>/dev/null || exit 3 ;; esac
`
	must(os.WriteFile(program, []byte(script), 0o777))
	snakemake := func() (string, error) {
		cmd := exec.Command("snakemake", "--cores", "2", "--snakefile", rules, "--directory", dir, "--config",
			"study="+file, "shards=3", "copse="+program)
		cmd.Env = append(os.Environ(), actAsCopse+"=1", "XDG_CACHE_HOME="+t.TempDir())
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := snakemake(); err == nil || !exists(filepath.Join(dir, "shards", "2", "journal", "*.jsonl")) {
		t.Fatalf("snakemake after a stopped shard: %v\n%s", err, out)
	}
	if out, err := snakemake(); err != nil {
		t.Fatalf("snakemake: %v\n%s", err, out)
	}
	made := outputs(t, filepath.Join(dir, "results"))
	delete(made, ".snakemake_timestamp")
	sameOutputs(t, made, want)
}
