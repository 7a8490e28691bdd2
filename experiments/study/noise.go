package study

import (
	"slices"
	"strconv"

	"gopkg.in/yaml.v3"

	"copse/experiments/config"
	"copse/experiments/stream"
	"copse/generators"
	"copse/stats/dataset"
)

// missing decodes what values are removed: a number is the share that each
// training row loses.
func (r *resolver) missing(data *Data) {
	at := data.MissingNode
	data.Missing.Where = "train"
	if at == nil {
		return
	}
	if at.Kind == yaml.ScalarNode {
		r.Structure(single("per_row", at), "data.missing", "key", &data.Missing)
		return
	}
	before := r.Mistakes()
	r.Structure(at, "data.missing", "key", &data.Missing)
	given := 0
	for _, key := range []string{"per_row", "mcar", "mar"} {
		if config.Lookup(at, key) != nil {
			given++
		}
	}
	switch m := data.Missing; {
	case r.Mistakes() > before:
	case given != 1:
		r.Fail(at, "data.missing", "want one of per_row, mcar and mar")
	case m.On == "" && m.MAR > 0:
		r.Fail(at, "data.missing.on", "missing; the attribute that mar's missing values depend on")
	case m.On != "" && m.MAR == 0:
		r.Fail(at, "data.missing.on", "goes with mar, whose missing values depend on an attribute")
	}
}

// missingFits refuses a share per row that is less than one value, and missing
// values that depend on an attribute that is not there.
func (r *resolver) missingFits(n *yaml.Node, data *Data, attributes []dataset.Attribute) {
	m, at := data.Missing, entryOr(n, "missing")
	if m.PerRow > 0 && int(m.PerRow*float64(len(attributes))) == 0 {
		r.Fail(at, "data.missing", "a share of %v of %d values is none; mcar removes each value with a probability", m.PerRow, len(attributes))
	}
	var names []string
	for _, a := range attributes {
		names = append(names, a.Name)
	}
	if m.On != "" && !slices.Contains(names, m.On) {
		r.Fail(at, "data.missing.on", "%s has no attribute %q%s", data.where(), m.On, config.DidYouMean(m.On, names))
	}
}

// attributes are those that a generator's problems have; nil if none can be drawn
// here.
func (data *Data) attributes() []dataset.Attribute {
	spec, ok := generators.Registry.Lookup(data.GeneratorName())
	if !ok {
		return nil
	}
	rng := stream.FromState(make([]byte, 16))
	problem, err := data.Generator.New(rng)
	if err != nil {
		return nil
	}
	counts := make([]int, spec.Classes(data.Generator))
	for c := range counts {
		counts[c] = 1
	}
	sample, _ := problem.Sample(counts, rng).WithIrrelevant(data.Irrelevant, rng)
	return sample.Attributes
}

// single is a mapping of one entry, at the place of its value.
func single(key string, value *yaml.Node) *yaml.Node {
	k := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key, Line: value.Line, Column: value.Column}
	return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{k, value}, Line: value.Line, Column: value.Column}
}

// ClassNames are the names of the data's classes, in the order of their codes; nil
// where they are not known before the data are drawn or here.
func (data *Data) ClassNames() []string {
	if data.File != nil {
		return data.File.Rows.Classes
	}
	var names []string
	for c := range data.Classes() {
		names = append(names, strconv.Itoa(c)) // as generators number them
	}
	return names
}

// Classes is the number of classes of the data, 0 if it is not known before they
// are drawn.
func (data *Data) Classes() int {
	if data.Program != nil {
		return max(len(data.TrainCounts), len(data.SampleCounts))
	}
	if data.File != nil {
		return data.File.Rows.C()
	}
	if spec, ok := generators.Registry.Lookup(data.GeneratorName()); ok && data.Generator != nil {
		return spec.Classes(data.Generator)
	}
	return 0
}
