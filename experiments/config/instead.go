package config

const (
	asFiles      = "give the training file as `data.csv`, and a test file as `data.test.csv`"
	asFolds      = "use `data.folds`"
	asReplicates = "use `replicates`, or `data.repeats` if the data have folds"
)

// replacements contains hints for keys that users of other software may expect.
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
}

// fileHints and sizeHints follow the error message for a text or number in place of a mapping.
var (
	fileHints = map[string]string{"data.train": "; " + asFiles, "data.test": "; " + asFiles}
	sizeHints = map[string]string{
		"data.train": "; give the number of rows, as in `{n: 200}`",
		"data.test":  "; give the number of rows, as in `{n: 200}`, or an official test set, as in `{csv: FILE}`",
	}
)
