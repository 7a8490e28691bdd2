package data

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"copse/experiments/folder"
)

func suiteFile(dir, name string) string {
	return filepath.Join(dir, safeName(name)+".json")
}

// Suite returns the names of the tasks of an OpenML suite, such as openml:task/59. The error
// matches ErrAbsent if the list is not on this machine.
func (s *Store) Suite(name string) (tasks []string, err error) {
	for _, dir := range s.Folders {
		path := suiteFile(dir, name)
		err := readJSON(path, &tasks)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w; remove it and fetch it again", path, err)
		}
		return tasks, nil
	}
	return nil, fmt.Errorf("the suite %s is %w; get it with `copse data fetch %[1]s`", name, ErrAbsent)
}

// FetchSuite returns the names of the tasks of an OpenML suite. It downloads the list if it is not
// on this machine, but not the tasks.
func (s *Store) FetchSuite(ctx context.Context, c *Client, name string) ([]string, error) {
	tasks, err := s.Suite(name)
	if !errors.Is(err, ErrAbsent) {
		return tasks, err
	}
	var answer struct {
		Study struct {
			Tasks struct {
				ID []json.Number `json:"task_id"`
			} `json:"tasks"`
		} `json:"study"`
	}
	number := strings.TrimPrefix(name, openMLPrefix+suitePrefix)
	if err := c.openMLAnswer(ctx, "study/"+number, &answer); err != nil {
		return nil, err
	}
	for _, id := range answer.Study.Tasks.ID {
		tasks = append(tasks, openMLPrefix+taskPrefix+string(id))
	}
	if len(tasks) == 0 {
		return nil, fmt.Errorf("%s has no tasks", name)
	}
	if err := os.MkdirAll(s.newSetFolder(), 0o777); err != nil {
		return nil, err
	}
	return tasks, folder.WriteJSON(suiteFile(s.newSetFolder(), name), tasks)
}
