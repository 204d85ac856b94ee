package main

import (
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
)

// checkDiscovery reads the documents that clients start with.
func checkDiscovery(_ context.Context, config *rest.Config, _ string) (any, error) {
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	results := map[string]any{}
	version, err := client.ServerVersion()
	if err != nil {
		return nil, err
	}
	results["version"] = version.Major + "." + version.Minor
	if results["preferred"], err = preferredResources(client); err != nil {
		return nil, err
	}
	if results["openapi v2"], err = definitions(client); err != nil {
		return nil, err
	}
	groups, err := restmapper.GetAPIGroupResources(client)
	if err != nil {
		return nil, err
	}
	mapper := restmapper.NewDiscoveryRESTMapper(groups)
	mapped := map[string]string{}
	for _, kind := range []schema.GroupKind{{Kind: "Pod"}, {Group: "apps", Kind: "Deployment"}, {Group: "autoscaling", Kind: "HorizontalPodAutoscaler"}, {Kind: "Node"}} {
		mapping, err := mapper.RESTMapping(kind)
		if err != nil {
			return nil, err
		}
		mapped[kind.String()] = mapping.Resource.String() + " " + string(mapping.Scope.Name())
	}
	results["mapped"] = mapped
	return results, nil
}

// isLater reports whether our server does not have the group yet.
func isLater(groupVersion string) bool {
	return slices.Contains([]string{"apiextensions.k8s.io/v1", "authentication.k8s.io/v1", "authorization.k8s.io/v1"}, groupVersion)
}

func preferredResources(client *discovery.DiscoveryClient) (map[string][]string, error) {
	lists, err := client.ServerPreferredResources()
	if err != nil {
		return nil, err
	}
	names := map[string][]string{}
	for _, list := range lists {
		if isLater(list.GroupVersion) {
			continue
		}
		for _, resource := range list.APIResources {
			words := append([]string{resource.Name, resource.Kind}, resource.Verbs...)
			names[list.GroupVersion] = append(names[list.GroupVersion], strings.Join(words, " "))
		}
		slices.Sort(names[list.GroupVersion])
	}
	return names, nil
}

// definitions reads OpenAPI v2, which client-go asks for in protobuf only, and returns the fields of a few kinds.
func definitions(client *discovery.DiscoveryClient) (map[string][]string, error) {
	document, err := client.OpenAPISchema()
	if err != nil {
		return nil, err
	}
	wanted := []string{"io.k8s.api.apps.v1.DeploymentSpec", "io.k8s.api.core.v1.ServicePort", "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}
	fields := map[string][]string{}
	for _, definition := range document.GetDefinitions().GetAdditionalProperties() {
		if !slices.Contains(wanted, definition.GetName()) {
			continue
		}
		for _, property := range definition.GetValue().GetProperties().GetAdditionalProperties() {
			schema := property.GetValue()
			kind := strings.Join(schema.GetType().GetValue(), " ") + strings.TrimPrefix(schema.GetXRef(), "#/definitions/")
			fields[definition.GetName()] = append(fields[definition.GetName()], property.GetName()+" "+kind)
		}
		slices.Sort(fields[definition.GetName()])
	}
	return fields, nil
}
