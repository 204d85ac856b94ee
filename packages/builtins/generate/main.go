// Command generate writes what Flotilla knows of the built-in kinds: the field table, and small protobuf fixtures for
// the kinds that have no golden object elsewhere. It reflects over the published Kubernetes modules; nothing of it runs
// in the product.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if len(os.Args) != 3 {
		fail(fmt.Errorf("usage: generate table|fixtures DIRECTORY"))
	}
	files, err := generate(os.Args[1])
	if err != nil {
		fail(err)
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(os.Args[2], name), content, 0o644); err != nil {
			fail(err)
		}
	}
}

func generate(what string) (map[string][]byte, error) {
	switch what {
	case "table":
		table, err := buildTable()
		if err != nil {
			return nil, err
		}
		var out bytes.Buffer
		table.write(&out)
		return map[string][]byte{"table.json": out.Bytes()}, nil
	case "fixtures":
		return buildFixtures()
	default:
		return nil, fmt.Errorf("nothing called %q to generate", what)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "generate:", err)
	os.Exit(1)
}
