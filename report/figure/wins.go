package figure

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/view"
	"copse/stats/verdicts"
)

// winDrawing shows in how many cells one classifier is significantly better
// than each other, as Dorn (2018) does in her Figure 5.
type winDrawing struct {
	*view.View
	titles [][]string // in lines
	panels [][]verdicts.Wins
	taller vg.Length // for more than one line of a title
	rows   int
}

func winPage(v *view.View, o Options, m *view.Measure, columns []string, page view.Group) (canvas.Picture, error) {
	family := v.Compared(m, columns)
	var others []string
	for _, id := range family {
		if id != o.Champion {
			others = append(others, id)
		}
	}
	switch {
	case !m.IsRate:
		return canvas.Picture{}, view.Mistaken([]string{"metric"}, "", "wins need an error rate, not %s", m.Name)
	case len(family) < 2:
		return canvas.Picture{}, view.Mistaken([]string{"family", "columns"}, "", "wins are of a champion over rivals: they need two classifiers or more, there are %d", len(family))
	case len(others) == len(family):
		return canvas.Picture{}, view.Mistaken([]string{"champion"}, o.Champion, "wins need champion, the classifier whose wins are counted, one of %s; got %q", strings.Join(family, ", "), o.Champion)
	}
	groups, err := v.Groups(page.Cells, o.Panel)
	if err != nil {
		return canvas.Picture{}, err
	}
	d := winDrawing{View: v, rows: len(others)}
	for _, g := range groups {
		wins, err := verdicts.CountWins(g.Cells, o.Champion, others, verdicts.WinOptions{Metric: m.Metric, Alpha: v.Alpha, Paired: v.Paired})
		if err != nil {
			return canvas.Picture{}, err
		}
		wins = slices.DeleteFunc(wins, func(w verdicts.Wins) bool { return compared(&w) == 0 })
		title := v.InWords(g.Factors, g.Levels)
		if len(wins) == 0 {
			title = strings.TrimPrefix(title+": no cell with results of both", ": ")
		}
		lines := o.titleLines(title)
		d.titles, d.panels = append(d.titles, lines), append(d.panels, wins)
		d.taller = max(d.taller, titleLine*vg.Length(len(lines)-1))
	}
	cells := view.Singles(page.Cells)
	words := view.Caption(o.Caption, fmt.Sprintf("Share of cells in which %s has significantly less loss (%s) than each other classifier: one-sided %s on paired results (%s), family-wise level %s over the cells of one rival (Bonferroni).",
		v.Label(o.Champion), m.Name, v.TestLabels(cells), v.Replication(cells, m, family), view.Number(v.Alpha)), v.FailedPairs(page.Cells, family))
	height := (30 + d.taller + 16*vg.Length(d.rows)) * vg.Length(len(d.panels))
	return canvas.Picture{Caption: words, Height: height, Paint: d.paint}, nil
}

// compared is the number of cells in which both have results.
func compared(w *verdicts.Wins) int {
	n := 0
	for _, t := range w.Tests {
		if t.Pairs > 0 {
			n++
		}
	}
	return n
}

func (d *winDrawing) paint(c draw.Canvas) {
	for i, area := range canvas.Grid(c, len(d.panels), 1, 0) {
		d.panel(area, d.titles[i], d.panels[i])
	}
}

// panel draws one bar per rival, with the count beside it.
func (d *winDrawing) panel(c draw.Canvas, title []string, wins []verdicts.Wins) {
	name := canvas.Style(canvas.Face(canvas.TickSize))
	name.XAlign = draw.XRight
	count := name
	count.XAlign = draw.XLeft
	widest := vg.Length(0)
	for _, w := range wins {
		widest = max(widest, name.Width(d.Label(w.Competitor)))
	}
	writeLines(c, c.Min.X, title)
	left, right := c.Min.X+widest+6, c.Max.X-40
	y := c.Max.Y - 22 - d.taller
	for _, w := range wins {
		to := left + (right-left)*vg.Length(w.Won)/vg.Length(compared(&w))
		bar := []vg.Point{{X: left, Y: y - 5}, {X: to, Y: y - 5}, {X: to, Y: y + 5}, {X: left, Y: y + 5}}
		c.FillPolygon(canvas.Fill(colour(d.View, w.Competitor)), bar)
		frame := []vg.Point{{X: left, Y: y - 5}, {X: right, Y: y - 5}, {X: right, Y: y + 5}, {X: left, Y: y + 5}, {X: left, Y: y - 5}}
		c.StrokeLines(draw.LineStyle{Color: canvas.DarkGrey, Width: vg.Points(0.4)}, frame)
		canvas.FillMiddle(c, name, vg.Point{X: left - 4, Y: y}, d.Label(w.Competitor))
		canvas.FillMiddle(c, count, vg.Point{X: right + 4, Y: y}, fmt.Sprintf("%d of %d", w.Won, compared(&w)))
		y -= 16
	}
}
