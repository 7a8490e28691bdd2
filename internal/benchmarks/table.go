package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"copse/experiments/folder"
)

// A result is a row of the comparison together with the measured times.
type result struct {
	title, reference string
	ours, theirs     summary // in seconds; theirs is scaled up to the whole part
	unit             string  // unit of ours and theirs
	megabytes        float64 // peak memory of copse, including the data; NaN if it was not measured
	ratio            float64 // theirs / ours; NaN without a reference
	target           string
	timesTarget      float64 // how many times better than the target; at least 1 if met, NaN without a target
	check            check   // its text is empty if there is no answer to compare
	note             string
}

// writeComparison writes table.md and table.csv to the folder OUT. The arguments are the texts
// WORK, OUT, REPLICATES and REVISION. The times come from the folder WORK. REPLICATES is the number
// of replicates that were run for the paper's tables, with copse of the given REVISION. If it is 0,
// the rows of these tables are omitted.
func writeComparison(args []string) error {
	work, out := args[0], args[1]
	replicates, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	times, err := readTimes(work)
	if err != nil {
		return err
	}
	results, err := evaluateRows(work, times)
	if err != nil {
		return err
	}
	if megabytes := millionPeak(times); !math.IsNaN(megabytes) {
		results = append(results,
			limitedResult("peak memory of the fits to a million rows", megabytes, millionMemory, "MB"))
	}
	results = append(results, tableRows(times, replicates, args[3])...)
	return errors.Join(disagreements(results), // the files are written even if answers disagree
		folder.WriteFile(filepath.Join(out, "table.md"), func(w io.Writer) error { return writeMarkdown(w, results) }),
		folder.WriteFile(filepath.Join(out, "table.csv"), func(w io.Writer) error { return writeCSV(w, results) }))
}

// evaluateRows evaluates the rows of the table. It omits parts with a million rows that were not
// timed.
func evaluateRows(work string, times []timing) (results []result, err error) {
	for _, r := range rows {
		measured, err := r.evaluate(work, times)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.title, err)
		}
		isOptional := strings.HasSuffix(r.part, millionSuffix)
		wasTimed := measured.ours.rounds > 0
		if wasTimed || !isOptional {
			results = append(results, measured)
		}
	}
	return results, nil
}

// disagreements returns an error for each result in which the answers of copse and of the reference
// disagree.
func disagreements(results []result) error {
	var wrong []error
	for _, r := range results {
		if r.check.text != "" && !r.check.ok {
			wrong = append(wrong, fmt.Errorf("%s: the answers disagree: %s", r.title, r.check.text))
		}
	}
	return errors.Join(wrong...)
}

// evaluate compares the times of copse with the times of the reference and with the target. If the
// reference ran and r.compare is set, it also compares the answers of both programs in the folder
// work. It returns an error if this is impossible, for example because a file is missing.
func (r row) evaluate(work string, times []timing) (result, error) {
	measure := cpuOf // processor time
	if r.wall {      // elapsed time
		measure = wallOf
	}
	evaluated := result{title: r.title, reference: r.reference, note: r.note, unit: "s",
		megabytes: peak(times, r.part)}
	evaluated.ours = summarise(times, r.part, copse, measure)
	evaluated.theirs = summarise(times, r.part, r.reference, measure)
	if r.scale > 0 { // the reference did only a fraction 1/scale of the work
		evaluated.theirs.median *= r.scale
		evaluated.theirs.low *= r.scale
		evaluated.theirs.high *= r.scale
	}
	evaluated.ratio = evaluated.theirs.median / evaluated.ours.median // NaN without times of the reference
	// timesTarget is the factor by which copse is better than the target.
	evaluated.target, evaluated.timesTarget = r.target(evaluated.ratio, evaluated.ours.median)
	hasReferenceTimes := evaluated.theirs.rounds > 0
	if r.compare == nil || !hasReferenceTimes { // no answers to compare
		return evaluated, nil
	}
	var err error
	evaluated.check, err = r.compare(work, r.part, r.reference)
	return evaluated, err
}

// peak returns the largest peak memory of copse in any round of a part, in megabytes. It returns
// NaN if the memory was not measured.
func peak(times []timing, part string) float64 {
	if m := summarise(times, part, copse, memoryOf).high; m > 0 {
		return m
	}
	return math.NaN()
}

// millionPeak returns the largest peak memory of copse in any part with a million rows, in
// megabytes. It returns NaN if no such part was measured.
func millionPeak(times []timing) float64 {
	largest := math.NaN()
	for _, t := range times {
		if t.side == copse && strings.HasSuffix(t.part, millionSuffix) && !(t.megabytes <= largest) {
			largest = t.megabytes
		}
	}
	return largest
}

// target describes the target of a row, as in "3 x faster". timesTarget is the factor by which
// copse is better than the target. Without a target, the results are "" and NaN.
func (r row) target(ratio, seconds float64) (words string, timesTarget float64) {
	switch {
	case r.ratio == 1:
		return "not slower", ratio
	case r.ratio > 0:
		return fmt.Sprintf("%g x faster", r.ratio), ratio / r.ratio
	case r.seconds > 0:
		return fmt.Sprintf("%g s", r.seconds), r.seconds / seconds
	}
	return "", math.NaN()
}

// tableRows returns three rows for the studies that reproduce the paper's tables: the time of the
// literal reading, the time of both readings, and the peak memory. It returns nil if the studies
// were not run.
//
// The paper leaves parameters of its data open. A reading is one choice of these parameters. The
// literal reading follows the paper's text, and the calibrated reading fits the paper's numbers.
func tableRows(times []timing, replicates int, revision string) []result {
	literal := extrapolatedSeconds(times, tablesLiteral, replicates)
	calibrated := extrapolatedSeconds(times, tablesCalibrated, replicates)
	if math.IsNaN(literal) || math.IsNaN(calibrated) { // not run
		return nil
	}
	megabytes := max(peak(times, tablesLiteral), peak(times, tablesCalibrated))
	literalTime := limitedResult(
		"Tables 1 to 3 of Tenzer et al. (2020), literal reading (80 cells, 100 replicates), 2 cores",
		literal/60, literalMinutes, "min")
	bothTimes := limitedResult("the same tables, literal and calibrated readings (150 cells)",
		(literal+calibrated)/60, bothMinutes, "min")
	memory := limitedResult("peak memory of these runs", megabytes, tablesMemory, "MB") // not extrapolated
	note := fmt.Sprintf("%d of %d replicates were run, with copse %s", replicates, tablesReplicates, revision)
	literalTime.note, bothTimes.note = note, note
	return []result{literalTime, bothTimes, memory}
}

// extrapolatedSeconds returns the elapsed time of a study with tablesReplicates replicates.
//
// If the study ran with fewer replicates, the time is extrapolated linearly from this run and a run
// with one replicate.
func extrapolatedSeconds(times []timing, part string, replicates int) float64 {
	seconds := func(part string) float64 { return summarise(times, part, copse, wallOf).median }
	if replicates == tablesReplicates {
		return seconds(part)
	}
	one := seconds(part + oneReplicate)
	return one + (seconds(part)-one)/float64(replicates-1)*(tablesReplicates-1)
}

// limitedResult returns a row that compares a value for copse with a limit. It has no reference.
func limitedResult(title string, value, limit float64, unit string) result {
	return result{
		title:       title,
		theirs:      notRun,
		ours:        summary{value, value, value, 1},
		unit:        unit,
		megabytes:   math.NaN(),
		ratio:       math.NaN(),
		target:      fmt.Sprintf("%g %s", limit, unit),
		timesTarget: limit / value,
	}
}

// verdict states in words whether the target of a row is met. It returns "" if the row has no
// target.
func (r result) verdict() string {
	switch {
	case math.IsNaN(r.timesTarget):
		return ""
	case r.timesTarget >= 1:
		return "met"
	}
	return "**missed**"
}

// amount formats the median of a summary, with the range if there are several rounds.
func (s summary) amount(unit string) string {
	switch s.rounds {
	case 0:
		return ""
	case 1:
		return digits(s.median) + " " + unit
	}
	return fmt.Sprintf("%s %s (%s–%s)", digits(s.median), unit, digits(s.low), digits(s.high))
}

// digits formats a number with three significant digits.
func digits(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'f', max(0, 2-int(math.Floor(math.Log10(max(v, 1e-6))))), 64)
}

// writeMarkdown writes the table of all rows, with numbered notes below it.
func writeMarkdown(w io.Writer, results []result) error {
	lines := []string{
		"| part | reference | reference's time | copse's time | ratio | target | | copse's memory | answers |",
		"|---|---|--:|--:|--:|--:|---|--:|---|",
	}
	var notes []string // distinct notes in the order of their numbers
	for _, r := range results {
		title := r.title
		if r.note != "" {
			if !slices.Contains(notes, r.note) {
				notes = append(notes, r.note)
			}
			title += fmt.Sprintf(" [%d]", slices.Index(notes, r.note)+1)
		}
		cells := []string{title, r.reference, r.theirs.amount(r.unit), r.ours.amount(r.unit), digits(r.ratio),
			r.target, r.verdict(), r.memory(), r.agreement()}
		lines = append(lines, "| "+strings.Join(cells, " | ")+" |")
	}
	lines = append(lines, "",
		"The time of a round is the median of its repeats. The table shows the median over the rounds and, "+
			"in brackets, the range over several rounds.",
		"Times are processor times (user and system) of one core. The rows for two workers and for the paper's tables "+
			"show elapsed times. Memory is the peak of resident memory, including the data.", "")
	for i, note := range notes {
		lines = append(lines, fmt.Sprintf("[%d] %s  ", i+1, note)) // two blanks end a line in Markdown
	}
	_, err := fmt.Fprintln(w, strings.Join(lines, "\n"))
	return err
}

// memory returns the peak memory of copse, or "" if it was not measured.
func (r result) memory() string {
	if math.IsNaN(r.megabytes) {
		return ""
	}
	return fmt.Sprintf("%.0f MB", r.megabytes)
}

// agreement states in words whether the answers agree. It returns "" if there are none to compare.
func (r result) agreement() string {
	if r.check.text == "" {
		return ""
	}
	if r.check.ok {
		return "agree: " + r.check.text
	}
	return "**disagree**: " + r.check.text
}

// csvColumns lists the columns of table.csv. NaN is written as an empty field.
var csvColumns = []string{"part", "reference", "unit",
	"reference_median", "reference_low", "reference_high",
	"copse_median", "copse_low", "copse_high", "copse_megabytes",
	"rounds", "ratio", "target", "times_target", "agree", "agreement", "note"}

// writeCSV writes table.csv, with a line for each row.
func writeCSV(w io.Writer, results []result) error {
	lines := [][]string{csvColumns}
	for _, r := range results {
		agree := ""
		if r.check.text != "" {
			agree = strconv.FormatBool(r.check.ok)
		}
		lines = append(lines, []string{r.title, r.reference, r.unit,
			csvNumber(r.theirs.median), csvNumber(r.theirs.low), csvNumber(r.theirs.high),
			csvNumber(r.ours.median), csvNumber(r.ours.low), csvNumber(r.ours.high),
			csvNumber(r.megabytes), strconv.Itoa(r.ours.rounds), csvNumber(r.ratio), r.target, csvNumber(r.timesTarget),
			agree, r.check.text, r.note})
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// csvNumber formats a number with six significant digits, or NaN as "".
func csvNumber(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}
