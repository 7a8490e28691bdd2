package config

import (
	"fmt"

	"gopkg.in/yaml.v3"
)

// maxNodes is the maximum number of YAML values after all aliases are expanded. Without a limit, a few lines
// of nested aliases could expand to more values than fit in memory.
const maxNodes = 10_000_000

// checkAliases returns an error if an alias is inside the value that it refers to, or if the aliases expand
// to more than maxNodes values.
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

// size returns the number of values in the subtree of a node after expansion of all aliases, at most maxNodes+1. It
// stores the first alias that lies inside the value it refers to in c.circular.
func (c *aliasCounter) size(n *yaml.Node) int {
	if size, known := c.sizes[n]; known {
		return size
	}
	c.sizes[n] = 0 // marks n as unfinished
	total := 1
	for _, child := range n.Content {
		total = min(total+c.size(child), maxNodes+1)
	}
	if n.Kind == yaml.AliasNode { // it has no children and counts as the value that it refers to
		total = c.size(n.Alias)
		// The value is unfinished, so the alias lies inside it.
		if total == 0 && c.circular == nil {
			c.circular = n
		}
	}
	c.sizes[n] = total
	return total
}

// expandDangling replaces an alias with its value if the anchor comes later in the tree or was removed.
// Otherwise, the YAML text of the tree would be invalid. A change of the tree by --set can cause this.
func expandDangling(root *yaml.Node) {
	hasAnchor := map[*yaml.Node]bool{} // nodes in the text before the current one; true if the node has an anchor
	var visit func(n *yaml.Node)
	visit = func(n *yaml.Node) {
		for i, child := range n.Content {
			isDangling := child.Kind == yaml.AliasNode && !hasAnchor[child.Alias]
			if isDangling {
				child = child.Alias
				// The value may now occur several times in the tree, but its anchor must not. Without the
				// anchor, later aliases to this value are expanded, too.
				child.Anchor = ""
				n.Content[i] = child
			}
			hasAnchor[child] = child.Anchor != ""
			visit(child)
		}
	}
	visit(root)
}
