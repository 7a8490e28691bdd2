package stream

import (
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"
)

// testdata/streams.py draws the same streams by the published algorithms: SHA-256, PCG XSL-RR 128/64 (O'Neill
// 2014) and the ziggurat of Marsaglia and Tsang (2000). The test notices if a new version of Go or of a
// module changes results.
func TestStreamsGolden(t *testing.T) {
	file, err := os.Open("testdata/streams.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil || len(rows) < 400 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	var seed uint64
	var replicate int
	for _, row := range rows[1:] {
		fmt.Sscan(row[0], &seed)
		fmt.Sscan(row[2], &replicate)
		rng := New(seed, row[1], replicate, row[3])
		for range 3 { // what comes after other draws
			rng.Uint64()
		}
		got := []string{
			strconv.FormatUint(rng.Uint64(), 10),
			strconv.FormatFloat(rng.Float64(), 'g', -1, 64),
			strconv.Itoa(rng.Intn(1000)),
			fmt.Sprint(rng.Perm(6)),
			strconv.FormatFloat(rng.NormFloat64(), 'g', -1, 64),
		}
		if !slices.Equal(got, row[4:]) {
			t.Fatalf("stream %q: %q, want %q", row[:4], got, row[4:])
		}
	}
}

// Streams of different seeds, cells, replicates and roles never share a state. The test compares 10^6 of
// them, or 10^7 with COPSE_STREAMS=1.
func TestStreamsAreDistinct(t *testing.T) {
	seeds, cells, replicates := 10, 50, 400
	if os.Getenv("COPSE_STREAMS") != "" {
		replicates = 4000
	} else if testing.Short() {
		replicates = 50
	}
	roles := []string{Structure, Train, Test, Folds, Missing, "classifier:nb"}
	first := make([]uint64, 0, seeds*cells*replicates*len(roles))
	for seed := range seeds {
		for cell := range cells {
			for replicate := range replicates {
				for _, role := range roles {
					first = append(first, New(uint64(seed), strconv.Itoa(cell), replicate, role).Uint64())
				}
			}
		}
	}
	slices.Sort(first)
	if distinct := len(slices.Compact(first)); distinct != cap(first) {
		t.Errorf("%d of %d streams begin like another one", cap(first)-distinct, cap(first))
	}
}

// No two roles of a trial have the same name, whatever the names of classifiers and blocks.
func TestRolesAreDistinct(t *testing.T) {
	roles := []string{Structure, Train, Test, Folds, Missing, MissingTest, Subsample, Labels}
	for _, role := range []string{Train, Test} {
		roles = append(roles, Irrelevant(role), Block(role, 0), Block(role, 10), Irrelevant(Block(role, 0)))
	}
	for _, id := range []string{"nb", "train", "tuning:nb", "classifier:nb"} {
		roles = append(roles, Classifier(id), Tuning(id))
	}
	seen := map[string]bool{}
	for _, role := range roles {
		if state := string(state(1, "cell", 1, role)); seen[state] {
			t.Errorf("%s begins like another role", role)
		} else {
			seen[state] = true
		}
	}
}
