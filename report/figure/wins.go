package figure

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/panels"
	"copse/report/view"
	"copse/stats/records"
	"copse/stats/verdicts"
)

// A winChart shows in how many cells one classifier is significantly better than each rival, as Dorn (2018) does in
// her Figure 5.
type winChart struct {
	*rowChart
	wins [][]verdicts.Wins // by panel and rival
}

func winPage(r *request, page view.Group) (drawn, error) {
	family := r.Compared(r.measure, r.columns)
	if err := r.checkChampion(family); err != nil {
		return drawn{}, err
	}
	groups, err := r.Groups(page.Cells, r.o.Panel)
	if err != nil {
		return drawn{}, err
	}
	d := winChart{rowChart: newRowChart(r, panels.Scale{Hidden: true, Spans: []panels.Span{{Low: 0, High: 1}}})}
	var families []view.Family
	for i := range groups {
		if err := d.addGroup(&groups[i], family); err != nil {
			return drawn{}, err
		}
		families = append(families, r.winFamilies(groups[i].Cells, family)...)
	}
	const countRoom, row = 44, 16
	d.Room.Right, d.row, d.told = countRoom, d.bar, d.winMark
	d.fit(row)
	cells := view.Singles(page.Cells)
	about := facts{"Champion": r.Label(r.o.Champion), "Metric": r.measure.Name, "Tests": r.TestLabels(cells),
		"Replication": r.Replication(cells, r.measure, family), "Level": view.Number(r.Alpha),
		"Failed": r.FailedPairs(page.Cells, family)}
	return drawn{d.Picture(r.caption(&d.Page, about)), families}, nil
}

// checkChampion refuses a measure that is no error rate, and a champion without rivals.
func (r *request) checkChampion(family []string) error {
	switch {
	case !r.measure.IsRate:
		return view.Mistaken([]string{"metric"}, "", "wins need an error rate, not %s", r.measure.Name)
	case len(family) < 2:
		return view.Mistaken([]string{"family", "columns"}, "",
			"wins are of a champion over rivals: they need two classifiers or more, there are %d", len(family))
	case !slices.Contains(family, r.o.Champion):
		return view.Mistaken([]string{"champion"}, r.o.Champion,
			"wins need champion, the classifier whose wins are counted, one of %s; got %q",
			strings.Join(family, ", "), r.o.Champion)
	}
	return nil
}

// addGroup adds a panel with the wins of the champion over each rival that it meets in some cell.
func (d *winChart) addGroup(g *view.Group, family []string) error {
	rivals := slices.DeleteFunc(slices.Clone(family), func(id string) bool { return id == d.o.Champion })
	options := verdicts.WinOptions{Metric: d.measure.Metric, Alpha: d.Alpha, Paired: d.Paired}
	wins, err := verdicts.CountWins(d.OnEach(g.Cells), d.o.Champion, rivals, options)
	if err != nil {
		return err
	}
	wins = slices.DeleteFunc(wins, func(w verdicts.Wins) bool { return compared(&w) == 0 })
	var ids []string
	for _, w := range wins {
		ids = append(ids, w.Competitor)
	}
	title := d.panelTitle(g)
	if len(wins) == 0 {
		title = strings.TrimPrefix(title+": no cell with results of both", ": ")
	}
	d.add(title, ids)
	d.wins = append(d.wins, wins)
	return nil
}

// compared returns the number of cells in which both classifiers have results.
func compared(w *verdicts.Wins) int {
	n := 0
	for _, t := range w.Tests {
		if t.Pairs > 0 {
			n++
		}
	}
	return n
}

// bar draws the share of cells won against rival k, with the count at its right.
func (d *winChart) bar(c draw.Canvas, p *plot.Plot, i, k int, y vg.Length) {
	const half = 5 // of the height
	w := &d.wins[i][k]
	share := float64(w.Won) / float64(compared(w))
	canvas.FillBox(c, canvas.Fill(Colour(d.View, w.Competitor)), c.Min.X, y-half, c.X(p.X.Norm(share)), y+half)
	canvas.StrokeBox(c, canvas.DarkGrey, vg.Points(0.4), c.Min.X, y-half, c.Max.X, y+half)
	count := fmt.Sprintf("%d of %d", w.Won, compared(w))
	canvas.FillMiddle(c, canvas.Text(canvas.TickSize), vg.Point{X: c.Max.X + 4, Y: y}, count)
}

// winMark returns the mark of row k of panel i.
func (d *winChart) winMark(i, k int) canvas.Mark {
	w := &d.wins[i][k]
	return d.mark(w.Competitor, d.Titles[i], nil, fmt.Sprintf("cells won: %d of %d", w.Won, compared(w)))
}

// winFamilies returns the hypotheses of a panel: for each rival one in every cell that both run in.
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
			Asked: fmt.Sprintf("Whether %s has less loss than its rival is asked in each cell by a one-sided %s on "+
				"paired %s.",
				r.Label(r.o.Champion), r.TestLabels(singles), r.Units(singles)),
		})
	}
	return list
}
