package main

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
)

// A timing is one line of times.csv. part is a part of the benchmark. side is copse or the name of
// a reference program, such as "ks".
type timing struct {
	part, side    string
	round, repeat int
	usage
}

// readTimes reads times.csv in the folder WORK. The file has no header. Its columns are part, side,
// round, repeat, processor time, elapsed time and megabytes.
func readTimes(work string) ([]timing, error) {
	lines, err := readLines(filepath.Join(work, "times.csv"))
	if err != nil {
		return nil, err
	}
	times := make([]timing, len(lines))
	for i, line := range lines {
		if len(line) != 7 {
			return nil, fmt.Errorf("times.csv, line %d: found %d columns instead of 7", i+1, len(line))
		}
		var v [5]float64 // the columns from round on
		for k, cell := range line[2:] {
			if v[k], err = strconv.ParseFloat(cell, 64); err != nil {
				return nil, fmt.Errorf("times.csv, line %d: %w", i+1, err)
			}
		}
		times[i] = timing{line[0], line[1], int(v[0]), int(v[1]), usage{v[2], v[3], v[4]}}
	}
	return times, nil
}

// A summary contains the median, minimum and maximum over several rounds. The value of a round is
// the median of its repeats.
type summary struct {
	median, low, high float64
	rounds            int
}

var notRun = summary{math.NaN(), math.NaN(), math.NaN(), 0}

// summarise summarises one measure of a part. The function measure returns the processor time, the
// elapsed time or the memory of a run. Without times, the result is notRun.
func summarise(times []timing, part, side string, measure func(usage) float64) summary {
	byRound := map[int][]float64{}
	for _, t := range times {
		if t.part == part && t.side == side {
			byRound[t.round] = append(byRound[t.round], measure(t.usage))
		}
	}
	var medians []float64
	for _, values := range byRound {
		medians = append(medians, median(values))
	}
	if len(medians) == 0 {
		return notRun
	}
	return summary{median(medians), slices.Min(medians), slices.Max(medians), len(medians)}
}

func median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	m := len(s) / 2
	if len(s)%2 == 1 {
		return s[m]
	}
	return (s[m-1] + s[m]) / 2
}

func cpuOf(u usage) float64    { return u.cpu }
func wallOf(u usage) float64   { return u.wall }
func memoryOf(u usage) float64 { return u.megabytes }
