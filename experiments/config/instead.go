package config

import "regexp"

// Hints that apply to several keys.
const (
	asAim        = "give the reason under `ademp.aims`, or in the printed protocol"
	asJoin       = "join the files beforehand, and read the joined file"
	asFolds      = "use `data.folds`"
	asReplicates = "use `replicates`, or `data.repeats` if the data have folds"
	holm         = "the tests of all tables of a study form one family, corrected by Holm's method"
)

const asFiles = "give the training file as `data.csv`, and a test file as `data.test.csv`"

const asMatrix = "use a figure of `kind: cd`, which compares all pairs of classifiers across the cells, " +
	"or of `kind: wins`, which counts the cells that each classifier won"

// replacements maps keys of the previous release and of other software to hints about replacements.
var replacements = map[string]string{
	"data.train.csv":   asFiles,
	"data.stratify":    "folds and holdouts are stratified by class, unless `random: true` is set",
	"data.reps":        asReplicates,
	"data.repetitions": asReplicates,
	"reps":             asReplicates,
	"repetitions":      asReplicates,
	"cv":               asFolds,
	"folds":            asFolds,
	"tests":            "use `inference.test`",
	"tables":           "use `report.tables`",
	"figures":          "use `report.figures`",
	"isolate": "built-in classifiers run inside copse; " +
		"limit its memory with `copse run --memory`, or with the scheduler's `--mem`",
	"ademp.mcse": "`copse status --precision` prints how many replicates " +
		"a given standard error requires",
	"ademp.sd":                    "`copse status --precision` estimates it from results",
	"ademp.mechanisms":            asAim,
	"ademp.estimands":             asAim,
	"ademp.methods":               asAim,
	"ademp.performance":           asAim,
	"ademp.missingness":           asAim,
	"ademp.environment":           asAim,
	"data.join":                   asJoin,
	"data.unmatched":              asJoin,
	"inference.policy":            "use `failures: common`, which is the default",
	"published.alpha":             "the level is `inference.alpha`; " + holm,
	"published.correction":        holm,
	"published.margin":            "a published number and ours agree if they differ by at most two percentage points",
	"calibrate.alpha":             "the level is `inference.alpha`",
	"calibrate.free.when":         "write a separate study for each value of the parameter that `when` names",
	"report.tables.matrix":        asMatrix,
	"report.tables.siunitx":       "load siunitx in your paper, and edit the column types in the .tex file",
	"report.figures.log_y":        "the vertical axis is always linear; use a table to show small means",
	"report.figures.seconds":      "use `x: predict_seconds`",
	"report.figures.orientation":  "boxes are horizontal if their names are long",
	"report.figures.panel_height": "copse chooses the height of the panels to fill the page",
	"report.figures.show_title":   "the title is part of the caption",
}

// mappingHints maps a key to a hint for the error that its value is not a mapping.
var mappingHints = map[string]string{"data.train": "; " + asFiles, "data.test": "; " + asFiles}

// positions matches list indices in a path, such as [2].
var positions = regexp.MustCompile(`\[[0-9]+\]`)
