package study

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"copse/experiments/config"
)

// SetsOf lists the data sets that a study file names, here or not.
func SetsOf(file string) ([]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, &config.Error{Origin: file, Msg: "cannot be read", Cause: err}
	}
	root, err := config.Parse(filepath.ToSlash(file), text)
	if err != nil {
		return nil, err
	}
	return setsIn(root, nil), nil
}

// setsIn appends the names under the keys set of a node.
func setsIn(n *yaml.Node, names []string) []string {
	for i, child := range n.Content {
		if n.Kind != yaml.MappingNode || i%2 == 0 || n.Content[i-1].Value != "set" {
			names = setsIn(child, names)
			continue
		}
		for _, v := range append([]*yaml.Node{child}, child.Content...) {
			if name := v.Value; v.Kind == yaml.ScalarNode && !strings.HasPrefix(name, "$") && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}
