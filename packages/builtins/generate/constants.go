package main

import (
	"go/ast"
	"go/token"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// constant is a literal, or the name of one in another package.
type constant struct {
	literal     string
	packagePath string
	name        string
}

// importsOf gives import paths by the names that the file has for them.
func importsOf(file *ast.File) map[string]string {
	imports := map[string]string{}
	for _, spec := range file.Imports {
		importPath, _ := strconv.Unquote(spec.Path.Value)
		name := path.Base(importPath)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imports[name] = importPath
	}
	return imports
}

// addConstants takes "Name Type = literal" and "Name = Type(value)".
func (source *packageSource) addConstants(spec *ast.ValueSpec, imports map[string]string) {
	for i, value := range spec.Values {
		typeName, isTyped := spec.Type.(*ast.Ident)
		if call, ok := value.(*ast.CallExpr); ok && len(call.Args) == 1 {
			typeName, isTyped = call.Fun.(*ast.Ident)
			value = call.Args[0]
		}
		found, ok := constantFrom(value, imports)
		if !ok {
			continue
		}
		source.consts[spec.Names[i].Name] = found.literal
		if isTyped && !slices.Contains(source.values[typeName.Name], found) {
			source.values[typeName.Name] = append(source.values[typeName.Name], found)
		}
	}
}

func constantFrom(value ast.Expr, imports map[string]string) (constant, bool) {
	switch value := value.(type) {
	case *ast.BasicLit:
		literal, _ := strconv.Unquote(value.Value)
		return constant{literal: literal}, value.Kind == token.STRING
	case *ast.SelectorExpr:
		if from, ok := value.X.(*ast.Ident); ok {
			return constant{packagePath: imports[from.Name], name: value.Sel.Name}, true
		}
	}
	return constant{}, false
}

func (sources sourceTree) enumValues(goType reflect.Type) []string {
	if goType.Kind() != reflect.String {
		return nil
	}
	if _, ok := sources.typeMarkers(goType)["enum"]; !ok {
		return nil
	}
	values := []string{}
	for _, found := range sources[goType.PkgPath()].values[goType.Name()] {
		if other := sources[found.packagePath]; other != nil {
			found.literal = other.consts[found.name]
		}
		values = append(values, found.literal)
	}
	slices.SortFunc(values, func(a, b string) int { return strings.Compare(strconv.Quote(a), strconv.Quote(b)) })
	return values
}
