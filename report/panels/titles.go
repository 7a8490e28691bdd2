package panels

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
)

// titleHeight is the room for a title of one line, titleLine for each further line, untitled above panels without
// titles.
const (
	titleHeight = vg.Length(canvas.PanelSize + 4)
	titleLine   = vg.Length(canvas.PanelSize * 1.2)
	untitled    = vg.Length(4)
)

// sketchRoom is the room for the symbol of a note and its gap.
const sketchRoom = canvas.KeySymbol + 3

// title returns the lines of the title of panel i. An empty last line makes room for the note.
func (p *Page) title(i int) []string {
	sty := canvas.Text(canvas.PanelSize)
	room := p.PanelWidth()
	if !p.Y.Hidden {
		room -= p.leftOfData()
	}
	lines := canvas.Wrap(p.Titles[i], sty, room)
	if aside := p.aside(i); aside > 0 && p.Titles[i] != "" && sty.Width(lines[len(lines)-1])+aside > room {
		lines = append(lines, "")
	}
	return lines
}

// aside returns the room for what stands at the right of the title of panel i, with a gap; 0: nothing.
func (p *Page) aside(i int) vg.Length {
	const gap = 10
	switch note := p.noteWidth(i); {
	case note > 0:
		return note + gap + p.Room.Right
	case p.Room.Heads:
		return p.Room.Right
	}
	return 0
}

// note returns the note of panel i; one without words is none.
func (p *Page) note(i int) canvas.KeyItem {
	if p.Notes == nil {
		return canvas.KeyItem{}
	}
	return p.Notes[i]
}

// noteWidth returns the width of the note of panel i with its symbol; 0: there is none.
func (p *Page) noteWidth(i int) vg.Length {
	note := p.note(i)
	switch {
	case note.Words == "":
		return 0
	case note.Sketch == nil:
		return canvas.Text(canvas.NoteSize).Width(note.Words)
	}
	return canvas.Text(canvas.NoteSize).Width(note.Words) + sketchRoom
}

// HeadHeight returns the room above the data of every panel for titles and notes.
func (p *Page) HeadHeight() vg.Length {
	height := untitled
	for i := range p.Titles {
		if p.Titles[i] != "" || p.aside(i) > 0 {
			height = max(height, titleHeight+titleLine*vg.Length(len(p.title(i))-1))
		}
	}
	return height
}

// head writes the title of panel i, its last line just above the data, and the note at its right.
func (p *Page) head(c, data draw.Canvas, i int) {
	x := data.Min.X
	if p.Y.Hidden { // names, not an axis, stand before the data
		x = c.Min.X
	}
	lines := p.title(i)
	last := c.Max.Y - p.HeadHeight() + titleHeight - canvas.PanelSize
	for k, line := range lines {
		y := last + titleLine*vg.Length(len(lines)-1-k)
		c.FillText(canvas.Text(canvas.PanelSize), vg.Point{X: x, Y: y}, line)
	}
	p.writeNote(c, vg.Point{X: data.Max.X, Y: last}, p.note(i))
}

// writeNote writes a note that ends at a point of its baseline.
func (p *Page) writeNote(c draw.Canvas, end vg.Point, note canvas.KeyItem) {
	if note.Words == "" {
		return
	}
	sty := canvas.Text(canvas.NoteSize)
	x := end.X - sty.Width(note.Words)
	c.FillText(sty, vg.Point{X: x, Y: end.Y}, note.Words)
	if note.Sketch != nil {
		note.Sketch(c, vg.Point{X: x - sketchRoom + canvas.KeySymbol/2, Y: end.Y + vg.Points(canvas.NoteSize*0.35)})
	}
}
