package recipe

import (
	_ "embed"
	"reflect"
	"strings"
	"sync"
)

// docsText contains a line for each documented parameter: package.Type.Field, a space, and the comment
// above the field. The file is written by go generate.
//
//go:embed docs.txt
var docsText string

// docsByField maps package.Type.Field to the comment.
var docsByField = sync.OnceValue(func() map[string]string {
	docs := map[string]string{}
	for line := range strings.Lines(docsText) {
		field, doc, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		docs[field] = doc
	}
	return docs
})

// Doc returns the documentation of a field f in Fields(t), which is the comment above the field. Structs
// of other modules use the struct tag doc instead.
func Doc(t reflect.Type, f reflect.StructField) string {
	if doc := f.Tag.Get("doc"); doc != "" {
		return doc
	}
	for _, i := range f.Index[:len(f.Index)-1] {
		t = t.Field(i).Type // the embedded struct that declares f
	}
	return docsByField()[t.PkgPath()+"."+t.Name()+"."+f.Name]
}
