package cli

import (
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

func newCalibrate() *cobra.Command {
	var flags studyFlags
	var runCommands bool
	o := run.Options{}
	cmd := &cobra.Command{
		Use:   "calibrate STUDY",
		Short: "Search the readings of a generator that give a published table's numbers",
		Long: `Calibrate tries values of the parameters that the study's section calibrate names
as free, and measures how far the study's numbers then lie from the published ones.
Each round proposes readings, at random and near those that came far, and halves
them over stages of more replicates; all readings have common random numbers. The
nearest of all rounds are measured again on fresh replicates, on the cells that the
search looked at and on those held out. The answer is the set of readings that
cannot be told apart, in calibration/ below the study's results: a page, a picture,
and the record of every reading that was tried.

What is in the record or the journal is not run again: the same command goes on
after any interruption, and draws the page anew when nothing is missing.`,
		Example: `  copse explain calibrate
  copse calibrate configs/calibrate-forest.yaml -j 2`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkWorkers(cmd, &o); err != nil {
				return err
			}
			if cmd.Flags().Changed("replicates") {
				return usagef("--replicates: a calibration has those of its stages: --set calibrate.stages=..., " +
					"calibrate.confirm=...")
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
	cmd.Flags().IntVarP(&o.Workers, "jobs", "j", 0, "trials at a time (default: the number of cores)")
	return cmd
}

// keeping hands finished trials to a calibration, too.
type keeping struct {
	run.Progress
	losses *calibrate.Losses
}

func (k keeping) Done(t *trial.Trial, task run.Task) {
	k.losses.Add(t)
	k.Progress.Done(t, task)
}

func runCalibration(cmd *cobra.Command, s *study.Study, o run.Options) error {
	messages := &screen{out: behind(cmd.ErrOrStderr())}
	drain, stop := drainOnSignal(messages)
	defer stop()
	losses, warnings, err := calibrate.ReadLosses(o.Dir, s)
	if err != nil {
		return err
	}
	for _, w := range warnings {
		fmt.Fprintln(messages, "warning:", w)
	}
	o.Progress = keeping{newProgress(messages, s.Name), losses}
	var j *results.Journal
	search, err := calibrate.New(s, losses, func(tasks []run.Task) error {
		if j == nil {
			if j, err = openCalibration(s, o, losses); err != nil {
				return err
			}
		}
		return run.Trials(context.Background(), drain.Done(), s, tasks, o, j)
	})
	if err != nil {
		return usageError{err}
	}
	result, err := search.Run()
	if j != nil {
		err = errors.Join(err, j.Close())
	}
	if err != nil {
		return err
	}
	return writeCalibration(cmd.OutOrStdout(), search, result, o.Dir)
}

// openCalibration begins a session of trials.
func openCalibration(s *study.Study, o run.Options, losses *calibrate.Losses) (*results.Journal, error) {
	text, err := s.YAML()
	if err != nil {
		return nil, err
	}
	session := &results.Session{Format: results.JournalFormat, Study: s.Name, Seed: s.Seed,
		Started:  time.Now().UTC().Format(time.RFC3339),
		Platform: results.ThisPlatform(), Overrides: o.Overrides, Replicates: s.Replicates, Config: string(text)}
	j, err := results.OpenJournal(o.Dir, o.JournalName(), session)
	if err != nil {
		return nil, err
	}
	short := *session
	short.Config = ""
	losses.Sessions = append(losses.Sessions, short)
	return j, nil
}

// writeCalibration writes the record, the page and the picture.
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
			if err := folder.WriteFile(filepath.Join(dir, picture.Name+"."+format),
				func(w io.Writer) error { return picture.Write(w, format) }); err != nil {
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

// calibrationOf says what was found in the words of the report.
func calibrationOf(r *calibrate.Result) *readings.Calibration {
	s := r.Study
	c := &readings.Calibration{Title: s.Title, Source: s.Source, Parameters: r.Parameters, Impossible: r.Impossible,
		Seen: len(r.Seen), Held: len(r.Held), SeenWords: r.Options.Blocks.String(), Confirm: r.Options.Confirm,
		Alpha: r.Options.Alpha, Correction: r.Correction}
	labels := map[string]string{}
	words := map[string]string{}
	for _, cell := range s.Cells {
		words[cell.ID] = s.Describe(cell)
		for _, e := range cell.Classifiers {
			if labels[e.ID] = e.Label; e.Label == "" {
				labels[e.ID] = e.ID
			}
		}
	}
	for _, t := range r.Readings {
		c.Tried = append(c.Tried, readings.Reading{Number: t.Number, Stage: t.Stage, Distance: t.Distance,
			Failed: t.Failed != ""})
	}
	for _, f := range r.Finalists {
		if f.Failed != "" {
			continue
		}
		final := readings.Finalist{Number: f.Number, Values: f.Values, AtEnd: f.AtEnd, Seen: f.Seen, Held: f.Held,
			P: f.P, Kept: f.Kept}
		final.SeenDiffer, final.SeenAll = f.Differs(false)
		final.HeldDiffer, final.HeldAll = f.Differs(true)
		first := len(c.Targets) == 0
		for i, n := range f.Numbers.Items {
			final.Means = append(final.Means, readings.Number{Mean: n.Ours.Mean, SD: n.Ours.SD})
			if first {
				c.Targets = append(c.Targets, readings.Target{Cell: words[n.Cell], Classifier: labels[n.Classifier],
					Held: f.IsHeld[i], Number: readings.Number{Mean: n.Published.Mean, SD: n.Published.SD}})
			}
		}
		c.Finalists = append(c.Finalists, final)
	}
	return c
}
