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

	"copse/report/internal/fixture"
)

// browser returns Chromium, or skips.
func browser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("SKIPPED: no browser. Install Debian's chromium to test report.html in one")
	return ""
}

// probe is put into a copy of the page. It clicks the head of the third column
// of the first table three times and writes what it saw into the title.
const probe = `<script>
const seen = [];
window.addEventListener("error", function (e) { seen.push("ERROR " + e.message); });
window.addEventListener("load", function () {
  const table = document.querySelector("table.sortable");
  const head = table.tHead.rows[0].cells[2];
  const column = function () { return Array.from(table.tBodies[0].rows).map(function (r) { return r.cells[2].dataset.value; }).join(","); };
  seen.push(column());
  for (let i = 0; i < 3; i++) {
    head.querySelector("button").click();
    seen.push((head.getAttribute("aria-sort") || "none") + " " + column());
  }
  const drawings = Array.from(document.querySelectorAll("svg"));
  seen.push("drawn " + drawings.filter(function (d) { return d.getBoundingClientRect().width > 200 && d.querySelectorAll("path").length > 3; }).length);
  const wide = Array.from(document.querySelectorAll(".scroll")).filter(function (s) { return s.clientWidth > 0 && s.scrollWidth > s.clientWidth + 1; });
  seen.push("cut off " + wide.length);
  const visible = function () { return Array.from(table.tBodies[0].rows).filter(function (r) { return !r.hidden; }).length; };
  const tools = table.closest("figure").querySelector(".tools");
  const filter = tools.querySelector("input[type=search]");
  filter.value = "complex 1000";
  filter.dispatchEvent(new Event("input"));
  seen.push("filtered " + visible());
  filter.value = "";
  filter.dispatchEvent(new Event("input"));
  const boxes = tools.querySelectorAll("input[type=checkbox]");
  boxes[2].click();
  seen.push("hidden " + Array.from(table.rows).filter(function (r) { return r.cells.length > 4 && r.cells[2].hidden && !r.cells[3].hidden; }).length + " of " + boxes.length);
  boxes[2].click();
  const choice = document.querySelector(".measure select");
  const shown = function () { return Array.from(document.querySelectorAll(".variant")).map(function (v) { return v.hidden ? "-" : v.dataset.measure; }).join("|"); };
  seen.push(shown());
  choice.value = "1";
  choice.dispatchEvent(new Event("change"));
  seen.push(shown());
  seen.push("head " + getComputedStyle(table.tHead.rows[0].cells[0]).position);
  const place = table.closest(".scroll"), first = table.tBodies[0].rows[0];
  const heads = function () { return Array.from(first.querySelectorAll("th")).filter(function (h) { return h.offsetWidth > 0; }).map(function (h) { return h.innerText; }).join("|"); };
  choice.value = "0";
  choice.dispatchEvent(new Event("change"));
  place.style.width = "150px";
  window.dispatchEvent(new Event("resize"));
  seen.push("heads " + heads());
  place.style.width = "";
  window.dispatchEvent(new Event("resize"));
  seen.push("heads " + heads());
  seen.push("scrolls " + (document.documentElement.scrollWidth > document.documentElement.clientWidth));
  document.title = "PROBE " + seen.join(";") + " END";
});
</script></head>`

// runBrowser opens a page of the given width and returns its title and what
// the console said.
func runBrowser(t *testing.T, chromium, file, size string) (title, console string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--enable-logging=stderr", "--log-level=0",
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

// The page in a real browser: no message on the console, tables sort and return
// to their order, are filtered and shown without a column, a measure is chosen, drawings
// are there, nothing but tables scrolls sideways; where there is no room the heads of a
// row are one, in words.
func TestPageInBrowser(t *testing.T) {
	chromium := browser(t)
	study, _ := fixture.Sample(1)
	dir, text := writePage(t, study, nil)
	file := filepath.Join(dir, "probed.html")
	if err := os.WriteFile(file, []byte(strings.Replace(text, "</head>", probe, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	title, console := runBrowser(t, chromium, file, "1400,900")
	if console != "" {
		t.Errorf("console: %s", console)
	}
	seen := strings.Split(title, ";")
	if len(seen) != 14 {
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
	want := []string{"drawn 4", "cut off 0", "filtered 1", "hidden 7 of 6", "test error|-", "-|balanced test error", "head sticky", "heads gaussian, n = 200", "heads gaussian|200", "scrolls false"}
	if !slices.Equal(seen[4:], want) {
		t.Errorf("%q, want %q", seen[4:], want)
	}
	if title, _ = runBrowser(t, chromium, file, "500,900"); !strings.HasSuffix(title, "scrolls false") {
		t.Errorf("on a small screen: %s", title)
	}
}

// figureProbe hides and isolates classifiers, walks through the marks of a figure by keyboard,
// opens replicates and reads what would be saved.
const figureProbe = `<script>
const seen = [], saved = [];
window.addEventListener("error", function (e) { seen.push("ERROR " + e.message); });
URL.createObjectURL = function (blob) { saved.push(blob); return "#"; };
URL.revokeObjectURL = function () {};
window.addEventListener("load", async function () {
  const drawings = Array.from(document.querySelectorAll(".drawing")), first = drawings[0];
  const visible = function (id) {
    return drawings.filter(function (d) { return Array.from(d.querySelectorAll('g[data-series="' + id + '"]')).some(function (g) { return getComputedStyle(g).display !== "none"; }); }).length;
  };
  const button = function (id) { return document.querySelector('.legend button[data-id="' + id + '"]'); };
  const key = function (name) { first.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true })); };
  const before = visible("nb");
  button("nb").click();
  seen.push("hidden everywhere " + (before > 1 && visible("nb") === 0 && visible("slb") > 1) + " " + button("nb").getAttribute("aria-pressed"));
  document.querySelector(".legend .all").click();
  seen.push("shown again " + (visible("nb") === before));
  button("slb").dispatchEvent(new MouseEvent("click", { shiftKey: true }));
  seen.push("alone " + (visible("slb") > 0 && visible("nb") + visible("5nn") === 0));
  document.querySelector(".legend .all").click();
  key("ArrowRight");
  const tip = document.querySelector(".tip");
  seen.push("tip " + tip.innerText.split("\n").slice(0, 3).join("|") + " " + (first.querySelector("title") === null || first.querySelectorAll("g > title").length === 0));
  seen.push("lit " + getComputedStyle(first.querySelector('g[data-series="nb"]')).opacity);
  key("Enter");
  const dialog = document.querySelector("dialog");
  seen.push("replicates " + dialog.open + " " + dialog.querySelectorAll("tbody tr").length + " " + /copse repro results\/sample c\d\d\/\d+\/slb/.test(dialog.innerText));
  dialog.close();
  const cell = document.querySelector("#results tr[data-cells] td");
  cell.click();
  seen.push("of a table " + dialog.open + " " + dialog.querySelector("h2").innerText);
  dialog.close();
  button("nb").click();
  const savers = Array.from(first.closest("figure").querySelectorAll(".save button"));
  savers.filter(function (b) { return b.textContent !== "PNG"; }).forEach(function (b) { b.click(); });
  const texts = await Promise.all(saved.map(function (b) { return b.text(); }));
  const lines = texts[1].trim().split("\n");
  seen.push("svg " + (new DOMParser().parseFromString(texts[0], "image/svg+xml").querySelectorAll('[data-series="nb"]').length) + " " + texts[0].includes('data-series="slb"'));
  seen.push("csv " + lines[0].startsWith("# Figure 1") + " " + lines[1].startsWith("classifier,panel,mean test error (%)") + " " + (lines.length - 2) + " " + lines.slice(2).some(function (l) { return l.startsWith("NB"); }));
  seen.push("scrolls " + (document.documentElement.scrollWidth > document.documentElement.clientWidth));
  const boxes = Array.from(document.querySelectorAll("h1, h2, p, figcaption, .drawing, .legend button, table")).filter(function (e) { return e.offsetWidth > 0 && !e.closest(".scroll, dialog"); }).map(function (e) { return e.getBoundingClientRect(); });
  seen.push("beyond the window " + boxes.filter(function (b) { return b.left < -1 || b.right > window.innerWidth + 1; }).length + " of " + window.innerWidth);
  top.postMessage("PROBE " + seen.join(";") + " END", "*");
});
</script></head>`

// hearProbe makes what a probe found the title of the window.
const hearProbe = `<script>window.addEventListener("message", function (e) { document.title = e.data; });</script>`

// Figures answer to pointer and keyboard, and nothing leaves the page, at three widths.
func TestFiguresInBrowser(t *testing.T) {
	chromium := browser(t)
	study, _ := fixture.Sample(1)
	dir, text := writePage(t, study, nil)
	text = strings.Replace(text, "</head>", hearProbe+figureProbe, 1)
	narrow := "<html><head>" + hearProbe + `</head><iframe style="width: 400px; height: 900px; border: 0" srcdoc="` + html.EscapeString(text) + `"></iframe>`
	const want = "hidden everywhere true false;shown again true;alone true;" +
		"tip SLB|n = 200|mean test error (%): 13.81 true;lit 0.15;replicates true 12 true;" +
		"of a table true SLB, gaussian, n = 200: 12 replicates;svg 0 true;csv true true 6 false;scrolls false;" +
		"beyond the window 0 of "
	for name, c := range map[string]struct{ page, size, width string }{ // windows have 500 pixels at least
		"wide": {text, "1400,900", "1400"}, "middle": {text, "1000,900", "1000"}, "narrow": {narrow, "500,1000", "400"},
	} {
		file := filepath.Join(dir, name+".html")
		if err := os.WriteFile(file, []byte(c.page), 0o666); err != nil {
			t.Fatal(err)
		}
		if title, console := runBrowser(t, chromium, file, c.size); title != want+c.width || console != "" {
			t.Errorf("%s: %s, want %s\n%s", name, title, want+c.width, console)
		}
	}
}

// axeProbe runs axe-core on the page, all of it unfolded.
const axeProbe = `<script>
window.addEventListener("load", async function () {
  document.querySelectorAll("details").forEach(function (d) { d.open = true; });
  const found = await axe.run(document, { resultTypes: ["violations"] });
  document.title = "PROBE " + found.violations.map(function (v) { return v.id + " " + v.nodes.length + " " + v.nodes[0].html.slice(0, 120); }).join(";") + " END";
});
</script></head>`

// axe-core finds nothing that keeps readers with disabilities from the page.
func TestPageIsAccessible(t *testing.T) {
	const script = "../docs/node_modules/axe-core/axe.min.js"
	axe, err := os.ReadFile(script)
	if err != nil {
		t.Skip("SKIPPED: no " + script + ". npm --prefix docs ci installs axe-core")
	}
	chromium := browser(t)
	study, _ := fixture.Sample(1)
	dir, text := writePage(t, study, nil)
	file := filepath.Join(dir, "axe.html")
	probe := "<script>" + string(axe) + "</script>" + axeProbe
	if err := os.WriteFile(file, []byte(strings.Replace(text, "</head>", probe, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, size := range []string{"1400,900", "500,900"} {
		if title, console := runBrowser(t, chromium, file, size); title != "" || console != "" {
			t.Errorf("%s: %s\n%s", size, title, console)
		}
	}
}

// printProbe tells the browser of a large window that it prints, and that it has.
const printProbe = `<script>
window.addEventListener("error", function (e) { document.title = "PROBE ERROR " + e.message + " END"; });
window.addEventListener("load", function () {
  const seen = [];
  const variant = document.querySelector(".variant"), own = Array.from(variant.querySelectorAll(".scroll > table"));
  const before = own.map(function (t) { return t.className; }).join("|");
  window.dispatchEvent(new Event("beforeprint"));
  const list = Array.from(variant.querySelectorAll("table")).filter(function (t) { return t.offsetWidth > 0; });
  seen.push("too wide " + list.filter(function (t) { return t.offsetWidth > 182 / 25.4 * 96 + 1; }).length);
  seen.push("parts " + (list.length > own.length));
  const shown = function (t, row) { return Array.from(row.cells).filter(function (c) { return c.offsetWidth > 0; }); };
  const values = list.filter(function (t) { return t.closest("details") === null; }).flatMap(function (t) {
    return shown(t, t.tBodies[0].rows[0]).filter(function (c) { return c.nodeName === "TD"; }).map(function (c) { return c.dataset.value; });
  });
  seen.push("same values " + (values.join() === Array.from(own[0].tBodies[0].rows[0].querySelectorAll("td")).map(function (c) { return c.dataset.value; }).join()));
  seen.push("heads " + list.every(function (t) { return t.tBodies[0].rows[0].querySelector("th").offsetWidth > 0; }));
  seen.push("aligned " + list.every(function (t) {
    const head = shown(t, t.tHead.rows[0]), ends = function (row) { return Math.round(shown(t, row).at(-1).getBoundingClientRect().right); };
    return Array.from(t.rows).every(function (row) { return Math.abs(ends(row) - ends(t.tHead.rows[0])) <= 1; });
  }));
  seen.push("broken " + list.flatMap(function (t) { return Array.from(t.querySelectorAll(".line")); }).filter(function (l) {
    return l.textContent.startsWith("[") && l.offsetHeight > 1.5 * parseFloat(getComputedStyle(l).lineHeight);
  }).length + " of " + (variant.querySelectorAll(".line").length > 0));
  window.dispatchEvent(new Event("afterprint"));
  seen.push("restored " + (document.querySelector(".part") === null && before === own.map(function (t) { return t.className; }).join("|")));
  document.title = "PROBE " + seen.join(";") + " END";
});
</script></head>`

// Printed from a large window, tables fit the paper: a wide one is divided, each part
// with the heads of the rows, every value once and no interval broken over lines. Then
// the page is as it was.
func TestPrintedFromLargeWindow(t *testing.T) {
	chromium := browser(t)
	study, _ := fixture.Sample(1)
	dir, text := writePage(t, study, nil)
	wide := regexp.MustCompile(`<th scope="col">[^<]{2,}</th>|<td.*?</td>`).ReplaceAllStringFunc(text, func(cell string) string { return strings.Repeat(cell, 6) })
	file := filepath.Join(dir, "wide.html")
	if err := os.WriteFile(file, []byte(strings.Replace(wide, "</head>", printProbe, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	title, _ := runBrowser(t, chromium, file, "1900,1000")
	want := "too wide 0;parts true;same values true;heads true;aligned true;broken 0 of true;restored true"
	if title != want {
		t.Errorf("%s, want %s", title, want)
	}
}

// A table that runs over printed pages has its heads on each of them.
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
	if err := os.WriteFile(file, []byte(before+"<tbody>"+strings.Repeat(rows, 20)+"</tbody>"+after), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir="+t.TempDir(),
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
			t.Errorf("page %d goes on without the heads of its table:\n%s", i+3, page[:min(len(page), 400)])
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
