package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"copse/experiments/calibrate"
	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/experiments/run"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/report/canvas"
	"copse/report/readings"
)

// newCalibrate returns the command copse calibrate, which searches parameter values of a generator.
func newCalibrate() *cobra.Command {
	var flags studyFlags
	var runCommands bool
	o := run.Options{}
	cmd := &cobra.Command{
		Use:   "calibrate STUDY",
		Short: "Search parameter values of a generator that reproduce published numbers",
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
		Args: countArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkWorkers(cmd, &o); err != nil {
				return err
			}
			if cmd.Flags().Changed("replicates") {
				return usagef("--replicates has no effect on a calibration; " +
					"set the replicates with --set calibrate.stages=... or --set calibrate.confirm=...")
			}
			s, err := flags.load(cmd, args[0])
			if err != nil {
				return err
			}
			if err := consent(s.Programs(), s.Folder(), runCommands); err != nil {
				return err
			}
			o.Overrides = flags.assignments(cmd)
			o.Dir = filepath.Join(resultsDir(s.Study, flags.out, false), folder.Calibrated)
			return runCalibration(cmd, s.Study, o)
		},
	}
	flags.add(cmd)
	addConsent(cmd, &runCommands)
	addWorkers(cmd, &o)
	return cmd
}

// A lossRecorder shows the progress of a calibration and adds each finished trial to the losses. A
// loss is the distance between published numbers and the numbers of a reading, i.e. of one
// combination of parameter values.
type lossRecorder struct {
	run.Progress
	losses *calibrate.Losses
}

// Done adds a finished trial to the losses and shows the progress.
func (r lossRecorder) Done(t *trial.Trial, task run.Task) {
	r.losses.Add(t)
	r.Progress.Done(t, task)
}

// runCalibration searches for the parameter values with which a study reproduces published numbers.
// It writes the results to the folder o.Dir. After the first SIGINT or SIGTERM it finishes the
// running trials and stops.
func runCalibration(cmd *cobra.Command, s *study.Study, o run.Options) error {
	messages := newScreen(cmd.ErrOrStderr())
	drain, stop := drainOnSignal(messages)
	defer stop()
	losses, warnings, err := calibrate.ReadLosses(o.Dir, s)
	if err != nil {
		return err
	}
	printMessages(messages, "warning", warnings)
	o.Progress = lossRecorder{newProgress(messages, s.Name), losses}
	runner := &calibrationRunner{study: s, options: o, losses: losses, stopped: drain.Done()}
	search, err := calibrate.New(s, losses, runner.run)
	if err != nil {
		return usageError{err}
	}
	result, err := search.Run()
	if err := errors.Join(err, runner.close()); err != nil {
		return err
	}
	return writeCalibration(cmd.OutOrStdout(), search, result, o.Dir)
}

// A calibrationRunner runs the trials of a calibration and stores them in a journal. It opens the
// journal only when the first trial is missing.
type calibrationRunner struct {
	study   *study.Study
	options run.Options
	losses  *calibrate.Losses
	stopped <-chan struct{}  // closed by a signal: no further trial starts
	journal *results.Journal // nil before the first trial
}

// run runs trials and stores their results in the journal.
func (r *calibrationRunner) run(tasks []run.Task) error {
	if r.journal == nil {
		journal, err := openCalibration(r.study, r.options, r.losses)
		if err != nil {
			return err
		}
		r.journal = journal
	}
	return run.Trials(context.Background(), r.stopped, r.study, tasks, r.options, r.journal)
}

// close closes the journal if it is open.
func (r *calibrationRunner) close() error {
	if r.journal == nil {
		return nil
	}
	return r.journal.Close()
}

// openCalibration opens the journal of a calibration in the folder o.Dir. It adds a description of
// this run, the session, to the journal and to the losses.
func openCalibration(s *study.Study, o run.Options, losses *calibrate.Losses) (*results.Journal, error) {
	text, err := s.YAML()
	if err != nil {
		return nil, err
	}
	session := results.Session{
		Format:     results.JournalFormat,
		Study:      s.Name,
		Seed:       s.Seed,
		Started:    time.Now().UTC().Format(time.RFC3339),
		Platform:   results.ThisPlatform(),
		Overrides:  o.Overrides,
		Replicates: s.Replicates,
		Config:     string(text),
	}
	j, err := results.OpenJournal(o.Dir, o.JournalName(), &session)
	if err != nil {
		return nil, err
	}
	session.Config = "" // the journal already contains the study
	losses.Sessions = append(losses.Sessions, session)
	return j, nil
}

// writeCalibration writes the result of a calibration to the folder dir: a record of all readings,
// a page and a figure. It prints the main findings and the path of the page.
func writeCalibration(out io.Writer, search *calibrate.Search, result *calibrate.Result, dir string) error {
	if err := folder.Make(dir); err != nil {
		return err
	}
	c := calibrationOf(result)
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
	_, err = fmt.Fprintf(out, "%s\n%s\n", c.Findings(), filepath.Join(dir, folder.CalibrationPage))
	return err
}

// calibrationOf converts the result of a search to the type that the report shows. It omits
// finalists, i.e. readings that were measured again on fresh replicates, if one of their fits failed.
func calibrationOf(r *calibrate.Result) *readings.Calibration {
	s := r.Study
	c := &readings.Calibration{
		Title:      s.Title,
		Source:     s.Source,
		Parameters: r.Parameters,
		Impossible: r.Impossible,
		Seen:       len(r.Seen),
		Held:       len(r.Held),
		SeenWords:  r.Options.Blocks.String(),
		Confirm:    r.Options.Confirm,
		Alpha:      r.Options.Alpha,
		Correction: r.Correction,
	}
	for _, t := range r.Readings {
		c.Tried = append(c.Tried, readings.Reading{Number: t.Number, Stage: t.Stage, Distance: t.Distance,
			Failed: t.Failed != ""})
	}
	for _, f := range r.Finalists {
		if f.Failed != "" {
			continue // a failed finalist has no numbers to show
		}
		if c.Targets == nil { // all finalists have the same targets
			c.Targets = targetsOf(s, f)
		}
		c.Finalists = append(c.Finalists, finalistOf(f))
	}
	return c
}

// finalistOf converts a finalist to the type that the report shows.
func finalistOf(f *calibrate.Finalist) readings.Finalist {
	final := readings.Finalist{Number: f.Number, Values: f.Values, AtEnd: f.AtEnd, Seen: f.Seen, Held: f.Held,
		P: f.P, Kept: f.Kept}
	final.SeenDiffer, final.SeenAll = f.Differs(false)
	final.HeldDiffer, final.HeldAll = f.Differs(true)
	for _, n := range f.Numbers.Items {
		final.Means = append(final.Means, readings.Number{Mean: n.Ours.Mean, SD: n.Ours.SD})
	}
	return final
}

// targetsOf returns the published numbers that the finalist f should reproduce. Each has the label of
// its cell and classifier; Held marks the cells that the search did not use.
func targetsOf(s *study.Study, f *calibrate.Finalist) []readings.Target {
	cells, classifiers := map[string]string{}, map[string]string{} // labels by id
	for _, cell := range s.Cells {
		cells[cell.ID] = s.Describe(cell)
		for _, e := range cell.Classifiers {
			classifiers[e.ID] = cmp.Or(e.Label, e.ID)
		}
	}
	var targets []readings.Target
	for i, n := range f.Numbers.Items {
		targets = append(targets, readings.Target{
			Cell:       cells[n.Cell],
			Classifier: classifiers[n.Classifier],
			Held:       f.IsHeld[i],
			Number:     readings.Number{Mean: n.Published.Mean, SD: n.Published.SD},
		})
	}
	return targets
}
