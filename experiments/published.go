package experiments

import (
	"fmt"
	"slices"

	"copse/stats"
)

// Published says which table of a paper a study repeats: a study file's
// published section.
type Published struct {
	File       string            `param:"file" required:"the table, such as results/published/jmlr2020-table1.csv"`
	Columns    map[string]string `param:"columns" required:"the table's columns and the factors that they are, such as {n: n}"`
	Ignore     []string          `param:"ignore"`  // columns that neither identify a number nor are it
	Without    []string          `param:"without"` // factors that the paper does not have, such as the reading
	Renamed    map[string]string `param:"renamed"` // our classifier ids by the table's, where they differ
	Replicates int               `param:"replicates" range:"[2,inf)" required:"the number of replicates behind each printed number"`
	Rounding   float64           `param:"rounding" range:"[0,1)"` // half a unit of the last printed digit, as a share
	Alpha      float64           `param:"alpha" range:"(0,1)"`    // family-wise level of the verdicts
	Correction string            `param:"correction" enum:"bonferroni,holm"`
}

// SetDefaults is a family-wise level of 0.05, Holm's correction.
func (p *Published) SetDefaults() { *p = Published{Alpha: 0.05, Correction: "holm"} }

// classifierColumn is the published tables' column of classifier ids.
const classifierColumn = "classifier"

// PublishedSection decodes the study's published section; nil when it has none.
func (s *Study) PublishedSection() (*Published, error) {
	if s.Published == nil {
		return nil, nil
	}
	p := &Published{}
	p.SetDefaults()
	if err := s.Decode(s.Published, "published", p); err != nil {
		return nil, err
	}
	return p, s.checkPublished(p)
}

// checkPublished wants every factor mapped or declared absent.
func (s *Study) checkPublished(p *Published) error {
	d := decoder{file: s.File, origin: s.decoder.origin}
	var mapped []string
	for _, factor := range p.Columns {
		mapped = append(mapped, factor)
	}
	var names []string
	for _, f := range s.Factors {
		names = append(names, f.Name)
		if !slices.Contains(mapped, f.Name) && !slices.Contains(p.Without, f.Name) {
			d.fail(s.Published, "published.columns", "the factor %q is no column of the table; map it, or list it under without", f.Name)
		}
	}
	for _, f := range append(mapped, p.Without...) {
		if !slices.Contains(names, f) {
			d.fail(s.Published, "published", "the study has no factor %q%s", f, didYouMean(f, names))
		}
	}
	return d.errs.sorted()
}

// A Counterpart is one published number beside ours.
type Counterpart struct {
	stats.Counterpart
	Levels []string // ours, aligned with the study's factors
}

// Counterparts sets every cell and classifier of the records beside the
// published table. The second result lists the published numbers that have no
// counterpart among the records.
func (p *Published) Counterparts(records *stats.Records) ([]Counterpart, []string, error) {
	table, err := stats.ReadPublishedFile(p.File, stats.PublishedOptions{Ignore: p.Ignore})
	if err != nil {
		return nil, nil, err
	}
	for _, column := range table.Columns {
		if _, mapped := p.Columns[column]; !mapped && column != classifierColumn {
			return nil, nil, fmt.Errorf("%s: the column %q is not mapped to a factor; map it under published.columns, or list it under published.ignore", p.File, column)
		}
	}
	metric := stats.ErrorRate
	if table.Quantity == "ber" {
		metric = stats.BalancedRate
	}
	met := make([]bool, len(table.Rows))
	var list []Counterpart
	for _, cell := range records.Cells() {
		for i, row := range table.Rows {
			id, matches := p.match(table, row, records, cell.Levels)
			if !matches || !slices.Contains(records.Classifiers, id) {
				continue
			}
			met[i] = true
			list = append(list, Counterpart{stats.Counterpart{Cell: cell.ID, Classifier: id, Ours: cell.Summary(metric, id),
				Published: stats.Reported{Mean: row.Mean, SD: row.SD, N: p.Replicates}}, cell.Levels})
		}
	}
	var missing []string
	for i, row := range table.Rows {
		if !met[i] {
			missing = append(missing, fmt.Sprintf("%s:%d %v", p.File, i+2, row.Key))
		}
	}
	return list, missing, nil
}

// match tells whether a published row belongs to a cell and names its
// classifier as the study does.
func (p *Published) match(table *stats.Published, row stats.PublishedRow, records *stats.Records, levels []string) (string, bool) {
	id := ""
	for j, column := range table.Columns {
		if column == classifierColumn {
			id = row.Key[j]
			continue
		}
		factor := slices.IndexFunc(records.Factors, func(f stats.Factor) bool { return f.Name == p.Columns[column] })
		if factor < 0 || levels[factor] != row.Key[j] {
			return "", false
		}
	}
	if renamed, ok := p.Renamed[id]; ok {
		id = renamed
	}
	return id, true
}
