package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"time"
)

// A usage is the cost of a piece of work. cpu and wall are processor time and elapsed time in
// seconds. megabytes is the peak resident memory, or 0 if unknown.
type usage struct{ cpu, wall, megabytes float64 }

// timed measures the cost of a single call of work. It first collects earlier garbage, so that the
// call does not have to.
func timed(work func() error) (usage, error) {
	runtime.GC()
	cpu, start := cpuSeconds(), time.Now()
	err := work()
	return usage{cpu: cpuSeconds() - cpu, wall: time.Since(start).Seconds()}, err
}

// record appends a line to WORK/times.csv. part is the part of the benchmark, and side is the
// program that was timed.
func record(work, part, side string, round, repeat int, u usage) error {
	return appendLine(filepath.Join(work, "times.csv"),
		fmt.Sprintf("%s,%s,%d,%d,%.6f,%.6f,%.1f", part, side, round, repeat, u.cpu, u.wall, u.megabytes))
}

func appendLine(path, line string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	if _, err = fmt.Fprintln(f, line); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// timeCommands runs commands one after another and records the total cost of their processes. The
// output of command k goes to WORK/answers/PART-SIDE-k.txt. The arguments are
// PART SIDE WORK ROUND COMMAND... [-- COMMAND...]... SIDE is copse or the name of a reference program.
func timeCommands(args []string) error {
	part, side, work := args[0], args[1], args[2]
	round, err := strconv.Atoi(args[3])
	if err != nil {
		return err
	}
	var total usage
	for k, command := range commands(args[4:]) {
		u, err := runCommand(command, filepath.Join(work, "answers", fmt.Sprintf("%s-%s-%d.txt", part, side, k+1)))
		if err != nil {
			return err
		}
		total.cpu, total.wall = total.cpu+u.cpu, total.wall+u.wall
		total.megabytes = max(total.megabytes, u.megabytes)
	}
	const onlyRepeat = 1 // a round runs the commands once
	return record(work, part, side, round, onlyRepeat, total)
}

func commands(args []string) [][]string {
	var all [][]string
	from := 0
	for i := range len(args) + 1 {
		if i == len(args) || args[i] == "--" {
			all = append(all, args[from:i])
			from = i + 1
		}
	}
	return all
}

func runCommand(command []string, output string) (usage, error) {
	out, err := os.Create(output)
	if err != nil {
		return usage{}, err
	}
	defer out.Close()
	c := exec.Command(command[0], command[1:]...)
	c.Stdout = out
	start := time.Now()
	if err := c.Run(); err != nil {
		return usage{}, fmt.Errorf("%v: %w", command, err)
	}
	u := usage{wall: time.Since(start).Seconds()}
	u.cpu = (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
	u.megabytes = peakMegabytes(c.ProcessState)
	return u, nil
}
