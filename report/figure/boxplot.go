package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"copse/report/canvas"
	"copse/report/view"
	"copse/stats"
)

// fewest is the least number of results that a box can stand for: quartiles of
// fewer say less than the results themselves, which are drawn as points.
const fewest = 10

// leastSlot is the width of a box with its gap below which nothing can be read.
const leastSlot = vg.Length(6)

// A boxPanel is the results of all classifiers in one cell.
type boxPanel struct {
	boxes     []boxItem
	reference float64 // mean of the reference classifier; NaN: none
	span      span    // of the axis of values
}

type boxItem struct {
	id     string
	values []float64
	failed int
}

// boxDrawing holds what all panels of a page share.
type boxDrawing struct {
	*view.View
	panels
	measure   *view.Measure
	ids       []string
	reference string
	lying     bool // values run horizontally
	cells     []boxPanel
	found     found
	units     string   // what a box counts
	absent    []string // classifiers without any result on the page
}

// found is what occurs on a page, for the key and the caption.
type found struct {
	boxes, points, outliers, reference, failures bool
	fewest, most                                 int // results of a classifier that has any
}

// boxPage draws one page: a panel per combination of the panel factors, a box
// per classifier.
func boxPage(v *view.View, o Options, m *view.Measure, columns []string, page view.Group) (canvas.Picture, error) {
	drawn, ref := measured(columns, o.Reference)
	groups, err := v.Groups(page.Cells, o.Panel)
	if err != nil {
		return canvas.Picture{}, err
	}
	b := boxDrawing{View: v, measure: m, ids: drawn, reference: ref, units: v.Units(groups)}
	var all [][]float64
	var titles []string
	for _, g := range groups {
		pooled := v.Pool(&g)
		panel := boxPanel{reference: referenceMean(v, &g, &pooled, m, ref)}
		for _, id := range drawn {
			values, failed := v.Values(&g, &pooled, m, id)
			panel.boxes = append(panel.boxes, boxItem{id, values, failed})
		}
		b.cells = append(b.cells, panel)
		all = append(all, panel.values())
		titles = append(titles, v.InWords(g.Factors, g.Levels))
	}
	b.leaveOut()
	b.look()
	spans := o.spans(all, canvas.Span)
	for i, s := range spans {
		b.cells[i].span = s
	}
	blank := panels{options: o, count: len(b.cells), titles: titles, indent: axisRoom(spans, canvas.Ticks(8)), aside: b.referenceRoom()}
	b.stand(blank)
	if o.Orient == "horizontal" || o.Orient == "auto" && b.labelHeight(b.slot()) > longestTurned {
		b.lie(blank)
	}
	b.key = b.keyItems()
	return b.picture(view.Caption(o.Caption, b.caption(), v.Pooling("Each panel", groups))), nil
}

// longestTurned is the length of a name beyond which it does not stand below a box.
const longestTurned = vg.Length(48)

// stand draws the boxes upright on such a page.
func (b *boxDrawing) stand(page panels) {
	b.panels = page
	b.vertical, b.draw = b.measure.Title(), b.panel
	b.fewerPerRow(b.indent + max(leastData, leastSlot*vg.Length(len(b.ids))))
	b.taller = b.footHeight(b.slot()) - b.footHeight(math.MaxFloat32)
}

// values are all that the panel's axis must hold.
func (p *boxPanel) values() []float64 {
	var all []float64
	if !math.IsNaN(p.reference) {
		all = append(all, p.reference)
	}
	for _, item := range p.boxes {
		all = append(all, item.values...)
	}
	return all
}

// leaveOut removes the classifiers that neither have a result nor failed anywhere on
// the page, if any is left without them.
func (b *boxDrawing) leaveOut() {
	there := func(id string) bool {
		return slices.ContainsFunc(b.cells, func(p boxPanel) bool {
			return slices.ContainsFunc(p.boxes, func(item boxItem) bool { return item.id == id && len(item.values)+item.failed > 0 })
		})
	}
	var kept []string
	for _, id := range b.ids {
		if there(id) {
			kept = append(kept, id)
		} else {
			b.absent = append(b.absent, id)
		}
	}
	if len(kept) == 0 {
		b.absent = nil
		return
	}
	b.ids = kept
	for i := range b.cells {
		b.cells[i].boxes = slices.DeleteFunc(b.cells[i].boxes, func(item boxItem) bool { return slices.Contains(b.absent, item.id) })
	}
}

// look finds out what occurs on the page.
func (b *boxDrawing) look() {
	f := &b.found
	for _, p := range b.cells {
		f.reference = f.reference || !math.IsNaN(p.reference)
		for _, item := range p.boxes {
			f.failures = f.failures || item.failed > 0
			n := len(item.values)
			if n == 0 {
				continue
			}
			if f.most == 0 || n < f.fewest {
				f.fewest = n
			}
			f.most = max(f.most, n)
			if n < fewest {
				f.points = true
				continue
			}
			f.boxes = true
			f.outliers = f.outliers || len(stats.NewBox(item.values).Outliers) > 0
		}
	}
}

func (b *boxDrawing) caption() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s of %s.", view.Capital(b.measure.Title()), b.Labels(b.ids))
	if b.found.boxes {
		s.WriteString(" Box: quartiles (type 7) and median; whiskers: to the last value within 1.5 interquartile ranges")
		if b.found.outliers {
			s.WriteString("; points: outliers")
		}
		s.WriteString("; diamond: mean.")
	}
	if b.found.points {
		fmt.Fprintf(&s, " Fewer than %d results of a classifier are drawn as points, moved apart where they are close; diamond: mean.", fewest)
	}
	if b.found.reference {
		fmt.Fprintf(&s, " Dashed line: mean of %s.", b.Label(b.reference))
	}
	switch {
	case !b.counted():
		fmt.Fprintf(&s, " R = %d %s each.", b.found.most, b.units)
	default:
		where := "Below each label"
		if b.lying {
			where = "Beside each box"
		}
		fmt.Fprintf(&s, " %s: the number of %s drawn (R)", where, b.units)
		if b.found.failures {
			s.WriteString(" and of failed fits")
		}
		s.WriteString(".")
	}
	if len(b.absent) > 0 {
		fmt.Fprintf(&s, " No results of %s.", b.Labels(b.absent))
	}
	if b.lying {
		return s.String() + b.options.axesWordsFor(b.count, "horizontal")
	}
	return s.String() + b.options.axesWords(b.count)
}

// counted says whether the numbers of results differ, so that each is printed.
func (b *boxDrawing) counted() bool { return b.found.failures || b.found.fewest != b.found.most }
