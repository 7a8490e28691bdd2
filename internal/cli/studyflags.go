package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"copse/internal/reported"
)

// studyFlags are the flags that change a study without editing its file.
type studyFlags struct {
	set        []string
	replicates int
	out        string
}

func (f *studyFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.set, "set", nil, "set any scalar or factor: design.n=200,3200, "+
		"classifiers.slb.c=2; a key with dots is quoted: 'classifiers.rf.params.\"num.trees\"=200' (repeatable)")
	cmd.Flags().IntVar(&f.replicates, "replicates", 0, "replicates per cell, in place of the file's")
	cmd.Flags().StringVar(&f.out, "out", "", "results folder (default results/<study>)")
}

// assignments are the --set values with --replicates among them.
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
		return nil, usagef("--out %s: a file is there; name a folder", f.out)
	}
	return reported.Load(file, f.assignments(cmd)...)
}
