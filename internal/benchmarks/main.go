// Command benchmarks compares the speed of copse and other programs. It also measures how time and
// memory grow with the size of the data. See results/benchmarks/README.md.
package main

import (
	"fmt"
	"os"
)

// A verb is a subcommand, which runs one step of a script.
type verb struct {
	name      string
	arguments string // names of the arguments, for usage messages; the comment of run explains them
	least     int    // number of arguments
	run       func(args []string) error
}

var verbs = []verb{
	{"prepare", "WORK", 1, prepareData},
	{"fit", "PART WORK ROUND REPEATS", 4, fitPart},
	{"process", "PART SIDE WORK ROUND COMMAND... [-- COMMAND...]...", 5, timeCommands},
	{"table", "WORK OUT REPLICATES REVISION", 4, writeComparison},
	{"point", "CLASSIFIER FACTOR N D SECONDS CSV", 6, growthPoint},
	{"growth", "CSV OUT", 2, writeGrowth},
	{"scale", "TRIALS FOLDER [CLASSIFIER...]", 2, writeScale},
	{"subjects", "", 0, printSubjects},
}

func main() {
	if err := dispatch(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "benchmarks:", err)
		os.Exit(1)
	}
}

func dispatch(args []string) error {
	for _, v := range verbs {
		if len(args) > 0 && args[0] == v.name {
			if len(args) <= v.least {
				return fmt.Errorf("usage: benchmarks %s %s", v.name, v.arguments)
			}
			return v.run(args[1:])
		}
	}
	message := "want one of these verbs:"
	for _, v := range verbs {
		message += fmt.Sprintf("\n  %s %s", v.name, v.arguments)
	}
	return fmt.Errorf("%s", message)
}
