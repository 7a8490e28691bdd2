package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"copse/experiments/calibrate"
	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/experiments/run"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/internal/reported"
	"copse/report/canvas"
)

// newCalibrate returns the command copse calibrate.
func newCalibrate() *cobra.Command {
	var flags studyFlags
	var runCommands bool
	o := run.Options{}
	cmd := &cobra.Command{
		Use:   "calibrate STUDY",
		Short: "Search for the parameter values with which a generator reproduces published numbers",
		Long: `A paper may leave parameters of its data generator open. Calibrate searches
their values: a reading is one combination of values for the free parameters of
the study's section calibrate. Each round proposes readings, some at random and
some near the best ones, and halves them over stages of more replicates. The
loss is the distance between the study's numbers and the published ones. All
readings use common random numbers.

Calibrate measures the best readings again on fresh replicates, on the cells of
the search and on cells held out. It reports the readings that fit equally well,
in calibration/ below the study's results: a page, a figure, and the record of
every reading.

Calibrate skips what is already measured: repeat the command to continue after
an interruption. When nothing is missing, it writes the page again.`,
		Example: `  copse explain calibrate
  copse calibrate configs/calibrate-forest.yaml -j 2`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkWorkers(cmd, &o); err != nil {
				return err
			}
			if cmd.Flags().Changed("replicates") {
				return usageErrorf("--replicates has no effect on a calibration; " +
					"set the numbers of replicates with `--set calibrate.stages=...` or `--set calibrate.confirm=...`")
			}
			s, err := flags.load(cmd, args[0])
			if err != nil {
				return err
			}
			if err := requireConsent(s.Programs(), s.Folder(), runCommands); err != nil {
				return err
			}
			o.Overrides = flags.assignments(cmd)
			o.Dir = filepath.Join(resultsDir(s.Study, flags.out, 1), folder.Calibrated)
			return runCalibration(cmd, s.Study, o)
		},
	}
	flags.add(cmd)
	addConsentFlag(cmd, &runCommands)
	addWorkers(cmd, &o)
	return cmd
}

// A lossRecorder shows the progress of a calibration and records the loss of each finished trial.
type lossRecorder struct {
	run.Progress
	losses *calibrate.Losses
}

func (r lossRecorder) Done(t *trial.Trial, task run.Task) {
	r.losses.Add(t)
	r.Progress.Done(t, task)
}

// runCalibration searches for parameter values with which a study reproduces published numbers. It
// writes the results to o.Dir. After the first SIGINT or SIGTERM, it finishes the running trials
// and stops.
func runCalibration(cmd *cobra.Command, s *study.Study, o run.Options) error {
	messages := cmd.ErrOrStderr()
	drain, stop := drainOnSignal(messages)
	defer stop()
	if err := folder.RejectLinks(filepath.Dir(o.Dir)); err != nil {
		return err
	}
	losses, warnings, err := calibrate.ReadLosses(o.Dir, s)
	if err != nil {
		return err
	}
	printMessages(messages, "warning", warnings)
	o.Progress = lossRecorder{newProgress(cmd, s.Name), losses}
	var journal *results.Journal // opened for the first trials, so that a complete calibration adds no session
	runMissing := func(plan *run.Plan) (err error) {
		if journal == nil {
			if journal, err = openCalibration(s, o, losses); err != nil {
				return err
			}
		}
		return run.Trials(context.Background(), drain.Done(), s, plan, o, journal)
	}
	search, err := calibrate.New(s, losses, runMissing)
	if err != nil {
		return usageError{err}
	}
	result, err := search.Run()
	if journal != nil {
		err = errors.Join(err, journal.Close())
	}
	if err != nil {
		return err
	}
	return writeCalibration(cmd.OutOrStdout(), search, result, o.Dir)
}

// openCalibration opens the journal of a calibration. It adds a session for this run to the journal
// and to losses.Sessions.
func openCalibration(s *study.Study, o run.Options, losses *calibrate.Losses) (*results.Journal, error) {
	session, err := results.NewSession(s, o.Overrides)
	if err != nil {
		return nil, err
	}
	j, err := results.OpenJournal(o.Dir, o.JournalName(), session)
	if err != nil {
		return nil, err
	}
	session.Config = "" // the journal already contains the study
	losses.Sessions = append(losses.Sessions, *session)
	return j, nil
}

// writeCalibration writes the results of a calibration, a page and a figure to the folder dir. It
// prints the main findings and the path of the page.
func writeCalibration(out io.Writer, search *calibrate.Search, result *calibrate.Result, dir string) error {
	if err := folder.Make(dir); err != nil {
		return err
	}
	c := reported.Calibration(result)
	picture := c.Picture()
	page, err := c.Markdown(picture.Name + ".svg")
	if err != nil {
		return err
	}
	err = folder.Locked(dir, func() error {
		if err := search.Keep(dir, result); err != nil {
			return err
		}
		for _, format := range canvas.Formats {
			file := filepath.Join(dir, picture.Name+"."+format)
			err := folder.WriteFile(file, func(w io.Writer) error { return picture.Write(w, format) })
			if err != nil {
				return err
			}
		}
		return folder.WriteBytes(filepath.Join(dir, folder.CalibrationPage), []byte(page))
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s\n%s\n", c.Findings(), filepath.Join(dir, folder.CalibrationPage))
	return nil
}
