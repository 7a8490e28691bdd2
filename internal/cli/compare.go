package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"copse/experiments/folder"
	"copse/experiments/published"
	"copse/experiments/study"
	"copse/report"
	"copse/report/compare"
	"copse/stats"
	"copse/stats/records"
	"copse/stats/verdicts"
)

func newCompare() *cobra.Command {
	return &cobra.Command{
		Use:   "compare RESULTS...",
		Short: "Set every published number beside ours: difference, joint standard error, verdict",
		Long: `Compare maps the study's published section to its records and writes
tables/comparison.* and figures/comparison.*: for each cell and classifier ours,
published, the difference, its standard error, z, and a verdict under a
family-wise error rate; and whether the paper's rankings hold.`,
		Args: cobra.MinimumNArgs(1),
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
		documents, verdict, err := report.Compare(r.study, r.records.Records, o, r.layout.Formats)
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

// comparisonOf maps the study's published tables to its records, as one
// comparison; there is none when no table meets a record.
func comparisonOf(s *study.Study, records *records.Records) ([]compare.Options, error) {
	tables, err := published.Tables(s)
	if err != nil || len(tables) == 0 {
		return nil, err
	}
	o := compare.Options{Test: verdicts.AgreementOptions{Alpha: tables[0].Alpha, Correction: stats.Holm, Rounding: tables[0].Rounding}}
	if tables[0].Correction == "bonferroni" {
		o.Test.Correction = stats.Bonferroni
	}
	var sources []string
	for _, table := range tables {
		pairs, missing, err := table.Counterparts(records)
		if err != nil {
			return nil, err
		}
		o.Pairs = append(o.Pairs, pairs...)
		o.Missing = append(o.Missing, missing...)
		o.Variants = append(o.Variants, table.Without...)
		sources = append(sources, cmp.Or(table.Source, table.File))
	}
	o.Source = strings.Join(sources, " and ")
	if len(o.Pairs) == 0 {
		return nil, nil
	}
	return []compare.Options{o}, nil
}
