package figure

// A Options is one or more pages of panels.
type Options struct {
	Name      string   `param:"name" doc:"file name without extension: letters, digits, - and _; pages append their levels"`
	Title     string   `param:"title" doc:"one line; empty: the study's title"`
	Caption   string   `param:"caption" doc:"sentences put before the generated caption"`
	Kind      string   `param:"kind" doc:"box plots, lines over a numeric factor, critical-difference diagram, cells won" enum:"box,line,cd,wins"`
	Page      []string `param:"page" doc:"factors: one page per combination of their levels"`
	Panel     []string `param:"panel" doc:"factors: one panel per combination of their levels"`
	X         string   `param:"x" doc:"line: the numeric factor on the horizontal axis"`
	LogX      bool     `param:"log2_x" doc:"line: logarithmic horizontal axis, base 2"`
	Band      string   `param:"band" doc:"line: shaded around the mean, two Monte-Carlo standard errors or one standard deviation" enum:"2se,sd,none"`
	Columns   []string `param:"columns" doc:"classifier ids; empty: all"`
	Reference string   `param:"reference" doc:"classifier drawn as a reference line at its mean; empty: none"`
	Champion  string   `param:"champion" doc:"wins: the classifier whose wins are counted"`
	Metric    string   `param:"metric" doc:"what is drawn; seconds come from the timings and are not reproducible" enum:"error,ber,accuracy,fit_seconds,predict_seconds"`
	Scale     string   `param:"scale" doc:"unit of rates" enum:"percent,fraction"`
	LogY      bool     `param:"log_y" doc:"line: logarithmic vertical axis"`
	Where     []string `param:"where" doc:"factor=level: cells kept; several levels of one factor are alternatives"`
	PerRow    int      `param:"per_row" doc:"panels beside one another" range:"[1,8]"`
	Width     float64  `param:"width" doc:"page width, mm" range:"[60,400]"`
	Height    float64  `param:"panel_height" doc:"height of a row of panels, mm" range:"[30,300]"`
}

// Defaults is a page of box plots at the width of a journal's text.
func Defaults() Options {
	return Options{Name: "figure", Kind: "box", Band: "2se", Reference: "oracle", Metric: "error", Scale: "percent",
		PerRow: 2, Width: 165, Height: 62}
}

// SetDefaults makes f the figure that a study file's entry is decoded over.
func (f *Options) SetDefaults() { *f = Defaults() }
