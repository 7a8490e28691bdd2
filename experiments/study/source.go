package study

import (
	"reflect"

	"gopkg.in/yaml.v3"

	"copse/experiments/config"
	"copse/generators"
	"copse/stats/dataset/csvfile"
	"copse/stats/recipe"
)

// data decodes a cell's data section.
func (r *resolver) data(n *yaml.Node) *Data {
	data := &Data{Table: Table{Unmatched: string(csvfile.RefuseUnmatched)}}
	before := r.Mistakes()
	r.Structure(n, "data", "key", data)
	if r.Mistakes() > before {
		return nil
	}
	data.CSV, data.Set = r.names(data.CSVNode, "data.csv"), r.names(data.SetNode, "data.set")
	data.Join = r.names(data.JoinNode, "data.join")
	sources := 0
	for _, given := range []bool{data.GeneratorNode != nil, data.CSVNode != nil, data.SetNode != nil} {
		if given {
			sources++
		}
	}
	r.missing(data)
	switch {
	case sources != 1:
		r.Fail(n, "data", "want one of generator, csv and set")
	case data.GeneratorNode == nil:
		r.file(n, data)
	default:
		r.generator(n, data)
	}
	if r.Mistakes() > before {
		return nil
	}
	return data
}

// names decodes one text or a list of texts.
func (r *resolver) names(n *yaml.Node, path string) []string {
	var list []string
	switch {
	case n == nil:
	case n.Kind == yaml.ScalarNode:
		list = []string{""}
		r.Value(n, path, reflect.ValueOf(&list[0]).Elem(), "")
	default:
		r.Value(n, path, reflect.ValueOf(&list).Elem(), "")
		if len(list) == 0 {
			r.Fail(n, path, "names nothing")
		}
	}
	return list
}

func (r *resolver) generator(n *yaml.Node, data *Data) {
	g := config.Resolve(data.GeneratorNode)
	nameNode := g
	if g.Kind == yaml.MappingNode {
		if nameNode = config.Lookup(g, "name"); nameNode == nil {
			r.Fail(g, "data.generator", "missing name: the name of the generator")
			return
		}
	}
	before := r.Mistakes()
	classes := 0
	switch name := nameNode.Value; name {
	case externalName, externalCSVName:
		classes = r.externalGenerator(g, name, data)
	default:
		classes = r.builtinGenerator(g, nameNode, data)
	}
	if r.Mistakes() > before {
		return
	}
	if r.sizes(n, data, classes); data.Missing.PerRow > 0 || data.Missing.On != "" {
		if attributes := data.attributes(); attributes != nil {
			r.missingFits(n, data, attributes)
		}
	}
}

// builtinGenerator decodes a generator of the registry and returns its number of
// classes.
func (r *resolver) builtinGenerator(g, nameNode *yaml.Node, data *Data) int {
	spec, ok := generators.Registry.Lookup(nameNode.Value)
	if !ok {
		r.Fail(nameNode, "data.generator", "unknown generator %q%s", nameNode.Value, config.DidYouMean(nameNode.Value, generatorNames()))
		return 0
	}
	before := r.Mistakes()
	data.Generator = spec.New()
	if g.Kind == yaml.MappingNode {
		r.Structure(g, "data.generator", "parameter of "+spec.Name, data.Generator, "name")
	}
	if r.Mistakes() > before {
		return 0
	}
	data.generator = spec.Recipe(data.Generator)
	return spec.Classes(data.Generator)
}

// sizes decodes how many rows of each class a generator draws.
func (r *resolver) sizes(n *yaml.Node, data *Data, classes int) {
	if data.TestNode != nil && data.Folds == 0 {
		r.Structure(data.TestNode, "data.test", "key", &data.TestSize)
	}
	sizes := map[string]struct {
		size   Size
		counts *[]int
	}{"train": {data.Train, &data.TrainCounts}, "test": {data.TestSize, &data.TestCounts}, "sample": {data.Sample, &data.SampleCounts}}
	wanted, unwanted := []string{"train", "test"}, []string{"sample"}
	if data.Folds > 0 {
		wanted, unwanted = unwanted, wanted
	}
	for _, key := range recipe.ParamNames(reflect.TypeFor[Table]()) {
		if at := config.Lookup(n, key); at != nil {
			r.Fail(at, "data."+key, "has no place here: it is about a csv or a set")
		}
	}
	if at := config.Lookup(n, "repeats"); at != nil && data.Folds == 0 {
		r.Fail(at, "data.repeats", "has no place here: it goes with folds")
	}
	for _, key := range []string{"holdout", "split", "groups", "random", "subsample"} {
		if at := config.Lookup(n, key); at != nil {
			r.Fail(at, "data."+key, "has no place here: it splits a csv or a set")
		}
	}
	for _, key := range wanted {
		counts, err := sizes[key].size.perClass(classes)
		if err != nil {
			r.Fail(entryOr(n, key), "data."+key, "%s", err)
		}
		*sizes[key].counts = counts
	}
	for _, key := range unwanted {
		if at := config.Lookup(n, key); at != nil {
			r.Fail(at, "data."+key, "has no place here: train and test go without folds, sample with folds")
		}
	}
}

// generatorNames lists the registered generators.
func generatorNames() []string {
	return append(generators.Registry.Names(), externalName, externalCSVName)
}

func entryOr(n *yaml.Node, key string) *yaml.Node {
	if e := config.Lookup(n, key); e != nil {
		return e
	}
	return n
}
