package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/panels"
	"copse/report/view"
	"copse/stats/records"
	"copse/stats/verdicts"
)

// winPage draws a row for each rival of the champion: the share of cells in which the champion is significantly
// better, as Dorn (2018) does in her Figure 5.
func winPage(r *request, page view.Group) (drawn, error) {
	family := r.Compared(r.measure, r.columns)
	if err := r.checkChampion(family); err != nil {
		return drawn{}, err
	}
	groups, err := r.Groups(page.Cells, r.o.Panel)
	if err != nil {
		return drawn{}, err
	}
	var contents []rowPanel
	var families []view.Family
	for i := range groups {
		content, err := r.winPanel(&groups[i], family)
		if err != nil {
			return drawn{}, err
		}
		contents = append(contents, content)
		families = append(families, r.winFamilies(groups[i].Cells, family)...)
	}
	shares := panels.Scale{Hidden: true, Spans: []panels.Span{{Low: 0, High: 1}}}
	d := newRowChart(r, shares, contents)
	cells := view.Singles(page.Cells)
	about := facts{"Champion": r.Label(r.o.Champion), "Metric": r.measure.Name, "Tests": r.TestLabels(cells),
		"Replication": r.Replication(cells, r.measure, family), "Level": view.Number(r.Alpha),
		"Failed": r.FailedPairs(page.Cells, family)}
	return drawn{d.Picture(r.caption(&d.Page, about)), families}, nil
}

// checkChampion returns an error if the measure is not an error rate or the champion has no rivals.
func (r *request) checkChampion(family []string) error {
	switch {
	case !r.measure.IsRate:
		return view.Mistaken([]string{"metric"}, "", "wins need an error rate, not %s", r.measure.Name)
	case len(family) < 2:
		return view.Mistaken([]string{"family", "columns"}, "",
			"wins need a champion and a rival, two classifiers or more, there are %d", len(family))
	case !slices.Contains(family, r.o.Champion):
		return view.Mistaken([]string{"champion"}, r.o.Champion,
			"wins need champion, the classifier whose wins are counted, one of %s; got %q",
			strings.Join(family, ", "), r.o.Champion)
	}
	return nil
}

// winPanel returns the wins of the champion over each rival that it meets in some cell of a group.
func (r *request) winPanel(g *view.Group, family []string) (rowPanel, error) {
	rivals := slices.DeleteFunc(slices.Clone(family), func(id string) bool { return id == r.o.Champion })
	options := verdicts.WinOptions{Metric: r.measure.Metric, Alpha: r.Alpha, Paired: r.Paired}
	wins, err := verdicts.CountWins(r.OnEach(g.Cells), r.o.Champion, rivals, options)
	content := rowPanel{title: r.panelTitle(g), cells: g.Cells, dashed: math.NaN()}
	for _, w := range wins {
		if cells := comparedCells(&w); cells > 0 {
			content.rows = append(content.rows, r.winRow(w.Competitor, w.Won, cells))
		}
	}
	if len(content.rows) == 0 {
		content.title = strings.TrimPrefix(content.title+": no cell with results of both", ": ")
	}
	return content, err
}

// comparedCells returns the number of cells in which both classifiers have results.
func comparedCells(w *verdicts.Wins) int {
	n := 0
	for _, t := range w.Tests {
		if t.Pairs > 0 {
			n++
		}
	}
	return n
}

// winRow returns the row of a rival: a frame as wide as all cells, filled as far as the champion won.
func (r *request) winRow(rival string, won, cells int) row {
	const half = 5 // of the height
	count := fmt.Sprintf("%d of %d", won, cells)
	return row{id: rival, note: count, hover: []string{"cells won: " + count},
		draw: func(c draw.Canvas, x func(float64) vg.Length, y vg.Length) {
			share := float64(won) / float64(cells)
			canvas.FillBox(c, canvas.Fill(Colour(r.View, rival)), x(0), y-half, x(share), y+half)
			canvas.StrokeBox(c, canvas.DarkGrey, vg.Points(0.4), x(0), y-half, x(1), y+half)
		}}
}

// winFamilies returns the families of hypotheses of a panel, one for each rival: the champion against the
// rival in every cell in which both ran.
func (r *request) winFamilies(cells []records.Cell, family []string) (list []view.Family) {
	singles := view.Singles(cells)
	for _, id := range family {
		n := verdicts.Shared(cells, r.o.Champion, id)
		if id == r.o.Champion || n == 0 {
			continue
		}
		list = append(list, view.Family{
			Measure: r.measure.Name, Members: family, Each: "rival", Hypotheses: n,
			Level: fmt.Sprintf("family-wise level %s, Bonferroni", view.Number(r.Alpha)),
			Asked: fmt.Sprintf("A one-sided %s on paired %s asks in each cell whether %s has less loss than its rival.",
				r.TestLabels(singles), r.Units(singles), r.Label(r.o.Champion)),
		})
	}
	return list
}
