package cli

// Each struct defines a type of JSON line. The name of the type is the name of the struct without
// "Line". The comments of the fields become the descriptions in docs/reference/lines.schema.json.

type studyLine struct {
	// name of the study
	Name string `json:"name"`
	// title of the study
	Title string `json:"title,omitempty"`
	// source of the study, such as a paper
	Source string `json:"source,omitempty"`
	// study file
	File string `json:"file"`
	// results folder
	Folder string `json:"folder,omitempty"`
	// seed as text, because a double cannot represent all 64-bit integers
	Seed uint64 `json:"seed,string"`
	// replicates per cell
	Replicates int `json:"replicates"`
	// number of cells
	Cells int `json:"cells"`
	// ids of the classifiers
	Classifiers []string `json:"classifiers"`
}

type cellLine struct {
	// id of the cell
	ID string `json:"id"`
	// level of each factor
	Levels map[string]string `json:"levels"`
	// canonical description of the data of the cell
	Data string `json:"data"`
	// number of stored results, as shown by `copse status`
	Done *int `json:"done,omitempty"`
	// number of missing results, as shown by `copse status`
	Missing *int `json:"missing,omitempty"`
	// number of failed results, as shown by `copse status`
	Failed *int `json:"failed,omitempty"`
}

type classifierLine struct {
	// id of the classifier
	ID string `json:"id"`
	// name and parameters of the classifier; one string for each combination of parameter values in
	// the design
	Recipes []string `json:"recipes"`
}

type messageLine struct {
	// note, remark or warning
	Level string `json:"level"`
	// the message
	Text string `json:"text"`
}

type planLine struct {
	// number of missing results
	Results int `json:"results"`
	// number of trials with missing results
	Trials int `json:"trials"`
	// number of stored results
	Done int `json:"done"`
	// number of failed results among the stored results
	Failed int `json:"failed"`
}

type gapLine struct {
	// id of the cell
	Cell string `json:"cell"`
	// numbers of the missing replicates, such as 1-50,61
	Replicates string `json:"replicates"`
	// ids of the classifiers
	Classifiers []string `json:"classifiers"`
	// why the results are missing
	Reason string `json:"reason"`
}

type memoryLine struct {
	// expected memory per worker in bytes
	Bytes int64 `json:"bytes"`
	// true if an earlier run measured the memory, false if a formula estimated it
	Measured bool `json:"measured"`
	// id of the cell
	Cell string `json:"cell"`
	// id of the classifier
	Classifier string `json:"classifier"`
}

type costLine struct {
	// expected time on one core, in seconds: the sum of "measured", "tried" and "extrapolated"
	Seconds float64 `json:"seconds"`
	// the part of the expected time, in seconds, that is based on measurements in earlier runs
	Measured float64 `json:"measured"`
	// the part of the expected time, in seconds, that is based on trial fits
	Tried float64 `json:"tried"`
	// the part of the expected time, in seconds, that is extrapolated from other numbers of rows
	// and columns
	Extrapolated float64 `json:"extrapolated"`
	// classifiers whose trial fits were stopped because they took too long, or skipped because they
	// were expected to take too long
	CutOff []string `json:"cut_off,omitempty"`
	// classifiers without measured times, whose fits are not included in "seconds"
	Unknown []string `json:"unknown,omitempty"`
}

type failuresLine struct {
	// id of the classifier; if drawing the data failed, id of the first classifier
	Classifier string `json:"classifier"`
	// error message of the first failure
	Message string `json:"message"`
	// number of failed fits, or of failed draws of data
	Fits int `json:"fits"`
	// id of the cell of the first failure
	Cell string `json:"cell"`
	// replicate of the first failure
	Replicate int `json:"replicate"`
}

type replicatesLine struct {
	// metric of the differences between classifiers
	Metric string `json:"metric"`
	// requested standard error of a difference
	Precision float64 `json:"precision"`
	// false if the number of replicates is unknown, because there are too few stored results to
	// estimate the standard deviation
	Known bool `json:"known"`
	// number of replicates needed at the largest observed standard deviation
	Replicates int `json:"replicates"`
	// number of replicates needed if the standard deviation is at its upper 95% confidence bound
	Bound int `json:"bound"`
}

type progressLine struct {
	// name of the study
	Study string `json:"study"`
	// number of trials in the study or shard
	Trials int `json:"trials"`
	// number of finished trials
	Done int `json:"done"`
	// number of failed results in this run
	Failed int `json:"failed"`
	// seconds since the start
	Elapsed float64 `json:"elapsed"`
	// estimated number of seconds left; null if unknown
	Left *float64 `json:"left"`
}

type reportLine struct {
	// name of the study
	Study string `json:"study"`
	// results folder
	Folder string `json:"folder"`
	// number of failed results in the records
	Failed int `json:"failed"`
	// notes on the records, such as the results that they omit
	Notes []string `json:"notes"`
}

type entryLine struct {
	// topic: classifiers, generators, metrics, tests, tables or figures
	Topic string `json:"topic"`
	// name in a study file
	Name string `json:"name"`
	// one-line description
	Summary string `json:"summary"`
	// limits of use: the data that a classifier accepts, the range of a metric, or the assumption
	// of a test
	Limits string `json:"limits,omitempty"`
	// source, such as a paper
	Source string `json:"source,omitempty"`
	// parameters
	Parameters []keyLine `json:"parameters,omitempty"`
}

type keyLine struct {
	// dotted path of the key, or name of the parameter
	Path string `json:"path"`
	// type in words
	Kind string `json:"kind"`
	// allowed values
	Values []string `json:"values,omitempty"`
	// interval
	Range string `json:"range,omitempty"`
	// default value
	Default string `json:"default,omitempty"`
	// true if a study must have the key
	Required bool `json:"required"`
	// meaning
	Meaning string `json:"meaning"`
	// names of the keys below this key
	Keys []string `json:"keys,omitempty"`
}

type checkLine struct {
	// results folder
	Folder string `json:"folder"`
	// what was checked
	Name string `json:"name"`
	// what the check read, or why it read nothing
	Seen string `json:"seen,omitempty"`
	// whether nothing was checked
	Skipped bool `json:"skipped,omitempty"`
	// what this computer cannot compute again, with the reasons
	Unchecked []string `json:"unchecked,omitempty"`
	// problems that the check found; empty if it found none
	Problems []string `json:"problems"`
}

type errorLine struct {
	// error message without the location in the file
	Message string `json:"message"`
	// study file with the mistake, or the flag that set the value
	Origin string `json:"origin,omitempty"`
	// line number in the file, counting from 1
	Line int `json:"line,omitempty"`
	// column number in the file, counting from 1
	Column int `json:"column,omitempty"`
	// dotted path of the key
	Key string `json:"key,omitempty"`
}

type exitLine struct {
	// 0: success; 1: failed fits or checks; 2: usage error or invalid study file; 3: stopped by a
	// signal
	Code int `json:"code"`
}
