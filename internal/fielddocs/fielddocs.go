// Package fielddocs reads the comments above struct fields in the Go files of the module, which
// document the keys of study files and of JSON output.
package fielddocs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"strings"
)

// Read returns the comment above each struct field with the given tag, such as param. The key of a
// comment is "folder.Type.Field", in which the folder is relative to root. Read skips test files and
// nested modules.
func Read(root, tag string) (map[string]string, error) {
	found := comments{tag: tag, docs: map[string]string{}}
	tree := os.DirFS(root)
	err := fs.WalkDir(tree, ".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != "." && isOtherModule(tree, file):
			return fs.SkipDir
		case !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		return found.addFile(filepath.Join(root, file), path.Dir(file))
	})
	if err != nil {
		return nil, err
	}
	return found.docs, nil
}

// isOtherModule reports whether a folder below the root contains no packages of the module.
func isOtherModule(tree fs.FS, folder string) bool {
	name := path.Base(folder)
	_, err := fs.Stat(tree, path.Join(folder, "go.mod"))
	return err == nil || strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules"
}

// comments collects the comments found so far.
type comments struct {
	tag  string
	docs map[string]string // the result of Read
}

// addFile adds the comments in a Go file. folder is the folder of the file, relative to the root.
func (c *comments) addFile(file, folder string) error {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok {
			c.addType(spec, folder)
		}
		return true
	})
	return nil
}

func (c *comments) addType(spec *ast.TypeSpec, folder string) {
	declared, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, field := range declared.Fields.List {
		if field.Doc != nil && len(field.Names) == 1 && hasTag(field, c.tag) {
			name := folder + "." + spec.Name.Name + "." + field.Names[0].Name
			c.docs[name] = strings.Join(strings.Fields(field.Doc.Text()), " ")
		}
	}
}

func hasTag(field *ast.Field, tag string) bool {
	if field.Tag == nil {
		return false
	}
	_, ok := reflect.StructTag(strings.Trim(field.Tag.Value, "`")).Lookup(tag)
	return ok
}
