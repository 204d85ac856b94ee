package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// wellKnown types read and write their own JSON; the product has code for each of these words.
var wellKnown = map[string]string{
	"apiextensions/v1.JSON":                         "json",
	"apiextensions/v1.JSONSchemaPropsOrArray":       "schema-or-array",
	"apiextensions/v1.JSONSchemaPropsOrBool":        "schema-or-bool",
	"apiextensions/v1.JSONSchemaPropsOrStringArray": "schema-or-strings",
	"intstr.IntOrString":                            "int-or-string",
	"meta/v1.Duration":                              "duration",
	"meta/v1.FieldsV1":                              "raw",
	"meta/v1.MicroTime":                             "micro-time",
	"meta/v1.Time":                                  "time",
	"resource.Quantity":                             "quantity",
	"runtime.RawExtension":                          "raw",
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

// protobufMarshaler is what a type has that is a message of its own, even where it is a list.
type protobufMarshaler interface{ Marshal() ([]byte, error) }

// collectTypes adds the named types that values of goType are made of.
func collectTypes(goType reflect.Type, found map[reflect.Type]bool) {
	switch goType.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		collectTypes(goType.Elem(), found)
	case reflect.Map:
		collectTypes(goType.Key(), found)
		collectTypes(goType.Elem(), found)
	}
	if goType.PkgPath() == "" || found[goType] {
		return
	}
	found[goType] = true
	if goType.Kind() != reflect.Struct || wellKnown[qualifiedName(goType)] != "" {
		return
	}
	for field := range goType.Fields() {
		if jsonName, _ := jsonTag(field); jsonName != "-" && field.IsExported() {
			collectTypes(field.Type, found)
		}
	}
}

func qualifiedName(goType reflect.Type) string {
	return aliasOf(goType.PkgPath()) + "." + goType.Name()
}

// describeType is the one line that the table has for a named type.
func describeType(goType reflect.Type, sources sourceTree) (string, error) {
	if word, ok := wellKnown[qualifiedName(goType)]; ok {
		return "!" + word, nil
	}
	if reflect.PointerTo(goType).Implements(unmarshaler) && goType.Kind() != reflect.Struct {
		return "", fmt.Errorf("reads its own JSON, and is not among the well-known types")
	}
	if goType.Kind() != reflect.Struct {
		return describeNamed(goType, sources), nil
	}
	parts := []string{}
	if marks := structMarks(goType, sources); marks != "" {
		parts = append(parts, marks)
	}
	for field := range goType.Fields() {
		text, err := describeField(goType, field, sources)
		if err != nil {
			return "", fmt.Errorf("field %s: %w", field.Name, err)
		}
		if text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ";"), nil
}

// describeNamed writes "=string", "=string Always|Never" for an enum, "=[]string message" for a list that is a
// protobuf message.
func describeNamed(goType reflect.Type, sources sourceTree) string {
	text := "=" + underlying(goType)
	if values := sources.enumValues(goType); len(values) > 0 {
		text += " " + strings.Join(values, "|")
	}
	if goType.Implements(reflect.TypeFor[protobufMarshaler]()) || reflect.PointerTo(goType).Implements(reflect.TypeFor[protobufMarshaler]()) {
		text += " message"
	}
	return text
}

// structMarks is "#atomic" for a struct that is owned as a whole, "#union=DISCRIMINATOR:field=Name,…" for a union.
func structMarks(goType reflect.Type, sources sourceTree) string {
	marks := []string{}
	if mapType := sources.typeMarkers(goType)["structType"]; mapType != nil {
		marks = append(marks, mapType[0])
	} else if mapType := sources.typeMarkers(goType)["mapType"]; mapType != nil {
		marks = append(marks, mapType[0])
	}
	if union := unionOf(goType, sources); union != "" {
		marks = append(marks, "union="+union)
	}
	if len(marks) == 0 {
		return ""
	}
	return "#" + strings.Join(marks, " ")
}

func unionOf(goType reflect.Type, sources sourceTree) string {
	if _, ok := sources.typeMarkers(goType)["union"]; !ok {
		return ""
	}
	discriminator, members := "", []string{}
	for field := range goType.Fields() {
		name, _ := jsonTag(field)
		if _, ok := sources.fieldMarkers(goType, field)["unionDiscriminator"]; ok {
			discriminator = name
		} else {
			members = append(members, name+"="+field.Name)
		}
	}
	slices.Sort(members)
	return discriminator + ":" + strings.Join(members, ",")
}

// describeField writes "name[?][~] NUMBER TYPE MARKS…": "?" for omitempty, "~" for omitzero; ">" names an inlined struct.
func describeField(owner reflect.Type, field reflect.StructField, sources sourceTree) (string, error) {
	name, options := jsonTag(field)
	if name == "-" || !field.IsExported() {
		return "", nil
	}
	number, err := protobufNumber(field)
	if err != nil {
		return "", err
	}
	if field.Anonymous && name == "" {
		return fmt.Sprintf("> %d %s", number, typeText(field.Type, owner)), nil
	}
	if name == "" {
		return "", fmt.Errorf("has no JSON name")
	}
	if slices.Contains(options, "omitempty") {
		name += "?"
	}
	if slices.Contains(options, "omitzero") {
		name += "~"
	}
	parts := []string{name, strconv.Itoa(number), typeText(field.Type, owner)}
	return strings.Join(append(parts, fieldMarks(owner, field, sources)...), " "), nil
}

func jsonTag(field reflect.StructField) (name string, options []string) {
	parts := strings.Split(field.Tag.Get("json"), ",")
	return parts[0], parts[1:]
}

// protobufNumber is all that the tag decides: the wire kind follows from the Go type (some tags say another one).
func protobufNumber(field reflect.StructField) (int, error) {
	parts := strings.Split(field.Tag.Get("protobuf"), ",")
	if len(parts) < 2 {
		return 0, nil
	}
	if slices.Contains(parts, "packed") {
		return 0, fmt.Errorf("is packed")
	}
	return strconv.Atoi(parts[1])
}

// typeText is Go's way to write a type, with our package aliases, and without one inside the owner's package.
func typeText(goType reflect.Type, owner reflect.Type) string {
	if goType.PkgPath() == "" {
		return composite(goType, owner)
	}
	if owner != nil && goType.PkgPath() == owner.PkgPath() {
		return goType.Name()
	}
	return qualifiedName(goType)
}

func underlying(goType reflect.Type) string {
	return composite(goType, goType)
}

func composite(goType reflect.Type, owner reflect.Type) string {
	switch goType.Kind() {
	case reflect.Pointer:
		return "*" + typeText(goType.Elem(), owner)
	case reflect.Slice:
		return "[]" + typeText(goType.Elem(), owner)
	case reflect.Map:
		return "map[" + typeText(goType.Key(), owner) + "]" + typeText(goType.Elem(), owner)
	case reflect.Interface:
		return "any"
	default:
		return goType.Kind().String()
	}
}
