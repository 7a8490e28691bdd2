package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"copse/experiments/folder"
	"copse/experiments/published"
	"copse/experiments/study"
	"copse/report"
	"copse/report/compare"
	"copse/report/view"
	"copse/stats/records"
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
	r, err := readResults(s, dir)
	if err != nil {
		return err
	}
	if len(r.papers) == 0 {
		return usagef("%s has no published section: nothing to compare with", s.File)
	}
	for _, o := range r.papers {
		documents, verdict, err := report.Compare(r.study, r.records.Records, o, r.layout)
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

// comparisonsOf maps the study's published tables to its records: one comparison
// for each family of verdicts, the tables that state the same level, correction and
// margin. Tables that meet no record have none.
func comparisonsOf(s *study.Study, rows *records.Records, sampling map[string]view.Sampling) ([]compare.Options, error) {
	tables, err := published.Tables(s)
	if err != nil {
		return nil, err
	}
	share := func(cell string) float64 { return sampling[cell].Share }
	var list []compare.Options
	for _, table := range tables {
		pairs, missing, err := table.Counterparts(rows, share)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(list, func(o compare.Options) bool { return o.Test == table.Test() })
		if i < 0 {
			i = len(list)
			list = append(list, compare.Options{Test: table.Test()})
			if i > 0 {
				list[i].Name = fmt.Sprintf("comparison-%d", i+1)
			}
		}
		o, source := &list[i], cmp.Or(table.Source, table.File)
		if o.Source != "" {
			source = o.Source + " and " + source
		}
		o.Source, o.Pairs, o.Missing, o.Variants = source, append(o.Pairs, pairs...), append(o.Missing, missing...), append(o.Variants, table.Without...)
	}
	return slices.DeleteFunc(list, func(o compare.Options) bool { return len(o.Pairs) == 0 }), nil
}
