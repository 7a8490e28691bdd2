package panels

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
)

// Heights above the data.
const (
	titleHeight = vg.Length(canvas.PanelSize + 4)   // height with a title of one line
	titleLine   = vg.Length(canvas.PanelSize * 1.2) // height of each further line
	untitled    = vg.Length(4)                      // without a title
)

func (p *Page) note(i int) string {
	if p.Notes == nil {
		return ""
	}
	return p.Notes[i]
}

// title returns the lines of the title of panel i. The note is on the last line, which is empty if the note does
// not fit beside the title.
func (p *Page) title(i int) []string {
	const gap = 10 // before the note
	sty := canvas.Text(canvas.PanelSize)
	width := p.PanelWidth()
	if !p.Y.Hidden { // the title starts at the data (see writeHead)
		width -= p.leftOfData()
	}
	lines := canvas.Wrap(p.Titles[i], sty, width)
	if p.note(i) == "" || p.Titles[i] == "" {
		return lines
	}
	besideLine := gap + canvas.Text(canvas.NoteSize).Width(p.note(i)) + p.Room.Right
	if sty.Width(lines[len(lines)-1])+besideLine > width {
		lines = append(lines, "")
	}
	return lines
}

// HeadHeight returns the height of the titles and notes above the data of a panel.
func (p *Page) HeadHeight() vg.Length {
	height := untitled
	for i, title := range p.Titles {
		if title != "" || p.note(i) != "" {
			height = max(height, titleHeight+titleLine*vg.Length(len(p.title(i))-1))
		}
	}
	return height
}

// writeHead writes the title and the note of panel i above the data.
func (p *Page) writeHead(c, data draw.Canvas, i int, headHeight vg.Length) {
	x := data.Min.X
	if p.Y.Hidden { // names, not an axis, are to the left of the data
		x = c.Min.X
	}
	lines := p.title(i)
	last := c.Max.Y - headHeight + titleHeight - canvas.PanelSize
	for k, line := range lines {
		y := last + titleLine*vg.Length(len(lines)-1-k)
		c.FillText(canvas.Text(canvas.PanelSize), vg.Point{X: x, Y: y}, line)
	}
	note := canvas.Text(canvas.NoteSize)
	note.XAlign = draw.XRight
	c.FillText(note, vg.Point{X: data.Max.X, Y: last}, p.note(i))
}
