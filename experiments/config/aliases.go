package config

import (
	"fmt"

	"gopkg.in/yaml.v3"
)

// maxNodes bounds what a text stands for once its aliases are written out: a few
// lines of aliases of aliases stand for more than any machine holds.
const maxNodes = 10_000_000

// checkAliases refuses aliases that contain themselves, which would be written out
// without end, and such as stand for too much.
func checkAliases(root *yaml.Node) *Error {
	c := aliasChecker{sizes: map[*yaml.Node]int{}}
	if c.size(root); c.bad == nil && c.sizes[root] > maxNodes {
		c.bad = &Error{
			Line:   root.Line,
			Column: root.Column,
			Msg:    fmt.Sprintf("its aliases stand for more than %d values", maxNodes),
		}
	}
	return c.bad
}

// writeOut puts what an alias stands for in its place where the anchor has gone from
// the tree: a text with such an alias could not be read again.
func writeOut(root *yaml.Node) {
	here := map[*yaml.Node]bool{root: true}
	var visit func(n *yaml.Node)
	visit = func(n *yaml.Node) {
		for i, child := range n.Content {
			if child.Kind == yaml.AliasNode && !here[child.Alias] {
				child = child.Alias
				child.Anchor, n.Content[i] = "", child
			} else {
				here[child] = true
			}
			visit(child)
		}
	}
	visit(root)
}

// An aliasChecker knows how much each node stands for; 0 while that is counted.
type aliasChecker struct {
	sizes map[*yaml.Node]int
	bad   *Error
}

func (c *aliasChecker) size(n *yaml.Node) int {
	if known, seen := c.sizes[n]; seen {
		return known
	}
	c.sizes[n] = 0
	total := 1
	for _, child := range n.Content {
		total = min(total+c.size(child), maxNodes+1)
	}
	if n.Kind == yaml.AliasNode {
		if known, seen := c.sizes[n.Alias]; seen && known == 0 && c.bad == nil {
			c.bad = &Error{
				Line:   n.Line,
				Column: n.Column,
				Msg:    fmt.Sprintf("the alias *%s stands inside what it stands for", n.Value),
			}
		}
		total = c.size(n.Alias)
	}
	c.sizes[n] = total
	return total
}
