// Package calibrate searches for readings of a paper: values of the parameters that its text
// leaves open, under which a study gives the printed numbers. The result is a set of readings whose
// distances from print do not differ significantly.
package calibrate

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"copse/experiments/config"
	"copse/experiments/study"
	"copse/stats/recipe"
	"copse/stats/records"
)

// Options is the calibrate section of a study: the free parameters, the cells that the search
// uses, and the numbers of readings and replicates.
type Options struct {
	Free      []Parameter       `param:"free" required:"the free parameters of the generator"`
	Blocks    records.Condition `param:"blocks" node:"list of texts" required:"the cells of the search, as factor=level; several levels of a factor are alternatives, and all other cells are held out"`
	Rounds    int               `param:"rounds" doc:"number of rounds of proposals and halving" range:"[1,1000]"`
	Readings  int               `param:"readings" required:"the number of readings that each round proposes" range:"[2,1e6]"`
	Local     float64           `param:"local" doc:"share of the proposals that change one of the best readings, from the second round on" range:"[0,1]"`
	Stages    []Stage           `param:"stages" required:"the stages of a round, each with fewer readings and more replicates"`
	Finalists int               `param:"finalists" doc:"number of best readings to measure again, on fresh replicates and all cells" range:"[2,1000]"`
	Confirm   int               `param:"confirm" doc:"number of fresh replicates of the finalists" range:"[3,1e6]"`
	Alpha     float64           // inference.alpha: level of the differences from the nearest reading
}

// A Parameter is a parameter of the generator that the text leaves open.
type Parameter struct {
	Name   string   `param:"parameter" required:"the name of the parameter in the generator"`
	Level  string   `param:"level" doc:"factor=level, if that factor sets the parameter: the value of this level is free"`
	Levels []string `param:"levels" plain:"true" node:"value" doc:"values to choose from"`
	Low    float64  `param:"low" doc:"smallest value, if there are no levels"`
	High   float64  `param:"high" doc:"largest value"`
	Log    bool     `param:"log" doc:"propose values on a logarithmic scale"`
}

// A Stage measures the remaining readings on some replicates and keeps the nearest.
type Stage struct {
	Replicates  int      `param:"replicates" required:"the number of replicates of each cell, including the previous stage's" range:"[3,1e6]"`
	Classifiers []string `param:"classifiers" doc:"ids of the classifiers to compare; empty: all in the published table"`
	Keep        int      `param:"keep" required:"the number of readings that reach the next stage" range:"[1,1e6]"`
}

// Defaults returns four rounds, half of whose proposals change one of the best readings.
func Defaults() Options {
	return Options{Rounds: 4, Local: 0.5, Finalists: 10, Confirm: 50, Alpha: 0.05}
}

// Validate checks that each stage keeps fewer readings than the one before, on at least as many
// replicates.
func (o *Options) Validate() error {
	last := Stage{Keep: o.Readings + 1}
	for i, s := range o.Stages {
		if s.Keep >= last.Keep || s.Replicates < last.Replicates {
			return &recipe.Error{Key: "stages", Msg: fmt.Sprintf("stage %d keeps %d readings after %d replicates: each "+
				"keeps fewer than the one before, on no fewer replicates", i+1, s.Keep, s.Replicates)}
		}
		last = s
	}
	return nil
}

// A parameter is a Parameter with its kind and place.
type parameter struct {
	Parameter
	levels []string // nil: a number between Low and High
	whole  bool     // a whole number
	path   string   // of the free value in the study file
}

// label returns the name of a parameter, with its level if it has one.
func (p *Parameter) label() string {
	if p.Level == "" {
		return p.Name
	}
	return fmt.Sprintf("%s (%s)", p.Name, p.Level)
}

// Check returns the mistakes in a study's calibrate section, if it has one.
func Check(s *study.Study) error {
	if !s.Section("calibrate").There() {
		return nil
	}
	_, _, err := read(s)
	return err
}

// read decodes and checks the section; every mistake has its place in the file.
func read(s *study.Study) (Options, []parameter, error) {
	o := Defaults()
	section := s.Section("calibrate")
	if !section.There() {
		return o, nil, fmt.Errorf("%s has no section calibrate, which lists the free parameters (copse explain "+
			"calibrate)", s.File)
	}
	if !section.Decode("key", &o) {
		return o, nil, section.Err()
	}
	if s.Cells[0].Data.Generator == nil {
		section.Fail("the data do not come from a generator of copse, so no parameter can be free")
		return o, nil, section.Err()
	}
	s.Section("inference").Key("alpha").Decode("key", &o.Alpha)
	free := checkFree(s, section.Key("free"), o.Free)
	checkStages(s, section.Key("stages"), o.Stages)
	blocks := section.Key("blocks")
	if !blocks.CheckCondition(o.Blocks, s.Factors) {
		return o, free, section.Err()
	}
	seen, _ := divide(s, o.Blocks)
	if len(seen) == 0 {
		blocks.Fail("no cell has these levels")
	}
	for i := range free {
		factor, level, ok := strings.Cut(free[i].Level, "=")
		hasLevel := func(k int) bool { return s.Cells[k].Levels.Of(factor) == level }
		if ok && !slices.ContainsFunc(seen, hasLevel) {
			at := section.Key("free").Item(i).Under(fmt.Sprintf("calibrate.free[%d].level", i))
			at.Fail("no cell of the search has %s", free[i].Level)
		}
	}
	return o, free, section.Err()
}

// checkFree returns the free parameters with their kinds and places. It reports mistakes.
func checkFree(s *study.Study, at config.Place, list []Parameter) (free []parameter) {
	for i, p := range list {
		checked, err := check(s, p, free)
		if err != nil {
			at.Item(i).Fail("%s", err)
		}
		free = append(free, checked)
	}
	if len(free) == 0 {
		at.Fail("want one free parameter or more")
	}
	return free
}

// checkStages reports a missing stage, and classifiers that the study does not have.
func checkStages(s *study.Study, at config.Place, stages []Stage) {
	known := s.ClassifierIDs()
	if len(stages) == 0 {
		at.Fail("want one stage or more")
	}
	for i, stage := range stages {
		for _, id := range stage.Classifiers {
			if !slices.Contains(known, id) {
				at.Item(i).Key("classifiers").Find(id).Fail("%q is no classifier of the study%s", id,
					config.DidYouMean(id, known))
			}
		}
	}
}

// check returns a parameter with its kind and place; before has the parameters so far.
func check(s *study.Study, p Parameter, before []parameter) (parameter, error) {
	keys := config.KeysOf(s.Cells[0].Data.Generator)
	at := slices.IndexFunc(keys, func(k config.Key) bool { return k.Name == p.Name })
	if at < 0 {
		var names []string
		for _, k := range keys {
			names = append(names, k.Name)
		}
		return parameter{}, fmt.Errorf("the generator has no parameter %q%s", p.Name, config.DidYouMean(p.Name, names))
	}
	if slices.ContainsFunc(before, func(q parameter) bool { return q.label() == p.label() }) {
		return parameter{}, fmt.Errorf("%s is free twice", p.label())
	}
	path, err := place(s, p)
	if err != nil {
		return parameter{}, err
	}
	kind := keys[at].Kind
	checked := parameter{Parameter: p, levels: p.Levels, whole: kind == config.Whole, path: path}
	return checked, checked.checkRange(kind == config.Whole || kind == config.Number)
}

// checkRange returns an error unless there are either levels or, for a number, a range.
func (p *parameter) checkRange(number bool) error {
	switch {
	case p.levels != nil && (p.Low != 0 || p.High != 0 || p.Log):
		return errors.New("has levels, and low, high or log beside them")
	case p.levels == nil && !number:
		return errors.New("is no number: want levels")
	case p.levels == nil && !(p.Low < p.High):
		return errors.New("want levels, or low < high")
	case p.Log && !(p.Low > 0):
		return errors.New("log wants a positive low")
	}
	return nil
}

// place returns the path of the free value in the study file: at the generator or, if a factor sets
// the parameter, at a level of that factor.
func place(s *study.Study, p Parameter) (string, error) {
	own, from := s.Section("data").Key("generator").Key(p.Name), ""
	if own.IsReference() {
		from = strings.TrimPrefix(own.Text(), "$")
	}
	factor, level, ok := strings.Cut(p.Level, "=")
	switch {
	case p.Level == "" && from == "":
		return "data.generator." + p.Name, nil
	case p.Level == "":
		return "", fmt.Errorf("the factor %s sets %s: add the level at which it is free, level: %s=LEVEL", from, p.Name,
			from)
	case from == "" || factor != from:
		return "", fmt.Errorf("level %q: no factor %q sets %s of the generator", p.Level, factor, p.Name)
	}
	value := s.Section("design").Key(factor).Key(level)
	if !ok || !value.IsPlain() {
		return "", fmt.Errorf("level %q: the design has no such level with a plain value, as in %s: {%s: 0}", p.Level,
			factor, cmp.Or(level, "NAME"))
	}
	return "design." + factor + "." + level, nil
}

// divide returns the indices of the cells that the search uses, and of the cells held out.
func divide(s *study.Study, blocks records.Condition) (seen, held []int) {
	for i, c := range s.Cells {
		if blocks.Holds(c.Levels) {
			seen = append(seen, i)
		} else {
			held = append(held, i)
		}
	}
	return seen, held
}
