package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"copse/experiments/external"
	"copse/experiments/stream"
	"copse/experiments/study"
)

// tryOptions are the flags of copse try.
type tryOptions struct {
	params  []string
	files   []string
	classes int
	seed    uint64

	acts        bool
	runCommands bool
}

func newTry() *cobra.Command {
	var o tryOptions
	cmd := &cobra.Command{
		Use:   "try FILE...",
		Short: "Run a method or generator in another language and check that it keeps its contract",
		Long: `Try starts programs and checks the laws that every method and generator must keep:
same seed, same answer, also in a fresh process, whatever came before, in any order of
the rows, and so on. FILE is a script in R, Python or Julia, an executable, or a study
file, whose programs are all tried. The exit code is 1 when a program breaks a law.

With --acts, FILE is a method that misbehaves as its parameter act says (copse new acts),
and try checks the client of the protocol that it uses: each act becomes the reply that
copse wants, or ends the process, and the next fit is answered.`,
		Example: `  copse try mine.py --param ridge=0.01
  copse try mine.yaml
  copse try acts.py --acts`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return tryAll(cmd, o, args) },
	}
	addConsent(cmd, &o.runCommands)
	flags := cmd.Flags()
	flags.StringArrayVar(&o.params, "param", nil, "a parameter k=v of the program (repeatable)")
	flags.StringSliceVar(&o.files, "files", nil, "further files that the program needs, relative to its folder")
	flags.IntVar(&o.classes, "classes", 2, "classes that a generator draws; a study's generators draw its own number")
	flags.BoolVar(&o.acts, "acts", false, "check the client of a method that misbehaves")
	flags.Uint64Var(&o.seed, "seed", 1, "seed of the data that the program is tried on")
	return cmd
}

// tryAll tries the programs of all files. A program that cannot be started does not keep the
// others from being tried.
func tryAll(cmd *cobra.Command, o tryOptions, files []string) error {
	if o.classes < 2 {
		return usagef("--classes %d: want at least two", o.classes)
	}
	brokenLaws := false
	var failures []error
	for _, file := range files {
		candidates, err := o.candidates(file)
		if err != nil {
			return err
		}
		for _, c := range candidates {
			broken, err := c.try(cmd, o)
			if cmd.Context().Err() != nil {
				return err
			}
			if err != nil {
				failures = append(failures, fmt.Errorf("%s: %w", c.name(), err))
			}
			brokenLaws = brokenLaws || broken
		}
	}
	if brokenLaws && len(failures) == 0 {
		return errFellShort
	}
	return errors.Join(failures...)
}

// A candidate is a program to try.
type candidate struct {
	program *external.Program
	folder  string // that its files lie in
	classes int    // that it draws if it is a generator
}

func (c candidate) name() string { return c.program.String() }

// candidates returns the programs of a study file, or the one that the file is.
func (o tryOptions) candidates(file string) ([]candidate, error) {
	if extension := filepath.Ext(file); extension == ".yaml" || extension == ".yml" {
		return o.candidatesOfStudy(file)
	}
	params, err := study.ProgramParams(o.params)
	if err != nil {
		return nil, err
	}
	folder, name := filepath.Split(file)
	folder = filepath.Clean(folder)
	p := &external.Program{
		Command: external.CommandFor(name),
		Files:   append([]string{name}, o.files...),
		Params:  params,
		Threads: 1,
	}
	if err := p.Read(folder); err != nil {
		return nil, usageError{err}
	}
	return []candidate{{p, folder, o.classes}}, nil
}

// candidatesOfStudy returns the programs of a study that speak the protocol.
func (o tryOptions) candidatesOfStudy(file string) ([]candidate, error) {
	s, err := study.Load(file)
	if err != nil {
		return nil, err
	}
	if err := consent(s.Programs(), s.Folder(), o.runCommands); err != nil {
		return nil, err
	}
	var list []candidate
	for _, p := range s.Programs() {
		if p.Kind == external.CSVGenerator {
			continue // writes one file per call and speaks no protocol
		}
		classes := o.classes
		draws := func(c *study.Cell) bool { return c.Data.Program == p }
		if i := slices.IndexFunc(s.Cells, draws); i >= 0 {
			classes = s.Cells[i].Data.Classes()
		}
		list = append(list, candidate{p, s.Folder(), classes})
	}
	if len(list) == 0 {
		return nil, usagef("%s names no program that speaks the protocol", file)
	}
	return list, nil
}

// try checks all laws, prints each result, and reports whether one is broken.
func (c candidate) try(cmd *cobra.Command, o tryOptions) (broken bool, err error) {
	out, name := cmd.OutOrStdout(), c.name()
	counts := map[external.Result]int{}
	listener := external.Listener{
		Waiting: func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), name, text) },
		Started: func(h external.Hello) { fmt.Fprintf(out, "%s: a %s, %s\n", name, h.Kind, h.Describe()) },
		Checked: func(f external.Finding) {
			counts[f.Result]++
			printLaw(out, f)
		},
	}
	rng := stream.New(o.seed, "", 0, "conform")
	if o.acts {
		err = external.ConformClient(cmd.Context(), c.program, c.folder, rng, listener)
	} else {
		err = external.Conform(cmd.Context(), c.program, c.folder, c.classes, rng, listener)
	}
	if err == nil {
		fmt.Fprintf(out, "%d passed, %d failed, %d skipped\n", counts[external.Passed], counts[external.Failed],
			counts[external.Skipped])
	}
	return counts[external.Failed] > 0, err
}

func printLaw(out io.Writer, f external.Finding) {
	line := fmt.Sprintf("  %-8s %s", f.Result, f.Law)
	if f.Detail != "" {
		line += ": " + f.Detail
	}
	fmt.Fprintln(out, line)
}
