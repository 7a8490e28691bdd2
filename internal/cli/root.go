// Package cli is copse's command line: one file per verb, no arithmetic.
package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"copse/experiments/config"
	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/experiments/run"
	"copse/experiments/study"
	"copse/internal/reported"
	"copse/report/figure"
	"copse/stats/recipe"
)

// Exit codes.
const (
	exitDone    = 0
	exitFailed  = 1 // a trial failed or a check fell short
	exitUsage   = 2 // bad usage or bad configuration
	exitDrained = 3 // stopped by a signal; the same command goes on
)

// errFellShort says that the command did its work and found something amiss,
// which it has already printed.
var errFellShort = errors.New("")

// usageError marks mistakes in flags and arguments.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// Main runs one command and returns its exit code.
func Main(args []string, in io.Reader, stdout, stderr io.Writer) (code int) {
	out, errOut := &display{out: stdout}, &display{out: stderr}
	defer out.close()
	defer errOut.close()
	if hint := replacement(args); hint != "" {
		fmt.Fprintln(errOut, "copse:", hint)
		return exitUsage
	}
	defer func() {
		if p := recover(); p != nil { // Go's own exit code would say bad usage
			fmt.Fprintf(errOut, "copse: panic: %v\n%s", p, debug.Stack())
			code = exitFailed
		}
	}()
	root := newRoot()
	started := false // until a verb runs, only the command line can be wrong
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		err := cmd.ValidateRequiredFlags() // cobra itself would do so later
		started = err == nil
		return err
	}
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	ran, err := root.ExecuteC()
	if out.close(); out.lost != nil { // the verb did its work, the reader lacks some of it
		err, started = cmp.Or(err, out.lost), true
	}
	if err != nil && err.Error() != "" {
		fmt.Fprintf(errOut, "copse: %v\n", err)
	}
	code = exitCode(err)
	if err != nil && !started {
		code = exitUsage
	}
	if wantsJSON(ran) {
		linesTo(out).finish(err, code)
	}
	return code
}

func exitCode(err error) int {
	var usage usageError
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, run.ErrDrained):
		return exitDrained
	case errors.As(err, &usage), errors.Is(err, config.ErrConfig):
		return exitUsage
	}
	return exitFailed
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "copse",
		Short: "Reproducible simulation studies that compare classifiers",
		Long: `copse reads a study from one YAML file, draws the data of its factorial design,
runs every classifier on the same data, tests the differences and draws the
tables and box plots.

Exit codes: 0 done; 1 a fit failed, a figure could not be drawn or a check fell
short; 2 bad usage or a mistake in a study file; 3 stopped by a signal (the same command goes on).`,
		Version:                    version(),
		SilenceErrors:              true,
		SilenceUsage:               true,
		SuggestionsMinimumDistance: 2,
	}
	root.AddCommand(
		newCheck(), newRun(), newStatus(), newReport(), newCalibrate(), newPlot(), newRepro(), newVerify(),
		newExport(), newPack(), newProtocol(), newSubmit(), newClassify(), newGenerate(), newData(), newList(),
		newExplain(), newNew(), newTry(), newPaper())
	root.SetVersionTemplate(versionText(results.ThisPlatform()))
	addUsage(root)
	root.SetFlagErrorFunc(nearestFlag)
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if columns := width(cmd.OutOrStdout()); columns > 0 && columns < helpColumns {
			cmd.Long = lineEnds.ReplaceAllString(cmd.Long, "$1 $2")
		}
		help(cmd, args)
	})
	return root
}

// helpColumns is the room that the lines of help texts need as they are written; on
// less, the display breaks their paragraphs, which have their lineEnds removed.
const helpColumns = 100

var lineEnds = regexp.MustCompile(`(\S)\n(\S)`)

// addUsage adds the usage line to errors about the number of arguments.
func addUsage(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd, args); err != nil {
				return usagef("%w; usage: %s", err, cmd.UseLine())
			}
			return nil
		}
	}
	for _, below := range cmd.Commands() {
		addUsage(below)
	}
}

// nearestFlag adds to an unknown flag the one that it resembles, or the key of a figure that it
// was in the last release.
func nearestFlag(cmd *cobra.Command, err error) error {
	unknown := (*pflag.NotExistError)(nil)
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return usageError{err}
	}
	name := unknown.GetSpecifiedName()
	key := strings.ReplaceAll(name, "-", "_")
	if cmd.Name() == "plot" && slices.Contains(recipe.ParamNames(reflect.TypeFor[figure.Options]()), key) {
		return usagef("%w; keys of a figure follow KIND: %s=VALUE", err, key)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if nearest := config.Nearest(name, names); nearest != "" {
		return usagef("%w; did you mean %q?", err, "--"+nearest)
	}
	return usageError{err}
}

// loadRecorded reads the study that a results folder was made from.
func loadRecorded(dir string) (*study.Study, error) {
	if err := isResultsFolder(dir); err != nil {
		return nil, err
	}
	return results.LoadStudy(dir)
}

// openFolder opens a results folder with the study that it was made from.
func openFolder(dir string) (*results.Folder, error) {
	if err := isResultsFolder(dir); err != nil {
		return nil, err
	}
	return results.Open(dir)
}

// openResults reads the study and the records of a results folder for a report.
func openResults(dir string) (*reported.Results, error) {
	f, err := openFolder(dir)
	if err != nil {
		return nil, err
	}
	return reported.Read(f)
}

// isResultsFolder returns why a folder holds no results.
func isResultsFolder(dir string) error {
	switch info, err := os.Stat(dir); {
	case err != nil:
		return usagef("no results folder %s", dir)
	case !info.IsDir():
		return usagef("%s is a file: name the results folder of a study, results/STUDY unless --out said otherwise",
			dir)
	}
	if _, err := os.Stat(filepath.Join(dir, folder.Study)); errors.Is(err, fs.ErrNotExist) {
		return usagef("%s is no results folder: it has no study.yaml", dir)
	}
	return nil
}

// resultsDir is where a study's results go unless --out says otherwise.
func resultsDir(s *study.Study, out string, several bool) string {
	switch {
	case out == "":
		return filepath.Join("results", s.Name)
	case several:
		return filepath.Join(out, s.Name)
	}
	return out
}
