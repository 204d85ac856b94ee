package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// markers are the "+name=value" lines of a comment, values in order.
type markers map[string][]string

// sourceTree has the parsed sources of the packages by import path.
type sourceTree map[string]*packageSource

type packageSource struct {
	types  map[string]*ast.TypeSpec
	marks  map[string]markers
	values map[string][]constant // of typed string constants, by type name
	consts map[string]string     // literals, by constant name
}

// constant is a literal, or the name of one in another package.
type constant struct {
	literal     string
	packagePath string
	name        string
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

// parseMarkers reads the lines that start with "+", as Kubernetes' own generators do.
func parseMarkers(doc *ast.CommentGroup) markers {
	found := markers{}
	if doc == nil {
		return found
	}
	for line := range strings.Lines(doc.Text() + directives(doc)) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "+") {
			continue
		}
		name, value, _ := strings.Cut(line[1:], "=")
		found[name] = append(found[name], value)
	}
	return found
}

// directives are lines that Go's comment text leaves out: "//+optional" without a space looks like one.
func directives(doc *ast.CommentGroup) string {
	text := "\n"
	for _, comment := range doc.List {
		if strings.HasPrefix(comment.Text, "//+") {
			text += comment.Text[2:] + "\n"
		}
	}
	return text
}

func (sources sourceTree) typeMarkers(goType reflect.Type) markers {
	return sources[goType.PkgPath()].marks[goType.Name()]
}

func (sources sourceTree) fieldMarkers(owner reflect.Type, field reflect.StructField) markers {
	spec := sources[owner.PkgPath()].types[owner.Name()]
	structure, ok := spec.Type.(*ast.StructType)
	if !ok {
		return markers{}
	}
	for _, candidate := range structure.Fields.List {
		if slices.Contains(fieldNames(candidate), field.Name) {
			return parseMarkers(candidate.Doc)
		}
	}
	return markers{}
}

// fieldNames of an embedded field are the name of its type.
func fieldNames(field *ast.Field) []string {
	names := []string{}
	for _, name := range field.Names {
		names = append(names, name.Name)
	}
	if len(names) > 0 {
		return names
	}
	switch embedded := field.Type.(type) {
	case *ast.Ident:
		return []string{embedded.Name}
	case *ast.SelectorExpr:
		return []string{embedded.Sel.Name}
	}
	return names
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

// fieldMarks are the table's words for how a field is merged, patched, defaulted and required.
func fieldMarks(owner reflect.Type, field reflect.StructField, sources sourceTree) []string {
	found := sources.fieldMarkers(owner, field)
	marks := []string{}
	add := func(word string, values []string) {
		if len(values) > 0 && values[0] != "" {
			marks = append(marks, word+"="+strings.Join(values, ","))
		}
	}
	add("list", found["listType"])
	add("keys", found["listMapKey"])
	add("map", append(found["mapType"], found["structType"]...))
	add("patch", []string{field.Tag.Get("patchStrategy")})
	add("key", []string{field.Tag.Get("patchMergeKey")})
	add("default", sources.defaultOf(owner, field, found))
	_, isOptional := found["optional"]
	_, isRequired := found["required"]
	_, options := jsonTag(field)
	hasOmitempty := slices.Contains(options, "omitempty")
	if isOptional && !hasOmitempty {
		marks = append(marks, "optional")
	}
	if isRequired && hasOmitempty {
		marks = append(marks, "required")
	}
	return marks
}

// defaultOf looks at the field, then at the types it is made of; a default may name a constant.
func (sources sourceTree) defaultOf(owner reflect.Type, field reflect.StructField, found markers) []string {
	value, packagePath := found["default"], owner.PkgPath()
	for goType := field.Type; len(value) == 0; goType = goType.Elem() {
		if goType.PkgPath() != "" {
			value, packagePath = sources.typeMarkers(goType)["default"], goType.PkgPath()
		}
		if goType.Kind() != reflect.Pointer {
			break
		}
	}
	if len(value) == 0 {
		return nil
	}
	if name, ok := strings.CutPrefix(value[0], "ref("); ok {
		name = strings.TrimSuffix(name, ")")
		if dot := strings.LastIndex(name, "."); dot >= 0 {
			packagePath, name = name[:dot], name[dot+1:]
		}
		return []string{strconv.Quote(sources[packagePath].consts[name])}
	}
	return value[:1]
}
