package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A result is a row of the comparison with its measured times.
type result struct {
	title, reference string
	ours, theirs     summary // seconds; theirs scaled up to the whole part
	unit             string  // of ours and theirs
	ratio            float64 // theirs / ours; NaN without a reference
	target           string
	share            float64 // how many times better than the target: met from 1 on; NaN without one
	check            check   // text empty: no answer to compare
	note             string
}

// writeComparison writes table.md, table.csv and the figure to the folder OUT. The times come from
// the folder WORK.
func writeComparison(args []string) error {
	work, out := args[0], args[1]
	times, err := readTimes(work)
	if err != nil {
		return err
	}
	var results []result
	for _, r := range rows {
		measured, err := r.result(work, times)
		if err != nil {
			return fmt.Errorf("%s: %w", r.title, err)
		}
		if measured.ours.rounds > 0 || !strings.HasSuffix(r.part, millionSuffix) {
			results = append(results, measured)
		}
	}
	var wrong []error
	for _, r := range results {
		if r.check.text != "" && !r.check.ok {
			wrong = append(wrong, fmt.Errorf("%s: the answers disagree: %s", r.title, r.check.text))
		}
	}
	return errors.Join(append(wrong, writeResults(out, results))...)
}

// writeTables replaces the rows about the paper's tables in the folder OUT by the times in the
// folder WORK. REPLICATES is the number of replicates that were run, and REVISION the version of
// copse.
func writeTables(args []string) error {
	work, out := args[0], args[1]
	replicates, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	times, err := readTimes(work)
	if err != nil {
		return err
	}
	results, err := readCSV(filepath.Join(out, "table.csv"))
	if err != nil {
		return err
	}
	measured := tableRows(times, replicates, args[3])
	results = slices.DeleteFunc(results, func(old result) bool {
		return slices.ContainsFunc(measured, func(r result) bool { return r.title == old.title })
	})
	return writeResults(out, append(results, measured...))
}

func writeResults(out string, results []result) error {
	return errors.Join(
		writeFile(filepath.Join(out, "table.md"), func(w io.Writer) error { return writeMarkdown(w, results) }),
		writeFile(filepath.Join(out, "table.csv"), func(w io.Writer) error { return writeCSV(w, results) }),
		drawRatios(filepath.Join(out, "ratios"), results))
}

// result computes the measured times of a row.
func (r row) result(work string, times []timing) (result, error) {
	measure := cpuOf
	if r.wall {
		measure = wallOf
	}
	m := result{title: r.title, reference: r.reference, note: r.scaling, unit: "s", share: math.NaN()}
	m.ours = summarise(times, r.part, copse, measure)
	m.theirs = summarise(times, r.part, r.reference, measure)
	if r.scale > 0 {
		m.theirs.median *= r.scale
		m.theirs.low *= r.scale
		m.theirs.high *= r.scale
	}
	m.ratio = m.theirs.median / m.ours.median
	switch {
	case r.ratio > 0:
		m.target, m.share = fmt.Sprintf("%g x faster", r.ratio), m.ratio/r.ratio
		if r.ratio == 1 {
			m.target = "not slower"
		}
	case r.seconds > 0:
		m.target, m.share = fmt.Sprintf("%g s", r.seconds), r.seconds/m.ours.median
	}
	var err error
	if compare := checks[[2]string{r.part, r.reference}]; compare != nil && m.theirs.rounds > 0 {
		m.check, err = compare(work, r.part, r.reference)
	}
	return m, err
}

// tableRows returns the rows with the times and memory of the paper's three tables. It returns nil
// if they were not run.
func tableRows(times []timing, replicates int, revision string) []result {
	seconds := func(part string) float64 { return summarise(times, part, copse, wallOf).median }
	whole := func(part string) float64 {
		if replicates == tablesReplicates {
			return seconds(part)
		}
		one := seconds(part + oneReplicate)
		return one + (seconds(part)-one)/float64(replicates-1)*(tablesReplicates-1)
	}
	text, rest := whole(tablesText), whole(tablesRest)
	if math.IsNaN(text + rest) {
		return nil
	}
	none := summarise(nil, "", "", wallOf)
	minutes := func(title string, m, target float64) result {
		return result{title: title, theirs: none, ours: summary{m, m, m, 1}, unit: "min", ratio: math.NaN(),
			target: fmt.Sprintf("%g min", target), share: target / m, note: fmt.Sprintf("%d of %d replicates were run, "+
				"by copse %s", replicates, tablesReplicates, revision)}
	}
	megabytes := max(summarise(times, tablesText, copse, memoryOf).high,
		summarise(times, tablesRest, copse, memoryOf).high)
	return []result{
		minutes("Tables 1, 2, 3 of JMLR 2020, as its text reads (80 cells, 100 replicates), 2 cores", text/60,
			textMinutes),
		minutes("with the second reading of it (150 cells)", (text+rest)/60, tablesMinutes),
		{title: "peak memory of these runs", theirs: none, ours: summary{megabytes, megabytes, megabytes, 1},
			unit: "MB", ratio: math.NaN(),
			target: fmt.Sprintf("%g MB", tablesMemory), share: tablesMemory / megabytes},
	}
}

func (r result) verdict() string {
	switch {
	case math.IsNaN(r.share):
		return ""
	case r.share >= 1:
		return "met"
	}
	return "**missed**"
}

// amount formats a summary: the median and, if there are several rounds, the range over the rounds.
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

func writeMarkdown(w io.Writer, results []result) error {
	lines := []string{
		"| part | reference | reference's time | copse's time | ratio | target | | answers |",
		"|---|---|--:|--:|--:|--:|---|---|",
	}
	var notes []string
	for _, r := range results {
		title := r.title
		if r.note != "" {
			k := slices.Index(notes, r.note)
			if k < 0 {
				k, notes = len(notes), append(notes, r.note)
			}
			title += fmt.Sprintf(" [%d]", k+1)
		}
		lines = append(lines, "| "+strings.Join([]string{title, r.reference, r.theirs.amount(r.unit),
			r.ours.amount(r.unit),
			digits(r.ratio), r.target, r.verdict(), r.agreement()}, " | ")+" |")
	}
	lines = append(lines, "",
		"The time of a round is the median of its repeats. The table shows the median over the rounds and, in brackets, "+
			"the range over several rounds.",
		"Times are processor times (user and system) of one core. The rows of two workers and of the paper's tables "+
			"show elapsed times.", "")
	for i, note := range notes {
		lines = append(lines, fmt.Sprintf("[%d] %s  ", i+1, note))
	}
	_, err := fmt.Fprintln(w, strings.Join(lines, "\n"))
	return err
}

func (r result) agreement() string {
	if r.check.text == "" {
		return ""
	}
	if r.check.ok {
		return "agree: " + r.check.text
	}
	return "**disagree**: " + r.check.text
}

func writeCSV(w io.Writer, results []result) error {
	c := csv.NewWriter(w)
	lines := [][]string{{"part", "reference", "unit", "reference_median", "reference_low", "reference_high", "copse_median", "copse_low", "copse_high", "rounds", "ratio", "target", "times_target", "agree", "agreement", "note"}}
	number := func(v float64) string {
		if math.IsNaN(v) {
			return ""
		}
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	for _, r := range results {
		agree := ""
		if r.check.text != "" {
			agree = strconv.FormatBool(r.check.ok)
		}
		lines = append(lines, []string{r.title, r.reference, r.unit, number(r.theirs.median), number(r.theirs.low),
			number(r.theirs.high),
			number(r.ours.median), number(r.ours.low), number(r.ours.high), strconv.Itoa(r.ours.rounds), number(r.ratio), r.target, number(r.share), agree, r.check.text, r.note})
	}
	if err := c.WriteAll(lines); err != nil {
		return err
	}
	return c.Error()
}

// readCSV reads the file that writeCSV wrote.
func readCSV(path string) ([]result, error) {
	lines, err := readLines(path)
	if err != nil {
		return nil, err
	}
	var results []result
	for _, line := range lines[1:] {
		number := func(k int) float64 {
			v, e := strconv.ParseFloat(line[k], 64)
			if line[k] == "" {
				return math.NaN()
			}
			err = errors.Join(err, e)
			return v
		}
		rounds, e := strconv.Atoi(line[9])
		err = errors.Join(err, e)
		r := result{title: line[0], reference: line[1], unit: line[2], ratio: number(10), target: line[11],
			share:  number(12),
			theirs: summary{number(3), number(4), number(5), rounds}, ours: summary{number(6), number(7), number(8),
				rounds},
			check: check{ok: line[13] == "true", text: line[14]}, note: line[15]}
		if line[3] == "" {
			r.theirs.rounds = 0
		}
		results = append(results, r)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return results, nil
}

// readLines reads all lines of a CSV file. The first line is the header.
func readLines(path string) ([][]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return lines, nil
}
