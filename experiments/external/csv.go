package external

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"copse/stats/dataset"
	"copse/stats/dataset/csvfile"
)

// The simplest generator is a command that writes one sample to a CSV file. copse replaces these
// placeholders in its arguments:
//
//	{problem}  seed of the problem, 31 bits: equal seeds mean equal distributions
//	{seed}     seed of the sample, 31 bits
//	{counts}   number of rows of each class, such as 100,100
//	{out}      path of the CSV file
//
// The CSV file contains a header and rows of numbers, whose last one is the class code 0, 1, ...

const (
	csvName    = "sample.csv" // name of the file {out}
	longestCSV = 1 << 30      // its largest size in bytes
)

// sampleCSV runs the generator's command once and returns the sample in its CSV file, with
// counts[c] rows of class c.
func (q *Problem) sampleCSV(ctx context.Context, counts []int, seed uint64) (*dataset.Set, error) {
	argumentsFor := func(tempFolder string) []string { return q.csvArguments(counts, seed, tempFolder) }
	p, err := launch(q.program, q.host.folder, argumentsFor)
	if err != nil {
		return nil, err
	}
	defer p.close()
	if p.program.Memory > 0 {
		p.group.limitMemory(p.program.Memory)
	}
	p.input.Close() // the command receives no requests
	limited, stopClock := startClock(ctx)
	text, err := p.await(limited, nil)
	stopClock()
	switch {
	case err == nil:
		return nil, p.fault("sent the reply %q; a command that writes a CSV file must not send replies",
			p.shorten(text))
	case errors.Is(err, errEnded) && p.command.ProcessState.Success(): // as a correct command ends
		return q.readCSV(p, counts)
	}
	return nil, err
}

// csvArguments returns the arguments of the command with values in place of the placeholders.
func (q *Problem) csvArguments(counts []int, seed uint64, tempFolder string) (arguments []string) {
	list := strings.Trim(string(marshal(counts)), "[]") // such as 100,100
	const dropped = 33                                  // commands receive only the first 31 of the 64 bits of a seed
	fill := strings.NewReplacer("{problem}", fmt.Sprint(q.seed>>dropped), "{seed}", fmt.Sprint(seed>>dropped),
		"{counts}", list, "{out}", filepath.Join(tempFolder, csvName))
	for _, a := range q.program.Command[1:] {
		arguments = append(arguments, fill.Replace(a))
	}
	return arguments
}

// readCSV reads and checks the CSV file of a command.
func (q *Problem) readCSV(p *process, counts []int) (*dataset.Set, error) {
	file, err := openAnswer(filepath.Join(p.tempFolder.path, csvName))
	if err != nil {
		return nil, p.fault("{out}: %v", err) // users know the file by its placeholder in the command
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || info.Size() > longestCSV {
		return nil, p.fault("wrote more than %d bytes to the file {out}", longestCSV)
	}
	sample, err := csvfile.Read(file, csvName, csvfile.Options{}) // the last column is the class
	if err != nil {
		return nil, p.fault("%v", err)
	}
	var names []string
	for _, a := range sample.Attributes {
		names = append(names, a.Name)
		if a.Kind != dataset.Numeric {
			return nil, p.fault("%s: column %q is not numeric; only the protocol external/1 supports discrete columns",
				csvName, a.Name)
		}
	}
	y := make([]int, sample.N())
	for i, code := range sample.Y {
		label := sample.Classes[code] // the class as written in the file
		y[i], err = strconv.Atoi(label)
		if err != nil || y[i] < 0 || y[i] >= len(counts) {
			const firstLine = 2 // after the header
			return nil, p.fault("%s: line %d: class %q is not one of the codes 0..%d", csvName, i+firstLine, label,
				len(counts)-1)
		}
	}
	return q.newSample(p, sample.X, y, counts, names)
}
