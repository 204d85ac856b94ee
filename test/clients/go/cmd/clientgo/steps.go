package main

import (
	"fmt"
	"maps"
	"slices"
)

// inOrder runs the named steps alphabetically and returns their results by name.
func inOrder[T any](steps map[string]func() (T, error)) (map[string]T, error) {
	results := map[string]T{}
	for _, name := range slices.Sorted(maps.Keys(steps)) {
		result, err := steps[name]()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		results[name] = result
	}
	return results, nil
}
