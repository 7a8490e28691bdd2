package study

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"copse/classifiers"
	"copse/experiments/config"
	"copse/stats/dataset"
	"copse/stats/recipe"
)

// oracleName is the classifier that decides by the problem's own densities.
const oracleName = "oracle"

// A resolver replaces $factor references by the levels of one combination and
// decodes what results.
type resolver struct {
	*config.Decoder
	chosen combination
	levels map[string][]string // of every factor
	used   map[string]bool     // factors referenced anywhere, across cells
	source *yaml.Node          // where the file gives the cell's data: under data, or a level
	files  map[string]*File
	// recorded: the study is read to report on its results, not to run it
	recorded bool

	folder      string            // of the study file, for the files of programs
	digests     map[string]string // of these, by their names
	memoryLimit int64             // of programs that have none of their own
}

// substitute returns a copy of a node in which every text $factor is replaced
// by the value of the chosen level, and $factor.key by one entry of it. Nodes
// that come from a level keep the level's place in the file.
func (r *resolver) substitute(n *yaml.Node, path string) *yaml.Node {
	n = config.Resolve(n)
	if path == "data" && n.Kind == yaml.MappingNode {
		r.source = n
	}
	if n.Kind == yaml.ScalarNode && n.Tag == "!!str" && strings.HasPrefix(n.Value, "$") {
		return r.reference(n, path)
	}
	copied := *n
	copied.Content = make([]*yaml.Node, len(n.Content))
	for i, c := range n.Content {
		at := path
		if n.Kind == yaml.MappingNode && i%2 == 1 {
			at = config.Join(path, n.Content[i-1].Value)
		}
		copied.Content[i] = r.substitute(c, at)
	}
	r.Copied(n, &copied)
	return &copied
}

func (r *resolver) reference(n *yaml.Node, path string) *yaml.Node {
	name, key, dotted := strings.Cut(n.Value[1:], ".")
	chosen, ok := r.chosen[name]
	if !ok {
		var names []string
		for f := range r.chosen {
			names = append(names, f)
		}
		slices.Sort(names)
		remedy := config.DidYouMean(name, names)
		if _, elsewhere := r.levels[name]; elsewhere {
			remedy = fmt.Sprintf(" (%s): it is nested under levels that the cell does not have; write $%s in those levels, or nest levels of it under these, too", r.chosen, name)
		}
		r.Fail(n, path, "$%s is no factor of this cell%s", name, remedy)
		return n
	}
	r.used[name] = true
	value := chosen.value
	if dotted {
		if value = config.Lookup(chosen.value, key); value == nil {
			r.Fail(n, path, "level %q of %s has no entry %q%s", chosen.name, name, key, config.DidYouMean(key, config.Keys(chosen.value)))
			return n
		}
	}
	return r.substitute(value, path)
}

// classifiers decodes the study's classifier entries for one cell. The second
// result is the canonical text of those entries that refer to a factor: it
// tells apart cells that draw the same data.
func (r *resolver) classifiers(list *yaml.Node, data *Data) ([]Entry, string) {
	list = config.Resolve(list)
	if list.Kind != yaml.SequenceNode || len(list.Content) == 0 {
		r.Fail(list, "classifiers", "want a list of at least one classifier, got %s", config.Describe(list))
		return nil, ""
	}
	var entries []Entry
	var bound strings.Builder
	for place, n := range list.Content {
		resolved := r.substitute(n, "classifiers."+classifierID(n))
		id := classifierID(resolved)
		e, ok := r.entry(resolved, id)
		if !ok {
			continue
		}
		if !r.chosenBy(config.Lookup(resolved, "only"), "classifiers."+id+".only") {
			continue
		}
		if slices.ContainsFunc(entries, func(o Entry) bool { return o.ID == e.ID }) {
			r.Fail(n, "classifiers", "the id %q is given twice; add id: to tell the entries apart", e.ID)
		}
		if e.Oracle() && data != nil && !data.hasDensity() {
			r.Fail(n, "classifiers."+id, "the oracle needs a generator with known densities")
		}
		r.takes(n, e, data)
		if hasReference(n) {
			bound.WriteString("|" + e.ID + "=" + e.Spec)
		}
		e.place = place
		entries = append(entries, e)
	}
	if len(entries) == 0 && r.Mistakes() == 0 {
		r.Fail(list, "classifiers", "none is left in the cell %s", r.chosen)
	}
	return entries, bound.String()
}

// entryOptions are the keys of a classifier's mapping beside its parameters.
type entryOptions struct {
	naming
	Preparing
}

// naming are the keys of every entry.
type naming struct {
	Classifier string `param:"classifier" required:"a classifier by name (copse list classifiers)"`
	ID         string `param:"id" doc:"the name of its rows; empty: the classifier's"`
	Label      string `param:"label" doc:"what tables and figures print; empty: the id"`

	Only *yaml.Node `param:"only" node:"mapping of lists of levels" doc:"the cells that have it: those of these levels, {data_set: [iris, glass]}"`
}

// Preparing are the keys of classifiers.Preparation.
type Preparing struct {
	Discrete []string `param:"discrete" doc:"numeric attributes that this classifier takes as discrete"`
	Impute   string   `param:"impute" enum:"mean,median,knn" doc:"missing values are filled in from the training rows"`

	Probabilities string `param:"probabilities" enum:"platt" doc:"class probabilities from the scores: platt, a sigmoid of them fitted by five-fold cross-validation of the training rows (six fits in place of one); the predicted class is that of the largest probability"`
}

var (
	entryKeys  = recipe.ParamNames(reflect.TypeFor[entryOptions]())
	namingKeys = recipe.ParamNames(reflect.TypeFor[naming]())
)

// entry decodes one classifier: its name alone, or a mapping of classifier, id
// and parameters.
func (r *resolver) entry(n *yaml.Node, id string) (Entry, bool) {
	path := "classifiers." + id
	nameNode := n
	if n.Kind == yaml.MappingNode {
		if nameNode = config.Lookup(n, "classifier"); nameNode == nil {
			remedy := ""
			if slices.Contains(classifierNames(), id) {
				remedy = "; did you mean classifier: " + id + "?"
			}
			r.Fail(n, path, "missing classifier: the name of the recipe%s", remedy)
			return Entry{}, false
		}
	}
	name := nameNode.Value
	if id != name && !config.ValidName(id) {
		r.Fail(n, path, "%q cannot be an id; use letters, digits, '.', '_' and '-'", id)
		return Entry{}, false
	}
	if name == oracleName {
		if n.Kind == yaml.MappingNode {
			r.Structure(n, path, "parameter of oracle", &struct{}{}, namingKeys...)
		}
		return Entry{ID: id, Name: name, Label: labelOf(n), Spec: "oracle/1{}"}, true
	}
	if name == externalName {
		return r.externalClassifier(n, id)
	}
	spec, ok := classifiers.Registry.Lookup(name)
	if !ok {
		r.Fail(nameNode, path, "unknown classifier %q%s", name, config.DidYouMean(name, classifierNames()))
		return Entry{}, false
	}
	made := spec.New()
	var p classifiers.Preparation
	if n.Kind == yaml.MappingNode {
		own, prepared := r.preparation(n, path)
		r.Structure(own, path, "parameter of "+name, made, entryKeys...)
		p = prepared
	}
	return Entry{ID: id, Name: name, Label: labelOf(n), Spec: spec.Recipe(made) + p.String(),
		Classifier: made, Preparation: p}, true
}

// preparation decodes what is done around a recipe, and returns the other keys.
func (r *resolver) preparation(n *yaml.Node, path string) (others *yaml.Node, p classifiers.Preparation) {
	others, chosen := split(n, recipe.ParamNames(reflect.TypeFor[Preparing]())...)
	var options struct{ Preparing }
	r.Structure(chosen, path, "key", &options)
	return others, classifiers.Preparation{Discrete: options.Discrete, Impute: dataset.Imputation(options.Impute), Probabilities: classifiers.Scaling(options.Probabilities)}
}

// split divides a mapping's entries into those of the given keys and the others.
func split(n *yaml.Node, keys ...string) (others, chosen *yaml.Node) {
	a, b := *n, *n
	a.Content, b.Content = nil, nil
	for i := 0; i+1 < len(n.Content); i += 2 {
		to := &a
		if slices.Contains(keys, n.Content[i].Value) {
			to = &b
		}
		to.Content = append(to.Content, n.Content[i], n.Content[i+1])
	}
	return &a, &b
}

// classifierNames lists what a study may name as classifier.
func classifierNames() []string {
	return append([]string{oracleName, externalName}, classifiers.Registry.Names()...)
}

// classifierID returns the id under which an entry's records go.
func classifierID(n *yaml.Node) string {
	n = config.Resolve(n)
	if id := config.Lookup(n, "id"); id != nil {
		return id.Value
	}
	if name := config.Lookup(n, "classifier"); name != nil {
		return name.Value
	}
	return n.Value
}

// labelOf returns what tables print for an entry; "" leaves it to them.
func labelOf(n *yaml.Node) string {
	if label := config.Lookup(n, "label"); label != nil {
		return label.Value
	}
	return ""
}

func hasReference(n *yaml.Node) bool {
	n = config.Resolve(n)
	return n.Kind == yaml.ScalarNode && strings.HasPrefix(n.Value, "$") || slices.ContainsFunc(n.Content, hasReference)
}
