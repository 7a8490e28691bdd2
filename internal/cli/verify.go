package cli

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"copse/experiments/audit"
	"copse/experiments/external"
)

func newVerify() *cobra.Command {
	var sample int
	var seed uint64
	var runCommands bool
	cmd := &cobra.Command{
		Use:   "verify RESULTS...",
		Short: "Check checksums, completeness and pairing, and compute random trials again",
		Long: `Verify reads everything in a results folder and changes nothing: every journal
line's checksum, the manifest's own and those of study.yaml, records, times, tables,
figures and page; whether records, times and manifest are what study.yaml and the
journals say, whether results are missing, whether all results of a trial saw the
same data. Then it computes --sample trials again, chosen at random, and compares them
bit for bit; --sample 0 starts nothing. Commands in other languages that you have not
run before start only with --run-commands. The exit code is 1 when anything is amiss;
the list says what and why.`,
		Example: `  copse verify results/quickstart
  copse verify results/quickstart --sample 20 --seed 1`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if sample < 0 {
				return usagef("--sample %d: want 0 or more trials", sample)
			}
			if !cmd.Flags().Changed("seed") {
				seed = uint64(time.Now().Unix())
			}
			sound := true
			for _, dir := range args {
				if err := isResultsFolder(dir); err != nil {
					return err
				}
				checks, err := audit.Verify(cmd.Context(), dir, audit.Sample{
					Trials: sample, Seed: seed,
					Consent: func(programs []*external.Program) error { return consent(programs, dir, runCommands) },
				})
				if err != nil {
					return err
				}
				if wantsJSON(cmd) {
					sound = linesTo(cmd.OutOrStdout()).checks(dir, checks) && sound
				} else {
					sound = printChecks(cmd.OutOrStdout(), dir, checks) && sound
				}
			}
			if !sound {
				return errFellShort
			}
			return nil
		},
	}
	addConsent(cmd, &runCommands)
	addJSON(cmd)
	cmd.Flags().IntVar(&sample, "sample", 3, "trials to compute again")
	cmd.Flags().Uint64Var(&seed, "seed", 0, "seed of their choice (default: the clock)")
	return cmd
}

// printChecks prints what was found and tells whether nothing is amiss.
func printChecks(out io.Writer, dir string, checks []audit.Check) bool {
	sound := true
	for _, c := range checks {
		state := "ok"
		if len(c.Problems) > 0 {
			state, sound = "AMISS", false
		}
		fmt.Fprintf(out, "%s: %s: %s", dir, c.Name, state)
		if c.Seen != "" {
			fmt.Fprintf(out, " (%s)", c.Seen)
		}
		fmt.Fprintln(out)
		for _, p := range c.Problems {
			fmt.Fprintln(out, "  "+p)
		}
	}
	return sound
}
