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

// Load reads a study file with the assignments given to --set, and checks all sections. It also
// checks whether the report can be made.
func Load(file string, assignments ...string) (*Study, error) {
	parsed, err := study.Load(file, assignments...)
	if err != nil {
		return nil, err
	}
	s, err := Sections(parsed)
	if err != nil {
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
	s := &Study{Study: parsed, Layout: report.DefaultLayout()}
	if err := s.Decode("report", &s.Layout); err != nil {
		return nil, err
	}
	if err := s.Decode("inference", &s.Layout.Inference); err != nil {
		return nil, err
	}
	if err := s.checkUnit(); err != nil { // the unit of tests: it depends on the section "inference" and the design
		return nil, err
	}
	if err := s.Decode("ademp", &s.Author); err != nil {
		return nil, err
	}
	var err error
	s.Tables, err = published.Tables(parsed)
	return s, err
}

// checkUnit returns an error if the unit of inference is not valid for a cell. For example, the
// unit "replicate" is not valid for folds of randomly drawn data sets.
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
