package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"copse/experiments/external"
	"copse/experiments/stream"
	"copse/experiments/study"
	"copse/experiments/trial"
)

// foreignFlags are those of check --external.
type foreignFlags struct {
	external bool
	params   []string
	files    []string
	classes  int
	seed     uint64
}

func (f *foreignFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.external, "external", false, "hold the programs FILE to the contract of methods and generators; this runs them")
	cmd.Flags().StringArrayVar(&f.params, "param", nil, "with --external: a parameter k=v of the program (repeatable)")
	cmd.Flags().StringSliceVar(&f.files, "files", nil, "with --external: further files that the program needs, relative to its folder")
	cmd.Flags().IntVar(&f.classes, "classes", 2, "with --external: number of classes that a generator draws; of a study, its own")
	cmd.Flags().Uint64Var(&f.seed, "check-seed", 1, "with --external: seed of the data that it is tried on")
}

// check tries the programs that the arguments name.
func (f *foreignFlags) check(cmd *cobra.Command, args []string) error {
	if f.classes < 2 {
		return usagef("--classes %d: want at least two", f.classes)
	}
	fellShort := false
	var broken []error // what cannot be tried keeps nothing else from being tried
	for _, file := range args {
		programs, folder, err := f.programs(file)
		if err != nil {
			return err
		}
		for _, p := range programs {
			failed, err := f.try(cmd, p.Program, p.classes, folder)
			if cmd.Context().Err() != nil {
				return err
			}
			if err != nil {
				broken = append(broken, fmt.Errorf("%s: %w", strings.Join(p.Command, " "), err))
			}
			fellShort = fellShort || failed
		}
	}
	if fellShort && len(broken) == 0 {
		return errFellShort
	}
	return errors.Join(broken...)
}

// A foreignProgram draws so many classes if it is a generator.
type foreignProgram struct {
	*external.Program
	classes int
}

// programs are those of a study, or the file itself.
func (f *foreignFlags) programs(file string) ([]foreignProgram, string, error) {
	if extension := filepath.Ext(file); extension == ".yaml" || extension == ".yml" {
		s, err := study.Load(file)
		if err != nil {
			return nil, "", err
		}
		var list []foreignProgram
		for _, p := range s.Programs() {
			if p.Kind == external.CSVGenerator {
				continue
			}
			classes := f.classes
			if i := slices.IndexFunc(s.Cells, func(c *study.Cell) bool { return c.Data.Program == p }); i >= 0 {
				classes = s.Cells[i].Data.Classes()
			}
			list = append(list, foreignProgram{p, classes})
		}
		if len(list) == 0 {
			return nil, "", usagef("%s names no program that speaks the protocol", file)
		}
		return list, s.Folder(), nil
	}
	params, err := study.ProgramParams(f.params)
	if err != nil {
		return nil, "", err
	}
	name := filepath.Base(file)
	p := &external.Program{Command: external.CommandFor(name), Files: append([]string{name}, f.files...), Params: params, Threads: 1}
	if err := p.Read(filepath.Dir(file)); err != nil {
		return nil, "", usageError{err}
	}
	return []foreignProgram{{p, f.classes}}, filepath.Dir(file), nil
}

// try prints what came of each law.
func (f *foreignFlags) try(cmd *cobra.Command, p *external.Program, classes int, folder string) (failed bool, err error) {
	out, command, counts := cmd.OutOrStdout(), strings.Join(p.Command, " "), map[string]int{}
	waits := func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), command, text) }
	greeted := func(h external.Hello) { fmt.Fprintf(out, "%s: a %s, %s\n", command, h.Kind, h.Describe()) }
	found := func(finding external.Finding) {
		word := "FAILED"
		switch {
		case finding.Passed:
			word = "passed"
		case finding.Skipped:
			word = "skipped"
		}
		counts[word]++
		line := fmt.Sprintf("  %-8s %s", word, finding.Law)
		if finding.Detail != "" {
			line += ": " + finding.Detail
		}
		fmt.Fprintln(out, line)
	}
	err = external.Conform(cmd.Context(), p, folder, classes, stream.New(f.seed, "", 0, "conform"), external.Listener{Waits: waits, Greeted: greeted, Found: found})
	if err == nil {
		fmt.Fprintf(out, "%d passed, %d failed, %d skipped\n", counts["passed"], counts["FAILED"], counts["skipped"])
	}
	return counts["FAILED"] > 0, err
}

// printPrograms says what check found of a study's programs, and who finds more.
func printPrograms(out io.Writer, s *study.Study) {
	var names []string
	ask := ""
	for _, p := range s.Programs() {
		if !slices.Contains(names, p.Command[0]) {
			names = append(names, p.Command[0])
		}
		if p.Kind != external.CSVGenerator {
			ask = fmt.Sprintf("; copse check --external %s asks them, also for their packages", s.File)
		}
	}
	if len(names) > 0 {
		fmt.Fprintf(out, "programs: %s and all files are here, nothing was started%s\n", strings.Join(names, ", "), ask)
	}
}

// newWorker is how copse runs its own classifiers in processes of their own.
func newWorker() *cobra.Command {
	return &cobra.Command{
		Use:    external.WorkerVerb,
		Short:  "Answer for built-in classifiers in a process of its own (isolate: true)",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return external.Serve(cmd.InOrStdin(), document(cmd.OutOrStdout()), trial.Answer)
		},
	}
}
