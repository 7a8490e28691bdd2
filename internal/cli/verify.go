package cli

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"copse/experiments/audit"
	"copse/experiments/external"
)

// newVerify returns the command copse verify.
func newVerify() *cobra.Command {
	var sample audit.Sample
	var runCommands bool
	cmd := &cobra.Command{
		Use:   "verify RESULTS...",
		Short: "Check the files in results folders and recompute randomly chosen trials",
		Long: `Verify checks a results folder and changes nothing. It compares the checksums of
every journal line, the manifest, study.yaml, records, times, tables, figures
and page. It then checks that records, times and manifest follow from study.yaml
and the journals, that no result is missing, and that all results of a trial
have the same data. It also lists omitted results, replicates that were added
later, and keys of study.yaml that differ from an earlier run. In an unpacked
archive of copse pack, it compares all files with SHA256SUMS, and lists others.

Finally it computes --sample random trials again and compares them bit for bit;
--sample 0 starts nothing. Commands in other languages that you have not run
before start only with --run-commands. The exit code is 1 when a check fails, or
when a result cannot be computed again on this computer, for example because a
package is missing; the output lists what is wrong and why.

Anyone can edit a file together with its checksum. Only results that are
computed again and tables that are drawn again (copse report on a copy) show
that a folder is genuine. docs/guide/checking.md describes how to check results
of others.`,
		Example: `  copse verify results/quickstart
  copse verify results/quickstart --sample 20 --seed 1`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if sample.Trials < 0 {
				return usageErrorf("--sample %d: the number of trials must not be negative", sample.Trials)
			}
			if !cmd.Flags().Changed("seed") {
				sample.Seed = uint64(time.Now().Unix())
			}
			problems := 0
			for _, dir := range args {
				sample.Consent = func(programs []*external.Program) error {
					return requireConsent(programs, dir,
						runCommands)
				}
				found, err := verify(cmd, dir, sample)
				if err != nil {
					return err
				}
				problems += found
			}
			if problems > 0 {
				return errAlreadyPrinted
			}
			return nil
		},
	}
	addConsentFlag(cmd, &runCommands)
	addJSONFlag(cmd)
	cmd.Flags().IntVar(&sample.Trials, "sample", 3, "number of randomly chosen trials to recompute")
	cmd.Flags().Uint64Var(&sample.Seed, "seed", 0, "seed for choosing trials at random (default: the current time)")
	return cmd
}

// verify checks the results folder dir, prints the outcome of each check and returns the number of
// problems. Results that could not be checked count, because the user requested to check them.
func verify(cmd *cobra.Command, dir string, sample audit.Sample) (problems int, err error) {
	if err := checkResultsFolder(dir); err != nil {
		return 0, err
	}
	checks, err := audit.Verify(cmd.Context(), dir, sample)
	if err != nil {
		return 0, err
	}
	if wantsJSON(cmd) {
		writeChecksLines(cmd.OutOrStdout(), dir, checks)
	} else {
		printChecks(cmd.OutOrStdout(), dir, checks)
	}
	for _, c := range checks {
		problems += len(c.Problems) + len(c.Unchecked)
	}
	return problems, nil
}

// printChecks prints the outcome and the problems of each check of the results folder dir.
func printChecks(out io.Writer, dir string, checks []audit.Check) {
	for _, c := range checks {
		state := "ok"
		switch {
		case len(c.Problems) > 0:
			state = "FAILED"
		case c.Skipped:
			state = "not checked"
		case len(c.Unchecked) > 0:
			state = "only partly checked"
		}
		fmt.Fprintf(out, "%s: %s: %s", dir, c.Name, state)
		if c.Seen != "" {
			fmt.Fprintf(out, " (%s)", c.Seen)
		}
		fmt.Fprintln(out)
		for _, p := range c.Problems {
			fmt.Fprintln(out, "  "+p)
		}
		for _, u := range c.Unchecked {
			fmt.Fprintln(out, "  not checked: "+u)
		}
	}
}
