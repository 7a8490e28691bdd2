package report

import (
	"fmt"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/stats/verdicts"
)

// winDrawing shows in how many cells one classifier is significantly better
// than each other, as Dorn (2018) does in her Figure 5.
type winDrawing struct {
	*source
	titles []string
	panels [][]verdicts.Wins
	rows   int
}

func (s *source) winPage(o Figure, m *measure, columns []string, page group) (picture, error) {
	family := s.family(columns)
	var others []string
	for _, id := range family {
		if id != o.Champion {
			others = append(others, id)
		}
	}
	if len(others) != len(family)-1 || len(others) == 0 || !m.perRate {
		return picture{}, fmt.Errorf("wins need an error rate, a champion of the family and a rival; champion %q, family %s", o.Champion, strings.Join(family, ", "))
	}
	groups, err := s.groups(page.cells, o.Panel)
	if err != nil {
		return picture{}, err
	}
	d := winDrawing{source: s, rows: len(others)}
	for _, g := range groups {
		wins, err := verdicts.CountWins(g.cells, o.Champion, others, verdicts.WinOptions{Metric: m.rate, Alpha: s.Alpha, Exact: s.Exact})
		if err != nil {
			return picture{}, err
		}
		d.titles = append(d.titles, s.describe(g.factors, g.levels))
		d.panels = append(d.panels, wins)
	}
	words := caption(o.Caption, fmt.Sprintf("Share of cells in which %s errs significantly less than each other classifier: one-sided Wilcoxon signed-rank tests on paired %s, family-wise level %s over the cells of one rival (Bonferroni).",
		s.label(o.Champion), s.units(), number(s.Alpha)), "")
	height := (30 + 16*vg.Length(d.rows)) * vg.Length(len(d.panels))
	return picture{Caption: words, Width: mm(o.Width), Height: height, paint: d.paint}, nil
}

func (d *winDrawing) paint(c draw.Canvas) {
	for i, area := range grid(c, len(d.panels), 1, 0) {
		d.panel(area, d.titles[i], d.panels[i])
	}
}

// panel draws one bar per rival, with the count beside it.
func (d *winDrawing) panel(c draw.Canvas, title string, wins []verdicts.Wins) {
	name := style(face(tickSize))
	name.XAlign = draw.XRight
	count := name
	count.XAlign = draw.XLeft
	widest := vg.Length(0)
	for _, w := range wins {
		widest = max(widest, name.Width(d.label(w.Competitor)))
	}
	c.FillText(style(face(panelSize)), vg.Point{X: c.Min.X, Y: c.Max.Y - vg.Points(panelSize)}, title)
	left, right := c.Min.X+widest+6, c.Max.X-40
	y := c.Max.Y - 22
	for _, w := range wins {
		to := left + (right-left)*vg.Length(w.Proportion)
		bar := []vg.Point{{X: left, Y: y - 5}, {X: to, Y: y - 5}, {X: to, Y: y + 5}, {X: left, Y: y + 5}}
		c.FillPolygon(tint(colour(d.source, w.Competitor), 0.75), bar)
		frame := []vg.Point{{X: left, Y: y - 5}, {X: right, Y: y - 5}, {X: right, Y: y + 5}, {X: left, Y: y + 5}, {X: left, Y: y - 5}}
		c.StrokeLines(draw.LineStyle{Color: darkGrey, Width: vg.Points(0.4)}, frame)
		fillMiddle(c, name, vg.Point{X: left - 4, Y: y}, d.label(w.Competitor))
		fillMiddle(c, count, vg.Point{X: right + 4, Y: y}, fmt.Sprintf("%d of %d", w.Won, len(w.Tests)))
		y -= 16
	}
}
