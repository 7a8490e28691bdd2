package panels

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
)

// Heights above the data: of a title of one line, of each further line of a title, and without a
// title.
const (
	titleHeight = vg.Length(canvas.PanelSize + 4)
	titleLine   = vg.Length(canvas.PanelSize * 1.2)
	untitled    = vg.Length(4)
)

// note returns the note of panel i, or "" if it has none.
func (p *Page) note(i int) string {
	if p.Notes == nil {
		return ""
	}
	return p.Notes[i]
}

// title returns the lines of the title of panel i. The note of the panel is written at the right of
// the last line. If there is not enough room, title adds an empty line for the note.
func (p *Page) title(i int) []string {
	const gap = 10 // before the note
	sty := canvas.Text(canvas.PanelSize)
	room := p.PanelWidth()
	if !p.Y.Hidden {
		room -= p.leftOfData()
	}
	lines := canvas.Wrap(p.Titles[i], sty, room)
	if p.note(i) == "" || p.Titles[i] == "" {
		return lines
	}
	note := gap + canvas.Text(canvas.NoteSize).Width(p.note(i)) + p.Room.Right
	if sty.Width(lines[len(lines)-1])+note > room {
		lines = append(lines, "")
	}
	return lines
}

// HeadHeight returns the height above the data of every panel for titles and notes.
func (p *Page) HeadHeight() vg.Length {
	height := untitled
	for i, title := range p.Titles {
		if title != "" || p.note(i) != "" {
			height = max(height, titleHeight+titleLine*vg.Length(len(p.title(i))-1))
		}
	}
	return height
}

// writeHead writes the title of panel i above the data, and the note at the right of its last line.
func (p *Page) writeHead(c, data draw.Canvas, i int) {
	x := data.Min.X
	if p.Y.Hidden { // names, not an axis, are at the left of the data
		x = c.Min.X
	}
	lines := p.title(i)
	last := c.Max.Y - p.HeadHeight() + titleHeight - canvas.PanelSize
	for k, line := range lines {
		y := last + titleLine*vg.Length(len(lines)-1-k)
		c.FillText(canvas.Text(canvas.PanelSize), vg.Point{X: x, Y: y}, line)
	}
	note := canvas.Text(canvas.NoteSize)
	note.XAlign = draw.XRight
	c.FillText(note, vg.Point{X: data.Max.X, Y: last}, p.note(i))
}
