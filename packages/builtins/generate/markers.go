package main

import (
	"go/ast"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// markers are the "+name=value" lines of a comment, values in order.
type markers map[string][]string

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

// fieldMarks are the table's words for how a field is merged, patched, defaulted, required and named in Go.
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
	if field.Name != usualGoName(field) {
		add("go", []string{field.Name})
	}
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

// usualGoName is what the product expects without a mark: the JSON name in upper case, but metadata has its type's name.
func usualGoName(field reflect.StructField) string {
	name, _ := jsonTag(field)
	if name == "metadata" {
		return field.Type.Name()
	}
	return strings.ToUpper(name[:1]) + name[1:]
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
