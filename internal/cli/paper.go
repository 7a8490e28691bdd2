package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"copse/experiments/config"
	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/experiments/run"
	"copse/experiments/study"
	"copse/internal/claims"
	"copse/internal/reported"
)

// claimsFile lists papers and their claims. The path is relative to the root folder of copse's
// repository.
const claimsFile = "results/published/claims.yaml"

// newPaper returns the command copse paper.
func newPaper() *cobra.Command {
	var document, out string
	var decideOnly bool
	o := run.Options{}
	cmd := &cobra.Command{
		Use:   "paper [NAME...]",
		Short: "Replicate a paper: run its studies, then test its claims",
		Long: `Paper checks the data of a paper's studies, prints their cost and runs the
missing results. It then prints a table of the paper's testable claims: our
number, the printed number and a verdict. Repeat the command to continue after
an interruption.

The papers are listed in ` + claimsFile + `; their studies are in
configs/ and their results in results/. Run this command in a copy of copse's
repository. Without a NAME it repeats all papers.`,
		Example: `  copse paper freno2010
  copse paper --decide --write docs/reproduction.md`,
		RunE: func(cmd *cobra.Command, args []string) error {
			papers, err := chosenPapers(args)
			if err != nil {
				return err
			}
			for i := range papers {
				if !decideOnly {
					if err := repeat(cmd, &papers[i], o, out); err != nil {
						return err
					}
				}
				if err := decide(cmd.OutOrStdout(), &papers[i], out, document); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&decideOnly, "decide", false, "use the stored results instead of running the studies")
	cmd.Flags().StringVar(&document, "write", "", "Markdown file in which to replace the paper's table of claims")
	cmd.Flags().StringVar(&out, "out", "results", "folder that contains the results folders of all studies")
	addWorkers(cmd, &o)
	return cmd
}

// chosenPapers returns the papers with the given names, or all papers if no names are given.
func chosenPapers(names []string) ([]claims.Paper, error) {
	papers, err := claims.Read(claimsFile)
	if errors.Is(err, os.ErrNotExist) {
		return nil, usageErrorf("%s does not exist here; run `copse paper` in a clone of the repository", claimsFile)
	}
	if err != nil || len(names) == 0 {
		return papers, err
	}
	var known []string
	for _, p := range papers {
		known = append(known, p.Name)
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, usageErrorf("%q is not one of the papers%s", name, config.DidYouMean(name, known))
		}
	}
	return slices.DeleteFunc(papers, func(p claims.Paper) bool { return !slices.Contains(names, p.Name) }), nil
}

// repeat checks the claims of a paper, prints the cost of its studies and runs them. The results
// folders are subfolders of the folder out. Failed fits are part of the results, so repeat prints
// partial failures but does not return them.
func repeat(cmd *cobra.Command, p *claims.Paper, o run.Options, out string) error {
	var studies []*study.Study
	for _, name := range p.Studies {
		s, err := reported.Load(filepath.Join("configs", name+".yaml"))
		if err != nil {
			return err
		}
		if err := p.Check(s); err != nil {
			return err
		}
		studies = append(studies, s.Study)
	}
	for _, s := range studies {
		if err := printPlan(cmd.OutOrStdout(), s, filepath.Join(out, s.Name)); err != nil {
			return err
		}
	}
	if len(studies) == 1 { // runStudies adds subfolders only for several studies
		out = filepath.Join(out, studies[0].Name)
	}
	const format = "text" // format of printed tables
	err := runStudies(cmd, studies, o, out, format)
	if isPartialFailure(err) {
		fmt.Fprintln(cmd.ErrOrStderr(), err)
		return nil
	}
	return err
}

// printPlan prints how many results of a study are missing in a folder, and their cost.
func printPlan(out io.Writer, s *study.Study, dir string) error {
	f, err := results.OpenFor(dir, s)
	if err != nil {
		return err
	}
	plan := run.NewPlan(f)
	fmt.Fprintf(out, "%s: %d results are missing, %d are already done\n", s.Name, plan.Missing, plan.Done)
	if len(plan.Tasks) > 0 {
		printCost(out, plan.Estimate(5*time.Second))
	}
	return nil
}

// decide tests the claims of a paper against the results folders inside the folder out. It prints the
// verdicts as a Markdown table. If document is not "", it instead updates the paper's table in the
// Markdown file with this path.
func decide(w io.Writer, p *claims.Paper, out, document string) error {
	findings, err := decideClaims(p, out)
	if err != nil {
		return err
	}
	table := claims.Table(p, findings)
	if document == "" {
		fmt.Fprintln(w, table)
		return nil
	}
	text, err := os.ReadFile(document)
	if err != nil {
		return err
	}
	replaced, err := claims.Replace(string(text), p, table)
	if err != nil {
		return fmt.Errorf("%s: %w", document, err)
	}
	return folder.WriteBytes(document, []byte(replaced))
}

// decideClaims tests the claims of a paper against the results folders inside the folder out.
func decideClaims(p *claims.Paper, out string) ([]*claims.Finding, error) {
	stored := map[string]*reported.Results{}
	for _, name := range p.Studies {
		r, err := openResults(filepath.Join(out, name))
		if err != nil {
			return nil, err
		}
		stored[name] = r
	}
	var findings []*claims.Finding
	for i := range p.Claims {
		f, err := claims.Decide(&p.Claims[i], stored[p.Claims[i].Study])
		if err != nil {
			return nil, err
		}
		findings = append(findings, f)
	}
	return findings, nil
}
