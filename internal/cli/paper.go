package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

// claimsFile lists the claims of the papers, in a copy of copse's repository.
const claimsFile = "results/published/claims.yaml"

func newPaper() *cobra.Command {
	var document, out string
	var decideOnly bool
	o := run.Options{}
	cmd := &cobra.Command{
		Use:   "paper [NAME...]",
		Short: "Repeat a paper: run its studies, then test its claims",
		Long: `Paper checks the data of a paper's studies, prints their cost and runs the
missing results. It then prints a table with each claim of the paper that a
comparison can decide: our number, the printed number and a verdict. Repeat the
command to continue after an interruption.

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
	cmd.Flags().BoolVar(&decideOnly, "decide", false, "run nothing: use the stored results")
	cmd.Flags().StringVar(&document, "write", "", "replace the table between the paper's marks in this Markdown file")
	cmd.Flags().StringVar(&out, "out", "results", "folder that contains the results folders")
	addWorkers(cmd, &o)
	return cmd
}

// chosenPapers reads the papers with the given names, or all papers if there are no names.
func chosenPapers(names []string) ([]claims.Paper, error) {
	papers, err := claims.Read(claimsFile)
	if errors.Is(err, os.ErrNotExist) {
		return nil, usagef("no %s here: run copse paper in a copy of copse's repository", claimsFile)
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
			return nil, usagef("no paper %q%s", name, config.DidYouMean(name, known))
		}
	}
	return slices.DeleteFunc(papers, func(p claims.Paper) bool { return !slices.Contains(names, p.Name) }), nil
}

// repeat prints the cost of a paper's studies and runs them.
func repeat(cmd *cobra.Command, p *claims.Paper, o run.Options, out string) error {
	var studies []*study.Study
	for _, name := range p.Studies {
		s, err := reported.Load(filepath.Join("configs", name+".yaml"))
		if err != nil {
			return err
		}
		studies = append(studies, s.Study)
	}
	for _, s := range studies {
		if err := printPlan(cmd.OutOrStdout(), s, filepath.Join(out, s.Name)); err != nil {
			return err
		}
	}
	if len(studies) == 1 { // runStudies takes out as the folder of a single study
		out = filepath.Join(out, studies[0].Name)
	}
	err := runStudies(cmd, studies, o, out, "text")
	if isShortfall(err) { // failed fits are results: their claims have fewer cells
		fmt.Fprintln(cmd.ErrOrStderr(), err)
		return nil
	}
	return err
}

// printPlan prints how many results of a study its folder lacks, and what they cost.
func printPlan(out io.Writer, s *study.Study, dir string) error {
	f, err := results.OpenFor(dir, s)
	if err != nil {
		return err
	}
	plan := run.NewPlan(f, false)
	fmt.Fprintf(out, "%s: %d results to run, %d already done\n", s.Name, plan.Rows, plan.Done)
	if len(plan.Tasks) > 0 {
		printCost(out, plan.Estimate(s, 5*time.Second))
	}
	return nil
}

// decide writes the table of a paper's claims and their verdicts: into the Markdown file document
// if it is not "", else to w.
func decide(w io.Writer, p *claims.Paper, out, document string) error {
	table, err := decideClaims(p, out)
	if err != nil {
		return err
	}
	if document == "" {
		_, err := io.WriteString(w, table+"\n")
		return err
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

// decideClaims returns the table of a paper's claims, decided by the results folders in out.
func decideClaims(p *claims.Paper, out string) (string, error) {
	stored := map[string]*reported.Results{}
	for _, name := range p.Studies {
		r, err := openResults(filepath.Join(out, name))
		if err != nil {
			return "", err
		}
		stored[name] = r
	}
	var findings []*claims.Finding
	for i := range p.Claims {
		f, err := claims.Decide(&p.Claims[i], stored[p.Claims[i].Study])
		if err != nil {
			return "", err
		}
		findings = append(findings, f)
	}
	var table strings.Builder
	err := claims.Write(&table, p, findings)
	return table.String(), err
}
