package sheet

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// textGap stands between columns.
const textGap = "  "

// Text writes the sheet as aligned columns for a terminal of so many columns, 0: of
// any. What does not fit stands below, under the same row heads. A * marks what
// other layouts print bold.
func (s *Sheet) Text(w io.Writer, columns int) error {
	grid := s.textGrid()
	heads := len(s.Heads)
	if len(s.Rows) > 0 {
		heads = len(s.Rows[0].Heads)
	}
	widths := make([]int, len(s.Heads))
	for _, row := range grid {
		for j, text := range row {
			widths[j] = max(widths[j], utf8.RuneCountInString(text))
		}
	}
	var b strings.Builder
	b.WriteString(Fold(s.Title+"\n", columns))
	for from := heads; ; {
		chosen, used := []int{}, 0
		for j := range heads {
			chosen, used = append(chosen, j), used+widths[j]+len(textGap)
		}
		to := from
		for to < len(widths) && (columns == 0 || to == from || used+widths[to] <= columns) {
			chosen, used = append(chosen, to), used+widths[to]+len(textGap)
			to++
		}
		b.WriteString("\n")
		for _, row := range grid {
			s.textLine(&b, row, chosen, widths)
		}
		if from = to; from >= len(widths) {
			break
		}
	}
	b.WriteString("\n" + Fold(strings.ReplaceAll(s.Caption, "Bold: ", "Marked *: ")+"\n", columns))
	for i, note := range s.Notes {
		b.WriteString(Fold(fmt.Sprintf("[%d] %s\n", i+1, note), columns))
	}
	for _, remark := range s.Remarks {
		b.WriteString(Fold(remark+"\n", columns))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// textGrid is the words of all lines: heads, rows, foot.
func (s *Sheet) textGrid() [][]string {
	var grid [][]string
	var line []string
	for _, h := range s.Heads {
		line = append(line, h.Label)
	}
	grid = append(grid, line)
	for _, row := range s.Rows {
		line = nil
		for _, h := range row.Heads {
			line = append(line, h.Label+textMark(h.Note))
		}
		for _, e := range row.Cells {
			text := strings.TrimSpace(e.Main+e.more()) + textMark(e.Note)
			if e.Bold {
				text = "*" + text
			}
			line = append(line, text)
		}
		grid = append(grid, line)
	}
	for _, foot := range s.Foot {
		line = make([]string, foot.Span)
		line[0] = foot.Label
		grid = append(grid, append(line, foot.Values...))
	}
	return grid
}

func (s *Sheet) textLine(b *strings.Builder, row []string, chosen, widths []int) {
	var fields []string
	for _, j := range chosen {
		text := ""
		if j < len(row) {
			text = row[j]
		}
		pad := strings.Repeat(" ", widths[j]-utf8.RuneCountInString(text))
		if s.Heads[j].Text || j == 0 {
			fields = append(fields, text+pad)
		} else {
			fields = append(fields, pad+text)
		}
	}
	fmt.Fprintln(b, strings.TrimRight(strings.Join(fields, textGap), " "))
}

func textMark(note int) string {
	if note == 0 {
		return ""
	}
	return fmt.Sprintf("[%d]", note)
}
