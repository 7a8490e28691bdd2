package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"copse/experiments/folder"
	"copse/internal/reported"
	"copse/report"
)

func newCompare() *cobra.Command {
	return &cobra.Command{
		Use:   "compare RESULTS...",
		Short: "Set every published number beside ours: difference, joint standard error, verdict",
		Long: `Compare maps the study's published section to its records and writes
tables/comparison.* and figures/comparison.*: for each cell and classifier ours,
published, the difference, its standard error, z, and a verdict under a
family-wise error rate; and whether the paper's rankings hold.`,
		Example: `  copse compare results/jmlr2020-table1`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, dir := range args {
				if err := comparePublished(cmd.OutOrStdout(), dir); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func comparePublished(out io.Writer, dir string) error {
	s, err := loadRecorded(dir)
	if err != nil {
		return err
	}
	r, err := reported.Read(s, dir)
	if err != nil {
		return err
	}
	if len(r.Papers) == 0 {
		return usagef("%s has no published section: nothing to compare with", s.File)
	}
	for _, o := range r.Papers {
		documents, verdict, err := report.Compare(r.Study, r.Records.Records, o, r.Layout)
		if err != nil {
			return err
		}
		written, err := folder.Add(dir, kept(documents))
		if err != nil {
			return err
		}
		fmt.Fprintln(out, verdict)
		if err := printFiles(out, dir, written); err != nil {
			return err
		}
	}
	return nil
}
