package sheet

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

const textGap = "  "

// Text writes the sheet as plain text for a terminal with the given number of columns; 0 means no limit. If the
// table is too wide, its remaining columns follow in blocks below.
func (s *Sheet) Text(w io.Writer, columns int) error {
	grid := s.textGrid()
	widths := make([]int, len(s.Heads)) // widths of the table columns
	for _, row := range grid {
		for j, text := range row {
			widths[j] = max(widths[j], utf8.RuneCountInString(text))
		}
	}
	var b strings.Builder
	b.WriteString(Fold(s.Title+"\n", columns))
	for _, block := range textBlocks(widths, s.RowHeadCount(), columns) {
		b.WriteString("\n")
		for _, row := range grid {
			s.textLine(&b, row, block, widths)
		}
	}
	b.WriteString("\n" + Fold(strings.ReplaceAll(s.Caption, "Bold: ", "Marked *: ")+"\n", columns))
	for i, note := range s.Notes {
		b.WriteString(Fold(footnoteMark(textMark, i+1)+" "+note+"\n", columns))
	}
	for _, remark := range s.Remarks {
		b.WriteString(Fold(remark+"\n", columns))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// textBlocks divides the columns of a table into blocks of column indices that fit a terminal. Each block
// includes the row heads, which are the first columns; heads is their number. A terminalWidth of 0 means no limit.
func textBlocks(widths []int, heads, terminalWidth int) (blocks [][]int) {
	headWidth := 0
	for _, w := range widths[:heads] {
		headWidth += w + len(textGap)
	}
	block, used := consecutive(heads), headWidth
	for next := heads; next < len(widths); next++ {
		fits := terminalWidth == 0 || used+widths[next] <= terminalWidth // no gap follows the last column
		if !fits && len(block) > heads {
			blocks = append(blocks, block)
			block, used = consecutive(heads), headWidth
		}
		block = append(block, next)
		used += widths[next] + len(textGap)
	}
	return append(blocks, block)
}

// textGrid returns the lines of the table as text, including the column heads and the foot. Bold entries begin
// with a *.
func (s *Sheet) textGrid() [][]string {
	var grid [][]string
	var line []string
	for _, h := range s.Heads {
		line = append(line, h.Label)
	}
	grid = append(grid, line)
	for _, row := range slices.Concat(s.Rows, s.Foot) {
		line = make([]string, s.RowHeadCount()) // rows of the foot have only one label
		for j, h := range row.Heads {
			line[j] = h.Label + footnoteMark(textMark, h.Note)
		}
		for _, e := range row.Cells {
			text := e.text() + footnoteMark(textMark, e.Note)
			if e.Bold {
				text = "*" + text
			}
			line = append(line, text)
		}
		grid = append(grid, line)
	}
	return grid
}

// textLine writes the chosen columns of a line, padded to the given widths.
func (s *Sheet) textLine(b *strings.Builder, row []string, chosen, widths []int) {
	var fields []string
	for _, j := range chosen {
		text := ""
		if j < len(row) {
			text = row[j]
		}
		pad := strings.Repeat(" ", widths[j]-utf8.RuneCountInString(text))
		if s.Heads[j].IsText || j == 0 {
			fields = append(fields, text+pad)
		} else {
			fields = append(fields, pad+text)
		}
	}
	fmt.Fprintln(b, strings.TrimRight(strings.Join(fields, textGap), " "))
}
