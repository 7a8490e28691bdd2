package cli

// The structs below are the kinds of JSON lines. The type of a line is the name of its struct
// without "Line"; the doc tags are the descriptions in docs/reference/lines.schema.json.

type studyLine struct {
	Name        string   `json:"name" doc:"name of the study"`
	Title       string   `json:"title,omitempty" doc:"title of the study"`
	Source      string   `json:"source,omitempty" doc:"source of the study, such as a paper"`
	File        string   `json:"file" doc:"study file"`
	Folder      string   `json:"folder,omitempty" doc:"results folder"`
	Seed        uint64   `json:"seed,string" doc:"seed, as text: 64 bits do not fit in a double"`
	Replicates  int      `json:"replicates" doc:"replicates per cell"`
	Cells       int      `json:"cells" doc:"number of cells"`
	Classifiers []string `json:"classifiers" doc:"ids of the classifiers"`
}

type cellLine struct {
	ID      string            `json:"id" doc:"id of the cell"`
	Levels  map[string]string `json:"levels" doc:"level of each factor"`
	Data    string            `json:"data" doc:"canonical content of the data"`
	Done    *int              `json:"done,omitempty" doc:"stored results (status)"`
	Missing *int              `json:"missing,omitempty" doc:"results that are missing (status)"`
	Failed  *int              `json:"failed,omitempty" doc:"results that failed (status)"`
}

type classifierLine struct {
	ID      string   `json:"id" doc:"id of the classifier"`
	Recipes []string `json:"recipes" doc:"canonical recipes; several where factors vary parameters"`
}

type messageLine struct {
	Level string `json:"level" doc:"note, remark or warning"`
	Text  string `json:"text" doc:"the message"`
}

type planLine struct {
	Results int `json:"results" doc:"results that are missing"`
	Trials  int `json:"trials" doc:"trials that have missing results"`
	Done    int `json:"done" doc:"stored results"`
	Failed  int `json:"failed" doc:"stored results that failed"`
}

type gapLine struct {
	Cell        string   `json:"cell" doc:"id of the cell"`
	Replicates  string   `json:"replicates" doc:"missing replicates, such as 1-50,61"`
	Classifiers []string `json:"classifiers" doc:"ids of the classifiers"`
	Reason      string   `json:"reason" doc:"why the results are missing"`
}

type memoryLine struct {
	Bytes      int64  `json:"bytes" doc:"expected bytes per worker"`
	Measured   bool   `json:"measured" doc:"true if an earlier run measured it, false if a formula gave it"`
	Cell       string `json:"cell" doc:"id of the cell"`
	Classifier string `json:"classifier" doc:"id of the classifier"`
}

type costLine struct {
	Seconds      float64  `json:"seconds" doc:"sum of the next three"`
	Measured     float64  `json:"measured" doc:"seconds known from earlier runs"`
	Tried        float64  `json:"tried" doc:"seconds known from trial fits"`
	Extrapolated float64  `json:"extrapolated" doc:"seconds extrapolated from other sizes"`
	CutOff       []string `json:"cut_off,omitempty" doc:"classifiers whose trial fits were stopped"`
	Unknown      []string `json:"unknown,omitempty" doc:"classifiers without measured times, not in the sums"`
}

type failuresLine struct {
	Classifier string `json:"classifier" doc:"id of the classifier"`
	Message    string `json:"message" doc:"message of the first failure"`
	Fits       int    `json:"fits" doc:"number of failed fits"`
	Cell       string `json:"cell" doc:"cell of the first failure"`
	Replicate  int    `json:"replicate" doc:"replicate of the first failure"`
}

type replicatesLine struct {
	Precision  float64 `json:"precision" doc:"wanted standard error of a difference in error"`
	Known      bool    `json:"known" doc:"false if no cell has two usable independent replicates"`
	Replicates int     `json:"replicates" doc:"replicates by the largest standard deviation"`
	Bound      int     `json:"bound" doc:"replicates by the upper 95% bound of the standard deviation"`
}

type progressLine struct {
	Study   string   `json:"study" doc:"name of the study"`
	Trials  int      `json:"trials" doc:"trials of the study or shard"`
	Done    int      `json:"done" doc:"trials that are done"`
	Failed  int      `json:"failed" doc:"failed fits of this run"`
	Elapsed float64  `json:"elapsed" doc:"seconds since the start"`
	Left    *float64 `json:"left" doc:"estimated seconds left; null if unknown"`
}

type reportLine struct {
	Study  string `json:"study" doc:"name of the study"`
	Folder string `json:"folder" doc:"results folder"`
	Failed int    `json:"failed" doc:"failed fits among the records"`
}

type entryLine struct {
	Topic      string    `json:"topic" doc:"classifiers, generators, metrics, tests, tables or figures"`
	Name       string    `json:"name" doc:"name in a study file"`
	Summary    string    `json:"summary" doc:"meaning in one line"`
	Limits     string    `json:"limits,omitempty" doc:"accepted data, range or assumption"`
	Source     string    `json:"source,omitempty" doc:"source, such as a paper"`
	Parameters []keyLine `json:"parameters,omitempty" doc:"parameters"`
}

type keyLine struct {
	Path     string   `json:"path" doc:"dotted path of the key, or name of the parameter"`
	Kind     string   `json:"kind" doc:"type in words"`
	Values   []string `json:"values,omitempty" doc:"allowed values"`
	Range    string   `json:"range,omitempty" doc:"interval"`
	Default  string   `json:"default,omitempty" doc:"default value"`
	Required bool     `json:"required" doc:"true if a study must have the key"`
	Meaning  string   `json:"meaning" doc:"meaning"`
	Keys     []string `json:"keys,omitempty" doc:"names of the keys below it"`
}

type checkLine struct {
	Folder   string   `json:"folder" doc:"results folder"`
	Name     string   `json:"name" doc:"what was checked"`
	Seen     string   `json:"seen,omitempty" doc:"what was read, or why nothing was"`
	Problems []string `json:"problems" doc:"the problems found; empty if there are none"`
}

type errorLine struct {
	Message string `json:"message" doc:"the error without its place"`
	Origin  string `json:"origin,omitempty" doc:"study file, or the flag that set the value"`
	Line    int    `json:"line,omitempty" doc:"line in the file, from 1"`
	Column  int    `json:"column,omitempty" doc:"column in the file, from 1"`
	Key     string `json:"key,omitempty" doc:"dotted path of the key"`
}

type exitLine struct {
	Code int `json:"code" doc:"0 success; 1 failed fits or checks; 2 bad usage or study file; 3 stopped by a signal"`
}
