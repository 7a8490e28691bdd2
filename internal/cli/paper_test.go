package cli

import (
	"strings"
	"testing"

	"copse/internal/filetest"
)

// A claim about a classifier that its study lacks is reported before any study runs.
func TestPaperChecksClaimsFirst(t *testing.T) {
	t.Chdir(t.TempDir())
	const paper = "papers: [{name: p, source: s, studies: [small], claims: [{section: s, claim: c, study: small, " +
		"classifier: [ldb], rivals: [5nn], statistic: lower}]}]\n"
	for file, text := range map[string]string{claimsFile: paper, "configs/small.yaml": smallStudy} {
		filetest.Write(t, file, text)
	}
	code, out, errOut := copse("paper")
	if code != exitUsage || !strings.Contains(errOut, `"ldb"; did you mean "lda"?`) || exists("results/small") {
		t.Errorf("exit %d\n%s%s", code, out, errOut)
	}
}
