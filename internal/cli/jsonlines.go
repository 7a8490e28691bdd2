package cli

// Each struct defines a type of JSON line. The name of the type is the name of the struct without
// "Line". The doc tags become the descriptions in docs/reference/lines.schema.json.

type studyLine struct {
	Name        string   `json:"name" doc:"name of the study"`
	Title       string   `json:"title,omitempty" doc:"title of the study"`
	Source      string   `json:"source,omitempty" doc:"source of the study, such as a paper"`
	File        string   `json:"file" doc:"study file"`
	Folder      string   `json:"folder,omitempty" doc:"results folder"`
	Seed        uint64   `json:"seed,string" doc:"seed as text, because a double cannot represent all 64-bit integers"`
	Replicates  int      `json:"replicates" doc:"replicates per cell"`
	Cells       int      `json:"cells" doc:"number of cells"`
	Classifiers []string `json:"classifiers" doc:"ids of the classifiers"`
}

type cellLine struct {
	ID      string            `json:"id" doc:"id of the cell"`
	Levels  map[string]string `json:"levels" doc:"level of each factor"`
	Data    string            `json:"data" doc:"canonical description of the data of the cell"`
	Done    *int              `json:"done,omitempty" doc:"number of stored results (copse status)"`
	Missing *int              `json:"missing,omitempty" doc:"number of missing results (copse status)"`
	Failed  *int              `json:"failed,omitempty" doc:"number of failed results (copse status)"`
}

type classifierLine struct {
	ID      string   `json:"id" doc:"id of the classifier"`
	Recipes []string `json:"recipes" doc:"name and parameters of the classifier; several texts if a factor varies a parameter"`
}

type messageLine struct {
	Level string `json:"level" doc:"note, remark or warning"`
	Text  string `json:"text" doc:"the message"`
}

type planLine struct {
	Results int `json:"results" doc:"number of missing results"`
	Trials  int `json:"trials" doc:"number of trials with missing results"`
	Done    int `json:"done" doc:"number of stored results"`
	Failed  int `json:"failed" doc:"number of failed results among the stored results"`
}

type gapLine struct {
	Cell        string   `json:"cell" doc:"id of the cell"`
	Replicates  string   `json:"replicates" doc:"numbers of the missing replicates, such as 1-50,61"`
	Classifiers []string `json:"classifiers" doc:"ids of the classifiers"`
	Reason      string   `json:"reason" doc:"why the results are missing"`
}

type memoryLine struct {
	Bytes      int64  `json:"bytes" doc:"expected bytes per worker"`
	Measured   bool   `json:"measured" doc:"true if an earlier run measured the memory, false if a formula estimated it"`
	Cell       string `json:"cell" doc:"id of the cell"`
	Classifier string `json:"classifier" doc:"id of the classifier"`
}

type costLine struct {
	Seconds      float64  `json:"seconds" doc:"expected seconds on one core: the sum of measured, tried and extrapolated"`
	Measured     float64  `json:"measured" doc:"the part of seconds that earlier runs measured"`
	Tried        float64  `json:"tried" doc:"the part of seconds that trial fits measured"`
	Extrapolated float64  `json:"extrapolated" doc:"the part of seconds that was extrapolated from other numbers of rows and columns"`
	CutOff       []string `json:"cut_off,omitempty" doc:"classifiers whose trial fits took too long and were stopped"`
	Unknown      []string `json:"unknown,omitempty" doc:"classifiers without measured times, which seconds excludes"`
}

type failuresLine struct {
	Classifier string `json:"classifier" doc:"id of the classifier"`
	Message    string `json:"message" doc:"error message of the first failed fit"`
	Fits       int    `json:"fits" doc:"number of failed fits"`
	Cell       string `json:"cell" doc:"id of the cell of the first failed fit"`
	Replicate  int    `json:"replicate" doc:"replicate of the first failed fit"`
}

type replicatesLine struct {
	Precision  float64 `json:"precision" doc:"requested standard error of a difference in error rate"`
	Known      bool    `json:"known" doc:"false if the stored results are too few to compute the replicates"`
	Replicates int     `json:"replicates" doc:"replicates needed for the largest observed standard deviation"`
	Bound      int     `json:"bound" doc:"replicates needed for the upper 95% bound of the standard deviation"`
}

type progressLine struct {
	Study   string   `json:"study" doc:"name of the study"`
	Trials  int      `json:"trials" doc:"number of trials in the study or shard"`
	Done    int      `json:"done" doc:"number of finished trials"`
	Failed  int      `json:"failed" doc:"number of failed fits in this run"`
	Elapsed float64  `json:"elapsed" doc:"seconds since the start"`
	Left    *float64 `json:"left" doc:"estimated number of seconds left; null if unknown"`
}

type reportLine struct {
	Study  string `json:"study" doc:"name of the study"`
	Folder string `json:"folder" doc:"results folder"`
	Failed int    `json:"failed" doc:"number of failed fits in the records"`
}

type entryLine struct {
	Topic      string    `json:"topic" doc:"topic: classifiers, generators, metrics, tests, tables or figures"`
	Name       string    `json:"name" doc:"name in a study file"`
	Summary    string    `json:"summary" doc:"meaning in one line"`
	Limits     string    `json:"limits,omitempty" doc:"accepted data of a classifier, range of a metric, or assumption of a test"`
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
	Keys     []string `json:"keys,omitempty" doc:"names of the keys below this key"`
}

type checkLine struct {
	Folder   string   `json:"folder" doc:"results folder"`
	Name     string   `json:"name" doc:"what was checked"`
	Seen     string   `json:"seen,omitempty" doc:"what the check read, or why it read nothing"`
	Problems []string `json:"problems" doc:"problems that the check found; empty if it found none"`
}

type errorLine struct {
	Message string `json:"message" doc:"error message without the place in the file"`
	Origin  string `json:"origin,omitempty" doc:"study file with the mistake, or the flag that set the value"`
	Line    int    `json:"line,omitempty" doc:"line in the file, from 1"`
	Column  int    `json:"column,omitempty" doc:"column in the file, from 1"`
	Key     string `json:"key,omitempty" doc:"dotted path of the key"`
}

type exitLine struct {
	Code int `json:"code" doc:"0 success; 1 failed fits or checks; 2 wrong usage or study file; 3 stopped by a signal"`
}
