package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"copse/experiments/audit"
	"copse/experiments/config"
	"copse/experiments/results"
	"copse/experiments/run"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/internal/reported"
	"copse/stats/records"
)

// With --json a verb writes JSON lines to standard output in place of its text: one object per
// line, whose key type names its kind (jsonlines.go). The last line has the type exit. Messages
// for people and exit codes stay as they are.

const jsonFlag = "json"

// addJSON adds the flag --json.
func addJSON(cmd *cobra.Command) {
	cmd.Flags().Bool(jsonFlag, false, "write JSON lines (docs/reference/json.md)")
}

// wantsJSON reports whether the flag --json is given.
func wantsJSON(cmd *cobra.Command) bool {
	flag := cmd.Flags().Lookup(jsonFlag)
	return flag != nil && flag.Value.String() == "true"
}

// A lineWriter writes JSON lines.
type lineWriter struct{ out io.Writer }

func linesTo(out io.Writer) lineWriter { return lineWriter{document(out)} }

// put writes one line. Writes that fail are remembered by the display below.
func (w lineWriter) put(value any) {
	name := strings.TrimSuffix(reflect.TypeOf(value).Name(), "Line")
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // a struct of this file
	}
	fmt.Fprintf(w.out, "{\"type\":%q,%s\n", name, text[1:])
}

// messages writes a line for each text.
func (w lineWriter) messages(level string, texts []string) {
	for _, text := range texts {
		w.put(messageLine{level, text})
	}
}

// finish writes the lines of an error and the exit line.
func (w lineWriter) finish(err error, code int) {
	w.fail(err)
	w.put(exitLine{code})
}

// fail writes a line for each mistake of a study file, or one for another error.
func (w lineWriter) fail(err error) {
	if err == nil || err.Error() == "" {
		return
	}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, part := range several.Unwrap() {
			w.fail(part)
		}
		return
	}
	line := errorLine{Message: err.Error()}
	var mistakes config.Errors
	var mistake *config.Error
	switch {
	case errors.As(err, &mistakes):
		w.fail(errors.Join(mistakes...))
		return
	case errors.As(err, &mistake):
		line = errorLine{mistake.Msg, mistake.Origin, mistake.Line, mistake.Column, mistake.Path}
		if mistake.Cause != nil {
			line.Message += ": " + mistake.Cause.Error()
		}
	}
	w.put(line)
}

// study writes the line of a study.
func (w lineWriter) study(s *study.Study, dir string) {
	w.put(studyLine{s.Name, s.Title, s.Source, s.File, dir, s.Seed, s.Replicates, len(s.Cells), s.ClassifierIDs()})
}

// lineProgress writes the progress of a run as lines.
type lineProgress struct {
	tally
	lines   lineWriter
	written time.Time
}

// progressEvery is the least time between two lines.
const progressEvery = 100 * time.Millisecond

func (p *lineProgress) Start(plan *run.Plan, workers int) {
	p.begin(plan, workers)
	p.write()
}

func (p *lineProgress) Done(t *trial.Trial, task run.Task) {
	p.add(t, task)
	if time.Since(p.written) >= progressEvery {
		p.write()
	}
}

func (p *lineProgress) Note(text string) { p.lines.put(messageLine{"note", text}) }

func (p *lineProgress) Finish() { p.write() }

func (p *lineProgress) write() {
	p.written = time.Now()
	elapsed := time.Since(p.start)
	line := progressLine{p.study, p.trials, p.done, p.failed, elapsed.Seconds(), nil}
	if left, known := p.left(elapsed); known {
		seconds := max(left.Seconds(), 0)
		line.Left = &seconds
	}
	p.lines.put(line)
}

// failures writes a line for each group of failed fits.
func (w lineWriter) failures(rows []records.Record) {
	for _, g := range records.GroupFailures(rows) {
		first := g.Rows[0]
		w.put(failuresLine{g.Classifier, g.Message, len(g.Rows), first.Cell, first.Replicate})
	}
}

// checkJSON writes what check finds as lines.
func checkJSON(w lineWriter, s *reported.Study, dir string, budget time.Duration) error {
	f, err := results.OpenFor(dir, s.Study)
	if err != nil {
		return err
	}
	w.study(s.Study, dir)
	for _, c := range s.Cells {
		w.put(cellLine{ID: c.ID, Levels: c.Levels.Map(), Data: c.Content()})
	}
	byID := recipes(s.Study)
	for _, id := range s.ClassifierIDs() {
		w.put(classifierLine{id, byID[id]})
	}
	w.messages("remark", s.Remarks())
	w.messages("warning", f.Warnings)
	if err := s.FindPrograms(); err != nil {
		return err
	}
	w.messages("note", f.Select().Notes)
	p := run.NewPlan(f, false)
	w.plan(p)
	for _, g := range p.Gaps {
		w.put(gapLine{g.Cell.ID, records.Ranges(g.Replicates), g.IDs, g.Reason})
	}
	if most := run.Memory(p); most.Bytes > 0 {
		w.put(memoryLine{most.Bytes, most.Measured, most.Cell.ID, most.Entry.ID})
	}
	if p.Rows > 0 && (budget > 0 || p.Known) {
		e := p.Estimate(s.Study, budget)
		w.put(costLine{e.Seconds(), e.Measured, e.Tried, e.Extrapolated, e.CutOff, e.Unknown})
	}
	return nil
}

func (w lineWriter) plan(p *run.Plan) {
	w.put(planLine{p.Rows, len(p.Tasks), p.Done, p.Failed})
}

// statusJSON writes the state of a results folder as lines. It reports whether all results are
// there and none failed.
func statusJSON(w lineWriter, dir string, precision float64) (complete bool, err error) {
	f, err := openFolder(dir)
	if err != nil {
		return false, err
	}
	w.study(f.Study, dir)
	w.messages("warning", f.Warnings)
	p, rows := run.NewPlan(f, false), f.Select()
	missing, failed := cellCounts(p, rows.Failures())
	w.plan(p)
	for _, c := range f.Study.Cells {
		lacks, fails := missing[c.ID], failed[c.ID]
		done := f.Study.Replicates*len(c.Classifiers) - lacks
		w.put(cellLine{c.ID, c.Levels.Map(), c.Content(), &done, &lacks, &fails})
	}
	w.failures(rows.Failures())
	w.messages("note", rows.Notes)
	if p.Known {
		w.put(costLine{Seconds: p.Seconds, Measured: p.Seconds})
	}
	if precision > 0 {
		need, known := run.NeededReplicates(f, precision)
		w.put(replicatesLine{precision, known, need.Replicates, need.Bound})
	}
	return p.Rows == 0 && p.Failed == 0, nil
}

// entry writes an entry of a topic.
func (w lineWriter) entry(topic string, e entry) {
	line := entryLine{topic, e.name, e.summary, e.limits, e.source, nil}
	for _, p := range e.params {
		line.Parameters = append(line.Parameters, parameterLine{p.Name, p.Type, p.Default, p.Allowed(), p.Doc})
	}
	w.put(line)
}

// key writes a key of a study file.
func (w lineWriter) key(path string, k config.Key) {
	line := keyLine{path, k.Type, k.Options, k.Range, k.Stated(), k.Required, k.Doc, nil}
	for _, below := range k.Keys {
		line.Keys = append(line.Keys, below.Name)
	}
	w.put(line)
}

// listJSON writes the entries of a topic, or the named ones, as lines.
func listJSON(w lineWriter, t topic, only []string) (err error) {
	chosen := t.entries()
	if len(only) > 0 {
		chosen, err = t.choose(only)
	}
	for _, e := range chosen {
		w.entry(t.name, e)
	}
	return err
}

// explainJSON writes the keys of the given paths, or of the top level, as lines.
func explainJSON(w lineWriter, paths []string) error {
	if len(paths) == 0 {
		for _, k := range studyKeys() {
			w.key(k.Name, k)
		}
	}
	for _, path := range paths {
		k, err := findKey(path)
		if err != nil {
			return err
		}
		w.key(path, k)
	}
	return nil
}

// checks writes what verify found as lines. It reports whether nothing is wrong.
func (w lineWriter) checks(dir string, checks []audit.Check) bool {
	sound := true
	for _, c := range checks {
		w.put(checkLine{dir, c.Name, c.Seen, append([]string{}, c.Problems...)})
		sound = sound && len(c.Problems) == 0
	}
	return sound
}
