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

func newGenerate() *cobra.Command {
	var name, train, test, dir string
	var params []string
	var seed uint64
	var force bool
	cmd := &cobra.Command{
		Use:   "generate --generator NAME [--param k=v]... --train N,N --test N,N --out DIR",
		Short: "Draw one problem and write train.csv, test.csv and model.json",
		Long: `Generate draws one problem and writes its training and test rows as CSV, each
with a Table Schema beside it (train.schema.json) that keeps kinds, levels and
classes for copse classify, and the drawn model where the generator shows it.`,
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
			draw, err := trial.NewDraw(cell, seed, 1)
			if err != nil {
				return err
			}
			if err := folder.Fresh(dir, drawFiles(draw), force); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: train.csv (%d rows), test.csv (%d rows), model.json; fingerprint %s\n",
				dir, draw.Train.N(), draw.Test.N(), draw.Fingerprint)
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&name, "generator", "", "the generator (see copse list generators)")
	f.StringArrayVar(&params, "param", nil, "a parameter, k=v (repeatable)")
	f.StringVar(&train, "train", "", "training rows of each class: 100,100")
	f.StringVar(&test, "test", "", "test rows of each class: 500,500")
	f.Uint64Var(&seed, "seed", 1, "seed of the draw")
	f.StringVar(&dir, "out", "", "folder to write to")
	f.BoolVar(&force, "force", false, "replace files that are there")
	mustRequire(cmd, "generator", "train", "test", "out")
	return cmd
}

func mustRequire(cmd *cobra.Command, flags ...string) {
	for _, flag := range flags {
		if err := cmd.MarkFlagRequired(flag); err != nil {
			panic(err)
		}
	}
}

func parseCounts(flag, text string) ([]int, error) {
	var counts []int
	for _, part := range strings.Split(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n < 0 {
			return nil, usagef("%s %s: want the rows of each class, such as 100,100", flag, text)
		}
		counts = append(counts, n)
	}
	if slices.Max(counts) == 0 {
		return nil, usagef("%s %s: want at least one row", flag, text)
	}
	return counts, nil
}

// drawFiles are a trial's data, and the drawn model where it can be shown.
func drawFiles(draw *trial.Draw) []folder.Output {
	var list []folder.Output
	for _, part := range []struct {
		name string
		set  *dataset.Set
	}{{"train.csv", draw.Train}, {"test.csv", draw.Test}} {
		list = append(list, folder.Output{Name: part.name, Render: func(w io.Writer) error {
			return csvfile.Write(w,
				part.set)
		}},
			folder.Output{Name: csvfile.SchemaFile(part.name),
				Render: func(w io.Writer) error { return csvfile.WriteSchema(w, part.set) }})
	}
	var model any
	if d, ok := draw.Problem.(generators.Modeler); ok {
		model = d.Model()
	} else if draw.External != nil && draw.External.Description() != nil {
		model = json.RawMessage(draw.External.Description())
	}
	if model != nil {
		list = append(list, folder.Output{Name: "model.json", Render: func(w io.Writer) error {
			e := json.NewEncoder(w)
			e.SetIndent("", "  ")
			return e.Encode(model)
		}})
	}
	return list
}
