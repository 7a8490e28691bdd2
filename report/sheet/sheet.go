// Package sheet writes tables as Markdown, LaTeX, HTML, plain text and CSV, and formats their numbers.
package sheet

// A Sheet is a table of formatted entries that can be written in any file format.
type Sheet struct {
	ID      string  // in pages and labels
	Study   string  // in LaTeX labels
	Width   float64 // printed width in TeX points; 0 means TextWidth in a one-column document
	Methods string  // layout of LaTeX tables: MethodsRows or MethodsAuto; otherwise, methods stay columns
	Title   string
	Caption string
	Heads   []Head
	Rows    []Row
	Foot    []Row    // further rows, each with a single label for all columns of row heads
	Notes   []string // footnote i+1
	Remarks []string // remarks on the sheet, after the footnotes
}

// A Head is the label of a column or a row.
type Head struct {
	Label   string
	SortKey string
	IsText  bool // left-aligned, as for words
	Note    int  // footnote; 0: none
}

// TextHeads returns a left-aligned head of a row or column for each label.
func TextHeads(labels ...string) []Head { return headsOf(labels, true) }

// NumberHeads returns the heads of right-aligned columns with the given labels.
func NumberHeads(labels ...string) []Head { return headsOf(labels, false) }

func headsOf(labels []string, isText bool) (heads []Head) {
	for _, label := range labels {
		heads = append(heads, Head{Label: label, IsText: isText})
	}
	return heads
}

// A Row is one line of a table, with its row heads.
type Row struct {
	BeginsBlock bool   // the row above has different outer levels
	CellIDs     string // ids of the summarised cells, for the script of a page
	Heads       []Head
	Cells       []Entry
}

// An Entry is one cell of a table: a number or a word, possibly with additional text.
type Entry struct {
	Main    string
	Spread  string   // in parentheses, after Main
	Lines   []string // below Main
	SortKey string   // "" sorts last
	Bold    bool
	IsText  bool
	Class   string // class of the HTML element
	Note    int
}
