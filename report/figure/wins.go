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

// winPage draws a panel for each group of cells, with a row for each rival of the champion. A row
// shows the proportion of cells in which the champion is significantly better, as in Figure 5 of Dorn
// (2018).
func winPage(r *request, page view.Group, groups []view.Group) (drawn, error) {
	family := r.Compared(r.measure, r.columns)
	if err := r.checkChampion(family); err != nil {
		return drawn{}, err
	}
	options := verdicts.WinOptions{Metric: r.measure.Metric, Alpha: r.Alpha, Paired: r.Paired}
	rivals := without(family, r.o.Champion)
	var contents []rowPanel
	var families []view.Family
	for i := range groups {
		wins, err := verdicts.CountWins(r.OnEach(groups[i].Cells), r.o.Champion, rivals, options)
		if err != nil {
			return drawn{}, err
		}
		contents = append(contents, r.winPanel(&groups[i], wins))
		families = append(families, r.winFamilies(groups[i].Cells, family)...)
	}
	shares := panels.Scale{Hidden: true, Spans: []panels.Span{{Low: 0, High: 1}}}
	d := newRowChart(r, shares, contents)
	cells := view.Singles(page.Cells)
	caption := r.caption(&d.Page, facts{"Champion": r.Label(r.o.Champion), "Metric": r.measure.Name,
		"Tests": r.TestLabels(cells), "Replication": r.Replication(cells, r.measure, family),
		"Level": view.Number(r.Alpha), "Failed": r.FailedPairs(page.Cells, family)})
	return drawn{d.Picture(caption), families}, nil
}

func (r *request) checkChampion(family []string) error {
	switch {
	case !r.measure.IsRate:
		return view.Mistaken([]string{"metric"}, "",
			"wins need a metric that the records contain, not %s", r.measure.Name)
	case len(family) < 2:
		return view.Mistaken([]string{"family", "columns"}, "",
			"wins need at least two classifiers, a champion and a rival; the figure has %d", len(family))
	case !slices.Contains(family, r.o.Champion):
		return view.Mistaken([]string{"champion"}, r.o.Champion,
			"the champion is %q; set it to the classifier whose wins the figure counts, one of %s",
			r.o.Champion, strings.Join(family, ", "))
	}
	return nil
}

// winPanel returns the panel for a group of cells. It omits rivals that have no results in the same
// cell as the champion.
func (r *request) winPanel(g *view.Group, wins []verdicts.Wins) rowPanel {
	content := rowPanel{title: r.panelTitle(g), cells: g.Cells, dashed: math.NaN()}
	for _, w := range wins {
		if cells := comparedCells(&w); cells > 0 {
			content.rows = append(content.rows, r.winRow(w.Competitor, w.Won, cells))
		}
	}
	if len(content.rows) == 0 {
		content.title = strings.TrimPrefix(content.title+": no cell has results of the champion and a rival", ": ")
	}
	return content
}

func comparedCells(w *verdicts.Wins) int {
	n := 0
	for _, t := range w.Tests {
		if t.Pairs > 0 {
			n++
		}
	}
	return n
}

// winRow returns the row of a rival. A rectangle represents all cells; the filled part is the
// proportion that the champion won.
func (r *request) winRow(rival string, won, cells int) row {
	const halfHeight = 5 // points
	count := fmt.Sprintf("%d of %d", won, cells)
	return row{id: rival, note: count, hover: []string{"cells won: " + count},
		draw: func(c draw.Canvas, x func(float64) vg.Length, y vg.Length) {
			share := float64(won) / float64(cells)
			canvas.FillBox(c, canvas.Fill(Colour(r.View, rival)), x(0), y-halfHeight, x(share), y+halfHeight)
			canvas.StrokeBox(c, canvas.DarkGrey, vg.Points(0.4), x(0), y-halfHeight, x(1), y+halfHeight)
		}}
}

// winFamilies returns the families of hypotheses that a panel tests, one for each rival. Each
// hypothesis compares the champion with the rival in a cell where both have results.
func (r *request) winFamilies(cells []records.Cell, family []string) (list []view.Family) {
	singles := view.Singles(cells)
	for _, rival := range without(family, r.o.Champion) {
		n := verdicts.Shared(cells, r.o.Champion, rival)
		if n == 0 {
			continue
		}
		list = append(list, view.Family{
			Measure: r.measure.Name, Members: family, Each: "rival", Hypotheses: n,
			Level: fmt.Sprintf("family-wise level %s, Bonferroni", view.Number(r.Alpha)),
			Asked: fmt.Sprintf("A one-sided %s on paired %s tests in each cell whether %s has a smaller loss than the "+
				"rival.", r.TestLabels(singles), r.Units(singles), r.Label(r.o.Champion)),
		})
	}
	return list
}
