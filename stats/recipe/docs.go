package recipe

import (
	_ "embed"
	"reflect"
	"strings"
	"sync"
)

// docsText has a line for each documented parameter: package.Type.Field, a space and the comment above
// the field. go generate writes the file.
//
//go:embed docs.txt
var docsText string

// docsByField has the lines of docsText.
var docsByField = sync.OnceValue(func() map[string]string {
	docs := map[string]string{}
	for line := range strings.Lines(docsText) {
		field, doc, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		docs[field] = doc
	}
	return docs
})

// Doc returns the documentation of f, an element of Fields(t): the comment above the field. A struct of
// another module documents its fields by the tag doc instead.
func Doc(t reflect.Type, f reflect.StructField) string {
	if doc := f.Tag.Get("doc"); doc != "" {
		return doc
	}
	for _, i := range f.Index[:len(f.Index)-1] {
		t = t.Field(i).Type // the embedded struct that declares f
	}
	return docsByField()[t.PkgPath()+"."+t.Name()+"."+f.Name]
}
