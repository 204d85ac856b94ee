package main

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
)

func aConfigMap(name string, labels map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}, Data: map[string]string{"name": name}}
}

func aDeployment(name string) *appsv1.Deployment {
	labels := map[string]string{"app": name}
	return &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: appsv1.DeploymentSpec{
		Selector: &metav1.LabelSelector{MatchLabels: labels},
		Template: corev1.PodTemplateSpec{
			ObjectMeta: metav1.ObjectMeta{Labels: labels},
			Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "nginx:1.27"}}},
		},
	}}
}

// checkErrors reads refusals as programs do: code, reason, causes.
func checkErrors(ctx context.Context, config *rest.Config, namespace string) (any, error) {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	configMaps := client.CoreV1().ConfigMaps(namespace)
	first, err := configMaps.Create(ctx, aConfigMap("errors", nil), created)
	if err != nil {
		return nil, err
	}
	if _, err := configMaps.Update(ctx, aConfigMap("errors", map[string]string{"new": "yes"}), updated); err != nil {
		return nil, err
	}
	results := map[string]any{}
	_, err = configMaps.Get(ctx, "missing", metav1.GetOptions{})
	results["get of nothing"] = refusalOf(err)
	_, err = configMaps.Create(ctx, aConfigMap("errors", nil), created)
	results["create again"] = refusalOf(err)
	_, err = configMaps.Create(ctx, aConfigMap("Bad_Name", nil), created)
	results["bad name"] = refusalOf(err)
	_, err = configMaps.Update(ctx, first, updated)
	results["stale update"] = refusalOf(err)
	_, err = configMaps.Update(ctx, aConfigMap("missing", nil), updated)
	results["update of nothing"] = refusalOf(err)
	_, err = client.CoreV1().ConfigMaps("clientgo-missing").Create(ctx, aConfigMap("errors", nil), created)
	results["missing namespace"] = refusalOf(err)
	deployment := aDeployment("errors")
	deployment.Spec.Replicas = ptr.To(int32(-1))
	deployment.Spec.Template.Labels = nil
	_, err = client.AppsV1().Deployments(namespace).Create(ctx, deployment, created)
	results["invalid"] = refusalOf(err)
	_, err = configMaps.List(ctx, metav1.ListOptions{LabelSelector: "a in b"})
	results["bad selector"] = refusalOf(err)
	_, err = configMaps.List(ctx, metav1.ListOptions{FieldSelector: "data.a=b"})
	results["bad field"] = refusalOf(err)
	err = configMaps.Delete(ctx, "errors", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{ResourceVersion: ptr.To("1")}})
	results["precondition"] = conflictOf(err)
	err = configMaps.Delete(ctx, "errors", metav1.DeleteOptions{DryRun: []string{"Some"}})
	results["bad options"] = refusalOf(err)
	_, err = client.CoreV1().Pods(namespace).GetLogs("missing", &corev1.PodLogOptions{}).DoRaw(ctx)
	results["logs"] = refusalOf(err)
	_, err = client.CoreV1().RESTClient().Get().AbsPath("/apis/missing.example.com/v1/things").DoRaw(ctx)
	results["unknown path"] = refusalOf(err)
	return results, nil
}

// conflictOf leaves the message out: it names resource versions.
func conflictOf(err error) any {
	if is, ok := refusalOf(err).(refusal); ok {
		return map[string]any{"code": is.Code, "reason": is.Reason}
	}
	return refusalOf(err)
}

// checkPatches sends every patch type for one Deployment.
func checkPatches(ctx context.Context, config *rest.Config, namespace string) (any, error) {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	deployments := client.AppsV1().Deployments(namespace)
	if _, err := deployments.Create(ctx, aDeployment("patches"), created); err != nil {
		return nil, err
	}
	results := map[string]any{}
	patches := []struct {
		kind         types.PatchType
		body         string
		subresources []string
	}{
		{types.JSONPatchType, `[{"op":"add","path":"/metadata/labels","value":{"a":"b"}}]`, nil},
		{types.MergePatchType, `{"spec":{"replicas":3}}`, nil},
		{types.StrategicMergePatchType, `{"spec":{"template":{"spec":{"containers":[{"name":"side","image":"busybox"}]}}}}`, nil},
		{types.MergePatchType, `{"status":{"replicas":2,"readyReplicas":1}}`, []string{"status"}},
		{types.ApplyPatchType, `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"patches","annotations":{"applied":"yes"}}}`, nil},
		{types.ApplyYAMLPatchType, "{apiVersion: apps/v1, kind: Deployment, metadata: {name: patches, annotations: {applied: again}}}", nil},
		{types.PatchType("application/nonsense"), `{}`, nil},
	}
	for number, patch := range patches {
		name := fmt.Sprintf("%d %s", number+1, patch.kind)
		object, err := deployments.Patch(ctx, "patches", patch.kind, []byte(patch.body), patched, patch.subresources...)
		if err != nil {
			results[name] = refusalOf(err)
			continue
		}
		object.ManagedFields = nil
		results[name] = object
	}
	scale, err := deployments.GetScale(ctx, "patches", metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	scale.Spec.Replicas = 7
	if scale, err = deployments.UpdateScale(ctx, "patches", scale, updated); err != nil {
		return nil, err
	}
	results["scale"] = scale
	return results, nil
}

// checkPaging walks a list in pages and compares it with the whole.
func checkPaging(ctx context.Context, config *rest.Config, namespace string) (any, error) {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	configMaps := client.CoreV1().ConfigMaps(namespace)
	for number := range 5 {
		if _, err := configMaps.Create(ctx, aConfigMap(fmt.Sprintf("page-%d", number), nil), created); err != nil {
			return nil, err
		}
	}
	type page struct {
		Names     []string `json:"names"`
		Remaining *int64   `json:"remaining"`
		More      bool     `json:"more"`
		SameState bool     `json:"sameState"`
	}
	var pages []page
	version, next := "", ""
	for len(pages) == 0 || next != "" {
		list, err := configMaps.List(ctx, metav1.ListOptions{Limit: 2, Continue: next})
		if err != nil {
			return nil, err
		}
		if version == "" {
			version = list.ResourceVersion
		}
		next = list.Continue
		names := []string{}
		for _, item := range list.Items {
			names = append(names, item.Name)
		}
		pages = append(pages, page{names, list.RemainingItemCount, next != "", list.ResourceVersion == version})
	}
	exact, err := configMaps.List(ctx, metav1.ListOptions{ResourceVersion: version, ResourceVersionMatch: metav1.ResourceVersionMatchExact})
	if err != nil {
		return nil, err
	}
	return map[string]any{"pages": pages, "exact": len(exact.Items)}, nil
}

// checkDeleteCollection deletes by label, and shows what stays.
func checkDeleteCollection(ctx context.Context, config *rest.Config, namespace string) (any, error) {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	configMaps := client.CoreV1().ConfigMaps(namespace)
	for number := range 6 {
		labels := map[string]string{"odd": fmt.Sprint(number%2 == 1)}
		if _, err := configMaps.Create(ctx, aConfigMap(fmt.Sprintf("item-%d", number), labels), created); err != nil {
			return nil, err
		}
	}
	odd := metav1.ListOptions{LabelSelector: "odd=true"}
	if err := configMaps.DeleteCollection(ctx, metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}}, odd); err != nil {
		return nil, err
	}
	all, err := configMaps.List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	if err := configMaps.DeleteCollection(ctx, metav1.DeleteOptions{}, odd); err != nil {
		return nil, err
	}
	rest, err := configMaps.List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	names := []string{}
	for _, item := range rest.Items {
		names = append(names, item.Name)
	}
	return map[string]any{"afterDryRun": len(all.Items), "left": names}, nil
}
