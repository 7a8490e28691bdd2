package reported

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/exp/rand"

	"copse/experiments/cluster"
	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/experiments/stream"
	"copse/experiments/study"
	"copse/report/view"
	"copse/stats/verdicts"
)

// describeStudy describes a study for its report page. Facts about data files come from the
// manifest, because the files may have moved.
func describeStudy(s *Study, f *results.Folder, selected *results.Selection) view.Study {
	stored := f.Manifest // nil if the folder has no manifest
	d := describeDesign(s.Study, stored)
	// The new manifest describes the selected records. The stored manifest may describe older ones.
	describeHistory(&d, s.Study, f.NewManifest(selected))
	d.Sampling = samplings(s.Study, selected.Rows, stored)
	d.Aims = s.Author.Aims
	path := "results/" + baseName(f.Dir) // the same for all copies of the folder
	d.ResultsDir = cluster.ShellWord(path)
	d.Commands = repeatCommands("copse run "+d.ResultsDir+"/"+folder.Study, path)
	if stored != nil {
		describeFiles(&d, s.Study, func(c *study.Cell) results.FileFacts {
			cell, _ := stored.Cell(c.ID)
			return cell.FileFacts
		})
		if len(stored.Sessions) > 0 {
			describeLastRun(&d, f)
		}
	}
	return d
}

// describeFiles adds the numbers of rows and the classes of the data files to d. facts returns the
// facts about the data file of a cell.
func describeFiles(d *view.Study, s *study.Study, facts func(*study.Cell) results.FileFacts) {
	d.Data = append(d.Data, rowsOf(s, facts)...)
	for _, c := range s.Cells {
		if classes := facts(c).Classes; len(classes) > 0 {
			d.Classes[c.ID] = classes
		}
	}
}

// factsOf returns the facts about the data files of a cell. If the files are not on this computer,
// it returns the facts in the manifest m, which may be nil.
func factsOf(c *study.Cell, m *results.Manifest) results.FileFacts {
	if c.Data.Absent {
		stored, _ := m.Cell(c.ID)
		return stored.FileFacts
	}
	return results.NewFacts(c.Data)
}

// describeLastRun adds the machine and the software versions of the last session to d.
func describeLastRun(d *view.Study, f *results.Folder) {
	m := f.Manifest
	last := m.Sessions[len(m.Sessions)-1]
	p := last.Platform
	d.Machine = []view.Setting{
		{Name: "processor", Value: p.CPU},
		{Name: "cores", Value: fmt.Sprint(p.Cores)},
		{Name: "system", Value: p.OS + "/" + p.Arch},
	}
	d.Machine = addSetting(d.Machine, "programs", strings.Join(f.ProgramChanges(), "; "))
	d.Versions = []view.Setting{
		{Name: view.LastRun, Value: last.Day()},
		{Name: view.Revision, Value: p.Revision},
		{Name: "Go", Value: p.Go},
		{Name: "configuration SHA-256", Value: m.ConfigSHA256},
		{Name: "records SHA-256", Value: m.RecordsSHA256},
	}
}

// baseName returns the last element of the absolute path of dir.
func baseName(dir string) string {
	path, _ := filepath.Abs(dir) // fails only without a working directory
	return filepath.Base(path)
}

// repeatCommands returns the commands that run and report a study in the folder again/NAME, where NAME
// is the last element of dir. command runs the study in dir.
func repeatCommands(command, dir string) []string {
	again := cluster.ShellWord("again/" + baseName(dir))
	return []string{command + " --out " + again, "copse report " + again}
}

// describeDesign describes a study without its results. m is the manifest of the runs so far, or nil
// before the first run.
func describeDesign(s *study.Study, m *results.Manifest) view.Study {
	d := view.Study{
		Name:        s.Name,
		Title:       cmp.Or(s.Title, "Study "+s.Name),
		Source:      s.Source,
		Replicates:  s.Replicates,
		Seed:        fmt.Sprint(s.Seed),
		Data:        append(dataOf(s), setsOf(s.Cells)...),
		Generators:  generatorsOf(s.Cells, programsOf(m)),
		Classifiers: classifiersOf(s, m),
		Posteriors:  new(verdicts.Posteriors), // an empty cache for Bayesian tests
		Sampling:    samplings(s, nil, nil),   // as designed; describeStudy replaces it with the actual sampling
		Remarks:     map[string]string{},      // by cell id, like the next two maps
		Classes:     map[string][]string{},
		Problems:    map[string]string{},
	}
	if m != nil {
		describeHistory(&d, s, m)
	}
	// Each purpose, such as the bootstrap for one figure, has its own random stream.
	d.Random = func(purpose string) *rand.Rand { return stream.New(s.Seed, "", 0, "inference:"+purpose) }
	d.Factors = unlabelledFactors(s)
	describeCells(&d, s.Cells)
	return d
}

// unlabelledFactors returns the factors of a design and their levels, all without labels.
func unlabelledFactors(s *study.Study) (list []view.Factor) {
	for _, f := range s.Factors {
		factor := view.Factor{Name: f.Name, Levels: map[string]string{}, Settings: levelSettings(f.Name, s.Cells)}
		for _, level := range f.Levels {
			factor.Levels[level] = ""
		}
		list = append(list, factor)
	}
	return list
}

// levelSettings returns the parameters of generators that a factor determines, such as "rho = 0.5", by level.
// It omits a value that is also the name of its level.
func levelSettings(factor string, cells []*study.Cell) map[string][]string {
	settings := map[string][]string{}
	for _, p := range parametersByLevel(factor, cells) {
		if !p.isDetermined() {
			continue
		}
		for level, value := range p.values {
			if value != level {
				settings[level] = append(settings[level], p.name+" = "+value)
			}
		}
	}
	return settings
}

// A parameterByLevel contains the values of a generator's parameter at the levels of a factor.
type parameterByLevel struct {
	name   string
	values map[string]string // by level
	varies bool              // cells with the same level have different values
}

// isDetermined reports whether the factor alone determines the parameter: values differ between levels, but not
// between cells with the same level.
func (p *parameterByLevel) isDetermined() bool {
	isConstant := len(slices.Compact(slices.Sorted(maps.Values(p.values)))) == 1
	return !p.varies && !isConstant
}

// parametersByLevel returns all parameters of the generators with their values at each level of a
// factor. The list is in the order in which the cells first use a parameter.
func parametersByLevel(factor string, cells []*study.Cell) (list []*parameterByLevel) {
	generators := map[string]view.Component{} // by specification
	for _, g := range generatorsOf(cells, nil) {
		generators[g.ID] = g
	}
	byName := map[[2]string]*parameterByLevel{} // by generator and parameter
	for _, c := range cells {
		g, level := generators[c.Data.GeneratorSpec], c.Levels.Of(factor)
		for _, setting := range g.Params {
			key := [2]string{g.Name, setting.Name}
			p := byName[key]
			if p == nil {
				p = &parameterByLevel{name: setting.Name, values: map[string]string{}}
				byName[key] = p
				list = append(list, p)
			}
			// Another cell with the same level may have another value.
			if value, isKnown := p.values[level]; isKnown && value != setting.Value {
				p.varies = true
			}
			p.values[level] = setting.Value
		}
	}
	return list
}

// describeCells adds the classes, the source and the restrictions of each cell's data to d.
func describeCells(d *view.Study, cells []*study.Cell) {
	for _, c := range cells {
		d.Classes[c.ID] = c.Data.ClassNames()
		d.Problems[c.ID] = problemName(c.Data)
		if remark := restrictionRemark(c.Data); remark != "" {
			d.Remarks[c.ID] = remark
		}
	}
}

// describeHistory adds unused results, retried fits and changes after earlier runs to d.
func describeHistory(d *view.Study, s *study.Study, m *results.Manifest) {
	d.Extensions = m.Extensions()
	d.Changes = m.Changes(s)
	d.Most = m.MostReplicates()
	d.Unused = results.OmittedInWords(m.Omitted)
	d.Retried = m.CountRetried()
}

// settingAt returns the index of the setting with the given name, or -1 if there is none.
func settingAt(list []view.Setting, name string) int {
	return slices.IndexFunc(list, func(s view.Setting) bool { return s.Name == name })
}

// addSetting adds a setting to a list unless its value is "".
func addSetting(list []view.Setting, name, value string) []view.Setting {
	if value == "" {
		return list
	}
	return append(list, view.Setting{Name: name, Value: value})
}
