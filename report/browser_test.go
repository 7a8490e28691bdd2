package report

import (
	"bytes"
	"cmp"
	"context"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"copse/internal/filetest"
	"copse/report/figure"
	"copse/report/internal/fixture"
	"copse/stats/records"
	"copse/stats/records/recordstest"
)

// browser returns Chromium, or skips.
func browser(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED in short runs: starts a browser")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("SKIPPED: no browser. Install Debian's chromium to test report.html in one")
	return ""
}

// probe returns the end of a head with a script of testdata, which writes its observations into the title.
func probe(t *testing.T, name string) string {
	t.Helper()
	script := filetest.Read(t, filepath.Join("testdata", name+".js"))
	return "<script>" + script + "</script></head>"
}

// runBrowser opens a page of the given width and returns its title and the messages on the console.
func runBrowser(t *testing.T, chromium, file, size string) (title, console string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
		"--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--enable-logging=stderr", "--log-level=0",
		"--user-data-dir="+t.TempDir(), "--window-size="+size,
		"--virtual-time-budget=20000", "--dump-dom", "file://"+file)
	var out, log bytes.Buffer
	command.Stdout, command.Stderr = &out, &log
	if err := command.Run(); err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	for _, line := range strings.Split(log.String(), "\n") {
		if strings.Contains(line, "CONSOLE") {
			console += line + "\n"
		}
	}
	_, title, _ = strings.Cut(out.String(), "PROBE ")
	title, _, found := strings.Cut(title, " END")
	if !found {
		t.Fatalf("the probe did not run; console: %s", console)
	}
	return title, console
}

// The page works in a real browser without messages on the console. Tables can be sorted, returned to their
// order and filtered, and columns can be hidden. A measure can be chosen, drawings are visible, and only
// tables scroll sideways. If there is little room, the heads of a row are joined.
func TestPageInBrowser(t *testing.T) {
	chromium := browser(t)
	study, _ := fixture.Sample(1)
	dir, text := writePage(t, study, nil)
	file := filepath.Join(dir, "probed.html")
	filetest.Write(t, file, strings.Replace(text, "</head>", probe(t, "tables"), 1))
	title, console := runBrowser(t, chromium, file, "1400,900")
	if console != "" {
		t.Errorf("console: %s", console)
	}
	seen := strings.Split(title, ";")
	if len(seen) != 15 {
		t.Fatalf("the probe saw %q", seen)
	}
	printed := strings.Split(seen[0], ",")
	if got, want := seen[1], "ascending "+strings.Join(sorted(printed, 1), ","); got != want {
		t.Errorf("first click: %s, want %s", got, want)
	}
	if got, want := seen[2], "descending "+strings.Join(sorted(printed, -1), ","); got != want {
		t.Errorf("second click: %s, want %s", got, want)
	}
	if got, want := seen[3], "none "+seen[0]; got != want {
		t.Errorf("third click: %s, want %s", got, want)
	}
	want := []string{"drawn 4", "cut off 0", "filtered 1 2", "hidden 7 of 6", "test error|-", "-|balanced test error",
		"head sticky", "heads gaussian, n = 200", "heads n = 200", "heads gaussian|200", "scrolls false"}
	if !slices.Equal(seen[4:], want) {
		t.Errorf("%q, want %q", seen[4:], want)
	}
	if title, _ = runBrowser(t, chromium, file, "500,900"); !strings.HasSuffix(title, "scrolls false") {
		t.Errorf("on a small screen: %s", title)
	}
}

// hearProbe writes the findings of a probe into the title of the window.
const hearProbe = `<script>window.addEventListener("message", function (e) { document.title = e.data; });</script>`

// At three widths, figures react to pointer and keyboard, and nothing extends beyond the page.
func TestFiguresInBrowser(t *testing.T) {
	chromium := browser(t)
	study, _ := fixture.Sample(1)
	dir, text := writePage(t, study, nil)
	text = strings.Replace(text, "</head>", hearProbe+probe(t, "figures"), 1)
	narrow := "<html><head>" + hearProbe + `</head>` +
		`<iframe style="width: 400px; height: 900px; border: 0" srcdoc="` + html.EscapeString(text) + `"></iframe>`
	const want = "hidden everywhere true false, dimmed 0.15 before and 1 after;shown again true;alone true;" +
		"tip SLB|n = 200|mean test error (%): 13.81 true;lit 0.15;replicates true 12 true;" +
		"of a table true SLB, gaussian, n = 200: 12 replicates;" +
		"by keyboard true 5-NN, gaussian, n = 400: 12 replicates;svg 0 true;csv true true 6 false;scrolls false;" +
		"beyond the window 0 of "
	for name, c := range map[string]struct{ page, size, width string }{ // windows have 500 pixels at least
		"wide": {text, "1400,900", "1400"}, "middle": {text, "1000,900", "1000"}, "narrow": {narrow, "500,1000", "400"},
	} {
		file := filepath.Join(dir, name+".html")
		filetest.Write(t, file, c.page)
		if title, console := runBrowser(t, chromium, file, c.size); title != want+c.width || console != "" {
			t.Errorf("%s: %s, want %s\n%s", name, title, want+c.width, console)
		}
	}
}

// A figure with one classifier reacts like any other. The saved file of a figure of tuned values contains the values.
// The ends of an interval are two columns, and curves of many points have no such file. The list of replicates
// distinguishes failed fits from undefined metrics.
func TestOneClassifierInBrowser(t *testing.T) {
	chromium := browser(t)
	study, rows := fixture.Sample(2)
	rows.Metrics = []string{"auc"} // undefined in all results
	for r := range recordstest.Each(rows) {
		if r.Classifier == "slb" {
			r.Tuned = "k=9 | error=0.1 candidates=4 failed=0"
		}
	}
	fixture.Fail(rows, "c00", "slb", 2, "no")
	layout := DefaultLayout()
	for _, kind := range []string{"tuned", "roc", "box", "reliability"} {
		o := figure.Defaults()
		o.Name, o.Kind, o.Columns = kind, kind, []string{"slb"}
		if kind == "box" {
			o.Where = records.Condition{"cpd": {"complex"}} // the failed fit is in another cell
		}
		layout.Figures = append(layout.Figures, o)
	}
	dir := t.TempDir()
	if _, err := write(dir, study, rows, layout); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "report.html")
	text := filetest.Read(t, file)
	probed := strings.Replace(text, "</head>", probe(t, "single"), 1)
	filetest.Write(t, file, probed)
	title, console := runBrowser(t, chromium, file, "1400,900")
	want := "tip 9|% of fits: 100;csv classifier,panel,value,% of fits|SLB,\"SLB: k, gaussian, n = 200\",9,100;" +
		"intervals quartiles (low),quartiles (high) true;bins classifier,panel,mean predicted probability," +
		"observed frequency,band (low),band (high),test rows true;of curves SVG PNG;" +
		"replicates failed,failed|number,undefined"
	if title != want || console != "" {
		t.Errorf("%s, want %s\n%s", title, want, console)
	}
}

// axe-core finds no accessibility problem in the report and the index.
func TestPagesAreAccessible(t *testing.T) {
	const source = "../docs/node_modules/axe-core/axe.min.js"
	axe, err := os.ReadFile(source)
	if err != nil {
		t.Skip("SKIPPED: no " + source + ". npm --prefix docs ci installs axe-core")
	}
	chromium := browser(t)
	study, rows := fixture.Sample(12)
	dir, text := writePage(t, study, nil)
	entry := Summarize(study, rows, DefaultLayout(), nil)
	script := "<script>" + string(axe) + "</script>" + probe(t, "axe")
	for name, text := range map[string]string{"report": text, "index": indexOf(t, entry)} {
		file := filepath.Join(dir, name+"-axe.html")
		filetest.Write(t, file, strings.Replace(text, "</head>", script, 1))
		for _, size := range []string{"1400,900", "500,900"} {
			if title, console := runBrowser(t, chromium, file, size); title != "" || console != "" {
				t.Errorf("%s, %s: %s\n%s", name, size, title, console)
			}
		}
	}
}

// If the page is printed from a large window, tables fit the paper. A wide table is divided into parts with
// the heads of the rows, where every value occurs once and no interval is broken. After printing, the page is
// as before.
func TestPrintedFromLargeWindow(t *testing.T) {
	chromium := browser(t)
	study, _ := fixture.Sample(1)
	dir, text := writePage(t, study, nil)
	wide := regexp.MustCompile(`<th scope="col">[^<]{2,}</th>|<td.*?</td>`).ReplaceAllStringFunc(text,
		func(cell string) string { return strings.Repeat(cell, 6) })
	file := filepath.Join(dir, "wide.html")
	filetest.Write(t, file, strings.Replace(wide, "</head>", probe(t, "print"), 1))
	title, _ := runBrowser(t, chromium, file, "1900,1000")
	want := "beside the text 0;too wide 0;parts true;same values true;" +
		"heads true;aligned true;broken 0 of true;restored true"
	if title != want {
		t.Errorf("%s, want %s", title, want)
	}
}

// A table on several printed pages has its heads on each of them.
func TestPrintedHeads(t *testing.T) {
	chromium := browser(t)
	reader, err := exec.LookPath("pdftotext")
	if err != nil {
		t.Skip("SKIPPED: pdftotext (Debian's poppler-utils) is not installed")
	}
	study, _ := fixture.Sample(1)
	dir, text := writePage(t, study, nil)
	before, rest, _ := strings.Cut(text, "<tbody>")
	rows, after, _ := strings.Cut(rest, "</tbody>")
	file := filepath.Join(dir, "long.html")
	filetest.Write(t, file, before+"<tbody>"+strings.Repeat(rows, 20)+"</tbody>"+after)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
		"--no-first-run",
		"--disable-background-networking", "--disable-component-update",
		"--disable-sync", "--user-data-dir="+t.TempDir(),
		"--print-to-pdf="+filepath.Join(dir, "long.pdf"), "file://"+file)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(reader, "-f", "3", "-l", "4", "-layout", filepath.Join(dir, "long.pdf"), "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`(?m)^ *gaussian +200 `) // of the table
	if !row.Match(out) {
		t.Fatalf("no row of the table on these pages:\n%s", out)
	}
	for i, page := range strings.Split(strings.TrimSuffix(string(out), "\f"), "\f") {
		heads, body := strings.Index(page, "densities"), row.FindStringIndex(page)
		if body != nil && (heads < 0 || heads > body[0]) {
			t.Errorf("page %d continues without the heads of its table:\n%s", i+3, page[:min(len(page), 400)])
		}
	}
}

// sorted returns numbers written in decimal, ascending or descending.
func sorted(numbers []string, sign float64) []string {
	list := slices.Clone(numbers)
	slices.SortStableFunc(list, func(a, b string) int {
		x, _ := strconv.ParseFloat(a, 64)
		y, _ := strconv.ParseFloat(b, 64)
		return cmp.Compare(sign*x, sign*y)
	})
	return list
}
