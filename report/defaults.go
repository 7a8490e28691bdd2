package report

// SetDefaults makes t the table that a study file's entry is decoded over.
func (t *Table) SetDefaults() { *t = DefaultTable() }

// SetDefaults makes f the figure that a study file's entry is decoded over.
func (f *Figure) SetDefaults() { *f = DefaultFigure() }
