// Package claims checks statements in papers against stored results.
package claims

import (
	"fmt"
	"os"
	"slices"

	"copse/experiments/config"
	"copse/stats/records"
)

// A Paper lists the statements of a published paper and the studies that test them.
type Paper struct {
	// the short name of the paper, which is the argument of "copse paper"
	Name string `param:"name" required:"yes"`
	// authors, journal and year
	Source string `param:"source" required:"yes"`
	// names of the study files in configs/; their results are in results/
	Studies []string `param:"studies" required:"yes"`
	// the statements
	Claims []Claim `param:"claims" required:"yes"`
}

// A Claim is a statement that compares a classifier with rivals, such as "SLB has the lowest error
// on 13 of 16 sets". Metrics are converted to losses.
type Claim struct {
	// section of the paper that makes the statement
	Section string `param:"section" required:"yes"`
	// the paper's statement, in a few words
	Text string `param:"claim" required:"yes"`
	// true if the paper names no statistic, and the key "statistic" contains the closest one
	Closest bool `param:"closest"`

	// the study whose results test the statement
	Study string `param:"study" required:"yes"`
	// factor levels of the cells to count; empty means all cells
	Where records.Condition `param:"where" node:"mapping of levels"`
	// true for a single comparison that pools all cells
	Pool bool `param:"pool"`
	// the classifier; if several are listed, the best one in each cell counts
	Classifier []string `param:"classifier" required:"yes"`
	// the classifiers with which the classifier is compared
	Rivals []string `param:"rivals" required:"yes"`
	// the metric to compare; if empty, the error rate
	Metric string `param:"metric"`
	// the claimed property of a cell
	Statistic Statistic `param:"statistic" enum:"lower,higher,as low,on par,same,narrows,widens" required:"yes"`
	// for the statistic "lower": the classifier must be better than every rival by this many
	// percentage points
	By float64 `param:"by" range:"[0,100]"`
	// for the statistics "narrows" and "widens": the factor whose first and last levels are
	// compared
	Along string `param:"along"`

	// number of cells that must have the property, so that the results support the claim. 0 means
	// the count in the key "printed". Without this key, 0 means the number of cells in the paper
	// that have the property
	Need int `param:"need" range:"[0,inf)"`
	// the count that the paper states, such as 13 of 16; empty if it states none
	Printed string `param:"printed"`

	position config.Place
}

// A Statistic is what a claim states about a classifier and its rivals in a cell. A classifier's lead over a rival
// is the rival's mean loss minus its own.
type Statistic string

const (
	Lower   Statistic = "lower"   // the mean of the classifier is lower than the mean of every rival
	Higher  Statistic = "higher"  // the mean of the classifier is higher than the mean of every rival
	AsLow   Statistic = "as low"  // the mean of the classifier is not higher than the mean of any rival
	OnPar   Statistic = "on par"  // tests at level 0.05 do not show that any rival is better
	Same    Statistic = "same"    // tests at level 0.05 do not show a difference from any rival
	Narrows Statistic = "narrows" // the absolute lead is smaller at the last level of Along than at the first
	Widens  Statistic = "widens"  // the lead is positive at the last level of Along, and larger than at the first
)

// inWords describes each statistic. For Narrows and Widens, the method criterion appends a factor.
var inWords = map[Statistic]string{
	Lower:   "mean lower",
	Higher:  "mean higher",
	AsLow:   "mean not higher",
	OnPar:   "mean not shown to be higher",
	Same:    "no difference shown",
	Narrows: "difference between the means is smaller at the last level",
	Widens:  "mean lower at the last level, with a larger difference than at the first level",
}

type paperList struct {
	// the papers
	Papers []Paper `param:"papers" required:"yes"`
}

// Read reads a YAML file of papers with their claims. It does not check the names of classifiers,
// levels and metrics; Check and Decide do.
func Read(file string) ([]Paper, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	root, err := config.Parse(file, content)
	if err != nil {
		return nil, err
	}
	var list paperList
	const noun = "key"       // the word for a key in error messages
	root.Decode(noun, &list) // keeps its errors in root
	for i := range list.Papers {
		list.Papers[i].check(root.Key("papers").Item(i))
	}
	return list.Papers, root.Err()
}

// check reports contradictory keys, and stores the position of each claim. The argument is the
// position of the paper in the file.
func (p *Paper) check(position config.Place) {
	for i := range p.Claims {
		c := &p.Claims[i]
		c.position = position.Key("claims").Item(i)
		if !slices.Contains(p.Studies, c.Study) {
			c.position.Key("study").Fail("%q is not in studies, the list of the paper's studies%s", c.Study,
				config.DidYouMean(c.Study, p.Studies))
		}
		c.checkKeys()
	}
}

// checkKeys reports contradictory keys of a claim.
func (c *Claim) checkKeys() {
	needsFactor := c.Statistic == Narrows || c.Statistic == Widens
	if needsFactor && c.Along == "" {
		c.position.Fail("the statistic `%s` needs the key `along`, which names a factor", c.Statistic)
	}
	if needsFactor && len(c.classifiers()) > 2 {
		c.position.Fail("the statistic `%s` compares one classifier with one rival; write a claim for each pair",
			c.Statistic)
	}
	if !needsFactor && c.Along != "" {
		c.position.Key("along").Fail("only the statistics `narrows` and `widens` use the key `along`")
	}
	count, total := c.stated()
	if c.Printed != "" && (total == 0 || count > total) {
		c.position.Key("printed").Fail("want a count such as 13 of 16")
	}
	if total > 0 && c.Need > total {
		c.position.Key("need").Fail("%d exceeds the %d cells in the key `printed`; lower it", c.Need, total)
	}
	if c.By > 0 && c.Statistic != Lower {
		c.position.Key("by").Fail("only the statistic `lower` uses the key `by`")
	}
}

// stated returns the numbers in Printed, such as 13 and 16 for "13 of 16", or zeros if Printed is
// empty.
func (c *Claim) stated() (count, total int) {
	fmt.Sscanf(c.Printed, "%d of %d", &count, &total)
	return count, total
}

// criterion describes the statistic of a claim, such as "mean lower by 2 points or more".
func (c *Claim) criterion() string {
	text := inWords[c.Statistic]
	if c.By > 0 {
		text += fmt.Sprintf(" by %g points or more", c.By)
	}
	if c.Along != "" {
		text += " of " + c.Along
	}
	if c.Pool {
		text += " over all cells together"
	}
	if c.Closest {
		text = "none stated; closest: " + text
	}
	return text
}
