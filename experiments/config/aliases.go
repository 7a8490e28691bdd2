package config

import (
	"fmt"

	"gopkg.in/yaml.v3"
)

// maxNodes is the maximum number of YAML values after all aliases are expanded. A few lines of
// nested aliases could otherwise exhaust the memory.
const maxNodes = 10_000_000

// checkAliases returns an error for an alias inside its own value, and for aliases that expand to
// more than maxNodes values.
func checkAliases(root *yaml.Node) *Error {
	c := aliasCounter{sizes: map[*yaml.Node]int{}}
	size := c.size(root)
	if c.circular != nil {
		return &Error{Line: c.circular.Line, Column: c.circular.Column,
			Msg: fmt.Sprintf("the alias *%s is inside the value that it refers to", c.circular.Value)}
	}
	if size > maxNodes {
		return &Error{Line: root.Line, Column: root.Column,
			Msg: fmt.Sprintf("the aliases in the file expand to more than %d values", maxNodes)}
	}
	return nil
}

type aliasCounter struct {
	sizes    map[*yaml.Node]int // 0 while a node is being counted
	circular *yaml.Node         // the first alias inside the value that it refers to
}

// size returns the number of values in the subtree of a node after all aliases are expanded, but at
// most maxNodes+1. It sets c.circular if an alias lies inside the value that it refers to.
func (c *aliasCounter) size(n *yaml.Node) int {
	if size, known := c.sizes[n]; known {
		return size
	}
	c.sizes[n] = 0 // unfinished
	total := 1
	for _, child := range n.Content {
		total = min(total+c.size(child), maxNodes+1)
	}
	if n.Kind == yaml.AliasNode { // counts as its value
		total = c.size(n.Alias)
		isInsideValue := total == 0 // the size of the value is unfinished
		if isInsideValue && c.circular == nil {
			c.circular = n
		}
	}
	c.sizes[n] = total
	return total
}

// expandDangling replaces dangling aliases with their values, because they would make the YAML text
// invalid. An alias dangles if no earlier node has its anchor, for example because the flag --set
// has replaced that node.
func expandDangling(root *yaml.Node) {
	anchored := map[*yaml.Node]bool{} // whether an earlier node has an anchor
	var visit func(n *yaml.Node)      // visits the nodes below n in the order of the text
	visit = func(n *yaml.Node) {
		for i, child := range n.Content {
			isDangling := child.Kind == yaml.AliasNode && !anchored[child.Alias]
			if isDangling {
				child = child.Alias
				n.Content[i] = child
				// Remove the anchor, because the value may now occur twice. Later aliases then
				// dangle, too.
				child.Anchor = ""
			}
			anchored[child] = child.Anchor != ""
			visit(child)
		}
	}
	visit(root)
}
