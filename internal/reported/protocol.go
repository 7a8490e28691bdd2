package reported

import (
	"fmt"
	"strings"

	"copse/experiments/results"
	"copse/experiments/study"
	"copse/report"
	"copse/report/protocol"
	"copse/report/view"
	"copse/stats/records"
)

// Protocol returns the protocol of a study, which does not depend on results.
func (s *Study) Protocol() (*protocol.Protocol, error) {
	rows, described := rehearsal(s.Study), describeDesign(s.Study, s.Cells, nil)
	described.Data = append(described.Data, rowsOf(s.Study, s.Cells, func(c *study.Cell) results.FileFacts {
		return results.NewFacts(c.Data)
	})...)
	described.Commands = []string{"copse run " + s.File, "copse report " + resultsOf(s.Study)}
	v := s.Layout.View(described, rows)
	made, err := s.rehearse()
	if err != nil {
		return nil, err
	}
	if err := s.Mistakes(made.Missing); err != nil {
		return nil, err
	}
	design := protocolDesign(s.Study, s.Layout, rows)
	design.Families = made.Families
	return protocol.New(v, s.Author, design)
}

// protocolDesign returns the metrics, limits and cells of a study. rows are records of the study,
// whose order the cells take.
func protocolDesign(s *study.Study, layout report.Layout, rows *records.Records) protocol.Design {
	d := protocol.Design{}
	add := func(metric string) { d.Metrics = view.AddNew(d.Metrics, metric) }
	for _, t := range layout.Tables {
		for _, metric := range t.Shown() {
			add(metric)
		}
	}
	for _, f := range layout.Figures {
		add(f.Metric)
	}
	for _, metric := range s.Metrics {
		add(metric)
	}
	if s.TimeLimit > 0 {
		d.Limits = append(d.Limits, fmt.Sprintf("A fit with its prediction that takes longer than %s has failed.",
			s.TimeLimit))
	}
	if s.Memory > 0 {
		d.Limits = append(d.Limits, fmt.Sprintf("A process that takes more than %d MB of memory is stopped, and its "+
			"fit has failed.", s.Memory/1e6))
	}
	cells := map[string]protocol.Cell{}
	for _, c := range s.Cells {
		cells[c.ID] = protocolCell(c.Data)
	}
	for _, c := range rows.Cells() {
		d.Cells = append(d.Cells, cells[c.ID])
	}
	return d
}

// protocolCell describes the data of one cell; numbers of rows are 0 if the file is absent.
func protocolCell(data *study.Data) protocol.Cell {
	c := protocol.Cell{Data: data.GeneratorName(), Noise: strings.Join(data.NoiseInWords(), "; "),
		Split: data.SplitInWords()}
	if data.FromFiles() {
		c.Data = data.Source()
	}
	if !data.Absent {
		c.Train, c.Test = data.Rows()
	}
	return c
}
