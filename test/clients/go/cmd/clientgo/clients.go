package main

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
)

// checkDynamic does without Go types: everything is JSON.
func checkDynamic(ctx context.Context, config *rest.Config, namespace string) (any, error) {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	deployments := client.Resource(schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}).Namespace(namespace)
	object := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"name": "dynamic"},
		"spec": map[string]any{
			"replicas": int64(2), "selector": map[string]any{"matchLabels": map[string]any{"app": "dynamic"}},
			"template": map[string]any{
				"metadata": map[string]any{"labels": map[string]any{"app": "dynamic"}},
				"spec":     map[string]any{"containers": []any{map[string]any{"name": "main", "image": "nginx:1.27"}}},
			},
		},
	}}
	results := map[string]any{}
	made, err := deployments.Create(ctx, object, created)
	if err != nil {
		return nil, err
	}
	results["created"] = made
	if err := unstructured.SetNestedField(made.Object, int64(1), "status", "replicas"); err != nil {
		return nil, err
	}
	withStatus, err := deployments.UpdateStatus(ctx, made, updated)
	if err != nil {
		return nil, err
	}
	results["status"] = withStatus.Object["status"]
	apply := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"name": "dynamic", "labels": map[string]any{"applied": "yes"}},
	}}
	applied, err := deployments.Apply(ctx, "dynamic", apply, metav1.ApplyOptions{FieldManager: "applier"})
	if err != nil {
		return nil, err
	}
	results["labels"] = applied.GetLabels()
	list, err := deployments.List(ctx, metav1.ListOptions{LabelSelector: "applied=yes"})
	if err != nil {
		return nil, err
	}
	results["list"] = []any{list.GetKind(), list.GetAPIVersion(), len(list.Items), list.Items[0].GetKind(), list.Items[0].GetAPIVersion()}
	scale, err := deployments.Get(ctx, "dynamic", metav1.GetOptions{}, "scale")
	if err != nil {
		return nil, err
	}
	results["scale"] = scale
	return results, deployments.Delete(ctx, "dynamic", metav1.DeleteOptions{})
}

// checkMetadata reads and writes only metadata, of objects whose kind the client does not know.
func checkMetadata(ctx context.Context, config *rest.Config, namespace string) (any, error) {
	typed, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	client, err := metadata.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	if _, err := typed.CoreV1().ConfigMaps(namespace).Create(ctx, aConfigMap("meta", nil), created); err != nil {
		return nil, err
	}
	configMaps := client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Namespace(namespace)
	results := map[string]any{}
	watcher, err := configMaps.Watch(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	defer watcher.Stop()
	seen, _, err := take(watcher, 1)
	if err != nil {
		return nil, err
	}
	results["watch"] = seen
	object, err := configMaps.Get(ctx, "meta", metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	results["get"] = object
	patch := []byte(`{"metadata":{"labels":{"color":"blue"}}}`)
	if object, err = configMaps.Patch(ctx, "meta", types.MergePatchType, patch, patched); err != nil {
		return nil, err
	}
	results["patch"] = object.Labels
	list, err := configMaps.List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	results["list"] = []any{list.Kind, list.APIVersion, len(list.Items), list.Items[0].Kind, list.Items[0].APIVersion, list.Items[0].Name}
	if err := configMaps.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
		return nil, err
	}
	_, err = configMaps.Get(ctx, "meta", metav1.GetOptions{})
	results["gone"] = refusalOf(err)
	return results, nil
}
