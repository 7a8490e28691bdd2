package cli

import (
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"copse/experiments/study"
	"copse/report"
	"copse/report/protocol"
	"copse/stats/records"
)

func newProtocol() *cobra.Command {
	var format string
	var flags studyFlags
	cmd := &cobra.Command{
		Use:   "protocol STUDY",
		Short: "Write the protocol of a study: aims, data, estimands, methods, performance",
		Long: `Protocol writes down what a study will do and why, in the parts that Morris, White
and Crowther (2019) ask for: aims, data-generating mechanisms, estimands, methods
and performance measures with their Monte-Carlo standard errors, and the number of
replicates, missingness and environment. The aims and reasons are those of the
study's ademp section; all else follows from the study, before anything has run.
STUDY is a study file or a results folder.`,
		Example: `  copse protocol configs/quickstart.yaml
  copse protocol configs/quickstart.yaml --format latex > protocol.tex`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			write := (*protocol.Protocol).Markdown
			switch format {
			case "markdown", "md":
			case "latex", "tex":
				write = (*protocol.Protocol).Latex
			default:
				return usagef("--format %s: want markdown or latex", format)
			}
			s, err := flags.fileOrFolder(cmd, args[0])
			if err != nil {
				return err
			}
			p, err := protocolOf(s)
			if err != nil {
				return err
			}
			return write(p, document(cmd.OutOrStdout()))
		},
	}
	flags.add(cmd)
	cmd.Flags().StringVar(&format, "format", "markdown", "markdown or latex")
	return cmd
}

// fileOrFolder reads the study of a file or of a results folder.
func (f *studyFlags) fileOrFolder(cmd *cobra.Command, path string) (*study.Study, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return loadRecorded(path)
	}
	return f.load(cmd, path)
}

// protocolOf writes down a study. No result decides a word of it.
func protocolOf(s *study.Study) (*protocol.Protocol, error) {
	author, err := authorOf(s)
	if err != nil {
		return nil, err
	}
	layout, err := layoutOf(s)
	if err != nil {
		return nil, err
	}
	rows, told := rehearsal(s), describeDesign(s, s.Cells, nil)
	told.Commands = []string{"copse run " + s.File, "copse report " + resultsDir(s, "", false)}
	v := layout.View(told, rows)
	papers, err := comparisonsOf(s, rows, told.Sampling)
	if err != nil {
		return nil, err
	}
	design := protocolDesign(s, layout, rows)
	if design.Families, err = report.Families(v, &layout, papers); err != nil {
		return nil, fmt.Errorf("%s: %w", s.File, err)
	}
	return protocol.New(v, author, design)
}

// authorOf decodes the section of what only the author can say.
func authorOf(s *study.Study) (protocol.Author, error) {
	author := protocol.NewAuthor()
	err := s.Decode("ademp", &author)
	return author, err
}

func protocolDesign(s *study.Study, layout report.Layout, rows *records.Records) protocol.Design {
	d := protocol.Design{}
	add := func(metric string) {
		if !slices.Contains(d.Metrics, metric) {
			d.Metrics = append(d.Metrics, metric)
		}
	}
	for _, t := range layout.Tables {
		add(t.Metric)
	}
	for _, f := range layout.Figures {
		add(f.Metric)
	}
	for _, metric := range s.Metrics {
		add(metric)
	}
	if stop := s.Stop; stop != nil {
		d.Stop = &protocol.Stop{Min: stop.Min, Max: stop.Max, Batch: stop.Batch, MCSE: stop.Until.MCSE}
	}
	if s.TimeLimit > 0 {
		d.Limits = append(d.Limits, fmt.Sprintf("A fit with its prediction that takes longer than %s has failed.", s.TimeLimit))
	}
	if s.Memory > 0 {
		d.Limits = append(d.Limits, fmt.Sprintf("A process that takes more than %d MB of memory is stopped, and its fit has failed.", s.Memory/1e6))
	}
	cells := map[string]protocol.Cell{}
	for _, c := range s.Cells {
		cells[c.ID] = protocolCell(c.Data)
	}
	for _, c := range rows.Cells() { // in the order of records
		d.Cells = append(d.Cells, cells[c.ID])
	}
	return d
}

func protocolCell(data *study.Data) protocol.Cell {
	c := protocol.Cell{Data: data.GeneratorName(), Noise: data.NoiseInWords(), Split: data.SplitInWords()}
	if data.FromFiles() {
		c.Data = data.Source()
	}
	if !data.Absent {
		c.Train, c.Test = data.Rows()
	}
	return c
}
