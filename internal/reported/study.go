package reported

import (
	"cmp"

	"copse/experiments/calibrate"
	"copse/experiments/published"
	"copse/experiments/study"
	"copse/report"
	"copse/report/protocol"
)

// A Study is a study together with the sections of its file that configure the report.
type Study struct {
	*study.Study
	Layout report.Layout     // the "report" and "inference" sections
	Author protocol.Author   // the "ademp" section
	Tables []published.Table // the "published" section
}

// Load reads a study file with the assignments given to --set, and checks all sections and whether
// the report can be made.
func Load(file string, assignments ...string) (*Study, error) {
	s := &Study{Layout: report.DefaultLayout()}
	parsed, err := study.LoadWith(s.sections(), file, assignments...)
	if err != nil {
		return nil, err
	}
	if err := s.complete(parsed); err != nil {
		return nil, err
	}
	if err := calibrate.Check(parsed); err != nil {
		return nil, err
	}
	return s, s.CheckReport()
}

// Sections decodes and checks the sections "report", "inference", "ademp" and "published" of a
// study file.
func Sections(parsed *study.Study) (*Study, error) {
	s := &Study{Layout: report.DefaultLayout()}
	root := parsed.Root() // collects the errors
	for name, target := range s.sections() {
		root.Key(name).Decode("key", target)
	}
	if err := root.Err(); err != nil {
		return nil, err
	}
	return s, s.complete(parsed)
}

// sections returns the sections that do not depend on the cells: their names, and the fields into
// which Decode reads them.
func (s *Study) sections() map[string]any {
	return map[string]any{"report": &s.Layout, "inference": &s.Layout.Inference, "ademp": &s.Author}
}

// complete adds the study and its published tables to s, after the other sections have been decoded.
func (s *Study) complete(parsed *study.Study) (err error) {
	s.Study = parsed
	if err := s.checkUnit(); err != nil { // the unit of tests depends on the section "inference" and the design
		return err
	}
	s.Tables, err = published.Tables(parsed)
	return err
}

// checkUnit returns an error if the unit of inference is not valid for a cell, such as the unit
// "replicate" for folds of randomly drawn data sets.
func (s *Study) checkUnit() error {
	section := s.Section("inference")
	if !section.Exists() {
		return nil // the default unit is valid for every design
	}
	for _, c := range s.Cells {
		if err := s.Layout.Inference.CheckUnit(samplingOf(s.Study, c, nil, nil)); err != nil {
			section.Key("unit").Fail("%s (cell %s)", err, cmp.Or(s.Describe(c), c.ID))
		}
	}
	return section.Err()
}
