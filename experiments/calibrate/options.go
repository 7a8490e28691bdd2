// Package calibrate searches for values of parameters that a paper does not state. A choice of
// these values is called a reading.
package calibrate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"copse/experiments/config"
	"copse/experiments/study"
	"copse/stats/recipe"
	"copse/stats/records"
)

// Options contains the calibrate section of a study file.
type Options struct {
	// the free parameters of the generator
	Free []Parameter `param:"free" required:"yes"`
	// cells that the search uses, as `factor=level`. Several levels of one factor are alternatives.
	// All other cells are held out
	Blocks records.Condition `param:"blocks" node:"list of strings" required:"yes"`
	// number of rounds. A round proposes new readings (choices of parameter values) and evaluates
	// them in stages
	Rounds int `param:"rounds" range:"[1,1000]"`
	// the number of new choices of parameter values, called readings, that each round proposes
	Readings int `param:"readings" required:"yes" range:"[2,1e6]"`
	// probability that a new reading (a choice of parameter values) is close to one of the best
	// readings so far. All other readings, and all readings of the first round, are random
	Local float64 `param:"local" range:"[0,1]"`
	// stages of a round, in order. A reading is one choice of parameter values. The first stage runs
	// all readings of the round. Each later stage runs only the best of them, usually with more
	// replicates
	Stages []Stage `param:"stages" required:"yes"`
	// number of the best readings (choices of parameter values) that are evaluated again. The
	// evaluation uses fresh replicates of all cells for which the published table has numbers
	Finalists int `param:"finalists" range:"[2,1000]"`
	// number of fresh replicates for the finalists
	Confirm int     `param:"confirm" range:"[3,1e6]"`
	Alpha   float64 // significance level of the tests against the nearest reading (inference.alpha)
}

// A Parameter is a free parameter of the generator.
type Parameter struct {
	// the name of the parameter in the generator
	Name string `param:"parameter" required:"yes"`
	// level at which the search varies the parameter, as `factor=level`. It is needed only if a
	// factor of the design sets the parameter
	Level string `param:"level"`
	// values to choose from
	Levels []string `param:"levels" plain:"true" node:"value" least:"1"`
	// smallest value of a parameter without `levels`
	Low float64 `param:"low" needs:"high"`
	// largest value of a parameter without `levels`
	High float64 `param:"high" needs:"low"`
	// propose values on a logarithmic scale
	Log bool `param:"log"`

	whole bool   // values are whole numbers
	path  string // path in the study file of the value that the search varies
}

// A Stage evaluates choices of parameter values, called readings, on some replicates. It keeps the
// readings that are nearest to the published numbers.
type Stage struct {
	// the number of replicates of each cell, including the replicates from previous stages
	Replicates int `param:"replicates" required:"yes" range:"[3,1e6]"`
	// ids of the classifiers to compare; if empty, all classifiers in the published table
	Classifiers []string `param:"classifiers"`
	// the number of readings that advance to the next stage
	Keep int `param:"keep" required:"yes" range:"[1,1e6]"`
}

// Defaults returns the default options.
func Defaults() Options {
	return Options{Rounds: 4, Local: 0.5, Finalists: 10, Confirm: 50, Alpha: 0.05}
}

// Validate returns an error unless each stage keeps fewer choices of parameter values than the
// previous one. Each stage must also run at least as many replicates.
func (o *Options) Validate() error {
	previous := Stage{Keep: o.Readings + 1}
	for i, s := range o.Stages {
		if s.Keep >= previous.Keep || s.Replicates < previous.Replicates {
			return recipe.Errorf("stages", "stage %d has `keep: %d` and `replicates: %d`; each stage must keep fewer "+
				"readings (choices of parameter values) than the previous one, and have at least as many replicates",
				i+1, s.Keep, s.Replicates)
		}
		previous = s
	}
	return nil
}

func (p *Parameter) label() string {
	if p.Level == "" {
		return p.Name
	}
	return fmt.Sprintf("%s (%s)", p.Name, p.Level)
}

// Check returns the errors in the calibrate section of a study file, or nil if there is no such
// section.
func Check(s *study.Study) error {
	if !s.Section("calibrate").Exists() {
		return nil
	}
	_, err := readSection(s)
	return err
}

// readSection decodes and checks the calibrate section of a study file. The error lists every
// mistake with its line.
func readSection(s *study.Study) (Options, error) {
	o := Defaults()
	root := s.Root()
	section := root.Key("calibrate")
	if !section.Exists() {
		return o, fmt.Errorf("%s has no section `calibrate`; add one that lists the free parameters (see "+
			"`copse explain calibrate`)", s.File)
	}
	if !section.Decode("key", &o) { // "key" is the noun in error messages
		return o, section.Err()
	}
	if s.Cells[0].Data.Generator == nil { // all cells have the same kind of data
		section.Fail("free parameters need a built-in generator; the study has none")
		return o, section.Err()
	}
	if s.Cells[0].Data.Folds > 0 {
		root.Key("data").Key("folds").Fail("`calibrate` needs independent replicates, but the training sets of folds " +
			"overlap; replace `folds` and `sample` with `train` and `test`, or remove the section `calibrate`")
	}
	root.Key("inference").Key("alpha").Decode("key", &o.Alpha)
	checkFree(s, section.Key("free"), o.Free)
	checkStages(s, section.Key("stages"), o.Stages)
	checkBlocks(s, section, &o)
	return o, section.Err()
}

// checkBlocks checks the key calibrate.blocks. Each free parameter must vary in at least one of the
// selected cells.
func checkBlocks(s *study.Study, section config.Place, o *Options) {
	blocks := section.Key("blocks")
	if len(o.Blocks) == 0 {
		blocks.Fail("names no factor; want levels of factors, such as `[n=200, n=400]`")
		return
	}
	if !blocks.CheckCondition(o.Blocks, s.Factors) {
		return
	}
	searched, _ := divideCells(s, o.Blocks)
	if len(searched) == 0 {
		blocks.Fail("no cell has these levels")
	}
	for i, p := range o.Free {
		if p.Level == "" || p.path == "" {
			continue // the parameter varies in all cells, or is invalid
		}
		factor, level, _ := strings.Cut(p.Level, "=")
		hasLevel := func(k int) bool { return s.Cells[k].Levels.Of(factor) == level }
		if !slices.ContainsFunc(searched, hasLevel) {
			// A Parameter has no Place, so report its key `level` on the line of the list item.
			at := section.Key("free").Item(i).WithPath(fmt.Sprintf("calibrate.free[%d].level", i))
			at.Fail("`blocks` selects no cell with %s, so this parameter would not vary", p.Level)
		}
	}
}

// checkFree checks and completes the free parameters in the list at the given place.
func checkFree(s *study.Study, place config.Place, list []Parameter) {
	if len(list) == 0 {
		place.Fail("add at least one free parameter")
	}
	for i := range list {
		item := place.Item(i)
		if err := list[i].complete(s, list[:i]); err != nil {
			item.Fail("%s", err)
			continue // one error for a parameter is enough
		}
		for _, value := range append(item.Key("levels").Items(), item.Key("low"), item.Key("high")) {
			value.CheckValue(list[i].Name, s.Cells[0].Data.Generator)
		}
	}
}

func checkStages(s *study.Study, at config.Place, stages []Stage) {
	known := s.ClassifierIDs()
	if len(stages) == 0 {
		at.Fail("add at least one stage")
	}
	for i, stage := range stages {
		for _, id := range stage.Classifiers {
			if !slices.Contains(known, id) {
				at.Item(i).Key("classifiers").Find(id).Fail("the study has no classifier %q%s", id,
					config.DidYouMean(id, known))
			}
		}
	}
}

// complete checks a free parameter and sets p.path and p.whole. It returns an error if p is invalid
// or repeats a preceding parameter.
func (p *Parameter) complete(s *study.Study, preceding []Parameter) error {
	keys := config.KeysOf(s.Cells[0].Data.Generator)
	names := config.Names(keys)
	i := slices.Index(names, p.Name)
	if i < 0 {
		return fmt.Errorf("the generator has no parameter %q%s", p.Name, config.DidYouMean(p.Name, names))
	}
	var err error
	if p.path, err = freeValuePath(s, p); err != nil {
		return err
	}
	if slices.ContainsFunc(preceding, func(q Parameter) bool { return q.label() == p.label() }) {
		return fmt.Errorf("%s is listed twice", p.label())
	}
	p.whole = keys[i].Kind == config.Whole
	return p.checkRange()
}

// checkRange returns an error unless the parameter has either levels or a range.
func (p *Parameter) checkRange() error {
	switch {
	case p.Levels != nil && (p.Low != 0 || p.High != 0 || p.Log):
		return errors.New("the parameter has `levels`; remove `low`, `high` and `log`, or remove `levels`")
	case p.Levels == nil && !(p.Low < p.High):
		return errors.New("the parameter needs either `levels`, or `low` and `high` with `low` < `high`")
	case p.Log && !(p.Low > 0):
		return errors.New("`log` needs a `low` above 0")
	}
	return nil
}

// freeValuePath returns the path of a parameter's value in the study file: data.generator.NAME, or
// design.FACTOR.LEVEL if a factor sets the parameter. In the second case, p.Level must be
// FACTOR=LEVEL.
func freeValuePath(s *study.Study, p *Parameter) (string, error) {
	setBy := "" // factor that sets the parameter; "": none
	if value := s.Section("data").Key("generator").Key(p.Name); value.IsReference() {
		setBy = strings.TrimPrefix(value.Text(), "$")
	}
	switch {
	case p.Level == "" && setBy == "":
		return "data.generator." + p.Name, nil
	case p.Level == "":
		return "", fmt.Errorf("the factor %s sets %s; add `level: %[1]s=LEVEL`, where LEVEL is the level whose value "+
			"the search varies", setBy, p.Name)
	}
	factor, level, isPair := strings.Cut(p.Level, "=")
	if !isPair {
		return "", fmt.Errorf("level %q: want the form FACTOR=LEVEL", p.Level)
	}
	if setBy == "" || factor != setBy {
		return "", fmt.Errorf("level %q: the design has no factor %q that sets the parameter %s of the generator",
			p.Level, factor, p.Name)
	}
	if value := s.Section("design").Key(factor).Key(level); !value.IsPlain() {
		return "", fmt.Errorf("level %q: the factor %s has no level %q with a single value; write, for example, "+
			"`%[2]s: {%[3]s: 0}`", p.Level, factor, level)
	}
	return "design." + factor + "." + level, nil
}

// divideCells returns the indices of the selected cells, which the search uses, and of the other
// cells.
func divideCells(s *study.Study, selected records.Condition) (searched, heldOut []int) {
	for i, c := range s.Cells {
		if selected.Holds(c.Levels) {
			searched = append(searched, i)
		} else {
			heldOut = append(heldOut, i)
		}
	}
	return searched, heldOut
}
