package external

import (
	"embed"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// clientLibraries contains a client library of the protocol for each programming language. Programs
// find them through COPSE_CLIENT.
//
//go:embed clients
var clientLibraries embed.FS

// A template is a commented example program for users.
//
//go:embed templates
var templates embed.FS

// languages lists the languages of the templates. command precedes the file name of a program.
var languages = []struct {
	name, extension string
	command         []string
}{
	{"r", ".R", []string{"Rscript", "--vanilla"}},
	{"python", ".py", []string{"python3"}},
	{"julia", ".jl", []string{"julia", "--startup-file=no"}},
}

func Languages() []string {
	var names []string
	for _, l := range languages {
		names = append(names, l.name)
	}
	return names
}

// IsScript reports whether a file is a script in a language with templates, according to its extension.
func IsScript(file string) bool { return len(CommandFor(file)) > 1 }

// CommandFor returns the command that runs a file: an interpreter for its extension, or the file
// itself.
func CommandFor(file string) []string {
	for _, l := range languages {
		if strings.EqualFold(filepath.Ext(file), l.extension) {
			return append(slices.Clone(l.command), file)
		}
	}
	return []string{file}
}

// Templates returns the names of the templates. The template "acts" is a classifier that misbehaves
// on purpose, to test clients.
func Templates() []string { return []string{"method", "generator", "acts"} }

// Template returns a template in a programming language. file is the file name of the program.
func Template(name, language, file string) (string, error) {
	for _, l := range languages {
		if l.name == language {
			original := name + l.extension
			text, err := templates.ReadFile("templates/" + original)
			return strings.ReplaceAll(string(text), original, file), err
		}
	}
	return "", fmt.Errorf("there is no template in %q; choose one of these languages: %s", language,
		strings.Join(Languages(), ", "))
}
