package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"copse/experiments/study"
	"copse/internal/reported"
)

// studyFlags are the flags that change a study without editing its file.
type studyFlags struct {
	set        []string
	replicates int
	out        string
}

func (f *studyFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.set, "set", nil, "set a scalar or a factor: design.n=200,3200, "+
		"classifiers.slb.c=2; quote a key with dots: 'classifiers.rf.params.\"num.trees\"=200' (repeatable)")
	cmd.Flags().IntVar(&f.replicates, "replicates", 0, "replicates per cell (default: as in the file)")
	cmd.Flags().StringVar(&f.out, "out", "", "results folder (default: results/STUDY)")
}

// assignments returns the values of --set, and replicates=N if --replicates is given.
func (f *studyFlags) assignments(cmd *cobra.Command) []string {
	list := f.set
	if cmd.Flags().Changed("replicates") {
		list = append(list, fmt.Sprintf("replicates=%d", f.replicates))
	}
	return list
}

// load reads a study with the flags applied and checks all its sections.
func (f *studyFlags) load(cmd *cobra.Command, file string) (*reported.Study, error) {
	if cmd.Flags().Changed("replicates") && f.replicates < 1 {
		return nil, usagef("--replicates %d: want 1 or more replicates", f.replicates)
	}
	if info, err := os.Stat(f.out); err == nil && !info.IsDir() {
		return nil, usagef("--out %s: a file has this name; name a folder", f.out)
	}
	return reported.Load(file, f.assignments(cmd)...)
}

// loadAll reads several studies with the flags applied.
func (f *studyFlags) loadAll(cmd *cobra.Command, files []string) ([]*study.Study, error) {
	var studies []*study.Study
	for _, file := range files {
		s, err := f.load(cmd, file)
		if err != nil {
			return nil, err
		}
		studies = append(studies, s.Study)
	}
	return studies, nil
}
