package cli

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"copse/experiments/cluster"
	"copse/experiments/config"
	"copse/experiments/external"
)

//go:embed templates/study.yaml
var studyTemplate string

// newNew returns the command copse new.
func newNew() *cobra.Command {
	languages := strings.Join(external.Languages(), "|")
	return &cobra.Command{
		Use:        "new " + strings.Join(external.Templates(), "|") + " " + languages + " FILE | new study FILE",
		Short:      "Write a working template for a method, generator or study",
		SuggestFor: []string{"init", "create"},
		Long: `New writes a method or a generator in R, Python or Julia, or a study. The file
runs without changes, and its comments mark what to fill in. New never replaces
a file. Authors of protocol clients can test them with the template acts. This
method misbehaves on purpose, and its parameter act selects how.`,
		Example: `  copse new study my-study.yaml
  copse new method python my_method.py`,
		Args: cobra.RangeArgs(2, 3),
		RunE: func(cmd *cobra.Command, args []string) error {
			out := cmd.OutOrStdout()
			kind := args[0]
			switch {
			case kind == "study" && len(args) == 2:
				return createStudy(out, args[1])
			case slices.Contains(external.Templates(), kind) && len(args) == 3:
				return createProgram(out, kind, args[1], args[2])
			}
			return usageErrorf("wrong arguments; usage: copse %s", cmd.Use)
		},
	}
}

// createProgram writes a program template to a file. kind is one of the names that
// external.Templates returns.
func createProgram(out io.Writer, kind, language, file string) error {
	text, err := external.Template(kind, language, filepath.Base(file))
	if err != nil {
		return usageError{err}
	}
	if err := create(file, text); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: wrote the template %s; its first comment contains the command to test it\n", file, kind)
	return nil
}

// createStudy writes a study template. The study is named after the file.
func createStudy(out io.Writer, file string) error {
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	if !config.ValidName(name) {
		return usageErrorf("%s: the file's name becomes the study's name; %s", file, config.NameRule)
	}
	if err := create(file, strings.ReplaceAll(studyTemplate, "NAME", name)); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: wrote a template for a study; `copse check %s` shows what it would run\n", file,
		cluster.ShellWord(file))
	return nil
}

// create writes text to a file, which must not exist.
func create(file, text string) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return usageErrorf("%s already exists; `copse new` never replaces a file, so give another name", file)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return usageErrorf("the folder of %s does not exist; create it first", file)
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
