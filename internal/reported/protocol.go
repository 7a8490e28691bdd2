package reported

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"copse/experiments/cluster"
	"copse/experiments/config"
	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/experiments/study"
	"copse/report/protocol"
	"copse/report/view"
)

// Protocol returns the protocol of the study. It returns an error if a table or figure of the
// report cannot be made. m is the manifest of the results, or nil.
func (s *Study) Protocol(m *results.Manifest) (*protocol.Protocol, error) {
	rehearsal, err := s.rehearse()
	if err != nil {
		return nil, err
	}
	// The protocol needs a record for each cell, but the rehearsal omits cells of a large study.
	rows := madeUpRecords(s.Study)
	design := s.protocolDesign(m)
	design.Families, design.Variants = rehearsal.Families, rehearsal.Variants
	if m != nil {
		design.Limits = append(design.Limits, earlierLimits(s.Study, m.StudyFiles())...)
	}
	return protocol.New(s.Layout.View(describePlan(s.Study, m), rows), s.Author, design), nil
}

// describePlan describes the design of a study, its data files and the commands to run it. m is the
// manifest of the results, or nil.
func describePlan(s *study.Study, m *results.Manifest) view.Study {
	d := describeDesign(s, m)
	describeFiles(&d, s, func(c *study.Cell) results.FileFacts { return factsOf(c, m) })
	d.Commands = repeatCommands(cluster.RunCommand(s), cmp.Or(folder.ResultsOf(s.File), s.Name))
	return d
}

// protocolDesign returns the metrics, limits and cells of the study for its protocol. m is the
// manifest of the results, or nil.
func (s *Study) protocolDesign(m *results.Manifest) protocol.Design {
	d := protocol.Design{Pair: s.Pair, Limits: limitsInWords(s.Study), Cells: map[string]protocol.CellData{}}
	for _, c := range s.Cells {
		d.Cells[c.ID] = protocolCell(c, m)
	}
	for _, t := range s.Layout.Tables {
		d.Metrics = view.AddNew(d.Metrics, t.ShownMetrics()...)
	}
	for _, f := range s.Layout.Figures {
		d.Metrics = view.AddNew(d.Metrics, f.Metric)
	}
	d.Metrics = view.AddNew(d.Metrics, s.Metrics...)
	return d
}

// limitsInWords returns a sentence for each limit that the study sets.
func limitsInWords(s *study.Study) (sentences []string) {
	if s.TimeLimit > 0 {
		sentences = append(sentences, fmt.Sprintf("A fit fails if fitting and prediction together take longer than %s "+
			"of wall-clock time.", s.TimeLimit))
	}
	if s.Memory > 0 {
		sentences = append(sentences, fmt.Sprintf("A process that uses more than %d MB of memory is stopped, and its "+
			"fit fails.", s.Memory/1e6))
	}
	return sentences
}

// earlierLimits compares the time and memory limits of the study with the limits in the study files
// of the sessions. It returns a sentence for each limit that differs.
func earlierLimits(s *study.Study, files []config.Place) (sentences []string) {
	// amount converts a limit to nanoseconds or bytes, so that 60s equals 1m. Without a limit, it is 0.
	amount := func(limit string) int64 {
		if duration, err := time.ParseDuration(limit); err == nil {
			return int64(duration)
		}
		size, _ := config.ParseBytes(limit)
		return size
	}
	for _, file := range files {
		for _, kind := range []string{"time", "memory"} {
			limit := file.Key(kind + "_limit").Text()
			if amount(limit) != amount(s.Root().Key(kind+"_limit").Text()) {
				sentences = view.AddNew(sentences, fmt.Sprintf("An earlier session had another %s limit (%s), and "+
					"some results may come from that session.", kind, cmp.Or(limit, "none")))
			}
		}
	}
	return sentences
}

// protocolCell describes the data of one cell. The numbers of rows are 0 if neither the data file nor
// a manifest contains them.
func protocolCell(cell *study.Cell, m *results.Manifest) protocol.CellData {
	data := cell.Data
	c := protocol.CellData{Data: data.GeneratorName(), Noise: strings.Join(data.NoiseInWords(), "; "),
		Split: data.SplitInWords(), TrainCounts: data.TrainCounts, TestCounts: data.TestCounts}
	if data.FromFiles() {
		facts := factsOf(cell, m)
		c.Data, c.Train, c.Test = data.Source(), facts.TrainRows, facts.TestRows
	} else {
		c.Train, c.Test = data.Rows()
	}
	return c
}
