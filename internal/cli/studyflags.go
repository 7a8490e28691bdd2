package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"copse/experiments/config"
	"copse/internal/reported"
)

// studyFlags contains the flags that override keys of a study file.
type studyFlags struct {
	set        []string
	replicates int
	out        string
}

func (f *studyFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.set, "set", nil, "set the value of a key in the study (repeatable, once per key): "+
		"design.n=200,3200, classifiers.slb.c=2; quote a key that contains dots: "+
		"'classifiers.rf.params.\"num.trees\"=200'")
	cmd.Flags().IntVar(&f.replicates, "replicates", 0,
		"total number of replicates per cell, including the stored ones (default: as in the study file)")
	cmd.Flags().StringVar(&f.out, "out", "", "results folder (default: results/STUDY, or the "+
		"folder of CONFIG if this is a results folder)")
}

// assignments returns the values of --set, followed by replicates=N if --replicates is given.
func (f *studyFlags) assignments(cmd *cobra.Command) []string {
	list := f.set
	if cmd.Flags().Changed("replicates") {
		list = append(list, fmt.Sprintf("replicates=%d", f.replicates))
	}
	return list
}

// load reads a study file, applies the flags and checks all sections of the study.
func (f *studyFlags) load(cmd *cobra.Command, file string) (*reported.Study, error) {
	if cmd.Flags().Changed("replicates") && f.replicates < 1 {
		return nil, usageErrorf("--replicates %d: the number of replicates must be positive", f.replicates)
	}
	if info, err := os.Stat(f.out); err == nil && !info.IsDir() {
		return nil, usageErrorf("--out %s is a file; give the name of a folder", f.out)
	}
	s, err := reported.Load(file, f.assignments(cmd)...)
	if cmd.Flags().Changed("replicates") {
		nameReplicatesFlag(err)
	}
	return s, err
}

// nameReplicatesFlag makes errors name the flag --replicates N as the origin of a wrong value.
// Without it, they name "--set replicates=N", to which assignments converts the flag.
func nameReplicatesFlag(err error) {
	list, _ := errors.AsType[config.Errors](err)
	for _, e := range list {
		mistake := e.(*config.Error) // all errors in the list have this type
		mistake.Origin = strings.Replace(mistake.Origin, "--set replicates=", "--replicates ", 1)
	}
}
