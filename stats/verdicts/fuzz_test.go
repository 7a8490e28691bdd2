package verdicts

import (
	"math"
	"strings"
	"testing"
)

// A published table is rejected with its name, or contains keys of equal length and finite means.
func FuzzReadPublished(f *testing.F) {
	f.Add("table,n,classifier,mean_error_pct,sd_error_pct\nt,200,slb,15.4,2.98\n")
	f.Add("n,classifier,mean_ber,sd_ber,min_ber,max_ber\n1,a,0.1,NA,0,0.3\n")
	f.Add("classifier,mean_accuracy\na,-0\n")
	f.Fuzz(func(t *testing.T, text string) {
		table, err := readPublished(strings.NewReader(text), "p.csv", nil)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "p.csv") {
				t.Fatalf("a mistake without its file: %v", err)
			}
			return
		}
		for _, r := range table.Rows {
			if len(r.Key) != len(table.Columns) || math.IsInf(r.Mean, 0) {
				t.Fatalf("%+v of %q", r, table.Columns)
			}
		}
	})
}
