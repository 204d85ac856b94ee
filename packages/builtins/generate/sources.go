package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"reflect"
	"slices"
	"strings"
)

// sourceTree has the parsed sources of the packages by import path.
type sourceTree map[string]*packageSource

type packageSource struct {
	types  map[string]*ast.TypeSpec
	marks  map[string]markers
	values map[string][]constant // of typed string constants, by type name
	consts map[string]string     // literals, by constant name
}

func readSources(types map[reflect.Type]bool) (sourceTree, error) {
	paths := []string{}
	for goType := range types {
		if !slices.Contains(paths, goType.PkgPath()) {
			paths = append(paths, goType.PkgPath())
		}
	}
	output, err := exec.Command("go", append([]string{"list", "-f", "{{.ImportPath}} {{.Dir}}"}, paths...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	sources := sourceTree{}
	for line := range strings.Lines(string(output)) {
		importPath, directory, _ := strings.Cut(strings.TrimSpace(line), " ")
		if sources[importPath], err = readPackage(directory); err != nil {
			return nil, err
		}
	}
	return sources, nil
}

func readPackage(directory string) (*packageSource, error) {
	isSource := func(info fs.FileInfo) bool { return !strings.HasSuffix(info.Name(), "_test.go") }
	packages, err := parser.ParseDir(token.NewFileSet(), directory, isSource, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	source := &packageSource{
		types: map[string]*ast.TypeSpec{}, marks: map[string]markers{},
		values: map[string][]constant{}, consts: map[string]string{},
	}
	for _, parsed := range packages {
		for _, file := range parsed.Files {
			for _, declaration := range file.Decls {
				if general, ok := declaration.(*ast.GenDecl); ok {
					source.add(general, importsOf(file))
				}
			}
		}
	}
	return source, nil
}

func (source *packageSource) add(declaration *ast.GenDecl, imports map[string]string) {
	for _, spec := range declaration.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			source.types[spec.Name.Name] = spec
			doc := spec.Doc
			if doc == nil {
				doc = declaration.Doc
			}
			source.marks[spec.Name.Name] = parseMarkers(doc)
		case *ast.ValueSpec:
			if declaration.Tok == token.CONST {
				source.addConstants(spec, imports)
			}
		}
	}
}
