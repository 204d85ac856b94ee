package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path"
	"reflect"
	"slices"
	"sort"
	"strings"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/version"
)

// packageTable is one Go package: its kinds, and its types each as one line of text.
type packageTable struct {
	apiVersion string
	kinds      []string
	types      map[string]string
}

// fieldTable has packages by alias ("core/v1").
type fieldTable map[string]*packageTable

// withoutKind are types that requests, answers and annotations have, and that no kind is made of.
var withoutKind = []reflect.Type{
	reflect.TypeFor[metav1.Patch](),
	reflect.TypeFor[version.Info](),
	reflect.TypeFor[autoscalingv1.MetricSpec](),
	reflect.TypeFor[autoscalingv1.MetricStatus](),
	reflect.TypeFor[autoscalingv1.HorizontalPodAutoscalerCondition](),
}

func buildTable() (fieldTable, error) {
	kinds, err := knownKinds()
	if err != nil {
		return nil, err
	}
	pending := map[reflect.Type]bool{}
	for _, goType := range kinds {
		collectTypes(goType, pending)
	}
	for _, goType := range withoutKind {
		collectTypes(goType, pending)
	}
	sources, err := readSources(pending)
	if err != nil {
		return nil, err
	}
	table := fieldTable{}
	for goType := range pending {
		text, err := describeType(goType, sources)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", goType, err)
		}
		table.of(goType).types[goType.Name()] = text
	}
	for gvk, goType := range kinds {
		if gvk.Kind != goType.Name() && !isMeta(goType) {
			return nil, fmt.Errorf("kind %s is of type %s: the table has no words for a kind with another name", gvk, goType)
		}
		entry := table.of(goType)
		if !slices.Contains(entry.kinds, goType.Name()) {
			entry.kinds = append(entry.kinds, goType.Name())
		}
		// The meta kinds are registered in every group, so they belong to none.
		if !isMeta(goType) {
			entry.apiVersion = gvk.GroupVersion().String()
		}
	}
	return table, nil
}

func (table fieldTable) of(goType reflect.Type) *packageTable {
	alias := aliasOf(goType.PkgPath())
	if table[alias] == nil {
		table[alias] = &packageTable{types: map[string]string{}}
	}
	return table[alias]
}

// write puts each type on a line of its own, so that a changed field is a small difference.
func (table fieldTable) write(out io.Writer) {
	separator := "{\n"
	for _, alias := range slices.Sorted(maps.Keys(table)) {
		entry := table[alias]
		sort.Strings(entry.kinds)
		fmt.Fprintf(out, "%s%s:{\"apiVersion\":%s,\"kinds\":%s,\"types\":{\n",
			separator, quoted(alias), quoted(entry.apiVersion), quoted(strings.Join(entry.kinds, " ")))
		lines := []string{}
		for _, name := range slices.Sorted(maps.Keys(entry.types)) {
			lines = append(lines, quoted(name)+":"+quoted(entry.types[name]))
		}
		fmt.Fprintf(out, "%s\n}}", strings.Join(lines, ",\n"))
		separator = ",\n"
	}
	fmt.Fprint(out, "\n}\n")
}

func quoted(text string) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text)
	return strings.TrimSuffix(out.String(), "\n")
}

// aliasOf shortens "k8s.io/api/core/v1" to "core/v1" and "k8s.io/apimachinery/pkg/api/resource" to "resource".
func aliasOf(packagePath string) string {
	base := path.Base(packagePath)
	if base[0] == 'v' && base[1] >= '0' && base[1] <= '9' {
		return path.Base(path.Dir(packagePath)) + "/" + base
	}
	return base
}

func isMeta(goType reflect.Type) bool {
	return strings.HasPrefix(aliasOf(goType.PkgPath()), "meta/")
}
