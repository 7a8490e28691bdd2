package cli

import (
	"bytes"
	"strings"
	"testing"
)

func TestExplain(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
		code int
	}{
		{[]string{"explain", "data.train.majority"}, "share of class 0", exitDone},
		{[]string{"explain", "report.figures[2].kind"}, "cd, wins", exitDone},
		{[]string{"explain", "classifiers.5nn.k"}, "default", exitDone},
		{[]string{"explain", "data.generator.forest"}, "cpd", exitDone},
		{[]string{"explain", "data.holdout"}, "with `csv` or `set`: share of the rows", exitDone},
		{[]string{"explain", "report.figures.width"}, "or a number in mm", exitDone},
		{[]string{"explain", "data.missing.mcar"}, "probability", exitDone},
		{[]string{"explain", "classifiers.tune"}, "parameters to tune within each training set", exitDone},
		{[]string{"explain", "classifiers[].by.folds"}, "number of folds of the cross-validation", exitDone},
		{[]string{"explain", "weights"}, "keys with this name exist elsewhere: classifiers.weights\n", exitUsage},
		{[]string{"explain", "data.test.csv"}, "official test set", exitDone},
		{[]string{"explain", "quantiles"}, "keys with this name exist elsewhere: classifiers.slb.quantiles", exitUsage},
		{[]string{"explain", "champion"}, "exist elsewhere: inference.champion, report.figures.champion", exitUsage},
		{[]string{"explain", "design.n"}, "design has no fixed keys; it is a mapping of factors", exitUsage},
		{[]string{"explain", "data.mising"}, `data has no key "mising"; did you mean "missing"?`, exitUsage},
	} {
		var out bytes.Buffer
		if code := Main(c.args, strings.NewReader(""), &out, &out); code != c.code || !strings.Contains(out.String(),
			c.want) {
			t.Errorf("%v: exit code %d\n%s\nwant %q", c.args, code, &out, c.want)
		}
	}
}
