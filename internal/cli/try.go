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
)

type tryOptions struct {
	params  []string
	files   []string
	classes int
	seed    uint64

	testsClient bool // --acts
	runCommands bool
}

// newTry returns the command copse try.
func newTry() *cobra.Command {
	var o tryOptions
	cmd := &cobra.Command{
		Use:   "try FILE...",
		Short: "Test whether a method or generator in another language follows the protocol",
		Long: `Try starts programs and checks the rules that every method and generator must
obey: for example, the same seed gives the same answer, in a new process,
after other calls, and for any order of the rows. FILE is a script in R,
Python or Julia, an executable, or a study file, whose programs are all tried.
The exit code is 1 if a program breaks a rule.

--acts is for authors of client libraries of the protocol. FILE is then a method
that misbehaves on purpose (copse new acts writes one). Try checks that
the client turns each kind of misbehaviour into a valid reply or ends the
process, and that the next fit gets an answer.`,
		Example: `  copse try mine.py --param ridge=0.01
  copse try mine.yaml
  copse try acts.py --acts`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return tryAll(cmd, o, args) },
	}
	addConsentFlag(cmd, &o.runCommands)
	flags := cmd.Flags()
	flags.StringArrayVar(&o.params, "param", nil, "parameter of the program, k=v (repeatable)")
	flags.StringSliceVar(&o.files, "files", nil, "other files that the program needs, relative to the program's folder")
	flags.IntVar(&o.classes, "classes", 2,
		"number of classes in the data that a generator draws; does not apply to a study file")
	flags.BoolVar(&o.testsClient, "acts", false, "test a client library with FILE, a method that misbehaves on purpose")
	flags.Uint64Var(&o.seed, "seed", 1, "seed of the test data")
	return cmd
}

// tryAll checks the programs of all files. It returns the joined errors of the files and programs
// that it could not check. Without such errors, it returns errAlreadyPrinted if a program broke a
// rule of the protocol.
func tryAll(cmd *cobra.Command, o tryOptions, files []string) error {
	if o.classes < 2 {
		return usageErrorf("--classes %d: a generator needs at least two classes", o.classes)
	}
	rulesBroken := false
	var failures []error
	for _, file := range files {
		candidates, err := o.candidates(file)
		if err != nil {
			failures = addFailure(failures, err)
		}
		for _, c := range candidates {
			broken, err := c.try(cmd, o)
			if err != nil {
				failures = addFailure(failures, fmt.Errorf("%s: %w", c.program, err))
			}
			rulesBroken = rulesBroken || broken
		}
	}
	if rulesBroken && len(failures) == 0 {
		return errAlreadyPrinted
	}
	return errors.Join(failures...)
}

// addFailure adds an error to a list unless the list contains an error with the same text. A study may use a
// program with several values of its parameters, which all give the same error.
func addFailure(failures []error, err error) []error {
	isSame := func(known error) bool { return known.Error() == err.Error() }
	if slices.ContainsFunc(failures, isSame) {
		return failures
	}
	return append(failures, err)
}

// A candidate is a program for `copse try` to check.
type candidate struct {
	program *external.Program
	folder  string // folder that contains the files of the program
	classes int    // number of classes that a generator must draw; not used for a method
}

// candidates returns the programs of a study file. Any other file is itself the only candidate.
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
	return []candidate{{program: p, folder: folder, classes: o.classes}}, nil
}

// candidatesOfStudy returns a candidate for each external program of a study. The number of classes
// of a generator comes from the first cell that uses it.
func (o tryOptions) candidatesOfStudy(file string) ([]candidate, error) {
	s, err := study.Load(file)
	if err != nil {
		return nil, err
	}
	if err := requireConsent(s.Programs(), s.Folder(), o.runCommands); err != nil {
		return nil, err
	}
	var list []candidate
	for _, p := range s.Programs() {
		classes := o.classes // not used for a method
		drawsFromIt := func(c *study.Cell) bool { return c.Data.Program == p }
		if i := slices.IndexFunc(s.Cells, drawsFromIt); i >= 0 {
			classes = s.Cells[i].Data.Classes()
		}
		list = append(list, candidate{program: p, folder: s.Folder(), classes: classes})
	}
	if len(list) == 0 {
		return nil, usageErrorf("the study %s uses no external program", file)
	}
	return list, nil
}

// try checks whether a program obeys the rules of the protocol and prints a line for each rule.
// broken is true if the program breaks a rule. If o.testsClient is true, the program misbehaves on
// purpose, and try checks how the program's client library handles this.
func (c candidate) try(cmd *cobra.Command, o tryOptions) (broken bool, err error) {
	out, name := cmd.OutOrStdout(), c.program.String()
	counts := map[external.Result]int{}
	printedTraces := map[string]bool{} // many checks fail with the same calls
	listener := external.Listener{
		Waiting: func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), name, text) },
		Started: func(h external.Handshake) {
			line := fmt.Sprintf("%s: a %s", name, h.Kind)
			if h.Describe() != "" {
				line += ", " + h.Describe()
			}
			fmt.Fprintln(out, line)
		},
		Checked: func(f external.Finding) {
			counts[f.Result]++
			if printedTraces[f.Trace] {
				f.Trace = "" // not printed again
			}
			printedTraces[f.Trace] = true
			printFinding(out, f)
		},
	}
	rng := stream.New(o.seed, "", 0, "conform")
	err = external.Conform(cmd.Context(), c.program, c.folder, c.classes, o.testsClient, rng, listener)
	if err == nil {
		fmt.Fprintf(out, "%d passed, %d failed, %d skipped\n", counts[external.Passed], counts[external.Failed],
			counts[external.Skipped])
	}
	return counts[external.Failed] > 0, err
}

// printFinding prints the result for a rule, and below it the calls that led to the result.
func printFinding(out io.Writer, f external.Finding) {
	line := fmt.Sprintf("  %-8s %s", f.Result, f.Rule)
	if f.Detail != "" {
		line += ": " + f.Detail
	}
	fmt.Fprintln(out, line)
	if f.Trace != "" {
		fmt.Fprintln(out, "           "+strings.ReplaceAll(strings.TrimSpace(f.Trace), "\n", "\n           "))
	}
}
