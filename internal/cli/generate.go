package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"copse/experiments/folder"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/generators"
	"copse/stats/dataset"
	"copse/stats/dataset/csvfile"
)

// newGenerate returns the command copse generate.
func newGenerate() *cobra.Command {
	var name, train, test, dir string
	var params []string
	var seed uint64
	var force bool
	cmd := &cobra.Command{
		Use:   "generate --generator NAME [--param k=v]... --train N,N --test N,N --out DIR",
		Short: "Draw data from a generator and write train.csv, test.csv and model.json",
		Long: `Generate draws one problem of a generator and writes its training and test
rows as CSV files. A Table Schema beside each (train.schema.json) gives copse
classify the kinds, levels and classes. model.json contains the drawn model,
if the generator can describe it.`,
		Example: `  copse generate --generator forest --param d=10 --train 100,100 --test 500,500 --out data`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			trainCounts, err := parseCounts("--train", train)
			if err != nil {
				return err
			}
			testCounts, err := parseCounts("--test", test)
			if err != nil {
				return err
			}
			cell, err := study.NewCell(name, params, trainCounts, testCounts)
			if err != nil {
				return err
			}
			draw, err := trial.NewDraw(cell, seed, 1) // the data of replicate 1
			if err != nil {
				return err
			}
			if err := folder.WriteAll(dir, filesOf(draw), force); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(),
				"%s: wrote train.csv (%d rows) and test.csv (%d rows); fingerprint of the data: %s\n",
				dir, draw.Train.N(), draw.Test.N(), draw.Fingerprint)
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&name, "generator", "", "generator (see copse list generators)")
	f.StringArrayVar(&params, "param", nil, "parameter, k=v (repeatable)")
	f.StringVar(&train, "train", "", "number of training rows of each class, such as 100,100")
	f.StringVar(&test, "test", "", "number of test rows of each class, such as 500,500")
	f.Uint64Var(&seed, "seed", 1, "seed of the draw")
	f.StringVar(&dir, "out", "", "folder to write to")
	f.BoolVar(&force, "force", false, "replace existing files")
	requireFlags(cmd, "generator", "train", "test", "out")
	return cmd
}

// requireFlags marks flags of a command as required.
func requireFlags(cmd *cobra.Command, flags ...string) {
	for _, flag := range flags {
		_ = cmd.MarkFlagRequired(flag) // the only error is an unknown flag
	}
}

// parseCounts parses the value of a flag as the number of rows of each class, such as "100,100".
func parseCounts(flag, text string) ([]int, error) {
	var counts []int
	for _, part := range strings.Split(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n < 0 {
			return nil, usageErrorf("%s %s: give the number of rows of each class, such as 100,100", flag, text)
		}
		counts = append(counts, n)
	}
	if slices.Max(counts) == 0 {
		return nil, usageErrorf("%s %s: at least one class must have rows", flag, text)
	}
	return counts, nil
}

// filesOf returns the output files for drawn data: the training and test rows as CSV, with schemas,
// and model.json if the generator can describe its model.
func filesOf(draw *trial.Draw) []folder.Output {
	files := append(csvFiles("train.csv", draw.Train), csvFiles("test.csv", draw.Test)...)
	model := modelOf(draw)
	if model == nil {
		return files
	}
	return append(files, folder.Output{Name: "model.json", Render: func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(model)
	}})
}

// csvFiles returns two files: a data set as CSV, and a schema with the kinds of its columns.
func csvFiles(name string, set *dataset.Set) []folder.Output {
	const class = csvfile.ClassColumn
	return []folder.Output{
		{Name: name, Render: func(w io.Writer) error { return csvfile.Write(w, set, class) }},
		{Name: csvfile.SchemaFile(name), Render: func(w io.Writer) error { return csvfile.WriteSchema(w, set, class) }},
	}
}

// modelOf returns a description of the model from which the data were drawn, or nil if the
// generator provides none.
func modelOf(draw *trial.Draw) any {
	if m, ok := draw.Problem.(generators.Modeler); ok {
		return m.Model()
	}
	if draw.External != nil && draw.External.Description() != nil {
		return json.RawMessage(draw.External.Description())
	}
	return nil
}
