package figure

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"copse/report/canvas"
	"copse/report/panels"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
	"copse/stats/records"
)

// fewest is the least number of results that a box stands for. Quartiles of fewer show less than the results
// themselves, which are drawn as points.
const fewest = 10

// A boxChart is a page of box plots: a panel for each combination of the panel factors, a box for each classifier.
// Boxes stand, or lie in rows.
type boxChart struct {
	*rowChart
	reference string
	lying     bool
	results   [][]results  // by panel and classifier
	groups    []view.Group // of the panels
	means     []float64    // of the reference, by panel; NaN: none
	found     found
	units     string   // of the results
	absent    []string // classifiers without any result on the page
}

// results are the results of a classifier in one panel.
type results struct {
	id     string
	values []float64
	failed int
}

// found is what occurs on a page, for the key and the caption.
type found struct {
	boxes, points, outliers, reference, failures bool
	least, most                                  int // results of a classifier that has any
}

func boxPage(r *request, page view.Group) (drawn, error) {
	groups, err := r.Groups(page.Cells, r.o.Panel)
	if err != nil {
		return drawn{}, err
	}
	values := panels.Scale{Title: r.measure.Title(), Grid: true}
	d := boxChart{rowChart: newRowChart(r, values), units: r.Units(groups)}
	ids, reference := r.measured()
	d.reference = reference
	for i := range groups {
		d.addGroup(&groups[i], ids)
	}
	d.omitAbsent(ids)
	d.look()
	values.Hold(d.values(), r.o.free())
	upright := *d.rowChart
	d.stand(values)
	if d.turnsLongNames() {
		*d.rowChart = upright
		d.lie(values)
	}
	d.Key = d.key()
	return drawn{Picture: d.Picture(r.caption(&d.Page, d.facts(groups)))}, nil
}

// addGroup adds a panel with the results of these classifiers in a group of cells.
func (d *boxChart) addGroup(g *view.Group, ids []string) {
	pooled := d.Pool(g)
	mean := math.NaN()
	if d.reference != "" {
		mean = d.Summary(g, &pooled, d.measure, d.reference).Mean
	}
	var list []results
	for _, id := range ids {
		values, failed := d.Values(g, &pooled, d.measure, id)
		list = append(list, results{id, values, failed})
	}
	d.Titles, d.results, d.means = append(d.Titles, d.panelTitle(g)), append(d.results, list), append(d.means, mean)
	d.groups = append(d.groups, *g)
}

// omitAbsent removes the classifiers that have no result and no failure on the page, if others have.
func (d *boxChart) omitAbsent(ids []string) {
	var present []string
	for _, r := range slices.Concat(d.results...) {
		if len(r.values)+r.failed > 0 {
			present = addOnce(present, r.id)
		}
	}
	if present != nil {
		d.absent = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return slices.Contains(present, id) })
	}
	isAbsent := func(id string) bool { return slices.Contains(d.absent, id) }
	ids = slices.DeleteFunc(slices.Clone(ids), isAbsent)
	for i := range d.results {
		d.results[i] = slices.DeleteFunc(d.results[i], func(r results) bool { return isAbsent(r.id) })
		d.ids = append(d.ids, ids)
	}
}

// look notes what occurs on the page.
func (d *boxChart) look() {
	f := &d.found
	f.reference = slices.ContainsFunc(d.means, func(mean float64) bool { return !math.IsNaN(mean) })
	for _, r := range slices.Concat(d.results...) {
		n := len(r.values)
		f.failures = f.failures || r.failed > 0
		f.most = max(f.most, n)
		switch {
		case n == 0:
			continue
		case n < fewest:
			f.points = true
		default:
			f.boxes = true
			f.outliers = f.outliers || len(stats.NewBox(r.values).Outliers) > 0
		}
		if f.least == 0 || n < f.least {
			f.least = n
		}
	}
}

// counted reports whether the numbers of results differ, so that each is written.
func (d *boxChart) counted() bool { return d.found.failures || d.found.least != d.found.most }

// values returns what the axis of each panel holds.
func (d *boxChart) values() [][]float64 {
	list := make([][]float64, len(d.results))
	for i, results := range d.results {
		if !math.IsNaN(d.means[i]) {
			list[i] = append(list[i], d.means[i])
		}
		for _, r := range results {
			list[i] = append(list[i], r.values...)
		}
	}
	return list
}

// facts returns what the caption states.
func (d *boxChart) facts(groups []view.Group) facts {
	var cells []records.Cell
	for _, g := range groups {
		cells = append(cells, g.Cells...)
	}
	about := facts{"Measure": d.measure.Title(), "Names": d.Labels(d.ids[0]), "Boxes": d.found.boxes,
		"Outliers": d.found.outliers, "Points": d.found.points, "Fewest": fewest, "Reference": "",
		"Counted": d.counted(), "Failures": d.found.failures, "Most": d.found.most, "Units": d.units, "Lying": d.lying,
		"Absent": d.Labels(d.absent), "Pooling": d.Pooling("Each panel", groups),
		"Failed": d.FailedFits(cells, d.columns)}
	if d.found.reference {
		about["Reference"] = d.Label(d.reference)
	}
	return about
}

// notes returns the value of the reference line of each panel.
func (d *boxChart) notes() []canvas.KeyItem {
	notes := make([]canvas.KeyItem, len(d.means))
	for i, mean := range d.means {
		if !math.IsNaN(mean) {
			notes[i] = canvas.KeyItem{Words: d.referenceWords(mean), Sketch: sketchReference}
		}
	}
	return notes
}

// referenceWords returns the value of a reference line.
func (d *boxChart) referenceWords(mean float64) string {
	words := d.Label(d.reference) + " " + sheet.Fixed(mean, d.measure.Digits())
	if d.measure.Unit == "%" {
		words += "%"
	}
	return words
}

// across returns the hidden scale of the classifiers, a unit for each.
func (d *boxChart) across() panels.Scale {
	return panels.Scale{Hidden: true, Spans: []panels.Span{{Low: 0, High: float64(d.most())}}}
}

// slot returns about the width of an upright box with its gap.
func (d *boxChart) slot() vg.Length { return d.DataWidth() / vg.Length(d.most()) }

// stand makes room for upright boxes, with their names and numbers below.
func (d *boxChart) stand(values panels.Scale) {
	const leastSlot = 6 // width of a box that can be read, with its gap
	d.X, d.Y, d.Notes, d.Marks = d.across(), values, d.notes(), d.upright
	for _, s := range d.counts() {
		d.Room.Axis = max(d.Room.Axis, s.headWidth())
	}
	d.FitWidth(leastSlot * vg.Length(d.most()))
	for _, s := range d.strips() {
		d.Room.Below += s.height(d.slot())
		d.Room.Taller += s.height(d.slot()) - s.line()
	}
	d.Room.Below += vg.Points(4)
}

// turnsLongNames reports whether names below upright boxes are turned and long.
func (d *boxChart) turnsLongNames() bool {
	const long = 48
	names := d.strips()[0]
	return names.turned(d.slot()) && names.width > long
}

// lie makes room for boxes that lie in rows, with their numbers at the right. As the names stand once before each row
// of panels, more panels than usual are beside one another where the page would be too high otherwise.
func (d *boxChart) lie(values panels.Scale) {
	const most = 14 // height of a row
	d.lying, d.told = true, d.boxMark
	d.X, d.Notes, d.row, d.Lines = values, d.notes(), d.lyingRow, d.most()+1
	d.Room.Right, d.Room.Heads = d.countsWidth(), d.counted()
	d.fitNames()
	d.FitWidth(0)
	for d.o.PerRow == 0 && d.sheetRow() < panels.LineHeight && d.PerRow < len(d.Titles) {
		if d.PerRow++; !d.Wide(0) {
			d.PerRow--
			break
		}
	}
	d.Height = d.around() + max(panels.LineHeight, min(most, d.sheetRow()))*vg.Length(d.most())
}

// sheetRow returns the height that a sheet of paper has for each lying box with its gap.
func (d *boxChart) sheetRow() vg.Length { return (d.SheetRow() - d.around()) / vg.Length(d.most()) }

// countsWidth returns the room for the numbers at the right of lying boxes, at least for half of the last tick's label.
func (d *boxChart) countsWidth() vg.Length {
	const least = 8
	room := vg.Length(0)
	for _, s := range d.counts() {
		room += s.column()
	}
	return max(room, least)
}
