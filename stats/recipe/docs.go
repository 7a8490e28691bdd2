package recipe

import (
	_ "embed"
	"reflect"
	"strings"
	"sync"
)

// docsText contains a line for each documented parameter, such as "generators.Forest.D number of
// variables". A line consists of the folder of the package (see Folder), the type, the field and
// the comment above the field. The command `go generate` writes the file.
//
//go:embed docs.txt
var docsText string

// docsByField maps folder.Type.Field to the comment above this field.
var docsByField = sync.OnceValue(func() map[string]string {
	docs := map[string]string{}
	for line := range strings.Lines(docsText) {
		field, doc, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		docs[field] = doc
	}
	return docs
})

// Doc returns the documentation of the field f of the struct type t: the comment above the field. f
// must be an element of Fields(t).
//
// In structs of other modules, the documentation is the struct tag with the key "doc".
func Doc(t reflect.Type, f reflect.StructField) string {
	if doc := f.Tag.Get("doc"); doc != "" {
		return doc
	}
	for _, i := range f.Index[:len(f.Index)-1] {
		t = t.Field(i).Type // the embedded struct that declares f
	}
	return docsByField()[Folder(t)+"."+t.Name()+"."+f.Name]
}

// Folder returns the folder of the package that declares t, relative to the root of this module.
// For a package of another module, it returns the import path. The module may have any name.
func Folder(t reflect.Type) string {
	module := strings.TrimSuffix(reflect.TypeFor[Error]().PkgPath(), "stats/recipe")
	return strings.TrimPrefix(t.PkgPath(), module)
}
