package config

const (
	asFiles      = "give the training file as `data.csv`, and a test file as `data.test.csv`"
	asFolds      = "use `data.folds`"
	asReplicates = "use `replicates`, or `data.repeats` if the data have folds"
)

// replacements maps keys that users of other software may expect to hints about replacements.
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

// mappingHints maps a key to a hint for the error that its value is not a mapping.
var mappingHints = map[string]string{"data.train": "; " + asFiles, "data.test": "; " + asFiles}
