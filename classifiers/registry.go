package classifiers

// Registry lists every classifier in the papers' order.
var Registry = []Spec{}

// Lookup returns the entry of the given name.
func Lookup(name string) (Spec, bool) {
	for _, s := range Registry {
		if s.Name == name {
			return s, true
		}
	}
	return Spec{}, false
}
