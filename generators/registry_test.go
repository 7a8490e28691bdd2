package generators

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"sync"
	"testing"

	"copse/internal/randtest"
	"copse/stats/dataset"
	"copse/stats/recipe/recipetest"
)

// fixedProblems lists the generators that draw nothing but samples, so that all their problems are equal, each
// with the reason.
var fixedProblems = map[string]string{}

// variants are the parameters under which every contract is checked.
func variants() map[string]Generator {
	all := make(map[string]Generator)
	for _, spec := range Registry {
		all[spec.Name] = spec.New()
	}
	for name, g := range networkGenerators() {
		all[name] = g
	}
	mvn, sample, raw := NewForestMVN(), NewPolyBeta(), NewPolyBeta()
	mvn.Marginals, mvn.Sparsity, mvn.Shared = "complex", "forest", 2.0/3
	sample.Normalise, sample.Classes = "sample", 3
	raw.Normalise, raw.D = "none", 5
	all["forestmvn complex"], all["polybeta sample"], all["polybeta none"] = mvn, sample, raw
	return all
}

// specOf returns the registry entry of g.
func specOf(g Generator) Spec {
	for _, spec := range Registry {
		if reflect.TypeOf(spec.New()) == reflect.TypeOf(g) {
			return spec
		}
	}
	panic(fmt.Sprintf("%T is not registered", g))
}

// The registry states the number and the kind of the variables of every problem.
func TestConformanceVariables(t *testing.T) {
	for name, g := range variants() {
		spec := specOf(g)
		p, err := g.New(randtest.New(1))
		if err != nil {
			t.Fatal(err)
		}
		set := p.Sample(slices.Repeat([]int{1}, spec.Classes(g)), randtest.New(2))
		if set.D() != spec.Columns(g) {
			t.Errorf("%s: %d variables, registered are %d", name, set.D(), spec.Columns(g))
		}
		for _, a := range set.Attributes {
			if isDiscrete := a.Kind == dataset.Discrete; isDiscrete != spec.Discrete {
				t.Errorf("%s: %s is discrete: %t, registered is %t", name, a.Name, isDiscrete, spec.Discrete)
			}
		}
	}
}

func TestConformanceRegistry(t *testing.T) {
	for _, spec := range Registry {
		if spec.Summary == "" || spec.Source == "" || spec.Version < 1 || spec.Classes(spec.New()) < 2 {
			t.Errorf("%s: incomplete entry %+v", spec.Name, spec)
		}
		if regexp.MustCompile(`\b(one|two|three|ten) (?:parents|weak)`).MatchString(spec.Summary) {
			t.Errorf("%s: a parameter can change a number in %q", spec.Name, spec.Summary)
		}
		if got, ok := Registry.Lookup(spec.Name); !ok || got.Source != spec.Source {
			t.Errorf("Registry.Lookup(%q) finds %+v", spec.Name, got)
		}
		if spec.New() == spec.New() {
			t.Errorf("%s: New returns the same recipe twice", spec.Name)
		}
		recipetest.CheckParameters(t, spec.Name, spec.New())
		if g, ok := spec.New().(interface{ Validate() error }); ok && g.Validate() != nil {
			t.Errorf("%s: defaults are invalid: %v", spec.Name, g.Validate())
		}
	}
	if _, ok := Registry.Lookup("no such generator"); ok {
		t.Error("Lookup finds an unknown generator")
	}
}

// The same streams give the same problem and the same rows, and other streams give others. Neither the
// recipe nor the problem changes.
func TestConformanceDeterminism(t *testing.T) {
	for name, g := range variants() {
		recipe := fmt.Sprintf("%+v", g)
		counts := make([]int, specOf(g).Classes(g))
		for c := range counts {
			counts[c] = 20 + c
		}
		p, q := mustNew(t, g, randtest.New(61)), mustNew(t, g, randtest.New(61))
		problem := describe(t, name, p)
		if problem != describe(t, name, q) {
			t.Errorf("%s: one stream gives two problems", name)
		}
		set := p.Sample(counts, randtest.New(62))
		spec := specOf(g)
		_, density := p.(DensityProblem)
		if noDensity := spec.NoDensity != nil && spec.NoDensity(g); set.D() != spec.Columns(g) || density == noDensity {
			t.Errorf("%s: %d columns, density %t; Columns and NoDensity of the registry give %d, %t", name, set.D(),
				density, spec.Columns(g), !noDensity)
		}
		want := dataset.Fingerprint(set)
		p.Sample(counts, randtest.New(63))
		if got := dataset.Fingerprint(q.Sample(counts, randtest.New(62))); got != want {
			t.Errorf("%s: one stream gives two samples", name)
		}
		if got := dataset.Fingerprint(p.Sample(counts, randtest.New(63))); got == want {
			t.Errorf("%s: two streams give one sample", name)
		}
		if got := dataset.Fingerprint(mustNew(t, g, randtest.New(64)).Sample(counts, randtest.New(62))); got == want &&
			fixedProblems[name] == "" {
			t.Errorf("%s: two problems give one sample; if that is intended, add it to fixedProblems", name)
		}
		if got := describe(t, name, p); got != problem {
			t.Errorf("%s: sampling changed the problem", name)
		}
		if got := fmt.Sprintf("%+v", g); got != recipe {
			t.Errorf("%s: New changed the recipe from %s to %s", name, recipe, got)
		}
		checkSample(t, name, p, set, counts)
	}
}

// describe returns the description of a problem as JSON, or "" if the problem does not describe itself.
func describe(t *testing.T, name string, p Problem) string {
	t.Helper()
	modeler, ok := p.(Modeler)
	if !ok {
		return ""
	}
	text, err := json.Marshal(modeler.Model())
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return string(text)
}

// checkSample checks labels, counts, values and log densities.
func checkSample(t *testing.T, name string, p Problem, set *dataset.Set, counts []int) {
	t.Helper()
	if got := set.Counts(); !slices.Equal(got, counts) || !slices.IsSorted(set.Y) {
		t.Errorf("%s: rows per class %v, want %v in class order", name, got, counts)
	}
	density, ok := p.(DensityProblem)
	for i, y := range set.Y {
		row := set.X.RawRowView(i)
		for j, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("%s: row %d, column %d: %v", name, i, j, v)
			}
			if a := set.Attributes[j]; a.Kind == dataset.Discrete &&
				(v != math.Trunc(v) || v < 0 || int(v) >= len(a.Levels)) {
				t.Errorf("%s: row %d: %v is not a level of %s", name, i, v, a.Name)
			}
		}
		if !ok {
			continue
		}
		before := slices.Clone(row)
		for class := range counts {
			v := density.LogDensity(class, row)
			if math.IsNaN(v) || math.IsInf(v, 1) || class == y && math.IsInf(v, -1) {
				t.Errorf("%s: row %d of class %d has log density %v in class %d", name, i, y, v, class)
			}
		}
		if !slices.Equal(before, row) {
			t.Errorf("%s: LogDensity changed its argument", name)
		}
	}
}

// Several workers may use a problem at the same time.
func TestConformanceConcurrentUse(t *testing.T) {
	for name, g := range variants() {
		p := mustNew(t, g, randtest.New(65))
		counts := make([]int, specOf(g).Classes(g))
		for c := range counts {
			counts[c] = 30
		}
		var group sync.WaitGroup
		prints, densities := make([]string, 4), make([]float64, 4)
		for w := range prints {
			group.Go(func() {
				set := p.Sample(counts, randtest.New(66))
				prints[w] = dataset.Fingerprint(set)
				if q, ok := p.(DensityProblem); ok {
					densities[w] = q.LogDensity(0, set.X.RawRowView(0))
				}
			})
		}
		group.Wait()
		for w := range prints {
			if prints[w] != prints[0] || densities[w] != densities[0] {
				t.Errorf("%s: workers disagree: %v, %v", name, prints, densities)
			}
		}
	}
}

func TestConformanceWrongShapes(t *testing.T) {
	for name, g := range variants() {
		p := mustNew(t, g, randtest.New(67))
		for what, f := range map[string]func(){
			"one count":       func() { p.Sample([]int{5}, randtest.New(1)) },
			"negative count":  func() { p.Sample([]int{5, -1}, randtest.New(1)) },
			"no rows":         func() { p.Sample(make([]int, specOf(g).Classes(g)), randtest.New(1)) },
			"a row too short": func() { p.(DensityProblem).LogDensity(0, []float64{1}) },
		} {
			if _, ok := p.(DensityProblem); !ok && what == "a row too short" {
				continue
			}
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s: %s: no panic", name, what)
					}
				}()
				f()
			}()
		}
	}
}
