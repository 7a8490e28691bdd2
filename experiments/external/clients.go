package external

import (
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Clients implement the protocol in a language. copse gives its own copies to every program
// (COPSE_CLIENT), so that both have the same version. Templates are programs for a user to
// begin with.
//
//go:embed clients templates
var embedded embed.FS

var clientFiles = []string{"copse.R", "copse.py", "copse.jl", "copse_sklearn.py", "copse_adapters.R"}

// writeClients makes a folder with the clients of all languages.
func writeClients(folder string) error {
	if err := os.Mkdir(folder, 0o700); err != nil {
		return err
	}
	for _, name := range clientFiles {
		text, err := embedded.ReadFile("clients/" + name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// languages lists the languages of templates, the extensions of their files, and the
// commands that run them.
var languages = []struct {
	name, extension string
	command         []string
}{
	{"r", ".R", []string{"Rscript", "--vanilla"}},
	{"python", ".py", []string{"python3"}},
	{"julia", ".jl", []string{"julia", "--startup-file=no"}},
}

// Languages lists the languages of the templates.
func Languages() []string {
	var names []string
	for _, l := range languages {
		names = append(names, l.name)
	}
	return names
}

// Extension returns the extension of a language's files; "" for an unknown language.
func Extension(language string) string {
	for _, l := range languages {
		if l.name == language {
			return l.extension
		}
	}
	return ""
}

// CommandFor returns the command that runs a file: an interpreter chosen by the extension,
// or the file itself.
func CommandFor(file string) []string {
	for _, l := range languages {
		if strings.EqualFold(filepath.Ext(file), l.extension) {
			return append(slices.Clone(l.command), file)
		}
	}
	return []string{file}
}

// Templates lists the programs that users begin with: a classifier, a generator, and a classifier
// that misbehaves, for authors of clients.
func Templates() []string { return []string{"method", "generator", "acts"} }

// Template returns the commented program of one of the Templates in a language.
func Template(name, language string) (string, error) {
	for _, l := range languages {
		if l.name == language {
			text, err := embedded.ReadFile("templates/" + name + l.extension)
			return string(text), err
		}
	}
	return "", fmt.Errorf("no template in %q; there are: %s", language, strings.Join(Languages(), ", "))
}
