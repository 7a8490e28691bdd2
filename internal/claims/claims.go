// Package claims tests the statements of papers with stored results.
package claims

import (
	"fmt"
	"os"
	"slices"

	"copse/experiments/config"
	"copse/stats/records"
)

// A Paper has the statements of a paper and the studies that test them.
type Paper struct {
	Name    string   `param:"name" required:"the name that copse paper takes"`
	Source  string   `param:"source" required:"authors and place"`
	Studies []string `param:"studies" required:"studies in configs, whose results are in results"`
	Claims  []Claim  `param:"claims" required:"the statements"`
}

// A Claim is one statement of a paper, with the statistic that tests it. Metrics are compared as losses:
// smaller is better.
type Claim struct {
	Section string `param:"section" required:"where the paper states it"`
	Text    string `param:"claim" required:"the statement in a few words"`
	Closest bool   `param:"closest" doc:"the statement names no statistic; this one is the closest"`

	Study      string            `param:"study" required:"the study that decides it"`
	Where      records.Condition `param:"where" node:"mapping of levels" doc:"the cells that it is about; empty: all"`
	Pool       bool              `param:"pool" doc:"one comparison over all cells, not one in each"`
	Classifier []string          `param:"classifier" required:"the classifier; of several, the best in each cell"`
	Rivals     []string          `param:"rivals" required:"the classifiers that it is compared with"`
	Metric     string            `param:"metric" doc:"what is compared; empty: error"`
	Statistic  Statistic         `param:"statistic" enum:"lower,as low,on par,same,narrows,widens" required:"the cells counted"`
	By         float64           `param:"by" range:"[0,100]" doc:"percentage points by which lower must be lower"`
	Along      string            `param:"along" doc:"factor along which the lead narrows or widens"`

	Need    int    `param:"need" range:"[0,inf)" doc:"cells that the statement needs; 0: as many as the printed means give"`
	Printed string `param:"printed" doc:"the count as the paper states it; empty: counted from its table"`

	at config.Place
}

// A Statistic is the criterion by which a claim counts cells.
type Statistic string

// A statistic counts the cells with the property below. Tests of the cells additionally decide the claim,
// at family-wise level 0.05 (Bonferroni).
const (
	Lower   Statistic = "lower"   // the mean of the classifier is lower than the mean of every rival
	AsLow   Statistic = "as low"  // the mean of the classifier is not higher than the mean of any rival
	OnPar   Statistic = "on par"  // tests at level 0.05 in each cell show no rival to be better
	Same    Statistic = "same"    // a test at level 0.05 in each cell shows no difference
	Narrows Statistic = "narrows" // the lead is smaller at the last level of Along than at the first
	Widens  Statistic = "widens"  // the lead is larger at the last level of Along than at the first
)

// inWords describes each statistic for the table.
var inWords = map[Statistic]string{
	Lower: "mean lower", AsLow: "mean not higher", OnPar: "lowest, or not shown to be higher",
	Same: "no difference shown", Narrows: "lead smaller at the end", Widens: "lead larger at the end",
}

// Read reads a file of papers. It checks the claims, except for checks that need results.
func Read(file string) ([]Paper, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	root, err := config.Parse(file, content)
	if err != nil {
		return nil, err
	}
	var list struct {
		Papers []Paper `param:"papers" required:"the papers"`
	}
	root.Decode("key", &list)
	for i := range list.Papers {
		list.Papers[i].check(root.Key("papers").Item(i))
	}
	return list.Papers, root.Err()
}

// check sets the places of the claims in the file and reports mistakes at these places.
func (p *Paper) check(at config.Place) {
	for i := range p.Claims {
		c := &p.Claims[i]
		c.at = at.Key("claims").Item(i)
		if !slices.Contains(p.Studies, c.Study) {
			c.at.Key("study").Fail("%q is no study of the paper%s", c.Study, config.DidYouMean(c.Study, p.Studies))
		}
		if along := c.Statistic == Narrows || c.Statistic == Widens; along != (c.Along != "") {
			c.at.Fail("along goes with the statistics narrows and widens")
		}
		if c.By > 0 && c.Statistic != Lower {
			c.at.Key("by").Fail("by goes with the statistic lower")
		}
	}
}

// criterion describes the statistic of a claim for the table.
func (c *Claim) criterion() string {
	text := inWords[c.Statistic]
	if c.By > 0 {
		text += fmt.Sprintf(" by %g points or more", c.By)
	}
	if c.Along != "" {
		text += " of " + c.Along
	}
	if c.Pool {
		text += ", all cells as one"
	}
	if c.Closest {
		text = "none named; closest: " + text
	}
	return text
}
