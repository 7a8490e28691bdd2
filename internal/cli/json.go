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

// With --json, a command writes JSON lines (see jsonlines.go) instead of text to standard output.

const jsonFlag = "json"

func addJSONFlag(cmd *cobra.Command) {
	cmd.Flags().Bool(jsonFlag, false, "write JSON lines (docs/reference/json.md)")
}

// wantsJSON reports whether the flag --json is given.
func wantsJSON(cmd *cobra.Command) bool {
	wanted, _ := cmd.Flags().GetBool(jsonFlag) // false if the command lacks the flag
	return wanted
}

// writeLine writes a struct from jsonlines.go as one JSON line. The key "type" contains the name of
// the struct without "Line".
func writeLine(out io.Writer, value any) {
	name := strings.TrimSuffix(reflect.TypeOf(value).Name(), "Line")
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // the structs of jsonlines.go can always be encoded
	}
	fmt.Fprintf(unwrapped(out), "{\"type\":%q,%s\n", name, text[1:])
}

// writeMessageLines writes a line for each text. The level is "remark", "warning" or "note".
func writeMessageLines(out io.Writer, level string, texts []string) {
	for _, text := range texts {
		writeLine(out, messageLine{level, text})
	}
}

// writeErrorLines writes a line for each error that errors.Join combined, and for each mistake in a
// study file, but none for errAlreadyPrinted.
func writeErrorLines(out io.Writer, err error) {
	if err == nil || err.Error() == "" {
		return
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok { // from errors.Join, or config.Errors
		for _, part := range joined.Unwrap() {
			writeErrorLines(out, part)
		}
		return
	}
	if mistakes, ok := errors.AsType[config.Errors](err); ok { // err wraps a list of mistakes
		writeErrorLines(out, mistakes)
		return
	}
	writeLine(out, errorLineOf(err))
}

// errorLineOf returns the line for an error, with the position of a mistake in a study file.
func errorLineOf(err error) errorLine {
	mistake, ok := errors.AsType[*config.Error](err)
	if !ok {
		return errorLine{Message: err.Error()}
	}
	message := mistake.Msg
	if mistake.Cause != nil {
		message += ": " + mistake.Cause.Error()
	}
	return errorLine{
		Message: message,
		Origin:  mistake.Origin,
		Line:    mistake.Line,
		Column:  mistake.Column,
		Key:     mistake.Path,
	}
}

// writeStudyLine describes a study. dir is its results folder, or "" if it has none.
func writeStudyLine(out io.Writer, s *study.Study, dir string) {
	writeLine(out, studyLine{
		Name:        s.Name,
		Title:       s.Title,
		Source:      s.Source,
		File:        s.File,
		Folder:      dir,
		Seed:        s.Seed,
		Replicates:  s.Replicates,
		Cells:       len(s.Cells),
		Classifiers: s.ClassifierIDs(),
	})
}

// A lineProgress writes the progress of a run as JSON lines.
type lineProgress struct {
	tally
	out     io.Writer
	written time.Time
}

// progressEvery is the minimum time between two progress reports.
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

func (p *lineProgress) Note(text string) { writeLine(p.out, messageLine{"note", text}) }

func (p *lineProgress) Finish() { p.write() }

func (p *lineProgress) write() {
	p.written = time.Now()
	elapsed := time.Since(p.start)
	line := progressLine{
		Study:   p.study,
		Trials:  p.trials,
		Done:    p.done,
		Failed:  p.failed,
		Elapsed: elapsed.Seconds(),
	}
	if left, known := p.left(elapsed); known {
		seconds := max(left.Seconds(), 0)
		line.Left = &seconds
	}
	writeLine(p.out, line)
}

// writeCheckLines writes the lines of "copse check --json": what a study computes, which results the
// folder f lacks, and their cost (see estimateCost). It reports whether a classifier failed in all
// cells.
func writeCheckLines(
	out io.Writer, s *reported.Study, f *results.Folder, pilotTime func() time.Duration,
) (foundProblem bool) {
	writeStudyLine(out, s.Study, f.Dir)
	for _, c := range s.Cells {
		writeLine(out, cellLine{ID: c.ID, Levels: c.Levels.Map(), Data: c.Content()})
	}
	recipesOf := recipes(s.Study)
	for _, id := range s.ClassifierIDs() {
		writeLine(out, classifierLine{id, recipesOf[id]})
	}
	writeMessageLines(out, "remark", remarks(s))
	writeMessageLines(out, "warning", f.Warnings)
	writeMessageLines(out, "note", f.Select().Notes)
	p := run.NewPlan(f) // trials with missing results
	writePlanLine(out, p)
	for _, g := range p.Gaps {
		writeLine(out, gapLine{
			Cell:        g.Cell.ID,
			Replicates:  records.Ranges(g.Replicates),
			Classifiers: g.IDs,
			Reason:      g.Reason,
		})
	}
	if most := run.Memory(p); most.Bytes > 0 {
		writeLine(out, memoryLine{
			Bytes:      most.Bytes,
			Measured:   most.Measured,
			Cell:       most.Cell.ID,
			Classifier: most.Entry.ID,
		})
	}
	e := estimateCost(p, pilotTime)
	if e == nil {
		return false
	}
	for _, failed := range e.Failures {
		writeLine(out, messageLine{"warning", describeFailedFit(s.Study, failed) + "; " + remedyOf(failed)})
	}
	writeLine(out, costLine{
		Seconds:      e.Seconds(),
		Measured:     e.Measured,
		Tried:        e.Tried,
		Extrapolated: e.Extrapolated,
		CutOff:       e.CutOff,
		Unknown:      e.Unknown,
	})
	return anyFailsEverywhere(e)
}

func writePlanLine(out io.Writer, p *run.Plan) {
	writeLine(out, planLine{Results: p.Missing, Trials: len(p.Tasks), Done: p.Done, Failed: p.Failed})
}

// writeStatusLines writes the lines of "copse status --json". If wanted.MCSE is positive, the last
// line has the number of replicates for this standard error.
func writeStatusLines(out io.Writer, p *run.Plan, wanted run.Precision) {
	f, s := p.Folder, p.Folder.Study
	writeStudyLine(out, s, f.Dir)
	writeMessageLines(out, "warning", f.Warnings)
	writePlanLine(out, p)
	selected := f.Select()
	failures := selected.Failures()
	byCell := countResults(p, failures)
	for _, c := range s.Cells {
		n := byCell[c.ID]
		writeLine(out, cellLine{ID: c.ID, Levels: c.Levels.Map(), Data: c.Content(), Done: &n.done,
			Missing: &n.missing, Failed: &n.failed})
	}
	writeFailureLines(out, failures)
	writeMessageLines(out, "note", selected.Notes)
	if p.AllTimed { // so all of the time left is based on measured times
		writeLine(out, costLine{Seconds: p.Seconds, Measured: p.Seconds})
	}
	if wanted.MCSE > 0 {
		need, known := run.NeededReplicates(f, wanted) // known is false if there are too few results
		writeLine(out, replicatesLine{Metric: wanted.Metric.Name, Precision: wanted.MCSE, Known: known,
			Replicates: need.Replicates, Bound: need.Bound})
	}
}

// writeFailureLines writes a line for each group of failures with the same cause (see
// records.GroupFailures).
func writeFailureLines(out io.Writer, failed []records.Record) {
	for _, g := range records.GroupFailures(failed) {
		first := g[0]
		writeLine(out, failuresLine{
			Classifier: first.Classifier,
			Message:    first.Message,
			Fits:       len(g),
			Cell:       first.Cell,
			Replicate:  first.Replicate,
		})
	}
}

func writeEntryLine(out io.Writer, topic string, e entry) {
	line := entryLine{Topic: topic, Name: e.name, Summary: e.summary, Limits: e.limits, Source: e.source}
	for _, p := range e.params {
		parameter := keyLineOf(p.Name, p)
		parameter.Default = p.Default // keyLineOf omits zeros, but a parameter may be 0
		line.Parameters = append(line.Parameters, parameter)
	}
	writeLine(out, line)
}

// keyLineOf returns the JSON line for a key of the study file or a parameter.
func keyLineOf(path string, k config.Key) keyLine {
	return keyLine{
		Path:     path,
		Kind:     k.Type,
		Values:   k.Options,
		Range:    k.Range,
		Default:  k.Stated(),
		Required: k.Required,
		Meaning:  k.Doc,
		Keys:     config.Names(k.Keys),
	}
}

func writeChecksLines(out io.Writer, dir string, checks []audit.Check) {
	for _, c := range checks {
		writeLine(out, checkLine{
			Folder:    dir,
			Name:      c.Name,
			Seen:      c.Seen,
			Skipped:   c.Skipped,
			Unchecked: c.Unchecked,
			Problems:  append([]string{}, c.Problems...),
		}) // [], not null
	}
}
