// Package cli implements the command line of copse. Each command has its own file.
package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"copse/experiments/config"
	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/experiments/run"
	"copse/experiments/study"
	"copse/internal/reported"
)

// Exit codes.
const (
	exitDone    = 0
	exitFailed  = 1 // a trial failed, or a check found a problem
	exitUsage   = 2 // bad usage or bad configuration
	exitDrained = 3 // stopped by a signal; the same command continues
)

// errAlreadyPrinted is returned by a command that finished but found and printed a problem. The exit
// code is 1.
var errAlreadyPrinted = errors.New("")

// A usageError is a mistake in the flags or arguments of a command. The exit code is 2.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usageErrorf(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// Main runs the command that args select and returns the exit code. It prints the command's error
// to stderr. With --json, stdout ends with lines for errors and the exit code. The command's writers
// have the type *display.
func Main(args []string, in io.Reader, stdout, stderr io.Writer) (code int) {
	out, errOut := &display{out: stdout}, &display{out: stderr}
	defer out.flush()
	defer errOut.flush()
	defer func() {
		if p := recover(); p != nil { // the exit code of a panic would be 2, which means bad usage
			fmt.Fprintf(errOut, "copse: panic: %v\n%s", p, debug.Stack())
			code = exitFailed
		}
	}()
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	command, started, err := execute(root)
	out.flush()
	// Before a command starts, every error is a usage error, except if the help could not be written.
	isWrongUsage := err != nil && !started && out.writeErr == nil
	if isWrongUsage {
		err = usageError{err} // errors of cobra have another type
	}
	err = cmp.Or(err, out.writeErr)
	if errors.Is(err, syscall.ENOSPC) {
		err = fmt.Errorf("%w; free disk space, then run the same command again", err)
	}
	printError(errOut, err)
	code = exitCode(err)
	if wantsJSON(command) || isWrongUsage && wantsUnparsedJSON(command, args) {
		writeErrorLines(out, err)
		writeLine(out, exitLine{code})
	}
	return code
}

// printError prints an error, with a line for each of several joined errors, but not
// errAlreadyPrinted.
func printError(errOut io.Writer, err error) {
	if err != nil && err.Error() != "" {
		fmt.Fprintln(errOut, "copse:", strings.ReplaceAll(err.Error(), "\n", "\ncopse: "))
	}
}

// wantsUnparsedJSON reports whether args contain the flag --json of a command. Parsing stops at the
// first wrong flag, so wantsJSON misses a later --json.
func wantsUnparsedJSON(command *cobra.Command, args []string) bool {
	return command.Flags().Lookup(jsonFlag) != nil && slices.Contains(args, "--"+jsonFlag)
}

// execute runs the selected command. started is false if the arguments are not valid, or if --help
// replaces the command.
func execute(root *cobra.Command) (command *cobra.Command, started bool, err error) {
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		err := cmp.Or(cmd.ValidateRequiredFlags(), refuseEmptyFlag(cmd)) // cobra checks required flags later
		started = err == nil
		return err
	}
	command, err = root.ExecuteC()
	return command, started, err
}

// refuseEmptyFlag returns an error if the value of a string flag is "". A shell passes this value
// for a variable that is not set.
func refuseEmptyFlag(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "string" && f.Value.String() == "" {
			err = usageErrorf("--%s: the value is empty; give a value, or remove the flag", f.Name)
		}
	})
	return err
}

func exitCode(err error) int {
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, run.ErrDrained):
		return exitDrained
	case errors.As(err, new(usageError)), errors.Is(err, config.ErrConfig):
		return exitUsage
	}
	return exitFailed
}

// newRoot returns the command copse with its subcommands. It replaces cobra's error messages for
// flags and arguments.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "copse",
		Short: "Reproducible simulation studies that compare classifiers",
		Long: `copse reads a study from one YAML file, draws the data of its factorial
design, runs every classifier on the same data, tests the differences and
writes tables and figures.

Exit codes: 0 success; 1 a fit failed, a figure could not be drawn or a check
found a problem; 2 bad usage or a mistake in a study file; 3 stopped by a
signal (repeat to continue).`,
		Example: `  copse new study my-study.yaml
  copse check my-study.yaml
  copse run my-study.yaml
  copse explain data.train
  copse list classifiers`,
		Args:          cobra.ArbitraryArgs,
		RunE:          refuseSubcommand,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.AddCommand(
		newCheck(), newRun(), newStatus(), newReport(), newIndex(), newCalibrate(), newPlot(), newRepro(),
		newVerify(), newExport(), newPack(), newProtocol(), newSubmit(), newClassify(), newGenerate(), newData(),
		newList(), newExplain(), newNew(), newTry(), newPaper())
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	refuseUnknownTopics(root)
	root.SetVersionTemplate(versionText(results.ThisPlatform()))
	addUsage(root)
	root.SetFlagErrorFunc(flagError)
	return root
}

// refuseUnknownTopics makes an unknown help topic or shell an error. By default, cobra prints help and
// returns no error.
func refuseUnknownTopics(root *cobra.Command) {
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Args = func(_ *cobra.Command, topic []string) error {
				if found, _, _ := root.Find(topic); found == root && len(topic) > 0 {
					return refuseSubcommand(root, topic)
				}
				return nil
			}
		case "completion":
			c.Args, c.RunE = cobra.ArbitraryArgs, refuseSubcommand
		}
	}
}

// refuseSubcommand is the function RunE of a command that only has subcommands. Without it, cobra
// would print the help for an unknown subcommand and return no error.
func refuseSubcommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	var names []string
	for _, below := range cmd.Commands() {
		if slices.Contains(below.SuggestFor, args[0]) {
			return usageErrorf("%s has no subcommand %q; did you mean %q?", cmd.CommandPath(), args[0], below.Name())
		}
		names = append(names, below.Name())
	}
	return usageErrorf("%s has no subcommand %q%s", cmd.CommandPath(), args[0], config.DidYouMean(args[0], names))
}

// addUsage adds the usage line to errors about the arguments of a command and its subcommands, and
// replaces cobra's messages about a wrong number of arguments.
func addUsage(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			err := check(cmd, args)
			if err == nil {
				return nil
			}
			if !errors.As(err, new(usageError)) { // from one of cobra's checks
				err = fmt.Errorf("wrong number of arguments: got %d", len(args))
			}
			return usageErrorf("%w; usage: %s", err, cmd.UseLine())
		}
	}
	for _, below := range cmd.Commands() {
		addUsage(below)
	}
}

// validValues describes the values that a flag accepts. The keys are the names of types in pflag.
var validValues = map[string]string{"int": "a whole number", "uint64": "a whole number that is not negative",
	"float64": "a number", "duration": "a duration such as `90s` or `10m`"}

// flagError converts an error about a flag to a usage error, which describes valid values or
// suggests a similar flag.
func flagError(cmd *cobra.Command, err error) error {
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		f := invalid.GetFlag()
		if value, ok := validValues[f.Value.Type()]; ok {
			return usageErrorf("--%s %s: want %s", f.Name, invalid.GetValue(), value)
		}
	}
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok || unknown.GetSpecifiedShortnames() != "" { // one letter is too short for a suggestion
		return usageError{err}
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	nearest := config.Nearest(unknown.GetSpecifiedName(), names)
	if nearest == "" {
		return usageError{err}
	}
	return usageErrorf("%w; did you mean %q?", err, "--"+nearest)
}

// openFolder opens a results folder.
func openFolder(dir string) (*results.Folder, error) {
	if err := checkResultsFolder(dir); err != nil {
		return nil, err
	}
	return results.Open(dir)
}

// openWithoutLinks is like openFolder, but returns an error if folder.RejectLinks rejects a link in the
// folder.
func openWithoutLinks(dir string) (*results.Folder, error) {
	if err := folder.RejectLinks(dir); err != nil {
		return nil, err
	}
	return openFolder(dir)
}

// openResults reads a results folder for a report. It returns an error if all stored results belong
// to another study.
func openResults(dir string) (*reported.Results, error) {
	f, err := openFolder(dir)
	if err != nil {
		return nil, err
	}
	if err := f.RequireRecords(); err != nil {
		return nil, err
	}
	return reported.Read(f)
}

// checkResultsFolder returns an error unless dir is a folder that contains a study.yaml.
func checkResultsFolder(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return usageErrorf("the results folder %s does not exist", dir)
	}
	if !info.IsDir() {
		return usageErrorf("%s is a file; give the results folder of a study, such as results/STUDY", dir)
	}
	if _, err := os.Stat(filepath.Join(dir, folder.Study)); errors.Is(err, fs.ErrNotExist) {
		return usageErrorf("%s is not a results folder, because it contains no study.yaml", dir)
	}
	return nil
}

// resultsDir returns the results folder of one of several studies. out is the value of --out, or "".
//
// If --out is given, the folder is out for a single study, and otherwise out/STUDY. Without --out,
// the folder is results/STUDY, but a study that was read from the study.yaml of a results folder
// keeps this folder.
func resultsDir(s *study.Study, out string, studies int) string {
	switch {
	case out == "":
		return cmp.Or(folder.ResultsOf(s.File), filepath.Join("results", s.Name))
	case studies > 1:
		return filepath.Join(out, s.Name)
	}
	return out
}
