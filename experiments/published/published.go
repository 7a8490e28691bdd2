// Package published knows which printed table of a paper a study repeats.
package published

import (
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"copse/experiments/config"
	"copse/experiments/folder"
	"copse/experiments/study"
	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
	"copse/stats/verdicts"
)

// Table says which table of a paper a study repeats: one entry of a study
// file's published section.
type Table struct {
	File       string            `param:"file" required:"the CSV of the table, such as results/published/jmlr2020-table1.csv"`
	Source     string            `param:"source" doc:"paper and table for captions; empty: the file"`
	Columns    map[string]string `param:"columns" required:"the columns of the table and the factors that they contain, such as {n: n}"`
	Ignore     []string          `param:"ignore" doc:"columns to ignore"`
	Only       map[string]string `param:"only" doc:"columns that the study repeats for only one value, and that value"`
	Without    []string          `param:"without" doc:"factors of the study that the paper does not have, such as the reading"`
	Where      records.Condition `param:"where" node:"mapping of levels" doc:"levels of the study that the table contains"`
	As         map[string]string `param:"as" doc:"ids of the study that have another name in the table, such as {slb-refit: slb}"`
	Replicates int               `param:"replicates" range:"[2,inf)" required:"the number of replicates behind each printed number"`
	Rounding   float64           `param:"rounding" range:"[0,1)" doc:"half a unit of the last printed digit, as a share, if the digits of the file do not show it"`

	path string // where the file was found
}

// Test returns when printed numbers agree with those of a study and differ from them: at
// the level of its inference section.
func Test(s *study.Study) verdicts.AgreementOptions {
	o := verdicts.DefaultAgreementOptions()
	s.Section("inference").Key("alpha").Decode("key", &o.Alpha)
	return o
}

// classifierColumn is the published tables' column of classifier ids.
const classifierColumn = "classifier"

// Tables decodes the study's published section, a list of tables, and reads them. The
// error lists every mistake.
func Tables(s *study.Study) ([]Table, error) {
	section := s.Section("published")
	var tables []Table
	section.Decode("key", &tables)
	for i := range tables {
		if !section.Failed() {
			tables[i].path = locate(tables[i].File, s.File)
			tables[i].check(section.Item(i), s.Factors)
		}
	}
	return tables, section.Err()
}

// locate finds a table from where copse runs or, so that a report can be drawn from
// anywhere, in the nearest folder above the study file that has it, at last among the
// copies beside that file.
func locate(file, study string) string {
	file = filepath.FromSlash(file)
	if exists(file) {
		return file
	}
	dir := filepath.Dir(filepath.FromSlash(study))
	if there := above(dir, file); there != "" {
		return there
	}
	if there := filepath.Join(dir, filepath.FromSlash(copied(file))); exists(there) {
		return there
	}
	return file
}

// above returns where the nearest folder from dir upwards has a file, "" if none has.
func above(dir, file string) string {
	if filepath.IsAbs(file) {
		return ""
	}
	dir, err := filepath.Abs(dir)
	for ; err == nil; dir = filepath.Dir(dir) {
		if there := filepath.Join(dir, file); exists(there) {
			return there
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return ""
}

// copied is where a results folder keeps its copy of a table.
func copied(file string) string {
	name := strings.TrimPrefix(filepath.ToSlash(filepath.Clean(file)), filepath.ToSlash(filepath.VolumeName(file)))
	name = strings.ReplaceAll(strings.TrimLeft(name, "./"), "/", "-")
	return path.Join(folder.Tables, "published-"+name)
}

// Copies are the tables of a study that no folder above its results has: kept among the
// report's outputs, they let it be drawn again where the originals are not.
func Copies(tables []Table, dir string) ([]folder.Output, error) {
	var list []folder.Output
	for _, t := range tables {
		o := folder.Output{Name: copied(t.File)}
		if above(dir, filepath.FromSlash(t.File)) != "" ||
			slices.ContainsFunc(list, func(l folder.Output) bool { return l.Name == o.Name }) {
			continue
		}
		text, err := os.ReadFile(t.path)
		if err != nil {
			return nil, err
		}
		o.Render = func(w io.Writer) error { _, err := w.Write(text); return err }
		list = append(list, o)
	}
	return list, nil
}

func exists(path string) bool { _, err := os.Stat(path); return err == nil }

// read reads the table; one with a column that the section does not account for
// comes with an error.
func (p *Table) read() (*verdicts.Published, error) {
	table, err := verdicts.ReadPublished(p.path, p.Ignore)
	if err != nil {
		return nil, err
	}
	for _, column := range table.Columns {
		if !p.covers(column) {
			return table, fmt.Errorf(
				"%s: the column %q is not mapped to a factor; map it under columns, fix its value under only, or "+
					"list it under ignore",
				p.File,
				column,
			)
		}
	}
	return table, nil
}

// check reports factors that the entry at the place does not map, fix or declare absent,
// and a table that cannot be read or has columns that the entry does not explain.
func (p *Table) check(at config.Place, factors []records.Factor) {
	where := at.Key("where")
	where.CheckCondition(p.Where, factors)
	var named []string
	for _, factor := range p.Columns {
		named = append(named, factor)
	}
	named = append(named, p.Without...)
	slices.Sort(named)
	names := records.FactorNames(factors)
	for _, f := range names {
		if _, fixed := p.Where[f]; !fixed && !slices.Contains(named, f) {
			at.Fail("the factor %q is no column of the table; map it under columns, or list it under without", f)
		}
	}
	for _, f := range named {
		if !slices.Contains(names, f) {
			at.Fail("the study has no factor %q%s", f, config.DidYouMean(f, names))
		}
	}
	table, err := p.read()
	switch {
	case err == nil:
	case table == nil:
		at.Key("file").Fail("%s", err)
	default: // the file is right, the entry is not
		at.Under(at.Key("file").Path()).Fail("%s", err)
	}
}

// Counterparts sets every cell and classifier of the records beside the
// published table; resampling describes the cells whose replicates are folds or splits of
// one data set: their test rows per training row, and the folds of one repeat, 0 without.
// The second result lists the published numbers that have no counterpart among the records.
func (p *Table) Counterparts(
	rows *records.Records, resampling func(cell string) (share float64, folds int),
) ([]verdicts.Counterpart, []string, error) {
	table, err := p.read()
	if err != nil {
		return nil, nil, err
	}
	metric := metrics.ErrorRate
	if table.Quantity == "ber" {
		metric = metrics.BalancedError
	}
	met := make([]bool, len(table.Rows))
	var list []verdicts.Counterpart
	for _, cell := range rows.Cells() {
		for _, id := range rows.Classifiers {
			i := p.find(table, cell.Levels, id)
			if i < 0 {
				continue
			}
			met[i] = true
			values, failed := cell.Values(metric, id)
			ours := stats.Summarize(values)
			ours.Failed = failed
			share, folds := resampling(cell.ID)
			var repeats verdicts.Repeats
			if share > 0 && failed == 0 {
				repeats = verdicts.NewRepeats(values, folds)
			}
			for _, c := range table.Rows[i].Counterparts(values) {
				c.Cell, c.Classifier, c.Metric, c.Levels = cell.ID, id, metric, cell.Levels
				c.Ours, c.Share, c.Repeats = ours, share, repeats
				c.Published.N, c.Published.Rounding = p.Replicates, max(p.Rounding, c.Published.Rounding)
				list = append(list, c)
			}
		}
	}
	var missing []string
	for i, row := range table.Rows {
		if !met[i] && p.repeats(table, row) {
			missing = append(missing, fmt.Sprintf("%s:%d %v", p.File, i+2, row.Key))
		}
	}
	return list, missing, nil
}

// find returns the published row of a cell and classifier, -1 when the paper
// has none.
func (p *Table) find(table *verdicts.Published, levels records.Levels, id string) int {
	if theirs, ok := p.As[id]; ok {
		id = theirs
	}
	if !p.Where.Holds(levels) {
		return -1
	}
	return slices.IndexFunc(table.Rows, func(row verdicts.PublishedRow) bool {
		for j, column := range table.Columns {
			ours, fixed := p.Only[column]
			switch {
			case column == classifierColumn:
				ours = id
			case !fixed:
				ours = levels.Of(p.Columns[column])
			}
			if row.Key[j] != ours {
				return false
			}
		}
		return true
	})
}

// covers tells whether the section says what a column of the table is.
func (p *Table) covers(column string) bool {
	_, mapped := p.Columns[column]
	_, fixed := p.Only[column]
	return mapped || fixed || column == classifierColumn
}

// repeats tells whether the study is about a row of the table.
func (p *Table) repeats(table *verdicts.Published, row verdicts.PublishedRow) bool {
	for j, column := range table.Columns {
		if only, fixed := p.Only[column]; fixed && row.Key[j] != only {
			return false
		}
	}
	return true
}
