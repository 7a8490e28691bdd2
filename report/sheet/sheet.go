// Package sheet prints tables: words and marks, laid out in Markdown, LaTeX and
// HTML, and numbers as the tables write them.
package sheet

// A Sheet is a table as it is printed: words and marks, without arithmetic.
// Markdown, LaTeX and HTML are layouts of it.
type Sheet struct {
	ID      string  // in pages and labels
	Study   string  // in LaTeX labels
	Width   float64 // printed width in LaTeX, TeX points; 0: TextWidth, in a document of one column
	Methods string  // LaTeX prints columns as rows: MethodsRows, MethodsAuto; else never
	Title   string
	Caption string
	Heads   []Head
	Rows    []Row
	Foot    []Foot
	Notes   []string // footnote i+1
	Remarks []string // on the whole sheet, after the footnotes
}

// A Head heads a column or a row; Value is what sorting compares.
type Head struct {
	Label string
	Value string
	Text  bool   // words, to the left; numbers go to the right
	Note  int    // number of its footnote; 0: none
	Table string // id of the sheet, for the footnote
}

// A Row is one line of cells under its heads.
type Row struct {
	Block  bool   // begins a new block of outer levels
	Behind string // ids of the cells of a design that it shows, for the script of a page
	Heads  []Head
	Cells  []Entry
}

// An Entry is one cell: a main number or word and what accompanies it.
type Entry struct {
	Main   string
	Spread string   // after it, in parentheses
	Lines  []string // below it
	Value  string   // what sorting compares; empty: last
	Bold   bool
	Text   bool
	Class  string // in HTML
	Note   int
	Table  string // id of the sheet, for the footnote
}

// A Foot is an extra row below the cells.
type Foot struct {
	Span   int // columns of its label
	Label  string
	Values []string
}
